"""What answers requests: functions that a decorator, a list of addresses or a call of a router makes routes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from posixpath import basename

from ctxcode.model.errors import RepositoryError
from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_foreign_path, is_side_path
from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind
from ctxcode.session.ports import CodeGraph, Workspace

_DECORATOR = re.compile(
    r"@?[\w.]+\.(?:route|get|post|put|patch|delete|websocket)\(\s*[rbuf]?[\"']|@?(?:api_view|route)\("
)
_WORDS = (("route", 1.0), ("router", 1.0), ("get", 0.3), ("post", 0.5), ("api_view", 1.0))
_MOST_HITS = 60
_LIST = "urls.py"
_MOST_LISTED = 1_000
"""Looked through for the product's own; its tests may have many more."""
_MOST_LISTS = 20
_MOST_ROUTES = 12
_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS})
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})

_LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
"""Those in which routes are made by calls."""
_CALL = re.compile(r"\.(?:get|post|put|patch|delete|all)\(\s*(['\"`])/[^'\"`\n]*\1\s*,")
"""``.get('/x', …``, as Express, Fastify, Koa and Hono have it."""
_ROUTER = re.compile(r"\b(?:app|server|fastify|routes?|\w*[rR]outer|\w+(?:App|Server|Routes?))\s*\Z")
"""What it is said to: looked for behind, as few calls look so and a search for this first takes forty times as long."""
_LONGEST_ROUTER = 200
_CHAIN = re.compile(r"\.route\(\s*(['\"`])/[^'\"`\n]*\1\s*\)")
"""``router.route('/x')``, which the calls ``.get(…).post(…)`` follow."""
_LINK = re.compile(r"(?:\s|//[^\n]*\n)*\.(?:get|post|put|patch|delete|all)\(")
_HANDLER = re.compile(r"([A-Za-z_$][\w$]*)[\s,)]*\Z")
_WRITTEN = re.compile(r"=>|\bfunction\b")
_BRACKET = re.compile(r"[()\[\]{}]")
_LONGEST_CALL = 400
_LONGEST_HANDLER = 4_000
"""Characters of a handler behind which its end, and the next one of a chain, is looked for."""
_MOST_CALLS = 300
"""In one file, and as many chains."""
_MOST_FILES = 10
_LONGEST_FILE = 200_000


def routes(graph: CodeGraph, workspace: Workspace) -> Iterator[Symbol]:
    """Yield what answers requests, outer files first.

    Known are decorators as Flask and FastAPI have them, what Django's ``urls`` name, and calls as Express has them.
    """
    hits = graph.search(_WORDS, _MOST_HITS, with_aside=False)
    found = [one for one in graph.symbols_at([hit.node for hit in hits]).values() if is_own(one)]
    decorated = [one for one in found if any(map(_DECORATOR.match, one.decorators))]
    called = _called(graph, workspace, [one.path for one in found if one.language in _LANGUAGES])
    every = {one.id: one for one in (*decorated, *_viewed(graph), *called)}
    yield from sorted(every.values(), key=lambda one: (one.path.count("/"), one.path, one.start_line))[:_MOST_ROUTES]


def is_own(symbol: Symbol) -> bool:
    """Return whether a definition is of the product: no test, no example, nobody else's."""
    return _is_own_path(symbol.path)


def _is_own_path(path: str) -> bool:
    return not is_side_path(path) and not is_foreign_path(path)


def _viewed(graph: CodeGraph) -> list[Symbol]:
    """Return what the product's own lists of addresses of Django name."""
    named: set[SymbolId] = set()
    lists = [path for path in graph.paths_like(_LIST, _MOST_LISTED) if basename(path) == _LIST and _is_own_path(path)]
    for module in map(SymbolId, lists[:_MOST_LISTS]):
        edges = graph.edges_of(module)
        named.update(edge.target for edge in edges if edge.kind is EdgeKind.REFERENCES and edge.source == module)
    return [one for one in graph.symbols(named).values() if is_own(one) and one.kind in _KINDS] if named else []


def _called(graph: CodeGraph, workspace: Workspace, paths: Iterable[str]) -> Iterator[Symbol]:
    """Yield the handlers that calls of a router name; where one is written in the call, what is around it."""
    for path in sorted(set(paths), key=lambda path: (path.count("/"), path))[:_MOST_FILES]:
        try:
            text = workspace.read_text(path)[:_LONGEST_FILE]
        except RepositoryError:
            continue
        places = [*_registrations(text)]
        symbols = graph.symbols_in(path) if places else ()
        for at in places:
            handler = _handler(graph, symbols, text, at)
            if handler is not None and is_own(handler):
                yield handler


def _registrations(text: str) -> Iterator[int]:
    """Yield where the handlers of each route are written, in no order."""
    for call in islice(filter(_is_to_router, _CALL.finditer(text)), _MOST_CALLS):
        yield call.end()
    for chain in islice(_CHAIN.finditer(text), _MOST_CALLS):
        link = _LINK.match(text, chain.end())
        while link is not None:
            yield link.end()
            end = _closing(text, link.end())
            link = _LINK.match(text, end) if end else None


def _is_to_router(call: re.Match[str]) -> bool:
    return _ROUTER.search(call.string, max(0, call.start() - _LONGEST_ROUTER), call.start()) is not None


def _closing(text: str, start: int) -> int:
    """Return where the call ends whose arguments begin at a place, 0 when that is too far.

    Brackets in texts count too.
    """
    depth = 1
    for bracket in _BRACKET.finditer(text, start, start + _LONGEST_HANDLER):
        depth += 1 if bracket[0] in "([{" else -1
        if not depth:
            return bracket.end()
    return 0


def _handler(graph: CodeGraph, symbols: Sequence[Symbol], text: str, at: int) -> Symbol | None:
    """Return what the arguments at a place name; where a function is written there, what is around it."""
    end = _closing(text, at)
    if _WRITTEN.search(text, at, min(end or len(text), at + _LONGEST_CALL)):
        return _around(symbols, text.count("\n", 0, at) + 1)
    name = _HANDLER.search(text, max(at, end - _LONGEST_CALL), end - 1) if end else None
    return _named(graph, symbols, name[1]) if name is not None else None


def _named(graph: CodeGraph, symbols: Iterable[Symbol], name: str) -> Symbol | None:
    """Return the callable of a name: of the file itself, else of the only file that has one."""
    here = [one for one in symbols if one.name == name and one.kind in _CALLABLE]
    there = here or [one for one in graph.symbols_named(name) if one.kind in _CALLABLE and is_own(one)]
    return there[0] if len({one.path for one in there}) == 1 else None


def _around(symbols: Sequence[Symbol], line: int) -> Symbol | None:
    """Return the innermost function around a line, the module where there is none."""
    around = [one for one in symbols if one.kind in _CALLABLE and one.start_line <= line <= one.end_line]
    return max(around, key=lambda one: one.start_line, default=symbols[0] if symbols else None)
