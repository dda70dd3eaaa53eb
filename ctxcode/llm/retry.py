"""When to give up on a call, and how long to wait before trying again. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcode.model.chat import DelayReason

if TYPE_CHECKING:
    from ctxcode.llm.model_failure import Failure


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a call may take, in seconds."""

    connect_seconds: float = 10.0
    first_token_seconds: float = 60.0
    """From sending the request to the first text."""
    idle_seconds: float = 60.0
    """Between two pieces of the reply."""
    total_seconds: float = 900.0


PATIENT = Deadlines(first_token_seconds=300.0, idle_seconds=300.0)
"""For models that think in silence, and for local servers, which load the model before they answer."""


EMBEDDING = Deadlines(connect_seconds=5.0, total_seconds=20.0)
"""For vectors: a question waits for them, and does without."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to try and how long to pause between attempts; never used once text has arrived."""

    attempts: int = 3
    first_pause_seconds: float = 0.5
    refused_pause_seconds: float = 0.1
    """Before the one quick retry when a local server refuses the connection."""
    longest_pause_seconds: float = 60.0
    """A server that asks for more is not waited for."""

    def most_attempts(self, failure: "Failure", *, is_local: bool) -> int:
        """Return how often a request is sent that fails so: a local server that is not there gets one quick retry."""
        return min(self.attempts, 2) if failure.transient is DelayReason.NOTHING_ANSWERS and is_local else self.attempts

    def pause(self, failure: "Failure", attempt: int, chance: float, *, is_local: bool) -> float | None:
        """Return the seconds to wait before the next attempt; None to give up.

        ``attempt`` counts from 0; ``chance`` in [0, 1) spreads pauses over half to one and a half of their length.
        """
        if failure.transient is None or attempt + 1 >= self.most_attempts(failure, is_local=is_local):
            return None
        if failure.transient is DelayReason.NOTHING_ANSWERS and is_local:
            return self.refused_pause_seconds
        if failure.retry_after_seconds is not None:
            asked = failure.retry_after_seconds
            return asked if asked <= self.longest_pause_seconds else None
        return min(self.first_pause_seconds * float(2**attempt) * (0.5 + chance), self.longest_pause_seconds)
