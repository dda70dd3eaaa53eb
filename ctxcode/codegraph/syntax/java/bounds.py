"""Java's type parameters: in their scope they are what they extend, and no class of their name."""

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.names.shadows import HIDDEN, Bound, Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.syntax.java.elements import looks_like_parameter

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"(?<![.$\w])[^\W\d][\w$]*+(?!\s*+\.(?!\.))")
"""A name that no package or class stands before, and that is none of another's."""
_CAST = re.compile(r"\A\(\((\w++)\)")
_TYPES = frozenset({"class_declaration", "interface_declaration", "record_declaration"})


class Bounds:
    """The type parameters of one file."""

    def __init__(self, parameters: Iterable["Node"], page: Page) -> None:
        scopes: dict[str, list[tuple[int, int, str]]] = {}
        for node in parameters:
            names = [child for child in node.named_children if child.type in {"type_identifier", "identifier"}]
            bounds = [child for child in node.named_children if child.type == "type_bound"]
            owner = node.parent.parent if node.parent is not None else None
            if not names or owner is None:
                continue
            written = bounds[0].named_children[:1] if bounds else []
            bound = dotted_name(page.of(written[0])) if written else _unknown(page.of(names[0]))
            own = owner.child_by_field_name("name")
            if owner.type in _TYPES and own is not None and page.of(own) == bound:
                # ``class Builder<B extends Builder<B>>``: what it gives is of whatever inherits from it.
                bound = "Self"
            if bound:
                scopes.setdefault(page.of(names[0]), []).append((owner.start_byte, owner.end_byte, bound))
        self._scopes = {name: Regions(sorted(spans, key=_outer_first)) for name, spans in scopes.items()}

    def of(self, at: int, written: str) -> str:
        """Return what a type that is written on a byte is, its arguments too: the bound of a parameter, else itself."""
        return _WORD.sub(lambda word: self._bound(at, word[0]), written) if self._scopes else written

    def called(self, calls: list[Bound]) -> list[Bound]:
        """Return calls on what they are made on, a cast to a parameter made one to what that is."""
        return (
            [(at, name, _CAST.sub(partial(self._cast, at), on, 1)) for at, name, on in calls] if self._scopes else calls
        )

    def _cast(self, at: int, cast: re.Match[str]) -> str:
        return f"(({self.of(at, cast[1])})"

    def _bound(self, at: int, name: str) -> str:
        regions = self._scopes.get(name)
        return (regions.name(at) if regions is not None else "") or name


def _unknown(parameter: str) -> str:
    """Return what no class is called, for a parameter that may be; names of one or two capitals none is given."""
    return "" if looks_like_parameter(parameter) else f"{parameter}{HIDDEN}"


def _outer_first(span: tuple[int, int, str]) -> tuple[int, int]:
    return span[0], -span[1]
