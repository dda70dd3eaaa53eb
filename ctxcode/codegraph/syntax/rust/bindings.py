"""What types Rust files tell of their parameters, fields, local names and results.

An ``Option`` or ``Result`` of a type, and what else has to be opened to get at it, is the type with a question mark
before it. A type parameter stands for the trait that bounds it.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name, is_capitalised
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.rust.expressions import chained
from ctxcode.codegraph.syntax.rust.generics import Generics, named_bounds

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_WRAPPER = re.compile(r"(?:\w+::)*(?:Option|Result|Mutex|RwLock|RefCell|OnceCell)\s*<(.*)>", re.DOTALL)
_POINTER = re.compile(r"(?:\w+::)*(?:Box|Rc|Arc|Pin|Ref|RefMut|MutexGuard)\s*<(.*)>", re.DOTALL)
_PREFIX = re.compile(r"(?:&\s*|'\w+\s*,?\s*|(?:mut|dyn|impl|const)\b\s*|\*\s*)+")
_OPENED = frozenset({"Some", "Ok"})
_DEEPEST = 4
_OF_ONE = 2
"""Named children of a pattern such as ``Some(x)``."""
_LONGEST = 300


def value_type(text: str) -> str:
    """Return the type a type expression dereferences to, a question mark for each wrapper that has to be opened."""
    text, opened = text[:_LONGEST].strip(), 0
    if text.isidentifier():
        return text
    for _ in range(_DEEPEST):
        prefix = _PREFIX.match(text)
        text = text[prefix.end() :].strip() if prefix else text
        inner = _POINTER.fullmatch(text)
        if inner is None:
            inner = _WRAPPER.fullmatch(text)
            opened += inner is not None
        if inner is None:
            break
        text = _first(inner[1])
    name = dotted_name(text) if " + " not in text else named_bounds(text.split(" + "))
    return "?" * opened + name if name else ""


def _first(arguments: str) -> str:
    """Return the first of some type arguments that is no lifetime."""
    depth = 0
    for at, character in enumerate(arguments):
        depth += (character in "<([") - (character in ">)]")
        if character == "," and depth == 0 and not arguments[:at].lstrip().startswith("'"):
            return arguments[:at].strip()
    return arguments.strip()


def add_bindings(
    findings: Findings, page: Page, captures: Captures, generics: Generics, self_type: Callable[[int], str]
) -> None:
    """Add what is known of names; ``self_type`` tells what ``Self`` is on a byte, empty for a trait's."""

    def typed(node: "Node | None") -> str:
        """Return the type a type expression stands for where it stands."""
        type_name = value_type(page.of(node)) if node is not None else ""
        if node is None or type_name.lstrip("?") != "Self":
            return generics.bound(node.start_byte, type_name) if node is not None else ""
        return type_name.removesuffix("Self") + (self_type(node.start_byte) or "Self")

    for node in captures.get("let", ()):
        annotation, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        type_name = typed(annotation) if annotation is not None else _bound_to(value, page)
        _add_pattern(findings, page, node.child_by_field_name("pattern"), type_name)
    for node in captures.get("arm", ()):
        matched = _around(node, "match_expression")
        value = matched.child_by_field_name("value") if matched is not None else None
        _add_pattern(findings, page, node, _bound_to(value, page))
    for node in captures.get("parameter", ()):
        pattern, type_name = node.child_by_field_name("pattern"), typed(node.child_by_field_name("type"))
        if pattern is not None and type_name:
            findings.parameters.append((node.start_byte, page.of(pattern), type_name))
    for node in captures.get("returned", ()):
        type_name = value_type(page.of(node))
        if len(type_name.lstrip("?")) > 1 or generics.bound(node.start_byte, type_name) != type_name:
            findings.parameters.append((node.start_byte, RETURNED, generics.bound(node.start_byte, type_name)))
    _add_fields(findings, page, captures, generics)


def _add_fields(findings: Findings, page: Page, captures: Captures, generics: Generics) -> None:
    """Add what constants, statics and fields hold; the fields of a tuple go by their numbers."""
    for capture, prefix in (("property", "self."), ("constant", "")):
        for node in captures.get(capture, ()):
            name, annotation = node.child_by_field_name("name"), node.child_by_field_name("type")
            if name is not None and annotation is not None:
                _add_field(findings, f"{prefix}{page.of(name)}", annotation, page, generics)
    for node in captures.get("tuple", ()):
        for number, annotation in enumerate(node.children_by_field_name("type")):
            _add_field(findings, f"self.{number}", annotation, page, generics)


def _add_field(findings: Findings, name: str, annotation: "Node", page: Page, generics: Generics) -> None:
    type_name = generics.bound_of_field(annotation, value_type(page.of(annotation)), page)
    if is_capitalised(type_name.lstrip("?")):
        findings.bindings.append((annotation.start_byte, name, type_name))


def _around(node: "Node", kind: str) -> "Node | None":
    """Return the nearest node of a kind around a node."""
    at = node.parent
    while at is not None and at.type != kind:
        at = at.parent
    return at


def _bound_to(value: "Node | None", page: Page) -> str:
    """Return what a value says: ``f()`` for what a call gives, ``=x`` for the same as a name."""
    text = chained(value, page).replace("::", ".") if value is not None else ""
    return text if text.endswith(")") or not text else f"={text}"


def _add_pattern(findings: Findings, page: Page, pattern: "Node | None", type_name: str) -> None:
    """Bind the name in ``x`` or ``Some(x)``."""
    if pattern is None or not type_name:
        return
    if pattern.type == "tuple_struct_pattern":
        of = pattern.child_by_field_name("type")
        if of is None or page.of(of) not in _OPENED or pattern.named_child_count != _OF_ONE:
            return
        pattern, type_name = pattern.named_children[1], f"{type_name.lstrip('=')}.unwrap()"
    inner: Node | None = pattern
    while inner is not None and inner.type in {"ref_pattern", "mut_pattern", "reference_pattern"}:
        inner = inner.named_child(inner.named_child_count - 1)
    if inner is not None and inner.type == "identifier":
        findings.bindings.append((inner.start_byte, page.of(inner), type_name))
