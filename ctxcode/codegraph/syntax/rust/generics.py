"""Which traits bound Rust's type parameters."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name, rust_type

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_LANGUAGE_TRAITS = frozenset({
    "AsMut", "AsRef", "Borrow", "BorrowMut", "Clone", "Copy", "Debug", "Default", "Display", "Eq", "Error", "From",
    "FromStr", "Hash", "Into", "Ord", "PartialEq", "PartialOrd", "Send", "Sized", "Sync", "ToOwned", "ToString",
    "Unpin",
})  # fmt: skip
_TRAITS = frozenset({"type_identifier", "scoped_type_identifier", "generic_type"})
_MOST_BOUNDS = 6


class Generics:
    """The traits that bound type parameters, by where they are in force."""

    def __init__(self, captures: Captures, page: Page) -> None:
        self._rows: dict[str, list[tuple[int, int, str]]] = {}
        """(start, end, traits) by the parameter's name."""
        self._of_types: dict[tuple[str, str], str] = {}
        """A type's own parameters, as its impl blocks bound them."""
        self._of_fields: set[str] = set()
        for node in captures.get("bounded", ()):
            name = node.child_by_field_name("name") or node.child_by_field_name("left")
            bounds = node.child_by_field_name("bounds")
            holder = node.parent.parent if node.parent is not None else None
            if name is None or bounds is None or holder is None or name.type != "type_identifier":
                continue
            bound = named_bounds([page.of(each) for each in bounds.named_children if each.type in _TRAITS])
            if bound:
                text, (start, end) = page.of(name), holder.byte_range
                self._rows.setdefault(text, []).append((start, end, bound))
                of = holder.child_by_field_name("type") if holder.type == "impl_item" else None
                if of is not None:
                    key = rust_type(page.of(of)).rpartition(".")[2], text
                    self._of_types[key] = self._of_types[key] + "&" + bound if key in self._of_types else bound
                    self._of_fields.add(text)

    def bound(self, at: int, name: str) -> str:
        """Return the traits a name stands for on a byte; the name itself for one that is no bounded parameter."""
        if not self._rows:
            return name
        rows = self._rows.get(name.lstrip("?"), ())
        found = "&".join(dict.fromkeys(bound for start, end, bound in rows if start <= at < end))
        return "?" * (len(name) - len(name.lstrip("?"))) + found if found else name

    def bound_of_field(self, annotation: "Node", name: str, page: Page) -> str:
        """Return the same for a field's type, which impl blocks bound too."""
        bound = self.bound(annotation.start_byte, name)
        if bound != name or name not in self._of_fields:
            return bound
        holder = annotation.parent
        while holder is not None and holder.type != "struct_item":
            holder = holder.parent
        of = holder.child_by_field_name("name") if holder is not None else None
        return self._of_types.get((page.of(of), name), name) if of is not None else name


def named_bounds(texts: Iterable[str]) -> str:
    """Return the traits among some bounds that are not the language's, with ``&`` between."""
    names = dict.fromkeys(dotted_name(text.strip()) for text in texts)
    return "&".join([name for name in names if name and name not in _LANGUAGE_TRAITS][:_MOST_BOUNDS])
