"""What types Rust files tell of their parameters, fields, local names and results."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.rust.generics import Generics, written_bounds
from ctxcode.codegraph.syntax.rust.locals import find_locals
from ctxcode.codegraph.syntax.rust.scopes import Scopes
from ctxcode.codegraph.syntax.rust.written_types import OwnTypes, taken

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]


def add_bindings(
    findings: Findings,
    page: Page,
    captures: Captures,
    known: tuple[OwnTypes, Generics],
    self_type: Callable[[int], str],
) -> None:
    """Add what is known of names; ``self_type`` tells what ``Self`` is on a byte, empty for a trait's."""
    types, generics = known
    value_type = types.value_type

    def typed(node: "Node | None") -> str:
        """Return the type a type expression stands for where it stands."""
        type_name = value_type(page.of(node)) if node is not None else ""
        if node is None or type_name.lstrip("?") != "Self":
            return generics.bound(node.start_byte, type_name) if node is not None else ""
        return type_name.removesuffix("Self") + (self_type(node.start_byte) or "Self")

    functions = [node.byte_range for node in captures.get("function", ())]
    called = {name for _, name, receiver in findings.calls if not receiver}
    Scopes(functions, find_locals(captures, page, typed), called).set_apart(findings)
    for node in captures.get("returned", ()):
        type_name = value_type(page.of(node))
        if len(type_name.lstrip("?")) > 1 or generics.bound(node.start_byte, type_name) != type_name:
            findings.parameters.append((node.start_byte, RETURNED, generics.bound(node.start_byte, type_name)))
    for at, place, written in chain(_given(captures, page, generics), _in_tuples(captures, page, types)):
        type_name = generics.bound(at, value_type(written))
        # One letter is a type parameter, which can be anything.
        if is_capitalised(type_name.lstrip("?")) and len(type_name.lstrip("?")) > 1:
            findings.parameters.append((at, place, type_name))
    for node in captures.get("associated", ()):
        bound = types.bound_type(written_bounds(node, page))
        if bound:
            findings.parameters.append((node.start_byte, RETURNED, generics.bound(node.start_byte, bound)))
    for name, annotation in _fields(page, captures):
        written = page.of(annotation)
        type_name = generics.bound_of_field(annotation, value_type(written), page)
        if is_capitalised(type_name.lstrip("?^")) or (type_name and "<" in written):
            findings.bindings.append((annotation.start_byte, name, type_name))


def _in_tuples(captures: Captures, page: Page, types: OwnTypes) -> Iterator[tuple[int, str, str]]:
    """Yield (byte, name, type) of what functions return in tuples, by its place in them."""
    for node in captures.get("returned", ()):
        for place, written in enumerate(types.tuple_parts(page.of(node))):
            yield node.start_byte, f"{RETURNED}{place}", written


def _given(captures: Captures, page: Page, generics: Generics) -> Iterator[tuple[int, str, str]]:
    """Yield (byte, place, type) of what functions give to the functions they are given; see BindingFact."""
    for function in captures.get("function", ()):
        parameters = function.child_by_field_name("parameters")
        rows = (
            [each for each in parameters.named_children if each.type == "parameter"] if parameters is not None else []
        )
        for number, parameter in enumerate(rows):
            annotation = parameter.child_by_field_name("type")
            if annotation is not None:
                at = annotation.start_byte
                for place, written in enumerate(taken(generics.function(at, page.of(annotation)))):
                    yield at, f"({number}.{place})", written


def _fields(page: Page, captures: Captures) -> Iterator[tuple[str, "Node"]]:
    """Yield (name, type) of constants, statics and fields; those of a tuple go by their numbers.

    What a variant holds goes by ``Variant.0``.
    """
    for capture, prefix in (("property", "self."), ("constant", "")):
        for node in captures.get(capture, ()):
            yield from _field(prefix, node, page)
    for node in captures.get("tuple", ()):
        yield from _numbered("self.", node)
    for node in captures.get("variant", ()):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            continue
        prefix = f"self.{page.of(name)}."
        yield from _numbered(prefix, body)
        for each in body.named_children if body.type == "field_declaration_list" else ():
            yield from _field(prefix, each, page)


def _field(prefix: str, node: "Node", page: Page) -> Iterator[tuple[str, "Node"]]:
    name, annotation = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is not None and annotation is not None:
        yield f"{prefix}{page.of(name)}", annotation


def _numbered(prefix: str, fields: "Node") -> Iterator[tuple[str, "Node"]]:
    for number, annotation in enumerate(fields.children_by_field_name("type")):
        yield f"{prefix}{number}", annotation
