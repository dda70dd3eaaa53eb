"""Opens a repository for a command and says on standard error what the user should know of it."""

import gc
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.bootstrap.application import Application, Use, open_application
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.complaint import complain

if TYPE_CHECKING:
    from ctxcode.bootstrap.index.ahead import EarlyCheck


def opened(
    arguments: Arguments, environment: Mapping[str, str], use: Use = Use.SESSION, check: "EarlyCheck | None" = None
) -> Application:
    """Return the application of a command; raises what ``open_application`` raises."""
    application = open_application(
        arguments.repository,
        overrides=arguments.overrides(),
        environment=environment,
        use=use if arguments.is_kept else Use.READ_ONLY,
        allowed=arguments.allowed_commands,
        check=check,
    )
    if use is not Use.ANSWER:
        gc.freeze()
        gc.enable()
    for notice in application.notices:
        complain(notice)
    return application
