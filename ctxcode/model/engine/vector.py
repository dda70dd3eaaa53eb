"""Meanings as vectors of small whole numbers: what is computed from them is the same on every machine."""

from collections.abc import Iterable, Sequence
from math import sqrt
from operator import mul

Vector = bytes
"""Signed bytes; empty for a text that says nothing."""

_LARGEST = 127
_DIGITS = 4
"""Similarities are told to four decimals: they end in ids."""


def vector_of(values: Sequence[float]) -> Vector:
    """Return a direction as a vector; empty when it has none, or holds what is no number."""
    largest = max(map(abs, values), default=0.0)
    if not 0.0 < largest < float("inf") or any(value != value for value in values):  # noqa: PLR0124 - NaN
        return b""
    return bytes(round(value / largest * _LARGEST) & 0xFF for value in values)


def middle(vectors: Sequence[Vector]) -> Vector:
    """Return the direction that vectors have in common, each counting the same; empty for none."""
    told = [memoryview(vector).cast("b") for vector in vectors if vector]
    lengths = [sqrt(sum(map(mul, one, one))) for one in told if len(one) == len(told[0])]
    same = [one for one in told if len(one) == len(told[0])]
    return vector_of(
        [sum(value / length for value, length in zip(row, lengths, strict=True)) for row in zip(*same, strict=True)]
    )


def similarity(first: Vector, second: Vector) -> float:
    """Return the cosine of two vectors, -1 to 1; 0 when one is empty or they are of different models."""
    return similarities(first, [second])[0]


def similarities(asked: Vector, vectors: Iterable[Vector]) -> list[float]:
    """Return the cosine of one vector with each of some others."""
    ones = memoryview(asked).cast("b").tolist()
    length = sum(map(mul, ones, ones))
    return [_cosine(ones, length, vector) for vector in vectors]


def _cosine(ones: list[int], length: int, vector: Vector) -> float:
    if not ones or len(ones) != len(vector):
        return 0.0
    others = memoryview(vector).cast("b").tolist()
    lengths = length * sum(map(mul, others, others))
    return round(sum(map(mul, ones, others)) / sqrt(lengths), _DIGITS) if lengths else 0.0
