"""Java's type parameters that say what they extend: in their scope they are that."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"class_declaration", "interface_declaration", "record_declaration"})


class Bounds:
    """The type parameters of one file."""

    def __init__(self, parameters: Iterable["Node"], page: Page) -> None:
        """Take those that have a bound."""
        scopes: dict[str, list[tuple[int, int, str]]] = {}
        for node in parameters:
            names = [child for child in node.named_children if child.type in {"type_identifier", "identifier"}]
            bounds = [child for child in node.named_children if child.type == "type_bound"]
            owner = node.parent.parent if node.parent is not None else None
            if not names or not bounds or owner is None:
                continue
            bound = dotted_name(page.of(bounds[0].named_children[0])) if bounds[0].named_child_count else ""
            own = owner.child_by_field_name("name")
            if owner.type in _TYPES and own is not None and page.of(own) == bound:
                # ``class Builder<B extends Builder<B>>``: what it gives is of whatever inherits from it.
                bound = "Self"
            if bound:
                scopes.setdefault(page.of(names[0]), []).append((owner.start_byte, owner.end_byte, bound))
        self._scopes = {name: Regions(sorted(spans, key=_outer_first)) for name, spans in scopes.items()}

    def of(self, at: int, written: str) -> str:
        """Return what a type that is written on a byte is: the bound of a parameter, else itself."""
        name = written.rstrip("[]") if self._scopes else ""
        regions = self._scopes.get(name)
        bound = regions.name(at) if regions is not None else ""
        return f"{bound}{written[len(name) :]}" if bound else written


def _outer_first(span: tuple[int, int, str]) -> tuple[int, int]:
    return span[0], -span[1]
