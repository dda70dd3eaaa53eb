"""Chooses among functions of Swift that share a name."""

from collections.abc import Iterable, Sequence

from ctxcode.codegraph.edges import MOST_CANDIDATES, Tier
from ctxcode.codegraph.resolve.labels.matching import FUNCTION, aligned, parameters
from ctxcode.codegraph.resolve.labels.taking import FUNCTIONS, LABELLED, takes
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Found
from ctxcode.codegraph.resolve.objects.declared import Declarations
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, TYPE_PART

_MAKER = "init"
_EXACT, _NEAR, _POSSIBLE = 3, 2, 1
"""How well an argument fits a parameter: of the same type, of one that it inherits from, as far as is known."""
_NUMBERS = frozenset({
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
    "CGFloat", "TimeInterval", "NSNumber",
})  # fmt: skip
_CLOSED = _NUMBERS | {"String", "Bool", FUNCTION, "[]", "[:]"}
_TAKING = {
    "Int": _NUMBERS, "Double": frozenset({"Double", "Float", "CGFloat", "TimeInterval", "NSNumber"}),
    "String": frozenset({"String"}), "Bool": frozenset({"Bool"}), "[]": frozenset({"[]"}), "[:]": frozenset({"[:]"}),
}  # fmt: skip
"""Types of the language that a literal can be; types of others can be made of any."""


class Labelled:
    """Chooses by the labels of a call's arguments, then by their types."""

    def __init__(self, lookup: Lookup, values: Values) -> None:
        self._lookup = lookup
        self._values = values
        self._declarations = Declarations(lookup, values)
        self._tables = lookup.tables

    def chosen(self, caller: int, found: Found, arguments: str, *, is_explicit: bool = False) -> Found:
        """Return which functions a call means, given what was found by name: none that does not take its arguments."""
        del is_explicit
        targets, tier = found
        if not targets:
            return found
        file = self._tables.file_of[caller]
        meant = [node for target in targets for node in self._meant(target, arguments)]
        seen = [node for node in dict.fromkeys(meant) if self._lookup.qualified.modules.is_seen(file, node)]
        best = self._best(caller, seen, arguments)
        if not best or len(best) > MOST_CANDIDATES:
            return NOTHING
        if len(best) > 1:
            return tuple(best), Tier.CALLS_ONE_OF_TWO + len(best) - 2
        return tuple(best), min(tier, Tier.CALLS_UNIQUE_NAME)

    def _meant(self, target: int, arguments: str) -> Sequence[int]:
        """Return the functions of a name that take some arguments: those of the type before those it inherits."""
        tables = self._tables
        if tables.kinds[target] == TYPE_PART:
            return self._makers(target, arguments)
        if tables.kinds[target] not in FUNCTIONS:
            file = tables.file_of[target]
            name = tables.facts[file].symbols[target - tables.first_node[file]].qualname
            return [target, *self._taking(self._lookup.qualified.functions(LABELLED, name), arguments)]
        owner, name = tables.parents[target], tables.name_of(target)
        if tables.kinds[owner] not in CLASS_KINDS:
            return self._taking(tables.overloads.get(target, (target,)), arguments)
        order = self._lookup.mro(owner)
        parts = {owner, *self._lookup.qualified.other_parts(owner)}
        own = self._named([link for link in order if link in parts], name)
        taking = self._taking(own, arguments)
        for link in order:
            if taking:
                break
            taking = self._taking(self._named([link], name), arguments) if link not in parts else taking
        return taking

    def _makers(self, part: int, arguments: str) -> Sequence[int]:
        """Return what makes objects of a type that stands elsewhere and is extended here, by a label of its own."""
        if not any(each[:1] not in {":", "^", "("} for each in arguments.split(",")):
            return ()
        parts = [part, *self._lookup.qualified.other_parts(part)]
        return self._taking(self._named(parts, _MAKER), arguments)

    def _named(self, owners: Iterable[int], name: str) -> list[int]:
        tables, found = self._tables, list[int]()
        for owner in owners:
            first = tables.children.get(owner, {}).get(name)
            if first is not None and tables.kinds[first] in FUNCTIONS:
                found += tables.overloads.get(first, (first,))
        return found

    def _taking(self, nodes: Iterable[int], arguments: str) -> list[int]:
        return [node for node in nodes if takes(self._tables, node, arguments)]

    def _best(self, caller: int, nodes: list[int], arguments: str) -> list[int]:
        """Return those of the functions that take the arguments best: by types, then with least left out.

        What a protocol wants of a type stands for what the protocol's extensions do where a type does nothing.
        """
        if len(nodes) < 2:
            return nodes
        tables = self._tables
        fits = [
            (self._fit(caller, node, arguments), -len(parameters(tables.parameters_of(node))), node) for node in nodes
        ]
        most = max(fits)[:2]
        best = [node for *fit, node in fits if tuple(fit) == most]
        return [node for node in best if tables.kinds[tables.parents[node]] == "interface"] or best

    def _fit(self, caller: int, node: int, arguments: str) -> int:
        """Return how well arguments fit a function by their types."""
        if self._tables.kinds[node] not in FUNCTIONS:
            return 0
        pairs = aligned(self._tables.parameters_of(node), arguments) or ()
        fits = [self._fits(caller, node, type_name, shape) for type_name, shape in pairs]
        return sum(fits) if all(fits) else -1

    def _fits(self, caller: int, node: int, wanted: str, shape: str) -> int:
        if shape in {"?", "nil", "->"} or not wanted:
            return 0 if shape == "->" and wanted in _CLOSED and wanted != FUNCTION else _POSSIBLE
        if shape[0] == ":":
            return self._of_literal(shape[1:], wanted)
        found = self._declarations.of(caller, shape)
        if found is None or found[1][0] in "=?%(" or found[1].endswith(")"):
            return _POSSIBLE
        scope, written = found
        simple = written.rpartition(".")[2]
        if simple == wanted.rpartition(".")[2]:
            return _EXACT
        if simple in _CLOSED and wanted in _CLOSED:
            return 0
        own, other = self._lookup.type_in(scope, written), self._lookup.type_in(node, wanted)
        if own < 0 or other < 0:
            return _POSSIBLE
        return _NEAR if other in self._lookup.mro(own) else _POSSIBLE

    def _of_literal(self, literal: str, wanted: str) -> int:
        if literal == wanted:
            return _EXACT
        taking = _TAKING.get(literal)
        if taking is None or wanted in taking or wanted not in _CLOSED:
            return _POSSIBLE
        return 0
