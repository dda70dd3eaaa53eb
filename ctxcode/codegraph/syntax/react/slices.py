"""What Redux makes of an object: ``createSlice({ reducers: { added(state) {} } })`` has actions of these names."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.ecmascript.definitions import Definitions

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_MAKING = "createSlice"
_ACTIONS = frozenset({"actions", "caseReducers"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "method_definition"})
_PREPARED = frozenset({"prepare", "reducer"})


class _Slice(NamedTuple):
    name: str
    literal: "Node"
    """The object that it is made of."""


def add_slices(definitions: Definitions, captures: Captures, page: Page) -> None:
    """Add what stands in the slices at the top of a file, and what leads to it: ``cart.actions.added``."""
    found = list(_slices(captures, page))
    for one in found:
        _add_prepared(definitions, one, page)
        at = one.literal.start_byte + 1
        definitions.findings.bindings += [(at, f".{name}", f"={one.name}") for name in sorted(_ACTIONS)]
    definitions.findings.uses += _taken(captures, page, frozenset(one.name for one in found))


def _slices(captures: Captures, page: Page) -> Iterator[_Slice]:
    for node in captures.get("declared", ()):
        name, call = node.child_by_field_name("name"), node.child_by_field_name("value")
        function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if name is None or function is None or arguments is None or page.of(function) != _MAKING:
            continue
        for literal in arguments.named_children[:1]:
            if name.type == "identifier" and literal.type == "object":
                yield _Slice(page.of(name), literal)


def _add_prepared(definitions: Definitions, one: _Slice, page: Page) -> None:
    """Add the reducers whose actions another function prepares: ``done: { reducer(state) {}, prepare(item) {} }``."""
    reducers = _member(one.literal, "reducers", page)
    for pair in reducers.named_children if reducers is not None else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        function = _member(value, "reducer", page) if value is not None and value.type == "object" else None
        if key is None or value is None or function is None or function.type not in _FUNCTIONS:
            continue
        definitions.add(pair, key, "method", function)
        inner = [
            child.child_by_field_name("name") or child.child_by_field_name("key") for child in value.named_children
        ]
        known = [name.start_byte for name in inner if name is not None and page.of(name) in _PREPARED]
        definitions.declared.update(known)


def _taken(captures: Captures, page: Page, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield (byte, name of the reducer) of each action taken out of a slice: ``const { added } = cart.actions``."""
    for node in captures.get("declared", ()):
        pattern, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if pattern is None or value is None or pattern.type != "object_pattern" or value.type != "member_expression":
            continue
        owner, _, last = page.of(value).partition(".")
        for part in pattern.named_children if owner in names and last in _ACTIONS else ():
            if part.type == "shorthand_property_identifier_pattern":
                yield part.start_byte, f"{owner}.{page.of(part)}"
            elif part.type == "pair_pattern":
                key, name = part.child_by_field_name("key"), part.child_by_field_name("value")
                if key is not None and name is not None and name.type == "identifier":
                    yield name.start_byte, f"{owner}.{page.of(key)}"


def _member(literal: "Node", name: str, page: Page) -> "Node | None":
    """Return what an object literal holds by a name."""
    for child in literal.named_children:
        if child.type == "method_definition" and page.of(child.child_by_field_name("name") or child) == name:
            return child
        key = child.child_by_field_name("key")
        if key is not None and page.of(key) == name:
            return child.child_by_field_name("value")
    return None
