"""What functions that are called on the spot make for a name: ``const Menu = (() => { return { open: show } })()``.

And what those give that a call makes of an object or of what makes it: ``const useCart = defineStore("cart", { … })``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.ecmascript.objects import SHARING, Binding, Captures, object_bindings, unwrapped

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_CALLING = frozenset({"apply", "call"})
_LONGEST = 150


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
