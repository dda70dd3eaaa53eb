"""What tells overloads apart: the types of a function's parameters, and what a call's arguments look like."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.arguments import ANY_ARGUMENTS, JAVA_NAMES, NO_ARGUMENTS, argument_shapes
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.syntax.matched.dialect import Overloading

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST_ARGUMENT = 200
_MOST_ARGUMENTS = 40
_LONGEST_PARAMETERS = 4_000
_BETWEEN = frozenset({
    "member_binding_expression", "conditional_access_expression", "generic_function", "unary_expression",
})  # fmt: skip
"""What can stand between a called name and its call."""
_DEEPEST = 12
_DECLARING = ("_declaration", "_definition", "_statement")
_NAME = re.compile(r"\w+")
_OPTIONAL = re.compile(r"^\[[^\n(]{0,99}\bOptional(?:Attribute)?\b")
_PARAMETERS = frozenset({"parameter_list", "function_value_parameters", "parameters"})
_PARAMETER = frozenset({"parameter"})
_GATHERED = frozenset({"array_type", "generic_name"})
"""Types of what takes all arguments that are left: ``params int[] a``, ``params Span<int> a``."""
_LISTS = frozenset({"argument_list", "value_arguments", "arguments"})
_TRAILING = frozenset({"annotated_lambda", "lambda_literal", "block", "case_block"})
"""Functions that are given behind the brackets."""
_FUNCTIONS = frozenset({
    "lambda_expression", "lambda_literal", "anonymous_function", "anonymous_method_expression", "callable_reference",
    "function_type", "case_block",
})  # fmt: skip
_LITERALS = {
    "string_literal": ":String", "multiline_string_literal": ":String", "interpolated_string_expression": ":String",
    "verbatim_string_literal": ":String", "string": ":String", "interpolated_string": ":String",
    "character_literal": ":char", "boolean_literal": ":boolean", "null_literal": "null", "null": "null",
    "this_expression": "this", "this": "this",
}  # fmt: skip


def shapes_of(called: "Node", page: Page) -> str:
    """Return what the arguments look like of the call that a name, or a type that is made, stands in."""
    above = page.around(called)
    place = len(above) - 1
    while place >= 0 and above[place].type in _BETWEEN:
        place -= 1
    call, around = (above[place] if place >= 0 else None), (above[place - 1] if place > 0 else None)
    if call is None or call.named_child_count == 0:
        return ANY_ARGUMENTS
    if call.type == "binary_expression" and around is not None:
        # ``f<T>(x)``, which the grammar of Kotlin reads as two comparisons.
        given = around.named_children[-1]
        return _shape(given if given.type in _FUNCTIONS else given.named_children[0], page)
    listed = next((child for child in call.named_children if child.type in _LISTS), None)
    shapes = [_shape(each, page) for each in _code(listed)] if listed is not None else []
    if len(shapes) > _MOST_ARGUMENTS:
        return ANY_ARGUMENTS
    outer = around if around is not None and around.type == call.type else None
    behind = outer.named_children[1:] if outer is not None and outer.named_children[0] == call else []
    behind = [] if any(child.type in _LISTS for child in behind) else behind
    if any(child.type in _TRAILING for child in (*call.named_children[1:], *behind)):
        shapes.append("->")
    elif listed is None:
        return ANY_ARGUMENTS
    return ",".join(shapes) or NO_ARGUMENTS


def _code(listed: "Node") -> list["Node"]:
    return [child for child in listed.named_children if not child.type.endswith("comment")]


def _shape(argument: "Node", page: Page) -> str:
    node = argument
    if argument.type in {"argument", "value_argument"}:
        parts = _code(argument)
        if len(parts) != 1:
            return "?"
        node = parts[0]
    if node.type in _FUNCTIONS:
        return "->"
    literal = _LITERALS.get(node.type)
    if literal is not None:
        return literal
    cast = {"cast_expression": "type", "object_creation_expression": "type", "as_expression": "right"}.get(node.type)
    of = node.child_by_field_name(cast) if cast else None
    if of is not None:
        name = parameter_type(page.of(of))
        return f":{name}" if name else "?"
    if node.end_byte - node.start_byte > _LONGEST_ARGUMENT:
        return "?"
    shape = argument_shapes(f"({page.of(node)})")
    return "?" if "," in shape or shape == NO_ARGUMENTS else shape


def parameter_type(written: str) -> str:
    """Return a parameter's type as Java writes it, without type arguments; ``Object`` for what has no name."""
    text = written.strip().removesuffix("?").removeprefix("global::")
    if "->" in text or "=>" in text:
        return "->"
    rank = ""
    if text.endswith("]") and text.rpartition("[")[2].strip(", ") == "]":
        text, rank = text.rpartition("[")[0], "[]"
    name = dotted_name(text.strip().removesuffix("?"))
    return f"{JAVA_NAMES.get(name, name)}{rank}" if name else "Object"


def parameter_types(function: "Node", page: Page) -> str:
    """Return the types of a function's parameters: ``this A,int,String=,Object...``.

    ``this`` stands before what the function extends, ``=`` behind what can be left out.
    """
    listed = next((child for child in function.named_children if child.type in _PARAMETERS), None)
    if listed is None or listed.end_byte - listed.start_byte > _LONGEST_PARAMETERS:
        return ""
    extended = _extended(listed)
    found = [f"this {parameter_type(page.of(extended))}"] if extended is not None else []
    is_variable = False
    for child in listed.children:
        if child.type in _PARAMETER:
            found.append(_parameter(child, page) + ("..." if is_variable else ""))
            is_variable = False
        elif child.type == "parameter_modifiers":
            is_variable = "vararg" in page.of(child)
        elif child.type in _GATHERED and listed.type == "parameter_list":
            of = child.named_children[-1] if child.type == "generic_name" else child
            found.append(parameter_type(page.of(of).strip("<>")).removesuffix("[]") + "...")
        elif child.type == "=" and found and found[-1][-1:] not in {"=", "."}:
            found[-1] += "="
    if found and _is_expected(function, page):
        found = [each if each[-1] in "=." or each.startswith("this ") else f"{each}=" for each in found]
    anything = _type_parameters(function, page) if found else frozenset()
    return ",".join(_generic(each, anything) for each in found)


def _is_expected(function: "Node", page: Page) -> bool:
    """Whether a function of Kotlin is what another one, which says what can be left out, expects: ``actual fun``."""
    modifiers = function.named_children[0]
    words = modifiers.named_children if modifiers.type == "modifiers" else []
    return any(word.type == "platform_modifier" and page.of(word) == "actual" for word in words)


def _extended(listed: "Node") -> "Node | None":
    """Return the type that stands before the name of a function of Kotlin."""
    name = listed.prev_named_sibling
    before = name.prev_named_sibling if name is not None and listed.type == "function_value_parameters" else None
    return before if before is not None and before.type in {"user_type", "nullable_type"} else None


def _generic(parameter: str, anything: frozenset[str]) -> str:
    """Return a parameter's type with one name for all type parameters."""
    name = parameter.removeprefix("this ").rstrip("=.[]")
    return parameter.replace(name, "T") if name in anything else parameter


def _parameter(parameter: "Node", page: Page) -> str:
    of = parameter.child_by_field_name("type")
    if of is None:
        typed = [child for child in parameter.named_children if child.type.endswith("_type")]
        of = typed[-1] if typed else None
    written = page.of(of) if of is not None else ""
    spread = of is not None and of.type == "repeated_parameter_type"
    type_name = parameter_type(written.rstrip("*").removeprefix("=>") if spread or written[:2] == "=>" else written)
    is_open = any(
        child.type == "=" or (child.type == "attribute_list" and _OPTIONAL.search(page.of(child)))
        for child in parameter.children
    )
    is_receiver = any(child.type == "modifier" and page.of(child) == "this" for child in parameter.children)
    return f"{'this ' if is_receiver else ''}{type_name}{'...' if spread else '=' if is_open else ''}"


def _type_parameters(function: "Node", page: Page) -> frozenset[str]:
    """Return the names of the type parameters of a function and of what is around it."""
    names, at = set[str](), function
    for _ in range(_DEEPEST):
        for child in at.named_children if at.type.endswith(_DECLARING) else ():
            if child.type in {"type_parameters", "type_parameter_list"} and child.end_byte - child.start_byte < 1_000:
                names.update(_NAME.findall(page.of(child)))
        if at.parent is None:
            break
        at = at.parent
    return frozenset(names)


BY_TYPES = Overloading(parameter_types, shapes_of)
"""By the number and the types of the arguments."""
