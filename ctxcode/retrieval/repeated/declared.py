"""What files of declarations say that a script of JavaScript defines: ``cart.d.ts`` of ``cart.js``."""

from collections.abc import Mapping
from functools import cache

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.built import scripts_beside
from ctxcode.model.naming.folder import is_side_path
from ctxcode.model.naming.forms import SCRIPTS
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


def defined_elsewhere(symbols: Mapping[int, Symbol], graph: SearchableGraph) -> dict[int, int]:
    """Return the nodes among ``symbols`` that only declare what a script defines, each with that definition's node.

    That is what has the same name in the script beside, else in the only script that has its outermost name.
    """
    declared = {
        node: [SymbolId(f"{script}::{one.qualname}" if one.qualname else script) for script in scripts]
        for node, one in symbols.items()
        if one.kind in _DEFINED and (scripts := scripts_beside(one.path))
    }
    known = graph.nodes_of([identity for several in declared.values() for identity in several])
    missing = [node for node, several in declared.items() if known.keys().isdisjoint(several)]
    path_of = cache(lambda name: _only(name, graph))
    for node in missing:
        qualname = symbols[node].qualname
        declared[node] = [SymbolId(f"{path}::{qualname}") for path in path_of(qualname.partition(".")[0])]
    known |= graph.nodes_of([identity for node in missing for identity in declared[node]])
    defining = {node for node, one in graph.symbols_at(set(known.values())).items() if one.kind in _DEFINED}
    found = {node: [known[one] for one in several if known.get(one) in defining] for node, several in declared.items()}
    return {node: nodes[0] for node, nodes in found.items() if nodes}


def _only(name: str, graph: SearchableGraph) -> list[str]:
    """Return the only script of a product that has something by a name, nothing where there are others or none."""
    named = [one for one in graph.symbols_named(name) if one.qualname == name] if name else []
    paths = [one.path for one in named if one.path.endswith(SCRIPTS) and not is_side_path(one.path)]
    return paths if len(paths) == 1 else []


def with_definitions(scores: Mapping[int, float], declared: Mapping[int, int]) -> dict[int, float]:
    """Return text scores with those of declarations given to what they declare: the comments are often there."""
    given = {node: score for node, score in scores.items() if node not in declared}
    for node, definition in declared.items():
        given[definition] = max(given.get(definition, 0.0), scores.get(node, 0.0))
    return given
