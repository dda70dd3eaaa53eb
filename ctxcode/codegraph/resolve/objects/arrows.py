"""What objects of C++ stand for before an arrow, which their classes may define themselves."""

from collections.abc import Callable

from ctxcode.codegraph.extract.expressions import ADDRESS, POINTED_AT, plain_expression
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.counted import meant
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, Value, either
from ctxcode.codegraph.resolve.objects.wrappers import POINTER
from ctxcode.codegraph.resolve.tables import CLASS_KINDS

SIGNS = frozenset({ADDRESS, POINTED_AT})
"""Parts of expressions that are signs of C++."""
_ARROW, _STAR = "operator->", "operator*"
_DEEPEST = 3


def arrow_of(lookup: Lookup, value: Value | None) -> int:
    """Return the ``operator->`` that an object of a class of C++ has; a negative number for none."""
    if value is None or value.node < 0 or value.wraps or not value.is_object:
        return -1
    return lookup.member(value.node, _ARROW) if lookup.tables.kinds[value.node] in CLASS_KINDS else -1


def pointed(
    lookup: Lookup, value: Value, part: str, called: Callable[[Value, Value], Value | None], deep: int = _DEEPEST
) -> Value:
    """Return what ``->`` behind an object leads to, or ``*`` before it: the object itself, if it may be a pointer.

    What is said with the types that a template is given is none. Of ``&`` it is a pointer to the object. What an
    arrow gives that is an object with an arrow is asked in turn.
    """
    if value.node < 0 or part == ADDRESS or value.wraps:
        wraps = value.wraps.removeprefix(POINTER) if part == POINTED_AT else f"{POINTER}{value.wraps}"
        return value._replace(wraps=wraps) if value.node >= 0 and not value.either else value
    arrow = arrow_of(lookup, value) if deep else -1
    if arrow < 0:
        return value
    found = called(meant(lookup, Value(arrow, is_object=False), part) or OUTSIDE, value) or OUTSIDE
    if found.wraps[:1] == POINTER:
        found = found._replace(wraps=found.wraps[1:])
    else:
        found = pointed(lookup, found, POINTED_AT, called, deep - 1)
    return found if value.given else either((found, value)) or OUTSIDE


def starred(lookup: Lookup, value: Value | None, called: Callable[[Value, Value], Value | None]) -> Value | None:
    """Return what an iterator or a pointer leads to, as its ``operator*`` says where it has one.

    None where a base that nobody sees may have it, or what another name stands for.
    """
    if value is not None and value.either:
        each = [starred(lookup, one, called) for one in value.either]
        return either(each) if None not in each else None
    if value is None or value.node < 0 or value.inside:
        return None
    if value.wraps:
        return value._replace(wraps=value.wraps[1:]) if value.wraps[0] == POINTER else None
    star = lookup.member(value.node, _STAR) if lookup.tables.kinds[value.node] in CLASS_KINDS else -1
    if star >= 0:
        return called(meant(lookup, Value(star, is_object=False), _STAR) or OUTSIDE, value)
    return None if lookup.tables.kinds[value.node] == "type" or lookup.is_open(value.node) else value


def is_declared(lookup: Lookup, value: Value) -> bool:
    """Whether what has a type and is called is a function of C++ that is only declared, no object with a call."""
    node, tables = value.node, lookup.tables
    return tables.families[tables.file_of[node]] == "c" and not value.wraps and lookup.member(node, "operator()") < 0


def having(lookup: Lookup, value: Value, name: str) -> Value:
    """Return the one of several things that has a member of a name, or all of them where one is not known."""
    if not value.either or any(one.node < 0 for one in value.either):
        return value
    found = [one for one in value.either if lookup.member(one.node, name) >= 0]
    return found[0] if len(found) == 1 else value


def behind_arrows(lookup: Lookup, receiver: str, of: Callable[[str], Value | None], name: str) -> Value | None:
    """Return what a receiver with arrows in it stands for; None where none of these is more than a dot.

    ``of`` tells what an expression stands for, ``name`` is what is called.
    """
    parts = plain_expression(receiver).split(".")
    for place, part in enumerate(parts):
        if part == POINTED_AT and _is_meant(lookup, of(".".join(parts[:place]))):
            return having(lookup, of(".".join(parts)) or OUTSIDE, name)
    return None


def _is_meant(lookup: Lookup, value: Value | None) -> bool:
    """Whether something else stands behind an arrow than behind a dot."""
    return value is not None and (value.wraps[:1] == POINTER or arrow_of(lookup, value) >= 0)
