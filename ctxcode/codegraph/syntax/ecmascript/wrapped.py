"""What stands in functions around all of a file: called on the spot, or given to a loader; and what calls define.

``(function ($) { var Menu = { open: function () {} } })(jQuery)`` keeps its names to itself, as a module does.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.ecmascript.objects import unwrapped

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_LOADERS = frozenset({"$", "Zepto", "YUI.add", "define", "goog.scope", "jQuery", "require", "requirejs"})
"""What calls a function once everything is there."""
_APPLIED = frozenset({"apply", "bind", "call"})
_MIXING = frozenset({"assign", "extend", "mixin"})
_REGISTERING = frozenset({"component", "define", "registerComponent", "widget"})
_REGISTERED = re.compile(r"[\w$]+(?:[.:/-][\w$]+)*")
_SEGMENT = re.compile(r"[.:/]")
_HELD = frozenset({"call_expression", "class", "new_expression", "object", "parenthesized_expression"})
_GIVEN = _HELD | {"assignment_expression"}
_NAMES = frozenset({"assignment_expression", "identifier", "member_expression"})
_LONGEST = 150
_DEEPEST = 3


class Mixed(NamedTuple):
    """An object literal whose functions a call makes another's: ``Object.assign(Menu.prototype, { open() {} })``."""

    owner: str
    """Empty for the file itself."""
    literal: "Node"


def with_wrapped(captures: Captures, page: Page) -> Captures:
    """Return the captures with what wrapping functions hold among what stands at the top of the file."""
    statements = captures.get("wrapping", [])
    if not statements:
        return captures
    functions = {_name(node, "left", page) for node in captures.get("named_function", ())}
    functions.update(_name(node, "name", page) for node in captures.get("made_function", ()))
    inside = [statement for top in statements for statement in _wrapped(top, page, _DEEPEST)]
    declared = [
        declarator
        for statement in inside
        if statement.type in _DECLARATIONS
        for declarator in statement.named_children
        if declarator.type == "variable_declarator" and _name(declarator, "name", page) not in functions
    ]
    assigned = [
        expression
        for statement in inside
        if statement.type == "expression_statement"
        for expression in statement.named_children
        if expression.type == "assignment_expression"
    ]
    members = [node for node in assigned if _is_held(node, "member_expression")]
    return {
        **captures,
        "declared": [*captures.get("declared", ()), *declared],
        "assigned_value": [*captures.get("assigned_value", ()), *members],
        "assigned_name": [*captures.get("assigned_name", ()), *(node for node in assigned if _is_given_name(node))],
        "assigned_global": [
            *captures.get("assigned_global", ()),
            *(node for node in assigned if _is_held(node, "identifier", _GIVEN)),
        ],
        "calling": [*statements, *(statement for statement in inside if statement.type == "expression_statement")],
        "offering": [statement for statement in inside if statement.type == "return_statement"],
    }


def _is_given_name(node: "Node") -> bool:
    """Whether an assignment gives a member what has a name already."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return left is not None and left.type == "member_expression" and right is not None and right.type in _NAMES


def _is_held(node: "Node", kind: str, held: frozenset[str] = _HELD) -> bool:
    """Whether an assignment gives a name, or a member, something that can have members."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return left is not None and left.type == kind and right is not None and right.type in held


def mixed(captures: Captures, page: Page) -> Iterator[Mixed]:
    """Yield the object literals whose functions belong to something that stands beside them, or to the file."""
    for statement in captures.get("calling", ()):
        call = _call(statement)
        function = call.child_by_field_name("function") if call is not None else None
        given = call.child_by_field_name("arguments") if call is not None else None
        if function is None or given is None or _last_name(function, page) not in _MIXING:
            continue
        values = [value for value in given.named_children if value.type != "comment"]
        literals = [value for value in values if value.type == "object"]
        # A single object is for what the function belongs to.
        owner = function.child_by_field_name("object") if len(values) == 1 else values[0] if values else None
        if literals and owner is not None and owner.type in {"identifier", "member_expression"}:
            name = "".join(page.of(owner).split()) if owner.end_byte - owner.start_byte < _LONGEST else "Object"
            yield from (Mixed(name.removesuffix(".prototype"), literal) for literal in literals if name != "Object")
    for statement in captures.get("offering", ()):
        yield from (Mixed("", value) for value in statement.named_children if value.type == "object")


def registered(captures: Captures, page: Page) -> Iterator[tuple["Node", "Node", str]]:
    """Yield (call, node of its name, name) of what calls define by a string: ``$.widget("ui.dialog", { … })``."""
    for statement in captures.get("calling", ()):
        call = _call(statement)
        function = call.child_by_field_name("function") if call is not None else None
        given = call.child_by_field_name("arguments") if call is not None else None
        if call is None or function is None or given is None or _last_name(function, page) not in _REGISTERING:
            continue
        values = [value for value in given.named_children if value.type != "comment"]
        text = page.of(values[0])[:_LONGEST].strip("\"'") if values and values[0].type == "string" else ""
        if _REGISTERED.fullmatch(text) and any(value.type == "object" for value in values):
            yield call, values[0], _SEGMENT.split(text)[-1]


def _wrapped(statement: "Node", page: Page, depth: int) -> Iterator["Node"]:
    """Yield the statements in the functions around all of a file, those that hold others of that kind too."""
    for body in _bodies(statement, page) if depth else ():
        for inner in body.named_children:
            yield inner
            if inner.type == "expression_statement":
                yield from _wrapped(inner, page, depth - 1)


def _bodies(statement: "Node", page: Page) -> Iterator["Node"]:
    """Yield the bodies of functions that a statement calls on the spot, or gives to what does."""
    call = _call(statement)
    function = unwrapped(call.child_by_field_name("function")) if call is not None else None
    given = call.child_by_field_name("arguments") if call is not None else None
    if function is None or given is None:
        return
    inner = unwrapped(function.child_by_field_name("object")) if _last_name(function, page) in _APPLIED else function
    is_called = inner is not None and inner.type in _FUNCTIONS
    if not is_called and not _is_loader(function, page):
        return
    for value in (*((inner,) if inner is not None and is_called else ()), *given.named_children):
        body = value.child_by_field_name("body") if value.type in _FUNCTIONS else None
        if body is not None and body.type == "statement_block":
            yield body


def _call(statement: "Node") -> "Node | None":
    """Return the call a statement is: ``f()``, ``(f())``, ``!f()``."""
    node = statement.named_children[0] if statement.named_children else None
    while node is not None and node.type in {"parenthesized_expression", "unary_expression"}:
        node = node.named_children[-1] if node.named_children else None
    return node if node is not None and node.type == "call_expression" else None


def _is_loader(function: "Node", page: Page) -> bool:
    written = page.of(function) if function.end_byte - function.start_byte < _LONGEST else ""
    return written in _LOADERS or written.endswith(").ready")


def _name(node: "Node", field: str, page: Page) -> str:
    name = node.child_by_field_name(field)
    return page.of(name) if name is not None else ""


def _last_name(function: "Node", page: Page) -> str:
    name = function.child_by_field_name("property") if function.type == "member_expression" else function
    is_name = name is not None and name.type in {"identifier", "property_identifier"}
    return page.of(name) if name is not None and is_name else ""
