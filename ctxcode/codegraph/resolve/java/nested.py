"""Java's classes within classes: what names and expressions mean inside them."""

import re
from collections.abc import Sequence

from ctxcode.codegraph.edges import Tier
from ctxcode.codegraph.extract.expressions import counted_expression
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.resolve.java.file_classes import functions_by_name
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, Value, makes_by_word
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN

EXPLICIT = frozenset({"this", "super"})
"""What a constructor calls another one by."""
_VALUES = frozenset({"constant", "variant"})
"""What can neither be called nor made: it hides nothing that can."""
_NO_MEMBERS: dict[str, int] = {}
_NO_BINDINGS: dict[str, str] = {}
_SHORTEST_TYPE = 2
_MAKES = re.compile(r"new[A-Z]")


class Nested:
    """Look-ups from inside a definition outwards."""

    def __init__(self, lookup: Lookup, values: Values) -> None:
        self._lookup = lookup
        self._values = values
        self._tables = lookup.tables
        self._functions: dict[int, dict[str, list[int]]] = {}
        """Files of Kotlin to their functions by name."""

    def bare(self, caller: int, name: str) -> tuple[tuple[int, ...], int] | None:
        """Return ((node,), tier) of what a call without receiver means in the classes around it; None for nothing.

        The innermost class that has a member of the name, inherited or not, hides all others.
        """
        tables, node = self._tables, caller
        if name in EXPLICIT:
            return self._constructed(caller, name)
        while tables.parents[node] >= 0:
            if tables.kinds[node] in CLASS_KINDS:
                found = self._lookup.member(node, name)
            else:
                found = tables.children.get(node, _NO_MEMBERS).get(name, UNKNOWN)
                if node == caller and found >= 0 and tables.kinds[found] == "method":
                    # It belongs to a class without name inside.
                    found = UNKNOWN
                if found < 0:
                    base = self._base_of_unnamed(node)
                    found = self._lookup.member(base, name) if base is not None and base >= 0 else UNKNOWN
            if found >= 0 and tables.kinds[found] not in _VALUES:
                return (found,), Tier.CALLS_IN_SCOPE if tables.kinds[found] in CLASS_KINDS else Tier.CALLS_ON_SELF
            node = tables.parents[node]
        return None

    def _base_of_unnamed(self, node: int) -> int | None:
        """Return what the class inherits from that a method stands in, if that has no name; None if it has one."""
        file = self._tables.file_of[node]
        bound = self._tables.bindings[file].get(node - self._tables.first_node[file], _NO_BINDINGS).get("super")
        return self._lookup.type_in(self._tables.parents[node], bound) if bound is not None else None

    def _constructed(self, caller: int, name: str) -> tuple[tuple[int, ...], int] | None:
        owner = self._tables.class_of(caller)
        if owner is not None and name == "super":
            owner = self._class_above(owner)
        return None if owner is None or owner < 0 else ((owner,), Tier.CALLS_ON_SELF)

    def _class_above(self, owner: int) -> int:
        """Return the class that another inherits from; EXTERNAL for one from outside."""
        return next((base for base in self._lookup.bases(owner) if self._tables.kinds[base] == "class"), EXTERNAL)

    def written(self, caller: int, receiver: str) -> Value | None:
        """Return what a receiver is whose form tells: ``Outer.this.x``, ``((T) x).y``, a text; None for others."""
        if receiver[-1] == '"' or receiver.endswith(".class") or "getClass()" in receiver:
            return OUTSIDE
        if receiver == "super":
            base = self._base_of_unnamed(caller)
            return None if base is None else Value(base if base >= 0 else EXTERNAL, is_object=True)
        if receiver.startswith("(("):
            return self._cast(caller, receiver)
        head, mark, rest = receiver.partition(".this")
        if not mark:
            head, mark, rest = receiver.partition(".super")
        if mark and rest[:1] in {"", "."} and dotted_name(head):
            return self._typed(caller, head, rest, is_above=mark == ".super")
        return self._given(caller, receiver) if receiver[-1] == ")" or _MAKES.match(receiver) else None

    def of_path(self, file: int, parts: Sequence[str], name: str) -> tuple[int, ...]:
        """Return the functions of a file of Kotlin that a call of the class they belong to can mean."""
        found = self._of_path(file, parts, name)
        if found < 0:
            return ()
        holder = self._tables.file_of[found]
        base, facts = self._tables.first_node[holder], self._tables.facts[holder]
        if holder not in self._functions:
            self._functions[holder] = functions_by_name(facts) if facts.language == "kotlin" else {}
        return tuple([base + each for each in self._functions[holder].get(name, (found - base,))])

    def _of_path(self, file: int, parts: Sequence[str], name: str) -> int:
        tables, owner = self._tables, parts[-1]
        fact, package = tables.imports[file].get(owner), tables.package_of[file]
        if not owner[:1].isupper() or package is None:
            return UNKNOWN
        if len(parts) > 1 or fact is not None:
            outer = parts[:-1] if len(parts) > 1 or fact is None else [fact.module]
            found = self._lookup.targets.java_name(".".join([*outer, owner, name]), file)
            return found if found >= 0 and tables.parents[found] >= 0 else UNKNOWN
        around = [package, *[(package[0], star.module) for star in tables.stars[file]]]
        inside = (tables.named_in(each, f"{owner}.{name}", file) for each in around)
        return next((node for node in inside if node is not None), UNKNOWN)

    def _given(self, caller: int, receiver: str) -> Value | None:
        """Return what a call gives, or an object that is made."""
        expression = counted_expression(receiver)
        if not expression:
            return None
        is_made = _MAKES.match(expression) and makes_by_word(self._tables, caller, expression)
        return self._values.of(caller, expression[3:] if is_made else expression)

    def _cast(self, caller: int, receiver: str) -> Value | None:
        written, mark, _ = receiver[2:].partition(")")
        name, depth, end = dotted_name(written), 0, 0
        for end, character in enumerate(receiver, start=1):  # noqa: B007 - the end is what is looked for
            depth += (character == "(") - (character == ")")
            if not depth:
                break
        return self._typed(caller, name, receiver[end:]) if mark and len(name) > _SHORTEST_TYPE and not depth else None

    def _typed(self, caller: int, name: str, rest: str, *, is_above: bool = False) -> Value | None:
        """Return what ``.a.b()`` means behind an object of a type, or of what a class inherits from."""
        node = self._lookup.type_in(caller, name)
        if is_above and node >= 0 and self._tables.kinds[node] == "class":
            node = self._class_above(node)
        parts = counted_expression(f"x{rest}").split(".")[1:]
        if rest and not parts:
            return None
        return self._values.walk(Value(node, is_object=True), parts) if node >= 0 else OUTSIDE
