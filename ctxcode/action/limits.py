"""The user's caps on a session: what it may spend, how many turns it may have."""

from dataclasses import dataclass

from ctxcode.action.reply import Verdict
from ctxcode.model.conversation import StoppedBy

NOTHING_SENT = "Nothing was sent"


@dataclass(frozen=True, slots=True)
class Limits:
    """The caps; None for none."""

    max_cost: float | None = None
    """US dollars."""
    max_turns: int | None = None


def over_limits(limits: Limits, *, spent: float, prompt_cost: float | None, turns: int) -> Verdict | None:
    """Return why a request is not sent, or None.

    ``spent`` are the session's dollars so far, ``prompt_cost`` those of the request's prompt, None where no price is
    known; what the reply will cost nobody knows. ``turns`` counts the one that is going on.
    """
    if limits.max_turns is not None and turns > limits.max_turns:
        said = f"{NOTHING_SENT}: this session may have {limits.max_turns:,} turn{'s' * (limits.max_turns > 1)}."
        return Verdict(StoppedBy.LIMIT, said, "Start a new session with /new, or raise --max-turns.")
    if limits.max_cost is None:
        return None
    after = spent + (prompt_cost or 0.0)
    if spent < limits.max_cost and after <= limits.max_cost:
        return None
    most = f"{limits.max_cost:,.2f}" if limits.max_cost >= 0.01 else f"{limits.max_cost:g}"
    said = f"{NOTHING_SENT}: ${spent:,.4f} are spent, the prompt would make it ${after:,.4f} of ${most}."
    return Verdict(StoppedBy.LIMIT, said, "Raise --max-cost, start a new session with /new, or use a cheaper model.")
