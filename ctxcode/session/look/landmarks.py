"""The landmarks of a repository: where it is entered, and the definitions most else rests on."""

from itertools import islice

from ctxcode.model.naming.folder import is_helper_path
from ctxcode.model.plan import Reason, ReasonType
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.session.look.entries import entry_points
from ctxcode.session.look.routes.own import is_own
from ctxcode.session.ports import CodeGraph, FileTexts

Landmarks = tuple[tuple[Symbol, Reason], ...]

_CENTRAL_CANDIDATES = 60
_UNTOLD = frozenset({SymbolKind.EXTENSION, SymbolKind.MACRO})
"""What says little of a repository by itself: what adds to other types, assertions."""
_ENTRY_SHARE = 3
"""One in so many landmarks may be an entry point."""


def landmarks(graph: CodeGraph, workspace: FileTexts, limit: int) -> Landmarks:
    """Return entry points, then central definitions, best first: more than ``limit``, as not all may fit.

    Both are of the product's own code, where there is any that says something. Of namesakes only the first is taken.
    """
    most = max(limit // _ENTRY_SHARE, 1) if limit > 0 else 0
    central = graph.central(_CENTRAL_CANDIDATES) if limit > 0 else ()
    entries = islice(entry_points(graph, workspace, [symbol.id for symbol, _ in central]), most)
    found = [(symbol, Reason(ReasonType.CENTRAL, subject=why)) for symbol, why in entries]
    own = (
        sorted((pair for pair in central if _tells(pair[0])), key=lambda pair: is_helper_path(pair[0].path)) or central
    )
    found += [(symbol, Reason(ReasonType.CENTRAL, rank)) for symbol, rank in own]
    first: dict[str, tuple[Symbol, Reason]] = {}
    for symbol, reason in found:
        first.setdefault(symbol.name, (symbol, reason))
    return tuple(first.values())


def _tells(symbol: Symbol) -> bool:
    return is_own(symbol) and symbol.kind not in _UNTOLD
