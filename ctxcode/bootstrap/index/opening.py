"""The index of a repository and what brings it in step, put together; what parses is imported when it is needed."""

import atexit
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.bootstrap.edits import editor_of, taken_back, undo_folder
from ctxcode.bootstrap.index.early import Programs, useful_workers
from ctxcode.bootstrap.search_path import keep_programs_outside
from ctxcode.codegraph.isolation.program import end_program
from ctxcode.codegraph.languages import FACTS_VERSION, grammar_versions, language_of
from ctxcode.codegraph.paths import cheapest_path
from ctxcode.model.errors import CtxcodeError
from ctxcode.session.index.indexing import Indexing
from ctxcode.session.index.joining import FactTools, Mentioning, Named
from ctxcode.settings.directory import directories, repository_key
from ctxcode.settings.settings import settings_for
from ctxcode.store.index.database import IndexDatabase, versioned_folder
from ctxcode.store.index.reader import SqliteIndex
from ctxcode.store.index.seen import INDEX_FOLDERS
from ctxcode.workspace.files import FolderWorkspace, open_workspace

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ctxcode.codegraph.edges import PackedGraph
    from ctxcode.codegraph.facts import FileFacts
    from ctxcode.codegraph.isolation.idle import IdleWorkers
    from ctxcode.codegraph.pool import ParsePool
    from ctxcode.codegraph.words import WordIndex
    from ctxcode.store.index.graph import PublishedGraph


class OpenedIndexing(NamedTuple):
    """An index that can be brought in step."""

    indexing: Indexing
    notices: tuple[str, ...]
    """What the user should know: an interrupted edit was taken back."""


def open_indexing(
    repository: Path, *, overrides: Mapping[str, object], environment: Mapping[str, str], programs: Programs
) -> OpenedIndexing:
    """Open what a repository's index needs, and no more; ``programs`` are parser processes started before.

    Raises RepositoryError, SettingsError or StoreError.
    """
    workspace = open_workspace(str(repository), language_of)
    root = Path(workspace.info.root)
    keep_programs_outside(root)
    folders = directories(environment)
    settings = settings_for(root, overrides=overrides, environment=environment)
    kept = undo_folder(folders, root)
    notices = taken_back(editor_of(root, kept), kept)
    cache = folders.cache / repository_key(root)
    if begin_index(cache, root):
        # Hardly anything is left to parse.
        while programs:
            end_program(programs.pop())
    index = open_index(cache)
    return OpenedIndexing(indexing_for(workspace, index, settings.workers, programs), notices)


def open_index(folder: Path, *, keeps_writer: bool = False, is_kept: bool = True) -> SqliteIndex:
    """Return the index that is kept in a repository's folder, or a copy of it in memory; created when first written.

    A kept writer is for who refreshes often, from one thread.
    """
    return SqliteIndex(
        index_place(folder),
        versions=_fact_versions(),
        find_path=cheapest_path,
        keeps_writer=keeps_writer,
        is_kept=is_kept,
    )


def index_place(folder: Path) -> Path:
    """Return where in a repository's folder the index is that this ctxcode makes.

    One that finds other things, an older one that still runs, has its own: neither takes the other's from it.
    """
    return folder / versioned_folder(_fact_versions())


def begin_index(folder: Path, root: Path) -> bool:
    """Fill a repository's index, if there is nothing in it yet, with that of a folder of nearly the same files.

    ``folder`` is where the repository's is kept. Returns whether there was such a one.
    """
    from ctxcode.store.index.alike.beginning import begin_as_most_alike

    own = index_place(folder)
    with suppress(OSError):
        others = (place for other in folder.parent.iterdir() if (place := index_place(other)) != own)
        return begin_as_most_alike(IndexDatabase(own, _fact_versions()), others, partial(_content_hash, str(root)))
    return False


def index_places(folder: Path) -> list[Path]:
    """Return where in a repository's folder indexes are, of whatever version."""
    with suppress(OSError):
        return sorted(folder.glob(f"{INDEX_FOLDERS}*"))
    return []


def same_files(places: Iterable[Path], root: Path) -> bool:
    """Return whether one of several indexes was made of mostly the files that a repository has."""
    from ctxcode.store.index.alike.sample import is_of_these

    return any(is_of_these(place, partial(_content_hash, str(root))) for place in places)


def _fact_versions() -> str:
    """Return the versions of all that says what is in an index."""
    versions = ",".join(f"{name}={version}" for name, version in sorted(grammar_versions().items()))
    return f"facts={FACTS_VERSION},{versions}"


def indexing_for(
    workspace: FolderWorkspace,
    index: SqliteIndex,
    workers: int | None,
    programs: Programs | None = None,
    *,
    keeps_parser: bool = False,
) -> Indexing:
    """Return what brings an index in step in this process, with a number of workers or as many as do good.

    ``programs`` are parser processes that were started before; the first refresh takes them over. One parser may be
    kept for this process's next refresh: starting one takes longer than parsing a file.
    """
    idle = _idle_parser() if keeps_parser else None
    parsers = _Parsers(workspace.info.root, workers or useful_workers(), programs or [], idle)
    return Indexing(
        workspace,
        index,
        parsers.opened,
        hash_file=partial(_content_hash, workspace.info.root),
        tools=FactTools(_decoded, _graph, _updated_graph, _early_graph, _ranked_graph, _words_said, _word_index),
    )


class _Parsers:
    """Opens what parses a repository's files, with at most so many workers."""

    def __init__(self, root: str, workers: int, programs: Programs, idle: "IdleWorkers | None") -> None:
        self._root = root
        self._workers = workers
        self._programs = programs
        self._idle = idle

    def opened(self, wanted: int) -> "AbstractContextManager[ParsePool]":
        """Return a pool for one refresh."""
        from ctxcode.codegraph.pool import ParsePool

        taken = self._programs.copy()
        self._programs.clear()
        return ParsePool(Path(self._root), workers=min(wanted, self._workers), programs=taken, idle=self._idle)


@cache
def _idle_parser() -> "IdleWorkers":
    """Return where this process keeps the one parser that waits for its next refresh, of whichever repository."""
    from ctxcode.codegraph.isolation.idle import IdleWorkers

    kept = IdleWorkers(1)
    atexit.register(kept.close)
    return kept


def _content_hash(root: str, path: str) -> str:
    from ctxcode.codegraph.isolation.intake import take_in

    return take_in(root, path).content_hash


def _decoded(data: bytes) -> "FileFacts":
    from ctxcode.codegraph.codec import decode_facts

    return decode_facts(data)


def _graph(files: Mapping[str, "FileFacts"], check: Callable[[], None] = lambda: None) -> "PackedGraph":
    from ctxcode.codegraph.resolve.graph import build_graph

    _load_numpy()
    return build_graph(files, check)


@cache
def _load_numpy() -> None:
    """Load numpy without the threads its linear algebra would start, one per core: graphs need none of it."""
    name = "OPENBLAS_NUM_THREADS"
    is_ours = name not in os.environ
    os.environ.setdefault(name, "1")
    import numpy  # noqa: F401, ICN001 - only while indexing

    if is_ours:
        del os.environ[name]


def _updated_graph(
    stored: "PublishedGraph",
    changed: "Mapping[str, FileFacts | None]",
    facts: "Callable[[int], FileFacts]",
    named: "Named",
    mentioning: "Mentioning",
    *,
    is_patient: bool,
) -> "PackedGraph | None":
    from ctxcode.codegraph.resolve.again.update import update_graph

    return _attempted(partial(update_graph, stored, changed, facts, named, mentioning, is_patient=is_patient))


def _early_graph(
    graph: "PublishedGraph",
    changed: "Mapping[str, FileFacts | None]",
    facts: "Callable[[int], FileFacts]",
    named: "Named",
    mentioning: "Mentioning",
) -> "PackedGraph | None":
    from ctxcode.codegraph.resolve.again.early import early_graph

    return _attempted(partial(early_graph, graph, changed, facts, named, mentioning))


def _attempted(work: "Callable[[], PackedGraph | None]") -> "PackedGraph | None":
    from ctxcode.codegraph.isolation.boundary import Failure, HaltedError, attempted

    # What goes wrong with one file is told when all are joined.
    made = attempted(work, passing=(ValueError, MemoryError, CtxcodeError, HaltedError))
    return None if isinstance(made, Failure) else made


def _ranked_graph(graph: "PackedGraph") -> "PackedGraph":
    from ctxcode.codegraph.rank import ranked

    return ranked(graph)


def _words_said(facts: "FileFacts") -> set[str]:
    from ctxcode.codegraph.resolve.again.said import words_said

    return words_said(facts)


def _word_index() -> "WordIndex":
    from ctxcode.codegraph.words import WordIndex

    _load_numpy()
    return WordIndex()
