"""The part of the screens' door that is about memory: pins of every kind, activation, tasks."""

from typing import Protocol

from ctxcode.model.engine.activation import ActiveItem
from ctxcode.model.engine.cluster import QueryCluster
from ctxcode.model.engine.event import SuggestionDismissed, TaskFinished, TaskStarted
from ctxcode.model.event import ItemPinned
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import PinKind


class MemoryDoor(Protocol):
    """The memory of the branch that is open.

    The events it returns are already journalled; async methods block nothing. All may raise CtxcodeError.
    """

    @property
    def task(self) -> str:
        """The title of the task that is going on; empty for none."""
        ...

    @property
    def cluster(self) -> QueryCluster | None:
        """What the conversation is about on the branch that is open; None before its first question."""
        ...

    def activation(self, item: ItemId) -> ActiveItem | None:
        """Return how alive an item is and what made it so; None when nothing speaks for it."""
        ...

    async def item_named(self, name: str) -> ItemId:
        """Return the item a name, a path, ``path:10-20`` or ``turn 3`` stands for.

        Raises UsageError when nothing or several things are called so.
        """
        ...

    async def keep(
        self,
        item: ItemId,
        kind: PinKind,
        turns: int | None = None,
        *,
        for_task: bool = False,
        is_read_only: bool = False,
    ) -> ItemPinned:
        """Pin an item or change its pin."""
        ...

    async def note(self, text: str, kind: PinKind = PinKind.STICKY) -> ItemPinned:
        """Pin a text of the user's own."""
        ...

    async def dismiss(self, item: ItemId) -> SuggestionDismissed:
        """Do not suggest an item again; pinning it sticky accepts it."""
        ...

    async def start_task(self, title: str) -> TaskStarted:
        """Mark the beginning of a task; leases of the one before end."""
        ...

    async def finish_task(self) -> TaskFinished:
        """Mark the end of the task; its leases end."""
        ...
