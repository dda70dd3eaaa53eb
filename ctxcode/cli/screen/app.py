"""The full-screen app. Imports little: the first picture waits for it."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.cli.arguments import COMMANDS, Arguments
from ctxcode.cli.interruption import leave_to_event_loop
from ctxcode.model.errors import CtxcodeError, RepositoryError
from ctxcode.settings.directory import directories, repository_key
from ctxcode.settings.settings import Settings, settings_told

if TYPE_CHECKING:
    from ctxcode.model.check import SettingRow
    from ctxcode.session.session import Session
    from ctxcode.tui.terminal.setup import SettingsPage, Setup


def open_app(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Open the full-screen app; without a terminal say what to use instead."""
    if not arguments.repository.is_dir():
        # Said at once, not from within the screen; all else that can be wrong with a folder is found when it is opened.
        import difflib

        named = str(arguments.repository)
        near = difflib.get_close_matches(named, COMMANDS, n=1) if os.sep not in named else []
        meant = f"Did you mean `ctxcode {near[0]}`? " if near else ""
        hint = f"{meant}Give a folder, or a command: {', '.join(COMMANDS)}."
        raise RepositoryError(f"{str(arguments.repository)!r} is no folder.", hint)
    if arguments.plain:
        from ctxcode.cli.plain import converse_plainly

        return converse_plainly(arguments, environment)
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or environment.get("TERM") == "dumb":
        raise CtxcodeError(
            "The full-screen app needs a terminal.",
            'Here, use: ctxcode --plain, ctxcode ask "…", ctxcode context "…", ctxcode index or ctxcode doctor.',
        )
    if not sys.stderr.isatty():
        raise CtxcodeError(
            "The full-screen app draws on standard error, which is redirected.", "Start it without the redirection."
        )
    # What is left out is said once the session is open.
    settings, _ = settings_told(arguments.repository, overrides=arguments.overrides(), environment=environment)

    def open_session() -> "Session":
        from ctxcode.bootstrap.application import Use, open_application
        from ctxcode.cli.converse import session_for

        application = open_application(
            arguments.repository, overrides=arguments.overrides(), environment=environment, use=Use.SCREEN
        )
        return session_for(application, arguments, resumes=not arguments.is_new, is_attended=True)

    from ctxcode.cli.log_file import log_to
    from ctxcode.tui.start import run_app

    setup = _setup(arguments, settings, environment)
    if setup.log is not None:
        log_to(setup.log)
    for name in ("COLUMNS", "LINES"):
        # Exported by some shells and never updated; Textual would believe them more than the terminal.
        os.environ.pop(name, None)
    leave_to_event_loop()
    return run_app(open_session, setup)


def settings_page(arguments: Arguments, environment: Mapping[str, str]) -> "SettingsPage":
    """Return what ``/settings`` shows."""
    from ctxcode.tui.terminal.setup import SettingsPage

    def rows() -> "tuple[SettingRow, ...]":
        from ctxcode.cli.own_settings import setting_rows

        return setting_rows(arguments.repository, overrides=arguments.overrides(), environment=environment)

    folders = directories(environment)
    return SettingsPage(rows, folders.config / "settings.toml", folders.state / "exports")


def _setup(arguments: Arguments, settings: Settings, environment: Mapping[str, str]) -> "Setup":
    """Return what is known of the user and the terminal, and where choices are kept. Raises SettingsError."""
    from ctxcode.cli.screen.draft import DraftFolder
    from ctxcode.tui.terminal.ground import Ground, ground_of
    from ctxcode.tui.terminal.keyboard import keyboard
    from ctxcode.tui.terminal.setup import Drafts, Setup

    folders = directories(environment)
    terminal = environment.get("TERM_PROGRAM") or environment.get("TERM") or "terminal"
    background, hints = folders.state / f"background-{repository_key(Path(terminal))}", folders.state / "hints-seen"
    unsent = DraftFolder(folders.state / "drafts")
    seen, hints_seen = _kept(background), _kept(hints)

    def keep_theme(name: str) -> None:
        from ctxcode.cli.own_settings import remember

        remember("theme", name, folders.config / "settings.toml")

    return Setup(
        theme=settings.theme,
        ground=ground_of(environment) or (Ground(seen) if seen in set(Ground) else None),
        user_themes=folders.config / "themes",
        # The screen is drawn on standard error.
        plain_glyphs=settings.plain or not (sys.stderr.encoding or "").lower().startswith("utf"),
        rings=settings.bell,
        keyboard=keyboard(settings.keys),
        settings=settings_page(arguments, environment),
        keep_theme=keep_theme,
        keep_ground=lambda ground: None if ground == seen else _keep(ground, background),
        hints_seen=int(hints_seen) if hints_seen.isdecimal() else 0,
        keep_hints=lambda count: _keep(str(count), hints),
        drafts=Drafts(unsent.kept, unsent.keep, waits=arguments.is_new),
        log=folders.state / "ctxcode.log",
    )


def _kept(path: Path) -> str:
    """Return a word that was kept; empty when none was, or it can't be read."""
    with suppress(OSError):
        return path.read_text(encoding="ascii", errors="replace").strip()[:40]
    return ""


def _keep(word: str, path: Path) -> None:
    """Keep a word for the next start; only looks depend on it, so a folder that can't be written is no failure."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(word, encoding="ascii")
