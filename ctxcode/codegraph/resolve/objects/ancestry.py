"""The order in which a class and what it inherits from are asked for a member."""

from collections.abc import Callable, Sequence

MOST_ANCESTORS = 200
_MOST_MERGED = 60
"""Ancestors whose bases' own orders are merged; no code people write has more, and its cost grows with their square."""


def order_of(
    owner: int, bases_of: Callable[[int], Sequence[int]], order_above: Callable[[int], Sequence[int]], *, is_flat: bool
) -> list[int]:
    """Return a class and what it inherits from, in the order in which they are asked.

    ``order_above`` returns a base's own. What ``is_flat`` is asked level by level.
    """
    bases = bases_of(owner)
    flat = nearest_first(owner, bases_of, is_always=is_flat) if bases else []
    if flat:
        return flat
    if len(bases) < 2:
        above = order_above(bases[0]) if bases else []
    else:
        above = merged([order_above(base) for base in bases], bases)
    return [owner, *[link for link in above if link != owner]][:MOST_ANCESTORS]


def merged(orders: Sequence[Sequence[int]], bases: Sequence[int]) -> list[int]:
    """Return the ancestors of a class, given its bases and each one's own order: C3, as in Python.

    Each ancestor stands after all its heirs, and bases keep their order; where that cannot be, the first row decides.
    """
    rows = [list(order) for order in (*orders, bases) if order]
    found: list[int] = []
    while rows:
        fit = next((row[0] for row in rows if not any(row[0] in other[1:] for other in rows)), rows[0][0])
        found.append(fit)
        rows = [rest for row in rows if (rest := [node for node in row if node != fit])]
    return found


def nearest_first(owner: int, bases_of: Callable[[int], Sequence[int]], *, is_always: bool = False) -> list[int]:
    """Return a class and what it inherits from, level by level, for hierarchies with no orders to merge.

    That is of many ancestors, and of classes that inherit from themselves, as only wrong or hostile code does, and the
    parts of one type in Swift: what their bases' orders are would depend on where the circle is entered. Empty for all
    others, if it is not wanted always.
    """
    order, is_circular = {owner: None}, False
    level = [owner]
    while level and len(order) < MOST_ANCESTORS:
        above = [base for node in level for base in bases_of(node)]
        is_circular = is_circular or owner in above
        level = list(dict.fromkeys(base for base in above if base not in order))
        order.update(dict.fromkeys(level))
    return list(order)[:MOST_ANCESTORS] if is_always or is_circular or len(order) > _MOST_MERGED else []
