"""Where a text gives a router what answers, by calls: as each language writes that."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

_COMMENT = re.compile(r"\s*(?://|/?\*)")
_BRACKET = re.compile(r"[()\[\]{}]")
_LONGEST_CALL = 400
_LONGEST_HANDLER = 4_000
"""Characters of a handler behind which its end, and the next one of a chain, is looked for."""
_MOST_CALLS = 300
"""In one file, and as many chains."""
_MOST_PLACES = 600
_LONGEST_ROUTER = 200


class Registration(NamedTuple):
    """One place at which a router is given what answers."""

    at: int
    """Where in the text."""
    name: str
    """What answers, as the text says it: ``h.List``, ``todos::list``; empty where it is written there."""


class _Style(NamedTuple):
    """How calls with an address before their handler look."""

    call: re.Pattern[str]
    """Up to the first thing behind the address."""
    written: re.Pattern[str]
    """A handler without a name."""
    name: re.Pattern[str]
    """The handler at the end of what is said to the router."""
    router: re.Pattern[str] | None = None
    """What the call is said to, where the call alone does not tell. Looked for behind, as few calls look so and a
    search for this first takes forty times as long."""


_ADDRESS = r"\(\s*(?:\$?@?\"[^\"\n]*\"|[\w.]+)\s*,"
"""Written, or by the name of a constant."""

_ECMASCRIPT = _Style(
    # ``.get('/x', …``, as Express, Fastify, Koa and Hono have it.
    re.compile(r"\.(?:get|post|put|patch|delete|all)\(\s*(['\"`])/[^'\"`\n]*\1\s*,"),
    re.compile(r"=>|\bfunction\b"),
    re.compile(r"([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)[\s,)]*\Z"),
    re.compile(r"\b(?:app|server|fastify|routes?|\w*[rR]outer|\w+(?:App|Server|Routes?))\s*\Z"),
)
_GO = _Style(
    re.compile(
        # Gin, Echo; Go's own and Gorilla.
        rf"\.(?:GET|POST|PUT|PATCH|DELETE){_ADDRESS}|\.Handle\(\s*\"[A-Z]+\"\s*,\s*\"[^\"\n]*\"\s*,"
        r"|\.(?:Any|Handle(?:Func)?)\(\s*(?:\w+\()?\"(?:[A-Z]+ )?[\w.]*/[^\"\n]*\"\)?\s*,"
        r"|\.Path\(\"[^\"\n]*\"\)(?:\.\w+\([^()\n]{0,80}\))*\.Handler(?:Func)?\("
    ),
    re.compile(r"\bfunc\s*\("),
    re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\s*\))?[\s,)]*\Z"),
)
_GO_CHI = _GO._replace(
    # Chi, Fiber.
    call=re.compile(r"\.(?:Get|Post|Put|Patch|Delete)\(\s*\"/[^\"\n]*\"\s*,"),
    router=re.compile(
        r"(?:\b(?:r|g|e|m|app|api|mux|server|srv|engine|routes?|v\d+|\w*[rR]outer|\w*[gG]roup|\w+(?:App|Mux|Api|API))|\))\Z"
    ),
)
_CSHARP = _Style(
    re.compile(rf"\.Map(?:Get|Post|Put|Patch|Delete){_ADDRESS}"),
    re.compile(r"=>|\bdelegate\b"),
    re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)[\s,)]*\Z"),
)
_CHAIN = re.compile(r"\.route\(\s*(['\"`])/[^'\"`\n]*\1\s*\)")
"""``router.route('/x')``, which the calls ``.get(…).post(…)`` follow."""
_OPTIONS = re.compile(r"\.route\(\s*\{")
"""``server.route({ method, url, handler: list })``, as Fastify and Hapi have it."""
_HANDLER = re.compile(
    r"\bhandler\s*(?::\s*(?:async\s+)?(?!async\b|function\b)([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*[,}\n]|[:(,}])"
)
_LINK = re.compile(r"(?:\s|//[^\n]*\n)*\.(?:get|post|put|patch|delete|all)\(")
_RUST_ROUTE = re.compile(r"\broute\(")
_RUST_HANDLER = re.compile(
    r"(?:\b(?:get|post|put|patch|delete|any)|\.to)\(\s*(?:([A-Za-z_]\w*(?:::\w+)*)\s*[,)]|(?:async\s+|move\s+){0,2}\|)"
)
_KTOR = re.compile(
    r"(?<![\w.])(?:get|post|put|patch|delete|webSocket)(?:<[\w.]+>)?[ \t]*(?:\([^()\n]{1,200}\)[ \t]*)?\{"
)
_IS_KTOR = re.compile(r"^import io\.ktor\.(?:server\.)?(?:routing|resources|websocket)\b", re.MULTILINE)


def registrations(text: str, language: str) -> Iterator[Registration]:
    """Yield what a text gives to routers, in no order."""
    find = _FINDERS.get(language)
    found = islice(find(text), _MOST_PLACES) if find is not None else ()
    return (one for one in found if not _is_comment(text, one.at))


def _is_comment(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    return _COMMENT.match(text, start, at) is not None


def _in_ecmascript(text: str) -> Iterator[Registration]:
    yield from _styled(text, _ECMASCRIPT)
    for chain in islice(_CHAIN.finditer(text), _MOST_CALLS):
        link = _LINK.match(text, chain.end())
        while link is not None:
            yield from _given(text, link.end(), _ECMASCRIPT)
            end = _closing(text, link.end())
            link = _LINK.match(text, end) if end else None
    for call in islice(_OPTIONS.finditer(text), _MOST_CALLS):
        end = _closing(text, call.end() - 1) or call.end()
        handler = _HANDLER.search(text, call.end(), end)
        if handler is not None:
            name = handler[1] or ""
            # ``{ handler }`` is short for ``{ handler: handler }``.
            is_short = not name and handler[0][-1] in ",}"
            yield Registration(handler.start(), "handler" if is_short else name)


def _in_go(text: str) -> Iterator[Registration]:
    yield from _styled(text, _GO)
    yield from _styled(text, _GO_CHI)


def _in_csharp(text: str) -> Iterator[Registration]:
    return _styled(text, _CSHARP)


def _in_rust(text: str) -> Iterator[Registration]:
    for call in islice(_RUST_ROUTE.finditer(text), _MOST_CALLS):
        end = _closing(text, call.end()) or call.end()
        for handler in _RUST_HANDLER.finditer(text, call.end(), end):
            yield Registration(max(handler.start(), handler.start(1)), handler[1] or "")


def _in_kotlin(text: str) -> Iterator[Registration]:
    if _IS_KTOR.search(text):
        for call in islice(_KTOR.finditer(text), _MOST_CALLS):
            yield Registration(call.start(), "")


_FINDERS: dict[str, Callable[[str], Iterator[Registration]]] = {
    **dict.fromkeys(("javascript", "typescript", "tsx"), _in_ecmascript),
    "go": _in_go,
    "csharp": _in_csharp,
    "rust": _in_rust,
    "kotlin": _in_kotlin,
}


def _styled(text: str, style: _Style) -> Iterator[Registration]:
    calls = (call for call in style.call.finditer(text) if style.router is None or _is_to_router(call, style.router))
    for call in islice(calls, _MOST_CALLS):
        yield from _given(text, call.end(), style)


def _is_to_router(call: re.Match[str], router: re.Pattern[str]) -> bool:
    return router.search(call.string, max(0, call.start() - _LONGEST_ROUTER), call.start()) is not None


def _given(text: str, at: int, style: _Style) -> Iterator[Registration]:
    """Yield what the arguments from a place on name, or that what answers is written there."""
    end = _closing(text, at)
    if style.written.search(text, at, min(end or len(text), at + _LONGEST_CALL)):
        yield Registration(at, "")
    elif end:
        name = style.name.search(text, max(at, end - _LONGEST_CALL), end - 1)
        if name is not None:
            yield Registration(name.start(), name[1])


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
