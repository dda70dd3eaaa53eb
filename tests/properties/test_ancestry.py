"""The order of ancestors is Python's own."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.resolve.objects.ancestry import MOST_ANCESTORS, merged, nearest_first

Bases = list[list[int]]


@st.composite
def hierarchies(draw: st.DrawFn) -> Bases:
    """Return each class's bases, by number; a class inherits from earlier ones."""
    bases: Bases = [[]]
    for number in range(1, draw(st.integers(1, 9))):
        bases.append(draw(st.lists(st.integers(0, number - 1), max_size=3, unique=True)))
    return bases


def orders(bases: Bases) -> list[list[int]]:
    found: list[list[int]] = []
    for number, above in enumerate(bases):
        found.append([number, *merged([found[base] for base in above], above)])
    return found


def orders_in_python(bases: Bases) -> list[list[int]] | None:
    """Return the same by making the classes; None where Python refuses an order that contradicts itself."""
    classes: list[type] = []
    try:
        for number, above in enumerate(bases):
            classes.append(type(str(number), tuple(classes[base] for base in above), {}))
    except TypeError:
        return None
    return [[int(link.__name__) for link in made.__mro__ if link is not object] for made in classes]


@given(hierarchies())
def test_the_order_is_the_one_python_gives_its_classes(bases: Bases) -> None:
    expected = orders_in_python(bases)
    assert expected is None or expected == orders(bases)


@given(st.lists(st.lists(st.integers(0, 5), unique=True), max_size=5), st.lists(st.integers(0, 5), unique=True))
def test_every_ancestor_stands_in_it_once_whatever_the_rows_say(
    rows: Sequence[Sequence[int]], above: list[int]
) -> None:
    found = merged(rows, above)
    assert sorted({*above, *(node for row in rows for node in row)}) == sorted(found)


@given(st.lists(st.lists(st.integers(0, 8), max_size=3, unique=True), min_size=9, max_size=9))
def test_only_who_inherits_from_itself_is_no_heir_of_orders(bases: Bases) -> None:
    for owner in range(9):
        above: set[int] = set()
        pending = list(bases[owner])
        while pending:
            base = pending.pop()
            if base not in above:
                above.add(base)
                pending += bases[base]
        found = nearest_first(owner, bases.__getitem__)
        assert sorted(found) == (sorted(above) if owner in above else [])
        assert not found or found[: 1 + len({*bases[owner]} - {owner})] == [
            owner,
            *(base for base in bases[owner] if base != owner),
        ]


@given(st.integers(1, 400))
def test_no_order_is_endless(count: int) -> None:
    found = nearest_first(0, lambda node: [node + 1] if node < count else [])
    assert found == ([] if count < 60 else list(range(min(count + 1, MOST_ANCESTORS))))
