"""What a text hit inside a function says of that function."""

from collections.abc import Mapping

from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.graph_port import SearchableGraph

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_DEEPEST = 3
_LONGEST_LINES = 60
"""A function of more lines is rarely shown whole: what is inside of it, as in JavaScript's modules, is shown by itself.
"""
_INNER_SHARE = 0.2
"""What a function gains of the lesser ones among its own hit and those of the functions inside of it."""


def inner_functions(symbols: Mapping[int, Symbol], graph: SearchableGraph) -> dict[int, int]:
    """Return the nodes among ``symbols`` that are written inside a function, each with the outermost such function.

    Long functions are none of these.
    """
    known = dict(symbols)
    around = {node: graph.owner(node) for node, symbol in symbols.items() if "." in symbol.qualname}
    outer: dict[int, int] = {}
    for _ in range(_DEEPEST):
        missing = {owner for owner in around.values() if owner is not None and owner not in known}
        if missing:
            known.update(graph.symbols_at(missing))
        climbing = {}
        for node, owner in around.items():
            if owner is None or owner not in known:
                continue
            if known[owner].kind in _CALLABLE and _is_short(known[owner]):
                outer[node] = owner
            if "." in known[owner].qualname:
                climbing[node] = graph.owner(owner)
        around = climbing
        if not around:
            break
    return outer


def _is_short(symbol: Symbol) -> bool:
    return symbol.end_line - symbol.start_line < _LONGEST_LINES


def with_inner(base: Mapping[int, float], outer: Mapping[int, int]) -> dict[int, float]:
    """Return text scores with those of inner functions given to the outermost one, at most 1.

    The full-text index holds a function's text without the functions inside of it.
    """
    scores = {node: score for node, score in base.items() if node not in outer}
    shares: dict[int, list[float]] = {}
    for node, owner in outer.items():
        if node in base:
            shares.setdefault(owner, []).append(base[node])
    for owner, found in shares.items():
        best, *rest = sorted([*found, base.get(owner, 0.0)], reverse=True)
        scores[owner] = min(1.0, best + _INNER_SHARE * sum(rest))
    return scores
