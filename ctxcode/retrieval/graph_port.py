"""What retrieval asks of a code graph."""

from collections.abc import Collection, Container, Sequence
from typing import Protocol

from ctxcode.model.ids import SymbolId
from ctxcode.model.retrieval import LexicalHit
from ctxcode.model.symbol import IndexStats, ModuleEntry, Symbol


class SearchableGraph(Protocol):
    """The read side of an index, as far as retrieval needs it."""

    def stats(self) -> IndexStats:
        """Return what the index holds."""
        ...

    def symbols_named(self, name: str, limit: int = 50) -> tuple[Symbol, ...]:
        """Return the definitions of a simple, qualified or dotted name, by id order."""
        ...

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return the existing names most like one that may not exist."""
        ...

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        """Return a file's symbols in source order, its module first."""
        ...

    def modules(self) -> tuple[ModuleEntry, ...]:
        """Return every indexed file, by path."""
        ...

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        """Return indexed paths equal to or ending with ``/text``; else those whose last part is ``text``."""
        ...

    def search(
        self, terms: Sequence[tuple[str, float]], limit: int = 300, *, with_aside: bool = True
    ) -> tuple[LexicalHit, ...]:
        """Return full-text hits for any of the (word, weight) terms, best first.

        ``with_aside`` lets in what stands in tests, docs, examples and vendored code.
        """
        ...

    def nearest_word(self, word: str) -> str | None:
        """Return the word that is meant by one that stands nowhere; None when it is there or nothing comes near."""
        ...

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        """Return those of some words that stand nowhere, in no form of theirs."""
        ...

    def nodes_of(self, ids: Collection[SymbolId]) -> dict[SymbolId, int]:
        """Return the dense node numbers of symbols."""
        ...

    def symbols_at(self, nodes: Collection[int]) -> dict[int, Symbol]:
        """Return the symbols behind node numbers."""
        ...

    def texts_at(self, nodes: Collection[int]) -> dict[int, str]:
        """Return the texts of the symbols behind node numbers.

        The words of the name, a line; those of the place, a line; signature, doc and body.
        """
        ...

    def links(
        self, node: int, most: int | None = None, among: Container[int] | None = None
    ) -> Sequence[tuple[int, str, float]]:
        """Return a node's neighbours as (node, Relation value seen from the neighbour, weight).

        None of a node that has more than ``most``. ``among`` leaves those that lead to one of these nodes, and those
        between types: who inherits or implements.
        """
        ...

    def width(self, node: int) -> int:
        """Return how many links a node has."""
        ...

    def owner(self, node: int) -> int | None:
        """Return the node of what a definition stands in; None for a module."""
        ...
