"""What functions that are called on the spot make for a name: ``const Menu = (() => { return { open: show } })()``.

What those give that a call makes of an object or of what makes it, ``const useCart = defineStore("cart", { … })``, and
what variables are that are given something later.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ANYTHING, LIKE, RETURNED
from ctxcode.codegraph.syntax.ecmascript.objects import (
    SHARING,
    Binding,
    Captures,
    object_bindings,
    unwrapped,
    value_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_CALLING = frozenset({"apply", "call"})
_LONGEST = 150
_LONGEST_TAKEN = 1_000
_FIRST = re.compile(r"[.(|]")
_OTHERS = frozenset({"identifier", "member_expression"})
"""Values that may be known where they are given, and not where the name is declared that they are given to."""
_OBJECTS = _OTHERS | {"await_expression", "call_expression", "subscript_expression", "ternary_expression"}
"""Values of which nothing may be known that are objects."""
_NEAR = 4
"""An assignment, its statement, a block and the ``if`` that runs it."""
_BLOCKS = frozenset({"program", "statement_block", "switch_case"})
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_FUNCTION_KINDS = _FUNCTIONS | {
    "function_declaration", "generator_function", "generator_function_declaration", "method_definition",
}  # fmt: skip
_HIGHEST = 40
_MOST_CLASSES = 5


def made_on_the_spot(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield what stands behind names that are given what such a function returns: its members, or its own name.

    What is made of an object has in its name what the object has.
    """
    for node in captures.get("declared", ()):
        name, value = node.child_by_field_name("name"), unwrapped(node.child_by_field_name("value"))
        function = value.child_by_field_name("function") if value is not None else None
        given = value.child_by_field_name("arguments") if value is not None else None
        if name is None or value is None or function is None or given is None or page.of(function) not in SHARING:
            continue
        yield value.end_byte - 1, RETURNED, f"={page.of(name)}"
        for maker in [each for each in given.named_children if each.type in _FUNCTIONS][:1]:
            made = _given_by(maker)
            yield from object_bindings(made if made is not None and made.type == "object" else None, page)
    for kind, field in (("declared", "value"), ("assigned_value", "right"), ("assigned_global", "right")):
        for node in captures.get(kind, ()):
            made = _returned(node.child_by_field_name(field))
            if made is None:
                continue
            if made.type == "object":
                yield from object_bindings(made, page)
            elif made.type == "identifier" and made.end_byte - made.start_byte < _LONGEST:
                yield made.start_byte, RETURNED, f"={page.of(made)}"


def join_given(findings: Findings, captures: Captures, page: Page) -> None:
    """Bind variables to all that they are given: ``let cart = new Cart(); if (a) { cart = new Line(); }``.

    What their types say is surer. What is given where a variable holds nothing is as good as what it holds else.
    """
    known: dict[int, dict[str, Node]] = {}
    given: dict[int, tuple[str, dict[str, None]]] = {}
    later = captures.get("given_later", ())
    names = {name for _, name, _ in findings.bindings} | {page.of(node.children[0]) for node in later if _is_made(node)}
    for node in later:
        left = node.child_by_field_name("left")
        if left is None or page.of(left) not in names:
            continue
        declared = _declaration(left, page, known)
        value = unwrapped(node.child_by_field_name("right"))
        is_here = declared is not None and value is not None and value.type not in _OTHERS
        said = value_of(value, page) if is_here else ""
        said = ANYTHING if not said and value is not None and value.type in _OBJECTS else said
        if declared is None or not said or said[:1] == "?" or _is_own(said, value, page.of(left), page):
            continue
        first = unwrapped(declared.child_by_field_name("value"))
        own = value_of(first, page) or (ANYTHING if first is not None and first.type in _OBJECTS else "")
        _, rows = given.setdefault(declared.start_byte, (page.of(left), {own: None} if own else {}))
        rows[said] = None
        if LIKE not in rows and _is_default(node, page.of(left), page):
            rows[LIKE] = None
    if not given:
        return
    kept = [row for row in findings.bindings if row[0] not in given or row[1] != given[row[0]][0]]
    joined = [(at, name, _joined(rows)) for at, (name, rows) in given.items() if len(rows) <= _MOST_CLASSES]
    findings.bindings = [*kept, *[row for row in joined if row[2]]]


def _is_made(assignment: "Node") -> bool:
    """Whether something is given that says by itself what it is."""
    value = unwrapped(assignment.child_by_field_name("right"))
    return value is not None and value.type not in _OTHERS


def _is_own(said: str, value: "Node | None", name: str, page: Page) -> bool:
    """Whether a name is given what its own object gives: most often another of its class."""
    start = value.start_byte if value is not None else 0
    end = start + len(name.encode())
    return _FIRST.split(said, 1)[0] == name or page.source[start : end + 1] == f"{name}.".encode()


def _joined(rows: Iterable[str]) -> str:
    """Return this or that; empty where nothing is known of any of it."""
    known = [said for said in rows if said not in {ANYTHING, LIKE}]
    if LIKE in rows:
        return "|".join([LIKE, *known]) if len(known) > 1 else "".join(known)
    return "|".join([ANYTHING, *known] if ANYTHING in rows else known) if known else ""


def _is_default(assignment: "Node", name: str, page: Page) -> bool:
    """Whether a branch gives something that is run for what the name holds: ``if (!it) { it = new Cart(); }``."""
    child = assignment
    for around in page.around(assignment)[: -_NEAR - 1 : -1]:
        if around.type == "if_statement":
            test = around.child_by_field_name("condition")
            return test != child and page.mentions(test, name)
        child = around
    return False


def _declaration(name: "Node", page: Page, known: "dict[int, dict[str, Node]]") -> "Node | None":
    """Return where a variable is declared that says no type: in the innermost block around that declares it."""
    text = page.of(name)
    for around in page.around(name)[: -_HIGHEST - 1 : -1]:
        if around.type in _FUNCTION_KINDS and _is_parameter(around, text, page):
            return None
        if around.type not in _BLOCKS:
            continue
        if around.id not in known:
            known[around.id] = {
                page.of(each): one
                for statement in around.named_children
                if statement.type in _DECLARATIONS
                for one in statement.named_children
                if (each := one.child_by_field_name("name")) is not None and each.type == "identifier"
            }
        found = known[around.id].get(text)
        if found is not None:
            return found if found.child_by_field_name("type") is None else None
    return None


def _is_parameter(function: "Node", name: str, page: Page) -> bool:
    taken = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    written = page.of(taken) if taken is not None and taken.end_byte - taken.start_byte < _LONGEST_TAKEN else ""
    return name in written and re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", written) is not None


def _returned(value: "Node | None") -> "Node | None":
    """Return what a function returns at its end that is called where it stands; None when a value is no such call."""
    call = unwrapped(value)
    function = unwrapped(call.child_by_field_name("function")) if call is not None else None
    if function is not None and function.type == "member_expression":
        name = function.child_by_field_name("property")
        is_calling = name is not None and name.text is not None and name.text.decode() in _CALLING
        function = unwrapped(function.child_by_field_name("object")) if is_calling else None
    return _given_by(function) if function is not None and function.type in _FUNCTIONS else None


def _given_by(function: "Node") -> "Node | None":
    """Return what a function returns at its end."""
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return unwrapped(body)
    statements = [child for child in body.named_children if child.type == "return_statement"]
    return unwrapped(statements[-1].named_children[0]) if statements and statements[-1].named_children else None
