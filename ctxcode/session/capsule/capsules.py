"""What the user does about capsules; see ``door.CapsuleDoor`` for what it promises."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from ctxcode.action.limits import Limits, over_limits
from ctxcode.feedback.usage import prompt_cost, spent_dollars
from ctxcode.model.engine.capsule import (
    BY_USER,
    Capsule,
    CapsuleRow,
    CapsuleSubject,
    code_hash,
)
from ctxcode.model.engine.event import CapsuleRemoved, CapsuleWritten
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import ItemId
from ctxcode.reflection.capsules import INSTRUCTION, MOST_CHARS, MOST_COVERED, Told, covered_paths, outline, plain_text
from ctxcode.session.adapters import Adapters
from ctxcode.session.capsule.door import CapsuleBill
from ctxcode.session.capsule.gather import judged, outlined
from ctxcode.session.capsule.request import ModelCapsule
from ctxcode.session.capsule.subject import Names
from ctxcode.session.ledger import EventT, Ledger
from ctxcode.session.ports import ChatModel
from ctxcode.session.report import over_budget_sentence

_OUTLINE_TOKENS = 2_500
_LEAST_OUTLINE_TOKENS = 200
_FOCUS_CHARS = 300
_LONGEST_TYPED = 20_000


@dataclass(frozen=True, slots=True)
class Covered:
    """The files a subject covers now."""

    paths: tuple[str, ...]
    hashes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Capsules:
    """The capsules of the repository, from within a session."""

    _ledger: Ledger
    _adapters: Adapters
    _model: ChatModel
    _limits: Limits
    _bring_up_to_date: Callable[[], Awaitable[None]]

    async def rows(self) -> tuple[CapsuleRow, ...]:
        """Return every capsule with whether it is fresh, by subject."""
        await self._bring_up_to_date()
        return await asyncio.to_thread(self._rows)

    async def subject(self, words: str) -> tuple[CapsuleSubject, str]:
        """Return what words name, and the words left over. Raises UsageError when they name nothing here."""
        await self._bring_up_to_date()
        return await asyncio.to_thread(self._named, words)

    async def request(self, subject: CapsuleSubject, focus: str) -> ModelCapsule:
        """Return what asking the model in use comes to; nothing is sent. Raises UsageError."""
        if self._model.info.is_offline:
            raise UsageError(
                "The offline navigator writes no summaries.",
                f"Choose a model with /model NAME, or write it by hand: /capsule {subject.title} = TEXT",
            )
        made = await asyncio.to_thread(self._planned, subject, focus)
        cost = made.bill.cost
        refusal = over_limits(self._limits, spent=spent_dollars(self._ledger.events), prompt_cost=cost, turns=0)
        if refusal is not None:
            raise UsageError(refusal.error, refusal.hint)
        return made

    async def keep(self, draft: Capsule, text: str) -> CapsuleWritten:
        """Keep what a model wrote; with another text it is the user's. Raises UsageError."""
        typed = self._checked(text)
        if typed == draft.text:
            return await self._record(CapsuleWritten(draft))
        return await self._record(CapsuleWritten(replace(draft, text=typed, source=BY_USER, confidence=1.0)))

    async def write(self, subject: CapsuleSubject, text: str) -> CapsuleWritten:
        """Keep what the user wrote. Raises UsageError for a text that is empty or too long."""
        typed = self._checked(text)
        now = await asyncio.to_thread(self._covered, subject)
        subject = _without_secrets(subject, self._adapters)
        capsule = Capsule(subject, typed, BY_USER, 1.0, self._adapters.clock(), code_hash(now.hashes), now.paths)
        return await self._record(CapsuleWritten(capsule))

    async def remove(self, item: ItemId) -> CapsuleRemoved:
        """Remove a capsule. Raises UsageError when there is none."""
        known = await asyncio.to_thread(self._adapters.journal.capsules)
        if not any(capsule.item == item for capsule in known):
            raise UsageError("There is no such capsule any more.", "/capsules lists them.")
        return await self._record(CapsuleRemoved(item))

    def text_of(self, item: ItemId) -> str:
        """Return a capsule's text; empty for one that is not there. Blocks."""
        return next((one.text for one in self._adapters.journal.capsules() if one.item == item), "")

    def _rows(self) -> tuple[CapsuleRow, ...]:
        graph = self._adapters.graph
        rows = judged(self._adapters.journal.capsules(), graph, graph.modules())
        return tuple(sorted(rows, key=lambda row: (row.capsule.subject.title, row.capsule.item)))

    def _named(self, words: str) -> tuple[CapsuleSubject, str]:
        graph = self._adapters.graph
        paths = [module.path for module in graph.modules()]
        return Names(graph, paths, self._adapters.journal.capsules()).found(words)

    def _covered(self, subject: CapsuleSubject) -> Covered:
        graph = self._adapters.graph
        paths = covered_paths(subject, sorted(module.path for module in graph.modules()))
        if not paths:
            raise UsageError(f"No file of {subject.title!r} is there any more.", "/capsules removes its capsule.")
        if len(paths) > MOST_COVERED:
            hint = "Name a folder inside it, or a process with the files it is made of."
            raise UsageError(f"{subject.title!r} holds {len(paths):,} files, more than {MOST_COVERED:,}.", hint)
        return Covered(paths, graph.content_hashes(paths))

    def _planned(self, subject: CapsuleSubject, focus: str) -> ModelCapsule:
        """Return the request that asks for a capsule, planned; blocks and stores nothing."""
        adapters, info = self._adapters, self._model.info
        now = self._covered(subject)
        counter = adapters.counter_for(info.tokenizer)
        budget = self._ledger.state.budget_tokens
        room = max(_LEAST_OUTLINE_TOKENS, min(_OUTLINE_TOKENS, budget - counter.count(INSTRUCTION)))
        rows = outlined(subject, now.paths, adapters.graph)
        said = adapters.secrets.cleared(focus[:_FOCUS_CHARS]).text
        text = outline(Told(subject.title, rows, now.paths, said), counter.count, room)
        made = ModelCapsule(
            ledger=self._ledger,
            adapters=adapters,
            model=self._model,
            subject=_without_secrets(subject, adapters),
            code_hash=code_hash(now.hashes),
            covered=now.paths,
            text=text,
            focus=said,
        )
        planned = made.planned()
        if planned.payload is None:
            raise UsageError(f"Nothing was sent: {over_budget_sentence(planned.plan)}", "Use a larger model.")
        tokens = planned.plan.tokens
        return replace(
            made,
            request=planned,
            bill=CapsuleBill(info.name, tokens, prompt_cost(info, tokens), len(now.paths)),
        )

    def _checked(self, text: str) -> str:
        """Return a typed text as it is kept. Raises UsageError for one that is empty or too long."""
        typed = plain_text(self._adapters.secrets.cleared(text[:_LONGEST_TYPED]).text)
        if not typed:
            raise UsageError("The capsule would be empty.", "/capsules removes one.")
        if len(typed) > MOST_CHARS:
            raise UsageError(f"The text has {len(typed):,} characters.", f"A capsule has at most {MOST_CHARS:,}.")
        return typed

    async def _record(self, event: EventT) -> EventT:
        return await asyncio.to_thread(self._ledger.record, event)


def _without_secrets(subject: CapsuleSubject, adapters: Adapters) -> CapsuleSubject:
    """Return a subject whose title, which the user typed, holds nothing that is to be withheld."""
    title = adapters.secrets.cleared(subject.name).text if subject.parts else subject.name
    return subject if title == subject.name else replace(subject, name=title)
