"""Go's type parameters: in their scope they are the interface that they have to have, or hide a type of their name."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.names.shadows import HIDDEN, Regions
from ctxcode.codegraph.extract.page import Page, first_named
from ctxcode.codegraph.extract.references import Call
from ctxcode.codegraph.extract.type_names import go_type

if TYPE_CHECKING:
    from tree_sitter import Node

_LANGUAGE = frozenset({"any", "comparable"})
_SIGNS = "?%@"
_WORD = re.compile(r"(?<![\w.\"])[^\W\d]\w*")


class Bounds:
    """The type parameters of one file."""

    def __init__(self, captures: dict[str, list["Node"]], page: Page) -> None:
        self._page = page
        scopes: dict[str, list[tuple[int, int, str]]] = {}
        of_types: dict[str, list[tuple[str, str]]] = {}
        for capture in ("type", "function"):
            for node in captures.get(capture, ()):
                rows, name = self._declared(node), node.child_by_field_name("name")
                if rows and name is not None and capture == "type":
                    of_types[page.of(name)] = rows
                for parameter, bound in rows:
                    scopes.setdefault(parameter, []).append((*node.byte_range, bound or f"{parameter}{HIDDEN}"))
        for node in captures.get("method", ()) if of_types else ():
            owner, own = self._received(node)
            for (_, bound), parameter in zip(of_types.get(owner, []), own, strict=False):
                scopes.setdefault(parameter, []).append((*node.byte_range, bound or f"{parameter}{HIDDEN}"))
        self._scopes = {name: Regions(sorted(spans)) for name, spans in scopes.items()}

    def of(self, at: int, written: str) -> str:
        """Return what a type that is written on a byte is, behind its signs: the bound of a parameter, else itself.

        A parameter whose bound has no name has a zero behind its own. What is made of something, ``T()``, is that type.
        """
        name = written.lstrip(_SIGNS) if self._scopes else ""
        signs = written[: len(written) - len(name)]
        name = name.removesuffix("()")
        regions = self._scopes.get(name)
        bound = regions.name(at) if regions is not None else ""
        return f"{signs}{bound}" if bound else written

    def in_calls(self, calls: list[Call]) -> list[Call]:
        """Return calls with what type parameters are in what stands before them, without conversions to these."""
        if not self._scopes:
            return calls
        return [
            (at, name, self._in_words(at, receiver))
            for at, name, receiver in calls
            if receiver or self.of(at, name) == name
        ]

    def _in_words(self, at: int, receiver: str) -> str:
        return _WORD.sub(lambda word: self.of(at, word[0]), receiver)

    def _declared(self, node: "Node") -> list[tuple[str, str]]:
        """Return the type parameters of a function or type, each with its bound."""
        parameters, found = node.child_by_field_name("type_parameters"), list[tuple[str, str]]()
        for each in parameters.named_children if parameters is not None else ():
            of = each.child_by_field_name("type")
            bound = go_type(self._page.of(of)) if of is not None else ""
            bound = "" if bound in _LANGUAGE else bound
            found += [(self._page.of(name), bound) for name in each.children_by_field_name("name")]
        return found

    def _received(self, method: "Node") -> tuple[str, list[str]]:
        """Return (type, the names of its parameters) of what a method belongs to: ``(b *Base[T])``."""
        parameter = first_named(method.child_by_field_name("receiver"))
        of = parameter.child_by_field_name("type") if parameter is not None else None
        name, mark, rest = self._page.of(of).lstrip("*( ").partition("[") if of is not None else ("", "", "")
        return name.strip(), [each.strip() for each in rest.rstrip("]) ").split(",")] if mark else []
