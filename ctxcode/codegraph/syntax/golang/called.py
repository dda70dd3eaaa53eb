"""What calls of Go give, as far as what they call says it."""

import re

from ctxcode.codegraph.extract.expressions import call_of

_POINTED = re.compile(r"\(\*([^\W\d]\w*(?:\.\w+)?)\)")
_INSTANCE = re.compile(r"([^\W\d]\w*(?:\.\w+)?)\[.*\]", re.DOTALL)
"""A function with its type arguments, or an index behind which nothing with methods is called."""


def given_by(callee: str) -> str:
    """Return the expression for a call of what is written: of ``f[T]`` that of ``f``, of ``(*T)`` the type."""
    pointed = _POINTED.fullmatch(callee)
    if pointed is not None:
        return pointed[1]
    return call_of(_INSTANCE.sub(r"\1", callee) if callee[-1:] == "]" else callee)
