"""A small repository's graph in memory, made by hand, for tests of what reads a graph."""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from ctxcode.model.errors import RepositoryError
from ctxcode.model.ids import SymbolId
from ctxcode.model.plan import Relation
from ctxcode.model.retrieval import LexicalHit
from ctxcode.model.symbol import (
    Edge,
    EdgeKind,
    ImportedName,
    IndexStats,
    ModuleEntry,
    OtherName,
    Resolution,
    Symbol,
    SymbolKind,
)

SHOP = '''"""Orders."""


class Order(Record):
    """One order of a customer."""

    def total(self) -> int:
        """Sum the prices."""
        return sum(price(line) for line in self.lines)

    def save(self) -> None:
        write(self)


def price(line: Line) -> int:
    return line.amount * line.unit
'''
STORE = """class Record:
    def save(self) -> None:
        write(self)


def write(record: Record) -> None:
    print("```", record)


def unused() -> None: ...
"""
SHOP_TEST = """def test_total() -> None:
    assert Order().total() == 0
"""
FILES = {"shop/order.py": SHOP, "shop/store.py": STORE, "tests/test_order.py": SHOP_TEST}


def symbol(
    path: str, qualname: str, kind: SymbolKind, span: tuple[int, int], text: tuple[str, str] = ("", "")
) -> Symbol:
    """Return a definition; ``text`` is its signature and its documentation."""
    name = qualname.rpartition(".")[2] or path.rpartition("/")[2].removesuffix(".py")
    owner = qualname.rpartition(".")[0]
    parent = None if not qualname else SymbolId(f"{path}::{owner}" if owner else path)
    return Symbol(
        id=SymbolId(f"{path}::{qualname}" if qualname else path),
        name=name,
        qualname=qualname,
        kind=kind,
        path=path,
        language="python",
        module=path.removesuffix(".py").replace("/", "."),
        start_line=span[0],
        end_line=span[1],
        header_line=span[0],
        header_end_line=span[0],
        signature=text[0],
        doc=text[1],
        parent=parent,
    )


def edge(source: str, target: str, kind: EdgeKind, line: int = 0, how: Resolution = Resolution.SCOPE) -> Edge:
    """Return an edge between two ids."""
    return Edge(SymbolId(source), SymbolId(target), kind, how, 0.9, line)


SYMBOLS = (
    symbol("shop/order.py", "", SymbolKind.MODULE, (1, 17), ("", "Orders.")),
    symbol("shop/order.py", "Order", SymbolKind.CLASS, (4, 12), ("class Order(Record)", "One order of a customer.")),
    symbol("shop/order.py", "Order.total", SymbolKind.METHOD, (7, 9), ("def total(self) -> int", "Sum the prices.")),
    symbol("shop/order.py", "Order.save", SymbolKind.METHOD, (11, 12), ("def save(self) -> None", "")),
    symbol("shop/order.py", "price", SymbolKind.FUNCTION, (15, 16), ("def price(line: Line) -> int", "")),
    symbol("shop/store.py", "", SymbolKind.MODULE, (1, 10)),
    symbol("shop/store.py", "Record", SymbolKind.CLASS, (1, 3), ("class Record", "")),
    symbol("shop/store.py", "Record.save", SymbolKind.METHOD, (2, 3), ("def save(self) -> None", "")),
    symbol("shop/store.py", "write", SymbolKind.FUNCTION, (6, 7), ("def write(record: Record) -> None", "")),
    symbol("shop/store.py", "unused", SymbolKind.FUNCTION, (10, 10), ("def unused() -> None", "")),
    symbol("tests/test_order.py", "", SymbolKind.MODULE, (1, 2)),
    symbol("tests/test_order.py", "test_total", SymbolKind.FUNCTION, (1, 2), ("def test_total() -> None", "")),
)
RELATIONS = {
    EdgeKind.CONTAINS: (Relation.CONTAINS, Relation.CONTAINED_IN),
    EdgeKind.INHERITS: (Relation.INHERITS, Relation.INHERITED_BY),
    EdgeKind.IMPLEMENTS: (Relation.IMPLEMENTS, Relation.IMPLEMENTED_BY),
}
"""What the source of an edge is to its target, and the target to its source."""
EDGES = (
    edge("shop/order.py::Order", "shop/store.py::Record", EdgeKind.INHERITS, 4),
    edge("shop/order.py", "shop/store.py", EdgeKind.IMPORTS, 1, Resolution.IMPORT),
    edge("shop/order.py::Order.total", "shop/order.py::price", EdgeKind.CALLS, 9),
    edge("shop/order.py::Order.save", "shop/store.py::write", EdgeKind.CALLS, 12, Resolution.IMPORT),
    edge("shop/store.py::Record.save", "shop/store.py::write", EdgeKind.CALLS, 3),
    edge("tests/test_order.py::test_total", "shop/order.py::Order.total", EdgeKind.CALLS, 2, Resolution.UNIQUE_NAME),
)


def read_text(path: str) -> str:
    """Return a file of the small repository."""
    if path not in FILES:
        raise RepositoryError(f"There is no {path!r}.")
    return FILES[path]


@dataclass
class HandMadeGraph:
    """Keeps the promises of the code graph for the symbols and edges it is given."""

    known: tuple[Symbol, ...] = SYMBOLS
    edges: tuple[Edge, ...] = EDGES
    others: tuple[OtherName, ...] = ()
    imports: tuple[ImportedName, ...] = ()
    unread: int = 0
    pending: int = 0
    by_id: dict[SymbolId, Symbol] = field(init=False)

    def __post_init__(self) -> None:
        self.by_id = {known.id: known for known in self.known}

    def stats(self) -> IndexStats:
        files = len({known.path for known in self.known})
        return IndexStats("r1", files, len(self.known), len(self.edges), (), self.unread, self.pending)

    def symbols(self, ids: Iterable[SymbolId]) -> dict[SymbolId, Symbol]:
        return {one: self.by_id[one] for one in ids if one in self.by_id}

    def symbols_named(self, name: str, limit: int = 50) -> tuple[Symbol, ...]:
        found = [
            known
            for known in self.known
            if name in (known.id, known.name, known.dotted, known.qualname) or f".{known.dotted}".endswith(f".{name}")
        ]
        return tuple(sorted(found, key=lambda known: known.id)[:limit])

    def renamed(self, name: str, path: str = "", limit: int = 10_000) -> tuple[OtherName, ...]:
        return tuple(one for one in self.others if name in ("", one.name) and path in ("", one.path))[:limit]

    def imported(self, text: str) -> tuple[ImportedName, ...]:
        return tuple(one for one in self.imports if text in one.module or text in one.name)

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        return tuple(known for known in self.known if known.path == path)

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        names = {known.name.casefold(): known.name for known in self.known}
        return tuple(names[near] for near in get_close_matches(name.casefold(), names, n=limit))

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        every = sorted({known.path for known in self.known})
        paths = [path for path in every if f"/{path}".endswith(f"/{text}")]
        last = text.rpartition("/")[2]
        return tuple((paths or [path for path in every if path.rpartition("/")[2] == last])[:limit])

    def search(
        self, terms: Sequence[tuple[str, float]], limit: int = 300, *, with_aside: bool = True
    ) -> tuple[LexicalHit, ...]:
        words = [word.lower() for word, _ in terms]
        paths = [path for path, text in FILES.items() if any(word in text.lower() for word in words)]
        known = [path for path in paths if with_aside and self.symbols_in(path)]
        return tuple(LexicalHit(place, 1.0, path) for place, path in enumerate(known[:limit]))

    def nodes_of(self, ids: Collection[SymbolId]) -> dict[SymbolId, int]:
        return {known.id: node for node, known in enumerate(self.known) if known.id in ids}

    def symbols_at(self, nodes: Collection[int]) -> dict[int, Symbol]:
        return {node: self.known[node] for node in sorted(nodes)}

    def links(self, node: int, most: int | None = None) -> list[tuple[int, str, float]]:
        there, found = self.nodes_of(self.by_id), list[tuple[int, str, float]]()
        for one in self.edges:
            if one.source not in there or one.target not in there:
                continue
            inward, outward = RELATIONS.get(one.kind, ("", ""))
            if one.target == self.known[node].id and inward:
                found.append((there[one.source], inward, one.confidence))
            if one.source == self.known[node].id and outward:
                found.append((there[one.target], outward, one.confidence))
        return found

    def edges_of(self, symbol: SymbolId) -> tuple[Edge, ...]:
        return tuple(one for one in self.edges if symbol in (one.source, one.target))

    def path_between(
        self, sources: Sequence[SymbolId], targets: Sequence[SymbolId], *, may_guess: bool = True
    ) -> tuple[Edge, ...]:
        waiting: deque[tuple[SymbolId, tuple[Edge, ...]]] = deque((source, ()) for source in sources)
        seen = set(sources)
        while waiting:
            at, chain = waiting.popleft()
            if at in targets:
                return chain
            for one in self.edges:
                if one.source == at and one.target not in seen:
                    seen.add(one.target)
                    waiting.append((one.target, (*chain, one)))
        return ()

    def central(self, limit: int) -> tuple[tuple[Symbol, float], ...]:
        return tuple((known, 1.0) for known in self.known if known.kind is not SymbolKind.MODULE)[:limit]

    def modules(self) -> tuple[ModuleEntry, ...]:
        paths = sorted({known.path for known in self.known})
        return tuple(
            ModuleEntry(path, path, "python", len(self.symbols_in(path)), 1.0, path.startswith("tests/"))
            for path in paths
        )
