"""Finding what a name means in the graph: candidates best first, files, folders, or a proof of absence."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_aside_path, is_build_script
from ctxcode.model.symbol import Edge, EdgeKind, IndexStats, ModuleEntry, Symbol, SymbolKind

_PLACE = re.compile(r"(?P<path>[^:]+):(?P<line>\d+)")
_BREAKS = re.compile(r"::|#")
_RECEIVER = re.compile(r"\(\*?([\w.]+)\)")
"""What a method of Go is called on, as traces and expressions write it: ``(*Site).render``."""
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>?|\[[^\[\]]*\]?")
_OWN = re.compile(r"(?:self|this|cls)(?:\.|::|->|#)")
"""What stands for the object a definition belongs to: any type may be meant."""
_BASES = frozenset({EdgeKind.INHERITS, EdgeKind.IMPLEMENTS})
_MAX_NAMESAKES = 2_000
_MAX_WEIGHED = 50
_MAX_OWNERS = 5
_MAX_NEAR_FILES = 3
_CONTAINERS = frozenset(
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

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        """Return a file's symbols in source order, its module first."""
        ...

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return the existing names most like one."""
        ...

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        """Return indexed paths a text may mean."""
        ...

    def edges_of(self, symbol: SymbolId) -> tuple[Edge, ...]:
        """Return all edges in and out of a symbol."""
        ...

    def path_between(self, source: SymbolId, target: SymbolId) -> tuple[Edge, ...]:
        """Return the best chain between two symbols."""
        ...

    def central(self, limit: int) -> tuple[tuple[Symbol, float], ...]:
        """Return the most central definitions, best first."""
        ...

    def modules(self) -> tuple[ModuleEntry, ...]:
        """Return every indexed file, by path."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """What a name means here."""

    name: str
    symbols: tuple[Symbol, ...] = ()
    """Best first; a file stands as its module."""
    nearest: tuple[str, ...] = ()
    """For a name that does not exist."""
    respelled: str = ""
    """The spelling that exists, when only the case was off or the member is inherited."""

    @property
    def best(self) -> Symbol | None:
        """The candidate an answer is about; None proves absence from the index."""
        return self.symbols[0] if self.symbols else None


def overloads(found: Found, symbol: Symbol) -> tuple[Symbol, ...]:
    """Return a definition and the others of its name that stand beside it: calls mean one or another of them."""
    beside = (one for one in found.symbols if (one.path, one.qualname) == (symbol.path, symbol.qualname))
    return (symbol, *(one for one in beside if one.id != symbol.id))


def find(graph: NavigableGraph, name: str) -> Found:
    """Return what a name means: a place, a definition, a file, or the same word in other letters."""
    place = _PLACE.fullmatch(name)
    if place is not None:
        at = symbol_at(graph, place["path"], int(place["line"]))
        return Found(name, (at,) if at else (), () if at else _nearest_paths(graph, place["path"]))
    symbols = _named(graph, name)
    if symbols:
        return Found(name, _ordered(graph, symbols, name))
    inherited = _inherited(graph, name)
    if inherited is not None:
        return Found(name, (inherited,), respelled=inherited.qualname)
    if is_like_path(graph, name):
        return Found(name, nearest=_nearest_paths(graph, name))
    nearest = graph.nearest_names(name, 8)
    same = next((other for other in nearest if other.casefold() == name.casefold()), "")
    if same:
        return Found(name, _ordered(graph, _named(graph, same), same), respelled=same)
    return Found(name, nearest=(*nearest[:5], *graph.paths_like(name, 1)))


def is_like_path(graph: NavigableGraph, name: str) -> bool:
    """Return whether a name is written as a file's: with a slash, or with an ending that indexed files have."""
    stem, _, ending = name.rpartition(".")
    is_word = bool(stem) and ending.isalnum() and "::" not in name
    return "/" in name or (is_word and any(entry.path.endswith(f".{ending}") for entry in graph.modules()))


def symbol_at(graph: NavigableGraph, path: str, line: int) -> Symbol | None:
    """Return the innermost definition that holds a line; None outside every indexed file."""
    paths = graph.paths_like(path.removeprefix("./"), 1)
    if not paths:
        return None
    holding = [symbol for symbol in graph.symbols_in(paths[0]) if symbol.start_line <= line <= symbol.end_line]
    return max(holding, key=lambda symbol: (symbol.start_line, -symbol.end_line, symbol.id), default=None)


def files_below(graph: NavigableGraph, folder: str) -> tuple[ModuleEntry, ...]:
    """Return the indexed files in a folder, most central first; empty when there is no such folder."""
    inside = folder.strip("/").removeprefix("./")
    prefixes = (f"{inside}/", f"{inside.replace('.', '/')}/")
    entries = [entry for entry in graph.modules() if entry.path.startswith(prefixes)]
    if not entries and "/" not in inside:
        # A folder's name wherever it stands, and a package's, which need not be the path to it.
        parts = f".{inside}."
        entries = [
            entry
            for entry in graph.modules()
            if f"/{inside}/" in f"/{entry.path}" or ("." in inside and f".{entry.module}.".startswith(parts))
        ]
    return tuple(sorted(entries, key=lambda entry: (-entry.rank, entry.path)))


def touchpoints(graph: NavigableGraph, places: Iterable[tuple[str, int]], limit: int) -> tuple[Symbol, ...]:
    """Return the definitions at (path, line) places, in that order, each once."""
    found: dict[SymbolId, Symbol] = {}
    for path, line in places:
        symbol = symbol_at(graph, path, line)
        if symbol is not None and symbol.kind is not SymbolKind.MODULE:
            found.setdefault(symbol.id, symbol)
        if len(found) >= limit:
            break
    return tuple(found.values())


def members(graph: NavigableGraph, symbol: Symbol) -> tuple[Symbol, ...]:
    """Return what a module, class or function defines directly, in source order."""
    return tuple(inner for inner in graph.symbols_in(symbol.path) if inner.parent == symbol.id)


def is_container(symbol: Symbol) -> bool:
    """Return whether a symbol is made of members."""
    return symbol.kind in _CONTAINERS


def _named(graph: NavigableGraph, name: str) -> tuple[Symbol, ...]:
    """Return definitions of a name in any usual notation, else the modules of the files it may mean."""
    dotted = name.replace("::", ".").replace("#", ".").strip(".")
    plain = _TYPE_ARGUMENTS.sub("", _RECEIVER.sub(r"\1", dotted)).strip(".")
    # Java's compiler joins inner classes by a dollar; elsewhere a name may hold one.
    spellings = (name, dotted, plain, plain.replace("$", ".").strip("."), _OWN.sub("", name, count=1))
    for spelling in dict.fromkeys(spellings):
        symbols = graph.symbols_named(spelling, _MAX_NAMESAKES) if spelling else ()
        if symbols:
            return symbols
    asked = name.removeprefix("./").strip("/")
    paths = [path for path in graph.paths_like(asked, 20) if "/" not in asked or _is_path(path, asked)]
    return tuple(found[0] for path in paths if (found := graph.symbols_in(path)))


def _inherited(graph: NavigableGraph, name: str) -> Symbol | None:
    """Return the member that ``Type.member`` means when one of the type's bases defines it; nearest base first."""
    owner, _, member = _BREAKS.sub(".", name).strip(".").rpartition(".")
    waiting = [symbol.id for symbol in graph.symbols_named(owner, _MAX_OWNERS)] if owner else []
    seen = set(waiting)
    while waiting and len(seen) <= _MAX_WEIGHED:
        edges = [edge for edge in graph.edges_of(waiting.pop(0)) if edge.kind in _BASES]
        bases = graph.symbols({edge.target for edge in edges} - seen)
        for base in bases.values():
            for symbol in graph.symbols_in(base.path):
                if symbol.parent == base.id and symbol.name == member:
                    return symbol
        seen.update(bases)
        waiting.extend(bases)
    return None


def _is_path(path: str, asked: str) -> bool:
    """Return whether a path ends in what was asked for, with or without its extension."""
    return any(f"/{spelling}".endswith(f"/{asked}") for spelling in (path, path.rpartition(".")[0]))


def _ordered(graph: NavigableGraph, symbols: tuple[Symbol, ...], name: str) -> tuple[Symbol, ...]:
    """Return candidates most likely meant first: outside tests and vendored code, exact, most used; ties by id."""
    tests = {entry.path for entry in graph.modules() if entry.is_test} if len(symbols) > 1 else set()

    def rank(symbol: Symbol) -> tuple[bool, bool, bool, bool, int]:
        is_aside = symbol.path in tests or is_build_script(symbol.path) or is_aside_path(symbol.path)
        package, _, file = symbol.module.rpartition(".")
        # A type is meant before the file of its name, as always in Java; a function is not.
        is_in_package = name == f"{package}.{symbol.qualname}" and (symbol.qualname != file or is_container(symbol))
        is_exact = is_in_package or name in (symbol.qualname, symbol.dotted, symbol.id, symbol.path)
        is_module = symbol.kind is SymbolKind.MODULE
        return (is_aside, not is_exact, is_module, not is_container(symbol), symbol.qualname.count("."))

    roughly = sorted(symbols, key=lambda symbol: (rank(symbol), symbol.id))
    weighed = roughly[:_MAX_WEIGHED]
    uses = {symbol.id: _uses(graph, symbol) for symbol in weighed} if len(weighed) > 1 else {}
    weighed.sort(key=lambda symbol: (rank(symbol)[:3], -uses.get(symbol.id, 0), rank(symbol), symbol.id))
    return (*weighed, *roughly[_MAX_WEIGHED:])


def _uses(graph: NavigableGraph, symbol: Symbol) -> int:
    edges = graph.edges_of(symbol.id)
    return sum(edge.target == symbol.id and edge.kind is not EdgeKind.CONTAINS for edge in edges)


def _nearest_paths(graph: NavigableGraph, path: str) -> tuple[str, ...]:
    """Return the indexed files called like a path, else those called nearly so."""
    from difflib import get_close_matches  # noqa: PLC0415 - for a file that is not there only

    last = path.rstrip("/").rpartition("/")[2]
    same = graph.paths_like(last, 5) if last else ()
    if same or not last:
        return same
    stems: dict[str, list[str]] = {}
    for entry in graph.modules():
        stems.setdefault(_stem(entry.path), []).append(entry.path)
    near = get_close_matches(_stem(last), stems, _MAX_NEAR_FILES)
    return tuple(path for stem in near for path in stems[stem])[:_MAX_NEAR_FILES]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
