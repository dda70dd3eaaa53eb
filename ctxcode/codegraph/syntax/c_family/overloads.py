"""What tells overloads of C++ apart: the types of a function's parameters, and what a call's arguments look like."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.arguments import ANY_ARGUMENTS, NO_ARGUMENTS
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import CONST
from ctxcode.codegraph.syntax.matched.dialect import Overloading

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_ARGUMENTS = 40
_LONGEST_NAME = 80
_LONGEST_TYPE = 300
_LONGEST_PARAMETERS = 4_000
_DEEPEST = 20
_SHAPES = {
    "char_literal": ":char", "concatenated_string": ":String", "false": ":boolean", "lambda_expression": "->",
    "null": "null", "nullptr": "null", "raw_string_literal": ":String", "string_literal": ":String", "this": "this",
    "true": ":boolean",
}  # fmt: skip
_UNTOLD = "?"
_QUALIFIERS = re.compile(r"\b(?:const|volatile|struct|class|enum|typename|mutable|register|constexpr)\b|std::|[*&]")
_TYPES = {
    "bool": "boolean", "char": "char", "double": "double", "float": "float", "string": "String",
    "string_view": "String", "int64_t": "long", "uint64_t": "long", "ptrdiff_t": "long", "intptr_t": "long",
    "uintptr_t": "long", "size_t": "long", "ssize_t": "long", "int": "int", "int8_t": "int", "int16_t": "int",
    "int32_t": "int", "uint8_t": "int", "uint16_t": "int", "uint32_t": "int", "auto": "Object",
}  # fmt: skip
"""What types of C++ are called in Java, as far as a literal can tell them."""
_WORDS = frozenset({"unsigned", "signed", "short", "int", "long"})
_PRIMITIVES = frozenset({"boolean", "double", "float", "int", "long"})
_TYPE_PARAMETER = re.compile(r"(?:typename|class)\s*(?:\.\.\.)?\s*(\w+)")
_ANY_TYPE, _REST = "T", "Object..."


def _shapes(asked: "Node", page: Page) -> str:
    """Return what the arguments look like of a call, or of what makes an object of a type."""
    call = asked if asked.type == "call_expression" else asked.parent
    listed = call.child_by_field_name("arguments") if call is not None else None
    if listed is None or listed.type != "argument_list":
        return ANY_ARGUMENTS
    given = [(child.type, child) for child in listed.named_children]
    shapes = [_shape(kind, child, page) for kind, child in given if kind != "comment"]
    if len(shapes) > _MOST_ARGUMENTS or any(kind == "parameter_pack_expansion" for kind, _ in given):
        return ANY_ARGUMENTS
    return ",".join(shapes) or NO_ARGUMENTS


def _shape(kind: str, argument: "Node", page: Page) -> str:
    if kind == "identifier":
        return page.of(argument)[:_LONGEST_NAME]
    if kind == "number_literal":
        return _number(page.of(argument).lower())
    if kind == "new_expression":
        of = argument.child_by_field_name("type")
        name = _type(page.of(of), "") if of is not None else ""
        return f":{name}" if name else _UNTOLD
    return _SHAPES.get(kind, _UNTOLD)


def _number(written: str) -> str:
    if written.startswith(("0x", "0b")):
        return ":long" if "l" in written else ":int"
    if "." in written or "e" in written:
        return ":float" if written.endswith("f") else ":double"
    return ":long" if "l" in written else ":int"


def _parameters(function: "Node", page: Page) -> str:
    """Return the types of a function's parameters, ``=`` behind what can be left out: ``int,String=,Object...``.

    CONST stands before those of what changes nothing.
    """
    holder = function.named_children[-1] if function.type == "template_declaration" else function
    declared = _function(holder.child_by_field_name("declarator"))
    listed = declared.child_by_field_name("parameters") if declared is not None else None
    if declared is None or listed is None or listed.end_byte - listed.start_byte > _LONGEST_PARAMETERS:
        return ""
    anything = _type_parameters(function, page) if listed.named_child_count else frozenset[str]()
    found = list[str]()
    for child in listed.children:
        if child.type in {"...", "variadic_parameter", "variadic_parameter_declaration"}:
            found.append(_REST)
        elif child.type in {"parameter_declaration", "optional_parameter_declaration"}:
            name = _parameter(child, page)
            name = _ANY_TYPE if name in anything else name
            found.append(f"{name}=" if child.type.startswith("optional") else name)
    is_const = any(child.type == "type_qualifier" and page.of(child) == "const" for child in declared.named_children)
    return f"{CONST if is_const else ''}{'' if found == ['void'] else ','.join(found)}"


def _type_parameters(function: "Node", page: Page) -> frozenset[str]:
    """Return the names of the type parameters of a function and of the classes around it."""
    names, at = set[str](), function
    for _ in range(_DEEPEST):
        if at.type == "template_declaration":
            listed = at.child_by_field_name("parameters")
            end = listed.end_byte if listed is not None else at.start_byte
            names.update(_TYPE_PARAMETER.findall(page.text(at.start_byte, min(end, at.start_byte + _LONGEST_TYPE))))
        around = page.parent(at)
        if around is None:
            break
        at = around
    return frozenset(names)


def _function(declarator: "Node | None") -> "Node | None":
    """Return what is declared as far as it is a function."""
    for _ in range(_DEEPEST):
        if declarator is None or declarator.type == "function_declarator":
            return declarator
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or (declarator.named_children[0] if declarator.named_child_count else None)
    return None


def _parameter(parameter: "Node", page: Page) -> str:
    of, declarator = (parameter.child_by_field_name(field) for field in ("type", "declarator"))
    if of is None or of.end_byte - of.start_byte > _LONGEST_TYPE:
        return "Object"
    behind = page.text(declarator.start_byte, min(declarator.end_byte, declarator.start_byte + 2)) if declarator else ""
    is_list = declarator is not None and "array" in declarator.type
    return _type(page.of(of), "*" if is_list else behind)


def _type(written: str, behind: str) -> str:
    """Return a type's name; of a pointer to a number that of an array."""
    text = _QUALIFIERS.sub("", written.partition("<")[0] if written.startswith("std::basic") else written).strip()
    words = text.split()
    if words and all(word in _WORDS for word in words):
        name = "long" if "long" in words else "int"
    elif words[:1] == ["long"] or "char" in words:
        name = "char" if "char" in words else "double"
    else:
        simple = dotted_name(text)
        name = _TYPES.get(simple.rpartition(".")[2], simple) or "Object"
    if behind.startswith("*"):
        return "String" if name == "char" else f"{name}[]" if name in _PRIMITIVES else name
    return name


OVERLOADING = Overloading(_parameters, _shapes, binds_values=False, tells_one_alone=False)
"""By the number and the types of the arguments."""
