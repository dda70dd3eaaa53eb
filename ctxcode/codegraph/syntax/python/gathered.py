"""What collections of Python hold that begin empty: what is put into them later, ``carts = []; carts.append(Cart())``.

What is put in gets a name of its own, ``cartsⁱ¹``, bound where it is put in to what is said there: so it means what
that means there, in a loop or behind a test. What is put into attributes is said by methods, whose names the class does
not know: of that only what names a class counts, and what has a type.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.expressions import INDEXED, plain_expression
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Regions, raised
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.python.values import value_said, values_held

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Key = tuple[str, str]
"""(where a function or class begins, name)."""
_SEQUENCE, _MAPPING = "?", "%"
_LITERALS = {"dictionary": _MAPPING, "list": _SEQUENCE, "set": _SEQUENCE}
_GENERATED = {
    "dictionary_comprehension": _MAPPING, "list_comprehension": _SEQUENCE, "set_comprehension": _SEQUENCE,
}  # fmt: skip
_MAKERS = {
    "OrderedDict": _MAPPING, "WeakSet": _SEQUENCE, "WeakValueDictionary": _MAPPING, "defaultdict": _MAPPING,
    "deque": _SEQUENCE, "dict": _MAPPING, "list": _SEQUENCE, "set": _SEQUENCE,
}  # fmt: skip
"""What makes a collection that is empty if nothing is given to it."""
_EMPTY_LITERAL = re.compile(rb"=\s*(?:\[\s*\]|\{\s*\})")
_EMPTY_CALL = re.compile(rb"=\s*(?:\w+\.)?(?:%b)\(" % "|".join(_MAKERS).encode())
_PUTTING = {"add": 0, "append": 0, "appendleft": 0, "insert": 1, "setdefault": 1}
"""Methods that put something in, and which of their arguments that is."""
_PUTTING_MANY = frozenset({"extend", "extendleft", "update"})
_DEEPER = frozenset({INDEXED, "setdefault()"})
_OWN, _SELF = ("self.", "cls."), frozenset({"cls", "self"})
_COPIED = re.compile(r"=\w+|\w+\.__iter__\(\)")
_PUT = "\N{SUPERSCRIPT LATIN SMALL LETTER I}"
"""Tells such a name from those of loops and tests."""
_MOST_PUT = 5
"""Of what holds more kinds of things nothing is said."""
_LONGEST = 150


class _Put(NamedTuple):
    """Something that is put into a collection."""

    at: int
    signs: str
    """A sign for each collection around it, from the outermost on; empty for what can't be told."""
    value: "Node | None"


def add_gathered(findings: Findings, page: Page, captures: Captures) -> None:
    """Bind names of collections to what they begin with, or what is put into them later."""
    begun, listed = list(_empty(page, captures)), list(_listed(page, captures))
    own = [(row, said) for row, (_, name, said) in enumerate(findings.bindings) if name.startswith(_OWN)]
    own = [(row, said) for row, said in own if _COPIED.fullmatch(said)]
    if not begun and not listed and not own:
        # So it is in most files.
        return
    places = _Places(captures, begun)
    puts: dict[Key, list[_Put]] = defaultdict(list)
    for key, put in [*_called(findings, page, captures, places), *_filed(page, captures, places)]:
        puts[key].append(put)
    if not puts and not listed and not own:
        return
    known = _Known(findings, page, captures, places)
    for key, rows in puts.items():
        if all(put.signs == rows[0].signs for put in rows):
            _bind(findings, places.begun[key], key, known.of(key, rows))
    for at, name, rows in listed:
        key = places.key(at, name)
        _bind(findings, [(at, name)], key, known.of(key, rows))
    for row, said in own:
        at, name, _ = findings.bindings[row]
        findings.bindings[row] = at, name, known.kept(at, said)


def _bind(findings: Findings, places: list[tuple[int, str]], key: Key, said: list[tuple[_Put, str]]) -> None:
    """Bind a collection on these places, each with the name it has there, to what is known to be in it."""
    if not said or not said[0][0].signs:
        return
    inside = dict[str, None]()
    for number, (put, text) in enumerate(said, start=1):
        if _is_local(key) and (text[-1] == ")" or text[0] == "="):
            inner = f"{key[1]}{_PUT}{raised(number)}"
            findings.bindings.append((put.at, inner, text))
            inside[f"={inner}"] = None
        else:
            inside[f"={text}" if text[-1] == ")" else text] = None
    signs = said[0][0].signs
    bound = "|".join([f"{signs}{each}" for each in inside])
    findings.bindings += [(at, written, bound) for at, written in places]


def _is_local(key: Key) -> bool:
    return key[0] != "" and not key[1].startswith(_OWN)


class _Known:
    """What is known of what is put in, where that is said by a name."""

    def __init__(self, findings: Findings, page: Page, captures: Captures, places: "_Places") -> None:
        self._page, self._function_at = page, places.around.name
        self._looped = _looped(page, captures, places)
        self._types: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for at, name, bound in (*findings.bindings, *findings.parameters):
            self._types[self._function_at(at)][name].add(bound)
        self._defined = {found.name for found in findings.definitions} | {fact.alias for fact in findings.imports}

    def of(self, key: Key, puts: Sequence[_Put]) -> list[tuple[_Put, str]]:
        """Return what is put in with what is known of it; nothing if that is not known of everything."""
        if len(puts) > _MOST_PUT:
            return []
        found = list[tuple[_Put, str]]()
        for put in puts:
            said = value_said(self._page, put.value) if put.value is not None else ""
            said = self._of_function(put.at, said) if _is_local(key) else self._outside(put.at, said)
            if not said:
                return []
            found.append((put, said))
        return found

    def kept(self, at: int, said: str) -> str:
        """Return what an attribute is bound to that is given a copy of what a function has, as the class knows it."""
        name, mark, _ = said.removeprefix("=").partition(".")
        told = self._outside(at, f"={name}") if name not in _SELF else ""
        return told if told and (not mark or told[0] == _SEQUENCE) else said

    def _of_function(self, at: int, said: str) -> str:
        """Return what is said, unless nothing tells of the name that it begins with."""
        head, function = said[1:].partition(".")[0], self._function_at(at)
        is_told = said[:1] != "=" or head in _SELF or head in self._defined or (function, head) in self._looped
        return said if is_told or head in self._types.get(function, ()) else ""

    def _outside(self, at: int, said: str) -> str:
        """Return what is said as the class or module knows it; empty for what only a function does."""
        if said[:1] != "=" and said[-1:] != ")":
            return said
        head = said.removeprefix("=").partition(".")[0]
        types = self._types.get(self._function_at(at), {})
        if said[:1] == "=" and (told := types.get(said[1:])):
            bound = next(iter(told)) if len(told) == 1 else ""
            return bound if bound and bound[-1] != ")" and bound[0] not in "=(" and "|" not in bound else ""
        is_known = head in _SELF or (head[:1].isupper() and head in self._defined and head not in types)
        return said if is_known else ""


def _looped(page: Page, captures: Captures, places: "_Places") -> set[Key]:
    """Return the names that loops and comprehensions bind, each with the function it is in."""
    clauses = [clause for node in captures.get("comprehension", ()) for clause in node.named_children]
    found = set[Key]()
    for node in (*captures.get("loop", ()), *clauses):
        left = node.child_by_field_name("left")
        if left is not None and left.end_byte - left.start_byte <= _LONGEST:
            function = places.around.name(left.start_byte)
            found.update((function, each.strip(" ()")) for each in page.of(left).split(","))
    return found


class _Places:
    """Where names of one file are given an empty collection, and what a name means on a byte."""

    def __init__(self, captures: Captures, begun: Iterable[tuple[int, str, str]]) -> None:
        self.begun: dict[Key, list[tuple[int, str]]] = defaultdict(list)
        """Where each name begins empty, and how it is written there."""
        self.signs: dict[Key, str] = {}
        several, scopes = set[Key](), list[tuple[int, int, str, str]]()
        for kind in ("class", "function"):
            scopes += [(*node.byte_range, kind, str(node.start_byte)) for node in captures.get(kind, ())]
        scopes.sort(key=lambda scope: (scope[0], -scope[1]))
        self.around = Regions([(start, end, name if kind == "function" else "") for start, end, kind, name in scopes])
        self._classes = Regions([(start, end, name) for start, end, kind, name in scopes if kind == "class"])
        for at, name, signs in begun:
            key = self.key(at, name)
            self.begun[key].append((at, name))
            if self.signs.setdefault(key, signs) != signs:
                several.add(key)
        for key in several:
            del self.begun[key]

    def key(self, at: int, name: str) -> Key:
        """Return what a name means on a byte: an attribute of a class, or a name of a function or of the module."""
        function, owner = self.around.name(at), self._classes.name(at)
        if name.startswith(_OWN):
            return owner, f"self.{name.partition('.')[2]}"
        if owner and not function:
            return owner, f"self.{name}"
        return (function, name) if (function, name) in self.begun or ("", name) not in self.begun else ("", name)


def _empty(page: Page, captures: Captures) -> Iterator[tuple[int, str, str]]:
    """Yield (byte, name, signs) of what is given an empty collection."""
    literals = captures.get("valued", ()) if _EMPTY_LITERAL.search(page.source) else ()
    for node in (*literals, *(captures.get("made", ()) if _EMPTY_CALL.search(page.source) else ())):
        left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or value is None or node.child_by_field_name("type") is not None:
            continue
        signs = _begins(page, value)
        name = page.of(left) if signs and left.end_byte - left.start_byte <= _LONGEST else ""
        if name.removeprefix("self.").removeprefix("cls.").isidentifier():
            yield left.start_byte, name, signs


def _begins(page: Page, value: "Node") -> str:
    """Return the sign of a collection that a value makes which is empty; empty for another value."""
    if value.type == "call":
        return _made_empty(page, value)
    return _LITERALS.get(value.type, "") if not value.named_child_count else ""


def _listed(page: Page, captures: Captures) -> Iterator[tuple[int, str, list[_Put]]]:
    """Yield (byte, name, what it holds) of what is given a collection that is written there: ``[cart, mine]``."""
    for node in captures.get("valued", ()):
        left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or value is None or node.child_by_field_name("type") is not None:
            continue
        sign = _LITERALS.get(value.type, "") or _GENERATED.get(value.type, "")
        elements = value.named_children[:1] if value.type in _GENERATED else value.named_children
        if not sign or not 0 < len(elements) <= _MOST_PUT:
            continue
        inside = [each.child_by_field_name("value") if sign == _MAPPING else each for each in elements]
        if value.type == "dictionary" and len({each.type if each is not None else "" for each in inside}) > 1:
            # That is a record rather.
            continue
        name = page.of(left) if left.end_byte - left.start_byte <= _LONGEST else ""
        if name.removeprefix("self.").removeprefix("cls.").isidentifier() and not values_held(page, value):
            yield left.start_byte, name, [_Put(each.start_byte, sign, each) for each in inside if each is not None]


def _made_empty(page: Page, call: "Node") -> str:
    function, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or given is None or function.end_byte - function.start_byte > _LONGEST:
        return ""
    name = page.of(function).rpartition(".")[2]
    sign, arguments = _MAKERS.get(name, ""), given.named_children
    if not sign or not arguments:
        return sign
    if name == "defaultdict" and len(arguments) == 1:
        return f"{sign}{_MAKERS.get(page.of(arguments[0]), '')}"
    is_bounded = name == "deque" and all(one.type == "keyword_argument" for one in arguments)
    return sign if is_bounded else ""


def _called(findings: Findings, page: Page, captures: Captures, places: _Places) -> Iterator[tuple[Key, _Put]]:
    """Yield what methods put in."""
    names = {name for _, name in places.begun}
    root = next(iter(captures.get("module", ())), None)
    if root is None or not names:
        return
    for at, method, receiver in findings.calls:
        if not receiver or (method not in _PUTTING and method not in _PUTTING_MANY):
            continue
        base, parts = _base(receiver)
        if base.replace("cls.", "self.", 1) not in names and f"self.{base}" not in names:
            continue
        key = places.key(at, base)
        if key not in places.begun:
            continue
        call = _call_at(root, at)
        arguments = call.child_by_field_name("arguments") if call is not None else None
        given = [one for one in arguments.named_children if one.type != "comment"] if arguments is not None else []
        place = _PUTTING.get(method, len(given))
        value = given[place] if place < len(given) else None
        if value is not None and (value.type == "none" or _begins(page, value)):
            continue
        yield key, _Put(at, _signs(places.signs[key], parts, _MAPPING if method == "setdefault" else _SEQUENCE), value)


def _filed(page: Page, captures: Captures, places: _Places) -> Iterator[tuple[Key, _Put]]:
    """Yield what is put in under a key: ``carts[name] = Cart()``."""
    names = {name.removeprefix("self.") for _, name in places.begun}
    for node in captures.get("filed", ()):
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        parts = list[str]()
        while target is not None and target.type == "subscript":
            target = target.child_by_field_name("value")
            parts.append(INDEXED)
        if target is None or target.end_byte - target.start_byte > _LONGEST:
            continue
        base = page.of(target)
        if base.rpartition(".")[2] not in names:
            continue
        key = places.key(node.start_byte, base)
        if key in places.begun and value is not None and value.type != "none" and not _begins(page, value):
            yield key, _Put(node.start_byte, _signs(places.signs[key], parts[1:], _MAPPING), value)


def _base(receiver: str) -> tuple[str, list[str]]:
    """Return the name, or attribute of an object itself, at the head of a receiver, and what stands behind it."""
    parts = (receiver if receiver.replace(".", "").isidentifier() else plain_expression(receiver)).split(".")
    length = 2 if parts[0] in {"self", "cls"} else 1
    return ".".join(parts[:length]), parts[length:]


def _signs(begun: str, parts: list[str], last: str) -> str:
    """Return the signs of what is put into a collection, or into one inside of it; empty for what can't be told."""
    if not parts:
        return begun if begun == last else ""
    is_inside = len(parts) == 1 and parts[0] in _DEEPER and begun[1:] in {"", last}
    return f"{begun[0]}{last}" if is_inside else ""


def _call_at(root: "Node", at: int) -> "Node | None":
    """Return the call of the method whose name ends with a byte."""
    name = root.descendant_for_byte_range(at, at + 1)
    attribute = name.parent if name is not None else None
    call = attribute.parent if attribute is not None else None
    return call if call is not None and call.type == "call" else None
