"""What calls of Go give, as far as what they call says it."""

import re

from ctxcode.codegraph.extract.expressions import call_of

_POINTED = re.compile(r"\(\*([^\W\d]\w*(?:\.\w+)?)\)")
_INSTANCE = re.compile(r"([^\W\d]\w*(?:\.\w+)?)\[(?:[^\[\]]|\[[^\[\]]*\])*\]")
"""A function with its type arguments, or an index behind which nothing with methods is called."""


def given_by(callee: str) -> str:
    """Return the expression for a call of what is written: of ``f[T]`` that of ``f``, of ``(*T)`` the type."""
    pointed = _POINTED.fullmatch(callee)
    if pointed is not None:
        return pointed[1]
    instance = _INSTANCE.fullmatch(callee)
    return call_of(instance[1] if instance is not None else callee)
