"""Runs one command of this process: parses, dispatches, turns errors into one line and an exit code."""

import codecs
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ctxcode.cli.arguments import Arguments, parse_arguments
from ctxcode.cli.complaint import answer_with_failure, complain, interrupted
from ctxcode.model.errors import CtxcodeError, GoneFolderError, UnwritableError

Command = Callable[[Arguments, Mapping[str, str]], int]
_READING = frozenset({"context", "symbol", "refs", "path", "map", "sessions", "stats", "plan", "export"})
"""What they print comes after all that they store, so that they can begin again."""
_STAND_INS = {
    **dict(zip("·•↑↓“”‘’–—×≈▰▱─━│├└▏▌✘", "-*^v\"\"''--x~#.--||`||x", strict=True)),
    "…": "...",
    "⋯": "...",
    "→": "->",
    "←": "<-",
    "≥": ">=",
    "≤": "<=",
    "✔": "ok",
}
"""What is printed for our own signs where the output's encoding has none for them."""


def main() -> None:
    """Run the command line of this process and exit."""
    # Starting makes much that lives and no garbage. What goes on for longer than a question collects again once it is
    # loaded: ``opened`` and the app after its first picture.
    gc.disable()
    code = run(sys.argv[1:], dict(os.environ))
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    # All that has to last is written. Taking the interpreter down in order would cost a large index 0.1 to 0.2 s, and a
    # process that has talked to a model over a second: litellm waits for its own threads.
    os._exit(code)


def run(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong usage."""
    try:
        _prepare_streams()
        arguments = _arguments(words)
        code = 0 if arguments is None else _run(arguments, environment)
        sys.stdout.flush()
    except CtxcodeError as error:
        complain(str(error), error.hint)
        _tell_as_json(words, error)
        return error.exit_code
    except KeyboardInterrupt:
        code = interrupted()
        _tell_as_json(words, CtxcodeError("Interrupted."))
    except OSError as error:
        return _failed(words, error)
    return code


def _run(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Run a command; one that only reads goes on without storing anything where nothing can be written."""
    command = _command(arguments.command)
    try:
        return command(arguments, environment)
    except UnwritableError as error:
        if arguments.command not in _READING:
            raise
        complain(f"{error}. Nothing is stored.")
        return command(replace(arguments, is_kept=False), environment)


def _tell_as_json(words: Sequence[str], error: CtxcodeError) -> None:
    """Let whoever reads the output know of a failure, too."""
    try:
        answer_with_failure(words, error)
    except OSError:
        # It was said on standard error.
        _forget_output()


def _failed(words: Sequence[str], error: OSError) -> int:
    """Return the exit code of a failure that nothing below has translated, once it is said."""
    if isinstance(error, BrokenPipeError):
        # The reader went away (`| head`): nothing is wrong.
        _forget_output()
        return 0
    failure = _file_error(error)
    complain(str(failure), failure.hint)
    if _is_of_a_file(error):
        _tell_as_json(words, failure)
    else:
        _forget_output()
    return failure.exit_code


def _arguments(words: Sequence[str]) -> Arguments | None:
    """Return the arguments; None when all that was asked for is printed: help or the version."""
    try:
        return parse_arguments(words)
    except SystemExit:
        return None


def _is_of_a_file(error: OSError) -> bool:
    """Return whether a failure is one of reading or writing a file; others come from printing."""
    return error.filename is not None or isinstance(error, FileNotFoundError)


def _file_error(error: OSError) -> CtxcodeError:
    """Return what to say of a failure that nothing below has translated."""
    hint = "`ctxcode doctor` says what works here."
    if error.filename is not None:
        return CtxcodeError(f"{str(error.filename)!r} can't be used: {error.strerror}.", hint)
    if isinstance(error, FileNotFoundError):
        # Asking for the folder one is in is all that names no file.
        return GoneFolderError(os.environ.get("PWD") or os.curdir)
    return CtxcodeError(f"The output can't be written: {error.strerror or error}.", hint)


def _prepare_streams() -> None:
    """Make printing safe: a stream that was closed swallows, and what its encoding can't show is put in ASCII."""
    codecs.register_error("ctxcode", _in_ascii)
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the process
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the process
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="ctxcode")


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return what stands in for letters that can't be encoded, and where to go on: a sign like ours, else escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    plain = (_STAND_INS.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in letters)
    return "".join(plain), error.end


def _forget_output() -> None:
    """Drop what could not be written: Python would try, and complain, again when it flushes at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(name: str) -> Command:
    """Return the function of a command; each one's module is imported only when it runs."""
    if name == "open":
        from ctxcode.cli.screen.app import open_app

        return open_app
    if name == "ask":
        from ctxcode.cli.converse import ask

        return ask
    if name == "plan":
        from ctxcode.cli.plan.command import plan

        return plan
    if name in ("context", "map", "symbol", "refs", "path"):
        from ctxcode.cli.answer.command import answer

        return answer
    if name == "export":
        from ctxcode.cli.export.command import export

        return export
    if name == "trust":
        from ctxcode.cli.trust.command import trust

        return trust
    if name == "index":
        from ctxcode.cli.index.command import index

        return index
    from ctxcode.cli import inspect

    return {"sessions": inspect.sessions, "stats": inspect.stats, "doctor": inspect.doctor}[name]
