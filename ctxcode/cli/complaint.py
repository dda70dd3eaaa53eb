"""How the command line says that something is wrong."""

import sys

from ctxcode.tui.clean import clean


def complain(message: str, hint: str = "") -> None:
    """Print one sentence and one action to standard error."""
    print(f"ctxcode: {clean(message)}", file=sys.stderr)
    if hint:
        print(f"  {clean(hint)}", file=sys.stderr)
