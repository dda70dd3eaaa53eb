"""What heirs of Java's generic classes put in the place of the type parameters of those."""

from collections.abc import Callable

from ctxcode.codegraph.facts import ARGUMENTS, PARAMETER
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import Value

_NO_BINDINGS: dict[str, str] = {}
_SIGNS = "?%"
_DEEPEST = 10


class TypeParameters:
    """Answers over one repository; None where nothing is known."""

    def __init__(self, lookup: Lookup, of_bound: Callable[[int, str], Value | None]) -> None:
        self._lookup, self._tables = lookup, lookup.tables
        self._of_bound = of_bound

    def given(self, method: int, heir: int) -> Value | None:
        """Return what a method of a class gives to who calls it on an object of an heir."""
        place = self._bindings(method).get(PARAMETER)
        return self._in_place(place, self._tables.parents[method], heir) if place is not None else None

    def kept(self, owner: int, name: str, heir: int) -> Value | None:
        """Return what an object of an heir has under a name of an attribute of a class."""
        place = self._bindings(owner).get(f"self.{PARAMETER}.{name}")
        return self._in_place(place, owner, heir) if place is not None else None

    def _in_place(self, place: str, owner: int, heir: int) -> Value | None:
        which = place.lstrip(_SIGNS)
        for _ in range(_DEEPEST):
            if owner == heir:
                return None
            said = self._said(owner, heir)
            types = said[1].split(",") if said is not None else []
            written = types[int(which)] if int(which) < len(types) else ""
            if said is None or not written:
                return None
            if written[0] != "<":
                found = self._of_bound(said[0], written)
                signs = place[: len(place) - len(place.lstrip(_SIGNS))]
                return found._replace(wraps=f"{signs}{found.wraps}") if found is not None and found.node >= 0 else found
            owner, which = said[0], written[1:-1]
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
