"""A folder with its index, wired as the product wires them."""

import atexit
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from ctxcode.bootstrap.index.early import useful_workers
from ctxcode.codegraph.codec import decode_facts
from ctxcode.codegraph.isolation.idle import IdleWorkers
from ctxcode.codegraph.isolation.intake import take_in
from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.paths import cheapest_path
from ctxcode.codegraph.pool import ParsePool
from ctxcode.codegraph.rank import ranked
from ctxcode.codegraph.resolve.again.early import early_graph
from ctxcode.codegraph.resolve.again.said import words_said
from ctxcode.codegraph.resolve.again.update import update_graph
from ctxcode.codegraph.resolve.graph import build_graph
from ctxcode.codegraph.words import WordIndex
from ctxcode.model.source import IndexReport
from ctxcode.model.symbol import Symbol
from ctxcode.session.index.indexing import Indexing
from ctxcode.session.index.joining import FactTools
from ctxcode.session.index.ports import WorkTree
from ctxcode.store.index.reader import SqliteIndex
from ctxcode.workspace.files import FolderWorkspace, open_workspace

IDLE = IdleWorkers(1)
"""The parser that waits for the next folder's refresh."""
atexit.register(IDLE.close)
TOOLS = FactTools(decode_facts, build_graph, update_graph, early_graph, ranked, words_said, WordIndex)


@dataclass
class IndexedFolder:
    """A work tree at ``root``, its index in ``cache``; close it at the end."""

    root: Path
    cache: Path
    versions: str = "test"
    clock_ns: Callable[[], int] = time.time_ns
    pool: ParsePool | None = None
    """Parses in place of a pool per refresh; stays open."""
    is_kept: bool = False
    """It stands in the process that refreshes for the app: that one keeps its writer and is awaited."""
    seen_through: Callable[[FolderWorkspace], WorkTree] = lambda workspace: workspace
    """What the indexing sees of the work tree."""
    index: SqliteIndex = field(init=False)
    indexing: Indexing = field(init=False)
    workspace: FolderWorkspace = field(init=False)
    phases: list[str] = field(default_factory=list)
    clock: Callable[[], float] = time.monotonic
    tools: FactTools = TOOLS

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        workspace = self.workspace = replace(open_workspace(str(self.root), language_of), clock_ns=self.clock_ns)
        self.index = SqliteIndex(self.cache, versions=self.versions, find_path=cheapest_path, keeps_writer=self.is_kept)
        self.indexing = Indexing(
            self.seen_through(workspace),
            self.index,
            lambda wanted: self._parser(min(wanted, useful_workers())),
            hash_file=lambda path: take_in(workspace.info.root, path).content_hash,
            tools=self.tools,
            clock=lambda: self.clock(),  # noqa: PLW0108 - it may be another one by then
        )

    def _parser(self, workers: int) -> AbstractContextManager[ParsePool]:
        return ParsePool(self.root, workers=workers, idle=IDLE) if self.pool is None else nullcontext(self.pool)

    def write(self, path: str, text: str) -> None:
        """Write one file of the work tree."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def refresh(self, is_cancelled: Callable[[], bool] = lambda: False) -> IndexReport:
        """Bring the index in step."""
        report = self.indexing.refresh(self._note, is_cancelled, is_awaited=self.is_kept)
        if self.is_kept:
            self.indexing.tidy()
            self.workspace.settle()
            report = self._settled(report)
            self.indexing.read_ahead(lambda: False)
        return report

    def _settled(self, report: IndexReport) -> IndexReport:
        """Join what the refresh has left: what is defined where is known before."""
        known = symbols(self.index)
        self.indexing.settle()
        assert known == symbols(self.index)
        stats = self.index.stats()
        return replace(report, revision=stats.revision, edges=stats.edges, is_settled=True)

    def _note(self, done: int, total: int, phase: str) -> None:
        assert 0 <= done <= total
        self.phases.append(phase)

    def close(self) -> None:
        """Close everything that is open."""
        self.index.close()


def symbols(index: SqliteIndex) -> list[Symbol]:
    """Return what an index says of all symbols, but what their modules are called."""
    return [replace(symbol, module="") for symbol in index.symbols_at(range(index.stats().symbols)).values()]


def contents(index: SqliteIndex, words: tuple[str, ...] = ()) -> dict[str, object]:
    """Return everything the index answers, in a form two indexes can be compared by."""
    stats = index.stats()
    nodes = index.symbols_at(range(stats.symbols))
    return {
        "stats": stats,
        "symbols": nodes,
        "links": {node: sorted(index.links(node)) for node in nodes},
        "edges": {node: index.edges_of(symbol.id) for node, symbol in nodes.items()},
        "modules": index.modules(),
        "renamed": [index.renamed("", entry.path) for entry in index.modules()],
        "imported": index.imported("\t"),
        "central": index.central(1000),
        "hits": {word: index.search([(word, 1.0)], limit=20) for word in words},
    }


def indexed(folders: pytest.TempPathFactory, files: Mapping[str, str]) -> Iterator[IndexedFolder]:
    """Yield a folder that holds these files, indexed, and close it after."""
    made = IndexedFolder(folders.mktemp("tree"), folders.mktemp("cache"))
    for path, text in files.items():
        made.write(path, text)
    made.refresh()
    yield made
    made.close()
