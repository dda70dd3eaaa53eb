"""What a finished turn says about items: who named what, what was shown, what is leased because of it."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ctxcode.codegraph.resolve.named.common_names import common_methods
from ctxcode.feedback.use import Doings, Lines, edited_lines, shown_sections, uses
from ctxcode.intent.follow import refers_back
from ctxcode.intent.mention import mentions
from ctxcode.intent.passage import bounded, split_passages
from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.conversation import ToolCall, ToolRound, ToolStatus
from ctxcode.model.edit.change import FileChange, FileVerdict
from ctxcode.model.engine.activation import ItemSignals, SignalKind
from ctxcode.model.engine.cluster import ClusterEvidence, QueryCluster
from ctxcode.model.engine.event import TurnReflected
from ctxcode.model.ids import ItemId, SymbolId, file_item, symbol_item
from ctxcode.model.plan import ContextPlan, ReasonType, Section
from ctxcode.model.retrieval import Mention, MentionKind, Query, RetrievalSet
from ctxcode.model.symbol import Symbol
from ctxcode.reflection.clusters import cluster_of, found_for
from ctxcode.reflection.promotion import passed_over, promotions
from ctxcode.session.memory.branch import BranchState
from ctxcode.session.ports import CodeGraph

_RETRIEVED = 24
"""How many of the best retrieved symbols count as retrieved: what no plan has room for says nothing."""
_LOOKED_BACK = 64
"""Among so many of the newest turns are those of the current cluster: commands and failures stand between them."""
_FAMILIES = ("python", "ecmascript", "rust", "go", "java")
_ERRORS = (ToolStatus.FAILED, ToolStatus.REFUSED)
_SHOWN = frozenset({Section.PIN, Section.SCAFFOLD, Section.TOUCHPOINT})


def _nowhere_near(_: Sequence[str]) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What is known of a turn when its last reply has ended."""

    turn: int
    prompt: str
    reply: str
    """All that the model said, before its tool calls too."""
    plan: ContextPlan
    """Of its last request."""
    retrieved: RetrievalSet | None = None
    rounds: tuple[ToolRound, ...] = ()
    rejected: tuple[tuple[FileChange, FileVerdict], ...] = ()
    """Changes of files of which something was rejected."""
    applied: tuple[tuple[FileChange, FileVerdict], ...] = ()
    """Changes of files that were written."""
    meant: Callable[[Sequence[str]], float] = _nowhere_near
    """How near the prompt is in meaning to others, as far as can be told."""


@dataclass(slots=True)
class _Tally:
    """Signals by item, each kind once."""

    found: dict[ItemId, set[SignalKind]] = field(default_factory=dict)

    def add(self, items: Iterable[ItemId], signal: SignalKind) -> None:
        for item in items:
            self.found.setdefault(item, set()).add(signal)

    def rows(self) -> tuple[ItemSignals, ...]:
        order = list(SignalKind)
        return tuple(
            ItemSignals(item, tuple(sorted(signals, key=order.index))) for item, signals in sorted(self.found.items())
        )


def reflected(facts: TurnFacts, branch: BranchState, graph: CodeGraph) -> TurnReflected:
    """Return what a turn says about items and what is to be leased because of it. Reads the graph only."""
    shown = {item.id: item for item in facts.plan.included if item.section in _SHOWN}
    tally, asked_of, read = _Tally(), set[ItemId](), list[Lines]()
    known = frozenset(shown) | {pin.item for pin in branch.pins}
    query = parse_prompt(facts.prompt)
    meant_by_user = referenced(query.mentions, graph, known)
    tally.add(meant_by_user, SignalKind.USER_REFERENCE)
    said = mentions(split_passages(bounded(facts.reply)))
    named = referenced(said, graph, known)
    tally.add(named, SignalKind.MODEL_REFERENCE)
    for made in facts.rounds:
        for call, result in zip(made.calls, made.results, strict=False):
            asked = _asked_about(call, graph, known)
            tally.add(asked, SignalKind.MODEL_REFERENCE)
            tally.add(asked if result.status in _ERRORS else (), SignalKind.TOOL_ERROR)
            if result.status is ToolStatus.OK:
                asked_of |= set(asked)
                read += _lines_read(call)
    for change, verdict in facts.rejected:
        tally.add(_rejected(change, verdict, graph), SignalKind.EDIT_REJECTED)
    tally.add(shown, SignalKind.IN_PLAN)
    hops = (i.id for i in shown.values() if any(reason.type is ReasonType.GRAPH for reason in i.reasons))
    tally.add(hops, SignalKind.HOP_TARGET)
    cluster = _cluster(facts, query, branch, meant_by_user)
    entries = facts.retrieved.entries[:_RETRIEVED] if facts.retrieved is not None else ()
    retrieved = [symbol_item(entry.symbol.id) for entry in entries]
    tally.add(found_for(cluster, branch.cluster, retrieved, branch.activation), SignalKind.RETRIEVED)
    signals = tally.rows()
    promoted = promotions(branch.activation, facts.turn, signals, branch.pins, branch.dropped)
    over = passed_over(branch.activation, facts.turn, signals, branch.pins, promoted)
    code = [item for item in shown.values() if item.path]
    used = uses(code, Doings(named, asked_of, read, edited_lines(facts.applied)))
    return TurnReflected(
        facts.turn,
        signals,
        promoted,
        passed_over=over,
        uses=used,
        shown=shown_sections(code, used),
        cluster=cluster,
    )


def _cluster(facts: TurnFacts, query: Query, branch: BranchState, named: Sequence[ItemId]) -> QueryCluster:
    """Return what the conversation is about with this turn's question."""
    current = branch.cluster
    mine = set(current.turns) if current is not None else set()
    before = [turn.prompt for turn in branch.turns[-_LOOKED_BACK:] if turn.number in mine]
    known: ClusterEvidence | None = None
    if query.is_contentless or refers_back(query):
        known = ClusterEvidence.NOTHING_NEW
    elif current is not None and not set(current.items).isdisjoint(named):
        known = ClusterEvidence.NAMED
    asked = [parse_prompt(prompt) for prompt in before]
    return cluster_of(current, facts.turn, query, asked, known=known, meant=lambda: facts.meant(before))


def _rejected(change: FileChange, verdict: FileVerdict, graph: CodeGraph) -> Iterator[ItemId]:
    """Yield the file and the definitions that rejected hunks are in."""
    yield file_item(change.path)
    lines = [hunk.before_start for place, hunk in enumerate(change.hunks) if place not in (verdict.hunks or ())]
    for symbol in graph.symbols_in(change.path):
        if symbol.qualname and any(symbol.start_line <= line <= symbol.end_line for line in lines):
            yield symbol_item(symbol.id)


def _lines_read(call: ToolCall) -> tuple[Lines, ...]:
    """Return the lines of a file that a call read."""
    if call.name != "read_file":
        return ()
    given = json.loads(call.arguments)
    start, end = given.get("start_line") or 1, given.get("end_line")
    return (Lines(given["path"], start, end) if end else Lines(given["path"], start),)


def _asked_about(call: ToolCall, graph: CodeGraph, known: frozenset[ItemId]) -> tuple[ItemId, ...]:
    """Return the items a tool call's arguments point at, by the names that all tools give them."""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ()
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    symbol, line = SymbolId(texts.get("symbol", "")), arguments.get("start_line")
    found = list(mentions(split_passages(bounded(texts.get("query", "")))))
    if "path" in texts:
        kind = MentionKind.LINE if isinstance(line, int) else MentionKind.PATH
        found.append(Mention(kind, texts["path"], line if isinstance(line, int) else 0))
    if "::" in symbol and graph.symbols([symbol]):
        return (symbol_item(symbol), *referenced(found, graph, known))
    if symbol:
        found.append(Mention(MentionKind.IDENTIFIER, symbol))
    return referenced(found, graph, known)


def referenced(found: Iterable[Mention], graph: CodeGraph, known: frozenset[ItemId]) -> tuple[ItemId, ...]:
    """Return the items that mentions stand for without doubt.

    A name has to be whole, no common one, and the name of one definition; of several, of one among ``known``.
    """
    items: dict[ItemId, None] = {}
    for mention in found:
        match mention.kind:
            case MentionKind.IDENTIFIER:
                item = _named(mention.text, graph, known)
            case MentionKind.LINE:
                item = _at_line(mention, graph)
            case MentionKind.PATH:
                paths = graph.paths_like(mention.text, 2)
                item = file_item(paths[0]) if len(paths) == 1 else None
        if item is not None:
            items[item] = None
    return tuple(items)


def _named(name: str, graph: CodeGraph, known: frozenset[ItemId]) -> ItemId | None:
    if len(name) < 3 or any(name in common_methods(family) for family in _FAMILIES):
        return None
    found = [symbol for symbol in graph.symbols_named(name, 12) if symbol.qualname]
    if len(found) > 1:
        found = [symbol for symbol in found if symbol_item(symbol.id) in known]
    return symbol_item(found[0].id) if len(found) == 1 else None


def _at_line(mention: Mention, graph: CodeGraph) -> ItemId | None:
    paths = graph.paths_like(mention.text, 2)
    if len(paths) != 1:
        return None
    around = [s for s in graph.symbols_in(paths[0]) if s.qualname and s.start_line <= mention.line <= s.end_line]
    return symbol_item(min(around, key=_extent).id) if around else file_item(paths[0])


def _extent(symbol: Symbol) -> tuple[int, str]:
    return symbol.end_line - symbol.start_line, symbol.id
