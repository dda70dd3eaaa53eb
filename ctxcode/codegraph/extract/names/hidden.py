"""Names of a file that a function, a block or a comprehension in it gives to something of its own.

``def f(make): make()`` calls none of the module's ``make``. Where nothing is known of what such a name stands for,
nothing leads to what it hides.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ctxcode.codegraph.extract.findings import Definition, Findings, OutermostSpans
from ctxcode.codegraph.extract.names.binders import Binding, binding_of
from ctxcode.codegraph.extract.names.candidates import HEAD, MAKING, candidates, is_followed
from ctxcode.codegraph.extract.names.grammars import GRAMMARS, Grammar
from ctxcode.codegraph.extract.names.shadows import HIDDEN, Bound, Regions, raised
from ctxcode.codegraph.facts import RETURNED

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.page import Page

_UNKNOWN, _VALUED, _NAMED = range(3)
"""What is known of a region's name: nothing, its type, which thing of another name it is, or that it is none."""
_OWN = f"{HIDDEN}\N{SUPERSCRIPT LATIN SMALL LETTER N}"
"""What stands before the numbers of what blocks bind, to tell it from what is given to a name again."""
_BEHIND = 2
"""Bytes that may stand behind a function, and in its definition."""


class _Region(Struct, gc=False):
    start: int
    body: int
    end: int
    known: int
    meant: str
    """The name from outside that it is; empty where that is the same, or none."""
    hides_functions: bool
    own: str = ""
    """Its name where what has that around it, in the same definition, is bound to something else as well."""


class _Meanings:
    """What one name is given to in parts of a file, by byte: thousands of functions may have a parameter of a name."""

    def __init__(self, regions: Iterable[_Region], bound_at: Mapping[int, _Region]) -> None:
        self._bound_at = bound_at
        self._regions = sorted(regions, key=lambda region: (region.start, -region.end))
        self._starts = [region.start for region in self._regions]
        self._around = Regions([(each.start, each.end, str(row)) for row, each in enumerate(self._regions)])
        inside = sorted([(each.body, -each.end, row) for row, each in enumerate(self._regions)])
        self._inside = Regions([(body, -end, str(row)) for body, end, row in inside])

    def around(self, at: int) -> _Region | None:
        """Return the innermost region around a byte; parameters belong to it, and the name that it begins with."""
        bound = self._bound_at.get(at)
        if bound is not None:
            return bound
        row = self._around.name(at)
        return self._regions[int(row)] if row else None

    def inside(self, at: int) -> _Region | None:
        """Return the innermost region in which a byte means what is bound."""
        row = self._inside.name(at)
        return self._regions[int(row)] if row else None

    def of_function(self, found: Definition | None) -> _Region | None:
        """Return the region of the function that is defined: the first one in it."""
        if found is None:
            return None
        row = bisect_left(self._starts, found.header)
        region = self._regions[row] if row < len(self._regions) else None
        return region if region is not None and 0 <= found.end - region.end <= _BEHIND else None


class _Hidden(dict[str, _Meanings]):
    """By name, also with the word before it that makes an object of a class: ``newCart``."""

    made: frozenset[str] = frozenset()
    """The names that begin with that word."""


def hide_names(
    findings: Findings, page: "Page", root: "Node", language: str, placed: tuple[Sequence[int], Sequence[str]]
) -> None:
    """Rename what means something of a block's own where that is called, unless it is told of; drop calls of it.

    ``placed`` are the parents and the kinds of the module and of the definitions.
    """
    grammar = GRAMMARS.get(language)
    if grammar is None:
        return
    hidden = _regions(candidates(findings, page, grammar, placed), page, root, grammar, findings)
    if not hidden:
        return
    if grammar.makes:
        _add_made(hidden, findings)
    by_header = {found.header: found for found in findings.definitions}
    _mark(hidden, findings, page, by_header)
    if grammar.has_blocks:
        _tell_apart(hidden, findings, by_header, is_sequential=grammar.is_sequential)
    findings.calls = list(_calls(findings, hidden))
    places = findings.returned_at
    findings.bindings = [_renamed(row, hidden, by_header, places) for row in findings.bindings]
    findings.attributes = [_renamed(row, hidden, by_header, places) for row in findings.attributes]
    # The types of parameters are written for others.
    findings.parameters = [
        _renamed(row, hidden, by_header, places) if is_followed(row[2]) or row[1] in hidden else row
        for row in findings.parameters
    ]


def _regions(
    searched: Iterable[tuple[int, bytes]], page: "Page", root: "Node", grammar: Grammar, findings: Findings
) -> _Hidden:
    """Return where names are something else than outside, by name."""
    source, headers = page.source, {found.header for found in findings.definitions}
    found: dict[bytes, dict[tuple[int, int], _Region]] = defaultdict(dict)
    bound_at: dict[bytes, dict[int, _Region]] = defaultdict(dict)
    for at, name in searched:
        end = at + len(name)
        if at in headers or not grammar.ahead.match(source, end):
            continue
        node = root.descendant_for_byte_range(at, end)
        bound = binding_of(grammar, node, name, source) if node is not None and node.type in grammar.leaves else None
        if bound is not None:
            bound_at[name][at] = _add(found[name], bound, name)
    return _Hidden({name.decode(): _Meanings(rows.values(), bound_at[name]) for name, rows in found.items()})


def _add_made(hidden: _Hidden, findings: Findings) -> None:
    """Add the names of classes of which something is made and called at once, unless a function is called so."""
    heads = {head[2] for _, _, said in findings.calls if said.startswith(MAKING) and (head := HEAD.match(said))}
    made = {head for head in heads if head.removeprefix(MAKING) in hidden}
    if not made:
        return
    made -= {found.name for found in findings.definitions} | {fact.alias for fact in findings.imports} | set(hidden)
    hidden.update({head: hidden[head.removeprefix(MAKING)] for head in made})
    hidden.made = frozenset(made)


def _add(rows: dict[tuple[int, int], _Region], bound: Binding, name: bytes) -> _Region:
    start, body, end, meant, hides_functions = bound
    region = rows.setdefault((body, end), _Region(start, body, end, _UNKNOWN, "", hides_functions))
    region.start = min(region.start, start)
    if meant is not None:
        region.known = _NAMED
        region.meant = meant.decode() if meant != name else ""
    return region


def _mark(hidden: _Hidden, findings: Findings, page: "Page", by_header: Mapping[int, Definition]) -> None:
    """Note of what names there is something known."""
    for found in findings.definitions:
        _know(hidden, found.name, found.header, _NAMED)
    for fact in (*findings.imports, *findings.told_imports):
        if fact.alias in hidden:
            # In a function of one line the import stands at its end.
            _know(hidden, fact.alias, page.line_ends[fact.line - 1] - 2, _NAMED)
    spans = OutermostSpans(findings.definitions)
    for at, name, bound in (*findings.bindings, *findings.parameters):
        if name in hidden:
            # What functions around all of a file hold is the file's.
            known = _NAMED if bound[:1] == "=" or not spans.enclose(at) else _VALUED
            _know(hidden, name, at, known, by_header.get(at))


def _know(hidden: _Hidden, name: str, at: int, known: int, function: Definition | None = None) -> None:
    """Note what is known of a name on a byte, or in the function that is defined there."""
    meanings = hidden.get(name)
    region = meanings.around(at) or meanings.of_function(function) if meanings is not None else None
    if region is not None:
        region.known = max(region.known, known)


def _tell_apart(
    hidden: _Hidden, findings: Findings, by_header: Mapping[int, Definition], *, is_sequential: bool
) -> None:
    """Give what several blocks of one definition bind by one name, each to something else, names of their own.

    Where a name means something else before it is declared they have these already, but for what is meant outside of
    all of them.
    """
    spans = sorted((found.first, -found.end) for found in findings.definitions if not found.is_leaf)
    around = Regions([(start, -end, str(start)) for start, end in spans])
    rows = sorted([row for row in (*findings.bindings, *findings.parameters) if row[1] in hidden])
    outside = _used_outside(hidden, findings, {name for _, name, _ in rows}, around)
    if is_sequential:
        names = {name for _, name in outside}
        rows = [row for row in rows if row[1] in names]
    places: dict[tuple[str, str], dict[int, tuple[_Region | None, list[str]]]] = defaultdict(dict)
    for at, name, bound in rows:
        region = _bound_in(hidden[name], at, name, by_header)
        place = region.start if region is not None else -1
        key = f"{bound}{at}" if is_followed(bound) else bound
        found = by_header.get(at)
        owner = around.name(found.first - 1 if found is not None and found.name == name else at)
        places[owner, name].setdefault(place, (region, []))[1].append(key)
    for (owner, name), blocks in places.items():
        # What stands outside of all blocks is met first; it, or what the first block binds, keeps the name.
        numbers: dict[tuple[str, ...], int] = {tuple(blocks[-1][1]): 0} if -1 in blocks else {}
        if (owner, name) in outside:
            numbers.setdefault((), 0)
        elif is_sequential:
            continue
        for region, said in blocks.values():
            number = numbers.setdefault(tuple(said), len(numbers))
            if region is not None and number:
                region.own = f"{name}{_OWN}{raised(number)}"


def _used_outside(hidden: _Hidden, findings: Findings, names: set[str], around: Regions) -> set[tuple[str, str]]:
    """Return (owner, name) where something is made of a name that blocks bind, and that means another thing there."""
    found = set[tuple[str, str]]()
    for at, said in _said_in(findings) if names else ():
        name = said.lstrip("=").partition(".")[0].rstrip("?!")
        if name in names and hidden[name].inside(at) is None:
            found.add((around.name(at), name))
    return found


def _said_in(findings: Findings) -> Iterable[tuple[int, str]]:
    """Yield (byte, expression) of what things are called of, bound to and returned."""
    for at, _, receiver in findings.calls:
        yield at, receiver
    for at, name, bound in findings.bindings:
        # ``const item = item`` is no other thing.
        if is_followed(bound) and bound != f"={name}":
            yield from ((at, each) for each in bound.split("|"))
    for (_, said), places in findings.returned_at.items():
        yield from ((at, said) for at in places)


def _bound_in(meanings: _Meanings, at: int, name: str, by_header: Mapping[int, Definition]) -> _Region | None:
    """Return in which region a name is bound on a byte; on a function's own name its parameters are."""
    found = by_header.get(at)
    is_function = found is not None and found.name != name
    return meanings.of_function(found) if is_function else meanings.around(at)


def _calls(findings: Findings, hidden: _Hidden) -> Iterable[tuple[int, str, str]]:
    for at, name, receiver in findings.calls:
        region = hidden[name].inside(at) if not receiver and name in hidden else None
        if receiver:
            yield at, name, _meant(receiver, hidden, at)
        elif region is None or region.known == _NAMED or not region.hides_functions:
            yield at, name if region is None else region.meant or region.own or name, receiver


def _meant(expression: str, hidden: _Hidden, at: int, least: int = _VALUED) -> str:
    """Return an expression that stands on a byte, its first name renamed if less than that is known of it."""
    head = HEAD.match(expression)
    region = hidden[head[2]].inside(at) if head is not None and head[2] in hidden else None
    if head is None or region is None or (region.known >= least and not region.meant and not region.own):
        return expression
    begin, end = head.span(2)
    word = MAKING if head[2] in hidden.made else ""
    meant = region.meant or region.own or f"{head[2].removeprefix(word)}{HIDDEN}"
    return f"{expression[:begin]}{word}{meant}{expression[end:]}"


def _renamed(
    row: Bound, hidden: _Hidden, by_header: Mapping[int, Definition], places: Mapping[tuple[int, str], Sequence[int]]
) -> Bound:
    """Return a binding, what it says, or all it says where that is this or that, as it is meant."""
    region = _bound_in(hidden[row[1]], row[0], row[1], by_header) if row[1] in hidden else None
    name = region.own or row[1] if region is not None else row[1]
    return (
        row[0],
        name,
        "|".join(
            dict.fromkeys(said for each in row[2].split("|") for said in _said(row, each, hidden, by_header, places))
        ),
    )


def _said(
    row: Bound,
    bound: str,
    hidden: _Hidden,
    by_header: Mapping[int, Definition],
    places: Mapping[tuple[int, str], Sequence[int]],
) -> Iterable[str]:
    """Return one of what a binding says as it is meant, for a function by each place that returns it.

    An attribute's is looked for where the function's own names are not known.
    """
    at, name, _ = row
    head = HEAD.match(bound)
    if head is None or head[2] not in hidden:
        return (bound,)
    is_field = name.startswith("self.")
    if is_field or name.startswith(RETURNED):
        # What a function gives is said of its name, meant where it is returned.
        region = hidden[head[2]].of_function(by_header.get(at))
        of_function = [region.body if region is not None else at]
        least = _NAMED if is_field else _VALUED
        return [_meant(bound, hidden, each, least) for each in places.get((at, bound), of_function)]
    # What a class is called means none where something of another class goes by its name.
    least = _VALUED if is_followed(bound) else _NAMED
    return (_meant(bound, hidden, at, least),)
