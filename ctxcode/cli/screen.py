"""The full-screen app. Imports little: the first picture waits for it."""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.cli.arguments import COMMANDS, Arguments
from ctxcode.model.errors import CtxcodeError, RepositoryError
from ctxcode.settings import settings_for

if TYPE_CHECKING:
    from ctxcode.session.session import Session


def open_app(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Open the full-screen app; without a terminal say what to use instead."""
    if not arguments.repository.is_dir():
        # Said at once, not from within the screen; all else that can be wrong with a folder is found when it is opened.
        hint = f"Give a folder, or a command: {', '.join(COMMANDS)}."
        raise RepositoryError(f"{str(arguments.repository)!r} is no folder.", hint)
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or environment.get("TERM") == "dumb":
        raise CtxcodeError(
            "The full-screen app needs a terminal.",
            'Here, use: ctxcode ask "…", ctxcode context "…", ctxcode index or ctxcode doctor.',
        )
    settings = settings_for(arguments.repository, overrides=arguments.overrides(), environment=environment)

    def open_session() -> "Session":
        from ctxcode.bootstrap import open_application
        from ctxcode.cli.converse import session_for

        application = open_application(arguments.repository, overrides=arguments.overrides(), environment=environment)
        return session_for(application, arguments, resumes=not arguments.is_new)

    from ctxcode.tui.start import run_app

    for name in ("COLUMNS", "LINES"):
        # Exported by some shells and never updated; Textual would believe them more than the terminal.
        os.environ.pop(name, None)
    return run_app(open_session, theme=settings.theme, plain_glyphs=settings.plain)
