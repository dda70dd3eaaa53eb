"""The order of ancestors is Python's own."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.resolve.objects.ancestry import merged

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
