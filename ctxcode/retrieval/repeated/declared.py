"""What files of declarations say that a script of JavaScript defines: ``cart.d.ts`` of ``cart.js``."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.built import SOURCES, scripts_beside
from ctxcode.model.naming.folder import is_side_path
from ctxcode.model.naming.forms import DECLARATIONS, SCRIPTS
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.graph_port import SearchableGraph

_DEFINED = frozenset(
    {
        SymbolKind.MODULE,
        SymbolKind.CLASS,
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTANT,
        SymbolKind.VARIABLE,
    }
)
"""What scripts have, too: types are in declarations alone."""
_DEFINING = (*SCRIPTS, *SOURCES)
_MOST_NAMED = 50
"""Of a name with more definitions none is looked for: no script alone has it."""
_ASKED_FOR = re.compile(
    r"\.d\.[cm]?ts\b|\b(?:typescript|typings|type[ -](?:declaration|definition)s?|declaration files?)\b", re.IGNORECASE
)


def asks_for_declarations(text: str) -> bool:
    """Whether a question speaks of what files of declarations are for, or of one of them."""
    return _ASKED_FOR.search(text) is not None


def defined_elsewhere(symbols: Mapping[int, Symbol], graph: SearchableGraph) -> dict[int, int]:
    """Return the nodes among ``symbols`` that only declare what a script defines, each with that definition's node.

    That is what has the same name in the script beside, else in the only script that has its outermost name, if that
    stands in the folder of its package: what other people's packages export is often called like something here.
    """
    declared = {
        node: [SymbolId(f"{script}::{one.qualname}" if one.qualname else script) for script in scripts]
        for node, one in symbols.items()
        if one.kind in _DEFINED and (scripts := scripts_beside(one.path))
    }
    known = graph.nodes_of([identity for several in declared.values() for identity in several])
    missing = [node for node, several in declared.items() if known.keys().isdisjoint(several)]
    path_of, package_of = (
        cache(lambda name: _only(name, graph)),
        _packages({symbols[node].path for node in missing}, graph),
    )
    for node in missing:
        one = symbols[node]
        path = path_of(one.qualname.partition(".")[0])
        declared[node] = [SymbolId(f"{path}::{one.qualname}")] if path and path.startswith(package_of[one.path]) else []
    known |= graph.nodes_of([identity for node in missing for identity in declared[node]])
    defining = {node for node, one in graph.symbols_at(set(known.values())).items() if one.kind in _DEFINED}
    found = {node: [known[one] for one in several if known.get(one) in defining] for node, several in declared.items()}
    return {node: nodes[0] for node, nodes in found.items() if nodes}


def _only(name: str, graph: SearchableGraph) -> str:
    """Return the only script of a product that has something by a name, nothing where there are others or none."""
    named = graph.symbols_named(name, _MOST_NAMED) if name else ()
    if len(named) == _MOST_NAMED:
        return ""
    paths = [one.path for one in named if one.qualname == name and one.path.endswith(_DEFINING)]
    paths = [path for path in paths if not (path.endswith(DECLARATIONS) or is_side_path(path))]
    return paths[0] if len(paths) == 1 and paths[0].endswith(SCRIPTS) else ""


def _packages(paths: Iterable[str], graph: SearchableGraph) -> dict[str, str]:
    """Return for each path how all paths of its package begin; the innermost folder with a manifest is one."""
    around = {path: list(_folders_around(path)) for path in paths}
    known = graph.nodes_of({_manifest(folder) for folders in around.values() for folder in folders})
    return {
        path: next((folder for folder in folders if _manifest(folder) in known), "") for path, folders in around.items()
    }


def _folders_around(path: str) -> Iterator[str]:
    """Yield the folders a path is in, the innermost first, each with a slash at its end."""
    while folder := path.rpartition("/")[0]:
        yield f"{folder}/"
        path = folder


def _manifest(folder: str) -> SymbolId:
    return SymbolId(f"{folder}package.json")


def with_definitions(scores: Mapping[int, float], declared: Mapping[int, int]) -> dict[int, float]:
    """Return text scores with those of declarations given to what they declare: the comments are often there."""
    given = {node: score for node, score in scores.items() if node not in declared}
    for node, definition in declared.items():
        given[definition] = max(given.get(definition, 0.0), scores.get(node, 0.0))
    return given
