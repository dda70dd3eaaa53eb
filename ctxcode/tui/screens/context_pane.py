"""What the context overlay does: which plan it shows, and what its keys change."""

import asyncio
from collections.abc import Callable
from pathlib import PurePosixPath

from ctxcode.model.conversation import ModelInfo
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import Pin, PinKind
from ctxcode.model.plan import ContextMode, ContextPlan
from ctxcode.session.door import Door
from ctxcode.tui.format import bare, pin_words, turn_cost, used_tokens
from ctxcode.tui.rows import Part, Row, RowKind, is_dropped
from ctxcode.tui.state import ScreenState
from ctxcode.tui.widgets.drawer import Drawer, PlanView

LEASE_TURNS = 5
_LANGUAGES = {
    "cjs": "javascript", "go": "go", "java": "java", "js": "javascript", "jsx": "javascript", "mjs": "javascript",
    "py": "python", "pyi": "python", "rs": "rust", "ts": "typescript", "tsx": "typescript",
}  # fmt: skip
_NEXT = "next request"


def plan_cost(plan: ContextPlan, model: ModelInfo) -> float | None:
    """Return what a plan's prompt costs in dollars; None when the price is not known."""
    price = model.input_cost_per_token
    return None if price is None else plan.tokens * price


def language_of(path: str) -> str:
    """Return the name of the language to colour a file's text with; empty when it is not known."""
    return _LANGUAGES.get(PurePosixPath(path).suffix.removeprefix("."), "")


class ContextPane:
    """Shows stored plans and the next one in a drawer, and carries out the drawer's keys."""

    def __init__(self, door: Door, drawer: Drawer, state: Callable[[], ScreenState], prompt: Callable[[], str]) -> None:
        self._door = door
        self._drawer = drawer
        self._state = state
        self._prompt = prompt
        self._at: int | None = None
        """Which of the stored plans is shown; None for the next request."""
        self._asked: tuple[str, ContextMode | None] | None = None
        """The message of ``/preview``, while its plan is shown."""
        # Fast keys must not overtake one another: each action ends in a new preview.
        self._lock = asyncio.Lock()

    @property
    def shows_next(self) -> bool:
        """The overlay follows what is being typed."""
        return self._at is None

    async def open(self) -> None:
        """Show the plan of the last request, or the next one while something is being typed."""
        self._asked = None
        plan_ids = await self._door.plan_ids()
        if plan_ids and not self._prompt().strip():
            await self._show_stored(plan_ids, len(plan_ids) - 1)
        else:
            await self.show_next()

    async def show_next(self, keep: str | None = None) -> None:
        """Show the plan for the prompt being typed, else for the last one, as it would be now."""
        if self._asked is not None:
            self._show_plan(await self._door.preview(*self._asked), "preview", keep)
            return
        last = self._state().last_turn
        plan = await self._door.preview(self._prompt().strip() or (last.prompt if last else ""))
        self._show_plan(plan, _NEXT, keep)

    async def show_for(self, prompt: str, mode: ContextMode | None) -> None:
        """Show the plan a message would get, as another mode would make it if one is given. Raises UsageError."""
        if not prompt:
            raise UsageError("Preview what?", "/preview TEXT shows what sending it would send.")
        self._asked = (prompt, mode)
        await self.show_next()

    def show_preview(self, plan: ContextPlan) -> None:
        """Show the plan for what is being typed."""
        self._asked = None
        self._show_plan(plan, _NEXT, None)

    def _show_plan(self, plan: ContextPlan, label: str, keep: str | None) -> None:
        self._at = None
        self._drawer.show(self._view(plan, label, None, plan_cost(plan, self._door.model)), keep)

    def refresh(self) -> None:
        """Show the same plan with the pins as they are now."""
        view = self._drawer.view
        if view is not None:
            self._drawer.show(self._view(view.plan, view.label, view.used_actual, view.cost))

    async def step(self, step: int) -> None:
        """Show the plan before or after; after the newest comes the next request."""
        self._asked = None
        plan_ids = await self._door.plan_ids()
        at = (len(plan_ids) if self._at is None else self._at) + step
        if at >= len(plan_ids):
            await self.show_next()
        elif at >= 0:
            await self._show_stored(plan_ids, at)

    async def act(self, action: str, row: Row | None) -> str:
        """Carry out a key on a row; return what there is to say about it.

        Raises CtxcodeError when the session refuses.
        """
        if action in {"earlier", "later"}:
            await self.step(-1 if action == "earlier" else 1)
            return ""
        if row is None:
            return ""
        if action == "why":
            self._drawer.list.toggle_why(row.key)
            return ""
        if action == "preview":
            await self._preview(row)
            return ""
        async with self._lock:
            return await self._change(action, row)

    async def _change(self, action: str, row: Row) -> str:
        item = row.suggestion.item if row.suggestion else row.item.id if row.item else None
        if item is None:
            return "Select one item to do that; → opens a group."
        if row.part is Part.REQUEST:
            return "That is part of every request."
        said = await (self._drop(row, item) if action == "drop" else self._pin(item, sticky=action == "sticky"))
        await self.show_next(keep=str(item))
        return said

    async def _pin(self, item: ItemId, *, sticky: bool) -> str:
        pin = next((pin for pin in self._door.pins() if pin.item == item), None)
        name = bare(item)
        if pin is not None and (not sticky or pin.kind is PinKind.STICKY):
            await self._door.unpin(item)
            return f"{name} is no longer pinned"
        kind, turns = (PinKind.STICKY, None) if sticky else (PinKind.LEASED, LEASE_TURNS)
        event = await self._door.pin(item, kind, turns)
        return f"{name}: {pin_words(Pin(event.item, event.pin, event.turns_left, event.by))}"

    async def _drop(self, row: Row, item: ItemId) -> str:
        if row.item is not None and is_dropped(row.item):
            await self._door.restore(item)
            return f"{bare(item)} may be included again"
        await self._door.drop(item)
        return f"{bare(item)} is kept out; d lets it in again"

    async def _preview(self, row: Row) -> None:
        if row.kind is not RowKind.ITEM or row.item is None or self._drawer.list.toggle_text(row.key):
            return
        text = await self._door.item_text(row.item)
        self._drawer.list.set_text(row.key, text or "(no text)", language_of(row.item.path))

    async def _show_stored(self, plan_ids: tuple[str, ...], at: int) -> None:
        plan = await self._door.plan(plan_ids[at])
        if plan is None:
            await self.show_next()
            return
        self._at = at
        turn = next((turn for turn in self._state().turns if turn.plan and turn.plan.plan_id == plan.id), None)
        if turn is None:
            self._drawer.show(self._view(plan, f"plan {at + 1} of {len(plan_ids)}", None, None))
            return
        used, is_actual = used_tokens(turn)
        self._drawer.show(self._view(plan, f"turn {turn.number}", used if is_actual else None, turn_cost(turn)))

    def _view(self, plan: ContextPlan, label: str, used_actual: int | None, cost: float | None) -> PlanView:
        return PlanView(plan, label, self._door.pins(), self._door.suggested_pins(), used_actual, cost)
