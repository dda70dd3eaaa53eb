"""What Scala's patterns take out of case classes, what its functions say of what they get, and bounds of its types."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import raised
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region, in_functions
from ctxcode.codegraph.syntax.narrowed.scoped import bind_bounds

if TYPE_CHECKING:
    from tree_sitter import Node

_PATTERNS = frozenset({
    "alternative_pattern", "capture_pattern", "case_class_pattern", "infix_pattern", "tuple_pattern",
})  # fmt: skip
_OPENED = frozenset({
    "Array", "Failure", "IndexedSeq", "Left", "List", "Right", "Seq", "Some", "Success", "Vector",
})  # fmt: skip
"""What holds things of other types: what patterns take out of it, its own type does not say."""
_HIDING = "\N{SUPERSCRIPT ZERO}"
_MARK = "case\N{SUPERSCRIPT LATIN SMALL LETTER N}"
_TAKING_OUT = b"unapply"
_WITH = re.compile(r"\s+with\s+")
_WORD = re.compile(r"\w+")
_MOST_PARTS = 50
"""Patterns in a pattern."""
_LONGEST = 200
_VARYING = frozenset({"contravariant_type_parameter", "covariant_type_parameter"})


def bind_parts(findings: Findings, nodes: Sequence["Node"], page: Page, held_type: Callable[[str], str]) -> None:
    """Bind what case classes are made of by the places, ``self._1``, as their patterns ask for it.

    Not where a companion says itself what they take out, and not what is of a type parameter.
    """
    apart = _taken_out(nodes, page) if page.says(_TAKING_OUT) else frozenset[tuple[int, bytes]]()
    for node in nodes:
        name, listed, around = *map(node.child_by_field_name, ("name", "class_parameters")), page.parent(node)
        if name is None or listed is None or around is None or (around.id, name.text or b"") in apart:
            continue
        own = {page.of(each) for each, _ in _parameters(node.child_by_field_name("type_parameters"))}
        parameters = [child for child in listed.named_children if child.type == "class_parameter"]
        for place, parameter in enumerate(parameters, start=1):
            of = parameter.child_by_field_name("type")
            said = held_type(page.of(of)) if of is not None and of.end_byte - of.start_byte <= _LONGEST else ""
            if said and own.isdisjoint(_WORD.findall(said)):
                findings.attributes.append((name.start_byte, f"self._{place}", said))


def _taken_out(nodes: Iterable["Node"], page: Page) -> frozenset[tuple[int, bytes]]:
    """Return (what they stand in, name) of the objects that say themselves what patterns take out of something."""
    bodies = {around.id: around for node in nodes if (around := page.parent(node)) is not None}
    found = set[tuple[int, bytes]]()
    for around in bodies.values():
        for other in around.named_children:
            called = other.child_by_field_name("name") if other.type == "object_definition" else None
            if called is not None and page.source.find(_TAKING_OUT, other.start_byte, other.end_byte) >= 0:
                found.add((around.id, called.text or b""))
    return frozenset(found)


def bind_bounded(findings: Findings, nodes: Iterable["Node"], page: Page) -> None:
    """Make what is said to be of a type parameter be of what that extends, ``[C <: Cart]``, or of nothing known."""
    found = list[tuple[str, int, int, str]]()
    for node in nodes:
        owner, own = node.parent, _parameters(node)
        names = {page.of(name) for name, _ in own}
        for name, bound in own if owner is not None else ():
            text, types = page.of(name), _WITH.split(page.of(bound)) if bound is not None else [""]
            said = list(map(dotted_name, types))
            is_known = all(said) and names.isdisjoint(said)
            meant = "&".join(said) if is_known else f"{text}{_HIDING}"
            found += [(text, owner.start_byte, owner.end_byte, meant)] if owner is not None else []
    bind_bounds(findings, found)


def _parameters(listed: "Node | None") -> "list[tuple[Node, Node | None]]":
    """Return (name, what it extends) of each of some type parameters."""
    found: list[tuple[Node, Node | None]] = []
    for place, child in enumerate(listed.children if listed is not None else ()):
        field = listed.field_name_for_child(place) if listed is not None else None
        if child.type in _VARYING:
            found += _parameters(child)
        elif field == "name":
            found.append((child, None))
        elif field == "bound" and child.type == "upper_bound" and found:
            found[-1] = found[-1][0], child.child_by_field_name("type")
    return found


def typed(function: "Node", page: Page, held_type: Callable[[str], str]) -> Iterator[Region]:
    """Yield where names stand for what a function says that it gets: ``(cart: Cart) => …``."""
    listed = function.child_by_field_name("parameters")
    for each in listed.named_children if listed is not None and listed.type == "bindings" else ():
        name, of = each.child_by_field_name("name"), each.child_by_field_name("type")
        said = held_type(page.of(of)) if name is not None and of is not None else ""
        if name is not None and said:
            yield Region(*function.byte_range, Held(name.start_byte, page.of(name), said, is_other=True))


def taken(findings: Findings, holders: Iterable["Node"], page: Page) -> Iterator[Region]:
    """Yield where names stand for what patterns take out of case classes, ``case Sale(cart, _)``, or for one of them.

    ``holders`` are clauses, definitions and loops. The class gets a name of its own in the function, for an object of
    it.
    """
    functions, numbers = in_functions(findings), dict[str, int]()
    for pattern, whole, span in _patterns(holders, page):
        of, at = pattern.child_by_field_name("type"), pattern.start_byte
        name = dotted_name(page.of(of)) if of is not None else ""
        if not name or name in _OPENED or not functions.name(at):
            continue
        own = f"{_MARK}{raised(numbers.setdefault(name, len(numbers) + 1))}"
        findings.parameters.append((at, own, name))
        if whole is not None:
            yield _region(whole, f"={own}", span, page)
        for place, part in enumerate(pattern.named_children[1:], start=1):
            named: Node | None = part
            if part.type == "capture_pattern":
                inner = part.child_by_field_name("pattern")
                named = part.child_by_field_name("name") if inner is not None and inner.type == "wildcard" else None
            if named is not None and named.type == "identifier" and not page.of(named)[:1].isupper():
                yield _region(named, f"={own}._{place}", span, page)


def _region(name: "Node", said: str, span: tuple[int, int], page: Page) -> Region:
    return Region(max(span[0], name.start_byte), span[1], Held(name.start_byte, page.of(name), said, is_other=True))


def _filled(parts: "Iterable[Sequence[Node]]") -> "Iterator[Node]":
    return (each for listed in parts for each in listed if each.named_child_count)


def _patterns(holders: Iterable["Node"], page: Page) -> "Iterator[tuple[Node, Node | None, tuple[int, int]]]":
    """Yield (pattern of a case class, the name of all of it, where names are known) of what each holds."""
    for holder in holders:
        if holder.type == "for_expression":
            parts = [part.named_children for part in holder.named_children if part.type == "enumerators"]
            found = [(each.named_children[0], (each.end_byte, holder.end_byte)) for each in _filled(parts)]
        else:
            around = page.parent(holder) if holder.type == "val_definition" else None
            span = (holder.end_byte, around.end_byte) if around is not None else holder.byte_range
            pattern = holder.child_by_field_name("pattern")
            found = [(pattern, span)] if pattern is not None else []
        for outer, span in found:
            waiting: list[tuple[Node, Node | None]] = [(outer, None)]
            for _ in range(_MOST_PARTS):
                if not waiting:
                    break
                part, whole = waiting.pop()
                if part.type == "case_class_pattern":
                    yield part, whole, span
                named = part.child_by_field_name("name") if part.type == "capture_pattern" else None
                waiting += [(child, named) for child in part.named_children if child.type in _PATTERNS]
