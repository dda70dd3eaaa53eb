"""Functions that a decorator, an attribute or an annotation makes routes."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.session.look.routes.own import is_own, outer_first, worth_reading
from ctxcode.session.ports import CodeGraph

_ACTING = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_MOST_HITS = 60


class _Marks(NamedTuple):
    """How a language's frameworks mark what answers requests."""

    words: tuple[tuple[str, float], ...]
    """By which files with some are found."""
    mark: re.Pattern[str]
    owner: re.Pattern[str] | None = None
    """What the type around it has to say."""
    are_imported: bool = False
    """An import is told by these words, so that a file which has one is worth reading."""
    ends: tuple[str, ...] = ()
    """Of the paths of such files, by habit: where words tell too little."""


_JVM = _Marks(
    (
        ("rest controller", 1.0),
        ("get mapping", 1.0),
        ("post mapping", 1.0),
        ("request mapping", 1.0),
        ("ws rs", 1.0),
        ("micronaut http annotation", 1.0),
    ),
    re.compile(
        r"@(?:(?:Get|Post|Put|Patch|Delete|Request)Mapping|GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete)\b"
    ),
    re.compile(r"@\w*Controller|@Path\("),
    are_imported=True,
)
_ECMASCRIPT = _Marks(
    (("controller", 1.0), ("resolver", 0.5)),
    re.compile(
        r"@(?:Get|Post|Put|Patch|Delete|All|Sse|MessagePattern|EventPattern|Query|Mutation|Subscription"
        r"|SubscribeMessage)\("
    ),
    re.compile(r"@(?:\w*Controller|Resolver|WebSocketGateway)\("),
    ends=(".controller.ts", ".resolver.ts", ".gateway.ts"),
)
_MARKS = {
    "java": _JVM,
    "kotlin": _JVM,
    "typescript": _ECMASCRIPT,
    "csharp": _Marks(
        (("api controller", 1.0), ("controller base", 1.0), ("http get", 1.0), ("http post", 1.0), ("controller", 0.3)),
        re.compile(r"\[(?:.*[\[,]\s*)?Http(?:Get|Post|Put|Patch|Delete)\b"),
        re.compile(r".*Controller\b"),
    ),
    "rust": _Marks(
        (("actix web", 1.0), ("rocket", 1.0)),
        re.compile(r"#\[(?:\w+::)*(?:get|post|put|patch|delete|route)\(\s*\""),
        are_imported=True,
    ),
    "php": _Marks((("route", 1.0),), re.compile(r"#\[(?:.*[\[,]\s*)?(?:\w+\\)*Route\("), ends=("Controller.php",)),
}
_BY_HABIT = re.compile(r":\s*(?:\w+\.)*Controller\b")
"""A type of C# whose public methods answer without being marked, where its base is the framework's."""


def marked(graph: CodeGraph, languages: Sequence[str]) -> Iterator[Symbol]:
    """Yield what is marked in some files of these languages, outer ones first."""
    for language in languages:
        marks = _MARKS.get(language)
        if marks is not None:
            has_habit = language == "csharp" and not graph.symbols_named("Controller", 1)
            hits = graph.search(marks.words, _MOST_HITS, with_aside=False)
            symbols = graph.symbols_at([hit.node for hit in hits]).values()
            spoken = [one for one in symbols if one.language == language and is_own(one)]
            paths = sorted({one.path for one in spoken if _tells(one, marks)}, key=outer_first)
            called = [each.path for each in graph.modules() if each.path.endswith(marks.ends)] if marks.ends else []
            for path in worth_reading(graph, dict.fromkeys([*paths, *sorted(called, key=outer_first)])):
                yield from _marked_in(graph.symbols_in(path), marks, has_habit=has_habit)


def _tells(one: Symbol, marks: _Marks) -> bool:
    """Return whether a definition says that something in its file is marked."""
    if one.kind is SymbolKind.MODULE:
        return marks.are_imported
    return any(map(marks.mark.match, one.decorators)) or (marks.owner is not None and _is_said(one, marks.owner))


def _marked_in(symbols: Sequence[Symbol], marks: _Marks, *, has_habit: bool) -> Iterator[Symbol]:
    owners = {one.id: one for one in symbols}
    for one in symbols:
        owner = owners.get(one.parent) if one.parent is not None else None
        if owner is not None and one.kind in _ACTING and owner.kind is not SymbolKind.INTERFACE and is_own(one):
            is_inside = marks.owner is None or _is_said(owner, marks.owner)
            is_marked = any(map(marks.mark.match, one.decorators)) or (has_habit and _acts_by_habit(one, owner))
            if is_inside and is_marked:
                yield one


def _is_said(owner: Symbol, pattern: re.Pattern[str]) -> bool:
    return any(map(pattern.match, (*owner.decorators, owner.signature)))


def _acts_by_habit(one: Symbol, owner: Symbol) -> bool:
    is_action = one.visibility == "public" and one.name != owner.name and not one.decorators
    return is_action and _BY_HABIT.search(owner.signature) is not None
