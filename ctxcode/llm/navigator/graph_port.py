"""What the navigator asks of a code graph."""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from ctxcode.model.ids import SymbolId
from ctxcode.model.retrieval import LexicalHit
from ctxcode.model.symbol import Edge, EdgeKind, ImportedName, IndexStats, ModuleEntry, OtherName, Symbol, SymbolKind

BASES = (EdgeKind.INHERITS, EdgeKind.IMPLEMENTS)
CONTAINERS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
        SymbolKind.EXTENSION,
    }
)
"""What is made of members."""


class NavigableGraph(Protocol):
    """The part of the code graph the navigator reads."""

    def stats(self) -> IndexStats:
        """Return what the index holds."""
        ...

    def symbols(self, ids: Iterable[SymbolId]) -> dict[SymbolId, Symbol]:
        """Return the symbols that exist, by id."""
        ...

    def symbols_named(self, name: str, limit: int = 50) -> tuple[Symbol, ...]:
        """Return the definitions of a simple, qualified or dotted name, or an id."""
        ...

    def renamed(self, name: str, path: str = "", limit: int = 10_000) -> tuple[OtherName, ...]:
        """Return where files give a name to what is called otherwise or to an object, by path.

        With a path only what that file says; the name may be empty then, for all that it gives.
        """
        ...

    def imported(self, text: str) -> tuple[ImportedName, ...]:
        """Return what files import in whose module or name a text stands, by path and line."""
        ...

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        """Return a file's symbols in source order, its module first."""
        ...

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return the existing names most like one."""
        ...

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        """Return indexed paths a text may mean."""
        ...

    def search(
        self, terms: Sequence[tuple[str, float]], limit: int = 300, *, with_aside: bool = True
    ) -> tuple[LexicalHit, ...]:
        """Return full-text hits for any of the (word, weight) terms, best first."""
        ...

    def nodes_of(self, ids: Collection[SymbolId]) -> dict[SymbolId, int]:
        """Return the dense node numbers of symbols."""
        ...

    def symbols_at(self, nodes: Collection[int]) -> dict[int, Symbol]:
        """Return the symbols behind node numbers."""
        ...

    def links(self, node: int, most: int | None = None) -> Sequence[tuple[int, str, float]]:
        """Return a node's neighbours as (node, Relation value seen from the neighbour, weight). Fast."""
        ...

    def edges_of(self, symbol: SymbolId) -> tuple[Edge, ...]:
        """Return all edges in and out of a symbol."""
        ...

    def path_between(
        self, sources: Sequence[SymbolId], targets: Sequence[SymbolId], *, may_guess: bool = True
    ) -> tuple[Edge, ...]:
        """Return the chain of edges that tells best how one of some definitions reaches one of others, or a part of it.

        Empty when none tells anything. With guesses it may lead over a type that is used to one of its members, or over
        what overrides a method.
        """
        ...

    def central(self, limit: int) -> tuple[tuple[Symbol, float], ...]:
        """Return the most central definitions, best first."""
        ...

    def modules(self) -> tuple[ModuleEntry, ...]:
        """Return every indexed file, by path."""
        ...
