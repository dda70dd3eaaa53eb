"""Meanings as vectors of small whole numbers: what is computed from them is the same on every machine."""

from collections.abc import Sequence
from enum import StrEnum
from math import sqrt
from operator import mul

Vector = bytes
"""Signed bytes, the largest component 127 or -127; empty for a text that says nothing."""

_LARGEST = 127
_DIGITS = 4
"""Similarities are told to four decimals: they end in ids."""


class SemanticUse(StrEnum):
    """When questions are compared with code by meaning, beside their words."""

    OFF = "off"
    AUTO = "auto"
    """For questions that name no code and say it in other words than the code does."""
    ON = "on"


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
    if not first or len(first) != len(second):
        return 0.0
    ones, others = memoryview(first).cast("b"), memoryview(second).cast("b")
    lengths = sum(map(mul, ones, ones)) * sum(map(mul, others, others))
    return round(sum(map(mul, ones, others)) / sqrt(lengths), _DIGITS) if lengths else 0.0
