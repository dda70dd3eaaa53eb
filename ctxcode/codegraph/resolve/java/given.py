"""What methods of Java give to the lambdas that they are given, and what they give that give what they are given."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ctxcode.codegraph.facts import APPLIED, CONTRACT, PARAMETER, SAME
from ctxcode.codegraph.resolve.java.parameters import SIGNS, TypeParameters
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.counted import is_collection, taking
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, Value, either, makes_by_word
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, TYPE_PART
from ctxcode.codegraph.resolve.targets import UNKNOWN

_NO_BINDINGS: dict[str, str] = {}
_WITH_KEYS = "%"
_RENAMING = frozenset({"c", "rust"})
"""Families in which another name for a type may have type parameters of its own."""
Type = tuple[int, str]
"""(where it is written, a type)."""


def _given(place: str, types: Sequence[Type]) -> Type:
    """Return what stands in the place of a type parameter; no type where there is none."""
    return types[int(place)] if place.isdecimal() and int(place) < len(types) else (0, "")


class _Place(NamedTuple):
    """Where a lambda stands and which of its parameters is asked for: ``(1/2.0)`` is the first of a second argument."""

    argument: int
    """-1 for what is no argument."""
    many: int
    """How many arguments there are."""
    which: int


class Given:
    """Answers over one repository; None where nothing is known."""

    def __init__(
        self,
        lookup: Lookup,
        of: Callable[[int, str], Value | None],
        of_bound: Callable[[int, str], Value | None],
    ) -> None:
        self._lookup = lookup
        self._tables = lookup.tables
        self._of = of
        self._of_bound = of_bound
        self.parameters = TypeParameters(lookup, of_bound)

    def typed(self, scope: int, name: str, written: str, sign: str) -> Value | None:
        """Return an object of a type of the repository with its arguments as they are written; None for another type.

        Of TypeScript's that of a type that has none, where it is but another name.
        """
        own = self._lookup.type_in(scope, name) if name else UNKNOWN
        if self._tables.families[self._tables.file_of[scope]] == "ecmascript":
            if own < 0 or is_collection(self._tables, own):
                return self._of_bound(scope, name)
        elif own < 0 or self._tables.kinds[own] == TYPE_PART:
            return None
        elif self._tables.kinds[own] == "type" and self._tables.families[self._tables.file_of[own]] in _RENAMING:
            return self._by_another_name(scope, name, own, self._types(scope, written, sign))
        return Value(own, is_object=True, given=self._types(scope, written, sign))

    def _by_another_name(self, scope: int, name: str, alias: int, types: tuple[Type, ...]) -> Value | None:
        """Return an object of what another name for types stands for, given the types it is given: ``Ptr<A>``."""
        place = self._bindings(alias).get(PARAMETER)
        if place is None:
            found = self._of_bound(scope, name)
            if found is None or not found.given:
                return found
            each = [_given(each[1][1:-1], types) if each[1][:1] == "<" else each for each in found.given]
            return found._replace(given=tuple(each))
        which = place.lstrip(SIGNS)
        at, written = _given(which, types)
        found = self._of_bound(at, written) if written else OUTSIDE
        if found is None or found.node < 0:
            return found
        return found._replace(wraps=f"{place[: len(place) - len(which)]}{found.wraps}")

    def _types(self, scope: int, written: str, sign: str) -> tuple[Type, ...]:
        """Return what a type's arguments say, ``~A;B``, or ``A`` for what one holds that is called as a collection."""
        if written[:1] == APPLIED:
            return tuple([(scope, each) for each in written[1:].split(";")])
        of_keys = ((scope, ""),) if sign == _WITH_KEYS else ()
        return (*of_keys, (scope, written)) if written else ()

    def held(self, value: Value, part: str) -> Value | None:
        """Return what an object has under a name, if its class has a type parameter's there."""
        return self.parameters.of(value, part) if value.given else None

    def to_lambda(self, scope: int, bound: str) -> Value | None:
        """Return what a parameter is that is bound to ``(1/2.0)a.f``, ``(0/1.0)=Type`` or ``(/.0)Type<A>``."""
        written, _, callee = bound[1:].partition(")")
        where, _, index = written.partition(".")
        argument, _, count = where.partition("/")
        if not argument:
            name, _, arguments = callee.partition("<")
            of_type = self._lookup.type_in(scope, name)
            return self._by_contract(of_type, int(index), scope, arguments[:-1].split(",")) if of_type >= 0 else None
        place = _Place(int(argument), int(count), int(index))
        found = [self._by_method(node, place) for node in self._callees(scope, callee, place.many)]
        return either(value for value in found if value is not None)

    def to_function(self, scope: int, bound: str) -> Value | None:
        """Return what a function, or a class's constructor, gives to a function that it is given: ``(0.1)f``."""
        place, _, written = bound.partition(")")
        if "/" in place:
            return self.to_lambda(scope, bound)
        callee = self._of(scope, written)
        if callee is None or callee.node < 0 or callee.is_object:
            return callee if callee is not None and callee.node < 0 else None
        node = self._lookup.literals.meant(callee.node)
        if self._tables.kinds[node] in CLASS_KINDS:
            node = self._lookup.member(node, "constructor")
        said = self._bindings(node).get(f"{place})") if node >= 0 else None
        return self._of_bound(node, said) if said is not None else None

    def same(self, node: int, given: str, scope: int) -> Value | None:
        """Return what a method gives that gives what it is given first, ``x``, or an object of that class, ``T!``."""
        said = self._bindings(node).get(SAME)
        if said is None or scope < 0 or (said == "%") != (given[-1] == "!"):
            return None
        return self._of_bound(scope, given[:-1]) if given[-1] in "!^" else self._of(scope, given)

    def _callees(self, scope: int, callee: str, count: int) -> list[int]:
        """Return the methods or constructors that a call with so many arguments can mean."""
        tables = self._tables
        if callee[0] == "=":
            owner = self._lookup.type_in(scope, callee[1:])
            makers = tables.constructors.get(owner, ()) if owner >= 0 else ()
            return [node for node in makers if tables.takes(node, count)]
        receiver, _, name = callee.rpartition(".")
        node = self._member(scope, receiver, name)
        return taking(self._lookup, node, count) if node >= 0 and tables.kinds[node] == "method" else []

    def _member(self, scope: int, receiver: str, name: str) -> int:
        if not receiver:
            around = (self._lookup.member(owner, name) for owner in self._tables.classes_around(scope))
            own = next((node for node in around if node >= 0), UNKNOWN)
            return own if own >= 0 else self._lookup.visible(self._tables.file_of[scope], name)
        is_made = makes_by_word(self._tables, scope, receiver)
        value = self._of(scope, receiver.removeprefix("new") if is_made else receiver)
        is_known = value is not None and value.node >= 0 and not value.wraps
        return self._lookup.member(value.node, name) if value is not None and is_known else UNKNOWN

    def _by_method(self, node: int, place: _Place) -> Value | None:
        """Return what a method gives to a function that it is given."""
        said = self._bindings(node)
        direct = said.get(f"({place.argument}.{place.which})")
        if direct is not None:
            return self._of_bound(node, direct)
        types = self._tables.parameters_of(node).split(",")
        of_type = self._lookup.type_in(node, types[min(place.argument, len(types) - 1)].removesuffix("..."))
        if of_type < 0:
            return None
        arguments = list[str]()
        while (argument := said.get(f"({place.argument}.<{len(arguments)}>)")) is not None:
            arguments.append(argument)
        return self._by_contract(of_type, place.which, node, arguments)

    def _by_contract(self, of_type: int, index: int, scope: int, arguments: list[str]) -> Value | None:
        """Return what the only method of an interface takes, given what stands for the interface's own parameters."""
        said = self._bindings(of_type).get(f"{CONTRACT}{index}")
        if said is None:
            return None
        if said[0] != "<":
            return self._of_bound(of_type, said)
        which = int(said[1:-1])
        written = arguments[which] if which < len(arguments) else ""
        return self._of_bound(scope, written) if written not in {"", "?"} else OUTSIDE

    def _bindings(self, node: int) -> dict[str, str]:
        tables = self._tables
        return tables.bindings[tables.file_of[node]].get(node - tables.first_node[tables.file_of[node]], _NO_BINDINGS)
