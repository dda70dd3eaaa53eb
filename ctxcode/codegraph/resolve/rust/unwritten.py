"""What types of Rust have that nobody writes: what is derived, and what leaves a type what it is."""

from collections.abc import Callable

from ctxcode.codegraph.resolve.objects.value import Value, of_enum
from ctxcode.codegraph.resolve.objects.wrappers import GUARD, KEEPING, is_iterating, is_opening
from ctxcode.codegraph.resolve.tables import Tables

_DERIVED = {"default()": "", "parse()": "", "parse_from()": "", "try_parse()": "?", "try_parse_from()": "?"}
"""What makes an object of a type, with what is around it: of ``Default``, and of clap's ``Parser``."""
_MADE_KINDS = frozenset({"struct", "enum"})


def unwritten(value: Value, kind: str, part: str, element: Callable[[], Value | None]) -> Value | None:
    """Return what a call gives that is said to a type, or to an object of one, which has no such method written.

    ``element`` returns what a type says that it gives as an iterator.
    """
    if not value.is_object:
        wraps = _DERIVED.get(part) if kind in _MADE_KINDS else None
        return Value(value.node, is_object=True, wraps=wraps) if wraps is not None else None
    if is_iterating(part):
        inner = element()
        return inner._replace(wraps=f"?{inner.wraps}") if inner is not None and inner.node >= 0 else inner
    # A pointer's, a wrapper's that was opened, or one that everything has.
    return Value(value.node, is_object=True) if part.removesuffix("()") in KEEPING else None


def meant_before(tables: Tables, value: Value, part: str) -> Value:
    """Return what a part of an expression is said to: what a lock guards, the object that a variant is."""
    if value.wraps == GUARD and not is_opening(part):
        return value._replace(wraps="")
    # What is no call is a part of the variant in a pattern.
    return of_enum(tables, value) if part[-1:] == ")" else value
