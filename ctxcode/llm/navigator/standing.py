"""What a name stands for that no definition has: an import's other name, an object, what a module passes on.

``z.object`` is found where a file says ``import * as z`` of a module that passes on what another one defines.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ctxcode.llm.navigator.graph_port import BASES, CONTAINERS, NavigableGraph
from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_side_path
from ctxcode.model.symbol import EdgeKind, OtherName, Symbol, SymbolKind

_MOST_FILES = 30
"""Of those that give a name in other words, so many are looked into."""
_MOST_STARTS = 20
_MOST_MODULES = 60
_MOST_BASES = 50
_MOST_NAMES = 3
_PASSING = frozenset({EdgeKind.IMPORTS, EdgeKind.RE_EXPORTS})
_HOLDERS = CONTAINERS | {SymbolKind.NAMESPACE}
_RUBY, _CLASS_METHODS = "ruby", "ClassMethods"
"""What a module has for the classes that include it, by custom and for ``ActiveSupport::Concern``."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What files of the repository mean by a name."""

    other: OtherName
    """How the first of them says it."""
    files: int
    """How many say the same."""
    target: Symbol | None
    """None when it leads to nothing that is indexed."""


@dataclass(frozen=True, slots=True)
class Trail:
    """Where a name leads."""

    symbols: tuple[Symbol, ...] = ()
    standing: Standing | None = None
    """What its first part stands for."""
    owner: Symbol | None = None
    """What the parts before the last one mean when it has no such member."""


def trail(graph: NavigableGraph, parts: list[str]) -> Trail:
    """Return where a name leads that no definition has, part by part behind the longest beginning that is known."""
    owner: Symbol | None = None
    for cut in range(len(parts) - 1, 0, -1):
        starts = graph.symbols_named(".".join(parts[:cut]), _MOST_STARTS)
        for start in sorted(starts, key=lambda one: (is_side_path(one.path), one.id)):
            reached = _reached(graph, start, parts[cut:])
            if reached:
                return Trail(reached)
        if starts and owner is None and cut == len(parts) - 1:
            owner = next((one for one in starts if one.kind in _HOLDERS), starts[0])
    stands = standings(graph, parts[0])
    # By itself a name is what most files mean; with more behind it, what has that.
    for standing in stands[: 1 if len(parts) == 1 else None]:
        reached = _reached(graph, standing.target, parts[1:]) if standing.target is not None else ()
        if reached:
            return Trail(reached, standing)
    return Trail((), stands[0] if stands else None, owner)


def standings(graph: NavigableGraph, name: str) -> list[Standing]:
    """Return what files give a name to, what the product and most of them mean first."""
    said: dict[tuple[str, str], list[OtherName]] = {}
    targets: dict[tuple[str, str], Symbol | None] = {}
    # What a test binds at its top is known in that test alone.
    seen = (other for other in graph.renamed(name) if other.line or not is_side_path(other.path))
    every: dict[tuple[str, str, str], list[OtherName]] = {}
    for other in sorted(seen, key=lambda other: (is_side_path(other.path), other)):
        # In files of one folder, and from elsewhere where it is no relative one, a module's name means the same.
        is_relative = not other.is_returned and not other.module[:1].isalpha()
        every.setdefault((other.module, other.target, _folder(other.path) if is_relative else ""), []).append(other)
    for others in list(every.values())[:_MOST_FILES]:
        target = _target(graph, others[0])
        meant = (target.id, "") if target is not None else (others[0].module, others[0].target)
        said.setdefault(meant, []).extend(others)
        targets[meant] = target
    stands = [Standing(others[0], len(others), targets[meant]) for meant, others in said.items()]
    return sorted(stands, key=lambda one: (is_side_path(one.other.path), -one.files, one.other))


def inherited(graph: NavigableGraph, owner: Symbol, member: str) -> Symbol | None:
    """Return the member that one of a type's bases defines; nearest base first, and what is only declared last.

    A module of Ruby gives those who include it what its ``ClassMethods`` hold, too.
    """
    waiting, declared, seen = [owner], list[Symbol](), {owner.id}
    for _ in range(_MOST_BASES):
        if not (waiting or declared):
            break
        at = waiting.pop(0) if waiting else declared.pop(0)
        found = (*(_inside(graph, at, member) if at.id != owner.id else ()), *_given(graph, at, member))
        if found:
            return found[0]
        for base in _bases(graph, at):
            if base.id not in seen:
                seen.add(base.id)
                (declared if base.kind is SymbolKind.INTERFACE else waiting).append(base)
    return None


def _bases(graph: NavigableGraph, symbol: Symbol) -> list[Symbol]:
    """Return what a type inherits from here, in the order of the graph."""
    edges = (edge for edge in graph.edges_of(symbol.id) if edge.kind in BASES and edge.source == symbol.id)
    ids = dict.fromkeys(edge.target for edge in edges)
    found = graph.symbols(ids)
    return [found[one] for one in ids if one in found]


def _given(graph: NavigableGraph, symbol: Symbol, member: str) -> tuple[Symbol, ...]:
    """Return the members of a name that a module of Ruby has for the classes that include it."""
    if symbol.language != _RUBY:
        return ()
    return tuple(one for inner in _inside(graph, symbol, _CLASS_METHODS) for one in _inside(graph, inner, member))


def _reached(graph: NavigableGraph, start: Symbol, parts: list[str]) -> tuple[Symbol, ...]:
    """Return what a name's further parts mean behind a symbol."""
    at: tuple[Symbol, ...] = (start,)
    for part in parts:
        found = {one.id: one for symbol in at[:_MOST_STARTS] for one in _members(graph, symbol, part)}
        at = tuple(found.values())
    return at


def _members(graph: NavigableGraph, symbol: Symbol, name: str) -> tuple[Symbol, ...]:
    if symbol.kind is SymbolKind.MODULE:
        return _offered(graph, symbol, name)
    found = _inside(graph, symbol, name)
    if found or symbol.kind not in CONTAINERS:
        return found
    from_base = inherited(graph, symbol, name)
    return (from_base,) if from_base is not None else ()


def _inside(graph: NavigableGraph, symbol: Symbol, name: str) -> tuple[Symbol, ...]:
    return tuple(one for one in graph.symbols_in(symbol.path) if one.parent == symbol.id and one.name == name)


def _offered(graph: NavigableGraph, module: Symbol, name: str) -> tuple[Symbol, ...]:
    """Return what a module offers under a name: its own, what it calls so, or what it passes on of others."""
    waiting, seen = [module], {module.id}
    while waiting and len(seen) <= _MOST_MODULES:
        at = waiting.pop(0)
        found = _inside(graph, at, name) or tuple(_renamed(graph, at, name)) or tuple(_imported(graph, at, name))
        if found:
            return found
        lines = {other.line for other in graph.renamed("", at.path)}
        passed = {edge for edge in _imports(graph, at) if edge[0] is EdgeKind.RE_EXPORTS and edge[2] not in lines}
        others = graph.symbols({target for _, target, _ in passed} - seen).values()
        modules = sorted((one for one in others if one.kind is SymbolKind.MODULE), key=lambda one: one.id)
        seen.update(one.id for one in modules)
        waiting += modules
    return ()


def _renamed(graph: NavigableGraph, module: Symbol, name: str) -> Iterator[Symbol]:
    for other in graph.renamed(name, module.path):
        target = _target(graph, other)
        if target is not None:
            yield target


def _imported(graph: NavigableGraph, module: Symbol, name: str) -> Iterable[Symbol]:
    ids = dict.fromkeys(target for _, target, _ in _imports(graph, module))
    targets = graph.symbols(ids)
    return [targets[one] for one in ids if one in targets and targets[one].name == name]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _target(graph: NavigableGraph, other: OtherName, most: int = _MOST_NAMES) -> Symbol | None:
    """Return what a file gives another name to, through so many further names; None when that is not indexed."""
    module = next(iter(graph.symbols_in(other.path)), None)
    if module is None:
        return None
    if other.line:
        return _imported_at(graph, module, other)
    if other.is_returned:
        return None
    name, *rest = other.target.removeprefix("=").split(".")
    found = _inside(graph, module, name) or tuple(_imported(graph, module, name))
    if not found and most:
        meant = (_target(graph, one, most - 1) for one in graph.renamed(name, module.path))
        found = tuple(one for one in meant if one is not None)
    reached = _reached(graph, found[0], rest) if found else ()
    return reached[0] if reached else None


def _imported_at(graph: NavigableGraph, module: Symbol, other: OtherName) -> Symbol | None:
    """Return what an import leads to: where several do so on its line, what is called so there."""
    imports = _imports(graph, module)
    known = graph.symbols({target for _, target, _ in imports})
    here = [known[target] for _, target, line in imports if line == other.line and target in known]
    called = other.target if other.target != "default" else ""
    if called:
        return next((one for one in (*here, *known.values()) if one.name == called), None)
    last = other.module.rstrip("/").rpartition("/")[2].rpartition(".")[2] or other.module
    whole = [one for one in here if one.kind is SymbolKind.MODULE] or here
    # Two imports of the same module have one edge.
    alike = [one for one in known.values() if one.kind is SymbolKind.MODULE and one.name == last]
    return next(iter(whole or alike), None)


def _imports(graph: NavigableGraph, module: Symbol) -> list[tuple[EdgeKind, SymbolId, int]]:
    """Return how, what and where a module imports, in order."""
    edges = [edge for edge in graph.edges_of(module.id) if edge.source == module.id and edge.kind in _PASSING]
    return sorted(((edge.kind, edge.target, edge.line) for edge in edges), key=lambda row: (row[2], row[1]))
