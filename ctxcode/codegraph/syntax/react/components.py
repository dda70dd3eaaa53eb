"""Functions that calls of React hand on, and what its components are given."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import typescript_type
from ctxcode.codegraph.syntax.ecmascript.definitions import Definitions
from ctxcode.codegraph.syntax.react.calls import callee, first_argument

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Binding = tuple[int, str, str]
"""(byte, name, type); see ``facts.BindingFact``."""

_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_DECLARED = _FUNCTIONS | {"function_declaration"}
_HANDING_ON = re.compile(r"(?:React\.)?(?:forwardRef|memo|observer|useCallback)")
"""What gives back what it is given, or a component like it."""
_OF_PROPS = re.compile(r":\s*(?:React\.)?(?:VFC|FC|FunctionComponent|VoidFunctionComponent)<(.+)>", re.DOTALL)
_NO_CLASS = "Object"
"""The type of what is made where it is written: no class has its members."""
_DEEPEST = 4
_LONGEST = 300


def add_handed_on(definitions: Definitions, captures: Captures, page: Page) -> None:
    """Add the functions that calls hand on to names: ``const open = useCallback(() => …)``."""
    for node in captures.get("made_by_call", ()):
        name, function = node.child_by_field_name("name"), _handed_on(node.child_by_field_name("value"), page)
        if name is not None and function is not None:
            definitions.add(node, name, "function", function)
            definitions.declared.update([own.start_byte for own in function.children_by_field_name("name")])


def _handed_on(value: "Node | None", page: Page) -> "Node | None":
    """Return the function that calls in one another hand on, if there is one."""
    for _ in range(_DEEPEST):
        if value is None or value.type != "call_expression" or not _HANDING_ON.fullmatch(callee(value, page)):
            break
        value = first_argument(value)
    return value if value is not None and value.type in _FUNCTIONS else None


def bind_given(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield what components are given: what their declaration says, ``const Box: FC<Props> = (props) => …``."""
    for node in captures.get("bound", ()):
        annotation, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        written = page.of(annotation)[:_LONGEST] if annotation is not None else ""
        said, first = _OF_PROPS.fullmatch(written), _first_parameter(value) if value is not None else None
        type_name = typescript_type(said[1]) if said else ""
        if first is not None and type_name and first.child_by_field_name("type") is None:
            pattern = first.child_by_field_name("pattern") or first
            if pattern.type == "identifier":
                yield pattern.start_byte, page.of(pattern), type_name


def bind_untyped(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield what components are given of which nothing is said: no class has the members of ``props`` either."""
    shown = sorted([node.start_byte for node in captures.get("component", ())])
    for node in (*captures.get("function", ()), *captures.get("declared_function", ())) if shown else ():
        name, function = node.child_by_field_name("name"), node.child_by_field_name("value") or node
        is_component = name is not None and page.of(name)[:1].isupper() and _shows(function, shown)
        first = _first_parameter(function) if is_component else None
        if first is None or first.child_by_field_name("type") is not None:
            continue
        pattern = first.child_by_field_name("pattern") or first
        if pattern.type == "identifier":
            yield pattern.start_byte, page.of(pattern), _NO_CLASS


def _shows(function: "Node", shown: list[int]) -> bool:
    """Whether an element stands in a function, given where some begin."""
    row = bisect_left(shown, function.start_byte)
    return row < len(shown) and shown[row] < function.end_byte


def _first_parameter(function: "Node") -> "Node | None":
    """Return a function's first parameter, whether it stands in brackets or not."""
    if function.type not in _DECLARED:
        return None
    listed = function.child_by_field_name("parameters")
    if listed is None:
        return function.child_by_field_name("parameter")
    return listed.named_children[0] if listed.named_child_count else None
