"""What functions of Ruby and Lua give to one name after another: each place means what was given last.

Where this or that may be meant the name stands for either, and where something of which nothing is known may be, too,
for no more than something likely.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.candidates import HEAD, is_followed
from ctxcode.codegraph.extract.names.reaching import DEFAULT, UNKNOWN, joined, marked
from ctxcode.codegraph.extract.names.shadows import HIDDEN, Bound, Regions, raised
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ANYTHING, RETURNED
from ctxcode.codegraph.syntax.narrowed.giving import Around, Branch, Event, Language, Place, read_elsewhere

if TYPE_CHECKING:
    from tree_sitter import Node

_NOTHING, _OWN = -2, -3
"""The numbers of what has no methods, and of what nothing is known of that an object gives for itself."""
_Key = tuple[int, str]
"""(where a function begins, name)."""
_GIVEN = f"\N{SUPERSCRIPT LATIN SMALL LETTER N}{HIDDEN}"
"""What stands before the number of one thing that is given to a name."""
_DOTS = frozenset({b".", b":"})
_HIGHEST = 60
_MOST_GIVEN, _MOST_EITHER = 40, 5
_BROKEN_OFF = frozenset({"try_statement"})
"""What may be left at any place of its branch, so that the end of that says nothing."""
_MOST_LOOKED_AT = 2_000
"""In a file: what stands around each takes longer to find the deeper it stands."""
_END = 4
"""Bytes at the end of a function that say so."""


def tell_apart(
    findings: Findings,
    page: Page,
    language: Language,
    places: Iterable[Place],
    known: Mapping[int, str] | None = None,
) -> None:
    """Give names of their own to what is meant where something is called of it.

    ``known`` says, by byte, what the names are bound to; without it their bindings do.
    """
    if known is not None:
        kept = list(places)
        if len(kept) > 1:
            _Names(findings, page, language, known).rename(kept)
        return
    heads = {head[2] for _, _, said in findings.calls if said and (head := HEAD.match(said)) is not None}
    bound = {name for _, name, _ in findings.bindings}
    names = heads & bound if language.reads is read_elsewhere else heads
    kept = [place for place in places if page.of(place.node) in names] if names else []
    if len(kept) > 1:
        _Names(findings, page, language, {at: said for at, _, said in findings.bindings}).rename(kept)


class _Names:
    """The names of one file."""

    def __init__(self, findings: Findings, page: Page, language: Language, known: Mapping[int, str]) -> None:
        self._findings, self._page, self._language, self._known = findings, page, language, known
        self._events: dict[_Key, list[Event]] = defaultdict(list)
        """What is given to each, once all is known the last first."""
        self._texts: dict[_Key, list[tuple[int, str]]] = defaultdict(list)
        self._told = set[_Key]()
        """Of which of them something is bound that would be meant by the name."""
        self._nodes: dict[tuple[int, int], Node] = {}
        """Statements of which one branch is run."""
        self._names_given = set[str]()
        self._followed: dict[tuple[str, str], list[str]] = {}
        """What other names of a function are bound to, by (where it begins, name)."""
        self._functions = Regions(())
        self._bound = dict[tuple[int, str], Bound]()
        self._plain: set[tuple[int, str]] | None = None
        """(byte, what is bound there) of all bindings; None where what is known is said by these."""
        self._root: Node | None = None

    def rename(self, places: Sequence[Place]) -> None:
        """Rename what is meant, and bind what it is then called."""
        if self._language.has_closures:
            self._root = _top(places[0].node)
            self._plain = {(at, said) for at, _, said in self._findings.bindings}
        spans = {span for place in islice(places, _MOST_LOOKED_AT) if (span := self._add(place)) is not None}
        self._names_given = {name for _, name in self._events}
        for key, events in list(self._events.items()):
            if not self._texts.get(key) or not 1 < len(events) <= _MOST_GIVEN or self._is_plain(key, events):
                del self._events[key]
            else:
                events.sort(reverse=True)
        if not self._events:
            return
        findings = self._findings
        self._functions = Regions([(start, end, str(start)) for start, end in sorted(spans)])
        again = self._said_again()
        findings.calls = [
            (row[0], row[1], self._meant(row[0], row[0], row[2])) if row[2] in again else row for row in findings.calls
        ]
        ends = {found.header: found.end - _END for found in findings.definitions}
        findings.parameters = [
            (row[0], row[1], self._returned(row[0], row[2], ends[row[0]]))
            if row[1] == RETURNED and row[0] in ends and is_followed(row[2])
            else row
            for row in findings.parameters
        ]
        rows = [
            (row[0], row[1], self._meant(row[0], row[0], row[2])) if row[2] in again and is_followed(row[2]) else row
            for row in findings.bindings
        ]
        findings.bindings = rows + sorted(self._bound.values())

    def _said_again(self) -> set[str]:
        """Return what is said of the names."""
        names = {name for _, name in self._events}
        rows = {row[2] for row in (*self._findings.calls, *self._findings.bindings)}
        return {said for said in rows if said and (head := HEAD.match(said)) is not None and head[2] in names}

    def _is_plain(self, key: _Key, events: Sequence[Event]) -> bool:
        """Whether a name is bound to all that it is ever given, as its one type."""
        said = {text for _, text in self._texts[key]}
        if len(said) > 1 or any(event.number in {UNKNOWN, _OWN} for event in events):
            return False
        text = min(said)
        head = HEAD.match(text) if is_followed(text) else None
        is_apart = head is None or (self._plain is not None and head[2] not in self._names_given)
        return is_apart and self._is_bound(key, text)

    def _returned(self, at: int, said: str, end: int) -> str:
        """Return what a function gives, each part as it is meant where that is returned."""
        if not self._language.has_closures:
            return self._meant(end, at, said)
        places = self._findings.returned_at
        each = [(part, place) for part in said.split("|") for place in places.get((at, part), (end,))]
        return "|".join(dict.fromkeys([self._meant(place, place, part) for part, place in each]))

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
        closures = tuple(around.closures) if self._language.has_closures else ()
        self._events[key].append(
            Event(behind, at, number, end, branches, tuple(around.loops), is_default, place.start, closures)
        )
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

    def _around(self, place: Place, name: str) -> Around | None:
        """Return what stands around a place; None outside of functions."""
        language, function, is_tested = self._language, None, False
        branches = [Branch(*place.node.byte_range)] if place.is_default else []
        loops, closures = list[tuple[int, int]](), list[tuple[int, int]]()
        child, at = place.node, self._page.parent(place.node)
        for _ in range(_HIGHEST):
            if at is None:
                break
            kind = at.type
            function = at if kind in language.functions else function
            if kind in language.functions and kind not in language.inner:
                break
            if kind in language.inner:
                closures.append(at.byte_range)
                branches.append(Branch(*at.byte_range))
            elif kind in language.loops:
                loops.append(at.byte_range)
                branches.append(Branch(*at.byte_range))
            elif (branch := self._branch(child, at)) is not None:
                is_tested = is_tested or self._is_tested(name, child, at)
                branches.append(branch)
            child, at = at, self._page.parent(at)
        if function is None:
            return None
        closures = [span for span in closures if span != function.byte_range]
        inner = closures[0] if closures else (0, 0)
        return Around(function, branches, loops, inner, is_tested, closures)

    def _branch(self, child: "Node", at: "Node") -> Branch | None:
        """Return the branch that a child is of what runs one of several, or one now and then."""
        language, kind = self._language, at.type
        if kind in language.failing and child.type in language.branches:
            return Branch(*child.byte_range, is_left=kind not in _BROKEN_OFF and self._is_left(child))
        if child.type in language.branches and (kind in language.choosing or kind in language.passing):
            statement = self._statement(at)
            if statement.type not in language.choosing:
                return Branch(*child.byte_range, is_left=self._is_left(child))
            self._nodes[statement.byte_range] = statement
            return Branch(*child.byte_range, statement.byte_range, self._is_left(child))
        place = language.chosen.get(kind)
        parts = at.named_children if place is not None else []
        is_chosen = bool(parts) and (child == parts[0]) == (place == 0)
        return Branch(*child.byte_range) if is_chosen else None

    def _statement(self, at: "Node") -> "Node":
        """Return the statement of which a node is, or leads to, a part that is run now and then."""
        language, statement = self._language, at
        for _ in range(_HIGHEST):
            above = self._page.parent(statement)
            is_more = statement.type in language.chained and above is not None and above.type in language.passing
            if above is None or not (statement.type in language.passing or is_more):
                break
            statement = above
        return statement

    def _is_left(self, branch: "Node") -> bool:
        if branch.type in self._language.single:
            return self._language.leaving.match(self._page.source, branch.start_byte) is not None
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
        is_plain = len({said for _, said in texts}) == 1 and not is_followed(texts[0][1])
        if not is_doubtful and is_plain and self._is_bound(key, texts[0][1]):
            return key[1]
        name = marked(key[1], reaching)
        if (place, name) not in self._bound:
            # What follows may lead here again.
            self._bound[place, name] = (place, name, ANYTHING)
            said = [self._text(key, number, place) for number in numbers]
            is_own = UNKNOWN not in reaching and any(self._is_of_own(key, texts[number - 1][1]) for number in numbers)
            self._bound[place, name] = (place, name, joined(name, said, reaching | {DEFAULT} if is_own else reaching))
        return name

    def _is_of_own(self, key: _Key, text: str) -> bool:
        """Whether a name is given what its own object gives, most often another of its class, also by another name.

        ``next = node.next(); node = next``.
        """
        own, said = (f"{key[1]}{HIDDEN}", f"{key[1]}.", f"{key[1]}("), text.removeprefix("=")
        if said.startswith(own) or text == said or not said.isidentifier():
            return said.startswith(own)
        if not self._followed:
            for at, name, bound in self._findings.bindings:
                if is_followed(bound):
                    self._followed.setdefault((self._functions.name(at), name), []).append(bound.removeprefix("="))
        others = self._followed.get((str(key[0]), said), [])
        return bool(others) and all(each.startswith(own) for each in others)

    def _text(self, key: _Key, number: int, place: int) -> str:
        """Return what is given to a name, as it is called on a byte."""
        given, text = self._texts[key][number - 1]
        if not is_followed(text):
            return text
        event = next(each for each in self._events[key] if each.number == number)
        if not self._language.has_closures or event.is_apart(place):
            return self._meant(given, place, text)
        # What it is given is said where that is done: what it speaks of may be known there alone.
        single = f"{key[1]}{_GIVEN}{raised(number)}"
        if (given, single) not in self._bound:
            self._bound[given, single] = (given, single, ANYTHING)
            self._bound[given, single] = (given, single, self._meant(given, given, text))
        return f"={single}"

    def _is_bound(self, key: _Key, said: str) -> bool:
        """Whether the name by itself is bound to what is said."""
        return self._plain is None or any((event.place, said) in self._plain for event in self._events[key])

    def _reaching(self, key: _Key, at: int) -> frozenset[int]:
        """Return the numbers of what may reach a byte, UNKNOWN and DEFAULT among them."""
        events, found, killed = self._events[key], set[int](), -1
        branches: dict[tuple[int, int], set[int]] = defaultdict(set)
        for event in events:
            if event.at > at or event.at < killed or at < event.start:
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
        if self._language.has_closures:
            found.update(self._closed(events, at))
        return frozenset(found.union(_later(events, at, killed)) - {_NOTHING})

    def _closed(self, events: Sequence[Event], at: int) -> Iterator[int]:
        """Yield the numbers of what reaches a byte as inner functions are run whenever they are called."""
        inner: list[tuple[int, int]] | None = None
        for event in events:
            if event.start <= at < event.end and event.is_apart(at):
                yield event.number
            elif event.start <= at < min(event.at, event.end):
                inner = self._functions_around(at) if inner is None else inner
                if any(not start <= event.place < end for start, end in inner):
                    yield event.number

    def _functions_around(self, at: int) -> list[tuple[int, int]]:
        """Return the inner functions around a byte."""
        node = self._root.descendant_for_byte_range(at, at + 1) if self._root is not None else None
        around = self._page.around(node) if node is not None else ()
        return [each.byte_range for each in around if each.type in self._language.inner]

    def _count(self, statement: tuple[int, int]) -> int:
        """Return how many branches of a statement go on behind it; 0 where it may be that none of them is run."""
        count, is_whole, waiting, language = 0, False, [self._nodes[statement]], self._language
        while waiting:
            at = waiting.pop()
            for child in at.named_children:
                is_chain = child.type in language.chained and at.type in language.passing
                is_last = child.type in language.last and not any(
                    each.type in language.chained for each in child.named_children
                )
                is_whole = is_whole or is_last
                count += child.type in language.branches and not self._is_left(child)
                if child.type in language.passing or is_chain:
                    waiting.append(child)
        return count if is_whole else 0


def _top(node: "Node") -> "Node":
    at = node
    while (above := at.parent) is not None:
        at = above
    return at


def _reach(event: Event, at: int) -> tuple[bool, Branch | None]:
    """Return whether what is given reaches a byte behind it, and the outermost branch that it leaves for that."""
    left: Branch | None = None
    if at >= event.end:
        return False, None
    for branch in event.around:
        if branch.holds(at):
            break
        if branch.is_left or branch.statement[0] <= at < branch.statement[1]:
            return False, None
        left = branch
    return True, left


def _later(events: Sequence[Event], at: int, killed: int) -> Iterator[int]:
    """Yield the numbers of what reaches a byte ahead of it in a later turn of a loop.

    ``killed`` is where something is surely given before the byte.
    """
    for event in events:
        if at < event.at and any(start <= at < end and killed < start for start, end in event.loops):
            yield event.number
