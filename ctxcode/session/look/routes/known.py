"""Everything that answers requests."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from posixpath import basename

from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind
from ctxcode.session.look.routes.called import called
from ctxcode.session.look.routes.laravel import listed_in_php
from ctxcode.session.look.routes.marked import marked
from ctxcode.session.look.routes.own import edges_from, is_own, is_own_path, outer_first
from ctxcode.session.look.routes.placed import placed
from ctxcode.session.look.routes.rails import drawn
from ctxcode.session.ports import CodeGraph, FileTexts

_DECORATOR = re.compile(
    r"@?[\w.]+\.(?:route|get|post|put|patch|delete|websocket)\(\s*[rbuf]?[\"']|@?(?:api_view|route)\("
)
_OF_ANY_SERVER = re.compile(
    r"(?:get|handle|is|on)?_?(?:health|live|ready|alive|liveness|readiness|ping|version|metrics|favicon|robots|not_?found"
    r"|not_?implemented|unsupported)_?(?:z|ness|check|probe|handler|txt|ico)?",
    re.IGNORECASE,
)
"""What says nothing of the product."""
_LANGUAGES = frozenset({"python", "javascript", "typescript", "tsx"})
"""Those whose routes are among what speaks of them."""
_WORDS = (("route", 1.0), ("router", 1.0), ("get", 0.3), ("post", 0.5), ("api_view", 1.0))
_MOST_HITS = 60
_LIST = "urls.py"
_MOST_LISTED = 1_000
"""Looked through for the product's own; its tests may have many more."""
_MOST_LISTS = 20
_MOST_ROUTES = 12
"""In all, and of each kind."""
_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS})


def routes(graph: CodeGraph, workspace: FileTexts) -> Iterator[Symbol]:
    """Yield what answers requests, outer files first.

    Known are marks as Flask, FastAPI, Spring, JAX-RS, ASP.NET, NestJS, Actix and Symfony have them; lists of addresses
    as Django, Rails and Laravel have them; calls as Express, Go's servers, Axum, ASP.NET and Ktor have them; files
    whose place says it, as Next.js has them.
    """
    languages = [count.language for count in graph.stats().languages]
    found = _speaking(graph) if not _LANGUAGES.isdisjoint(languages) else []
    decorated = [one for one in found if any(map(_DECORATOR.match, one.decorators))]
    kinds = (
        iter(sorted(decorated, key=_place)),
        marked(graph, languages),
        iter(sorted(_viewed(graph), key=_place)),
        called(graph, workspace, languages, found),
        drawn(graph, workspace),
        listed_in_php(graph, workspace),
        placed(graph, workspace),
    )
    every = {one.id: one for kind in kinds for one in islice(_once(kind), _MOST_ROUTES)}
    yield from sorted(every.values(), key=_importance)[:_MOST_ROUTES]


def _speaking(graph: CodeGraph) -> list[Symbol]:
    """Return what of the product speaks of routes."""
    hits = graph.search(_WORDS, _MOST_HITS, with_aside=False)
    return [one for one in graph.symbols_at([hit.node for hit in hits]).values() if is_own(one)]


def _once(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    yielded = set[SymbolId]()
    for one in symbols:
        if one.id not in yielded:
            yielded.add(one.id)
            yield one


def _importance(symbol: Symbol) -> tuple[bool, int]:
    return _OF_ANY_SERVER.fullmatch(symbol.name) is not None, symbol.path.count("/")


def _place(symbol: Symbol) -> tuple[tuple[int, str], int]:
    return outer_first(symbol.path), symbol.start_line


def _viewed(graph: CodeGraph) -> list[Symbol]:
    """Return what the product's own lists of addresses of Django name."""
    named: set[SymbolId] = set()
    lists = [path for path in graph.paths_like(_LIST, _MOST_LISTED) if basename(path) == _LIST and is_own_path(path)]
    for module in map(SymbolId, lists[:_MOST_LISTS]):
        named.update(edge.target for edge in edges_from(graph, module, {EdgeKind.REFERENCES}))
    return [one for one in graph.symbols(named).values() if is_own(one) and one.kind in _KINDS] if named else []
