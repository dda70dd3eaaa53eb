"""What a new session starts with, and what of it holds in an old one."""

from collections.abc import Iterator
from dataclasses import dataclass

from ctxcode.action.limits import Limits
from ctxcode.action.loop_guard import LoopProfile
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.event import BudgetChanged, ModeChanged, ModelChanged
from ctxcode.model.plan import ContextMode
from ctxcode.session.state import SessionState


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a new session starts with."""

    mode: ContextMode
    model: str
    budget_tokens: int
    api_base: str = ""
    """The address the user gave for models; empty for none."""
    output_reserve_tokens: int | None = None
    loops: tuple[tuple[str, LoopProfile], ...] = ()
    """Thresholds of the loop guard by model name pattern; the first that fits counts."""
    edits: EditPolicy = EditPolicy.ASK
    """Who decides on proposed edits."""
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    """The user's caps on a session."""
    is_attended: bool = False
    """Somebody is there to answer questions."""
    chosen: frozenset[str] = frozenset()
    """Which of ``mode``, ``model`` and ``budget_tokens`` the user just asked for: these hold in an old session too."""


def asked_for(state: SessionState, wanted: Defaults) -> Iterator[ModelChanged | ModeChanged | BudgetChanged]:
    """Yield what the user asks for now and an old session has otherwise.

    A model keeps the address it had in the session unless another is given; another model has only what is given.
    """
    if "model" in wanted.chosen and wanted.model != state.model:
        yield ModelChanged(wanted.model, wanted.api_base)
    elif wanted.api_base and wanted.api_base != state.api_base:
        yield ModelChanged(state.model, wanted.api_base)
    if "mode" in wanted.chosen and wanted.mode is not state.mode:
        yield ModeChanged(wanted.mode)
    if "budget_tokens" in wanted.chosen and wanted.budget_tokens != state.budget_tokens:
        yield BudgetChanged(wanted.budget_tokens)
