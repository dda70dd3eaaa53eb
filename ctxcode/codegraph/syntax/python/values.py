"""What names of Python are given that is more than a call: this or that, several at once, what collections hold."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ANYTHING, LIKE
from ctxcode.codegraph.syntax.python.bindings import made
from ctxcode.codegraph.syntax.python.picked import EMPTY, NEXT, element_said, elements_of

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Binding = tuple[int, str, str]
"""(byte, name, type); see ``facts.BindingFact``."""
_CALLS = frozenset({"await", "call"})
_SEQUENCES = frozenset({"list", "set"})
_GENERATED = frozenset({"list_comprehension", "set_comprehension"})
_MOST_EITHER = 5
_MOST_ELEMENTS = 50
"""Longer literals are tables of data."""
_LONGEST, _LONGEST_VALUE, _DEEPEST = 150, 2_000, 20
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def given_values(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield what names are bound to: ``a or B()``, ``B() if a else None``, ``[B()]``, ``{1: B()}``, ``B(), C()``."""
    for node in captures.get("valued", ()):
        name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if name is not None and value is not None and node.child_by_field_name("type") is None:
            yield from _bound(page, name, value)
    for node in captures.get("unpacked", ()):
        names, values = node.child_by_field_name("left"), node.child_by_field_name("right")
        pairs = (names.named_children, values.named_children) if names is not None and values is not None else ([], [])
        if len(pairs[0]) == len(pairs[1]):
            for name, value in zip(*pairs, strict=True):
                yield from _bound(page, name, value)
    for node in captures.get("parted", ()):
        yield from _parts(node, page)


def _parts(assignment: "Node", page: Page) -> Iterator[Binding]:
    """Yield what names are bound to that take the parts of what one call returns."""
    names, value = (assignment.child_by_field_name(field) for field in ("left", "right"))
    if names is None or value is None:
        return
    if value.type not in _CALLS:
        yield from _elements(names, value, page)
        return
    said = made(page, value)
    if not said.endswith("()"):
        return
    for place, name in enumerate(names.named_children):
        if name.type == "list_splat_pattern":
            break
        if target := _target(page, name):
            yield name.start_byte, target, f"={said}.{place}"


def _elements(names: "Node", value: "Node", page: Page) -> Iterator[Binding]:
    """Yield what names are bound to that take the elements of a list: ``first, *rest = carts``."""
    over = elements_of(page, value)
    for name in names.named_children:
        is_rest = name.type == "list_splat_pattern" and name.named_child_count == 1
        target = _target(page, name.named_children[0] if is_rest else name) if over else ""
        if target:
            yield name.start_byte, target, f"{over}.__iter__()" if is_rest else f"{over}{NEXT}"


def _target(page: Page, name: "Node") -> str:
    """Return a name, or an attribute of an object itself, to which something can be bound; empty for all else."""
    text = page.of(name) if name.end_byte - name.start_byte < _LONGEST else ""
    owner, _, own = text.rpartition(".")
    if not own.isidentifier() or owner not in {"", "self", "cls"}:
        return ""
    return f"self.{own}" if owner else own


def _bound(page: Page, name: "Node", value: "Node") -> Iterator[Binding]:
    target = _target(page, name)
    if target and (said := _said(page, value)):
        yield name.start_byte, target, said


def value_said(page: Page, value: "Node") -> str:
    """Return the one thing a value says of itself: a class, ``f()``, ``=a.b``; empty for what can't be followed."""
    if value.end_byte - value.start_byte > _LONGEST_VALUE:
        return ""
    if named := _named(page, value):
        return named
    said = _said(page, value)
    return said if "|" not in said and "&" not in said else ""


def _named(page: Page, value: "Node") -> str:
    """Return what a name or an attribute says, which is the same thing; empty for all else."""
    is_short = value.type in {"attribute", "identifier"} and value.end_byte - value.start_byte <= _LONGEST
    written = "".join(page.of(value).split()) if is_short else ""
    return f"={written}" if _DOTTED.fullmatch(written) else ""


def values_held(page: Page, value: "Node") -> str:
    """Return what a collection holds that is written there, if all of it says its class."""
    return _said(page, value)


def _said(page: Page, value: "Node", depth: int = 0) -> str:
    """Return the class of a value, ``f()`` for what a call gives, a sign and a class for a collection, else nothing."""
    if depth > _DEEPEST:
        return ""
    match value.type:
        case "parenthesized_expression" if value.named_child_count == 1:
            return _said(page, value.named_children[0], depth + 1)
        case "boolean_operator":
            return _said_by_either(page, value, depth)
        case "conditional_expression":
            return _said_by_choice(page, value, depth)
        case kind if kind in _CALLS:
            return made(page, value)
        case kind if kind in _SEQUENCES and 0 < value.named_child_count <= _MOST_ELEMENTS:
            return _held("?", page, value.named_children)
        case kind if kind in _GENERATED:
            over = elements_of(page, value)
            return f"{over}.__iter__()" if over else _held("?", page, value.named_children[:1])
        case "subscript" if value.end_byte - value.start_byte <= _LONGEST:
            return element_said(page, value)
        case "dictionary" | "dictionary_comprehension" if 0 < value.named_child_count <= _MOST_ELEMENTS:
            pairs = value.named_children[: 1 if value.type != "dictionary" else _MOST_ELEMENTS]
            return _held("%", page, [pair.child_by_field_name("value") or pair for pair in pairs])
    return ""


def _said_by_either(page: Page, value: "Node", depth: int) -> str:
    """Return the class of ``a or b``; of ``a and b`` what the last one says, as objects are most often true."""
    parts, operator = value.named_children, value.child_by_field_name("operator")
    if operator is not None and operator.type == "and":
        return _said(page, parts[-1], depth + 1)
    if page.of(parts[-1]) in EMPTY:
        return value_said(page, parts[0])
    said = [_said(page, part, depth + 1) for part in parts if part.type != "none"]
    if len(said) > 1 and said[-1] and parts[-1].type == "call" and said[0] == "":
        # What is made for want of something is like that.
        of = _named(page, parts[0])
        return f"{LIKE}|{of}|{said[-1]}" if of and "&" not in said[-1] else said[-1]
    return _only(said)


def _said_by_choice(page: Page, value: "Node", depth: int) -> str:
    """Return what ``a if b else c`` may be: anything beside what is known, but what the test asks for is like that."""
    first, test, last = (value.named_children[place] for place in (0, 1, -1))
    others = [one for one in (first, last) if one.type != "none" and page.of(one) not in EMPTY]
    said = [_said(page, one, depth + 1) for one in others]
    known, unknown = _either(said), [one for one, each in zip(others, said, strict=True) if not each]
    if not known or "&" in known or not unknown or page.mentions(test, page.of(unknown[0])):
        return known
    return f"{_named(page, unknown[0]) or ANYTHING}|{known}"


def _held(sign: str, page: Page, elements: Iterable["Node"]) -> str:
    """Return what a collection says that it holds, if all of it is of one class."""
    found = {made(page, one) if one.type == "call" else "" for one in elements if one.type != "comment"}
    said = found.pop() if len(found) == 1 else ""
    return f"{sign}{said}" if said and not said.endswith(")") else ""


def _either(said: Sequence[str]) -> str:
    """Return what is this or that, if both are known; what is said of one that is known alone."""
    if "" in said or any("&" in one for one in said):
        return _only(said)
    each = dict.fromkeys(part for one in said for part in one.split("|"))
    return "|".join(each) if len(each) <= _MOST_EITHER else ""


def _only(said: Iterable[str]) -> str:
    """Return the only thing that is said, if there is one."""
    found = {one for one in said if one}
    return found.pop() if len(found) == 1 else ""
