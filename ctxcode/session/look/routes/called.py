"""Functions that are given to a router by a call."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ctxcode.model.errors import RepositoryError
from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind
from ctxcode.session.look.routes.calls import registrations
from ctxcode.session.look.routes.own import edges_from, is_own, outer_first, worth_reading
from ctxcode.session.ports import CodeGraph, FileTexts

_ACTING = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_LINKING = frozenset({EdgeKind.REFERENCES, EdgeKind.CALLS})
_BY_NAME = frozenset({"javascript", "typescript", "tsx"})
"""Languages in which the only definition of a name is what is meant by it, whatever it is said of."""
_AT_TOP = _BY_NAME | {"csharp"}
"""Languages in which files do things outside of functions."""
_WORDS = {
    "go": (
        ("handle func", 1.0),
        ("serve mux", 1.0),
        ("gin engine", 1.0),
        ("gin default", 1.0),
        ("gin router group", 1.0),
        ("new router", 1.0),
        ("fiber", 1.0),
        ("router", 0.7),
        ("mux", 0.7),
        ("post", 0.3),
    ),
    "rust": (("axum", 1.0), ("actix web", 1.0), ("router", 1.0), ("route", 1.0), ("routing", 1.0)),
    "csharp": (("map get", 1.0), ("map post", 1.0), ("map delete", 1.0), ("map group", 1.0)),
    "kotlin": (("ktor server routing", 1.0), ("routing", 1.0), ("route", 0.5), ("respond", 0.5)),
}
_MOST_HITS = 60
_LONGEST_FILE = 200_000
"""Longer ones are made by programs."""
_MOST_NAMESAKES = 10
_STEP = re.compile(r"\.|::")


@dataclass(slots=True)
class _Linked:
    """What definitions use, found once for each."""

    graph: CodeGraph
    known: dict[SymbolId, dict[str, list[tuple[SymbolId, int]]]] = field(default_factory=dict)
    """By name, with the line where."""

    def named(self, source: SymbolId, name: str, line: int) -> list[Symbol]:
        """Return the functions of a name that a definition uses: of several those on this line."""
        if source not in self.known:
            used = self.known[source] = {}
            for edge in edges_from(self.graph, source, _LINKING):
                used.setdefault(_last(edge.target), []).append((edge.target, edge.line))
        linked = self.known[source].get(name, [])
        wanted = [id_ for id_, at in linked if at == line or len(linked) == 1]
        found = self.graph.symbols(wanted[:_MOST_NAMESAKES]) if wanted else {}
        return [one for one in found.values() if one.kind in _ACTING]


def _last(id_: SymbolId) -> str:
    """Return the simple name of a definition."""
    return id_.rpartition("::")[2].rpartition(".")[2].partition("~")[0]


def called(
    graph: CodeGraph, workspace: FileTexts, languages: Sequence[str], found: Iterable[Symbol]
) -> Iterator[Symbol]:
    """Yield the handlers that calls of a router name; where one is written in the call, what is around it.

    ``found`` is what speaks of routes in any language.
    """
    spoken = {one.path: one.language for one in found if one.language in _BY_NAME}
    for path in worth_reading(graph, sorted(spoken, key=outer_first)):
        yield from _handlers(graph, workspace, path, spoken[path])
    for language in languages:
        for path in worth_reading(graph, _paths(graph, language) if language in _WORDS else ()):
            yield from _handlers(graph, workspace, path, language)


def _paths(graph: CodeGraph, language: str) -> list[str]:
    """Return the files in a language that speak of routes, those that do most of it first."""
    hits = graph.search(_WORDS[language], _MOST_HITS, with_aside=False)
    symbols = graph.symbols_at([hit.node for hit in hits])
    spoken = [symbols[hit.node].path for hit in hits if hit.node in symbols and symbols[hit.node].language == language]
    return list(dict.fromkeys(spoken))


def _handlers(graph: CodeGraph, workspace: FileTexts, path: str, language: str) -> Iterator[Symbol]:
    """Yield the handlers that a file gives to routers, in its order."""
    try:
        text = workspace.read_text(path)
    except RepositoryError:
        return
    places = sorted(registrations(text, language)) if len(text) <= _LONGEST_FILE else []
    symbols = graph.symbols_in(path) if places else ()
    if not symbols:
        return
    linked = _Linked(graph)
    lines = [text.count("\n", 0, place.at) + 1 for place in places]
    for place, line, around in zip(places, lines, _around(symbols, lines), strict=True):
        if around.kind in _ACTING or language in _AT_TOP:
            found = [around] if not place.name else _named(linked, symbols, around, (_STEP.split(place.name)[-1], line))
            yield from (one for one in found if is_own(one))


def _around(symbols: Sequence[Symbol], lines: Iterable[int]) -> Iterator[Symbol]:
    """Yield the innermost function around each of some lines, which are in order; the module where there is none."""
    pending = sorted((one for one in symbols if one.kind in _ACTING), key=lambda one: -one.start_line)
    open_ = list[Symbol]()
    for line in lines:
        while pending and pending[-1].start_line <= line:
            open_.append(pending.pop())
        while open_ and open_[-1].end_line < line:
            open_.pop()
        yield open_[-1] if open_ else symbols[0]


def _named(linked: _Linked, symbols: Sequence[Symbol], around: Symbol, place: tuple[str, int]) -> list[Symbol]:
    """Return the one function that a name on a line of a definition stands for."""
    name, line = place
    found = linked.named(around.id, name, line)
    if found or around.language not in _BY_NAME:
        return found[:1]
    here = [one for one in symbols if one.name == name and one.kind in _ACTING]
    there = here or [one for one in linked.graph.symbols_named(name) if one.kind in _ACTING and is_own(one)]
    return there[:1] if len({one.path for one in there}) == 1 else []
