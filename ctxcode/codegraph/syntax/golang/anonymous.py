"""Types of Go as they are written, without a name too: structs that the rows of a table are, interfaces."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import go_type
from ctxcode.codegraph.syntax.golang.bounds import Bounds
from ctxcode.codegraph.syntax.golang.generics import generic_type, unsigned

if TYPE_CHECKING:
    from tree_sitter import Node

Bound = tuple[int, str, str]
"""(byte, name, type)."""

_MOST_NESTED = 4
_MOST_FIELDS = 60


class WrittenTypes:
    """The types of one file."""

    def __init__(self, page: Page, bounds: Bounds) -> None:
        self._page, self._bounds = page, bounds
        self._count = 0
        self.fields: list[Bound] = []
        """What structs without a name hold, by names of their own: ``{0}.price``."""

    def of(self, node: "Node", at: int) -> str:
        """Return what a type names, with signs for collections; ``at`` is where the name stands that is of it.

        What has no name is called by its number in the file; of an interface nothing is known.
        """
        return self._of(node, at, 0)

    def _of(self, node: "Node", at: int, depth: int) -> str:
        signs, inner = unsigned(node)
        if inner.type not in {"struct_type", "interface_type"}:
            return self._bounds.of(node.start_byte, generic_type(node, self._page))
        name = f"{{{self._count}}}"
        self._count += 1
        if depth < _MOST_NESTED and inner.type == "struct_type":
            self._add_fields(inner, at, name, depth)
        return f"{signs}{name}"

    def _add_fields(self, struct: "Node", at: int, name: str, depth: int) -> None:
        fields = [field for body in struct.named_children for field in body.named_children]
        for field in fields[:_MOST_FIELDS]:
            of = field.child_by_field_name("type")
            if field.type != "field_declaration" or of is None:
                continue
            names = [self._page.of(one) for one in field.children_by_field_name("name")]
            held = self._of(of, at, depth + 1) if names else go_type(self._page.of(of))
            for one in names or [held.rpartition(".")[2]]:
                if held:
                    self.fields.append((at, f"{name}.{one}", held))


def is_of_named_struct(field: "Node") -> bool:
    """Return whether a field's struct has a name."""
    body = field.parent
    struct = body.parent if body is not None else None
    around = struct.parent if struct is not None else None
    return around is not None and around.type in {"type_spec", "type_alias"}
