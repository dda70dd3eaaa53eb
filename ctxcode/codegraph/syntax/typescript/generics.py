"""TypeScript's generic types: what is written in the place of their type parameters, and what of theirs is one."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name, typescript_arguments, typescript_type, typescript_union
from ctxcode.codegraph.facts import APPLIED, ARGUMENTS, PARAMETER
from ctxcode.codegraph.syntax.typescript.bounds import Bounds, Spans

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.findings import Findings

Captures = dict[str, list["Node"]]

_SIGNS = "?%@"
_ANYTHING = frozenset({"any", "never", "null", "undefined", "unknown", "void"})
_CLAUSES = frozenset({"extends_clause", "extends_type_clause", "implements_clause"})
_HERITAGE = frozenset({"class_heritage", "extends_type_clause"})
_METHODS = frozenset({"abstract_method_signature", "method_definition", "method_signature"})
_FIELDS = frozenset({"property_signature", "public_field_definition"})
_GETTER = re.compile(rb"\bget\s+\Z")
_LONGEST_MODIFIERS = 60
_LONGEST = 300
_MOST_ARGUMENTS = 10


class Generics:
    """The generic types of one file."""

    def __init__(self, captures: Captures, page: Page) -> None:
        self._page = page
        self._hidden = {page.of(name) for name in captures.get("parameter_name", ())}
        self._all = [node for kind in ("class", "interface", "type") for node in captures.get(kind, ())]
        generic = [node for node in self._all if node.child_by_field_name("type_parameters") is not None]
        self._types = sorted(generic, key=lambda node: node.start_byte)
        self._own = [named_parameters(node, page) for node in self._types]
        self._spans = Spans([node.byte_range for node in self._types])
        self._bounds = Bounds(captures, page)

    def bounded(self, at: int, told: str) -> str:
        """Return a type with the type parameter replaced by what that extends where it is said, on a byte."""
        return self._bounds.behind(at, told)

    def typed(self, at: int, written: str, method: "Node | None" = None) -> str:
        """Return the type that is written on a byte, with its arguments: ``?Box<~Cart;Line>`` of ``Box<Cart, Line>[]``.

        For what a ``method`` returns the parameters of its own type are said by their place, ``Box<~<0>>``.
        """
        united = typescript_union(written) if "|" in written else ()
        if united:
            return "|".join(filter(None, dict.fromkeys(self.bounded(at, each) for each in united)))
        known = self.bounded(at, typescript_type(written))
        if "<" not in written or not known or len(written) > _LONGEST or known[0] == "=" or known[-1] == ")":
            return known
        given = typescript_arguments(written)
        if not 0 < len(given) <= _MOST_ARGUMENTS:
            return known
        own = self._around(at) if method is not None and self._hidden else ()
        shadowing = named_parameters(method, self._page) if method is not None and own else ()
        own = ["" if each in shadowing else each for each in own]
        types = [self._argument(each, own) for each in given]
        return f"{known}<{APPLIED}{';'.join(types)}>" if any(types) else known

    def _argument(self, written: str, own: Sequence[str]) -> str:
        """Return what stands in the place of a type parameter: empty for what is nobody's for sure."""
        if written in own:
            return f"<{own.index(written)}>"
        told = typescript_type(written)
        name = told.lstrip(_SIGNS)
        return "" if name in self._hidden or name in _ANYTHING or told[:1] == "=" else told

    def _around(self, at: int) -> Sequence[str]:
        """Return the parameters of the innermost generic type around a byte."""
        place = self._spans.innermost(at)
        return self._own[place] if place >= 0 else ()

    def add_places(self, findings: "Findings") -> None:
        """Bind which of the fields and results of generic types are of their parameters, and what heirs put there."""
        for node, own in zip(self._types, self._own, strict=True):
            body = node.child_by_field_name("body") or node.child_by_field_name("value")
            for member in body.named_children if body is not None else ():
                self._add_place(findings, member, own)
        for node in self._all:
            findings.bindings += self._base_arguments(node)

    def _add_place(self, findings: "Findings", member: "Node", own: Sequence[str]) -> None:
        name, is_method = member.child_by_field_name("name"), member.type in _METHODS
        if name is None or not (is_method or member.type in _FIELDS):
            return
        for field in self._held(member) if is_method else (member,):
            held, place = field.child_by_field_name("pattern") or name, self._place(field, "type", own)
            if place:
                findings.bindings.append((held.start_byte, f"self.{PARAMETER}.{self._page.of(held)}", place))
        shadowing = named_parameters(member, self._page) if is_method else ()
        place = self._place(member, "return_type", [each for each in own if each not in shadowing])
        if place and self._is_getter(name):
            findings.attributes.append((name.start_byte, f"self.{PARAMETER}.{self._page.of(name)}", place))
        elif place:
            findings.parameters.append((name.start_byte, PARAMETER, place))

    def _held(self, method: "Node") -> "Sequence[Node]":
        """Return the parameters of a constructor that are fields as well."""
        listed = method.child_by_field_name("parameters")
        words = {"accessibility_modifier", "override_modifier", "readonly"}
        every = listed.named_children if listed is not None and listed.named_child_count else ()
        return [each for each in every if any(child.type in words for child in each.children)]

    def _place(self, node: "Node", field: str, own: Sequence[str]) -> str:
        """Return which of a type's parameters a type is, ``0``, or holds, ``?0``; else nothing."""
        annotation = node.child_by_field_name(field)
        if annotation is None or annotation.end_byte - annotation.start_byte > _LONGEST:
            return ""
        told = typescript_type(_unpromised(self._page.of(annotation)))
        name = told.lstrip(_SIGNS)
        return f"{told[: len(told) - len(name)]}{own.index(name)}" if name in own else ""

    def _is_getter(self, name: "Node") -> bool:
        start = max(0, name.start_byte - _LONGEST_MODIFIERS)
        return _GETTER.search(self._page.source, start, name.start_byte) is not None

    def _base_arguments(self, node: "Node") -> Iterator[tuple[int, str, str]]:
        """Yield (byte, name, types) for what a type puts in the place of the parameters of what it inherits from."""
        own = named_parameters(node, self._page)
        for base in _bases(node, self._page):
            name, given = dotted_name(base), typescript_arguments(base)
            types = [self._argument(each, own) for each in given[:_MOST_ARGUMENTS]] if name else []
            if any(types):
                yield node.end_byte - 1, f"{ARGUMENTS}{name.rpartition('.')[2]}", ",".join(types)


def named_parameters(node: "Node", page: Page) -> list[str]:
    """Return the names of the type parameters of a type or method."""
    parameters = node.child_by_field_name("type_parameters")
    named = [each.child_by_field_name("name") for each in parameters.named_children] if parameters is not None else []
    return [page.of(name) for name in named if name is not None]


def _unpromised(written: str) -> str:
    text = written.removeprefix(":").strip()
    return text[len("Promise<") : -1] if text.startswith("Promise<") and text.endswith(">") else written


def _bases(node: "Node", page: Page) -> Iterator[str]:
    """Yield what a type inherits from, as written with its arguments."""
    value = node.child_by_field_name("value")
    if value is not None:
        yield from (page.of(value),) if value.type == "generic_type" else ()
        return
    for heritage in node.named_children:
        clauses = heritage.named_children if heritage.type == "class_heritage" else (heritage,)
        for clause in clauses if heritage.type in _HERITAGE else ():
            if clause.type not in _CLAUSES:
                continue
            for base in clause.named_children:
                given = base.next_named_sibling if clause.type == "extends_clause" else None
                if given is not None and given.type == "type_arguments":
                    yield f"{page.of(base)}{page.of(given)}"
                elif base.type == "generic_type":
                    yield page.of(base)
