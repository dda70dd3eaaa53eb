"""Names to which functions of Python give several things: each gets a name of its own where the function means it.

``p = Person(); p.name(); p = Pet(); p.name()``. Where this or that may be meant, the name stands for either, and where
nothing is known of what it was given last, for nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.binders import binding_of
from ctxcode.codegraph.extract.names.candidates import HEAD, is_followed
from ctxcode.codegraph.extract.names.grammars import GRAMMARS
from ctxcode.codegraph.extract.names.occurrences import occurrences
from ctxcode.codegraph.extract.names.reaching import Flow, Given, covered, given, joined, marked
from ctxcode.codegraph.extract.names.shadows import HIDDEN, Bound, Regions
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Key = tuple[str, str]
"""(where a function begins, name)."""
_GRAMMAR = GRAMMARS["python"]
_AHEAD = re.compile(rb"\s*(?::=|[=:,)\]\r\n]|in\b|if\b)|\s*\Z")
_BINDING = re.compile(rb"\b(?:def|lambda|for|as|case|global|nonlocal)\b")
_NAMES = b" \t\r,()[]*:_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_GOING_ON = frozenset(b"(.[")
_GIVING = frozenset({b"=", b",", b";"})
"""What stands on its line before a name that is given something, if anything does."""
_CLS = "cls"
_CLS_GIVEN = re.compile(rb"^[ \t]+(?:for[ \t]+)?cls([ \t]*(?::[^\n=]{0,100})?=(?!=)|[ \t]+in\b)", re.MULTILINE)
_CLS_TAKEN = re.compile(rb"def(?<!\wdef)[ \t]+\w+[ \t]*\([^()]{1,300},\s*cls\b")
_FIRST_PARAMETER = re.compile(rb"^[ \t]+(?:async[ \t]+)?def[ \t]+\w+(?:\[[^\n()]*\])?[ \t]*\(\s*\Z", re.MULTILINE)
_LONGEST_HEAD = 300
_MOST_GIVEN = 40
_MOST_EITHER = 5
_LONGEST = 100_000
"""Bytes of a function whose names are looked at."""


class Meanings:
    """What the names of one file's functions mean where they are said."""

    def __init__(self, findings: Findings, page: Page, captures: Captures) -> None:
        functions = sorted(captures.get("function", ()), key=lambda node: (node.start_byte, -node.end_byte))
        self._around = Regions([(*node.byte_range, str(node.start_byte)) for node in functions])
        self._functions = {str(node.start_byte): node for node in functions}
        self._flows: dict[Key, Flow] = {}
        self._apart: dict[Key, Regions] = {}
        self._types: dict[Key, dict[int, tuple[int, str]]] = {}
        self._said: dict[tuple[str, str], Bound] = {}
        self._names = set[str]()
        self._declared = {node.start_byte for node in captures.get("annotated", ())}
        root = next(iter(captures.get("module", ())), None)
        if root is None or not functions:
            return
        typed: dict[Key, dict[int, str]] = defaultdict(dict)
        for at, name, bound in (*findings.bindings, *findings.parameters):
            function = self._around.name(at) if name.isidentifier() else ""
            if function:
                typed[function, name].setdefault(at, bound)
        before = self._said_before(findings, page, typed)
        if not before and not any(len(rows) > 1 for rows in typed.values()):
            return
        said = {receiver for _, _, receiver in findings.calls}
        said.update([bound for _, _, bound in findings.bindings if is_followed(bound)])
        said.update(_returned(captures, page))
        heads = {head[2] for text in said if (head := HEAD.match(text)) is not None}
        for key, rows in typed.items():
            if (1 < len(rows) <= _MOST_GIVEN or key in before) and key[1] in heads:
                self._add(key, self._places(page.source, *key), rows, page, root)

    def _said_before(self, findings: Findings, page: Page, typed: Mapping[Key, Mapping[int, str]]) -> set[Key]:
        """Return the names by which something is called before the one known thing is given to them, or to make that.

        ``x = Page(x.text())``. And those that are given something else behind it: ``x = Page(); x = x.text() + "a"``.
        """
        once = {key: next(iter(rows.items())) for key, rows in typed.items() if len(rows) == 1}
        names, found, said = {name for _, name in once}, set[Key](), set[Key]()
        for at, _, receiver in findings.calls:
            name = receiver.partition(".")[0]
            if name in names and (row := once.get(key := (self._around.name(at), name))) is not None:
                given_at, bound = row
                said.add(key)
                if at < page.line_end(given_at) and not bound.startswith(f"{name}."):
                    found.add(key)
        found.update([key for key in said - found if self._is_given_behind(page.source, key, once[key][0])])
        return found

    def _is_given_behind(self, source: bytes, key: Key, given_at: int) -> bool:
        """Whether a function gives something to a name behind the place where it is given the one known thing."""
        end, begin = self._functions[key[0]].end_byte, given_at + len(key[1])
        if end - begin > _LONGEST:
            return False
        for text in (f"{key[1]} =".encode(), f"{key[1]}=".encode()):
            at = begin
            while (at := source.find(text, at, end)) >= 0:
                behind = at + len(text)
                before = source[max(0, at - _LONGEST_HEAD) : at].rpartition(b"\n")[2].rstrip()
                is_given = source[behind : behind + 1] != b"=" and (not before or before[-1:] in _GIVING)
                if is_given and self._around.name(at) == key[0]:
                    return True
                at = behind
        return False

    def _places(self, source: bytes, function: str, name: str) -> list[int]:
        """Return where a function may give something to a name."""
        start, end = int(function), self._functions[function].end_byte
        if end - start > _LONGEST:
            return []
        encoded = name.encode()
        found = [start + at for at, _ in occurrences(source[start:end], {encoded: name}, going_on=_GOING_ON)]
        return [
            at for at in found if _may_be_given(source, at, at + len(encoded)) and self._around.name(at) == function
        ]

    def _add(self, key: Key, places: Sequence[int], typed: Mapping[int, str], page: Page, root: "Node") -> None:
        name, numbers, nodes = key[1], dict[str, int](), list["Node"]()
        body, declared, annotated = _body(self._functions[key[0]]), 0, 0
        events, apart, types = list[Given](), list[tuple[int, int, str]](), dict[int, tuple[int, str]]()
        for at in places:
            node = root.descendant_for_byte_range(at, at + len(name.encode()))
            bound = binding_of(_GRAMMAR, node, name.encode(), page.source) if node is not None else None
            if node is None or bound is None or node.type != "identifier":
                continue
            if node.parent is not None and node.parent.type in _GRAMMAR.outer:
                return
            if (bound.body, bound.end) != body:
                apart.append((bound.start, bound.end, name))
                continue
            said, number = typed.get(at, ""), 0
            if said:
                head = HEAD.match(said) if is_followed(said) else None
                is_own = head is not None and head[2] == name
                number = numbers.setdefault(f"{at}" if is_own else said, len(numbers) + 1)
                types.setdefault(number, (at, said))
                if at in self._declared:
                    annotated = number
                elif annotated and is_followed(said):
                    number = annotated
                declared = number if at < body[0] or at in self._declared else declared
            # Whatever a name is given that has a type is of that type.
            events.append(given(node, number or declared, int(key[0])))
            nodes.append(node)
        # What is made where a name holds nothing is as good as what it holds else: ``if x is None: x = Page()``.
        is_meant = len(typed) > 1 or all(len(event.around) < 2 for event in events if event.number)
        if len(events) <= _MOST_GIVEN and len({event.number for event in events}) > 1 and is_meant:
            self._flows[key] = Flow(events, covered(nodes))
            self._apart[key] = Regions(sorted(apart, key=lambda span: (span[0], -span[1])))
            self._types[key] = types
            self._names.add(name)

    def rename(self, findings: Findings) -> None:
        """Give names of their own to what is meant where things are called, and bound to what others give."""
        if not self._flows:
            return
        findings.calls = [(at, name, self.meant(at, said) if said else said) for at, name, said in findings.calls]
        findings.bindings = [
            (at, name, self._each_meant(at, said) if is_followed(said) else said)
            for at, name, said in findings.bindings
        ]

    def bound(self) -> list[Bound]:
        """Return what the names are bound to that were said until now."""
        return sorted(self._said.values())

    def meant(self, at: int, expression: str) -> str:
        """Return an expression that stands on a byte, its first name as it is meant there."""
        head = HEAD.match(expression)
        if head is None or head[2] not in self._names:
            return expression
        key = self._around.name(at), head[2]
        flow = self._flows.get(key)
        if flow is None or self._apart[key].name(at):
            return expression
        begin, end = head.span(2)
        return f"{expression[:begin]}{self._named(key, at, flow)}{expression[end:]}"

    def _each_meant(self, at: int, said: str) -> str:
        """Return what is this or that, all of it as it is meant on a byte."""
        return "|".join([self.meant(at, each) for each in said.split("|")])

    def _named(self, key: Key, at: int, flow: Flow) -> str:
        """Return what a name is called on a byte, and note what that is bound to."""
        reaching = flow.reaching(at)
        numbers = sorted(number for number in reaching if number > 0)
        if len(numbers) > _MOST_EITHER:
            numbers, reaching = [], frozenset()
        name = marked(key[1], reaching)
        if numbers and (key[0], name) not in self._said:
            types = [self._types[key][number] for number in numbers]
            # What follows may lead here again.
            self._said[key[0], name] = (types[0][0], name, "")
            bound = [self._each_meant(place, said) if is_followed(said) else said for place, said in types]
            self._said[key[0], name] = (types[0][0], name, joined(name, bound, reaching))
        return name


def add_globals(findings: Findings, page: Page, captures: Captures) -> None:
    """Bind what functions give to names of the module, as far as the module knows it: ``global _client``."""
    statements = captures.get("global", ())
    if not statements:
        return
    # A module may say so of its own names, where no function is.
    functions = sorted((*node.byte_range, str(node.start_byte)) for node in captures.get("function", ()))
    around = Regions(functions)
    told = {(around.name(node.start_byte), page.of(name)) for node in statements for name in node.named_children}
    places = {found.name: found.header for found in reversed(findings.definitions) if not around.name(found.first - 1)}
    findings.bindings += [
        (places[name], name, bound)
        for at, name, bound in findings.bindings
        if around.name(at)
        and (around.name(at), name) in told
        and name in places
        and (not is_followed(bound) or bound.partition(".")[0].removesuffix("()") in places)
    ]


def join_nonlocals(findings: Findings, page: Page, captures: Captures) -> None:
    """Bind names that functions inside of others give something to all that any of these does: ``nonlocal it``.

    When one of them is run nobody knows.
    """
    statements = captures.get("nonlocal", ())
    if not statements:
        return
    functions = sorted((*node.byte_range, str(node.start_byte)) for node in captures.get("function", ()))
    around, outer = Regions(functions), _around_functions(functions)
    rows: dict[Key, list[str]] = defaultdict(list)
    for at, name, bound in (*findings.parameters, *findings.bindings):
        if name.isidentifier():
            rows[around.name(at), name].append(bound)
    joined: dict[Key, str] = {}
    for node in statements:
        for name in map(page.of, node.named_children):
            inner = owner = around.name(node.start_byte)
            while (owner := outer.get(owner, "")) and (owner, name) not in rows and (owner, name) not in joined:
                pass
            keys = [(each, name) for each in (owner or outer.get(inner, ""), inner)]
            said = dict.fromkeys(each for key in keys for each in (joined.get(key) or "|".join(rows[key])).split("|"))
            said.pop("", None)
            joined.update(dict.fromkeys(keys, "|".join(said)))

    def shared(at: int, name: str, bound: str) -> Bound:
        return at, name, joined.get((around.name(at), name), bound)

    findings.bindings = [shared(*row) for row in findings.bindings]
    findings.parameters = [shared(*row) for row in findings.parameters]


def _around_functions(functions: Sequence[tuple[int, int, str]]) -> dict[str, str]:
    """Return for each function, given in order, the one that it stands in, as far as there is one."""
    found, opened = dict[str, str](), list[tuple[int, str]]()
    for start, end, name in functions:
        while opened and opened[-1][0] <= start:
            opened.pop()
        if opened:
            found[name] = opened[-1][1]
        opened.append((end, name))
    return found


def hide_classes(findings: Findings, page: Page, captures: Captures) -> None:
    """Give ``cls`` another name in functions that give it something, as it is no longer the object's own class then.

    ``for cls in kinds: cls()``.
    """
    if b"cls" not in page.source:
        return
    places = [match.end() - len(match[1]) for match in _CLS_GIVEN.finditer(page.source)]
    places += [match.end() - 1 for match in _CLS_TAKEN.finditer(page.source)]
    places += [at for at, name, _ in findings.parameters if name == _CLS and not _is_first(page, at)]
    if not places:
        return
    functions = sorted((node.start_byte, -node.end_byte) for node in captures.get("function", ()))
    around = Regions([(start, -end, str(start)) for start, end in functions])
    hidden = {around.name(at) for at in places} - {""}
    own = f"{_CLS}{HIDDEN}"

    def meant(at: int, said: str) -> str:
        head = HEAD.match(said)
        if head is None or head[2] != _CLS or around.name(at) not in hidden:
            return said
        begin, end = head.span(2)
        return f"{said[:begin]}{own}{said[end:]}"

    findings.calls = [
        (at, meant(at, name) if not receiver else name, meant(at, receiver)) for at, name, receiver in findings.calls
    ]
    for rows in (findings.bindings, findings.parameters):
        rows[:] = [
            (
                at,
                own if name == _CLS and around.name(at) in hidden else name,
                "|".join([meant(at, each) if is_followed(each) else each for each in said.split("|")]),
            )
            for at, name, said in rows
        ]


def _is_first(page: Page, at: int) -> bool:
    """Whether a parameter is its function's first, of one that is inside of something."""
    return _FIRST_PARAMETER.search(page.source, max(0, at - _LONGEST_HEAD), at) is not None


def _returned(captures: Captures, page: Page) -> Iterator[str]:
    """Yield the names that functions return, of a tuple all of them."""
    for node in captures.get("returned", ()):
        for value in node.named_children[:1]:
            parts = value.named_children if value.type in {"expression_list", "tuple"} else [value]
            yield from (page.of(part) for part in parts if part.type == "identifier")


def _may_be_given(source: bytes, at: int, end: int) -> bool:
    """Whether a name may be given something where it stands, as far as its line tells: most are only said."""
    ahead = _AHEAD.match(source, end)
    if ahead is None:
        return False
    before = source[source.rfind(b"\n", 0, at) + 1 : at]
    if _BINDING.search(before) is not None or ahead[0].endswith(b":="):
        return True
    if b"(" in before:
        return False
    line_end = source.find(b"\n", end)
    behind = source[end : line_end if line_end >= 0 else len(source)]
    return b"=" in behind or not (before.strip(_NAMES) or behind.strip(_NAMES))


def _body(function: "Node") -> tuple[int, int]:
    body = function.child_by_field_name("body")
    return (body or function).start_byte, function.end_byte
