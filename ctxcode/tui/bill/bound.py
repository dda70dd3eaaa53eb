"""What does not fit into a plan, and which limit keeps it out."""

from collections import Counter

from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextPlan, Limit, ReasonType, Section
from ctxcode.tui.clean import clean_line
from ctxcode.tui.number import MODE_NAMES, thousands

_CROWDED_OUT = frozenset({ReasonType.BUDGET, ReasonType.OUTSIDE_WINDOW})


def bound_words(plan: ContextPlan) -> str:
    """Return which limit is full: that which kept most out; empty where nothing was kept out by one."""
    limits = Counter(
        reason.subject for item in plan.excluded for reason in item.reasons if reason.type is ReasonType.BUDGET
    )
    if not limits:
        return ""
    match max(sorted(limits), key=lambda limit: limits[limit]):
        case Limit.MODE:
            return f"{MODE_NAMES[plan.mode]}'s share for code is full"
        case Limit.LEASES:
            return "the share of leases is full"
        case Limit.WINDOW:
            return f"the model's window of {thousands(plan.limits.window_tokens)} is full"
    return "the budget is full"


def sacrifice(plan: ContextPlan) -> str:
    """Return what a plan leaves out, what would be missed first first: pins, turns, then what was retrieved."""
    for section, noun in ((Section.PIN, "pin"), (Section.HISTORY, "turn")):
        lost = [
            item
            for item in plan.excluded
            if item.section is section and any(reason.type in _CROWDED_OUT for reason in item.reasons)
        ]
        if lost:
            names = clean_line(lost[0].title, 60) if len(lost) == 1 else counted(len(lost), noun)
            return f"drops {names}"
    left = f"{thousands(len(plan.excluded))} left out" if plan.excluded else "drops nothing"
    return ", ".join(filter(None, (left, bound_words(plan))))
