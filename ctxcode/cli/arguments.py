"""The words of the command line as one typed value."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ctxcode.model.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = {
    "index": "build or refresh the index of a repository",
    "context": "assemble and print the context for a question; no model is involved",
    "ask": "ask one question without the full-screen app",
    "symbol": "what a name means: its definitions, or the proof that there is none",
    "refs": "who calls, names, tests, imports or inherits from a name",
    "path": "how one name reaches another",
    "map": "the repository's map as the model sees it",
    "plan": "list, show, compare, replay and export stored plans",
    "trust": "trust what a repository's commands do, show it or take it back",
    "sessions": "list this repository's sessions",
    "stats": "what sessions came to: tokens, cost, tools, edits, what of the shown code was used",
    "export": "print a session as Markdown, JSON or one HTML page",
    "doctor": "say what works here, what does not, and what to do",
}
_EPILOG = "commands (each has --help):\n" + "\n".join(f"  {name:<9} {text}" for name, text in COMMANDS.items())


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the user asked for; None stands for what was not given."""

    command: str
    """``open`` for the full-screen app, or one of COMMANDS."""
    repository: Path
    query: str = ""
    """The question; for ``symbol``, ``refs`` and ``path`` the name."""
    other: str = ""
    """The name a path leads to."""
    model: str | None = None
    api_base: str | None = None
    mode: str | None = None
    budget: int | None = None
    theme: str | None = None
    plain: bool = False
    format: str = "text"
    with_text: bool = False
    explain: bool = False
    session: str | None = None
    is_continued: bool = False
    allows_edits: bool = False
    is_new: bool = False
    plan_action: str = "list"
    plan_ids: tuple[str, ...] = ()
    sends: bool = False
    output: Path | None = None
    limit: int = 20
    max_cost: str | None = None
    max_turns: int | None = None
    allowed_commands: tuple[str, ...] = ()
    """May run without a question, with any plain words after them."""
    is_shown_only: bool = False
    is_revoked: bool = False
    is_kept: bool = True
    """False where nothing can be written, and what only reads goes on with copies in memory."""

    def overrides(self) -> dict[str, object]:
        """Return what was given here and stands above every settings file."""
        given = {
            "model": self.model,
            "api_base": self.api_base,
            "mode": self.mode,
            "budget_tokens": self.budget,
            "theme": self.theme,
            "max_cost": self.max_cost,
            "max_turns": self.max_turns,
        }
        return {name: value for name, value in given.items() if value is not None}


class _Parser(argparse.ArgumentParser):
    """Raises instead of exiting, so that one place prints and exits."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}.", f"See: {self.prog} --help")

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print the help. The inherited one would say nothing of an output that can't be written."""
        print(self.format_help(), end="", file=file)


def parse_arguments(words: Sequence[str]) -> Arguments:
    """Return the arguments. Raises UsageError; ``--help`` and ``--version`` print and raise SystemExit(0)."""
    if words and words[0] in COMMANDS:
        parser = _Parser(prog=f"ctxcode {words[0]}", description=_sentence(COMMANDS[words[0]]))
        _ADD[words[0]](parser)
        given = vars(parser.parse_args(words[1:]))
        return _arguments(words[0], given)
    parser = _Parser(
        prog="ctxcode",
        description="Open the full-screen companion on a repository.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_open(parser)
    given = vars(parser.parse_args(words))
    if given.pop("version"):
        _print_version()
        parser.exit()
    if given.get("query") is not None:
        return _arguments("ask", given)
    given["query"] = ""
    return _arguments("open", given)


def _print_version() -> None:
    """Print the installed version; finding it out costs time that no other command should pay."""
    from importlib.metadata import version

    print(f"ctxcode {version('ctxcode')}")


def _text(typed: str) -> str:
    """Return what was typed as the bytes it came in say, whatever the locale took them for."""
    return typed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _arguments(command: str, given: dict[str, object]) -> Arguments:
    bare = given.pop("bare_path", None)
    if bare is not None and given["repository"] is not None:
        if str(bare) in COMMANDS:
            raise UsageError("The command comes first.", f"Write: ctxcode {bare} --repo {given['repository']}")
        raise UsageError("Two repositories are named.", "Leave out --repo, or the path without it.")
    given["repository"] = bare or given["repository"] or Path()
    if given.get("query") == "-":
        given["query"] = sys.stdin.read()
    given |= {name: _text(str(given[name])) for name in ("query", "other") if name in given}
    if command in ("symbol", "refs", "path") and not (
        str(given["query"]).strip() and str(given.get("other", "x")).strip()
    ):
        raise UsageError("The name is empty.", f"Name a definition or a file: ctxcode {command} Class.method")
    if command in ("ask", "context") and not str(given["query"]).strip():
        raise UsageError("The question is empty.", f'Write it in quotes: ctxcode {command} "where is …?"')
    if "plan_ids" in given:
        given["plan_ids"] = tuple(given["plan_ids"])  # type: ignore[arg-type]  # a list, says nargs
    if "allowed_commands" in given:
        given["allowed_commands"] = tuple(given["allowed_commands"] or ())  # type: ignore[arg-type]
    return Arguments(command=command, **given)  # type: ignore[arg-type] # argparse has checked each value's type


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _positive(text: str) -> int:
    try:
        value = int(text.replace(",", "").replace("_", ""))
    except ValueError:
        value = 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def _command_words(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("an empty command allows nothing")
    return text


def _folder(text: str) -> Path:
    # A variable that is not set is not meant to be the folder one happens to be in.
    if not text:
        raise argparse.ArgumentTypeError("the path of the folder is empty: name one, or leave it out for this one")
    return Path(text)


def _add_repository(parser: argparse.ArgumentParser, *, also_bare: bool) -> None:
    """Add ``--repo PATH``; a command with nothing else to name takes the path without it as well."""
    help_text = "the same as PATH alone" if also_bare else "default: here"
    parser.add_argument("--repo", dest="repository", type=_folder, metavar="PATH", help=help_text)
    if also_bare:
        parser.add_argument("bare_path", nargs="?", type=_folder, metavar="PATH", help="default: here")


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", "-m", help="any litellm model, or 'navigator' for the offline responder")
    parser.add_argument("--api-base", metavar="URL", help="the model's endpoint")


def _add_context(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mode", choices=("off", "light", "heavy"), help="how much is retrieved (default: light)")
    parser.add_argument("--budget", type=_positive, metavar="N", help="most tokens of the active context")


def _add_edits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-edits",
        dest="allows_edits",
        action="store_true",
        help="headless: let the model change files; without it, its edits are refused",
    )


def _add_format(parser: argparse.ArgumentParser, *formats: str) -> None:
    parser.add_argument("--format", choices=("text", *formats), default="text")


def _add_allowed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--max-cost", metavar="DOLLARS", help="most a session may spend")
    parser.add_argument("--max-turns", type=_positive, metavar="N", help="most turns a session may have")
    parser.add_argument(
        "--allow-command",
        dest="allowed_commands",
        action="append",
        type=_command_words,
        metavar="WORDS",
        help='the model may run it, with any plain words after it: "python -m pytest"; needs ctxcode trust',
    )


def _add_open(parser: argparse.ArgumentParser) -> None:
    _add_repository(parser, also_bare=True)
    _add_model(parser)
    _add_context(parser)
    parser.add_argument("--theme", help="a theme's name")
    parser.add_argument("--plain", action="store_true", help="the conversation as plain text, without a screen")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--continue", "-c", dest="is_continued", action="store_true", help="the last session (default)")
    chosen.add_argument("--new", dest="is_new", action="store_true", help="a new session")
    chosen.add_argument("--session", metavar="ID", help="this session")
    _add_allowed(parser)
    parser.add_argument("--prompt", "-p", dest="query", metavar="QUERY", help="one headless turn; see ctxcode ask")
    _add_edits(parser)
    _add_format(parser, "json", "stream-json")
    parser.add_argument("--version", "-v", action="store_true", help="print the version")


def _add_index(parser: argparse.ArgumentParser) -> None:
    _add_repository(parser, also_bare=True)
    _add_format(parser, "json")


def _add_context_command(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="the question; '-' reads it from standard input")
    _add_repository(parser, also_bare=False)
    _add_context(parser)
    _add_format(parser, "markdown", "json")
    parser.add_argument("--explain", action="store_true", help="add every candidate with the terms of its score")
    parser.add_argument("--with-text", action="store_true", help="with --format json: add each item's text")


def _add_ask(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="the question; '-' reads it from standard input")
    _add_repository(parser, also_bare=False)
    _add_model(parser)
    _add_context(parser)
    _add_edits(parser)
    _add_allowed(parser)
    _add_format(parser, "json", "stream-json")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--continue", "-c", dest="is_continued", action="store_true", help="go on with the last session"
    )
    chosen.add_argument("--session", metavar="ID", help="go on with this session")


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="NAME", help="simple, qualified (Class.method) or dotted; a path; path:line")
    _add_look(parser)


def _add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="FROM", help="a name, as for ctxcode symbol")
    parser.add_argument("other", metavar="TO", help="another")
    _add_look(parser)


def _add_look(parser: argparse.ArgumentParser) -> None:
    _add_repository(parser, also_bare=False)
    _add_format(parser, "json")
    parser.add_argument("--limit", type=_positive, default=40, metavar="N", help="most rows of a list (default: 40)")


def _add_map(parser: argparse.ArgumentParser) -> None:
    _add_repository(parser, also_bare=True)
    _add_model(parser)
    _add_context(parser)
    _add_format(parser, "json")


def _add_plan(parser: argparse.ArgumentParser) -> None:
    actions = ("list", "show", "diff", "replay", "export")
    parser.add_argument("plan_action", choices=actions, metavar="|".join(actions))
    parser.add_argument(
        "plan_ids", nargs="*", metavar="ID", help="a plan's id or its beginning; none means the newest (diff: two)"
    )
    _add_repository(parser, also_bare=False)
    _add_format(parser, "markdown", "json")
    parser.add_argument("--limit", type=_positive, default=20, metavar="N", help="most rows of a list (default: 20)")
    parser.add_argument("--send", dest="sends", action="store_true", help="replay: send the payload to the model again")
    parser.add_argument("--output", "-o", type=Path, metavar="PATH", help="export: write a file, or one in a folder")
    _add_model(parser)


def _add_trust(parser: argparse.ArgumentParser) -> None:
    _add_repository(parser, also_bare=True)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--show", dest="is_shown_only", action="store_true", help="change nothing")
    chosen.add_argument(
        "--revoke", dest="is_revoked", action="store_true", help="forget the trust and every command allowed here"
    )
    _add_format(parser, "json")


def _add_sessions(parser: argparse.ArgumentParser) -> None:
    _add_repository(parser, also_bare=True)
    _add_format(parser, "json")
    parser.add_argument("--limit", type=_positive, default=20, metavar="N", help="most rows (default: 20)")


def _add_stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", metavar="ID", help="a session's id or its beginning (default: all)")
    _add_repository(parser, also_bare=False)
    _add_format(parser, "json")


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", metavar="ID", help="a session's id or its beginning (default: the last)")
    _add_repository(parser, also_bare=False)
    parser.add_argument("--format", choices=("markdown", "json", "html"), default="", help="default: by PATH")
    parser.add_argument("--output", "-o", type=Path, metavar="PATH", help="write a file, or one in a folder")


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    _add_repository(parser, also_bare=True)
    _add_model(parser)
    _add_format(parser, "json")


_ADD = {
    "index": _add_index,
    "context": _add_context_command,
    "ask": _add_ask,
    "symbol": _add_name,
    "refs": _add_name,
    "path": _add_path,
    "map": _add_map,
    "plan": _add_plan,
    "trust": _add_trust,
    "sessions": _add_sessions,
    "stats": _add_stats,
    "export": _add_export,
    "doctor": _add_doctor,
}
