"""A faithful door over an in-memory journal: scripted streaming replies, realistic plans, no files and no model.

``python tests/ui/fake_door.py`` opens the app on it.
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace

from ui import fake_data
from ui.fake_archive import FakeArchive
from ui.fake_capsules import FakeCapsules
from ui.fake_commands import FakeCommands
from ui.fake_conversation import FakeConversation
from ui.fake_edits import FakeEdits
from ui.fake_memory import FakeMemory
from ui.fake_outcomes import FakeOutcomes
from ui.fake_strategies import FakeStrategies

from ctxcode.model.canonical import digest, text_hash
from ctxcode.model.conversation import ModelInfo, ModelOffer, StoppedBy, Usage
from ctxcode.model.engine.event import SuggestionDismissed
from ctxcode.model.errors import IndexingError, ModelUnknownError
from ctxcode.model.event import (
    BudgetChanged,
    ContextPlanned,
    DetailChosen,
    DurableEvent,
    Event,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    ModeChanged,
    ModelChanged,
    ReplyFinished,
    SessionRenamed,
    SessionStarted,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId, PlanId, RetrievalId, SessionId, SymbolId, symbol_item
from ctxcode.model.passing.event import IndexProgressed, IndexRefreshed, ReplyChunked
from ctxcode.model.pin import Pin, PinKind, SuggestedPin
from ctxcode.model.plan import (
    ContextMode,
    ContextPlan,
    Detail,
    PlanItem,
    PlanLimits,
    Reason,
    ReasonType,
    Relation,
    Section,
)
from ctxcode.model.source import RepositoryInfo
from ctxcode.model.symbol import IndexStats, LanguageCount, Symbol, SymbolKind
from ctxcode.session.look.starters import Starters
from ctxcode.session.turn.words import context_planned

QUERY, JOINS, COMPILER, WHERE = fake_data.QUERY, fake_data.JOINS, fake_data.COMPILER, fake_data.WHERE

REPLY = """\
The decision is made in **three places**:

1. `Query.setup_joins` walks the path of a lookup and asks for each join along it.
2. `Query.join` reuses an alias where it can, and chooses `LOUTER` when the relation is nullable.
3. `JoinPromoter.update_join_types` then promotes or demotes what the votes of all children add up to.

```python
class JoinPromoter:
    \"\"\"A class to abstract away join promotion problems.\"\"\"

    def update_join_types(self, query):
        to_promote, to_demote = set(), set()
        for table, votes in self.votes.items():
            if self.effective_connector == OR and votes < self.num_children:
                to_promote.add(table)
        query.promote_joins(to_promote)
```

| connector | votes | becomes |
|---|---|---|
| `OR` | fewer than children | `LEFT OUTER JOIN` |
| `AND` | any | `INNER JOIN` |

Promotion is undone in `Query.demote_joins`, which also demotes the parents of a chain.
"""

LEVELS = ((Detail.SIGNATURE, 14), (Detail.CARD, 74), (Detail.BODY, 840))
GPT = ModelInfo("gpt-x", 128_000, 8_000, "o200k_base", True, 1.6e-06, 6.4e-06)
NAVIGATOR = ModelInfo("navigator", 32_000, 4_000, "o200k_base", True, 0.0, 0.0)
MODELS = (
    ModelOffer(GPT, "in use"),
    ModelOffer(
        ModelInfo("ollama_chat/qwen3", 8_192, 4_096, "o200k_base", False), "Ollama", "", "http://127.0.0.1:11434"
    ),
    ModelOffer(NAVIGATOR),
    ModelOffer(ModelInfo("gpt-y", 400_000, 128_000, "o200k_base", True, 1e-06, 8e-06), "", "OPENAI_API_KEY"),
)


def symbol_id(name: str, path: str) -> SymbolId:
    return SymbolId(f"{path}::{name}")


def symbol(name: str, path: str, line: int, kind: SymbolKind = SymbolKind.METHOD) -> Symbol:
    module = path.removesuffix(".py").replace("/", ".")
    return Symbol(
        id=symbol_id(name, path),
        name=name.rpartition(".")[2],
        qualname=name,
        kind=kind,
        path=path,
        language="python",
        module=module,
        start_line=line,
        end_line=line + 20,
        header_line=line,
        header_end_line=line,
        signature=f"def {name}(self)",
    )


ALL_SYMBOLS = (
    *(symbol(name, path, line, kind) for name, path, line, kind in fake_data.CENTRAL),
    *(
        symbol(name, path, line)
        for name, path, line, *_ in fake_data.TOUCHPOINTS
        if name not in {row[0] for row in fake_data.CENTRAL}
    ),
    *(symbol(name, path, line) for name, path, line in fake_data.SIGNATURES),
)


def _reasons(rows: tuple[tuple[str, ...], ...]) -> tuple[Reason, ...]:
    made = []
    for kind, *words in rows:
        if kind == "lexical":
            made.append(Reason(ReasonType.LEXICAL, 0.41, terms=tuple(words)))
        elif kind == "semantic":
            made.append(Reason(ReasonType.SEMANTIC, 0.28))
        else:
            made.append(Reason(ReasonType.GRAPH, 0.17, relation=Relation(kind), subject=words[0]))
    return tuple(made)


def _text(name: str, detail: Detail) -> str:
    short = name.rpartition(".")[2]
    lines = [f"def {short}(self, names, opts, alias):", f'    """Return what {name} comes to."""']
    lines += ["    if self.is_nullable(names):", "        return LOUTER  # the row may be missing", "    return INNER"]
    return "\n".join(lines[: 1 if detail is Detail.SIGNATURE else 5])


@dataclass(frozen=True)
class Candidate:
    """A row before the fake planner has decided on it."""

    name: str
    path: str
    line: int
    end: int
    score: float
    reasons: tuple[Reason, ...]
    detail: Detail
    tokens: int

    @property
    def id(self) -> ItemId:
        return symbol_item(symbol_id(self.name, self.path))

    def item(self, section: Section, *, included: bool, reasons: tuple[Reason, ...] | None = None) -> PlanItem:
        text = _text(self.name, self.detail)
        return PlanItem(
            id=self.id,
            section=section,
            kind="method",
            title=self.name,
            included=included,
            detail=self.detail,
            tokens=self.tokens,
            score=self.score,
            reasons=reasons or self.reasons,
            symbol=symbol_id(self.name, self.path),
            dotted=f"{self.path.removesuffix('.py').replace('/', '.')}.{self.name}",
            path=self.path,
            start_line=self.line,
            end_line=self.end,
            lines=((self.line, min(self.end, self.line + 4)),) if included else (),
            text=text_hash(text) if included else None,
        )


def _candidates(mode: ContextMode) -> list[Candidate]:
    bodies = 4 if mode is ContextMode.HEAVY else 0
    made = []
    for number, (name, path, line, end, score, rows) in enumerate(fake_data.TOUCHPOINTS):
        detail = Detail.BODY if number < bodies else Detail.CARD
        tokens = 60 + 9 * (end - line) if detail is Detail.BODY else 74 + 7 * (number % 4)
        made.append(Candidate(name, path, line, end, score, _reasons(rows), detail, tokens))
    for number, (name, path, line) in enumerate(fake_data.SIGNATURES):
        reasons = (Reason(ReasonType.LEXICAL, 0.1, terms=("join",)),)
        made.append(Candidate(name, path, line, line + 9, 0.3 - number / 50, reasons, Detail.SIGNATURE, 14 + number))
    return made


def _block(item_id: str, section: Section, title: str, tokens: int, reason: ReasonType, kind: str = "text") -> PlanItem:
    reasons = (Reason(reason),)
    return PlanItem(ItemId(item_id), section, kind, title, True, Detail.BODY, tokens, 0.0, reasons)


@dataclass(frozen=True)
class PlanInput:
    """What the fake plan depends on."""

    prompt: str
    mode: ContextMode
    model: str
    budget_tokens: int
    pins: tuple[Pin, ...] = ()
    dropped: frozenset[ItemId] = frozenset()
    details: tuple[tuple[ItemId, Detail | None], ...] = ()
    turns: tuple[tuple[int, str], ...] = ()


def made_plan(asked: PlanInput) -> ContextPlan:
    """Return a plan: pins first, then what the mode retrieves, the rest left out with reasons."""
    pinned = {pin.item: pin for pin in asked.pins}
    included: list[PlanItem] = [_block("system", Section.SYSTEM, "system prompt", 231, ReasonType.STRATEGY)]
    excluded: list[PlanItem] = []
    pin_rows: list[PlanItem] = []
    touchpoints: list[PlanItem] = []
    for planned in _candidates(asked.mode):
        chosen = dict(asked.details).get(planned.id)
        candidate = replace(planned, detail=chosen, tokens=dict(LEVELS)[chosen]) if chosen else planned
        pin = pinned.get(candidate.id)
        if pin is not None:
            kind = ReasonType.PINNED if pin.kind is PinKind.STICKY else ReasonType.LEASED
            body = replace(candidate, detail=Detail.BODY, tokens=candidate.tokens + 226)
            pin_rows.append(body.item(Section.PIN, included=True, reasons=(Reason(kind), *candidate.reasons)))
        elif candidate.id in asked.dropped:
            reasons = (Reason(ReasonType.DROPPED_BY_USER), *candidate.reasons)
            excluded.append(candidate.item(Section.TOUCHPOINT, included=False, reasons=reasons))
        elif asked.mode is ContextMode.OFF:
            reasons = (Reason(ReasonType.MODE), *candidate.reasons)
            excluded.append(candidate.item(Section.TOUCHPOINT, included=False, reasons=reasons))
        else:
            touchpoints.append(candidate.item(Section.TOUCHPOINT, included=True))
    for name, path, line, why in fake_data.LEFT_OUT:
        left = Candidate(name, path, line, line + 20, 0.12, (Reason(why),), Detail.CARD, 80)
        excluded.append(left.item(Section.TOUCHPOINT, included=False))
    included += pin_rows
    if asked.mode is not ContextMode.OFF:
        tokens = 1_310 if asked.mode is ContextMode.HEAVY else 588
        included.append(_block("scaffold", Section.SCAFFOLD, "module tree", tokens, ReasonType.CENTRAL, "tree"))
    for number, prompt in asked.turns:
        tokens = 120 + len(prompt) // 4
        included.append(_block(f"turn:{number}", Section.HISTORY, f"turn {number}", tokens, ReasonType.RECENT, "turn"))
    included += touchpoints
    words = max(6, len(asked.prompt) // 4)
    included.append(_block("message", Section.MESSAGE, "your message", words, ReasonType.MENTIONED))
    overhead = 4 * len(included)
    tokens = overhead + sum(item.tokens for item in included)
    key = [asked.prompt, asked.mode.value, asked.model, asked.budget_tokens, [str(item.id) for item in included]]
    return ContextPlan(
        id=PlanId(digest(key)),
        retrieval_id=RetrievalId(digest(asked.prompt)),
        mode=asked.mode,
        model=asked.model,
        tokenizer="o200k_base",
        index_revision="4be1",
        strategy="sliding-window",
        prompt=asked.prompt,
        limits=PlanLimits(118_000, asked.budget_tokens, 8_000),
        tokens=tokens,
        overhead_tokens=overhead,
        items=(*included, *excluded),
        payload_hash=text_hash(str(key)),
    )


@dataclass
class Vault:
    """What all sessions of the fake repository share."""

    journals: dict[SessionId, list[DurableEvent]] = field(default_factory=dict)
    plans: dict[str, ContextPlan] = field(default_factory=dict)


class FakeDoor:
    """One session. ``gate`` holds a reply back after its first chunk while it is not set."""

    def __init__(self, vault: Vault | None = None, session: SessionId | None = None, *, reply: str = REPLY) -> None:
        self.vault = vault or Vault()
        self._id = session or SessionId(f"s{len(self.vault.journals) + 1}")
        self.reply = reply
        self.models = {"gpt-x": GPT, "navigator": NAVIGATOR}
        self.error: tuple[str, str] | None = None
        self.piece_chars = 24
        """Of the reply, at a time."""
        self.pause_seconds = 0.0
        self.index_steps = 3
        self.index_hold: asyncio.Event | None = None
        self.is_resting = False
        self.is_unread = False
        """Nothing was indexed before: till the index is refreshed only the files are known."""
        self.revision = "4be1"
        """The index's."""
        self.pending = 0
        """Files that the index has still to take in."""
        self.index_failure: IndexingError | None = None
        self.changes: tuple[IndexRefreshed, ...] = ()
        self.gate = asyncio.Event()
        self.gate.set()
        self.repository_info = RepositoryInfo("django", "/home/you/django", "main", is_git=True)
        self.suggestions: tuple[SuggestedPin, ...] = ()
        self.strategies = FakeStrategies(self)
        self.fake_edits = FakeEdits(self)
        self.commands = FakeCommands(self.record)
        self.capsules = FakeCapsules(self.history, self.record)
        self.outcomes = FakeOutcomes(self.history, self.record)
        self.archive = FakeArchive(self.vault.journals, self._id)
        if self._id not in self.vault.journals:
            self.vault.journals[self._id] = []
            self._record(SessionStarted(self._id, ContextMode.LIGHT, "gpt-x"))

    @property
    def memory(self) -> FakeMemory:
        return FakeMemory(self)

    @property
    def conversation(self) -> FakeConversation:
        return FakeConversation(self)

    @property
    def edits(self) -> FakeEdits:
        return self.fake_edits

    def record(self, event: DurableEvent) -> None:
        self._record(event)

    def _record(self, event: DurableEvent) -> None:
        self.vault.journals[self._id].append(event)

    @property
    def id(self) -> SessionId:
        return self._id

    @property
    def repository(self) -> RepositoryInfo:
        return self.repository_info

    @property
    def mode(self) -> ContextMode:
        modes = [event.mode for event in self.history() if isinstance(event, SessionStarted | ModeChanged)]
        return modes[-1]

    @property
    def model(self) -> ModelInfo:
        names = [event.model for event in self.history() if isinstance(event, SessionStarted | ModelChanged)]
        return self.models[names[-1]]

    @property
    def budget_tokens(self) -> int:
        budgets = [event.budget_tokens for event in self.history() if isinstance(event, BudgetChanged)]
        return budgets[-1] if budgets else 8_000

    def history(self) -> tuple[DurableEvent, ...]:
        return tuple(self.vault.journals[self._id])

    def pins(self) -> tuple[Pin, ...]:
        pins: dict[ItemId, Pin] = {}
        for event in self.history():
            match event:
                case ItemPinned():
                    pins[event.item] = Pin(
                        event.item,
                        event.pin,
                        event.turns_left,
                        event.by,
                        text=event.text,
                        is_read_only=event.is_read_only,
                    )
                case ItemUnpinned() | ItemDropped():
                    pins.pop(event.item, None)
                case TurnCompleted() if event.stopped_by is StoppedBy.ANSWER:
                    aged = [
                        replace(pin, turns_left=pin.turns_left - 1) if pin.turns_left else pin for pin in pins.values()
                    ]
                    pins = {pin.item: pin for pin in aged if pin.turns_left != 0}
        return tuple(pins.values())

    def suggested_pins(self) -> tuple[SuggestedPin, ...]:
        gone = {event.item for event in self.history() if isinstance(event, SuggestionDismissed)}
        return tuple(row for row in self.suggestions if row.item not in gone)

    def _dropped(self) -> frozenset[ItemId]:
        dropped: set[ItemId] = set()
        for event in self.history():
            if isinstance(event, ItemDropped):
                dropped.add(event.item)
            elif isinstance(event, ItemRestored | ItemPinned):
                dropped.discard(event.item)
        return frozenset(dropped)

    def _details(self) -> tuple[tuple[ItemId, Detail | None], ...]:
        return tuple((event.item, event.detail) for event in self.history() if isinstance(event, DetailChosen))

    def _turns(self) -> list[TurnStarted]:
        return [event for event in self.history() if isinstance(event, TurnStarted)]

    def _plan(self, prompt: str, before: int, mode: ContextMode | None = None) -> ContextPlan:
        turns = tuple((turn.turn, turn.prompt) for turn in self._turns() if turn.turn < before)
        asked = PlanInput(
            prompt,
            mode or self.mode,
            self.model.name,
            self.budget_tokens,
            self.pins(),
            self._dropped(),
            details=self._details(),
            turns=turns,
        )
        return made_plan(asked)

    async def turn(self, prompt: str) -> AsyncGenerator[Event, None]:
        number = len(self._turns()) + 1
        said: list[str] = []
        try:
            async for event in self._steps(number, prompt, said):
                if not isinstance(event, ReplyChunked):
                    self._record(event)  # type: ignore[arg-type]  # all but chunks are durable here
                yield event
        except (asyncio.CancelledError, GeneratorExit):
            if said:
                self._record(ReplyFinished(number, "".join(said), self.model.name))
            self._record(TurnCompleted(number, StoppedBy.INTERRUPTED))
            raise

    async def _steps(self, number: int, prompt: str, said: list[str]) -> AsyncGenerator[Event, None]:
        yield TurnStarted(number, prompt)
        if number == 1:
            yield SessionRenamed(" ".join(prompt.split())[:60])
        plan = self._plan(prompt, number)
        self.vault.plans[plan.id] = plan
        yield context_planned(number, plan, self.model)
        if self.error is not None:
            yield TurnCompleted(number, StoppedBy.ERROR, *self.error)
            return
        if self.fake_edits.proposed:
            async for event in self.fake_edits.steps(number):
                yield event
        for start in range(0, len(self.reply), self.piece_chars):
            await asyncio.sleep(self.pause_seconds)
            said.append(self.reply[start : start + self.piece_chars])
            yield ReplyChunked(number, said[-1])
            await self.gate.wait()
        usage = Usage(plan.tokens, plan.tokens + 37, len(self.reply) // 4, 0.006)
        yield ReplyFinished(number, self.reply, self.model.name, usage)
        yield TurnCompleted(number, StoppedBy.ANSWER)

    async def preview(self, prompt: str, mode: ContextMode | None = None) -> ContextPlan:
        plan = self._plan(prompt, len(self._turns()) + 1, mode)
        if not self.is_unread:
            return plan
        items = tuple(item for item in plan.items if item.section is not Section.TOUCHPOINT)
        return replace(plan, index_revision="", items=items)

    async def plan(self, plan_id: str) -> ContextPlan | None:
        return self.vault.plans.get(plan_id)

    async def plan_ids(self) -> tuple[str, ...]:
        return tuple(event.plan_id for event in self.history() if isinstance(event, ContextPlanned))

    async def item_text(self, item: PlanItem) -> str:
        return fake_data.TREE if item.kind == "tree" else _text(item.title, item.detail)

    async def unpin(self, item: ItemId) -> ItemUnpinned:
        event = ItemUnpinned(item)
        self._record(event)
        return event

    async def drop(self, item: ItemId) -> ItemDropped:
        event = ItemDropped(item)
        self._record(event)
        return event

    async def restore(self, item: ItemId) -> ItemRestored:
        event = ItemRestored(item)
        self._record(event)
        return event

    async def set_mode(self, mode: ContextMode) -> ModeChanged:
        event = ModeChanged(mode)
        self._record(event)
        return event

    async def set_model(self, name: str) -> ModelChanged:
        if name not in self.models:
            raise ModelUnknownError(f"There is no model {name!r}.", "Try gpt-x or navigator.")
        event = ModelChanged(name)
        self._record(event)
        return event

    async def set_budget(self, budget_tokens: int) -> BudgetChanged:
        event = BudgetChanged(budget_tokens)
        self._record(event)
        return event

    async def refresh_index(self) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        for step in range(self.index_steps):
            if self.index_failure is not None:
                raise self.index_failure
            yield IndexProgressed(2_818 * step // self.index_steps, 2_818, "parsing")
            await asyncio.sleep(self.pause_seconds)
            if step == 1 and self.index_hold is not None:
                await self.index_hold.wait()
        self.is_unread = False
        yield IndexRefreshed("4be1", 2_818, 41_204, 120_331, 2_818, 2.9, 3)

    async def follow_changes(self) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        for event in self.changes:
            yield event

    def rest_index(self) -> None:
        self.is_resting = True

    async def stats(self) -> IndexStats:
        if self.is_unread:
            return IndexStats("", 2_818, 0, 0, (LanguageCount("python", 2_818, 0),))
        languages = (LanguageCount("python", 2_660, 38_900), LanguageCount("javascript", 158, 2_304))
        return IndexStats(self.revision, 2_818, 41_204, 120_331, languages, pending=self.pending)

    async def starters(self) -> Starters:
        named = {row.qualname: row for row in ALL_SYMBOLS}
        near, far = named["Query.setup_joins"], named["Join.as_sql"]
        return Starters((near, far), far, named["Query"])

    async def find(self, text: str, limit: int = 20) -> tuple[Symbol, ...]:
        found = [row for row in ALL_SYMBOLS if not text or text in {row.name, row.qualname, row.dotted, row.id}]
        return tuple(found[:limit])

    async def levels(self, item: ItemId) -> tuple[tuple[Detail, int], ...]:
        return LEVELS if item.startswith("symbol:") else ()

    async def set_detail(self, item: ItemId, detail: Detail | None) -> DetailChosen:
        self._record(event := DetailChosen(item, detail))
        return event

    async def complete(self, text: str, limit: int = 8) -> tuple[Symbol, ...]:
        lowered = text.lower()
        is_path = "/" in text
        found = [row for row in ALL_SYMBOLS if lowered in (row.path if is_path else row.qualname).lower()]
        return tuple(sorted(found, key=lambda row: (not row.name.lower().startswith(lowered), row.id))[:limit])

    async def model_offers(self, text: str, limit: int = 24) -> tuple[ModelOffer, ...]:
        return tuple(offer for offer in MODELS if text in offer.info.name)[:limit]

    def open(self, session: SessionId | None) -> "FakeDoor":
        return FakeDoor(self.vault, session, reply=self.reply)

    async def warm_up(self) -> tuple[str, ...]:
        await asyncio.sleep(0)
        return ()


def main() -> int:
    from ctxcode.tui.start import run_app
    from ctxcode.tui.terminal.setup import Setup

    door = FakeDoor()
    door.pause_seconds = 0.03
    door.index_steps = 60
    return run_app(lambda: door, Setup())


if __name__ == "__main__":
    raise SystemExit(main())
