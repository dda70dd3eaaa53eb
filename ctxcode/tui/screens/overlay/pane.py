"""What the context overlay does: which plan it shows, and what its keys change."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile

from ctxcode.model.conversation import ModelInfo
from ctxcode.model.engine.event import (
    AnchorChanged,
    BranchSwitched,
    CapsuleEvent,
    RewritingEvent,
    StrategyChosen,
    WindowChanged,
)
from ctxcode.model.errors import StoreError, UsageError
from ctxcode.model.event import (
    BudgetChanged,
    ContextPlanned,
    DetailChosen,
    DurableEvent,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    ModeChanged,
    ModelChanged,
)
from ctxcode.model.ids import ItemId, file_item, symbol_item
from ctxcode.model.pin import Pin, PinKind
from ctxcode.model.plan import ContextMode, ContextPlan
from ctxcode.session.door import Door
from ctxcode.session.plans.compare import compared
from ctxcode.tui.bill.difference import difference_lines
from ctxcode.tui.format import bare, turn_cost, used_tokens
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import thousands
from ctxcode.tui.rows import Part, Row, RowKind, is_dropped
from ctxcode.tui.screens.dialog.picker import Choice
from ctxcode.tui.screens.memory.words import LEASE_TURNS, Life, Lifetime, activation_lines, kept_words, pin_name
from ctxcode.tui.state.view import ScreenState
from ctxcode.tui.widgets.code import language_of
from ctxcode.tui.widgets.drawer import Drawer, PlanView
from ctxcode.tui.widgets.overlay.entry import symbol_entry

_LEASES = (1, 3, 5, 10)
"""In turns; after the longest comes a lease for the task."""
_FOUND = 24
_SIGN_SECONDS = 0.07
_NEXT = "next request"
_CHANGING = (
    ItemPinned
    | ItemUnpinned
    | ItemDropped
    | ItemRestored
    | DetailChosen
    | ModeChanged
    | ModelChanged
    | BudgetChanged
    | StrategyChosen
    | AnchorChanged
    | WindowChanged
    | CapsuleEvent
    | RewritingEvent
    | BranchSwitched
)
"""What the user does to the next request before a word of it is written."""


def plan_cost(plan: ContextPlan, model: ModelInfo) -> float | None:
    """Return what a plan's prompt costs in dollars; None when the price is not known."""
    price = model.input_cost_per_token
    return None if price is None else plan.tokens * price


def is_changed_since(history: Sequence[DurableEvent]) -> bool:
    """Return whether the user has changed what a request holds after the last one was planned."""
    since = takewhile(lambda event: not isinstance(event, ContextPlanned), reversed(history))
    return any(isinstance(event, _CHANGING) and getattr(event, "by", "user") == "user" for event in since)


class ContextPane:
    """Shows stored plans and the next one in a drawer, and carries out the drawer's keys."""

    def __init__(
        self,
        door: Door,
        drawer: Drawer,
        glyphs: Glyphs,
        *,
        state: Callable[[], ScreenState],
        prompt: Callable[[], str],
    ) -> None:
        self._door = door
        self._glyphs = glyphs
        self._drawer = drawer
        self._state = state
        self._prompt = prompt
        self._at: int | None = None
        """Which of the stored plans is shown; None for the next request."""
        self._asked: tuple[str, ContextMode | None] | None = None
        """The message of ``/preview``, while its plan is shown."""
        # Fast keys must not overtake one another: each action ends in a new preview.
        self._lock = asyncio.Lock()
        self._revision = ""
        """The index's, when it was last asked; empty before, and when it couldn't be told."""
        self._newest = 0
        """The number of the newest stored plan that was seen."""

    @property
    def shows_next(self) -> bool:
        """The plan of the next request is shown."""
        return self._at is None

    @property
    def follows(self) -> bool:
        """The newest is shown and goes on to be: nobody looks at an earlier plan."""
        return self._at is None or self._at >= self._newest

    async def open(self) -> None:
        """Show the plan of the last request; the next one while something is being typed, or once it has changed."""
        self._asked = None
        plan_ids = await self._door.plan_ids()
        if plan_ids and not self._prompt().strip() and not is_changed_since(self._door.history()):
            await self._show_stored(plan_ids, len(plan_ids) - 1)
        else:
            await self.show_next()

    async def follow(self) -> None:
        """Show the newest plan, unless an earlier one is being looked at."""
        if self.follows:
            await self.open()

    async def show_next(self, keep: Callable[[], str | None] = lambda: None) -> None:
        """Show the plan for the prompt being typed, else for the last one, as it would be now.

        ``keep`` names the item the selection goes to; it is asked when the plan is there. None leaves it where it is.
        """
        plan, label = await self._next_plan()
        self._show_plan(plan, label, keep())

    async def renew(self) -> None:
        """Show the next request's plan as the index makes it now; a stored plan stays, and is said to be older."""
        async with self._lock:
            await self._ask_revision()
            if self._at is not None:
                self.refresh()
                return
            before = self._at, self._prompt(), self._asked
            plan, label = await self._next_plan()
            # Something else may be shown by now.
            if before == (self._at, self._prompt(), self._asked):
                self._show_plan(plan, label, None)

    async def _ask_revision(self) -> None:
        """Note the index's revision; no plan is older than one that can't be told."""
        try:
            self._revision = (await self._door.stats()).revision
        except StoreError:
            self._revision = ""

    async def _next_plan(self) -> tuple[ContextPlan, str]:
        """Return the plan of ``/preview``, of what is being typed or of the last message, and what it is called."""
        if self._asked is not None:
            return await self._door.preview(*self._asked), "preview"
        last = self._state().last_turn
        return await self._door.preview(self._prompt().strip() or (last.prompt if last else "")), _NEXT

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

    async def step(self, step: int) -> str:
        """Show the plan before or after; after the newest comes the next request. Say so where there is none."""
        self._asked = None
        plan_ids = await self._door.plan_ids()
        at = (len(plan_ids) if self._at is None else self._at) + step
        if at < 0:
            return "That is the first plan of this session." if plan_ids else "There is no earlier plan yet."
        if at < len(plan_ids):
            await self._show_stored(plan_ids, at)
            return ""
        is_there = self._at is None
        await self.show_next()
        return "That is the next request; nothing comes after it." if is_there else ""

    async def difference(self, width: int, other: str | None = None) -> list[str]:
        """Return what changed between the plan that is shown and another, by default the one before.

        As lines of at most ``width`` cells; the older plan comes first. Raises UsageError when there is no other.
        """
        view = self._drawer.view
        plan_ids = await self._door.plan_ids()
        shown = len(plan_ids) if self._at is None else self._at
        at = plan_ids.index(other) if other in plan_ids else shown - 1
        found = await self._door.plan(plan_ids[at]) if at >= 0 else None
        if view is None or found is None:
            raise UsageError("There is no plan before this one.", "It is compared once a second request is planned.")
        older, newer = (found, view.plan) if at < shown else (view.plan, found)
        return difference_lines(compared(older, newer), width, self._glyphs)

    async def others(self) -> tuple[Choice, ...]:
        """Return the stored plans that are not shown, newest first."""
        plan_ids = await self._door.plan_ids()
        turns = {str(turn.plan.plan_id): turn for turn in self._state().turns if turn.plan is not None}
        made: list[Choice] = []
        for at, plan_id in enumerate(plan_ids):
            turn = turns.get(plan_id)
            words = f"turn {turn.number}: {turn.prompt}" if turn is not None else "an earlier request of a turn"
            if at != self._at:
                made.append(Choice(plan_id, words, f"plan {at + 1} {self._glyphs.dot} {plan_id[:4]}"))
        return tuple(reversed(made))

    async def act(self, action: str, row: Row | None) -> str:
        """Carry out a key on a row; return what there is to say about it.

        Raises CtxcodeError when the session refuses.
        """
        if action in {"earlier", "later"}:
            return await self.step(-1 if action == "earlier" else 1)
        if row is None:
            return ""
        if action == "why":
            await self._explain(row)
            return ""
        if action == "preview":
            await self._preview(row)
            return ""
        async with self._lock:
            # Keys come faster than plans: this one is for the row as the key before has left it.
            return await self._change(action, self._drawer.list.row(row.key) or row)

    async def _change(self, action: str, row: Row) -> str:
        item = _item_of(row)
        if item is None:
            return f"Select one item to do that; {self._glyphs.keyboard.short('context.unfold')} opens a group."
        if row.part is Part.REQUEST:
            return "That is part of every request."
        if action in {"accept", "dismiss"} and row.suggestion is None:
            does = "accepts" if action == "accept" else "dismisses"
            return f"That {does} a suggested pin; the list ends with them when there are any."
        match action:
            case "drop":
                said = await self._drop(row, item)
            case "lease":
                said = await self._lease(item)
            case "dismiss":
                await self._door.memory.dismiss(item)
                said = f"{bare(item)} is not suggested again"
            case "more" | "less" | "auto":
                said = await self._detail(action, row)
            case _:
                said = await self._pin(item, sticky=action in {"sticky", "accept"})
        # A new plan is there before one has looked; where it is not, the row's own sign changes first.
        sign = asyncio.get_running_loop().call_later(_SIGN_SECONDS, self.refresh)
        try:
            # From a suggestion one goes on to the next; everything else takes the selection along.
            await self.show_next(lambda: str(item) if row.suggestion is None and self._is_selected(row) else None)
        finally:
            sign.cancel()
        return said

    def _is_selected(self, row: Row) -> bool:
        selected = self._drawer.list.selected
        return selected is not None and selected.key == row.key

    async def _pin(self, item: ItemId, *, sticky: bool) -> str:
        pin = self._pin_of(item)
        if pin is not None and (not sticky or pin.kind is PinKind.STICKY):
            await self._door.unpin(item)
            return f"{pin_name(pin)} is no longer pinned"
        return await self._keep(item, Lifetime(PinKind.STICKY) if sticky else Lifetime(PinKind.LEASED, LEASE_TURNS))

    async def _lease(self, item: ItemId) -> str:
        """Lease for the next longer of a few lengths, then for the task, then the shortest again."""
        pin = self._pin_of(item)
        left = pin.turns_left if pin is not None and pin.kind is PinKind.LEASED else None
        if left is not None and left >= _LEASES[-1]:
            return await self._keep(item, Lifetime(PinKind.LEASED, for_task=True))
        turns = next(length for length in _LEASES if left is None or length > left)
        return await self._keep(item, Lifetime(PinKind.LEASED, turns))

    def _pin_of(self, item: ItemId) -> Pin | None:
        return next((pin for pin in self._door.pins() if pin.item == item), None)

    async def _keep(self, item: ItemId, lifetime: Lifetime) -> str:
        pin = self._pin_of(item)
        event = await self._door.memory.keep(
            item,
            lifetime.kind,
            lifetime.turns,
            for_task=lifetime.for_task,
            is_read_only=pin is not None and pin.is_read_only,
        )
        return kept_words(event)

    async def _detail(self, action: str, row: Row) -> str:
        """Show more or less of an item; say what that costs."""
        item = row.item
        levels = await self._door.levels(item.id) if item is not None else ()
        if item is None or len(levels) < 2:
            return "There is only one way to show that."
        if action == "auto":
            await self._door.set_detail(item.id, None)
            return f"{bare(item.id)}: how much is shown is left to the planner"
        known = [detail.richness for detail, _ in levels]
        at = max((number for number, rank in enumerate(known) if rank <= item.detail.richness), default=0)
        # What is left out is first let in, at the level it was considered at.
        target = at + (1 if action == "more" else -1) if item.included else at
        if not 0 <= target < len(levels):
            return f"{item.detail.value} is the {'fullest' if action == 'more' else 'shortest'} there is of it"
        detail, tokens = levels[target]
        await self._door.set_detail(item.id, detail)
        delta = tokens - (item.tokens if item.included else 0)
        return f"{bare(item.id)}: {item.detail.value} {self._glyphs.arrow} {detail.value}, {delta:+,} tok; 0 undoes it"

    async def _explain(self, row: Row) -> None:
        item = _item_of(row)
        if item is None:
            return
        more: tuple[str, ...] = ()
        if not self._drawer.list.explains(row.key):
            levels = await self._door.levels(item)
            costs = f" {self._glyphs.dot} ".join(f"{detail.value} {thousands(tokens)}" for detail, tokens in levels)
            said = (row.suggestion.evidence,) if row.suggestion is not None else ()
            life = Life(self._door.memory.activation(item), self._door.memory.cluster)
            more = (*said, *((costs,) if costs else ()), *activation_lines(item, life))
        self._drawer.list.toggle_why(row.key, more)

    async def find(self, text: str) -> None:
        """Show what a text typed into the finder may mean."""
        found = await self._door.complete(text, _FOUND)
        entries = [symbol_entry(symbol, found, self._glyphs) for symbol in found]
        items = [str(symbol_item(row.id) if row.qualname else file_item(row.path)) for row in found]
        kept = tuple(replace(entry, value=item) for entry, item in zip(entries, items, strict=True))
        self._drawer.finder.show(kept, text)

    async def add(self, item: ItemId) -> str:
        """Pin what was found."""
        async with self._lock:
            said = await self._keep(item, Lifetime(PinKind.LEASED, LEASE_TURNS))
            await self.show_next(lambda: str(item))
        return said

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
        await self._ask_revision()
        self._at, self._newest = at, len(plan_ids) - 1
        turn = next((turn for turn in self._state().turns if turn.plan and turn.plan.plan_id == plan.id), None)
        which = "" if self.follows and turn is not None else f"plan {at + 1} of {len(plan_ids)}"
        if turn is None:
            self._drawer.show(self._view(plan, which, None, None))
            return
        used, is_actual = used_tokens(turn)
        label = f" {self._glyphs.dot} ".join(filter(None, (f"turn {turn.number}", which)))
        self._drawer.show(self._view(plan, label, used if is_actual else None, turn_cost(turn)))

    def _view(self, plan: ContextPlan, label: str, used_actual: int | None, cost: float | None) -> PlanView:
        is_outdated = self._at is not None and self._revision not in ("", plan.index_revision)
        return PlanView(plan, label, self._door.pins(), self._door.suggested_pins(), used_actual, cost, is_outdated)


def _item_of(row: Row) -> ItemId | None:
    return row.suggestion.item if row.suggestion else row.item.id if row.item else None
