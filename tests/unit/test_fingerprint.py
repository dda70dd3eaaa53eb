from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.model.engine.item import LineRange, file_of, line_range, path_of, symbol_of, turn_item, turn_number
from ctxcode.model.ids import ItemId, SymbolId, file_item, symbol_item
from ctxcode.reflection.fingerprint import best_place, fingerprint, likeness

EXAMPLES = settings(max_examples=300, deadline=None)
code = st.lists(st.sampled_from(["a = 1", "b = 2", "", "return c", "  if d:", "    e()", "f(g)", "}"]), max_size=40)


@EXAMPLES
@given(code, code)
def test_likeness_is_symmetric_and_bounded(first: list[str], second: list[str]) -> None:
    one, other = fingerprint(first), fingerprint(second)
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1
    assert not one or likeness(one, one) == 1


@EXAMPLES
@given(code)
def test_white_space_does_not_matter(lines: list[str]) -> None:
    assert fingerprint(lines) == fingerprint([f"\t{line.replace(' ', '  ')} " for line in lines])


@EXAMPLES
@given(code, code, code)
def test_lines_that_moved_are_found_whole(above: list[str], wanted: list[str], below: list[str]) -> None:
    marked = ["start of it", *wanted, "end of it"]
    start, end, score = best_place(fingerprint(marked), [*above, *marked, *below])
    assert (len(above) + 1, len(above) + len(marked), 1.0) == (start, end, score)


@EXAMPLES
@given(code, code)
def test_the_place_that_is_found_is_as_alike_as_it_says(wanted: list[str], lines: list[str]) -> None:
    looked_for = fingerprint(wanted)
    start, end, score = best_place(looked_for, lines)
    assert score == likeness(looked_for, fingerprint(lines[start - 1 : end])) if score else (start, end) == (0, 0)


@EXAMPLES
@given(st.text(min_size=1), st.integers(1, 10**6), st.integers(0, 100))
def test_a_line_range_and_its_id_are_one(path: str, start: int, more: int) -> None:
    made = LineRange(path, start, start + more)
    assert (made, path) == (line_range(made.item), path_of(made.item))
    assert turn_number(made.item) is None


def test_an_id_tells_what_it_stands_for() -> None:
    assert ("a.py", "a.py") == (file_of(file_item("a.py")), path_of(file_item("a.py")))
    assert "a.py::f" == symbol_of(symbol_item(SymbolId("a.py::f")))
    assert (7, "") == (turn_number(turn_item(7)), path_of(turn_item(7)))
    assert (None, None) == (turn_number(ItemId("turn:x")), line_range(ItemId("lines:x")))
