"""Expressions cut down to what can be followed: names, dots and calls."""

import re

_DEEPEST = 20
_ARGUMENTS = re.compile(r"\([^()]*\)")
_EXPRESSION = re.compile(r"[^\W\d]\w*(?:\(\))?(?:\.[^\W\d]\w*(?:\(\))?)*")


def plain_expression(written: str) -> str:
    """Return an expression with its calls' arguments taken away; empty for one that is more than names and calls."""
    opening = written.find("(")
    if written[-1:] == ")" and "(" not in written[opening + 1 :] and ")" not in written[opening:-1]:
        # Most have one call, at the end.
        written = f"{written[:opening]}()"
        return written if _EXPRESSION.fullmatch(written) else ""
    for _ in range(_DEEPEST):
        shorter = _ARGUMENTS.sub("\0", written)
        if shorter == written:
            break
        written = shorter
    written = written.replace("\0", "()")
    return written if _EXPRESSION.fullmatch(written) else ""
