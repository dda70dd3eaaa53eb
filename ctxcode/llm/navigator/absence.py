"""What can be said of a name that no definition has: the proof that nothing is called so, or what it may stand for."""

import re
from collections.abc import Callable
from typing import NamedTuple

from ctxcode.llm.navigator.graph_port import CONTAINERS, NavigableGraph
from ctxcode.llm.navigator.lookup import Found
from ctxcode.llm.navigator.standing import Standing
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.naming.folder import is_side_path
from ctxcode.model.naming.number import counted
from ctxcode.model.naming.words import with_seams
from ctxcode.model.symbol import Symbol, SymbolKind

Quote = Callable[[str], str]
"""How a name is shown."""

_MOST_HITS, _MOST_FILES = 600, 150
"""Of what may hold a word, so much is looked at and so many files are read."""
_MOST_WRITTEN = 5
_SHORTEST = 3
"""Letters of a name that is looked for in the text: what is shorter stands in all of it."""


class Written(NamedTuple):
    """A line that holds a name."""

    path: str
    line: int
    text: str


def written(graph: NavigableGraph, read_text: Callable[[str], str], name: str) -> list[Written]:
    """Return where a name stands that no definition has, a line per file: where it is given a value first.

    Such a name is what a file binds without defining it: ``routes = []``. Of a dotted one the last two parts count.
    """
    *outer, last = re.split(r"[^\w$!?]+", name.strip())
    if len(last) < _SHORTEST:
        return []
    beside = outer[-1] if outer else ""
    word, given = (
        re.compile(rf"(?<![\w$]){re.escape(last)}{tail}") for tail in (r"(?![\w$])", r"\s*(?::[^=]*)?:?=[^=]")
    )
    found: list[tuple[bool, bool, int, Written]] = []
    paths = dict.fromkeys(hit.path for hit in graph.search([(with_seams(last), 1.0)], _MOST_HITS))
    for place, path in enumerate(list(paths)[:_MOST_FILES]):
        try:
            lines = read_text(path).split("\n")
        except CtxcodeError:
            continue
        said = [
            (given.search(line) is None, at) for at, line in enumerate(lines) if beside in line and word.search(line)
        ]
        if said:
            is_other, at = min(said)
            found.append((is_other, is_side_path(path), place, Written(path, at + 1, lines[at].strip())))
    return [one for *_, one in sorted(found)[:_MOST_WRITTEN]]


def meaning(standing: Standing, quote: Quote) -> str:
    """Return what files call by a name, as the beginning of a sentence."""
    other, more = standing.other, standing.files - 1
    place = quote(f"{other.path}:{other.line}" if other.line else other.path)
    where = f"{place} and {counted(more, 'more file')}" if more else place
    name, called = quote(other.name), other.target.removeprefix("=")
    if not other.line:
        if other.is_returned:
            return f"{name} is what {quote(called)} returns in {where}"
        is_same = other.target.startswith("=")
        return f"{name} {'stands for' if is_same else 'is an object of'} {quote(called)} in {where}"
    said = f"{quote(called)} of {quote(other.module)}" if called not in {"", "default"} else quote(other.module)
    return f"{name} stands for {said} in {where}"


def grounds(found: Found, quote: Quote) -> list[str]:
    """Return, as sentences, what is known of what a name without a definition begins with."""
    if found.standing is not None:
        said = meaning(found.standing, quote)
        is_outside = found.standing.target is None and not found.standing.other.is_returned
        return [f"{said}, which leads to nothing in the index." if is_outside else f"{said}."]
    if found.owner is None:
        return []
    owner = f"{quote(found.owner.qualname or found.owner.path)} ({quote(_place(found.owner))})"
    member = quote(found.name.rpartition(".")[2])
    if found.owner.kind in CONTAINERS:
        return [f"{owner} has no member {member}, nor has any type here that it inherits from."]
    if found.owner.kind in {SymbolKind.MODULE, SymbolKind.NAMESPACE}:
        return [f"{owner} defines no {member} and passes on none."]
    return [f"{owner} is a {found.owner.kind}: what it holds is not in the graph."]


def _place(symbol: Symbol) -> str:
    return f"{symbol.path}:{symbol.header_line or symbol.start_line or 1}"
