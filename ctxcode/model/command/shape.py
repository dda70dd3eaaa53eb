"""What a command says, as far as it can be told without running it."""

from dataclasses import dataclass
from enum import StrEnum

MOST_CHARS = 4_000
"""Longer commands are neither read nor run."""


class Doubt(StrEnum):
    """Why a command is asked about every time."""

    UNREADABLE = "can't be read for certain"
    SEVERAL = "several commands"
    SUBSTITUTION = "runs a command inside another"
    EXPANSION = "the shell fills in names or values"
    REDIRECT = "reads or writes files through the shell"
    ASSIGNMENT = "sets variables"
    CONSTRUCT = "a shell construct"
    HIDDEN = "holds characters that can't be seen"
    LAUNCHER = "starts other programs it is told to"
    BUILT_IN = "a built-in of the shell"
    CHANGEABLE = "a program the repository brings"


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command line and its words."""

    text: str
    words: tuple[str, ...]
    """Of a command without doubts exactly what the program gets; else the words found in it, for judging only."""
    doubts: tuple[Doubt, ...] = ()

    @property
    def is_simple(self) -> bool:
        """One program with plain words: it can be started without a shell."""
        return not self.doubts and bool(self.words)
