"""What is left to say of Swift: kinds of classes, extensions, imports, and the labels that tell overloads apart."""

import re
from functools import partial
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.arguments import ANY_ARGUMENTS, NO_ARGUMENTS, STATIC
from ctxcode.codegraph.extract.expressions import INDEXED
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page, shallow
from ctxcode.codegraph.extract.type_names import dotted_name, is_bare_name, is_capitalised
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Overloading, by_modifier, slash_doc
from ctxcode.codegraph.syntax.narrowed.tests import narrow
from ctxcode.codegraph.syntax.swift.elements import given, held_type, name_unnamed
from ctxcode.codegraph.syntax.swift.implied import named_by_types
from ctxcode.codegraph.syntax.swift.properties import declared_in

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {"struct": "struct", "enum": "enum", "class": "class", "actor": "class", "extension": "extension"}
_SUFFIXES = frozenset({"call_suffix", "constructor_suffix"})
_OF_TYPE = re.compile(r"\b(?:static|class)\b")
_MOST_ARGUMENTS = 40
_LONGEST_ARGUMENT = 80
_LONGEST_PARAMETER = 300
_EXISTENTIAL = re.compile(r"\b(?:any|some)\s+")
_LITERALS = {
    "line_string_literal": ":String", "multi_line_string_literal": ":String", "raw_string_literal": ":String",
    "integer_literal": ":Int", "real_literal": ":Double", "boolean_literal": ":Bool", "nil_literal": "nil",
    "lambda_literal": "->", "array_literal": ":[]", "dictionary_literal": ":[:]", "self_expression": "self",
}  # fmt: skip
_EXPRESSIONS = frozenset({"simple_identifier", "navigation_expression", "call_expression"})
_WRAPPING = frozenset({"try_expression", "await_expression"})
_NAMES = frozenset({"simple_identifier", "self_expression", "super_expression"})
_FOLLOWED = frozenset({
    "navigation_expression", "call_expression", "constructor_expression", "postfix_expression", "tuple_expression",
})  # fmt: skip
_OF_TYPES = {
    "line_string_literal": "String()", "multi_line_string_literal": "String()", "raw_string_literal": "String()",
    "integer_literal": "Int()", "real_literal": "Double()", "boolean_literal": "Bool()", "array_literal": "Array()",
    "dictionary_literal": "Dictionary()",
}  # fmt: skip
"""What literals are made of."""
_DEEPEST = 40
_IMPORTED_KINDS = frozenset({"typealias", "struct", "class", "enum", "protocol", "let", "var", "func"})


def _refined(kind: str, node: "Node", page: Page) -> str:
    del page
    if kind == "class":
        return next((_KINDS[child.type] for child in node.children if child.type in _KINDS), kind)
    return kind


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    """Return a name and what it stands in; an extension's are those of the type it extends."""
    text = page.of(node).strip("`")
    if node.type != "user_type":
        return node, text, ""
    outer, _, name = dotted_name(text).rpartition(".")
    return node, name, outer


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    words = page.of(node).split()
    module = words[-1].partition(".")[0] if len(words) > 1 and words[-2] in _IMPORTED_KINDS else words[-1]
    return [ImportFact(module, "", module.partition(".")[0], 0, page.line(node.start_byte), is_reexport=False)]


def _type_name(text: str) -> str:
    """Return the name of a type that may be optional, or any of a protocol's; ``A&B`` for what is both."""
    if is_bare_name(text):
        return text
    written = text.strip().rstrip("?!")
    if written[:1] == "(" and written[-1:] == ")":
        written = written[1:-1]
    names = [dotted_name(part.strip()) for part in _EXISTENTIAL.sub("", written.strip()).split("&")]
    if len(names) == 1 and names[0].endswith(".Type"):
        # What that is said of is the type itself.
        return f"={names[0].removesuffix('.Type')}"
    return "&".join(names) if all(names) else ""


def _expression(node: "Node", page: Page, depth: int = 0) -> str:
    """Return an expression as names, dots and calls; a value of a known type as what makes one: ``Row()``."""
    kind, inner = node.type, node.named_children[:1] if depth < _DEEPEST else []
    if kind in _NAMES:
        return page.of(node)
    if kind == "user_type":
        return dotted_name(page.of(node))
    if kind in _OF_TYPES:
        return _OF_TYPES[kind]
    if kind == "as_expression":
        name = _type_name(page.of(node.named_children[-1]))
        return f"{name}()" if name.isidentifier() else ""
    if kind in _WRAPPING and node.named_child_count:
        inner = node.named_children[-1:]
    if not inner or not (kind in _FOLLOWED or kind in _WRAPPING):
        return ""
    before = _expression(inner[0], page, depth + 1)
    if kind == "navigation_expression" and before:
        suffix = node.named_children[-1]
        name = page.text(suffix.start_byte + 1, suffix.end_byte).strip("` \n")
        return f"{before}.{name}" if name.isidentifier() and suffix.type == "navigation_suffix" else ""
    if kind in {"call_expression", "constructor_expression"} and before:
        suffix = node.named_children[-1]
        made = before.removesuffix(".init") if is_capitalised(before) else before
        return f"{before}.{INDEXED}" if page.source[suffix.start_byte] == ord("[") else f"{made}()"
    return before


def _parameters(function: "Node", page: Page) -> str:
    """Return labels and types of a function's parameters: ``:Int,with:String=,of:Row...``, ``static`` before a type's.

    Nothing stands before the colon where there is no label, ``=`` behind what can be left out, ``...`` behind what can
    be given many times. Of a type there is the name; ``->`` is a function, ``[]`` and ``[:]`` are collections.
    """
    found, start = list[str](), ""
    for child in function.children:
        if child.type == "parameter":
            found.append(_parameter(child, page))
        elif child.type == "=" and found and found[-1][-1:] not in {"=", "."}:
            found[-1] += "="
        elif child.type == "modifiers" and _OF_TYPE.search(page.of(child)):
            start = STATIC
    return start + ",".join(found)


def _parameter(parameter: "Node", page: Page) -> str:
    if parameter.end_byte - parameter.start_byte > _LONGEST_PARAMETER:
        head, _, written = page.of(parameter)[:_LONGEST_PARAMETER].partition(":")
        return f"{_label(head)}:{'->' if '->' in written else ''}"
    head, _, written = page.of(parameter).partition(":")
    many = written.endswith("...")
    return f"{_label(head)}:{_parameter_type(written.removesuffix('...'))}{'...' if many else ''}"


def _label(head: str) -> str:
    """Return what callers say before an argument, given what stands before its type; in broken code that is nothing."""
    first = next(iter(head.split()), "_")
    return "" if first == "_" else first.strip("`")


def _parameter_type(written: str) -> str:
    if "->" in written:
        return "->"
    text = written.strip().rstrip("?!")
    if text[:1] == "[":
        depth, key = 0, False
        for sign in text:
            depth += (sign in "[(<") - (sign in "])>")
            key = key or (sign == ":" and depth == 1)
        return "[:]" if key else "[]"
    words = text.split()
    return _type_name(" ".join(words[-2:] if len(words) > 1 and words[-2] in {"any", "some"} else words[-1:]))


def _shapes(called: "Node", page: Page) -> str:
    """Return labels of a call's arguments and what these look like: ``:x,with::String,^->``; empty for an index.

    Nothing stands before the colon where there is no label, ``^`` before a function behind the brackets without one.
    """
    call = _call_of(called, page)
    suffix = call.child(1) if call is not None else None
    if call is not None and (suffix is None or suffix.type not in _SUFFIXES):
        suffix = call.child(call.child_count - 1)
    if suffix is None or suffix.type not in _SUFFIXES:
        return ANY_ARGUMENTS
    start, end = suffix.byte_range
    if page.source[start:end] == b"()":
        return NO_ARGUMENTS
    shapes, label = list[str](), "^"
    for child in suffix.children:
        kind = child.type
        if kind == "value_arguments":
            if page.source[child.start_byte] == ord("["):
                return ""
            for argument in child.named_children:
                if argument.type == "value_argument":
                    shapes += _argument(argument, page)
        elif kind == "simple_identifier":
            label = f"{page.of(child)}:"
        elif kind == "lambda_literal":
            shapes.append(f"{label}->")
    return ANY_ARGUMENTS if len(shapes) > _MOST_ARGUMENTS else ",".join(shapes) or NO_ARGUMENTS


def _call_of(called: "Node", page: Page) -> "Node | None":
    """Return the call of a called name; ``!a.b()`` calls ``!a.b`` by the grammar."""
    above = page.around(called)
    place = len(above) - 1
    if place >= 0 and above[place].type == "navigation_suffix":
        place -= 2
    if place >= 0 and above[place].type == "prefix_expression":
        place -= 1
    return above[place] if place >= 0 else None


def _argument(argument: "Node", page: Page) -> list[str]:
    children = argument.named_children
    if children and children[0].type == "value_argument_label":
        label = _label(page.of(children[0]))
        if len(children) == 1 or children[1].type == "value_argument_label":
            # A function that is named, not called: ``turn(by:around:)``.
            return [f"{_label(page.of(child))}:?" for child in children]
    else:
        label = ""
    return [f"{label}:{_shape(children[-1], page)}"] if children else [f"{label}:?"]


def _shape(node: "Node", page: Page) -> str:
    while node.type in _WRAPPING and node.named_child_count:
        node = node.named_children[-1]
    literal = _LITERALS.get(node.type)
    if literal is not None:
        return literal
    if node.type == "as_expression":
        name = _type_name(page.of(node.named_children[-1]))
        return f":{name}" if name else "?"
    if node.type == "prefix_expression" and page.source[node.start_byte] == ord("&"):
        node = node.named_children[-1]
    if node.type not in _EXPRESSIONS or node.end_byte - node.start_byte > _LONGEST_ARGUMENT:
        return "?"
    return _expression(node, page) or "?"


def _narrow(findings: Findings, nodes: list["Node"], page: Page) -> None:
    """Tell what places know beyond declarations: casts, and who gets what collections hold."""
    name_unnamed(findings)
    closures = shallow([node for node in nodes if node.type == "lambda_literal"])
    loops = [node for node in nodes if node.type == "for_statement"]
    rest = [node for node in nodes if node.type not in {"for_statement", "lambda_literal"}]
    regions = given([*loops, *closures], page, _expression)
    narrow(findings, rest, page, type_name=_type_name, language="swift", regions=regions)


SWIFT = Dialect(
    is_doc=slash_doc,
    visibility=by_modifier("internal"),
    imports=_imports,
    declared=_declared,
    refined=_refined,
    read_on=declared_in,
    type_name=_type_name,
    bound_type=partial(held_type, type_name=_type_name),
    named=named_by_types,
    blocks_of="swift",
    narrow=_narrow,
    makes_by_name=True,
    expression=_expression,
    overloads=Overloading(_parameters, _shapes),
)
