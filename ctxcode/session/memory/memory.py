"""What the user and the engine do to a branch's memory: pins of every kind, activation, tasks."""

import asyncio
from dataclasses import dataclass

from ctxcode.model.engine.activation import ActiveItem
from ctxcode.model.engine.cluster import QueryCluster
from ctxcode.model.engine.event import SuggestionDismissed, TaskFinished, TaskStarted
from ctxcode.model.engine.item import PINNABLE, note_item, turn_number
from ctxcode.model.errors import UsageError
from ctxcode.model.event import ItemPinned
from ctxcode.model.ids import ItemId, SymbolId
from ctxcode.model.pin import PinKind
from ctxcode.model.symbol import Symbol
from ctxcode.reflection.leases import lease_length
from ctxcode.session.adapters import Adapters
from ctxcode.session.ledger import EventT, Ledger
from ctxcode.session.memory.pins import Sources, item_fingerprint, named_item, placed_item, symbols_called
from ctxcode.session.ports import CodeGraph

_LONGEST_NOTE = 20_000
_FOUND = 40


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of the branch that is open; see ``door.MemoryDoor`` for what it promises."""

    _ledger: Ledger
    _adapters: Adapters

    @property
    def task(self) -> str:
        """The title of the task that is going on; empty for none."""
        return self._ledger.state.branch.task

    @property
    def cluster(self) -> QueryCluster | None:
        """What the conversation is about; None before its first question."""
        return self._ledger.state.branch.cluster

    def activation(self, item: ItemId) -> ActiveItem | None:
        """Return how alive an item is and what made it so; None when nothing speaks for it."""
        return self._ledger.state.branch.activation.get(item)

    async def item_named(self, name: str) -> ItemId:
        """Return the item a name, a path, ``path:10-20`` or ``turn 3`` stands for. Raises UsageError."""
        return await asyncio.to_thread(self._named, name.strip())

    async def keep(
        self,
        item: ItemId,
        kind: PinKind,
        turns: int | None = None,
        *,
        for_task: bool = False,
        is_read_only: bool = False,
    ) -> ItemPinned:
        """Pin an item or change its pin. Raises UsageError for what can't be pinned."""
        if not item.startswith(PINNABLE):
            what = item.partition(":")[0]
            raise UsageError(f"No {what} can be pinned.", "Pin a symbol, a file, lines, a turn or a note.")
        length = None if for_task and kind is PinKind.LEASED else lease_length(kind, turns)
        fingerprint = await asyncio.to_thread(self._fingerprint, item)
        known = next((pin.text for pin in self._ledger.state.pins if pin.item == item), "")
        return await self._record(
            ItemPinned(item, kind, length, text=known, fingerprint=fingerprint, is_read_only=is_read_only)
        )

    async def note(self, text: str, kind: PinKind = PinKind.STICKY) -> ItemPinned:
        """Pin a text of the user's own. Raises UsageError for an empty or very long one."""
        text = text.strip()
        if not text:
            raise UsageError("The note is empty.", "/note TEXT keeps a text in every request.")
        if len(text) > _LONGEST_NOTE:
            raise UsageError(
                f"The note has {len(text):,} characters.", f"Keep it under {_LONGEST_NOTE:,}, or /add a file."
            )
        return await self._record(ItemPinned(note_item(text), kind, lease_length(kind, None), text=text))

    async def dismiss(self, item: ItemId) -> SuggestionDismissed:
        """Do not suggest an item again."""
        return await self._record(SuggestionDismissed(item))

    async def start_task(self, title: str) -> TaskStarted:
        """Mark the beginning of a task; leases of the one before end. Raises UsageError without a title."""
        title = " ".join(title.split())
        if not title:
            raise UsageError("What is the task?", "/task start TITLE")
        return await self._record(TaskStarted(title))

    async def finish_task(self) -> TaskFinished:
        """Mark the end of the task; its leases end. Raises UsageError when none is going on."""
        if not self.task and not any(pin.ends_with_task for pin in self._ledger.state.pins):
            raise UsageError("No task is going on.", "/task start TITLE begins one.")
        return await self._record(TaskFinished())

    def _named(self, name: str) -> ItemId:
        number = turn_number(ItemId(name.replace(" ", ":", 1)))
        if number is not None:
            if not any(turn.number == number for turn in self._ledger.state.turns):
                raise UsageError(f"There is no turn {number} on this branch.", "Turns are numbered from 1.")
            return ItemId(f"turn:{number}")
        pinned = next((pin.item for pin in self._ledger.state.pins if pin.item == name), None)
        place = pinned or (placed_item(name, self._adapters.workspace) if name else None)
        if place is not None:
            return place
        graph = self._adapters.graph
        named = symbols_called(graph, name, _FOUND) if name else ()
        near = _near(graph, name) if name and not named else ()
        return named_item(name, named, near, self._shown)

    def _shown(self) -> frozenset[ItemId]:
        """Return what the newest plan sent."""
        ids = self._ledger.state.plan_ids
        plan = self._adapters.journal.plan(ids[-1]) if ids else None
        return frozenset(item.id for item in plan.included) if plan is not None else frozenset()

    def _fingerprint(self, item: ItemId) -> tuple[str, ...]:
        return item_fingerprint(item, self._adapters.graph, Sources(self._adapters.workspace, {}))

    async def _record(self, event: EventT) -> EventT:
        return await asyncio.to_thread(self._ledger.record, event)


def _near(graph: CodeGraph, name: str) -> tuple[Symbol, ...]:
    """Return what a name that is none may be meant for: files called like it, then symbols."""
    files = graph.symbols(SymbolId(path) for path in graph.paths_like(name, _FOUND))
    return tuple((files | {symbol.id: symbol for symbol in found(graph, name, _FOUND)}).values())


def found(graph: CodeGraph, text: str, limit: int) -> tuple[Symbol, ...]:
    """Return the symbols a few typed letters may mean: exact names first, then full-text hits."""
    text = text.strip()
    if not text:
        return tuple(symbol for symbol, _ in graph.central(limit))
    rows = {symbol.id: symbol for symbol in graph.symbols_named(text, limit)}
    for name in graph.nearest_names(text, limit):
        rows.update((symbol.id, symbol) for symbol in graph.symbols_named(name, limit))
    hits = graph.search([(word, 1.0) for word in text.split()], limit)
    at = graph.symbols_at([hit.node for hit in hits])
    rows.update((at[hit.node].id, at[hit.node]) for hit in hits if hit.node in at)
    return tuple(rows.values())[:limit]
