"""Looking into the graph: what a name means, who refers to it, how one definition reaches another, the scaffold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from ctxcode.context.candidate import Candidate
from ctxcode.context.candidates import Renderer, scaffold
from ctxcode.context.mode import limits_of
from ctxcode.model.engine.capsule import Capsule
from ctxcode.model.plan import ContextMode
from ctxcode.model.symbol import CONSTRUCTORS, Edge, EdgeKind, IndexStats, Symbol, step_cost
from ctxcode.session.assemble import source_lines
from ctxcode.session.look.landmarks import landmarks
from ctxcode.session.ports import CodeGraph, TokenCounter, Workspace

_MOST_ENDS = 4
"""Of a name with many definitions, so many are tried as the end of a chain."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that refers to a definition."""

    edge: Edge
    source: Symbol

    @property
    def line(self) -> int:
        """Return where in the source's file."""
        return self.edge.line or self.source.header_line or 1


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a chain with both its ends."""

    edge: Edge
    source: Symbol
    target: Symbol


@dataclass(frozen=True, slots=True)
class Chain:
    """How one definition reaches another."""

    start: Symbol
    end: Symbol
    steps: tuple[Step, ...]
    """Empty when the graph holds no chain."""
    is_reversed: bool = False
    """Nothing leads from the first name to the second, but this chain leads back."""


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
    pairs = list(product(starts[:_MOST_ENDS], ends[:_MOST_ENDS]))
    for is_reversed in (False, True):
        found = [
            (_cost(edges), place, start, end, edges)
            for place, (start, end) in enumerate(pairs)
            if (edges := graph.path_between(end.id, start.id) if is_reversed else graph.path_between(start.id, end.id))
        ]
        if found:
            _, _, start, end, edges = min(found, key=lambda row: row[:2])
            return Chain(start, end, _steps(graph, edges), is_reversed=is_reversed)
    return Chain(starts[0], ends[0], ())


def _cost(edges: Sequence[Edge]) -> int:
    own = [edge.source == edges[0].source or edge.target.rpartition(".")[2] in CONSTRUCTORS for edge in edges]
    return sum(step_cost(edge.kind, edge.resolution, is_own=is_own) for edge, is_own in zip(edges, own, strict=True))


def _steps(graph: CodeGraph, edges: Iterable[Edge]) -> tuple[Step, ...]:
    edges = tuple(edges)
    symbols = graph.symbols({end for edge in edges for end in (edge.source, edge.target)})
    return tuple(Step(edge, symbols[edge.source], symbols[edge.target]) for edge in edges)


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
    lines = source_lines(workspace, [symbol.path for symbol, _ in known])
    renderer = Renderer(counter.count, limits, lines)
    room = min(limits.scaffold_tokens, int(budget_tokens * limits.scaffold_share))
    if not capsules or not room:
        return Map(scaffold(graph.modules(), known, renderer, limit_tokens=room), graph.stats(), mode)
    from ctxcode.session.capsule.gather import told_capsules  # noqa: PLC0415 - most repositories have none

    told = told_capsules(capsules, graph, counter.count, terms=(), limit_tokens=room, dropped=())
    rows = scaffold(graph.modules(), known, renderer, limit_tokens=room - told.tokens)
    return Map((*rows, *told.told), graph.stats(), mode)
