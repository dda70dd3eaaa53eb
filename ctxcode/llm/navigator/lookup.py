"""Finding what a name means in the graph: candidates best first, files, folders, or a proof of absence."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ctxcode.llm.navigator.graph_port import CONTAINERS, NavigableGraph
from ctxcode.llm.navigator.standing import Standing, Trail, trail
from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_aside_path, is_build_script, is_helper_path
from ctxcode.model.naming.forms import DECLARATIONS, SCRIPTS
from ctxcode.model.naming.written import bare_name, is_from_outside, place_of
from ctxcode.model.symbol import EdgeKind, ModuleEntry, Symbol, SymbolKind

_BREAKS = re.compile(r"::|#|->")
_RECEIVER = re.compile(r"\(\*?([\w.]+)\)")
"""What a method of Go is called on, as traces and expressions write it: ``(*Site).render``."""
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>?|\[[^\[\]]*\]?")
_OWN = re.compile(r"[$@]?(?:self|this|cls)(?:\.|::|->|#)")
"""What stands for the object a definition belongs to: any type may be meant."""
_MAX_NAMESAKES = 2_000
_MAX_WEIGHED = 50
_MAX_NEAR_FILES = 3
_MAX_ENDS = 24


@dataclass(frozen=True, slots=True)
class Found:
    """What a name means here."""

    name: str
    symbols: tuple[Symbol, ...] = ()
    """Best first; a file stands as its module."""
    nearest: tuple[str, ...] = ()
    """For a name that does not exist."""
    respelled: str = ""
    """The spelling that exists: the case was off, the member is inherited, or the name stands for something else."""
    standing: Standing | None = None
    """What the name's first part stands for in some files, where nothing is called so."""
    owner: Symbol | None = None
    """Of a dotted name that is not there: what its parts before the last one mean."""
    namesakes: tuple[Symbol, ...] = ()
    """Of such a name: what is called like its last part."""
    is_folder: bool = False
    """The name is that of a folder, and the symbols are its files."""

    @property
    def best(self) -> Symbol | None:
        """The candidate an answer is about; None where nothing is known by that name."""
        return self.symbols[0] if self.symbols else None

    @property
    def ends(self) -> tuple[Symbol, ...]:
        """The candidates a chain may begin or end with: the likeliest, files where nothing else is meant."""
        return self.symbols if self.is_folder else self.meant[:_MAX_ENDS]

    @property
    def meant(self) -> tuple[Symbol, ...]:
        """Everything that may be meant, files where nothing else is."""
        return tuple(one for one in self.symbols if one.kind is not SymbolKind.MODULE) or self.symbols

    @property
    def looked_at(self) -> str:
        """How many of several definitions a chain was looked for from or to; empty where only one is meant."""
        every = len(self.meant)
        if every < 2 or self.is_folder:
            return ""
        return f"{every:,} definitions" if every <= _MAX_ENDS else f"the {_MAX_ENDS} likeliest of {every:,} definitions"

    @property
    def is_other_spelling(self) -> bool:
        """Whether the name is there in other letters, and not by another way."""
        return bool(self.respelled) and self.respelled.rpartition(".")[2] not in _plain(self.name).split(".")

    @property
    def is_proved_absent(self) -> bool:
        """Whether no definition can be meant: nothing is called like the last part, or the type named has no such one.

        What a type inherits from elsewhere is defined elsewhere; what a module or an object holds can be given to it.
        """
        return not self.symbols and (not self.namesakes or self.is_no_member)

    @property
    def is_no_member(self) -> bool:
        """Whether the name is that of a type here and of something neither it nor what it inherits from here has."""
        return self.standing is None and self.owner is not None and self.owner.kind in CONTAINERS


def overloads(found: Found, symbol: Symbol) -> tuple[Symbol, ...]:
    """Return a definition and the others of its name that stand beside it: calls mean one or another of them."""
    beside = (one for one in found.symbols if (one.path, one.qualname) == (symbol.path, symbol.qualname))
    return (symbol, *(one for one in beside if one.id != symbol.id))


def find(graph: NavigableGraph, name: str) -> Found:
    """Return what a name means: a place, a definition, a file, or the same word in other letters.

    What is not there as it is written is looked for without what stands around a name in code and traces.
    """
    found, bare = _found(graph, name), bare_name(name)
    if found.symbols or bare in {"", name}:
        return found
    again = _found(graph, bare)
    return replace(again, name=name) if again.symbols else again


def find_end(graph: NavigableGraph, name: str) -> Found:
    """Return what a name means as an end of a chain: that of a folder all its files, the most central first."""
    found = Found(name) if name.endswith("/") else find(graph, name)
    if "/" in name or not found.symbols:
        is_file = any(one.path.endswith(name.strip("/").removeprefix("./")) for one in found.symbols)
        inside = () if is_file else files_below(graph, name)
        if inside:
            modules = graph.symbols([SymbolId(entry.path) for entry in inside])
            return Found(name, tuple(modules.values()), is_folder=True)
    return found


def _found(graph: NavigableGraph, name: str) -> Found:
    place = place_of(name)
    if place is not None:
        at = symbol_at(graph, place.path, place.line)
        return Found(name, (at,) if at else (), () if at else _nearest_paths(graph, place.path))
    symbols = _named(graph, name) or _imported_from(graph, name) or _named_in_file(graph, name)
    if symbols:
        return Found(name, _ordered(graph, symbols, name))
    parts = _plain(name).split(".")
    # What an object itself holds is no name of a file.
    way = trail(graph, parts) if all(parts) and not _OWN.match(name) else Trail()
    if way.symbols:
        respelled = way.symbols[0].dotted if way.standing else way.symbols[0].qualname
        return Found(name, _ordered(graph, way.symbols, name), respelled=respelled, standing=way.standing)
    if is_like_path(graph, name):
        return Found(name, nearest=_nearest_paths(graph, name))
    nearest = graph.nearest_names(name, 8)
    # A question's sign at the end of a name of Ruby's is taken for that of the question.
    alike = {name.casefold(), f"{name}?".casefold(), f"{name}!".casefold()}
    same = next((other for other in nearest if other.casefold() in alike and not _is_type_like(name, other)), "")
    if same:
        return Found(name, _ordered(graph, _named(graph, same), same), respelled=same)
    nearest = (*nearest[:5], *graph.paths_like(name, 1))
    return Found(name, (), nearest, "", way.standing, way.owner, _called_last(graph, parts))


def is_like_path(graph: NavigableGraph, name: str) -> bool:
    """Return whether a name is written as a file's: with a slash, or with an ending that indexed files have."""
    stem, _, ending = name.rpartition(".")
    is_word = bool(stem) and ending.isalnum() and "::" not in name
    return "/" in name or (is_word and any(entry.path.endswith(f".{ending}") for entry in graph.modules()))


def symbol_at(graph: NavigableGraph, path: str, line: int) -> Symbol | None:
    """Return the innermost definition that holds a line; None outside every indexed file."""
    path = _indexed(graph, path.removeprefix("./"))
    holding = [symbol for symbol in graph.symbols_in(path) if symbol.start_line <= line <= symbol.end_line]
    return max(holding, key=lambda symbol: (symbol.start_line, -symbol.end_line, symbol.id), default=None)


def _indexed(graph: NavigableGraph, path: str) -> str:
    """Return the indexed file that a path means, also one from another machine; empty for none."""
    parts = [part for part in path.split("/") if part]
    return _ending(graph, parts) or next(iter(graph.paths_like(parts[-1], 1) if parts else ()), "")


def _ending(graph: NavigableGraph, parts: list[str]) -> str:
    """Return the indexed file that the most of the last parts of a path lead to, two at least; empty for none."""
    for start in range(len(parts) - 1):
        tail = "/".join(parts[start:])
        found = [known for known in graph.paths_like(tail) if f"/{known}".endswith(f"/{tail}")]
        if found:
            return found[0]
    return ""


def files_below(graph: NavigableGraph, folder: str) -> tuple[ModuleEntry, ...]:
    """Return the indexed files in a folder, most central first; empty when there is no such folder."""
    inside = folder.strip("/").removeprefix("./")
    prefixes = (f"{inside}/", f"{inside.replace('.', '/')}/")
    entries = [entry for entry in graph.modules() if entry.path.startswith(prefixes)]
    if not entries and inside:
        # A folder wherever it stands, and a package, whose name need not be the path to it.
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
    return symbol.kind in CONTAINERS


def _named(graph: NavigableGraph, name: str) -> tuple[Symbol, ...]:
    """Return definitions of a name in any usual notation, else the modules of the files it may mean."""
    dotted, plain = _BREAKS.sub(".", name).strip("."), _plain(name)
    # Java's compiler joins inner classes by a dollar; elsewhere a name may hold one.
    spellings = (
        name,
        dotted,
        plain,
        plain.replace("$", ".").strip("."),
        _OWN.sub("", name, count=1),
        name.rstrip("!?"),
    )
    for spelling in dict.fromkeys(spellings):
        symbols = graph.symbols_named(spelling, _MAX_NAMESAKES) if spelling else ()
        if symbols:
            return symbols
    asked = name.removeprefix("./").strip("/")
    paths = [path for path in graph.paths_like(asked, 20) if "/" not in asked or _is_path(path, asked)]
    if not paths and is_from_outside(name):
        paths = [path for path in (_ending(graph, [part for part in re.split(r"[/\\]", asked) if part]),) if path]
    return tuple(found[0] for path in paths if (found := graph.symbols_in(path)))


def _named_in_file(graph: NavigableGraph, name: str) -> tuple[Symbol, ...]:
    """Return what a name behind that of a file means there: ``lib/http.c:connect``."""
    path, _, inner = name.rpartition(":")
    path, wanted = path.rstrip(":"), _plain(inner)
    if not (path and wanted and is_like_path(graph, path)):
        return ()
    paths = [one for one in graph.paths_like(path) if f"/{one}".endswith(f"/{path.removeprefix('./')}")]
    return tuple(one for path in paths for one in graph.symbols_in(path) if wanted in (one.qualname, one.name))


def _imported_from(graph: NavigableGraph, name: str) -> tuple[Symbol, ...]:
    """Return what Go means by a name behind the path its package is imported by: ``example.org/shop/cart.Cart.Add``."""
    if "/" not in name or "." not in name:
        return ()
    for manifest in [entry.path for entry in graph.modules() if f"/{entry.path}".endswith("/go.mod")]:
        said = next((one.signature for one in graph.symbols_in(manifest) if one.name == "module"), "")
        module = said.removeprefix("module ").strip()
        if not module or not name.startswith((f"{module}/", f"{module}.")):
            continue
        folder, _, rest = name.removeprefix(module).rpartition("/")
        inner, _, called = rest.partition(".")
        place = "/".join(part for part in (*manifest.split("/")[:-1], *folder.split("/"), inner) if part)
        named = graph.symbols_named(_plain(called), _MAX_NAMESAKES) if called else ()
        found = tuple(one for one in named if one.path.rpartition("/")[0] == place and one.qualname == _plain(called))
        if found:
            return found
    return ()


def _is_type_like(name: str, other: str) -> bool:
    """Return whether a name is written as a type's and another one of its letters is not, so that they differ."""
    return name[:1].isupper() and not name.isupper() and other[:1].islower()


def _called_last(graph: NavigableGraph, parts: list[str]) -> tuple[Symbol, ...]:
    """Return what is called like the last part of a name, what stands under one of the others first."""
    if len(parts) == 1:
        return ()
    owner = parts[-2].casefold().rstrip("s")
    named = _ordered(graph, graph.symbols_named(parts[-1], _MAX_NAMESAKES), parts[-1])
    return tuple(sorted(named, key=lambda one: owner not in one.dotted.casefold()))


def _plain(name: str) -> str:
    """Return a name with dots alone, and without type arguments."""
    return _TYPE_ARGUMENTS.sub("", _RECEIVER.sub(r"\1", _BREAKS.sub(".", name).strip("."))).strip(".")


def _is_path(path: str, asked: str) -> bool:
    """Return whether a path ends in what was asked for, with or without its extension."""
    return any(f"/{spelling}".endswith(f"/{asked}") for spelling in (path, path.rpartition(".")[0]))


def _ordered(graph: NavigableGraph, symbols: tuple[Symbol, ...], name: str) -> tuple[Symbol, ...]:
    """Return candidates most likely meant first: outside tests and vendored code, exact, most used; ties by id.

    What files of declarations say of a script comes behind what that defines. Of what nothing tells apart otherwise, as
    of functions called ``main``, what stands farthest out comes first, and in the folder with the most code.
    """
    scripted = {symbol.qualname for symbol in symbols if symbol.path.endswith(SCRIPTS)}
    tests = {entry.path for entry in graph.modules() if entry.is_test} if len(symbols) > 1 else set()

    def rank(symbol: Symbol) -> tuple[bool, bool, bool, bool, int]:
        is_aside = symbol.path in tests or is_build_script(symbol.path) or is_aside_path(symbol.path)
        package, _, file = symbol.module.rpartition(".")
        # A type is meant before the file of its name, as always in Java; a function is not.
        is_in_package = name == f"{package}.{symbol.qualname}" and (symbol.qualname != file or is_container(symbol))
        is_exact = is_in_package or name in (symbol.qualname, symbol.dotted, symbol.id, symbol.path)
        is_module = symbol.kind is SymbolKind.MODULE
        return (is_aside, not is_exact, is_module, not is_container(symbol), symbol.qualname.count("."))

    def is_declaration(symbol: Symbol) -> bool:
        return symbol.qualname in scripted and symbol.path.endswith(DECLARATIONS)

    def roughly(symbol: Symbol) -> tuple[object, ...]:
        outer = is_helper_path(symbol.path), symbol.path.count("/")
        return (rank(symbol), is_declaration(symbol), *outer, symbol.id)

    ordered = sorted(symbols, key=roughly)
    weighed = ordered[:_MAX_WEIGHED]
    if len(weighed) > 1:
        uses, places = {symbol.id: _uses(graph, symbol) for symbol in weighed}, _places(graph, weighed)
        weighed.sort(
            key=lambda one: (
                rank(one)[:3],
                is_declaration(one),
                is_helper_path(one.path),
                -uses[one.id],
                rank(one),
                places[one.path],
                one.id,
            )
        )
    return (*weighed, *ordered[_MAX_WEIGHED:])


def _places(graph: NavigableGraph, symbols: Iterable[Symbol]) -> dict[str, tuple[int, int]]:
    """Return what sorts files so that those farthest out come first, then those of the folders with most code."""
    paths = {symbol.path for symbol in symbols}
    sizes = dict.fromkeys((path.rpartition("/")[0] for path in paths), 0)
    if len(sizes) > 1:
        for entry in graph.modules():
            folder = entry.path.rpartition("/")[0]
            if folder in sizes:
                sizes[folder] += entry.symbols
    return {path: (path.count("/"), -sizes[path.rpartition("/")[0]]) for path in paths}


def _uses(graph: NavigableGraph, symbol: Symbol) -> int:
    edges = graph.edges_of(symbol.id)
    return sum(edge.target == symbol.id and edge.kind is not EdgeKind.CONTAINS for edge in edges)


def _nearest_paths(graph: NavigableGraph, path: str) -> tuple[str, ...]:
    """Return the indexed files called like a path, those in the folder it is, else those called nearly so."""
    from difflib import get_close_matches  # noqa: PLC0415 - for a file that is not there only

    last = path.rstrip("/").rpartition("/")[2]
    same = graph.paths_like(last, 5) if last else ()
    if same or not last:
        return same
    inside = files_below(graph, path) if "/" in path else ()
    if inside:
        return tuple([entry.path for entry in inside[:_MAX_NEAR_FILES]])
    stems: dict[str, list[str]] = {}
    for entry in graph.modules():
        stems.setdefault(_stem(entry.path), []).append(entry.path)
    near = get_close_matches(_stem(last), stems, _MAX_NEAR_FILES)
    return tuple(path for stem in near for path in stems[stem])[:_MAX_NEAR_FILES]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
