"""Two plans side by side, for a front end that knows the session only."""

from ctxcode.context.difference import difference
from ctxcode.model.engine.difference import PlanDifference
from ctxcode.model.plan import ContextPlan


def compared(before: ContextPlan, after: ContextPlan) -> PlanDifference:
    """Return what entered, left or changed from one plan to the other, and why."""
    return difference(before, after)
