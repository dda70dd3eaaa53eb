"""The outcome of one thing ``ctxcode doctor`` looks at, and one setting as it is."""

from dataclasses import dataclass
from enum import StrEnum


class CheckStatus(StrEnum):
    """How a check went."""

    OK = "ok"
    NOTE = "note"
    """Works, with something to know."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report."""

    name: str
    status: CheckStatus
    detail: str
    action: str = ""
    """What to do about it; empty when nothing is needed."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting as it is."""

    name: str
    value: str
    origin: str
    """Where it was set: the command line, a variable, a file; empty for the default."""
