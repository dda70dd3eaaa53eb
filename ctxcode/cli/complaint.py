"""How the command line says that something is wrong."""

import argparse
import sys
from collections.abc import Sequence

from ctxcode.cli.interruption import INTERRUPTED_EXIT_CODE
from ctxcode.model.errors import CtxcodeError
from ctxcode.tui.clean import clean
from ctxcode.tui.terminal.complaint import sentence


def answer_with_failure(words: Sequence[str], error: CtxcodeError) -> None:
    """Print a failure as JSON where the words of the command line ask for JSON: what reads it gets an object each time.

    The words may be those that are wrong, so that only this one option of theirs is looked at.
    """
    chosen = _format(words)
    if chosen not in ("json", "stream-json"):
        return
    import json

    failure = {"error": sentence(error)}
    print(json.dumps({"type": "failed", **failure} if chosen == "stream-json" else failure), flush=True)


def _format(words: Sequence[str]) -> str:
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--format", default="")
    try:
        return str(parser.parse_known_args(list(words))[0].format)
    except argparse.ArgumentError:
        return ""


def interrupted() -> int:
    """Say that the user ended it and return the exit code of that."""
    complain("Interrupted.")
    return INTERRUPTED_EXIT_CODE


def complain(message: str, hint: str = "") -> None:
    """Print one sentence and one action to standard error."""
    print(f"ctxcode: {clean(message)}", file=sys.stderr)
    if hint:
        print(f"  {clean(hint)}", file=sys.stderr)
