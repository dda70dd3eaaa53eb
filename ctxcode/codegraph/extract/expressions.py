"""Expressions cut down to what can be followed: names, dots and calls."""

import re

_DEEPEST = 20
_ARGUMENTS = re.compile(r"\([^()]*\)")
_LONGEST_CALLEE = 150
_DOTTED = re.compile(r"\w+(?:\.\w+)*")
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


def call_of(callee: str) -> str:
    """Return the expression for a call of what is written; empty when that is more than names and calls."""
    if len(callee) > _LONGEST_CALLEE:
        return ""
    text = callee if _DOTTED.fullmatch(callee) else plain_expression("".join(callee.split()).replace("?.", "."))
    return f"{text}()" if text else ""
