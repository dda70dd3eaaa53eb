"""From the facts of files to the graph: of all anew, or of the few that changed."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol

from ctxcode.session.index.meanwhile import beside
from ctxcode.session.index.ports import Writer
from ctxcode.store.index.graph import PublishedGraph
from ctxcode.store.index.writer import Published

if TYPE_CHECKING:
    from ctxcode.codegraph.edges import PackedGraph
    from ctxcode.codegraph.facts import FileFacts

Named = Callable[[str], Sequence[tuple[int, int, str]]]
"""From a name to its definitions: (file number, position in the file, kind), in this order."""
_MOST_CHANGED = 50
"""Changed files up to which joining them alone is worth a try."""
_EARLY_SHARE = 8
"""One of so many files may have changed when nothing but these is joined at first,"""
_MOST_EARLY = 200
"""and so many of them."""
_MOST_DECODED_BYTES = 1_000_000
"""Stored facts that are kept decoded; so they take some five times as much."""
_READ_AT_ONCE = 50
"""Files that are read ahead before it is looked whether something else is wanted."""
_SIGNS = ".()"
"""What may stand around a name to say how it is meant."""
_PARTS = 20
"""Readings ahead after which what they found is put together."""

Mentioning = Callable[[Collection[str]], Collection[int]]
"""From names to at least the files whose stored facts say one of them, by number."""
EarlyGraph = Callable[
    [PublishedGraph, "Mapping[str, FileFacts | None]", "Callable[[int], FileFacts]", Named, Mentioning],
    "PackedGraph | None",
]
"""``codegraph.resolve.again.early.early_graph``."""


class BuildGraph(Protocol):
    """``codegraph.resolve.graph.build_graph``."""

    def __call__(self, files: "Mapping[str, FileFacts]", check: Callable[[], None] = ...) -> "PackedGraph": ...  # noqa: D102


class UpdateGraph(Protocol):
    """``codegraph.resolve.again.update.update_graph``."""

    def __call__(  # noqa: D102
        self,
        stored: PublishedGraph,
        changed: "Mapping[str, FileFacts | None]",
        facts: "Callable[[int], FileFacts]",
        named: Named,
        mentioning: Mentioning,
        *,
        is_patient: bool,
    ) -> "PackedGraph | None": ...


@dataclass(frozen=True, slots=True)
class FactTools:
    """What is done with facts between store and graph; workers encode them and leave out what joining does not need."""

    decode: "Callable[[bytes], FileFacts]"
    """Raises ValueError for anything that is no facts of this version."""
    build_graph: BuildGraph
    update_graph: UpdateGraph
    early_graph: EarlyGraph
    rank_graph: "Callable[[PackedGraph], PackedGraph]"
    words_said: "Callable[[FileFacts], AbstractSet[str]]"
    """All words by which a file can mean what another one defines."""
    word_index: "Callable[[], WordIndex]"


class WordIndex(Protocol):
    """``codegraph.words.WordIndex``."""

    rows: set[int]

    def add(self, said: Mapping[int, Collection[str]]) -> None: ...  # noqa: D102
    def forget(self, rows: Iterable[int]) -> None: ...  # noqa: D102
    def saying(self, words: Iterable[str]) -> set[int]: ...  # noqa: D102
    def settle(self) -> None: ...  # noqa: D102


class SettledGraph(NamedTuple):
    """A graph in which all files were joined, and what those said then that have changed or gone since."""

    graph: PublishedGraph
    said: "Mapping[str, FileFacts]"
    """By path."""


class FactReader(Protocol):
    """Reads stored facts; see ``Writer``."""

    def facts(self, files: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the stored facts of file rows."""
        ...


class FactMemory:
    """What is remembered of the stored facts of one index file: there a row never means another file."""

    def __init__(self, tools: FactTools, reader: FactReader) -> None:
        """Take who reads them, always from the same file."""
        self.reader = reader
        self.settled: SettledGraph | None = None
        """What was published before edges were left as they were,"""
        self._unsettled = ""
        """and the publication in which they are; empty when that is not published, or not the last one."""
        self._tools = tools
        self._decoded: dict[int, FileFacts] = {}
        self._decoded_bytes = 0
        self._words = tools.word_index()
        self._parts = 0
        """How often something was added to them since they were put together."""

    def note_published(self, unsettled: str) -> None:
        """Note what was published: the publication when edges are left in it, else nothing."""
        self._unsettled = unsettled
        if not unsettled:
            self.settled = None

    def settled_before(self, publication: str) -> SettledGraph | None:
        """Return what was published before edges were left as they are in a publication.

        Of what another process has published it is not known what was joined how.
        """
        if publication != self._unsettled:
            self.settled = None
        return self.settled

    def facts(self, row: int) -> "FileFacts":
        """Return what is stored in a row; who edits a file again speaks of the same others again.

        Raises ValueError when it is missing or makes no sense.
        """
        known = self._decoded.get(row)
        if known is not None:
            return known
        for _, data in self.reader.facts((row,)):
            if self._decoded_bytes > _MOST_DECODED_BYTES:
                self._decoded.clear()
                self._decoded_bytes = 0
            self._decoded[row] = facts = self._tools.decode(data)
            self._decoded_bytes += len(data)
            return facts
        raise ValueError("facts are missing")

    def forget(self, row: int) -> None:
        """Forget a row of which other facts are stored now."""
        self._decoded.pop(row, None)
        self._words.forget((row,))

    def mentioning(self, rows: Iterable[int]) -> Callable[[Collection[str]], set[int]]:
        """Return what tells of some names which of these rows, at least, say one of them.

        Of what is not read yet, how a name is said, by what stands around it, is not known.
        """
        wanted = set(rows)
        unread = cache(lambda: dict(self.reader.facts(sorted(wanted - self._words.rows))))

        def find(names: Collection[str]) -> set[int]:
            found = self._words.saying(names)
            for stored_word in {name.rpartition(" ")[2].strip(_SIGNS).encode() for name in names}:
                found.update([row for row, data in unread().items() if stored_word in data])
            return found & wanted

        return find

    def read_ahead(self, rows: Collection[int], is_wanted: Callable[[], bool]) -> None:
        """Find out what these rows say, until something else is wanted; forget all others. Raises ValueError."""
        words = self._words
        words.forget(words.rows.difference(rows))
        unread = sorted(set(rows) - words.rows)
        for start in range(0, len(unread), _READ_AT_ONCE):
            if is_wanted():
                return
            read = self.reader.facts(unread[start : start + _READ_AT_ONCE])
            words.add({row: self._tools.words_said(self._tools.decode(data)) for row, data in read})
            self._parts += 1
        if self._parts > _PARTS and not is_wanted():
            words.settle()
            self._parts = 0


class RowsGoneError(Exception):
    """Another process has removed rows that a refresh relies on: it has to look again."""


class Joining:
    """Gives the graph of one refresh.

    Its methods raise StoreError when stored facts make no sense, and RowsGoneError when some are gone.
    """

    def __init__(
        self, tools: FactTools, writer: Writer, memory: FactMemory, check: Callable[[], None] = lambda: None
    ) -> None:
        """Take what reads and joins facts, and what is called before each file: it may raise HaltedError."""
        self._tools = tools
        self._writer = writer
        self._memory = memory
        self._check = check

    def updated(
        self, rows: Mapping[str, int], changed: "Mapping[str, FileFacts | None]", *, is_patient: bool = True
    ) -> "PackedGraph | None":
        """Return the graph when joining a few files again, and those that speak of them, is enough; else None.

        ``rows`` maps the paths that were published to their rows then, ``changed`` those that have changed, come or
        gone to what they say now; None is for gone ones.
        """
        update = partial(self._tools.update_graph, is_patient=is_patient)
        return self._made(update, rows, changed) if len(changed) <= _MOST_CHANGED else None

    def early(self, rows: Mapping[str, int], changed: "Mapping[str, FileFacts | None]") -> "PackedGraph | None":
        """Return the same where that is not enough, with edges of all other files as they were; None for much."""
        most = max(_MOST_CHANGED, min(len(rows) // _EARLY_SHARE, _MOST_EARLY))
        return self._made(self._tools.early_graph, rows, changed) if len(changed) <= most else None

    def remember(
        self, rows: Mapping[str, int], changed: "Mapping[str, FileFacts | None]", published: Published
    ) -> None:
        """Remember for ``settled`` what is published before ``early`` is; both are given as to that.

        Where edges were left as they were before, it is what was published before these, and what files said in it.
        """
        graph, settled = self._writer.graph(), self._memory.settled_before(published.publication)
        if published.is_settled:
            # Another process may have published one in which edges are left.
            is_same = self._writer.published().publication == published.publication
            settled = SettledGraph(graph, {}) if is_same else None
        self._memory.settled = None
        if settled is None:
            return
        then = set(settled.graph.rows)
        # What another process has removed need not be remembered: it has published, so nothing begins with this.
        with suppress(ValueError):
            said = {path: self._memory.facts(row) for path in changed if (row := rows.get(path)) in then}
            self._memory.settled = SettledGraph(settled.graph, {**said, **settled.said})

    def settled(
        self, rows: Mapping[str, int], facts: "Mapping[str, FileFacts]", publication: str
    ) -> "PackedGraph | None":
        """Return the graph of all files after ``early`` has left edges as they were, None when all have to be joined.

        It is the graph of before that, with all that has changed since joined again, and those that speak of it.
        ``rows`` maps paths to what is stored of them, ``facts`` others to what they say now; ``publication`` is what is
        published.
        """
        settled = self._memory.settled_before(publication)
        if settled is None:
            return None
        graph, said = settled
        then = dict(zip(graph.paths, graph.rows, strict=True))
        come = {path: row for path, row in rows.items() if then.get(path) != row}
        gone = then.keys() - rows.keys() - facts.keys()
        changed: dict[str, FileFacts | None] = {**dict.fromkeys(gone), **facts}
        if len(come) + len(changed) > _MOST_CHANGED:
            return None
        try:
            changed |= {path: self._memory.facts(row) for path, row in come.items()}
            before = {path: said.get(path) or self._memory.facts(then[path]) for path in changed if path in then}
            made = self._joined_again(partial(self._tools.update_graph, is_patient=True), graph, before, changed)
        except ValueError:
            # Rows of then or now are gone: who joins all files finds out why.
            return None
        return made if made is None or made.is_ranked else self._tools.rank_graph(made)

    def _made(
        self, make: EarlyGraph, rows: Mapping[str, int], changed: "Mapping[str, FileFacts | None]"
    ) -> "PackedGraph | None":
        graph = self._writer.graph()
        if set(rows.values()) != set(graph.rows):
            return None
        try:
            made = self._joined_again(make, graph, {}, changed)
        except ValueError:
            self._give_up(graph.rows)
        # Of rows that went meanwhile no names were found any more. Those that stay, publishing looks at.
        if not self._writer.are_there([rows[path] for path in changed if path in rows]):
            raise RowsGoneError
        return made

    def _joined_again(
        self,
        make: EarlyGraph,
        graph: PublishedGraph,
        before: "Mapping[str, FileFacts]",
        changed: "Mapping[str, FileFacts | None]",
    ) -> "PackedGraph | None":
        """Return what is made of a graph; ``before`` is what files said in it of which that is stored no longer.

        Raises ValueError.
        """

        def read(number: int) -> "FileFacts":
            self._check()
            return said[number] if number in said else self._memory.facts(graph.rows[number])

        said = {number: before[path] for number, path in enumerate(graph.paths) if path in before}
        numbers = {row: number for number, row in enumerate(graph.rows) if number not in said}
        return make(
            graph,
            changed,
            read,
            self._named_in(numbers, said),
            self._mentioning_in(numbers, said),
        )

    def anew(self, rows: Mapping[str, int], facts: "Mapping[str, FileFacts]") -> "PackedGraph":
        """Return the graph of all files, given the rows of some and what the others say."""
        facts = self._all_facts(rows, facts)
        with beside(self._writer.index_names):
            return self._tools.build_graph(facts, self._check)

    def _all_facts(self, rows: Mapping[str, int], facts: "Mapping[str, FileFacts]") -> "dict[str, FileFacts]":
        """Return facts and those stored in rows, given by path."""
        found = dict(facts)
        paths = {row: path for path, row in rows.items()}
        for row, data in self._writer.facts(tuple(paths)):
            self._check()
            found[paths[row]] = self._decoded(data)
        if len(found) != len(rows) + len(facts):
            self._give_up(paths)
        return found

    def _give_up(self, rows: Collection[int]) -> NoReturn:
        """Raise what tells why facts of these rows are missing: who publishes removes what it does not publish."""
        if self._writer.are_there(rows):
            self._writer.distrust()
        raise RowsGoneError

    def _decoded(self, data: bytes) -> "FileFacts":
        try:
            return self._tools.decode(data)
        except ValueError:
            self._writer.distrust()

    def _named_in(self, numbers: Mapping[int, int], said: "Mapping[int, FileFacts]") -> Named:
        """Return what finds the definitions of a name in files given by row, and in those that said something else."""

        def named(name: str) -> list[tuple[int, int, str]]:
            self._check()
            found = [
                (numbers[row], position, kind) for row, position, kind in self._writer.named(name) if row in numbers
            ]
            found += [
                (number, position, symbol.kind)
                for number, facts in said.items()
                for position, symbol in enumerate(facts.symbols)
                if symbol.name == name
            ]
            return sorted(found)

        return named

    def _mentioning_in(self, numbers: Mapping[int, int], said: "Mapping[int, FileFacts]") -> Mentioning:
        mentioning = self._memory.mentioning(numbers)
        words = {number: self._tools.words_said(facts) for number, facts in said.items()}

        def find(names: Collection[str]) -> list[int]:
            saying = [number for number, each in words.items() if not each.isdisjoint(names)]
            return sorted([*[numbers[row] for row in mentioning(names)], *saying])

        return find
