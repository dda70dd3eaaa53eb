"""What is left to say of Kotlin: kinds of classes, imports."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import FILE_CLASS, ImportFact
from ctxcode.codegraph.syntax.java.elements import java_generic
from ctxcode.codegraph.syntax.kotlin.generics import bind_parameters
from ctxcode.codegraph.syntax.kotlin.values import bind_many, expression
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Match, block_doc, by_modifier
from ctxcode.codegraph.syntax.matched.overloads import BY_TYPES
from ctxcode.codegraph.syntax.narrowed.tests import narrow

if TYPE_CHECKING:
    from tree_sitter import Node

_BESIDE = re.compile(r"\b(?:out|in)\s+|\?")
"""What stands in a type beside its names."""
_BETWEEN = rb"(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*+"
_GAP = re.compile(_BETWEEN)
_DECLARED = re.compile(
    _BETWEEN
    + rb"(?:(?:abstract|actual|annotation|companion|const|data|enum|expect|external|final|infix|inline|inner|internal"
    rb"|lateinit|open|operator|override|private|protected|public|sealed|suspend|tailrec|value)\s++)*+"
    rb"(?:class|constructor|fun|interface|object|typealias|val|var)\b"
)
_CLASSES = frozenset({"class_declaration", "object_declaration"})
_FUNCTIONS = frozenset({"function", "method"})
_FILE_CLASS = re.compile(r"\bJvmName\s*+\(\s*+(?:name\s*+=\s*+)?\"([\w$]++)\"\s*+\)")
_LETTER = re.compile(rb"[^\n]")
_IMPORT = re.compile(r"import\s++([\w.`]+?)(\.\*)?(?:\s++as\s++(\w++))?\s*+;?\s*+")


def _refined(kind: str, node: "Node", page: Page) -> str:
    if kind == "class" and node.type == "class_declaration":
        if any(child.type == "interface" for child in node.children):
            return "interface"
        if any(child.type == "enum_class_body" for child in node.named_children):
            return "enum"
    words = [word for child in node.children if child.type == "modifiers" for word in child.children]
    return "constant" if any(page.of(word) == "const" for word in words) else kind


def misplaced(matches: Iterable[tuple[int, Mapping[str, Sequence["Node"]]]], text: bytes) -> list["Node"]:
    """Return the annotations that the grammar takes for an expression's, and that stand before a declaration.

    Words such as ``enum`` and ``const`` can be names, too.
    """
    nodes = {node.start_byte: node for _, match in matches for node in match.get("misplaced", ())}
    found = list["Node"]()
    for at in sorted(nodes, reverse=True):
        end = nodes[at].end_byte
        is_beside = bool(found) and _GAP.fullmatch(text, end, found[-1].start_byte) is not None
        if is_beside or _DECLARED.match(text, end):
            found.append(nodes[at])
    return found


def without(text: bytes, nodes: Iterable["Node"]) -> bytes:
    """Return a source of the same length with blanks in place of some nodes."""
    blanked = bytearray(text)
    for node in nodes:
        blanked[node.start_byte : node.end_byte] = _LETTER.sub(b" ", text[node.start_byte : node.end_byte])
    return bytes(blanked)


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    found = _IMPORT.fullmatch(page.of(node).strip())
    if found is None:
        return []
    line, dotted = page.line(node.start_byte), found[1].replace("`", "")
    if found[2]:
        return [ImportFact(dotted, "*", "", 0, line, is_reexport=False)]
    module, _, name = dotted.rpartition(".")
    return [ImportFact(module, name, found[3] or name, 0, line, is_reexport=False)]


def _type_name(text: str) -> str:
    return dotted_name(text.strip().removesuffix("?"))


def _bound_type(text: str) -> str:
    return java_generic(_BESIDE.sub("", text.strip())) if "<" in text else _type_name(text)


def _narrow(findings: Findings, nodes: list["Node"], page: Page) -> None:
    """Tell what places know beyond declarations, and what the class is called that a file's functions belong to."""
    for node in [node for node in nodes if node.type == "file_annotation"]:
        named = _FILE_CLASS.search(page.of(node))
        if named is not None:
            findings.bindings.append((node.start_byte, FILE_CLASS, named[1]))
    for node in {node.id: node for node in nodes if node.type in _CLASSES}.values():
        bind_parameters(findings, node, page)
    bind_many(findings, page)
    rest = [node for node in nodes if node.type != "file_annotation" and node.type not in _CLASSES]
    narrow(findings, rest, page, type_name=_type_name, language="kotlin")


def _name_for_java(findings: Findings, matches: list[tuple[int, Match]], page: Page) -> None:
    """Tell what functions are called by Java: ``@JvmName("payAll") fun pay(…)``."""
    del matches, page
    for found in findings.definitions:
        if found.decorators and found.kind in _FUNCTIONS:
            named = next((named for text in found.decorators if (named := _FILE_CLASS.search(text))), None)
            if named is not None:
                findings.bindings.append((found.header, FILE_CLASS, named[1]))


KOTLIN = Dialect(
    is_doc=block_doc,
    visibility=by_modifier("public"),
    imports=_imports,
    refined=_refined,
    type_name=_type_name,
    bound_type=_bound_type,
    blocks_of="kotlin",
    narrow=_narrow,
    finish=_name_for_java,
    makes_by_name=True,
    expression=expression,
    overloads=BY_TYPES,
)
