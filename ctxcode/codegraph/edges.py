"""Edges as columns: collected as plain integers while names are resolved, packed into sorted arrays once."""

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.model.symbol import EdgeKind, Resolution

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt


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
    CALLS_LINKED = 6
    """Declared where the call stands, defined once in another file: C and C++."""
    CALLS_ON_TYPE = 7
    CALLS_ON_ATTRIBUTE = 8
    CALLS_UNIQUE_NAME = 9
    CALLS_ONE_OF_TWO = 10
    """One of three, four and five candidates follow."""
    INHERITS_IN_SCOPE = 14
    INHERITS_IMPORTED = 15
    INHERITS_UNIQUE_NAME = 16
    IMPLEMENTS_IN_SCOPE = 17
    IMPLEMENTS_IMPORTED = 18
    IMPLEMENTS_UNIQUE_NAME = 19
    RE_EXPORTS = 20
    REFERENCES_IN_SCOPE = 21
    REFERENCES_IMPORTED = 22
    REFERENCES_QUALIFIED = 23
    REFERENCES_LINKED = 24
    REFERENCES_ON_TYPE = 25
    REFERENCES_ON_ATTRIBUTE = 26
    REFERENCES_UNIQUE_NAME = 27
    TESTS_BY_NAME_AND_USE = 28
    TESTS_BY_NAME = 29
    TESTS_BY_USE_OF_ONE = 30
    """Of two and three things follow."""
    IMPORTS_PACKAGE = 33
    """Of a package of several files, the one that stands for all of them."""


_RANK_BYTES = 4
_BETWEEN = "\0"
_NUMBER_BITS = 32
MOST_CANDIDATES = 5
MOST_TESTED = 3
"""A test that uses more things and is called after none of them says of none that it is what is tested."""
TIERS: tuple[tuple[EdgeKind, Resolution, float], ...] = (
    (EdgeKind.CONTAINS, Resolution.SCOPE, 1.0),
    (EdgeKind.IMPORTS, Resolution.IMPORT, 1.0),
    (EdgeKind.CALLS, Resolution.SCOPE, 1.0),
    (EdgeKind.CALLS, Resolution.IMPORT, 1.0),
    (EdgeKind.CALLS, Resolution.RECEIVER, 0.95),
    (EdgeKind.CALLS, Resolution.RECEIVER, 0.95),
    (EdgeKind.CALLS, Resolution.LINKAGE, 0.95),
    (EdgeKind.CALLS, Resolution.TYPE, 0.9),
    (EdgeKind.CALLS, Resolution.TYPE, 0.85),
    (EdgeKind.CALLS, Resolution.UNIQUE_NAME, 0.6),
    *((EdgeKind.CALLS, Resolution.AMBIGUOUS, 0.5 / count) for count in range(2, MOST_CANDIDATES + 1)),
    (EdgeKind.INHERITS, Resolution.SCOPE, 1.0),
    (EdgeKind.INHERITS, Resolution.IMPORT, 1.0),
    (EdgeKind.INHERITS, Resolution.UNIQUE_NAME, 0.6),
    (EdgeKind.IMPLEMENTS, Resolution.SCOPE, 1.0),
    (EdgeKind.IMPLEMENTS, Resolution.IMPORT, 1.0),
    (EdgeKind.IMPLEMENTS, Resolution.UNIQUE_NAME, 0.6),
    (EdgeKind.RE_EXPORTS, Resolution.IMPORT, 1.0),
    (EdgeKind.REFERENCES, Resolution.SCOPE, 1.0),
    (EdgeKind.REFERENCES, Resolution.IMPORT, 1.0),
    (EdgeKind.REFERENCES, Resolution.RECEIVER, 0.95),
    (EdgeKind.REFERENCES, Resolution.LINKAGE, 0.95),
    (EdgeKind.REFERENCES, Resolution.TYPE, 0.9),
    (EdgeKind.REFERENCES, Resolution.TYPE, 0.85),
    (EdgeKind.REFERENCES, Resolution.UNIQUE_NAME, 0.6),
    (EdgeKind.TESTS, Resolution.NAMING, 0.9),
    (EdgeKind.TESTS, Resolution.NAMING, 0.6),
    *((EdgeKind.TESTS, Resolution.USE, 0.7 / count) for count in range(1, MOST_TESTED + 1)),
    (EdgeKind.IMPORTS, Resolution.AMBIGUOUS, 0.5),
)
"""What each tier number says."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The symbols of a repository as numbers, by (path, position in the file)."""

    paths: tuple[str, ...]
    modules: tuple[str, ...]
    """Each path's dotted module name."""
    is_aside: tuple[bool, ...]
    """Each path: a test, an example, a benchmark or vendored."""
    first_node: tuple[int, ...]
    """Each path's module node; the last entry is the number of nodes."""
    traits: bytes
    """One byte per node: see ``facts.traits``."""
    packages: tuple[str, ...]
    """Each path's declared package, empty in languages without."""
    owners: tuple[tuple[int, int], ...]
    """(node, owner) of methods that stand outside their type, in node order."""
    added: tuple[str, ...] = ()
    """The names of what scripts of JavaScript add something to behind a dot, in order."""
    spoken: bytes = b""
    """How many files name or call what, encoded: of those languages where what a call means depends on it."""

    @property
    def count(self) -> int:
        """How many there are."""
        return self.first_node[-1]


@dataclass(frozen=True, slots=True)
class FoundEdges:
    """Edges in order of discovery, with repetitions, as four columns."""

    sources: "array[int]" = field(default_factory=lambda: array("i"))
    targets: "array[int]" = field(default_factory=lambda: array("i"))
    tiers: "array[int]" = field(default_factory=lambda: array("b"))
    lines: "array[int]" = field(default_factory=lambda: array("i"))

    def add(self, source: int, target: int, tier: int, line: int) -> None:
        """Note an edge; one to itself says nothing and is left out."""
        if source != target:
            self.sources.append(source)
            self.targets.append(target)
            self.tiers.append(tier)
            self.lines.append(line)

    def leave_out(self, start: int, is_left_out: "Callable[[int, int], bool]") -> None:
        """Leave out those edges from a place on of which a function of target and tier says so."""
        ends = zip(self.targets[start:], self.tiers[start:], strict=True)
        kept = [place for place, (target, tier) in enumerate(ends, start) if not is_left_out(target, tier)]
        for column in (self.sources, self.targets, self.tiers, self.lines):
            column[start:] = array(column.typecode, [column[place] for place in kept])

    def cut(self, start: int) -> None:
        """Leave out all edges from a place on."""
        for column in (self.sources, self.targets, self.tiers, self.lines):
            del column[start:]

    def add_all(self, pairs: "Sequence[tuple[int, int]]", tier: int) -> None:
        """Note edges of one tier between different nodes, given as (source, target), that stand on no line."""
        self.sources.extend([source for source, _ in pairs])
        self.targets.extend([target for _, target in pairs])
        self.tiers.extend([tier] * len(pairs))
        self.lines.extend([0] * len(pairs))


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges sorted by (source, target, kind) without repetitions: the surest tier and the first line stay."""

    sources: "npt.NDArray[np.int32]"
    targets: "npt.NDArray[np.int32]"
    kinds: "npt.NDArray[np.int8]"
    """Positions in EDGE_KINDS."""
    resolutions: "npt.NDArray[np.int8]"
    """Positions in RESOLUTIONS."""
    confidences: "npt.NDArray[np.float32]"
    lines: "npt.NDArray[np.int32]"


class Unjoined(NamedTuple):
    """A file that could not be joined, so that nothing leads out of it."""

    path: str
    facts: bytes
    """What is left of its facts, encoded: its symbols."""
    detail: str
    """What went wrong."""


@dataclass(frozen=True, slots=True)
class PackedGraph:
    """A graph as columns of machine integers, ready to be stored; ``i`` is int32, ``f`` float32, ``b`` int8."""

    paths: tuple[str, ...]
    modules: tuple[str, ...]
    packages: tuple[str, ...]
    is_aside: bytes
    """b, one per path."""
    traits: bytes
    """b, one per node."""
    owners: bytes
    """i, two per method that stands outside its type: it and the type."""
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
    file_ranks: bytes = b""
    """f, one per path: the sum of its nodes' centrality; empty until the graph is ranked."""
    central: bytes = b""
    """i, the most central definitions, best first."""
    central_ranks: bytes = b""
    """f, their centrality."""
    added: bytes = b""
    """The names of what scripts of JavaScript add something to behind a dot, with NUL between."""
    spoken: bytes = b""
    """How many files name or call what; see ``Nodes``."""
    unjoined: tuple[Unjoined, ...] = ()
    """The files of which it holds symbols alone; what is stored of them has to be replaced by what is left."""

    @property
    def is_ranked(self) -> bool:
        """Whether its centrality is known."""
        return len(self.file_ranks) == len(self.paths) * _RANK_BYTES

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return len(self.kinds)

    def nodes(self) -> Nodes:
        """Return the nodes."""
        owners = iter(array("i", self.owners))
        return Nodes(
            paths=self.paths,
            modules=self.modules,
            is_aside=tuple(map(bool, self.is_aside)),
            first_node=tuple(array("i", self.first_node)),
            traits=self.traits,
            packages=self.packages,
            owners=tuple(zip(owners, owners, strict=True)),
            added=tuple(self.added.decode().split(_BETWEEN)) if self.added else (),
            spoken=self.spoken,
        )

    def edges(self) -> Edges:
        """Return the edges."""
        import numpy as np  # noqa: PLC0415 - only while indexing

        return Edges(
            np.frombuffer(self.sources, dtype=np.int32),
            np.frombuffer(self.targets, dtype=np.int32),
            np.frombuffer(self.kinds, dtype=np.int8),
            np.frombuffer(self.resolutions, dtype=np.int8),
            np.frombuffer(self.confidences, dtype=np.float32),
            np.frombuffer(self.lines, dtype=np.int32),
        )


def sorted_edges(found: FoundEdges, node_count: int) -> Edges:
    """Return the edges in order, each once."""
    import numpy as np  # noqa: PLC0415 - only while indexing; reading the index does without

    sources = np.array(found.sources, dtype=np.int32)
    targets = np.array(found.targets, dtype=np.int32)
    tiers = np.array(found.tiers, dtype=np.int8)
    lines = np.array(found.lines, dtype=np.int32)
    kinds = np.array([EDGE_KINDS.index(kind) for kind, _, _ in TIERS], dtype=np.int8)
    resolutions = np.array([RESOLUTIONS.index(resolution) for _, resolution, _ in TIERS], dtype=np.int8)
    confidences = np.array([confidence for _, _, confidence in TIERS], dtype=np.float32)
    order = np.lexsort((lines, tiers, kinds[tiers], targets, sources))
    keys = ((sources.astype(np.int64) * node_count + targets) * len(EDGE_KINDS) + kinds[tiers])[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = keys[1:] != keys[:-1]
    kept = order[is_first]
    tiers = tiers[kept]
    return Edges(
        sources[kept],
        targets[kept],
        kinds[tiers],
        resolutions[tiers],
        confidences[tiers],
        lines[kept],
    )


def pack(nodes: Nodes, edges: Edges) -> PackedGraph:
    """Return a graph's columns as bytes; it is not ranked yet."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    return PackedGraph(
        paths=nodes.paths,
        modules=nodes.modules,
        packages=nodes.packages,
        is_aside=bytes(nodes.is_aside),
        traits=nodes.traits,
        owners=np.array(nodes.owners, dtype=np.int32).tobytes(),
        first_node=np.array(nodes.first_node, dtype=np.int32).tobytes(),
        sources=edges.sources.tobytes(),
        targets=edges.targets.tobytes(),
        kinds=edges.kinds.tobytes(),
        resolutions=edges.resolutions.tobytes(),
        confidences=edges.confidences.tobytes(),
        lines=edges.lines.tobytes(),
        out_offsets=_offsets(edges.sources, nodes.count),
        in_offsets=_offsets(edges.targets, nodes.count),
        in_edges=_by_target(edges.targets),
        added=_BETWEEN.join(nodes.added).encode(),
        spoken=nodes.spoken,
    )


def _by_target(targets: "npt.NDArray[np.int32]") -> bytes:
    """Return the numbers of edges sorted by target; they are sorted by source and kind already."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    # Plain sorting of both in one number takes half the time of sorting places.
    order = (targets.astype(np.int64) << _NUMBER_BITS) + np.arange(len(targets), dtype=np.int64)
    order.sort()
    return order.astype(np.int32).tobytes()


def _offsets(ends: "npt.NDArray[np.int32]", count: int) -> bytes:
    import numpy as np  # noqa: PLC0415 - only while indexing

    offsets = np.zeros(count + 1, dtype=np.int32)
    np.cumsum(np.bincount(ends, minlength=count), out=offsets[1:])
    return offsets.tobytes()
