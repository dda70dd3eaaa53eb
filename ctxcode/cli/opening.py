"""Opens a repository for a command and says on standard error what the user should know of it."""

import gc
from collections.abc import Mapping

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.complaint import complain


def opened(arguments: Arguments, environment: Mapping[str, str], *, is_brief: bool = False) -> Application:
    """Return the application of a command; raises what ``open_application`` raises."""
    application = open_application(
        arguments.repository,
        overrides=arguments.overrides(),
        environment=environment,
        is_brief=is_brief,
        allowed=arguments.allowed_commands,
    )
    if not is_brief:
        gc.freeze()
        gc.enable()
    for notice in application.notices:
        complain(notice)
    return application
