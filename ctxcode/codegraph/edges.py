"""Edges as columns: collected as plain integers while names are resolved, packed into sorted arrays once."""

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctxcode.model.symbol import EdgeKind, Resolution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

EDGE_KINDS = tuple(EdgeKind)
RESOLUTIONS = tuple(Resolution)


class Tier:
    """Numbers of the ways an edge can be found; within a kind the surer one is smaller."""

    CONTAINS = 0
    IMPORTS = 1
    CALLS_IN_SCOPE = 2
    CALLS_IMPORTED = 3
    CALLS_ON_SELF = 4
    CALLS_QUALIFIED = 5
    CALLS_ON_TYPE = 6
    CALLS_ON_ATTRIBUTE = 7
    CALLS_UNIQUE_NAME = 8
    CALLS_ONE_OF_TWO = 9
    """One of three, four and five candidates follow."""
    INHERITS_IN_SCOPE = 13
    INHERITS_IMPORTED = 14
    INHERITS_UNIQUE_NAME = 15


MOST_CANDIDATES = 5
TIERS: tuple[tuple[EdgeKind, Resolution, float], ...] = (
    (EdgeKind.CONTAINS, Resolution.SCOPE, 1.0),
    (EdgeKind.IMPORTS, Resolution.IMPORT, 1.0),
    (EdgeKind.CALLS, Resolution.SCOPE, 1.0),
    (EdgeKind.CALLS, Resolution.IMPORT, 1.0),
    (EdgeKind.CALLS, Resolution.RECEIVER, 0.95),
    (EdgeKind.CALLS, Resolution.RECEIVER, 0.95),
    (EdgeKind.CALLS, Resolution.TYPE, 0.9),
    (EdgeKind.CALLS, Resolution.TYPE, 0.85),
    (EdgeKind.CALLS, Resolution.UNIQUE_NAME, 0.6),
    *((EdgeKind.CALLS, Resolution.AMBIGUOUS, 0.5 / count) for count in range(2, MOST_CANDIDATES + 1)),
    (EdgeKind.INHERITS, Resolution.SCOPE, 1.0),
    (EdgeKind.INHERITS, Resolution.IMPORT, 1.0),
    (EdgeKind.INHERITS, Resolution.UNIQUE_NAME, 0.6),
)
"""What each tier number says."""


@dataclass(frozen=True, slots=True)
class ResolvedGraph:
    """Nodes and edges of a repository; nodes are numbered by (path, position in the file)."""

    paths: tuple[str, ...]
    modules: tuple[str, ...]
    """Each path's dotted module name."""
    is_aside: tuple[bool, ...]
    """Each path: a test, an example, a benchmark or vendored."""
    first_node: tuple[int, ...]
    """Each path's module node; the last entry is the number of nodes."""
    is_module: bytes
    """One byte per node."""
    is_private: bytes
    """One byte per node."""
    sources: "array[int]" = field(default_factory=lambda: array("i"))
    targets: "array[int]" = field(default_factory=lambda: array("i"))
    tiers: "array[int]" = field(default_factory=lambda: array("b"))
    lines: "array[int]" = field(default_factory=lambda: array("i"))
    """The four columns of the edges, in order of discovery, with repetitions."""

    def add(self, source: int, target: int, tier: int, line: int) -> None:
        """Note an edge; one to itself says nothing and is left out."""
        if source != target:
            self.sources.append(source)
            self.targets.append(target)
            self.tiers.append(tier)
            self.lines.append(line)


@dataclass(frozen=True, slots=True)
class PackedGraph:
    """A graph as columns of machine integers, ready to be stored; ``i`` is int32, ``f`` float32, ``b`` int8."""

    paths: tuple[str, ...]
    modules: tuple[str, ...]
    edge_count: int
    is_aside: bytes
    """b, one per path."""
    first_node: bytes
    """i, one per path and the number of nodes."""
    sources: bytes
    """i, sorted by (source, target, kind)."""
    targets: bytes
    kinds: bytes
    """b, a position in EDGE_KINDS."""
    resolutions: bytes
    """b, a position in RESOLUTIONS."""
    confidences: bytes
    """f."""
    lines: bytes
    """i, the first place that makes the edge; 0 when there is none."""
    out_offsets: bytes
    """i, one per node and the number of edges: a node's edges are a slice."""
    in_offsets: bytes
    """i, the same for ``in_edges``."""
    in_edges: bytes
    """i, edge numbers sorted by (target, source, kind)."""
    file_ranks: bytes
    """f, one per path: the sum of its nodes' centrality."""
    central: bytes
    """i, the most central definitions, best first."""
    central_ranks: bytes
    """f, their centrality."""


def pack(graph: ResolvedGraph, ranks: "npt.NDArray[np.float64]", central: "Ints") -> PackedGraph:
    """Return the graph's columns sorted and without repetitions: the surest tier and the first line stay."""
    import numpy as np  # noqa: PLC0415 - only while indexing; reading the index does without

    count = graph.first_node[-1]
    sources, targets, tiers, lines = _unique(graph)
    kind_codes = np.array([EDGE_KINDS.index(kind) for kind, _, _ in TIERS], dtype=np.int8)
    resolution_codes = np.array([RESOLUTIONS.index(resolution) for _, resolution, _ in TIERS], dtype=np.int8)
    confidences = np.array([confidence for _, _, confidence in TIERS], dtype=np.float32)
    kinds = kind_codes[tiers]
    file_ranks = np.add.reduceat(ranks, graph.first_node[:-1]) if graph.paths else ranks
    return PackedGraph(
        paths=graph.paths,
        modules=graph.modules,
        edge_count=len(sources),
        is_aside=bytes(graph.is_aside),
        first_node=np.array(graph.first_node, dtype=np.int32).tobytes(),
        sources=sources.astype(np.int32).tobytes(),
        targets=targets.astype(np.int32).tobytes(),
        kinds=kinds.tobytes(),
        resolutions=resolution_codes[tiers].tobytes(),
        confidences=confidences[tiers].tobytes(),
        lines=lines.astype(np.int32).tobytes(),
        out_offsets=_offsets(sources, count),
        in_offsets=_offsets(targets, count),
        in_edges=np.lexsort((kinds, sources, targets)).astype(np.int32).tobytes(),
        file_ranks=file_ranks.astype(np.float32).tobytes(),
        central=central.astype(np.int32).tobytes(),
        central_ranks=ranks[central].astype(np.float32).tobytes(),
    )


def _unique(graph: ResolvedGraph) -> tuple["Ints", "Ints", "Ints", "Ints"]:
    import numpy as np  # noqa: PLC0415 - only while indexing

    sources = np.array(graph.sources, dtype=np.int64)
    targets = np.array(graph.targets, dtype=np.int64)
    tiers = np.array(graph.tiers, dtype=np.int64)
    lines = np.array(graph.lines, dtype=np.int64)
    kinds = np.array([EDGE_KINDS.index(kind) for kind, _, _ in TIERS], dtype=np.int64)[tiers]
    order = np.lexsort((lines, tiers, kinds, targets, sources))
    keys = ((sources * graph.first_node[-1] + targets) * len(EDGE_KINDS) + kinds)[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = keys[1:] != keys[:-1]
    kept = order[is_first]
    return sources[kept], targets[kept], tiers[kept], lines[kept]


def _offsets(ends: "Ints", count: int) -> bytes:
    import numpy as np  # noqa: PLC0415 - only while indexing

    offsets = np.zeros(count + 1, dtype=np.int32)
    np.cumsum(np.bincount(ends, minlength=count), out=offsets[1:])
    return offsets.tobytes()
