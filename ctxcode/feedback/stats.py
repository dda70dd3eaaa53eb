"""From journals to what they came to. Pure; nothing keeps a second tally."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ctxcode.feedback.usage import asked_turns, is_refused, spent_dollars
from ctxcode.model.conversation import StoppedBy, ToolStatus, Usage
from ctxcode.model.edit.event import EditsSettled, EditsUndone
from ctxcode.model.engine.activation import SignalKind, UseKind
from ctxcode.model.engine.event import ModelAsked, StrategyRemembered, TurnReflected
from ctxcode.model.engine.stats import (
    ItemStats,
    ModelStats,
    SectionStats,
    Stats,
    ToolStats,
    TurnPromotion,
)
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    Mark,
    ReplyContinued,
    ReplyFinished,
    ReplyMarked,
    ToolAnswered,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import Section

COMMAND_TOOL = "run_command"
MOST_ITEMS = 10
_CODE = ("symbol:", "file:", "lines:")
MOST_PROMOTIONS = 20
_WritingEvent = StrategyRemembered | ModelAsked
"""A model wrote beside the conversation."""
_RequestEvent = ContextPlanned | ToolsCalled | ReplyContinued | ReplyFinished | _WritingEvent
_OVERHEAD = "overhead"
"""Separators and what every message costs beside its text."""
_SECTIONS = [*(section.value for section in Section), _OVERHEAD]


def stats_of(sessions: Iterable[Sequence[DurableEvent]]) -> Stats:
    """Return what sessions came to; each one's events come oldest first, those without a turn count for nothing."""
    tally = _Tally()
    for events in sessions:
        if any(isinstance(event, TurnStarted) for event in events):
            tally.take(events)
    return tally.stats()


@dataclass(slots=True)
class _Model:
    """One model so far."""

    turns: int = 0
    requests: int = 0
    estimated: int = 0
    measured: int = 0
    measured_estimate: int = 0
    prompt: int = 0
    completion: int = 0
    cost: float = 0.0
    unpriced: int = 0
    good: int = 0
    bad: int = 0

    def add(self, usage: Usage) -> None:
        if usage.prompt:
            self.measured += 1
            self.measured_estimate += usage.estimated
            self.prompt += usage.prompt
        self.completion += usage.completion or 0
        self.cost += usage.cost or 0.0
        self.unpriced += usage.cost is None


@dataclass(slots=True)
class _Tally:
    """What was counted so far."""

    sessions: int = 0
    cost: float = 0.0
    turns: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    models: dict[str, _Model] = field(default_factory=dict)
    sections: dict[str, list[int]] = field(default_factory=dict)
    """Requests, items, tokens, then what was shown and used: items and tokens of each."""
    tools: dict[str, Counter[str]] = field(default_factory=dict)
    tool_tokens: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    shown: Counter[ItemId] = field(default_factory=Counter)
    ways: dict[ItemId, Counter[UseKind]] = field(default_factory=dict)
    used: Counter[ItemId] = field(default_factory=Counter)
    promotions: list[TurnPromotion] = field(default_factory=list)

    def take(self, events: Sequence[DurableEvent]) -> None:
        """Count one session."""
        self.sessions += 1
        self.cost += spent_dollars(events)
        self.turns += asked_turns(events)
        model, is_command, is_answered, is_open, starts = "", False, False, False, 0
        begun: dict[int, int] = {}
        marks: dict[int, ReplyMarked] = {}
        for event in events:
            if isinstance(event, TurnStarted):
                is_command, is_answered, starts = event.prompt.startswith("!"), False, starts + 1
                is_open = not is_command
                begun[event.turn] = starts
            elif isinstance(event, TurnCompleted):
                is_open, is_sent = False, not is_refused(event, is_answered=is_answered)
                told = _check(event, is_command=is_command) if is_sent else "not sent"
                (self.checks if is_command else self.outcomes)[told] += 1
            elif isinstance(event, ReplyMarked):
                # Numbers are given out again after an undo; the mark is about the newest turn of its number.
                marks[begun.get(event.turn, 0)] = event
            elif isinstance(event, _RequestEvent):
                model = event.model if isinstance(event, ContextPlanned) else model
                is_answered = is_answered or isinstance(event, ToolsCalled | ReplyContinued | ReplyFinished)
                self._request(event, model, is_command=is_command)
            else:
                self._outcome(event)
        self.outcomes["running"] += is_open
        for mark in marks.values():
            row = self.models.setdefault(mark.model, _Model())
            row.good += mark.mark is Mark.GOOD
            row.bad += mark.mark is Mark.BAD

    def _request(self, event: _RequestEvent, model: str, *, is_command: bool) -> None:
        match event:
            case ContextPlanned():
                self._planned(event)
            case ToolsCalled() | ReplyContinued():
                self._used(model, event.usage)
            case ReplyFinished() if not is_command:
                self.models.setdefault(event.model, _Model()).turns += 1
                self._used(event.model, event.usage)
            case StrategyRemembered() | ModelAsked():
                self._used(event.model, event.usage)

    def _outcome(self, event: DurableEvent) -> None:
        match event:
            case ToolAnswered():
                self._answered(event)
            case EditsSettled():
                self.edits.update(outcome.state.value for outcome in event.outcomes)
            case EditsUndone():
                self.edits["undone"] += len(event.restored)
                self.edits["applied"] -= len(event.restored)
            case TurnReflected():
                self._reflected(event)

    def _planned(self, event: ContextPlanned) -> None:
        if event.over_budget:
            return
        row = self.models.setdefault(event.model, _Model())
        row.requests += 1
        row.estimated += event.total_tokens
        for section in event.sections:
            self._add(section.section, (1, section.items, section.tokens, 0, 0, 0, 0))
        between = event.total_tokens - sum(section.tokens for section in event.sections)
        if between > 0:
            self._add(_OVERHEAD, (1, 0, between, 0, 0, 0, 0))

    def _add(self, section: str, numbers: Sequence[int]) -> None:
        before = self.sections.get(section, [0] * 7)
        self.sections[section] = [one + other for one, other in zip(before, numbers, strict=True)]

    def _used(self, model: str, usage: Usage | None) -> None:
        if usage is not None and model:
            self.models.setdefault(model, _Model()).add(usage)

    def _answered(self, event: ToolAnswered) -> None:
        self.tools.setdefault(event.call.name, Counter())[event.result.status.value] += 1
        self.tool_tokens[event.call.name] += event.result.tokens
        if event.call.name == COMMAND_TOOL:
            code = event.result.exit_code
            told = event.result.status.value if code is None else "passed" if code == 0 else "exit code above 0"
            self.checks[told] += 1

    def _reflected(self, event: TurnReflected) -> None:
        for row in event.shown:
            self._add(row.section, (0, 0, 0, row.items, row.tokens, row.used_items, row.used_tokens))
        shown = (row.item for row in event.signals if SignalKind.IN_PLAN in row.signals)
        self.shown.update(item for item in shown if item.startswith(_CODE))
        for use in event.uses:
            self.used[use.item] += 1
            self.ways.setdefault(use.item, Counter()).update(use.ways)
        self.promotions += [TurnPromotion(event.turn, True, one) for one in event.promoted]
        self.promotions += [TurnPromotion(event.turn, False, one) for one in event.passed_over]

    def stats(self) -> Stats:
        """Return what was counted."""
        models = tuple(_model_stats(name, row) for name, row in self.models.items())
        return Stats(
            sessions=self.sessions,
            turns=self.turns,
            outcomes=_counted(self.outcomes),
            cost=self.cost,
            models=tuple(sorted(models, key=lambda row: (-row.requests, row.model))),
            sections=tuple(SectionStats(name, *self.sections[name]) for name in _SECTIONS if name in self.sections),
            tools=tuple(sorted(map(self._tool, self.tools), key=lambda row: (-row.calls, row.tool))),
            edits=_counted(self.edits),
            checks=_counted(self.checks),
            used=tuple(self._item(item) for item, _ in _most(self.used)),
            unused=tuple(
                self._item(item) for item, _ in _most(self.shown - Counter(dict.fromkeys(self.used, 1 << 30)))
            ),
            promotions=tuple(reversed(self.promotions[-MOST_PROMOTIONS:])),
            good=sum(row.good for row in models),
            bad=sum(row.bad for row in models),
        )

    def _tool(self, name: str) -> ToolStats:
        statuses = self.tools[name]
        errors = sum(count for status, count in statuses.items() if ToolStatus(status).is_failure)
        return ToolStats(name, statuses.total(), _counted(statuses), errors, self.tool_tokens[name])

    def _item(self, item: ItemId) -> ItemStats:
        ways = self.ways.get(item, Counter())
        rows = tuple((kind, ways[kind]) for kind in UseKind if ways[kind])
        return ItemStats(item, self.shown[item], self.used[item], rows)


def _model_stats(name: str, row: _Model) -> ModelStats:
    return ModelStats(
        model=name,
        turns=row.turns,
        requests=row.requests,
        estimated=row.estimated,
        measured=row.measured,
        measured_estimate=row.measured_estimate,
        prompt=row.prompt,
        completion=row.completion,
        cost=row.cost,
        unpriced=row.unpriced,
        good=row.good,
        bad=row.bad,
    )


def _check(event: TurnCompleted, *, is_command: bool) -> str:
    """Return what ended a turn; for a command the user typed, that it was theirs, and whether it ended by itself."""
    if not is_command:
        return event.stopped_by.value
    return "your own" if event.stopped_by is StoppedBy.ANSWER else "your own, broken off"


def _counted(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(((name, count) for name, count in counts.items() if count), key=lambda row: (-row[1], row[0])))


def _most(counts: Counter[ItemId]) -> list[tuple[ItemId, int]]:
    return sorted(((i, n) for i, n in counts.items() if n > 0), key=lambda row: (-row[1], row[0]))[:MOST_ITEMS]
