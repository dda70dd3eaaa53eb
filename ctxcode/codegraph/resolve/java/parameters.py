"""What heirs of generic classes of Java and Go put in the place of the type parameters of those."""

from collections.abc import Callable

from ctxcode.codegraph.facts import ARGUMENTS, PARAMETER
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import Value

_NO_BINDINGS: dict[str, str] = {}
SIGNS = "?%@"
_DEEPEST = 10


class TypeParameters:
    """Answers over one repository; None where nothing is known."""

    def __init__(self, lookup: Lookup, of_bound: Callable[[int, str], Value | None]) -> None:
        self._lookup, self._tables = lookup, lookup.tables
        self._of_bound = of_bound

    def given(self, method: int, receiver: Value) -> Value | None:
        """Return what a method of a class gives to who calls it on an object of it, or of an heir."""
        place = self._bindings(method).get(PARAMETER)
        return self._in_place(place, self._owner(method), receiver) if place is not None else None

    def kept(self, owner: int, name: str, heir: int) -> Value | None:
        """Return what an object of an heir has under a name of an attribute of a class."""
        place = self._bindings(owner).get(f"self.{PARAMETER}.{name}")
        return self._in_place(place, owner, Value(heir, is_object=True)) if place is not None else None

    def of(self, value: Value, name: str) -> Value | None:
        """Return what an object has under a name whose type arguments are known."""
        for link in self._lookup.mro(value.node):
            said = self._bindings(link)
            if (place := said.get(f"self.{PARAMETER}.{name}")) is not None:
                return self._in_place(place, link, value)
            if f"self.{name}" in said:
                break
        return None

    def applied(self, method: int, found: Value | None, receiver: Value | None) -> Value | None:
        """Return what a method gives, with what its object has for the type parameters of the method's class."""
        if found is None or not found.given:
            return found
        owner, types = self._owner(method), list[tuple[int, str]]()
        for scope, written in found.given:
            is_parameter = written[:1] == "<"
            said = self._written(int(written[1:-1]), owner, receiver) if is_parameter and receiver is not None else None
            types.append(said or (scope, "" if is_parameter else written))
        return found._replace(given=tuple(types))

    def _owner(self, method: int) -> int:
        """Return the class of a method; those of Go stand outside of theirs."""
        return self._tables.owners.get(method, self._tables.parents[method])

    def _in_place(self, place: str, owner: int, receiver: Value) -> Value | None:
        which = place.lstrip(SIGNS)
        said = self._written(int(which), owner, receiver)
        found = self._of_bound(*said) if said is not None else None
        if found is None or found.node < 0:
            return found if owner != receiver.node else None
        return found._replace(wraps=f"{place[: len(place) - len(which)]}{found.wraps}")

    def _written(self, which: int, owner: int, receiver: Value) -> tuple[int, str] | None:
        """Return (where, the type) as written of what stands for a type parameter of a class in an object."""
        for _ in range(_DEEPEST):
            if owner == receiver.node:
                said = receiver.given[which] if which < len(receiver.given) else None
                return said if said is not None and said[1] and said[1][0] != "<" else None
            link = self._said(owner, receiver.node)
            types = link[1].split(",") if link is not None else []
            written = types[which] if which < len(types) else ""
            if link is None or not written:
                return None
            if written[0] != "<":
                return link[0], written
            owner, which = link[0], int(written[1:-1])
        return None

    def _said(self, owner: int, heir: int) -> tuple[int, str] | None:
        """Return (who says it, the types) for what stands in the place of a class's type parameters."""
        for link in self._lookup.mro(heir):
            for name in self._lookup.base_names(link):
                said = self._bindings(link).get(f"{ARGUMENTS}{name.rpartition('.')[2]}")
                if said is not None and self._lookup.base(link, name) == owner:
                    return link, said
        return None

    def _bindings(self, node: int) -> dict[str, str]:
        tables, file = self._tables, self._tables.file_of[node]
        return tables.bindings[file].get(node - tables.first_node[file], _NO_BINDINGS)
