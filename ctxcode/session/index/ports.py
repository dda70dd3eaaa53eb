"""What keeping the index in step needs of the outside."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NoReturn, Protocol

from ctxcode.model.source import BrokenFile, FileStamp, Guess, Scan, SkippedFile, SourceFile
from ctxcode.store.index.graph import PublishedGraph
from ctxcode.store.index.seen import KnownFile, LastSeen
from ctxcode.store.index.writer import NewFile, Published

if TYPE_CHECKING:
    from ctxcode.codegraph.edges import PackedGraph
    from ctxcode.codegraph.pool import ParseOutcome


class WorkTree(Protocol):
    """Looks at the user's files."""

    def scan(self) -> Scan:
        """Return what can be indexed now."""
        ...

    def guess(self) -> Guess | None:
        """Return what a scan finds if nothing has changed but what a quick look finds; None when that is nothing."""
        ...

    def is_as_in(self, snapshot: bytes) -> bool:
        """Return whether nothing has changed since the scan that gave a snapshot."""
        ...


class Parser(Protocol):
    """Parses files in processes of its own."""

    def warm_up(self) -> None:
        """Begin to start a worker; returns at once."""
        ...

    def parse(self, paths: Sequence[tuple[str, str]], *, written: Collection[str] = ...) -> "Iterator[ParseOutcome]":
        """Yield one outcome per (path, language), in any order; letting go of the iterator ends the work.

        What was ``written`` is parsed also where something in it says that it was generated.
        """
        ...


class Writer(Protocol):
    """Writes the index; see ``store.index.writer.IndexWriter``."""

    def known(self) -> dict[str, KnownFile]:
        """Return what was last seen of each path."""
        ...

    def published(self) -> Published:
        """Return what is published."""
        ...

    def skipped(self, files: Iterable[int]) -> list[SkippedFile]:
        """Return the skipped ones among file rows, and those of which symbols alone are kept."""
        ...

    def broken(self, files: Iterable[int]) -> list[BrokenFile]:
        """Return those among file rows in which there are syntax errors, most errors first."""
        ...

    def touch(self, files: Mapping[str, tuple[int, FileStamp]]) -> None:
        """Note new stamps of files whose content is the same."""
        ...

    def add(self, files: Sequence[NewFile]) -> list[int]:
        """Add files that nobody sees until they are published; return their rows."""
        ...

    def at_once(self) -> AbstractContextManager[None]:
        """Let all that is written meanwhile be one transaction, undone when something is raised."""
        ...

    def facts(self, files: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the stored facts of file rows."""
        ...

    def are_there(self, files: Collection[int]) -> bool:
        """Return whether all of these file rows are there: another process may have removed some."""
        ...

    def graph(self) -> PublishedGraph:
        """Return the published graph; there must be one."""
        ...

    def named(self, name: str) -> list[tuple[int, int, str]]:
        """Return (file row, position in the file, kind) of all symbols of a name, published or not."""
        ...

    def keep_symbols(self, file: int, facts: bytes, detail: str) -> None:
        """Put what is left of a file's facts in their place; ``detail`` says why."""
        ...

    def distrust(self) -> NoReturn:
        """Say that stored facts make no sense. Raises StoreError; ``repair`` then moves the index aside."""
        ...

    def index_names(self) -> None:
        """Let symbols be found by name, in any thread, while nothing else here is called."""
        ...

    def prepare(self, graph: "PackedGraph") -> None:
        """Do ahead, in any thread, what publishing a graph takes that does not hang on its ranks."""
        ...

    def publish(
        self, files: Mapping[str, int], graph: "PackedGraph", *, is_settled: bool = True, pending: int = 0
    ) -> Published | None:
        """Make these files and this graph the index; return what it is then, None when another process interfered.

        All else goes, unless so many files are ``pending``, still to be parsed.
        """
        ...

    def note_first_look(self, files: Iterable[SourceFile]) -> None:
        """Say what there is to index, before anything is published."""
        ...

    def note_seen(self, seen: LastSeen) -> None:
        """Note which work tree the published index is of, unless another process has published since."""
        ...

    def note_unread(self, files: int) -> None:
        """Note how many files may define something and could not be read."""
        ...

    def tidy(self) -> None:
        """Leave the file small."""
        ...


class Turn(Protocol):
    """The right to index much, which one process has at a time; see ``store.disk.Turn``."""

    def take(self, *, is_pressing: bool = False) -> bool:
        """Return whether it is this process's turn now; a pressing wish is told to whoever has it."""
        ...

    def is_wished(self) -> bool:
        """Return whether another process waits for it with a pressing wish."""
        ...

    def tell(self, words: str) -> None:
        """Tell the others how far this is."""
        ...

    def heard(self) -> str:
        """Return what whoever has the turn told last."""
        ...

    def give_up(self) -> None:
        """Let another process have it."""
        ...


class IndexStore(Protocol):
    """Where the index is kept."""

    def turn(self) -> Turn:
        """Return the right to index much, not taken yet."""
        ...

    def open_writer(self) -> AbstractContextManager[Writer]:
        """Return a refresh's access. Raises StoreError."""
        ...

    def last_seen(self) -> LastSeen | None:
        """Return which work tree the published index is of, None when that was not noted. Raises StoreError."""
        ...

    def repair(self) -> bool:
        """Move a damaged index aside; return whether it was damaged."""
        ...
