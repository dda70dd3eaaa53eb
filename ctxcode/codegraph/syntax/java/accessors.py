"""Methods of Java that nobody writes: those by which records, and the classes Lombok adds to, give what they keep."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import java_type
from ctxcode.codegraph.facts import ACCESSOR

if TYPE_CHECKING:
    from tree_sitter import Node

_LOMBOK = re.compile(rb"\blombok\.[\w.]*(?:\*|\w)")
"""What a file says that takes in Lombok: others call annotations like that, too."""
_GETTING, _SETTING = frozenset({"Data", "Getter", "Value"}), frozenset({"Data", "Setter"})
_OF_FIELDS = frozenset({"Getter", "Setter"})
_BUILDING = frozenset({"Builder", "SuperBuilder"})
_ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
_BODIES = frozenset({"class_body", "enum_body", "enum_body_declarations"})
_PREFIXED = re.compile(r"is[^a-z]")
_BUILDER = "builder"
_NONE = "NONE"
"""How a field is left out: ``@Getter(AccessLevel.NONE)``."""


def accessors(types: Iterable["Node"], page: Page) -> list[tuple[int, str, str]]:
    """Return (a byte inside a type, the method as it is bound, what it leads to: a field with its type as written)."""
    is_lombok = _LOMBOK.search(page.source) is not None
    rows = list[tuple[int, str, str]]()
    for node in types:
        name = node.child_by_field_name("name")
        if name is None:
            continue
        found = _of_record(node, page) if node.type == "record_declaration" else iter(())
        rows += [(name.start_byte, f"{ACCESSOR}{method}", f"={field}") for method, field in found]
        if is_lombok:
            rows += [(name.start_byte, f"{ACCESSOR}{method}", f"={field}") for method, field in _of_lombok(node, page)]
    return rows


def _of_record(node: "Node", page: Page) -> Iterator[tuple[str, str]]:
    parameters = node.child_by_field_name("parameters")
    for each in parameters.named_children if parameters is not None else ():
        name = each.child_by_field_name("name") if each.type == "formal_parameter" else None
        if name is not None:
            yield page.of(name), page.of(name)


def _of_lombok(node: "Node", page: Page) -> Iterator[tuple[str, str]]:
    said = _annotations(node, page)
    if not _BUILDING.isdisjoint(said):
        yield _BUILDER, ""
    for field in _fields(node):
        own = _annotations(field, page, _OF_FIELDS)
        modifiers = page.text(field.start_byte, _start_of_type(field))
        of = field.child_by_field_name("type")
        is_flag = of is not None and page.of(of) == "boolean"
        words = set(modifiers.split())
        is_got = not _GETTING.isdisjoint({*said, *own}) and _NONE not in own.get("Getter", "")
        is_set = not _SETTING.isdisjoint({*said, *own}) and _NONE not in own.get("Setter", "") and "final" not in words
        for declarator in field.children_by_field_name("declarator") if "static" not in words else ():
            name = declarator.child_by_field_name("name")
            if name is None:
                continue
            written = page.of(name)
            stem = written[2:] if is_flag and _PREFIXED.match(written) else written
            stem = stem[:1].upper() + stem[1:]
            kept = f"{written} {java_type(page.of(of))}" if of is not None else written
            if is_got:
                yield f"{'is' if is_flag else 'get'}{stem}", kept
            if is_set:
                yield f"set{stem}", kept


def _fields(node: "Node") -> Iterator["Node"]:
    for child in node.named_children:
        if child.type in _BODIES:
            yield from _fields(child)
        elif child.type == "field_declaration":
            yield child


def _start_of_type(field: "Node") -> int:
    of = field.child_by_field_name("type")
    return of.start_byte if of is not None else field.start_byte


def _annotations(node: "Node", page: Page, wanted: frozenset[str] = _GETTING | _SETTING | _BUILDING) -> dict[str, str]:
    """Return the annotations of a type or field that are Lombok's, as they are written, by their names."""
    modifiers = node.named_children[0] if node.named_child_count else None
    if modifiers is None or modifiers.type != "modifiers":
        return {}
    found = dict[str, str]()
    for each in modifiers.named_children:
        name = each.child_by_field_name("name") if each.type in _ANNOTATIONS else None
        said = page.of(name).rpartition(".")[2] if name is not None else ""
        if said in wanted:
            found[said] = page.of(each)
    return found
