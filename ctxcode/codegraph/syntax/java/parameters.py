"""Type parameters of Java's classes: what is of them, and what heirs put in their place."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import ARGUMENTS
from ctxcode.codegraph.syntax.java.elements import COLLECTIONS, inside, java_collection, sign_of, type_argument

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 200


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
        return f"{sign}{names.index(written)}" if written in names else ""

    def arguments(self, around: "Node", base: str) -> Iterator[tuple[str, str]]:
        """Yield (name, types) for what a class puts in the place of the parameters of a base, as that is written."""
        name, mark, held = base.strip().removesuffix(">").partition("<")
        own = dotted_name(name.strip()) if mark and len(base) <= _LONGEST else ""
        if own:
            names = self._of(around)
            types = [self._argument(each.strip(), names) for each in inside(held)]
            if any(types):
                yield f"{ARGUMENTS}{own.rpartition('.')[2]}", ",".join(types)

    def _argument(self, written: str, names: list[str]) -> str:
        return f"<{names.index(written)}>" if written in names else type_argument(java_collection(written))

    def _of(self, around: "Node") -> list[str]:
        """Return the names of a class's own parameters."""
        known = self._known.get(around.start_byte)
        if known is None:
            parameters = around.child_by_field_name("type_parameters")
            named = parameters.named_children if parameters is not None else []
            known = [self._page.of(each).split()[0] for each in named if each.type == "type_parameter"]
            self._known[around.start_byte] = known
        return known
