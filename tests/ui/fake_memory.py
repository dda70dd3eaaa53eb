"""The memory part of the fake door: every call becomes an event of its journal."""

from typing import TYPE_CHECKING, TypeVar

from ctxcode.model.engine.activation import ActivationUpdate, ActiveItem, SignalKind
from ctxcode.model.engine.cluster import ClusterEvidence, QueryCluster
from ctxcode.model.engine.event import SuggestionDismissed, TaskFinished, TaskStarted
from ctxcode.model.engine.item import note_item
from ctxcode.model.event import DurableEvent, ItemPinned
from ctxcode.model.ids import ItemId, file_item
from ctxcode.model.pin import PinKind
from ctxcode.session.memory.pins import named_item

if TYPE_CHECKING:
    from ui.fake_door import FakeDoor

EventT = TypeVar("EventT", bound=DurableEvent)


class FakeMemory:
    """What a session remembers, as far as the screens ask."""

    def __init__(self, door: "FakeDoor") -> None:
        self._door = door

    @property
    def task(self) -> str:
        marks = [event for event in self._door.history() if isinstance(event, TaskStarted | TaskFinished)]
        return marks[-1].title if marks and isinstance(marks[-1], TaskStarted) else ""

    @property
    def cluster(self) -> QueryCluster | None:
        if not self._door.history():
            return None
        return QueryCluster(1, 1, (1,), ("retry", "backoff"), ClusterEvidence.FIRST, 0.0)

    def activation(self, item: ItemId) -> ActiveItem | None:
        if not self._door.history():
            return None
        update = ActivationUpdate(1, 1.0, 0.7, (SignalKind.USER_REFERENCE,), 1.7)
        return ActiveItem(item, 1.7, (1,), (update,))

    async def item_named(self, name: str) -> ItemId:
        if name.endswith(".py"):
            return file_item(name)
        found = await self._door.find(name)
        named = [row for row in found if name in {row.name, row.qualname, row.dotted, row.id}]
        return named_item(name, named, found)

    async def keep(
        self,
        item: ItemId,
        kind: PinKind,
        turns: int | None = None,
        *,
        for_task: bool = False,
        is_read_only: bool = False,
    ) -> ItemPinned:
        length = None if for_task else turns
        return self._recorded(ItemPinned(item, kind, length, is_read_only=is_read_only))

    async def note(self, text: str, kind: PinKind = PinKind.STICKY) -> ItemPinned:
        return self._recorded(ItemPinned(note_item(text), kind, text=text))

    async def dismiss(self, item: ItemId) -> SuggestionDismissed:
        return self._recorded(SuggestionDismissed(item))

    async def start_task(self, title: str) -> TaskStarted:
        return self._recorded(TaskStarted(title))

    async def finish_task(self) -> TaskFinished:
        return self._recorded(TaskFinished())

    def _recorded(self, event: EventT) -> EventT:
        self._door.record(event)
        return event
