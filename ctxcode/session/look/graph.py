"""Looking into the graph: what a name means, who refers to it, how one definition reaches another, the scaffold."""

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcode.codegraph.outline.known import WITHOUT_CALLS
from ctxcode.context.candidate import Candidate
from ctxcode.context.candidates import Renderer, scaffold
from ctxcode.context.mode import limits_of
from ctxcode.llm.navigator.edges.route import best_route, guesses
from ctxcode.model.engine.capsule import Capsule
from ctxcode.model.plan import ContextMode
from ctxcode.model.symbol import MEMBER_KINDS, UNSURE, Edge, EdgeKind, IndexStats, Symbol, SymbolKind
from ctxcode.session.look.landmarks import landmarks
from ctxcode.session.plans.lines import SourceLines
from ctxcode.session.ports import CodeGraph, TokenCounter, Workspace

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that refers to a definition."""

    edge: Edge
    source: Symbol

    @property
    def line(self) -> int:
        """Return where in the source's file."""
        return self.edge.line or self.source.header_line or 1


def is_followed(symbol: Symbol) -> bool:
    """Return whether what uses a definition is in the graph, as far as its language lets that be found out."""
    return symbol.language not in WITHOUT_CALLS and symbol.kind not in MEMBER_KINDS


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a chain with both its ends."""

    edge: Edge
    source: Symbol
    target: Symbol
    is_guess: bool = False
    """It leads to a part of what is reached, which need not be used, or to what overrides it."""

    @property
    def is_value(self) -> bool:
        """Whether a function is given to something that may call it, as functions stand in C's tables."""
        return self.edge.kind is EdgeKind.REFERENCES and self.target.kind in _CALLABLE

    @property
    def place(self) -> tuple[str, int]:
        """Return the path and line where the step is taken: of a part, where that stands."""
        return (self.source.path, self.edge.line) if self.edge.line else (self.target.path, self.target.header_line)


@dataclass(frozen=True, slots=True)
class Chain:
    """How one definition reaches another."""

    start: Symbol
    end: Symbol
    steps: tuple[Step, ...]
    """Empty when the graph holds no chain."""
    is_reversed: bool = False
    """Nothing leads from the first name to the second, but this chain leads back."""

    @property
    def is_doubtful(self) -> bool:
        """Whether one of its steps may not be taken."""
        return any(step.is_guess or step.edge.resolution in UNSURE for step in self.steps)


@dataclass(frozen=True, slots=True)
class Map:
    """The scaffold as a model sees it."""

    rows: tuple[Candidate, ...]
    """The module tree, then central definitions, then capsules."""
    stats: IndexStats
    mode: ContextMode

    @property
    def text(self) -> str:
        """Return what stands in the payload."""
        return "".join(row.richest.text for row in self.rows)

    @property
    def tokens(self) -> int:
        """Return what it costs."""
        return sum(row.richest.tokens for row in self.rows)


def references(graph: CodeGraph, symbol: Symbol) -> tuple[Reference, ...]:
    """Return the edges into a definition with their sources, by path and line; containment is none."""
    edges = [
        edge for edge in graph.edges_of(symbol.id) if edge.target == symbol.id and edge.kind is not EdgeKind.CONTAINS
    ]
    sources = graph.symbols({edge.source for edge in edges})
    found = [Reference(edge, sources[edge.source]) for edge in edges if edge.source in sources]
    return tuple(sorted(found, key=lambda one: (one.source.path, one.line, one.source.id, one.edge.kind)))


def chain(graph: CodeGraph, starts: Sequence[Symbol], ends: Sequence[Symbol]) -> Chain:
    """Return the best chain from one of some definitions to one of others, each best first; else one back."""
    route = best_route(graph, starts, ends)
    return Chain(route.start, route.end, _steps(graph, route.edges), is_reversed=route.is_reversed)


def _steps(graph: CodeGraph, edges: Sequence[Edge]) -> tuple[Step, ...]:
    symbols = graph.symbols({end for edge in edges for end in (edge.source, edge.target)})
    guessed = zip(edges, guesses(edges), strict=True)
    return tuple(Step(edge, symbols[edge.source], symbols[edge.target], is_guess) for edge, is_guess in guessed)


def scaffold_map(
    graph: CodeGraph,
    workspace: Workspace,
    counter: TokenCounter,
    *,
    mode: ContextMode,
    budget_tokens: int,
    capsules: Sequence[Capsule] = (),
) -> Map:
    """Return the scaffold a request in this mode would carry whose words name none of the capsules."""
    limits = limits_of(mode)
    known = landmarks(graph, workspace, limits.central_symbols)
    lines = SourceLines(workspace, [symbol.path for symbol, _ in known])
    renderer = Renderer(counter.count, limits, lines)
    room = min(limits.scaffold_tokens, int(budget_tokens * limits.scaffold_share))
    if not capsules or not room:
        return Map(scaffold(graph.modules(), known, renderer, limit_tokens=room), graph.stats(), mode)
    from ctxcode.session.capsule.gather import told_capsules  # noqa: PLC0415 - most repositories have none

    told = told_capsules(capsules, graph, counter.count, terms=(), limit_tokens=room, dropped=())
    rows = scaffold(graph.modules(), known, renderer, limit_tokens=room - told.tokens)
    return Map((*rows, *told.told), graph.stats(), mode)
