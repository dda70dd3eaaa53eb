"""Which traits bound Rust's type parameters."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import rust_type
from ctxcode.codegraph.facts import APPLIED
from ctxcode.codegraph.syntax.rust.written_types import OwnTypes

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_HIDING = "⁰"
_TRAITS = frozenset({"type_identifier", "scoped_type_identifier", "generic_type"})
_LONGEST = 600
_DEEPEST = 60


class _Spans:
    """Texts that hold between bytes; the pairs of bytes stand within or beside one another."""

    def __init__(self, rows: list[tuple[int, int, str]]) -> None:
        self._rows = sorted(rows)
        self._starts = [start for start, _, _ in self._rows]
        self._outer: list[int] = []
        """The row around each."""
        for place, (start, _, _) in enumerate(self._rows):
            around = place - 1
            while around >= 0 and self._rows[around][1] <= start:
                around = self._outer[around]
            self._outer.append(around)

    def around(self, at: int) -> Iterator[str]:
        """Yield what holds on a byte, the outermost last."""
        row = bisect_right(self._starts, at) - 1
        for _ in range(_DEEPEST):
            if row < 0:
                break
            _, end, text = self._rows[row]
            if at < end:
                yield text
            row = self._outer[row]


class Generics:
    """The traits that bound type parameters, by where they are in force."""

    def __init__(self, captures: Captures, page: Page, types: OwnTypes) -> None:
        found: dict[str, list[tuple[int, int, str]]] = {}
        given: dict[str, list[tuple[int, int, str]]] = {}
        self._of_types: dict[tuple[str, int], str] = {}
        """A type's own parameters by their places, as its impl blocks bound them."""
        for node in captures.get("bounded", ()):
            name = node.child_by_field_name("name") or node.child_by_field_name("left")
            bounds = node.child_by_field_name("bounds")
            holder = node.parent.parent if node.parent is not None else None
            if name is None or bounds is None or holder is None or name.type != "type_identifier":
                continue
            for each in bounds.named_children:
                if each.type == "function_type":
                    given.setdefault(page.of(name), []).append((*holder.byte_range, page.of(each)))
            functions = [page.of(each) for each in bounds.named_children if each.type == "function_type"]
            bound = types.bound_type(written_bounds(bounds, page))
            if not bound and functions and (given_by := types.value_type(functions[0]))[:1] == "^":
                found.setdefault(page.of(name), []).append((*holder.byte_range, given_by))
            if bound:
                text, (start, end) = page.of(name), holder.byte_range
                found.setdefault(text, []).append((start, end, bound))
                self._add_to_type(holder, text, bound, page)
        self._rows = {name: _Spans(rows) for name, rows in found.items()}
        """What bounds a parameter, by its name."""
        self._functions = {name: _Spans(rows) for name, rows in given.items()}
        own: dict[str, list[tuple[int, int, str]]] = {}
        for node in captures.get("type_parameter", ()):
            name, holder = node.child_by_field_name("name"), node.parent.parent if node.parent is not None else None
            if name is not None and holder is not None and types.may_know(page.of(name)):
                own.setdefault(page.of(name), []).append((*holder.byte_range, f"{page.of(name)}{_HIDING}"))
        self._own = {name: _Spans(rows) for name, rows in own.items()}
        """Parameters that may hide a type of their name, by that."""

    def _add_to_type(self, holder: "Node", name: str, bound: str, page: Page) -> None:
        of = holder.child_by_field_name("type") if holder.type == "impl_item" else None
        of = of.child_by_field_name("type") if of is not None and of.type == "reference_type" else of
        arguments = of.child_by_field_name("type_arguments") if of is not None else None
        if of is None or arguments is None:
            return
        given = [page.of(each) for each in arguments.named_children if each.type != "lifetime"]
        if name in given:
            key = rust_type(page.of(of)).rpartition(".")[2], given.index(name)
            known = self._of_types.get(key)
            if known is None or len(known) < _LONGEST:
                self._of_types[key] = "&".join(dict.fromkeys(f"{known}&{bound}".split("&"))) if known else bound

    def bound(self, at: int, name: str) -> str:
        """Return the traits a name stands for on a byte; the name itself for one that is no bounded parameter.

        A parameter of which nothing is known, but which hides a type of its name, has a zero behind it.
        """
        if not self._rows and not self._own:
            return name
        opened = name.lstrip("?")
        if opened[-1:] == ">":
            return name.removesuffix(opened) + self._applied(at, opened)
        first, dot, rest = opened.partition(".")
        bound = self._bound_at(at, first)
        if bound[:1] == "?":
            # What an iterator gives can be a parameter, too.
            inner = bound.lstrip("?")
            bound = bound.removesuffix(inner) + (self._bound_at(at, inner) or inner)
        if not bound:
            hidden = next(self._own[first].around(at), "") if first in self._own else ""
            return f"{name.removesuffix(opened)}{hidden}{dot}{rest}" if hidden else name
        if dot:
            bound = "&".join([f"{one}.{rest}" for one in bound.split("&")]) if bound[0] != "?" else opened
        return name.removesuffix(opened) + bound

    def _applied(self, at: int, written: str) -> str:
        """Return a generic type without those of its arguments that are parameters on a byte."""
        outer, _, held = written[:-1].partition(f"<{APPLIED}")
        types = [each if not each or self.bound(at, each) == each else "" for each in held.split(";")]
        return f"{outer}<{APPLIED}{';'.join(types)}>" if any(types) else outer

    def function(self, at: int, written: str) -> str:
        """Return the ``Fn(A, B)`` that a type written on a byte stands for; the type itself for another."""
        rows = self._functions.get(written)
        return next(rows.around(at), written) if rows is not None else written

    def _bound_at(self, at: int, name: str) -> str:
        rows = self._rows.get(name)
        return "&".join(dict.fromkeys(rows.around(at))) if rows is not None else ""

    def bound_of_field(self, annotation: "Node", name: str, page: Page) -> str:
        """Return the same for a field's type, which impl blocks bound too."""
        bound = self.bound(annotation.start_byte, name)
        opened = name.lstrip("?")
        if not self._of_types or not opened.isidentifier() or (bound != name and bound[0] == "?" != name[0]):
            return bound
        holder = annotation.parent
        while holder is not None and holder.type not in {"struct_item", "enum_item"}:
            holder = holder.parent
        of = holder.child_by_field_name("name") if holder is not None else None
        parameters = holder.child_by_field_name("type_parameters") if holder is not None else None
        if of is None or parameters is None:
            return bound
        names = [page.of(each.child_by_field_name("name") or each) for each in own_parameters(parameters)]
        known = self._of_types.get((page.of(of), names.index(opened))) if opened in names else None
        if known is None:
            return bound
        own = f"{bound.lstrip('?')}&{known}" if bound != name else known
        return name.removesuffix(opened) + "&".join(dict.fromkeys(own.split("&")))


def own_parameters(parameters: "Node") -> "list[Node]":
    """Return the parameters of a list that are no lifetimes."""
    return [each for each in parameters.named_children if each.type in {"type_parameter", "const_parameter"}]


def written_bounds(bounds: "Node", page: Page) -> list[str]:
    """Return the traits that ``A + B<C>`` names."""
    return [page.of(each) for each in bounds.named_children if each.type in _TRAITS]
