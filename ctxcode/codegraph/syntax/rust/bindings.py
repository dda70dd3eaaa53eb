"""What types Rust files tell of their parameters, fields, local names and results."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.facts import PARAMETER, RETURNED
from ctxcode.codegraph.syntax.rust.generics import Generics, own_parameters, written_bounds
from ctxcode.codegraph.syntax.rust.locals import find_locals
from ctxcode.codegraph.syntax.rust.scopes import Outside, Scopes
from ctxcode.codegraph.syntax.rust.written_types import OwnTypes, taken

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_GENERIC = frozenset({"enum_item", "impl_item", "struct_item", "trait_item", "type_item"})
_HIGHEST = 8
"""One more than the nodes around one that are asked what it belongs to."""


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

    # What is made in a closure at the top of a file, ``LazyLock::new(|| …)``, names things as a function does.
    functions = [node.byte_range for kind in ("function", "closure") for node in captures.get(kind, ())]
    Scopes(functions, find_locals(captures, page, typed), Outside(findings, page)).set_apart(findings)
    for node in captures.get("returned", ()):
        type_name = value_type(page.of(node))
        if len(type_name.lstrip("?")) > 1 or generics.bound(node.start_byte, type_name) != type_name:
            findings.parameters.append((node.start_byte, RETURNED, generics.bound(node.start_byte, type_name)))
        if which := _place(type_name, node, page):
            # What a type by another name stands for it is, and no function gives.
            is_alias = node.parent is not None and node.parent.type == "type_item"
            rows = findings.bindings if is_alias else findings.parameters
            rows.append((node.start_byte, PARAMETER, which))
    for at, place, written in chain(_given(captures, page, generics), _in_tuples(captures, page, types)):
        type_name = generics.bound(at, value_type(written))
        # One letter is a type parameter, which can be anything.
        if is_capitalised(type_name.lstrip("?")) and len(type_name.lstrip("?")) > 1:
            findings.parameters.append((at, place, type_name))
    for node in captures.get("associated", ()):
        bound = types.bound_type(written_bounds(node, page))
        if bound:
            findings.parameters.append((node.start_byte, RETURNED, generics.bound(node.start_byte, bound)))
    _add_fields(findings, page, captures, known)


def _add_fields(findings: Findings, page: Page, captures: Captures, known: tuple[OwnTypes, Generics]) -> None:
    types, generics = known
    for name, annotation in _fields(page, captures):
        written = page.of(annotation)
        value_type = types.value_type(written)
        type_name = generics.bound_of_field(annotation, value_type, page)
        if is_capitalised(type_name.lstrip("?^")) or (type_name and "<" in written):
            findings.bindings.append((annotation.start_byte, name, type_name))
        if name.startswith("self.") and (which := _place(value_type, annotation, page)):
            findings.bindings.append((annotation.start_byte, f"self.{PARAMETER}.{name.removeprefix('self.')}", which))


def _place(type_name: str, node: "Node", page: Page) -> str:
    """Return which parameter of the type around a node a type is, ``0``, or has to be opened to get, ``?0``."""
    name = type_name.lstrip("?")
    if not name.isidentifier() or not (own := _parameters_around(node, page)) or name not in own:
        return ""
    return f"{type_name.removesuffix(name)}{own.index(name)}"


def _parameters_around(node: "Node", page: Page) -> list[str]:
    """Return the type parameters of the type that a field or a method's result belongs to, as they are called there."""
    for around in page.around(node)[:-_HIGHEST:-1]:
        if around.type not in _GENERIC:
            continue
        listed = around.child_by_field_name("type_parameters")
        rows = own_parameters(listed) if listed is not None else []
        own = [page.of(each.child_by_field_name("name") or each) for each in rows]
        if not own or around.type != "impl_item":
            return own
        of = around.child_by_field_name("type")
        given = of.child_by_field_name("type_arguments") if of is not None else None
        written = (
            [page.of(each) for each in given.named_children if each.type != "lifetime"] if given is not None else []
        )
        return [each if each in own else "" for each in written]
    return []


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
