"""What names of JavaScript mean in functions that are called where they are written, or given to a loader of modules.

``(function ($) { … })(jQuery)``, ``define(["shop/Cart"], function (Cart) { … })`` and
``var Menu = (function () { var Menu = { … }; return Menu; })()``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_AROUND = frozenset({"parenthesized_expression", "unary_expression"})


def told_around(name: "Node", parent: "Node", function: "Node") -> bytes | None:
    """Return the name from outside that one bound in a function is, if what stands around the function tells."""
    parameter = parent if parent.type == "required_parameter" else name
    listed = parameter.parent
    if listed is not None and listed.type == "formal_parameters" and listed.parent == function:
        at = listed.named_children.index(parameter)
        return _argument(function, at) or _module(function, at, name.text)
    if parent.type == "variable_declarator":
        around = function.parent if function.type == "statement_block" else function
        return name.text if around is not None and _made(around) == name.text else None
    return None


def _argument(function: "Node", at: int) -> bytes | None:
    """Return the name that a function which is called on the spot is given in a place."""
    called, skipped = _called(function)
    given = called.child_by_field_name("arguments") if called is not None else None
    values = given.named_children[at + skipped :] if given is not None else []
    return values[0].text if values and values[0].type == "identifier" else None


def _module(function: "Node", at: int, name: bytes | None) -> bytes | None:
    """Return a parameter's name if the module that a loader gives for it is called so."""
    given = function.parent
    if given is None or given.type != "arguments":
        return None
    lists = [node for node in given.named_children if node.type == "array"]
    modules = [node.text or b"" for node in lists[0].named_children[at : at + 1]] if lists else []
    return name if modules and modules[0].strip(b"\"'").rpartition(b"/")[2] == name else None


def _made(function: "Node") -> bytes | None:
    """Return the name that gets what a function which is called on the spot returns."""
    called, _ = _called(function)
    while called is not None and called.parent is not None and called.parent.type in _AROUND:
        called = called.parent
    to = called.parent if called is not None else None
    if to is None:
        return None
    taking = to.child_by_field_name("name") or to.child_by_field_name("left")
    if taking is not None and taking.type == "member_expression":
        taking = taking.child_by_field_name("property")
    return taking.text if taking is not None and taking != called else None


def _called(function: "Node") -> tuple["Node | None", int]:
    """Return the call of a function where it is written, and how many arguments stand before those that it gets."""
    node, parent = function, function.parent
    while parent is not None and parent.type in _AROUND:
        node, parent = parent, parent.parent
    if parent is None:
        return None, 0
    if parent.type == "call_expression" and parent.child_by_field_name("function") == node:
        return parent, 0
    call, member = parent.parent, parent.child_by_field_name("property")
    is_method = call is not None and call.type == "call_expression" and call.child_by_field_name("function") == parent
    is_applied = is_method and parent.child_by_field_name("object") == node and member is not None
    return (call, 1) if is_applied and member is not None and member.text == b"call" else (None, 0)
