"""The capsules of the fake door: kept in its journal, written by a scripted model."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from ctxcode.model.conversation import Usage
from ctxcode.model.engine.capsule import BY_USER, Capsule, CapsuleRow, CapsuleSubject, Freshness, SubjectKind
from ctxcode.model.engine.event import CapsuleRemoved, CapsuleWritten, ModelAsked
from ctxcode.model.errors import UsageError
from ctxcode.model.event import DurableEvent
from ctxcode.model.ids import ItemId
from ctxcode.session.capsule.door import CapsuleBill

WRITTEN = "Query builds SQL; join and setup_joins decide which tables are joined and how."


@dataclass
class FakeRequest:
    """A request whose answer waits for ``gate``."""

    record: Callable[[DurableEvent], None]
    subject: CapsuleSubject
    gate: asyncio.Event

    @property
    def bill(self) -> CapsuleBill:
        return CapsuleBill("gpt-x", 2_130, 0.0034, 14)

    async def send(self) -> Capsule:
        await self.gate.wait()
        usage = Usage(2_130, 2_140, 120, 0.0042)
        self.record(ModelAsked(self.subject.item, "gpt-x", (), usage, 0.0034))
        return Capsule(self.subject, WRITTEN, "gpt-x", 0.6, 0.0, "hash", ("a.py",), usage=usage)


class FakeCapsules:
    """Folders are names with a slash; everything else is a process."""

    def __init__(self, history: Callable[[], tuple[DurableEvent, ...]], record: Callable[[DurableEvent], None]) -> None:
        self._history = history
        self._record = record
        self.stale: set[ItemId] = set()
        self.gate = asyncio.Event()
        self.gate.set()

    async def rows(self) -> tuple[CapsuleRow, ...]:
        found: dict[ItemId, Capsule] = {}
        for event in self._history():
            if isinstance(event, CapsuleWritten):
                found[event.capsule.item] = event.capsule
            elif isinstance(event, CapsuleRemoved):
                found.pop(event.item, None)
        return tuple(
            CapsuleRow(one, Freshness.STALE if item in self.stale else Freshness.FRESH)
            for item, one in sorted(found.items())
        )

    async def subject(self, words: str) -> tuple[CapsuleSubject, str]:
        if not words:
            raise UsageError("A capsule of what?", "/capsule src/queries")
        name, _, focus = words.partition(" ")
        kind = SubjectKind.FOLDER if "/" in name else SubjectKind.PROCESS
        return CapsuleSubject(kind, name.rstrip("/")), focus

    async def request(self, subject: CapsuleSubject, focus: str) -> FakeRequest:
        return FakeRequest(self._record, subject, self.gate)

    async def keep(self, draft: Capsule, text: str) -> CapsuleWritten:
        changed = replace(draft, text=text, source=BY_USER, confidence=1.0)
        return self._written(draft if text == draft.text else changed)

    async def write(self, subject: CapsuleSubject, text: str) -> CapsuleWritten:
        return self._written(Capsule(subject, text, BY_USER, 1.0, 0.0, "hash", ("a.py",)))

    async def remove(self, item: ItemId) -> CapsuleRemoved:
        event = CapsuleRemoved(item)
        self._record(event)
        return event

    def _written(self, capsule: Capsule) -> CapsuleWritten:
        event = CapsuleWritten(capsule)
        self._record(event)
        return event
