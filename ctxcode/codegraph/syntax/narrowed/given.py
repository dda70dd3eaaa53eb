"""What functions of Ruby and Lua give to one name after another: each place means what was given last.

Where this or that may be meant the name stands for either, and where something of which nothing is known may be, too,
for no more than something likely.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.candidates import HEAD, is_followed
from ctxcode.codegraph.extract.names.reaching import DEFAULT, UNKNOWN, joined, marked
from ctxcode.codegraph.extract.names.shadows import HIDDEN, Bound, Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ANYTHING, RETURNED

if TYPE_CHECKING:
    from tree_sitter import Node

_NOTHING, _OWN = -2, -3
"""The numbers of what has no methods, and of what nothing is known of that an object gives for itself."""
_Key = tuple[int, str]
"""(where a function begins, name)."""
_DOTS = frozenset({b".", b":"})
_HIGHEST = 60
_MOST_GIVEN, _MOST_EITHER = 40, 5
_MOST_LOOKED_AT = 2_000
"""In a file: what stands around each takes longer to find the deeper it stands."""
_END = 4
"""Bytes at the end of a function that say so."""


def _read_elsewhere(value: "Node", page: Page) -> str:
    del value, page
    return ""


class Language(NamedTuple):
    """What the grammar of a language calls things."""

    functions: frozenset[str]
    """Those that names do not leave; the outermost counts of those that are inner ones, too."""
    inner: frozenset[str]
    """Functions in which names around them are known."""
    choosing: frozenset[str]
    """Statements of which one branch is run."""
    branches: frozenset[str]
    passing: frozenset[str]
    """What may stand between a statement and its branches."""
    last: frozenset[str]
    """What says that a branch is run where no other one is."""
    loops: frozenset[str]
    chosen: Mapping[str, int]
    """What runs a part now and then: its first one, 0, or all but that, 1."""
    leaving: re.Pattern[bytes]
    """How a statement begins behind which nothing of its function is run."""
    nothing: frozenset[str]
    """Values that have no methods."""
    reads: Callable[["Node", Page], str] = _read_elsewhere
    """From a value to what the name that is given it is bound to."""
    begins_in_blocks: bool = False
    """Whether a name that is first given something in an inner function is that one's own."""


class Place(NamedTuple):
    """A place where a name is given something."""

    node: "Node"
    """The name."""
    value: "Node | None" = None
    """What it is given; None for what nobody knows."""
    behind: int = 0
    """The byte from which on it means that; 0 for the end of the name."""
    end: int = 0
    """Where the name ends that is declared there; 0 for the end of its function."""
    is_default: bool = False
    """Whether it is given where it holds nothing."""
    is_bare: bool = False
    """Whether it is declared and given nothing."""


class _Branch(NamedTuple):
    start: int
    end: int
    statement: tuple[int, int] = (0, 0)
    """Where that begins and ends of which no other branch is run; empty where that says nothing."""
    is_left: bool = False
    """Whether its function ends with it."""

    def holds(self, at: int) -> bool:
        return self.start <= at < self.end


class _Event(NamedTuple):
    at: int
    place: int
    """Where the name stands."""
    number: int
    end: int
    around: tuple[_Branch, ...]
    """The innermost first."""
    loops: tuple[tuple[int, int], ...]
    is_default: bool
    """Whether it is given where the name holds nothing."""


class _Around(NamedTuple):
    """What stands around a place."""

    function: "Node"
    branches: list[_Branch]
    loops: list[tuple[int, int]]
    inner: tuple[int, int]
    """The innermost function around it in its function, if there is one."""
    is_tested: bool
    """Whether a branch is run for what the name itself holds."""


def tell_apart(findings: Findings, page: Page, language: Language, places: Iterable[Place]) -> None:
    """Give names of their own to what is meant where something is called of it."""
    heads = {head[2] for _, _, said in findings.calls if said and (head := HEAD.match(said)) is not None}
    known = {name for _, name, _ in findings.bindings}
    names = heads & known if language.reads is _read_elsewhere else heads
    kept = [place for place in places if page.of(place.node) in names] if names else []
    if len(kept) > 1:
        _Names(findings, page, language).rename(kept)


class _Names:
    """The names of one file."""

    def __init__(self, findings: Findings, page: Page, language: Language) -> None:
        self._findings, self._page, self._language = findings, page, language
        self._known = {at: bound for at, _, bound in findings.bindings}
        self._events: dict[_Key, list[_Event]] = defaultdict(list)
        self._texts: dict[_Key, list[tuple[int, str]]] = defaultdict(list)
        self._told = set[_Key]()
        """Of which of them something is bound that would be meant by the name."""
        self._nodes: dict[tuple[int, int], Node] = {}
        """Statements of which one branch is run."""
        self._functions = Regions(())
        self._bound = dict[tuple[int, str], Bound]()

    def rename(self, places: Iterable[Place]) -> None:
        """Rename what is meant, and bind what it is then called."""
        spans = {span for place in islice(places, _MOST_LOOKED_AT) if (span := self._add(place)) is not None}
        for key, events in list(self._events.items()):
            if not self._texts.get(key) or not 1 < len(events) <= _MOST_GIVEN:
                del self._events[key]
        if not self._events:
            return
        findings = self._findings
        self._functions = Regions([(start, end, str(start)) for start, end in sorted(spans)])
        findings.calls = [(at, name, self._meant(at, at, said) if said else said) for at, name, said in findings.calls]
        ends = {found.header: found.end - _END for found in findings.definitions}
        findings.parameters = [
            (
                at,
                name,
                self._meant(ends[at], at, said) if name == RETURNED and at in ends and is_followed(said) else said,
            )
            for at, name, said in findings.parameters
        ]
        rows = [
            (at, name, self._meant(at, at, said) if is_followed(said) else said) for at, name, said in findings.bindings
        ]
        findings.bindings = rows + sorted(self._bound.values())

    def _add(self, place: Place) -> tuple[int, int] | None:
        """Note what is given in a place; return where its function begins and ends."""
        name, at = self._page.of(place.node), place.node.start_byte
        said, around = self._said(place, at), self._around(place, name)
        if around is None or (place.is_default and not said):
            return None
        span = around.function.byte_range
        key, number = (span[0], name), _NOTHING
        if said is None:
            number = _OWN if self._is_own(place, name) else UNKNOWN
        if at in self._known:
            self._told.add(key)
        if said:
            self._texts[key].append((at, said))
            number = len(self._texts[key])
        end, behind = place.end or span[1], place.behind or place.node.end_byte
        is_inner = self._language.begins_in_blocks and around.inner[1] > 0
        if is_inner and not any(each.place < around.inner[0] for each in self._events[key]):
            end = min(end, around.inner[1])
        branches = tuple([each for each in around.branches if (each.start, each.end) != span])
        is_default = number > 0 and (place.is_default or around.is_tested)
        self._events[key].append(_Event(behind, at, number, end, branches, tuple(around.loops), is_default))
        return span

    def _said(self, place: Place, at: int) -> str | None:
        """Return what a name is bound to in a place; empty for what has no methods, None for what is not known."""
        if said := self._known.get(at):
            return said
        if place.is_bare or (place.value is not None and place.value.type in self._language.nothing):
            return ""
        return (self._language.reads(place.value, self._page) if place.value is not None else "") or None

    def _is_own(self, place: Place, name: str) -> bool:
        """Whether a name is given what its own object gives: most often another of its class, ``url = url.parent``."""
        source, start = self._page.source, place.value.start_byte if place.value is not None else 0
        end = start + len(name.encode())
        return start > 0 and source[start:end] == name.encode() and source[end : end + 1] in _DOTS

    def _around(self, place: Place, name: str) -> _Around | None:
        """Return what stands around a place; None outside of functions."""
        language, function, is_tested = self._language, None, False
        branches = [_Branch(*place.node.byte_range)] if place.is_default else []
        loops, inner = list[tuple[int, int]](), (0, 0)
        child, at = place.node, self._page.parent(place.node)
        for _ in range(_HIGHEST):
            if at is None:
                break
            kind = at.type
            function = at if kind in language.functions else function
            if kind in language.functions and kind not in language.inner:
                break
            if kind in language.inner:
                inner = inner if inner[1] else at.byte_range
                branches.append(_Branch(*at.byte_range))
            elif kind in language.loops:
                loops.append(at.byte_range)
                branches.append(_Branch(*at.byte_range))
            elif (branch := self._branch(child, at)) is not None:
                is_tested = is_tested or self._is_tested(name, child, at)
                branches.append(branch)
            child, at = at, self._page.parent(at)
        if function is None:
            return None
        return _Around(function, branches, loops, (0, 0) if inner == function.byte_range else inner, is_tested)

    def _branch(self, child: "Node", at: "Node") -> _Branch | None:
        """Return the branch that a child is of what runs one of several, or one now and then."""
        language, kind = self._language, at.type
        if child.type in language.branches and (kind in language.choosing or kind in language.passing):
            statement: Node | None = at
            for _ in range(_HIGHEST):
                if statement is None or statement.type not in language.passing:
                    break
                statement = self._page.parent(statement)
            if statement is None or statement.type not in language.choosing:
                return _Branch(*child.byte_range, is_left=self._is_left(child))
            self._nodes[statement.byte_range] = statement
            return _Branch(*child.byte_range, statement.byte_range, self._is_left(child))
        place = language.chosen.get(kind)
        parts = at.named_children if place is not None else []
        is_chosen = bool(parts) and (child == parts[0]) == (place == 0)
        return _Branch(*child.byte_range) if is_chosen else None

    def _is_left(self, branch: "Node") -> bool:
        last = branch.named_children[-1] if branch.named_children else None
        return last is not None and self._language.leaving.match(self._page.source, last.start_byte) is not None

    def _is_tested(self, name: str, child: "Node", at: "Node") -> bool:
        """Whether a branch is run for what the name itself holds: ``it = A.new if it.nil?``."""
        test = at.child_by_field_name("condition")
        return test != child and self._page.mentions(test, name)

    def _meant(self, at: int, place: int, expression: str) -> str:
        """Return an expression with its first name as it is meant on a byte, bound for what stands on another one."""
        head = HEAD.match(expression)
        function = self._functions.name(at) if head is not None else ""
        if head is None or not function or (int(function), head[2]) not in self._events:
            return expression
        begin, end = head.span(2)
        return f"{expression[:begin]}{self._named((int(function), head[2]), at, place)}{expression[end:]}"

    def _named(self, key: _Key, at: int, place: int) -> str:
        reaching, texts = self._reaching(key, at), self._texts[key]
        numbers = sorted(number for number in reaching if number > 0)
        if _OWN in reaching:
            reaching = reaching - {_OWN} | {DEFAULT if numbers and UNKNOWN not in reaching else UNKNOWN}
        if not numbers or len(numbers) > _MOST_EITHER:
            return f"{key[1]}{HIDDEN}" if key in self._told and (reaching or numbers) else key[1]
        is_doubtful = UNKNOWN in reaching and DEFAULT not in reaching
        if not is_doubtful and len({said for _, said in texts}) == 1 and not is_followed(texts[0][1]):
            return key[1]
        name = marked(key[1], reaching)
        if (place, name) not in self._bound:
            # What follows may lead here again.
            self._bound[place, name] = (place, name, ANYTHING)
            each = [texts[number - 1] for number in numbers]
            said = [self._meant(given, place, text) if is_followed(text) else text for given, text in each]
            self._bound[place, name] = (place, name, joined(name, said, reaching))
        return name

    def _reaching(self, key: _Key, at: int) -> frozenset[int]:
        """Return the numbers of what may reach a byte, UNKNOWN and DEFAULT among them."""
        events, found, killed = self._events[key], set[int](), -1
        branches: dict[tuple[int, int], set[int]] = defaultdict(set)
        for event in sorted(events, reverse=True):
            if event.at > at or event.at < killed:
                continue
            reach, left = _reach(event, at)
            if not reach:
                continue
            found.update([event.number, DEFAULT] if event.is_default else [event.number])
            if left is None:
                killed = event.at
                break
            if left.statement[1]:
                branches[left.statement].add(left.start)
                if 0 < self._count(left.statement) <= len(branches[left.statement]):
                    killed = left.statement[0]
        return frozenset(found.union(_later(events, at, killed)) - {_NOTHING})

    def _count(self, statement: tuple[int, int]) -> int:
        """Return how many branches of a statement go on behind it; 0 where it may be that none of them is run."""
        count, is_whole, waiting = 0, False, [self._nodes[statement]]
        while waiting:
            for child in waiting.pop().named_children:
                is_whole = is_whole or child.type in self._language.last
                if child.type in self._language.branches:
                    count += not self._is_left(child)
                if child.type in self._language.passing:
                    waiting.append(child)
        return count if is_whole else 0


def _reach(event: _Event, at: int) -> tuple[bool, _Branch | None]:
    """Return whether what is given reaches a byte behind it, and the outermost branch that it leaves for that."""
    left: _Branch | None = None
    if at >= event.end:
        return False, None
    for branch in event.around:
        if branch.holds(at):
            break
        if branch.is_left or branch.statement[0] <= at < branch.statement[1]:
            return False, None
        left = branch
    return True, left


def _later(events: Sequence[_Event], at: int, killed: int) -> Iterator[int]:
    """Yield the numbers of what reaches a byte ahead of it in a later turn of a loop.

    ``killed`` is where something is surely given before the byte.
    """
    for event in events:
        if at < event.at and any(start <= at < end and killed < start for start, end in event.loops):
            yield event.number
