"""Type parameters of Java's classes: what is of them, and what heirs put in their place."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import ARGUMENTS
from ctxcode.codegraph.syntax.java.elements import (
    COLLECTIONS,
    applied,
    inside,
    java_collection,
    sign_of,
    type_argument,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_GENERIC = re.compile(r"[\w.]+\s*<(.*)>", re.DOTALL)
_LONGEST = 200
_HIGHEST = 20
"""One more than the nodes around a class that are asked for their parameters."""
_METHODS = frozenset({"constructor_declaration", "method_declaration"})
_NAMES = frozenset({"identifier", "type_identifier"})


class TypeParameters:
    """The type parameters of the classes of one file."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._known: dict[int, list[str]] = {}

    def place(self, member: "Node", written: str) -> str:
        """Return which parameter of the class around a member a type is, ``0``, or holds, ``?0``; else nothing."""
        body = member.parent
        around = body.parent if body is not None else None
        names = self._of(around) if around is not None and len(written) <= _LONGEST else []
        if not names:
            return ""
        written = written.strip()
        outer, mark, held = written.removesuffix(">").partition("<")
        if mark:
            name = outer.strip().rpartition(".")[2]
            sign, written = (sign_of(name), inside(held)[-1].strip()) if name in COLLECTIONS else ("", "")
        else:
            sign, written = ("?", written[:-2].rstrip()) if written.endswith("[]") else ("", written)
        # A method may have one of its own by that name.
        is_of_class = written in names and written not in named_parameters(member, self._page)
        return f"{sign}{names.index(written)}" if is_of_class else ""

    def applied(self, member: "Node", written: str, known: str) -> str:
        """Return a type that a member gives with those of its arguments that are parameters of the class around."""
        body = member.parent
        names = self._of(body.parent) if body is not None and body.parent is not None and "<" in written else []
        found = _GENERIC.fullmatch(written.strip()) if names and len(written) <= _LONGEST else None
        held = [each.strip() for each in inside(found[1])] if found is not None else []
        own = named_parameters(member, self._page) if held else []
        if known.partition("<")[0] in COLLECTIONS or not any(each in names and each not in own for each in held):
            return known
        types = [
            f"<{names.index(each)}>" if each in names and each not in own else type_argument(each) for each in held
        ]
        return applied(known.partition("<")[0], types)

    def arguments(self, around: "Node", base: str) -> Iterator[tuple[str, str]]:
        """Yield (name, types) for what a class puts in the place of the parameters of a base, as that is written."""
        name, mark, held = base.strip().removesuffix(">").partition("<")
        own = dotted_name(name.strip()) if mark and len(base) <= _LONGEST else ""
        if own:
            names = self._of(around)
            outer = [
                each for one in self._page.around(around)[:-_HIGHEST:-1] for each in named_parameters(one, self._page)
            ]
            types = [self._argument(each.strip(), names, outer) for each in inside(held)]
            if any(types):
                yield f"{ARGUMENTS}{own.rpartition('.')[2]}", ",".join(types)

    def _argument(self, written: str, names: list[str], outer: list[str]) -> str:
        if written in names:
            return f"<{names.index(written)}>"
        return type_argument(java_collection(written)) if written not in outer else ""

    def _of(self, around: "Node") -> list[str]:
        """Return the names of a class's own parameters."""
        known = self._known.get(around.start_byte)
        if known is None:
            known = self._known[around.start_byte] = named_parameters(around, self._page)
        return known


def named_parameters(node: "Node", page: Page) -> list[str]:
    """Return the names of the type parameters of a type or method; an empty one for what is not written yet."""
    parameters = node.child_by_field_name("type_parameters")
    if parameters is None and node.type in _METHODS:
        parameters = next((child for child in node.named_children if child.type == "type_parameters"), None)
    if parameters is None:
        return []
    named = [each for each in parameters.named_children if each.type == "type_parameter"]
    return [next((page.of(name) for name in each.named_children if name.type in _NAMES), "") for each in named]
