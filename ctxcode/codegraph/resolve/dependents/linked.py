"""What is C's and C++'s alone: who includes a file, what a source that nobody includes keeps for itself."""

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Sequence

from ctxcode.codegraph.edges import EDGE_KINDS, PackedGraph
from ctxcode.codegraph.extract.expressions import CALLED, INDEXED, POINTED_AT
from ctxcode.codegraph.facts import FileFacts, SymbolFact, declared_in
from ctxcode.codegraph.resolve.linkage import LINKED
from ctxcode.codegraph.resolve.modules.includes import normal_path
from ctxcode.codegraph.resolve.modules.naming import family_of
from ctxcode.codegraph.resolve.qualified import SOURCES
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, ORPHAN_KINDS
from ctxcode.model.symbol import EdgeKind

FAMILY = "c"
_IMPORTS = EDGE_KINDS.index(EdgeKind.IMPORTS)
_KNOWN_ELSEWHERE = CLASS_KINDS | {"method"}
"""What is found by its name alone."""
_WORD = re.compile(r"[\w$]+")
_SIGNS = {"->": POINTED_AT, "[]": INDEXED, "()": CALLED}
_CALLED_BY_SIGNS = {f"operator{sign}": part.removesuffix("()") for sign, part in _SIGNS.items()}
"""Operators that expressions call by signs, to the words that stand for these."""
_MOST_INCLUDING = 300
"""Files that may include one by its name that are looked at."""


def is_of_family(facts: FileFacts) -> bool:
    """Whether facts are those of a file of C or C++."""
    return family_of(facts.language) == FAMILY


def is_included(graph: PackedGraph, file: int) -> bool:
    """Whether another file includes one."""
    node = array("i", graph.first_node)[file]
    start, end = array("i", graph.in_offsets)[node : node + 2]
    return any(graph.kinds[edge] == _IMPORTS for edge in array("i", graph.in_edges)[start:end])


def is_source(path: str) -> bool:
    """Whether a path is that of a source, whose types are nobody else's."""
    return path.endswith(SOURCES)


def names_in_includes(facts: FileFacts) -> set[str]:
    """Return the names of the files that a file includes."""
    return {normal_path(fact.module).rpartition("/")[2] for fact in facts.imports}


def is_named_in_includes(
    path: str, facts: Callable[[int], FileFacts], mentioning: Callable[[Collection[str]], Collection[int]]
) -> bool:
    """Return whether a file includes something of a path's name, or so many may that they are not looked at."""
    name = path.rpartition("/")[2]
    words = words_of([name.partition(".")[0]])
    files = mentioning(sorted(words)[:1])
    return not words or len(files) > _MOST_INCLUDING or any(name in names_in_includes(facts(file)) for file in files)


def is_known_elsewhere(symbol: SymbolFact) -> bool:
    """Whether others can mean what stands in a source of C that nobody includes, in no namespace."""
    return symbol.kind in _KNOWN_ELSEWHERE or (symbol.kind in LINKED and symbol.visibility != "private")


def has_namespaces(*files: FileFacts) -> bool:
    """Whether there is a namespace in one of some files: then what it holds is known wherever that is."""
    return any(symbol.kind == "namespace" for facts in files for symbol in facts.symbols)


def declared_anew(before: FileFacts, now: FileFacts) -> set[str]:
    """Return the names that only one of two says are defined elsewhere."""
    differing = set(declared_in(before)).symmetric_difference(declared_in(now))
    return {name.rpartition(".")[2] for name in differing}


def outer_words(symbols: Sequence[SymbolFact]) -> set[str]:
    """Return the words of the types and namespaces that definitions outside them name."""
    outside = {
        symbol.qualname.rpartition(".")[0] for symbol in symbols if symbol.parent >= 0 and is_outside(symbol, symbols)
    }
    return words_of(outside)


def is_outside(symbol: SymbolFact, symbols: Sequence[SymbolFact]) -> bool:
    """Whether a definition stands elsewhere than what its name says that it belongs to."""
    outer = symbols[symbol.parent].qualname if symbol.parent >= 0 else ""
    return symbol.qualname != (f"{outer}.{symbol.name}" if outer else symbol.name)


def is_outside_oddly(symbol: SymbolFact, symbols: Sequence[SymbolFact]) -> bool:
    """Whether what stands outside of what its name says it belongs to is no method of a type."""
    return symbol.kind not in ORPHAN_KINDS and is_outside(symbol, symbols)


def hangs_on(facts: FileFacts, names: Collection[str]) -> bool:
    """Whether a file inherits from what has one of some names, or defines outside it what belongs to it.

    What is found by that is named nowhere.
    """
    bases = words_of(base.name for base in facts.bases)
    return not (bases.isdisjoint(names) and outer_words(facts.symbols).isdisjoint(names))


def words_of(names: Iterable[str]) -> set[str]:
    """Return the words of names, such as of operators, by which they are said: of those that signs call, these."""
    text = " ".join(names)
    words = set(_WORD.findall(text))
    if "operator" in words:
        words.update([word for operator, word in _CALLED_BY_SIGNS.items() if operator in text])
    return words


def words_of_signs(written: str) -> list[str]:
    """Return the words of the operators that expressions may call by signs, beside those that these are written as."""
    return [_CALLED_BY_SIGNS[f"operator{sign}"] for sign in ("[]", "()") if sign[0] in written]
