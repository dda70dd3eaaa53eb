"""What a function of PHP gives to a variable one after the other: each place means what was given last.

``$cart = new Cart(); $cart->pay(); $cart = open(); $cart->pay();``. Where this or that may be meant, the variable
stands for either. A closure has variables of its own, but for those that it says it uses.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.candidates import HEAD, is_followed
from ctxcode.codegraph.extract.names.reaching import UNKNOWN, Flow, Given, covered, given, joined, marked
from ctxcode.codegraph.extract.names.shadows import HIDDEN, Bound, raised
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ANYTHING, RETURNED
from ctxcode.codegraph.syntax.php.places import Place, candidates, is_emptied, jumps, places, referred, shared
from ctxcode.codegraph.syntax.php.scopes import Scope, Scopes

if TYPE_CHECKING:
    from tree_sitter import Node

Key = tuple[int, str]
"""(where a function begins, name)."""
Returned = Mapping[tuple[int, str], list[int]]
"""Where functions return something, by (the byte of the function's name, expression)."""
_OR = "\N{SUPERSCRIPT LATIN SMALL LETTER N}"
_MOST_GIVEN = 40
_MOST_EITHER = 5
_MOST_LOOKED_AT = 2_000
"""In a file: a place takes longer to find the more stands beside it."""
_LONGEST = 100_000
"""Bytes of a function whose variables are told apart."""
_OWN = "this"
_COMMENT = b"/*"
_DIGITS = "".join(map(raised, range(10)))
_KEPT = "="
"""What stands for what the parameter of a name says."""
_MOST_BETWEEN = 5
_UNSET = -2
"""The number of what a variable holds that was given nothing yet, or an array of nothing."""


def tell_apart(findings: Findings, page: Page, root: "Node", returned: Returned) -> None:
    """Give names of their own to what variables mean where something is called of them, or given on."""
    rows = (*findings.bindings, *findings.parameters)
    known = {name.rstrip(_DIGITS) for _, name, _ in rows}
    followed = {bound for _, _, bound in rows if is_followed(bound)}
    said = {receiver for _, _, receiver in findings.calls}.union(*[bound.split("|") for bound in followed])
    heads = {head[2].rstrip(_DIGITS) for text in said if (head := HEAD.match(text)) is not None}
    names = {name for name in heads & known if name.isidentifier() and _OR not in name} - {_OWN}
    if names:
        _Variables(findings, page, root, names).rename(returned)


class _Variables:
    """The variables of one file of which something is known."""

    def __init__(self, findings: Findings, page: Page, root: "Node", names: set[str]) -> None:
        self._findings, self._page, self._root, self._names = findings, page, root, names
        self._scopes = Scopes(findings.definitions, page, root)
        self._rows: dict[Key, list[Bound]] = defaultdict(list)
        """What is bound in a function, in source order."""
        self._elements: dict[int, str] = {}
        """What loops call their variables, by where these stand."""
        self._candidates: dict[Key, list[int]] = defaultdict(list)
        """Where a function may give something to a name."""
        self._places: dict[Key, list[Place]] = {}
        self._left = _MOST_LOOKED_AT
        self._heads: dict[str, tuple[int, str, int]] = {}
        """(where it begins, the name, where it ends) of the first name of an expression, as far as it is one of these.
        """
        self._flows: dict[Key, Flow | None] = {}
        self._types: dict[Key, _Types] = {}
        self._said: dict[str, tuple[list[tuple[int, str]], frozenset[int]]] = {}
        """What names are bound to that are said, (where it is given, type) of each, and the numbers of what reaches."""
        self._waiting = list[str]()
        """Those of them of which that is still to be read: what is bound may lead to others, and so on."""
        self._numbers: dict[str, int] = defaultdict(int)
        self._first: dict[Key, int] = {}
        """Where something is first called of a variable."""
        for row in sorted((*findings.bindings, *findings.parameters)):
            scope = self._scopes.around(row[0])
            if row[1] in names and scope is not None:
                self._rows[scope.start, row[1]].append(row)
            elif row[1].rstrip(_DIGITS) in names and row[1] not in names:
                self._elements.setdefault(row[0], row[1])
        for at, name in candidates(page, root, names):
            scope = self._scopes.around(at)
            if scope is not None:
                self._candidates[scope.start, name].append(at)
        self._shared = set(self._given_elsewhere())
        """What is given something where it cannot be told when."""
        self._referred: dict[Key, int] = {}
        """Of that what goes by several names, numbered."""
        for at, name in referred(page, names):
            if (scope := self._scopes.around(at)) is not None:
                self._referred.setdefault((scope.start, name), len(self._referred))
        self._jumping = {scope.start for at in jumps(page) if (scope := self._scopes.around(at)) is not None}

    def _given_elsewhere(self) -> Iterator[Key]:
        for at, name in shared(self._page, self._names):
            around = self._scopes.around(at)
            if around is not None:
                yield around.start, name
        seen = set[Key]()
        for closure in reversed(self._scopes.sharing):
            for name in closure.shared:
                scope: Scope | None = closure if (closure.start, name) in self._candidates else None
                while scope is not None and (scope.start, name) not in seen:
                    seen.add((scope.start, name))
                    scope = self._scopes.around(scope.start - 1) if name in scope.shared else None
        yield from seen

    def rename(self, returned: Returned) -> None:
        """Rename what is meant, and bind what it is then called."""
        findings = self._findings
        self._note_first()
        calls = [(at, name, self._meant(at, said) if said else said) for at, name, said in findings.calls]
        bindings = [(at, name, self._each_meant(at, said)) for at, name, said in findings.bindings]
        parameters = [
            row if row[1].isidentifier() else (row[0], row[1], self._returned(row, returned))
            for row in findings.parameters
        ]
        findings.calls = calls
        findings.bindings = [row for row in bindings if not self._is_told(row)] + sorted(self._bound())
        findings.parameters = [row for row in parameters if not self._is_told(row)]

    def _bound(self) -> Iterator[Bound]:
        while self._waiting:
            name = self._waiting.pop()
            types, reaching = self._said[name]
            kept = f"={name.partition(HIDDEN)[0]}"
            bound = [kept if said == _KEPT else self._each_meant(place, said) for place, said in types]
            yield types[0][0], name, joined(name, bound, reaching)

    def _note_first(self) -> None:
        said = [(at, receiver) for at, _, receiver in self._findings.calls if receiver]
        said += [(at, bound) for at, _, bound in self._findings.bindings if is_followed(bound)]
        for at, expression in said:
            name = self._head(expression)[1]
            scope = self._scopes.around(at) if name else None
            if scope is not None:
                key = scope.start, name
                self._first[key] = min(at, self._first.get(key, at))

    def _head(self, expression: str) -> tuple[int, str, int]:
        known = self._heads.get(expression)
        if known is None:
            head = HEAD.match(expression)
            name = head[2].rstrip(_DIGITS) if head is not None else ""
            is_known = head is not None and name in self._names
            known = self._heads[expression] = (head.start(2), name, head.end(2)) if head and is_known else (0, "", 0)
        return known

    def _places_of(self, scope: Scope, name: str) -> list[Place]:
        """Return where a function gives something to a name, in source order."""
        key = scope.start, name
        if key not in self._places:
            found = sorted(set(self._candidates.get(key, ())))
            is_few = len(found) <= _MOST_GIVEN and scope.end - scope.start <= _LONGEST
            self._left -= len(found) if is_few else 0
            is_few = is_few and self._left >= 0
            self._places[key] = list(places(self._root, [(at, name) for at in found])) if is_few else []
        return self._places[key]

    def _is_given(self, scope: Scope, name: str) -> bool:
        return bool(self._places_of(scope, name))

    def _returned(self, row: Bound, returned: Returned) -> str:
        at, name, said = row
        where = returned.get((at, said), ()) if name == RETURNED else ()
        if not where:
            return self._each_meant(at, said) if name != RETURNED else said
        found = dict.fromkeys([self._each_meant(place, said) for place in where])
        return "|".join(found) if len(found) <= _MOST_EITHER else said

    def _is_told(self, row: Bound) -> bool:
        """Whether others say what a binding does."""
        scope = self._scopes.around(row[0]) if row[1] in self._names else None
        if scope is None or self._flow(scope, row[1]) is None:
            return False
        return bool(scope.kind) or row[0] >= scope.body

    def _each_meant(self, at: int, said: str) -> str:
        """Return what is this or that, all of it as it is meant on a byte."""
        return "|".join([self._meant(at, each) for each in said.split("|")]) if is_followed(said) else said

    def _meant(self, at: int, expression: str) -> str:
        """Return an expression that stands on a byte, its first name as it is meant there."""
        begin, name, end = self._head(expression)
        if not name:
            return expression
        scope, at = self._scopes.of(at, name, self._is_given)
        flow = self._flow(scope, name) if scope is not None else None
        if scope is None or (flow is None and (scope.start, name) not in self._referred):
            return expression
        key = scope.start, name
        meant = self._named(key, at, flow) if flow is not None else self._doubted(key)
        return f"{expression[:begin]}{meant}{expression[end:]}"

    def _doubted(self, key: Key) -> str:
        """Return what a variable is called that goes by another name, too: any of what is bound, and anything else."""
        rows = self._rows.get(key, ())
        name = f"{key[1]}{HIDDEN}{HIDDEN}{raised(self._referred[key])}"
        if rows and name not in self._said:
            self._said[name] = [(at, said) for at, _, said in rows], frozenset({UNKNOWN})
            self._waiting.append(name)
        return name if rows else key[1]

    def _flow(self, scope: Scope, name: str) -> Flow | None:
        key = scope.start, name
        if (not scope.kind and key not in self._candidates) or key in self._shared or scope.start in self._jumping:
            return None
        if key not in self._flows:
            self._flows[key] = self._made(scope, name)
        return self._flows[key]

    def _made(self, scope: Scope, name: str) -> Flow | None:
        """Return what a function gives to a name; None where it has but one meaning, or too many."""
        key = scope.start, name
        rows = self._rows.get(key, [])
        if not scope.kind and not self._is_several(key, rows, sorted(self._candidates.get(key, ()))):
            return None
        found = self._places_of(scope, name)
        if not scope.kind and not self._is_several(key, rows, [place.at for place in found]):
            return None
        types = self._types[key] = _Types(name, self._numbers)
        start = 0 if name in scope.own else _UNSET
        first = [row for row in rows if row[0] < scope.body]
        if first:
            start = types.number(first[0][0], first[0][2] if scope.kind else _KEPT)
        elif name in scope.used:
            start = types.number(scope.start - 1, f"={name}")
        elif self._is_like_another(scope, name):
            # Most often it is the like of that.
            start = types.number(scope.start - 1, f"={name}|{ANYTHING}")
        events, said, declared = [Given(scope.start, start, ())], self._said_at(rows, found, scope), 0
        places = {place.at: place.node for place in found}
        for at in sorted({*said, *places}):
            node, bound = places.get(at) or self._root.descendant_for_byte_range(at, at + 2), said.get(at, "")
            if bound.startswith(f"{name}.") and bound.count(".") == 1:
                # What an object gives for itself is most often another of its class: ``$url = $url->with("a");``.
                bound = f"={name}|{bound}"
            if at not in places:
                # A comment on what gives the name nothing says what it is for.
                declared = types.number(at, bound)
            number = declared if declared and (not bound or is_followed(bound)) else types.number(at, bound)
            if number == UNKNOWN and at in places and is_emptied(places[at]):
                number = _UNSET
            if node is not None:
                events.append(given(node, number, scope.start))
        return Flow(events, covered([place.node for place in found]))

    def _is_like_another(self, scope: Scope, name: str) -> bool:
        """Whether a parameter of a closure, of which nothing is known, goes by a name of which something is."""
        around: Scope | None = scope
        while around is not None and name in around.own and (around.start, name) not in self._rows:
            around = self._scopes.of(around.start - 1, name, self._is_given)[0]
        return around is not None and around is not scope and (around.start, name) in self._rows

    def _is_several(self, key: Key, rows: list[Bound], found: list[int]) -> bool:
        """Whether a function gives several things to a name, or calls something of it before it gives it one."""
        if not found or len(found) > _MOST_GIVEN or all(at in self._elements for at in found):
            return False
        if len(rows) > _MOST_GIVEN:
            return False
        known = {at: said for at, _, said in rows}
        said = {known.get(at, self._elements.get(at, "")) for at in found}
        return len(said) > 1 or any(at < found[0] for at in known) or self._first.get(key, found[0]) < found[0]

    def _said_at(self, rows: list[Bound], found: list[Place], scope: Scope) -> dict[int, str]:
        """Return what is bound, by where: what a comment says of what is given next stands with that.

        ``/** @var Cart $cart */``.
        """
        said = {at: bound for at, _, bound in rows if at >= scope.body}
        for place in found:
            if place.at not in said and place.at in self._elements:
                said[place.at] = f"={self._elements[place.at]}"
        for at, bound in list(said.items()):
            if self._page.source[at : at + 2] != _COMMENT:
                continue
            comment = self._root.descendant_for_byte_range(at, at + 2)
            node = comment.next_named_sibling if comment is not None else None
            for _ in range(_MOST_BETWEEN):
                if node is None or node.type != "comment":
                    break
                node = node.next_named_sibling
            start, end = node.byte_range if node is not None else (0, 0)
            behind = next((place.at for place in found if start <= place.at < end), None)
            if behind is not None:
                said[behind] = bound
                del said[at]
        return said

    def _named(self, key: Key, at: int, flow: Flow) -> str:
        """Return what a name is called on a byte, and note what that is bound to."""
        reaching = flow.reaching(at) - {_UNSET}
        numbers = sorted(number for number in reaching if number > 0)
        if len(numbers) > _MOST_EITHER:
            numbers, reaching = [], frozenset()
        types = [self._types[key].said[number] for number in numbers]
        if [said for _, said in types] == [_KEPT] and UNKNOWN not in reaching:
            return key[1]
        name = marked(key[1], reaching)
        if numbers and name not in self._said:
            self._said[name] = types, reaching
            self._waiting.append(name)
        return name


class _Types:
    """What one function gives to a name, by numbers that are the file's alone."""

    def __init__(self, name: str, numbers: dict[str, int]) -> None:
        self.said: dict[int, tuple[int, str]] = {}
        """(where it is given, the type or expression), KEPT for what its parameter says."""
        self._name, self._file, self._known = name, numbers, dict[str, int]()

    def number(self, at: int, said: str) -> int:
        """Return the number of what is given on a byte; 0 for what nothing is known of."""
        if not said:
            return 0
        # What is made of others means what these do where it is given.
        text = f"{at}" if is_followed(said) else said
        if text not in self._known:
            self._file[self._name] += 1
            self._known[text] = self._file[self._name]
            self.said[self._known[text]] = at, said
        return self._known[text]
