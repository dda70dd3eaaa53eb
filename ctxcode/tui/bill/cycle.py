"""Choices that one key goes through."""

from enum import StrEnum
from typing import Self


class Cycle(StrEnum):
    """Choices in the order the key takes."""

    @property
    def following(self) -> Self:
        """The one the key goes to next."""
        every = list(type(self))
        return every[(every.index(self) + 1) % len(every)]
