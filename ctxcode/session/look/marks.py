"""What a mark, or what it inherits from, makes the start of a program, in languages that have it so."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ctxcode.model.symbol import Symbol
from ctxcode.session.look.routes.own import is_own
from ctxcode.session.ports import CodeGraph

_MOST_HITS = 60


class _Mark(NamedTuple):
    """How a language has it."""

    words: tuple[tuple[str, float], ...]
    """By which some are found."""
    decorator: re.Pattern[str]
    signature: re.Pattern[str] | None = None


_MARKS = {
    "swift": _Mark(
        (("main", 1.0), ("app", 0.5), ("ui application main", 1.0)), re.compile(r"@(?:main|(?:UI|NS)ApplicationMain)\b")
    ),
    "scala": _Mark(
        (("app", 1.0), ("main", 1.0)),
        re.compile(r"@main\b"),
        re.compile(r"object\s.*\b(?:extends|with)\s+(?:App|IOApp(?:\.Simple)?|ZIOApp(?:Default)?)\b"),
    ),
}


def marked_as_started(graph: CodeGraph) -> Iterator[Symbol]:
    """Yield the product's own that are marked so."""
    for count in graph.stats().languages:
        mark = _MARKS.get(count.language)
        hits = graph.search(mark.words, _MOST_HITS, with_aside=False) if mark is not None else ()
        for one in graph.symbols_at([hit.node for hit in hits]).values():
            if mark is not None and one.language == count.language and is_own(one) and _is_marked(one, mark):
                yield one


def _is_marked(symbol: Symbol, mark: _Mark) -> bool:
    is_decorated = any(map(mark.decorator.match, symbol.decorators))
    return is_decorated or (mark.signature is not None and mark.signature.match(symbol.signature) is not None)
