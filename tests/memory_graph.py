"""A graph made by hand, and questions to it."""

import re
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_foreign_path, is_side_path
from ctxcode.model.plan import Relation
from ctxcode.model.retrieval import LexicalHit, RetrievalSet, Retrieved
from ctxcode.model.symbol import MEMBER_KINDS, IndexStats, ModuleEntry, Symbol, SymbolKind
from ctxcode.retrieval.retrieve import retrieve

OF_TYPES = {Relation.INHERITS, Relation.INHERITED_BY, Relation.IMPLEMENTS, Relation.IMPLEMENTED_BY}
QUEUE = "shop/queue.py"
RETRY = "shop/retry.py"
TESTS = "tests/test_retry.py"


def symbol(
    path: str,
    qualname: str = "",
    kind: SymbolKind = SymbolKind.FUNCTION,
    lines: tuple[int, int] = (1, 10),
    doc: str = "",
) -> Symbol:
    """Return a symbol with the rest filled in; without a qualified name the file's module."""
    identity = SymbolId(f"{path}::{qualname}" if qualname else path)
    return Symbol(
        id=identity,
        name=qualname.rpartition(".")[2] or path,
        qualname=qualname,
        kind=kind if qualname else SymbolKind.MODULE,
        path=path,
        language="python",
        module=path.removesuffix(".py").replace("/", "."),
        start_line=lines[0],
        end_line=lines[1],
        header_line=lines[0],
        header_end_line=lines[0],
        signature=f"def {qualname.rpartition('.')[2]}()" if qualname else path,
        doc=doc,
    )


@dataclass
class MemoryGraph:
    """Symbols in a list; a node is a place in it."""

    listed: list[Symbol]
    bodies: dict[str, str] = field(default_factory=dict)
    """Symbol id to the words of its body."""
    edges: list[tuple[str, str, str, str]] = field(default_factory=list)
    """(source, target, relation of the source, relation of the target), as ids: (a, b, "calls", "called-by")."""
    meant: dict[str, str] = field(default_factory=dict)
    """Misspelt words to those that were meant."""

    def stats(self) -> IndexStats:
        return IndexStats("revision-1", 1, len(self.listed), len(self.edges), ())

    def symbols_named(self, name: str, limit: int = 50) -> tuple[Symbol, ...]:
        found = [one for one in self.listed if self._is_called(one, name)]
        return tuple(sorted(found, key=lambda one: one.id))[:limit]

    @staticmethod
    def _is_called(one: Symbol, name: str) -> bool:
        if not one.qualname:
            return one.id == name or f".{one.module}".endswith(f".{name}")
        return name in {one.name, one.id} or f".{one.dotted}".endswith(f".{name}")

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        return tuple(get_close_matches(name, [one.name for one in self.listed], limit))

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        return tuple(one for one in self.listed if one.path == path)

    def modules(self) -> tuple[ModuleEntry, ...]:
        paths = sorted({one.path for one in self.listed})
        return tuple(ModuleEntry(path, path, "python", 1, 1.0 / (1 + at), False) for at, path in enumerate(paths))

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        paths = sorted({one.path for one in self.listed})
        tails = [path for path in paths if f"/{path}".endswith(f"/{text}")]
        return tuple(tails or [path for path in paths if path.rpartition("/")[2] == text])[:limit]

    def search(
        self, terms: Sequence[tuple[str, float]], limit: int = 300, *, with_aside: bool = True
    ) -> tuple[LexicalHit, ...]:
        hits = []
        for node, one in enumerate(self.listed):
            if not with_aside and (is_side_path(one.path) or is_foreign_path(one.path)):
                continue
            text = f"{one.qualname} {one.path} {one.doc} {self.bodies.get(one.id, '')}"
            words = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)]
            score = sum(weight * words.count(term) for term, weight in terms)
            if score > 0 and one.kind not in MEMBER_KINDS:
                hits.append(LexicalHit(node, float(score), one.path))
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.node))[:limit])

    def nodes_of(self, ids: Collection[SymbolId]) -> dict[SymbolId, int]:
        return {one.id: node for node, one in enumerate(self.listed) if one.id in set(ids)}

    def symbols_at(self, nodes: Iterable[int]) -> dict[int, Symbol]:
        return {node: self.listed[node] for node in nodes}

    def nearest_word(self, word: str) -> str | None:
        return self.meant.get(word)

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        said = " ".join(self.texts_at(range(len(self.listed))).values()).lower()
        return frozenset(word for word in words if word not in said)

    def texts_at(self, nodes: Collection[int]) -> dict[int, str]:
        found = {node: self.listed[node] for node in nodes}
        return {
            node: f"{one.qualname}\n{one.path}\n{one.signature}\n{one.doc}\n{self.bodies.get(one.id, '')}"
            for node, one in found.items()
        }

    def width(self, node: int) -> int:
        return len(self.links(node))

    def owner(self, node: int) -> int | None:
        return next((other for other, relation, _ in self.links(node) if relation == Relation.CONTAINS), None)

    def links(
        self, node: int, most: int | None = None, among: Container[int] | None = None
    ) -> Sequence[tuple[int, str, float]]:
        own = self.listed[node].id
        numbers = {one.id: place for place, one in enumerate(self.listed)}
        found: list[tuple[int, str, float]] = []
        for source, target, source_relation, target_relation in self.edges:
            if target == own:
                found.append((numbers[SymbolId(source)], source_relation, 1.0))
            if source == own:
                found.append((numbers[SymbolId(target)], target_relation, 1.0))
        if most is not None and len(found) > most:
            return []
        return found if among is None else [link for link in found if link[0] in among or link[1] in OF_TYPES]


def shop() -> MemoryGraph:
    """Return a small shop: a queue, a retry policy, its tests, and a logger only the graph leads to."""
    return MemoryGraph(
        listed=[
            symbol(QUEUE),
            symbol(QUEUE, "Queue", SymbolKind.CLASS, (1, 40)),
            symbol(QUEUE, "Queue.push", SymbolKind.METHOD, (5, 12), "Add a job."),
            symbol(QUEUE, "Queue.pop", SymbolKind.METHOD, (14, 22)),
            symbol(RETRY),
            symbol(RETRY, "retry_delay", lines=(3, 9), doc="Return the backoff before the next attempt."),
            symbol(RETRY, "run_again", lines=(11, 20)),
            symbol(TESTS),
            symbol(TESTS, "test_retry_delay", lines=(1, 9), doc="The backoff grows with each attempt."),
            symbol("shop/log.py"),
            symbol("shop/log.py", "note", lines=(2, 4)),
        ],
        bodies={f"{RETRY}::run_again": "backoff sleep", f"{TESTS}::test_retry_delay": "retry backoff retry backoff"},
        edges=[
            (f"{RETRY}::run_again", f"{RETRY}::retry_delay", "calls", "called-by"),
            (f"{RETRY}::retry_delay", "shop/log.py::note", "calls", "called-by"),
        ],
    )


def ask(prompt: str, graph: MemoryGraph | None = None) -> RetrievalSet:
    return retrieve(parse_prompt(prompt), graph or shop())


def ids(found: RetrievalSet) -> list[str]:
    return [entry.symbol.id for entry in found.entries]


def entry_of(found: RetrievalSet, identity: str) -> Retrieved:
    return next(entry for entry in found.entries if entry.symbol.id == identity)
