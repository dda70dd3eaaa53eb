"""Which overloads a call means, by the rules of its language."""

from ctxcode.codegraph.extract.arguments import ANY_ARGUMENTS
from ctxcode.codegraph.facts import CONST
from ctxcode.codegraph.resolve.labels.chosen import Labelled
from ctxcode.codegraph.resolve.labels.taking import LABELLED
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.overloads import Overloads, given_shapes
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.orphans import declared_in, namesakes
from ctxcode.codegraph.resolve.tables import CLASS_KINDS

_FUNCTIONS = frozenset({"function", "method"})


class CppOverloads(Overloads):
    """Chooses among functions of C++ of one name in a class, a namespace or a file."""

    def __init__(self, lookup: Lookup, values: Values) -> None:
        super().__init__(lookup, values)
        self._sets: dict[int, list[int]] = {}
        self._written: dict[int, str] = {}
        """What functions are declared to take, where their definition does not say what can be left out."""

    def meant(self, caller: int, node: int, arguments: str) -> tuple[list[int], bool]:
        """Return the functions a call can mean, given the one found by name; that one where nothing tells.

        They may take so many arguments: what can be left out of a call may be said elsewhere.
        """
        if self._tables.kinds[node] not in _FUNCTIONS:
            return [node], True
        nodes = self._sets.get(node)
        if nodes is None:
            nodes = self._sets[node] = self._set(node)
        if len(nodes) < 2:
            return [node], True
        if arguments in {"", ANY_ARGUMENTS}:
            return [*nodes], True
        return self._best(caller, [*nodes], given_shapes(arguments)) or [*nodes], True

    def constructors(self, caller: int, owner: int, arguments: str) -> list[int]:
        """Return the class: what makes an object of it has its name."""
        del caller, arguments
        return [owner]

    def _parameters_of(self, node: int) -> str:
        return self._written.get(node) or super()._parameters_of(node).removeprefix(CONST)

    def _set(self, node: int) -> list[int]:
        """Return the functions that share a function's name where it stands, or where its class does.

        A method that is defined outside of its class is the one that stands in there, too.
        """
        tables, found = self._tables, namesakes(self._tables, node)
        owner = tables.class_of(node)
        if owner is None or tables.kinds[owner] not in CLASS_KINDS or tables.kinds[node] != "method":
            return found
        inside = declared_in(tables, owner, tables.name_of(node))
        by_parameters: dict[str, int] = {}
        for each in sorted({*inside, *found}, key=lambda at: (at in found, at)):
            written = tables.parameters_of(each)
            declared = by_parameters.get(key := written.replace("=", ""))
            if declared is not None and "=" in (said := self._parameters_of(declared)):
                self._written[each] = said
            by_parameters[key] = each
        return sorted(by_parameters.values())


_CHOOSING: dict[str, type[Overloads]] = {"c": CppOverloads}


def chooser(family: str, lookup: Lookup, values: Values) -> Labelled | Overloads:
    """Return what chooses among overloads in a family of languages."""
    return Labelled(lookup, values) if family == LABELLED else _CHOOSING.get(family, Overloads)(lookup, values)
