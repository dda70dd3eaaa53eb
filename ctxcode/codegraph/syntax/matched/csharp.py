"""What is left to say of C#: who sees what, and using directives."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page, shallow
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.csharp.elements import bounds, given, held_type, taken_out
from ctxcode.codegraph.syntax.csharp.generics import bind_parameters
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Shape, slash_doc
from ctxcode.codegraph.syntax.matched.overloads import BY_TYPES
from ctxcode.codegraph.syntax.narrowed.scoped import bind_bounds
from ctxcode.codegraph.syntax.narrowed.tests import narrow

if TYPE_CHECKING:
    from tree_sitter import Node

_ACCESS = re.compile(r"\b(public|protected|private|internal)\b")
_USING = re.compile(r"(?:global\s++)?+using\s++(static\s++)?+(?:(\w++)\s*+=\s*+)?([\w.:\s]++)(?:<.*)?;", re.DOTALL)
_REFERENCE = re.compile(r"""<\w+\s+(?:cref|name|langword|href)=["']([^"']*)["']\s*/>""")
_TAG = re.compile(r"</?\w++[^<>]*+>")
_TYPES = frozenset({"class", "interface", "struct", "enum", "type"})


def _visibility(shape: Shape) -> str:
    found = _ACCESS.search(shape.modifiers)
    if found:
        return found[1]
    holder = shape.node.parent.parent if shape.node.parent is not None else None
    is_open = shape.kind == "variant" or shape.node.type == "parameter"
    if is_open or (holder is not None and holder.type == "interface_declaration"):
        return "public"
    is_nested = holder is not None and holder.type.endswith("_declaration") and "namespace" not in holder.type
    return "internal" if shape.kind in _TYPES and not is_nested else "private"


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    """Return a name; an operator's has its word and its sign, a conversion's its word and type, a finalizer's ``~``."""
    if node.type == "operator" and node.next_sibling is not None:
        return node, f"operator {page.of(node.next_sibling)}", ""
    around = node.parent.type if node.parent is not None else ""
    before = {"conversion_operator_declaration": "operator ", "destructor_declaration": "~"}.get(around, "")
    return node, f"{before}{page.of(node)}", ""


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    using = _USING.match(page.of(node))
    if using is None:
        return []
    line, dotted = page.line(node.start_byte), "".join(using[3].split()).removeprefix("global::")
    if using[2]:
        module, _, name = dotted.rpartition(".")
        return [ImportFact(module, name, using[2], 0, line, is_reexport=False)]
    return [ImportFact(dotted, "*", "", 0, line, is_reexport=False)]


def _doc_text(doc: str) -> str:
    """Return documentation without its XML: a reference is the name it refers to."""
    return " ".join(_TAG.sub("", _REFERENCE.sub(r"\1", doc)).split())


def _type_name(text: str) -> str:
    written = text.strip().removesuffix("?").replace("global::", "")
    if written.endswith("[]"):
        # Nothing of an array is anybody's.
        return f"{dotted_name(written.rstrip('[]'))}[]"
    return dotted_name(written)


def _narrow(findings: Findings, nodes: Iterable["Node"], page: Page) -> None:
    """Tell what places know beyond declarations: tests and casts, and who gets what collections hold."""
    tested, lambdas, giving, limits = list["Node"](), list["Node"](), list["Node"](), list["Node"]()
    types: dict[int, Node] = {}
    for node in nodes:
        match node.type:
            case "lambda_expression":
                lambdas.append(node)
            case "foreach_statement" | "from_clause":
                giving.append(node)
            case "declaration_expression":
                findings.bindings += taken_out(node, page)
            case "class_declaration" | "interface_declaration" | "record_declaration" | "struct_declaration":
                types[node.id] = node
            case "type_parameter_constraints_clause":
                limits.append(node)
            case _:
                tested.append(node)
    for node in types.values():
        bind_parameters(findings, node, page)
    bind_bounds(findings, [bound for node in limits for bound in bounds(node, page)])
    regions = given([*giving, *shallow(lambdas)], page)
    narrow(findings, tested, page, type_name=_type_name, language="csharp", regions=regions)


CSHARP = Dialect(
    is_doc=slash_doc,
    visibility=_visibility,
    imports=_imports,
    declared=_declared,
    type_name=_type_name,
    bound_type=held_type,
    blocks_of="csharp",
    narrow=_narrow,
    doc_text=_doc_text,
    overloads=BY_TYPES,
    base_word="base",
)
