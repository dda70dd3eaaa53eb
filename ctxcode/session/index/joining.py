"""From the facts of files to the graph: of all anew, or of the few that changed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcode.session.index.ports import Writer
from ctxcode.store.index.graph import PublishedGraph

if TYPE_CHECKING:
    from ctxcode.codegraph.edges import PackedGraph
    from ctxcode.codegraph.facts import FileFacts

Named = Callable[[str], Sequence[tuple[int, int, str]]]
"""From a name to its definitions: (file number, position in the file, kind), in this order."""
_MOST_CHANGED = 50
"""Changed files up to which joining them alone is worth a try."""
_MOST_DECODED_BYTES = 1_000_000
"""Stored facts that are kept decoded; so they take some five times as much."""

Mentioning = Callable[[Collection[str]], Collection[int]]
"""From names to at least the files whose stored facts say one of them, by number."""
UpdateGraph = Callable[
    [PublishedGraph, "Mapping[str, FileFacts | None]", "Callable[[int], FileFacts]", Named, Mentioning],
    "PackedGraph | None",
]
"""``codegraph.resolve.again.update.update_graph``."""


@dataclass(frozen=True, slots=True)
class FactTools:
    """What is done with facts between store and graph; workers encode them and leave out what joining does not need."""

    decode: "Callable[[bytes], FileFacts]"
    """Raises ValueError for anything that is no facts of this version."""
    build_graph: "Callable[[Mapping[str, FileFacts]], PackedGraph]"
    update_graph: UpdateGraph
    rank_graph: "Callable[[PackedGraph], PackedGraph]"


class DecodedFacts:
    """Facts that were decoded lately: who edits a file again speaks of the same others again."""

    def __init__(self, decode: "Callable[[bytes], FileFacts]") -> None:
        self._decode = decode
        self._known: dict[int, tuple[bytes, FileFacts]] = {}
        self._size_bytes = 0

    def of(self, row: int, data: bytes) -> "FileFacts":
        """Return what was stored in a row; decoded anew unless these are the very bytes. Raises as ``decode`` does."""
        known = self._known.get(row)
        if known is not None and known[0] is data:
            return known[1]
        facts = self._decode(data)
        if self._size_bytes > _MOST_DECODED_BYTES:
            self._known.clear()
            self._size_bytes = 0
        self._known[row] = data, facts
        self._size_bytes += len(data)
        return facts


class Joining:
    """Gives the graph of one refresh."""

    def __init__(self, tools: FactTools, writer: Writer, decoded: DecodedFacts) -> None:
        self._tools = tools
        self._writer = writer
        self._decoded_lately = decoded

    def updated(self, rows: Mapping[str, int], changed: "Mapping[str, FileFacts | None]") -> "PackedGraph | None":
        """Return the graph when joining a few files again, and those that speak of them, is enough; else None.

        ``rows`` maps the paths that were published to their rows then, ``changed`` those that have changed, come or
        gone to what they say now; None is for gone ones. Raises StoreError when stored facts make no sense.
        """
        if len(changed) > _MOST_CHANGED:
            return None
        graph = self._writer.graph()
        if set(rows.values()) != set(graph.rows):
            return None
        numbers = {row: number for number, row in enumerate(graph.rows)}
        try:
            return self._tools.update_graph(
                graph,
                changed,
                lambda number: self._facts(graph.rows[number]),
                self._named_in(numbers),
                self._mentioning_in(graph.rows),
            )
        except ValueError:
            self._writer.distrust()

    def all_facts(self, rows: Mapping[str, int], facts: "Mapping[str, FileFacts]") -> "dict[str, FileFacts]":
        """Return facts and those stored in rows, given by path. Raises StoreError when these make no sense."""
        found = dict(facts)
        paths = {row: path for path, row in rows.items()}
        for row, data in self._writer.facts(tuple(paths)):
            found[paths[row]] = self._decoded(data)
        if len(found) != len(rows) + len(facts):
            self._writer.distrust()
        return found

    def _facts(self, row: int) -> "FileFacts":
        for _, data in self._writer.facts((row,)):
            return self._decoded_lately.of(row, data)
        raise ValueError("facts are missing")

    def _decoded(self, data: bytes) -> "FileFacts":
        try:
            return self._tools.decode(data)
        except ValueError:
            self._writer.distrust()

    def _named_in(self, numbers: Mapping[int, int]) -> Named:
        def named(name: str) -> list[tuple[int, int, str]]:
            found = self._writer.named(name)
            return sorted((numbers[row], position, kind) for row, position, kind in found if row in numbers)

        return named

    def _mentioning_in(self, rows: Sequence[int]) -> Mentioning:
        stored = list[tuple[int, bytes]]()

        def mentioning(names: Collection[str]) -> list[int]:
            if not stored:
                numbers = {row: number for number, row in enumerate(rows)}
                stored.extend((numbers[row], data) for row, data in self._writer.facts(rows))
            found = set[int]()
            for wanted in [name.encode() for name in names]:
                found.update([number for number, data in stored if wanted in data])
            return sorted(found)

        return mentioning
