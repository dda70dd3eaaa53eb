"""The outcome of one thing ``ctxcode doctor`` looks at."""

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
