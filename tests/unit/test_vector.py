"""Vectors of whole numbers."""

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.engine.vector import similarity, vector_of

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=8, max_size=8)


def test_a_direction_is_kept_whatever_its_length() -> None:
    assert vector_of([0.5, -0.25, 0.0]) == vector_of([50.0, -25.0, 0.0])
    assert [127, -64, 0] == memoryview(vector_of([2.0, -1.0, 0.0])).cast("b").tolist()


def test_what_has_no_direction_is_like_nothing() -> None:
    nothing = [vector_of([]), vector_of([0.0, 0.0]), vector_of([1.0, float("nan")]), vector_of([float("inf"), 1.0])]
    assert [b""] * 4 == nothing
    assert 0.0 == similarity(b"", vector_of([1.0, 1.0]))


def test_vectors_of_different_models_are_not_compared() -> None:
    assert 0.0 == similarity(vector_of([1.0, 1.0]), vector_of([1.0, 1.0, 1.0]))


@given(NUMBERS, NUMBERS)
def test_similarity_is_the_same_from_both_sides_and_never_beyond_one(ones: list[float], others: list[float]) -> None:
    first, second = vector_of(ones), vector_of(others)
    assert similarity(first, second) == similarity(second, first)
    assert -1.0 <= similarity(first, second) <= 1.0
    assert similarity(first, first) in (0.0, 1.0)
