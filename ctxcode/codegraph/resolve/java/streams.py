"""What streams of Java, and collections, hold behind what makes other things of each: ``map(Order::owner)``."""

import re
from collections.abc import Callable

from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, Value, makes_by_word
from ctxcode.codegraph.resolve.tables import CLASS_KINDS

_ANSWERING_OUTSIDE = frozenset({"c", "java"})
_MAKING_ONE = frozenset({
    "Select", "compactMap", "map", "mapNotNull", "mapToObj", "thenApply", "thenApplyAsync", "transform",
})  # fmt: skip
_MAKING_MANY = frozenset({"SelectMany", "and_then", "filter_map", "flatMap", "flat_map", "thenCompose"})
_TAKEN = re.compile(r"[/>]\w+")
_GATHERED = frozenset({">toList", ">toSet", ">toUnmodifiableList", ">toUnmodifiableSet"})


class Streams:
    """Answers over one repository."""

    def __init__(
        self,
        lookup: Lookup,
        of: Callable[[int, str], Value | None],
        walk: Callable[[Value | None, list[str], int], Value | None],
    ) -> None:
        self._lookup, self._tables = lookup, lookup.tables
        self._of, self._walk = of, walk

    def mapped(self, value: Value, part: str, scope: int) -> Value | None:
        """Return what stands behind something that holds others and a part of an expression that no collection has.

        That is OUTSIDE where a language says the types of all, None where nothing is known.
        """
        family = self._tables.families[self._tables.file_of[value.node]]
        name, _, given = part.removesuffix(")").partition("(")
        function = given.partition(":")[2]
        if given[:2] in {":/", ":>"}:
            return self._taken(value, name, function)
        if family not in _ANSWERING_OUTSIDE:
            return None
        if family != "java" or value.wraps[0] != "?" or not function or scope < 0:
            return OUTSIDE
        if name == "collect":
            return value if function in _GATHERED else OUTSIDE
        is_one = name in _MAKING_ONE
        element = value._replace(wraps=value.wraps[1:])
        found = self._made(element, function, scope) if is_one or name in _MAKING_MANY else None
        if found is None or found.node < 0:
            return OUTSIDE
        return found._replace(wraps=f"?{found.wraps}") if is_one else found

    def _taken(self, value: Value, name: str, function: str) -> Value | None:
        """Return what holds a part of each of what something holds, ``map(:/cart>next)``; None for nothing known."""
        is_one = name in _MAKING_ONE
        if value.wraps[0] != "?" or not (is_one or name in _MAKING_MANY):
            return None
        parts = [f"{part[1:]}()" if part[0] == ">" else part[1:] for part in _TAKEN.findall(function)]
        found = self._walk(value._replace(wraps=value.wraps[1:]), parts, -1)
        if found is None or found.node < 0 or not found.is_object:
            return None
        return found._replace(wraps=f"?{found.wraps}") if is_one else found if found.wraps else None

    def _made(self, element: Value, function: str, scope: int) -> Value | None:
        """Return what a function makes of an element."""
        if function.startswith(">>"):
            name = function[2:]
            is_made = name.startswith("new") and makes_by_word(self._tables, scope, f"{name}(")
            made = self._lookup.type_in(scope, name[3:]) if is_made else -1
            return self._of(scope, f"{name}(1)") if made < 0 else Value(made, is_object=True)
        if function[0] == ">":
            return self._walk(element, [f"{name}(0)" for name in function[1:].split(">")], scope)
        head, mark, name = function.partition("::")
        owner = self._lookup.type_in(scope, head) if mark else -1
        if owner < 0 or self._tables.kinds[owner] not in CLASS_KINDS:
            return self._of(scope, f"{head}.{name}(1)") if mark else None
        if name == "new":
            return Value(owner, is_object=True)
        member = self._lookup.member(owner, name)
        # What takes nothing is asked of the element.
        count = 0 if member >= 0 and self._tables.takes(member, 0) else 1
        return self._walk(Value(owner, is_object=True), [f"{name}({count})"], scope)
