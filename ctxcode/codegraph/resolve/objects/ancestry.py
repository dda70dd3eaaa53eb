"""The order in which a class and what it inherits from are asked for a member."""

from collections.abc import Sequence


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
