"""The boundary of a file: a mistake of ours that one file brings to light must not cost the others."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

_ResultT = TypeVar("_ResultT")
_LONGEST_DETAIL = 200


class HaltedError(Exception):
    """Something else is wanted than what was under way."""


class Failure(NamedTuple):
    """What went wrong inside."""

    error: Exception

    @property
    def detail(self) -> str:
        """Return it for people."""
        return f"{type(self.error).__name__}: {self.error}"[:_LONGEST_DETAIL]


def attempted(work: Callable[[], _ResultT], *, passing: tuple[type[Exception], ...] = ()) -> _ResultT | Failure:
    """Return what work gives, or what it raised; ``passing`` are errors that are not about a file."""
    try:
        return work()
    except passing:
        raise
    except Exception as error:  # noqa: BLE001 - the boundary: one file's failure is that file's
        return Failure(error)
