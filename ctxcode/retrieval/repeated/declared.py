"""What files of declarations say that a script of JavaScript defines: ``cart.d.ts`` of ``cart.js``."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.model.naming.built import scripts_beside
from ctxcode.model.naming.folder import is_side_path
from ctxcode.model.naming.forms import SCRIPTS
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.graph_port import SearchableGraph

if TYPE_CHECKING:
    from ctxcode.model.ids import SymbolId

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

    That is what has the same name in the script beside, else the only one of this name in any script.
    """
    beside: dict[str, dict[str, Symbol]] = {}
    found: dict[int, SymbolId] = {}
    for node, symbol in symbols.items():
        scripts = scripts_beside(symbol.path)
        if not scripts or symbol.kind not in _DEFINED:
            continue
        if symbol.path not in beside:
            held = [one for script in reversed(scripts) for one in graph.symbols_in(script)]
            beside[symbol.path] = {one.qualname: one for one in held if one.kind in _DEFINED}
        definition = beside[symbol.path].get(symbol.qualname) or _only(symbol.qualname, graph)
        if definition is not None:
            found[node] = definition.id
    nodes = graph.nodes_of(found.values())
    return {node: nodes[identity] for node, identity in found.items() if identity in nodes}


def _only(qualname: str, graph: SearchableGraph) -> Symbol | None:
    """Return the only definition of a name in the scripts of a product."""
    named = [one for one in graph.symbols_named(qualname) if one.qualname == qualname] if qualname else []
    scripts = [one for one in named if one.path.endswith(SCRIPTS) and not is_side_path(one.path)]
    return scripts[0] if len(scripts) == 1 and scripts[0].kind in _DEFINED else None


def with_definitions(scores: Mapping[int, float], declared: Mapping[int, int]) -> dict[int, float]:
    """Return text scores with those of declarations given to what they declare: the comments are often there."""
    given = {node: score for node, score in scores.items() if node not in declared}
    for node, definition in declared.items():
        given[definition] = max(given.get(definition, 0.0), scores.get(node, 0.0))
    return given
