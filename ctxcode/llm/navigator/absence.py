"""What can be said of a name that no definition has: the proof that nothing is called so, or what it may stand for."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ctxcode.llm.navigator.graph_port import BASES, CONTAINERS, NavigableGraph
from ctxcode.llm.navigator.lookup import Found
from ctxcode.llm.navigator.standing import Standing
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.naming.folder import is_side_path
from ctxcode.model.naming.number import counted
from ctxcode.model.naming.words import with_seams
from ctxcode.model.symbol import IndexStats, Symbol, SymbolKind

Quote = Callable[[str], str]
"""How a name is shown."""

_MOST_HITS, _MOST_FILES = 600, 150
"""Of what may hold a word, so much is looked at and so many files are read."""
_MOST_WRITTEN = 5
_SHORTEST = 2
"""Letters of a name that is looked for in the text: what is shorter stands in all of it."""
_OWN = (
    r"^\s*NAME\s*(?:[:=,;]|$)|(?:\b(?:self|cls|this)\s*(?:\.|::|->|\?\.)\s*|@)NAME(?![\w$])"
    r"|(?<![\w:]):NAME(?![\w$])|([\"'])NAME\1"
)
"""How a type's text gives its objects a member without defining it: ``CLOSE = 8``, ``self.size``, ``:size``."""
_MEMBER = re.compile(r"\.|::|->|#(?=.)")
"""What stands between a type and its member."""
_MOST_TYPES = 40
"""What a type inherits from, of which so many are read."""


class Written(NamedTuple):
    """A line that holds a name."""

    path: str
    line: int
    text: str


def written(graph: NavigableGraph, read_text: Callable[[str], str], found: Found) -> list[Written]:
    """Return where a name stands that no definition has, a line per file: where it is given a value first.

    Such a name is what a file binds without defining it: ``routes = []``. Of a dotted one the last two parts count. A
    member that a type here does not define can be given in its text, or in that of what it inherits from.
    """
    if found.is_no_member and found.owner is not None:
        return _held(graph, read_text, found.owner, _parts(found.name)[-1])
    return written_anywhere(graph, read_text, found.name)


def written_anywhere(
    graph: NavigableGraph, read_text: Callable[[str], str], name: str, besides: Symbol | None = None
) -> list[Written]:
    """Return where a name stands in any file, as above, but not in a definition that is known."""
    *outer, last = _parts(name)
    if len(last) < _SHORTEST:
        return []
    beside, lines_with = outer[-1] if outer else "", _Lines(last)
    found: list[tuple[bool, bool, int, Written]] = []
    paths = dict.fromkeys(hit.path for hit in graph.search([(with_seams(last), 1.0)], _MOST_HITS))
    for place, path in enumerate(list(paths)[:_MOST_FILES]):
        lines = _lines(read_text, path)
        numbers: Iterable[int] = range(1, len(lines) + 1)
        if besides is not None and besides.path == path:
            numbers = (at for at in numbers if not besides.start_line <= at <= besides.end_line)
        said = lines_with.among(lines, numbers, beside)
        if said is not None:
            is_other, at = said
            found.append((is_other, is_side_path(path), place, Written(path, at, lines[at - 1].strip())))
    return [one for *_, one in sorted(found)[:_MOST_WRITTEN]]


def _held(graph: NavigableGraph, read_text: Callable[[str], str], owner: Symbol, member: str) -> list[Written]:
    """Return where the text of a type holds the name of a member, or that of a type it inherits from."""
    lines_with, found = _Lines(member, _OWN), list[Written]()
    for one in _with_bases(graph, owner):
        lines = _lines(read_text, one.path)
        said = lines_with.among(lines, range(one.start_line, min(one.end_line, len(lines)) + 1))
        if said is not None:
            found.append(Written(one.path, said[1], lines[said[1] - 1].strip()))
        if len(found) >= _MOST_WRITTEN:
            break
    return found


def _with_bases(graph: NavigableGraph, owner: Symbol) -> list[Symbol]:
    """Return a type, its other parts, and what it inherits from here, the nearest first."""
    parts = (one for one in graph.symbols_named(owner.dotted) if one.kind in CONTAINERS and one.id != owner.id)
    found = {one.id: one for one in (owner, *parts)}
    waiting = list(found.values())
    while waiting and len(found) < _MOST_TYPES:
        inner = waiting.pop(0)
        ids = [edge.target for edge in graph.edges_of(inner.id) if edge.source == inner.id and edge.kind in BASES]
        for base in graph.symbols(one for one in ids if one not in found).values():
            found[base.id] = base
            waiting.append(base)
    return list(found.values())[:_MOST_TYPES]


class _Lines:
    """Lines that hold a word."""

    def __init__(self, word: str, own: str = "") -> None:
        """Take the word, and what tells that it is an object's own; any line that holds it does without."""
        name = re.escape(word)
        self._word = re.compile(own.replace("NAME", name) if own else rf"(?<![\w$]){name}(?![\w$])")
        self._given = re.compile(rf"(?<![\w$]){name}\s*(?::[^=]*)?:?=[^=]")

    def among(self, lines: Sequence[str], numbers: Iterable[int], beside: str = "") -> tuple[bool, int] | None:
        """Return the first of some lines that holds the word, one that gives it a value before others; None for none.

        As (whether it gives it none, its number from 1). ``beside`` has to stand there, too.
        """
        found = (
            (self._given.search(lines[at - 1]) is None, at)
            for at in numbers
            if beside in lines[at - 1] and self._word.search(lines[at - 1])
        )
        return min(found, default=None)


def _parts(name: str) -> list[str]:
    return re.split(r"[^\w$!?]+", name.strip())


def _lines(read_text: Callable[[str], str], path: str) -> list[str]:
    try:
        return read_text(path).split("\n")
    except CtxcodeError:
        return []


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


def grounds(found: Found, quote: Quote, there: Sequence[Written] = ()) -> list[str]:
    """Return, as sentences, what is known of what a name without a definition begins with.

    ``there`` is where it is written all the same.
    """
    if found.standing is not None:
        said = meaning(found.standing, quote)
        is_outside = found.standing.target is None and not found.standing.other.is_returned
        return [f"{said}, which leads to nothing in the index." if is_outside else f"{said}."]
    if found.owner is None:
        return []
    owner = f"{quote(found.owner.qualname or found.owner.path)} ({quote(_place(found.owner))})"
    member = quote(_MEMBER.split(found.name)[-1])
    if found.owner.kind in CONTAINERS and there:
        return [f"{owner}, or what it inherits from, holds {member} without such a definition."]
    if found.owner.kind in CONTAINERS:
        return [f"{owner} has no member {member}, nor has any type here that it inherits from."]
    if found.owner.kind in {SymbolKind.MODULE, SymbolKind.NAMESPACE}:
        return [f"{owner} defines no {member} and passes on none."]
    return [f"{owner} is a {found.owner.kind}: what it holds is not in the graph."]


def gaps(stats: IndexStats, quote: Quote) -> list[str]:
    """Return, as sentences, which files are not known, and who says why: in one of them a name may be defined."""
    if not stats.revision and stats.files:
        return [f"The index is not complete: nothing of {counted(stats.files, 'file')} is there yet."]
    said = [f"{counted(stats.unread, 'file')} could not be read: {quote('ctxcode index')} says why."]
    return [*growing(stats), *(said if stats.unread else [])]


def growing(stats: IndexStats) -> list[str]:
    """Return, as a sentence, how much of the repository is still to be indexed; nothing when nothing is."""
    if not stats.pending:
        return []
    return [f"The index is not complete: {counted(stats.pending, 'file')} of {stats.files + stats.pending:,} to go."]


def _place(symbol: Symbol) -> str:
    return f"{symbol.path}:{symbol.header_line or symbol.start_line or 1}"
