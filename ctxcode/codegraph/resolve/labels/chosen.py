"""Chooses among functions of Swift that share a name."""

from collections.abc import Iterable, Sequence

from ctxcode.codegraph.edges import MOST_CANDIDATES, Tier
from ctxcode.codegraph.extract.arguments import STATIC
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.resolve.labels.matching import FUNCTION, aligned, parameters
from ctxcode.codegraph.resolve.labels.taking import FUNCTIONS, LABELLED, takes
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.swift import MAKER
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Found
from ctxcode.codegraph.resolve.objects.declared import Declarations
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, TYPE_PART

_CALLED_ON = frozenset({Tier.CALLS_QUALIFIED, Tier.CALLS_ON_SELF, Tier.CALLS_ON_TYPE, Tier.CALLS_ON_ATTRIBUTE})
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
        best = self._best(caller, self._on_same(caller, seen, tier), arguments)
        if not best or len(best) > MOST_CANDIDATES:
            return NOTHING
        if len(best) > 1:
            return tuple(best), Tier.CALLS_ONE_OF_TWO + len(best) - 2
        return tuple(best), min(tier, Tier.CALLS_UNIQUE_NAME)

    def _on_same(self, caller: int, nodes: list[int], tier: int) -> list[int]:
        """Return those of some methods that are called on types, or on objects, as the call is; all if none is."""
        if len(nodes) < 2 or tier not in _CALLED_ON:
            return nodes
        on_type = tier == Tier.CALLS_QUALIFIED
        if tier == Tier.CALLS_ON_SELF:
            at = caller
            while self._tables.parents[at] >= 0 and self._tables.kinds[at] != "method":
                at = self._tables.parents[at]
            on_type = self._is_of_type(at)
        return [node for node in nodes if self._is_of_type(node) == on_type] or nodes

    def _is_of_type(self, node: int) -> bool:
        return self._tables.parameters_of(node).startswith(STATIC)

    def _meant(self, target: int, arguments: str) -> Sequence[int]:
        """Return the functions of a name that take some arguments: those of the type before those it inherits."""
        tables = self._tables
        if tables.kinds[target] == TYPE_PART:
            return self._makers(target, arguments)
        if tables.kinds[target] not in FUNCTIONS:
            functions = self._lookup.qualified.functions(LABELLED, self._qualname(target))
            return [target, *self._taking(functions, arguments)]
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
        return self._taking(self._named(parts, MAKER), arguments)

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
        """Return those of the functions that take the arguments best: by types, and of one type the foremost."""
        if len(nodes) < 2:
            return nodes
        fits = [(self._fit(caller, node, arguments), node) for node in nodes]
        most, together = max(fits)[0], dict[str, list[int]]()
        for fit, node in fits:
            if fit == most:
                together.setdefault(self._qualname(self._tables.parents[node]), []).append(node)
        return [node for group in together.values() for node in self._foremost(group)]

    def _foremost(self, nodes: list[int]) -> list[int]:
        """Return those of one type's functions with least left out.

        What a protocol wants of a type stands for what the protocol's extensions do where a type does nothing.
        """
        tables = self._tables
        counts = [len(parameters(tables.parameters_of(node))) for node in nodes]
        least = [node for count, node in zip(counts, nodes, strict=True) if count == min(counts)]
        return [node for node in least if tables.kinds[tables.parents[node]] == "interface"] or least

    def _qualname(self, node: int) -> str:
        file = self._tables.file_of[node]
        return self._tables.facts[file].symbols[node - self._tables.first_node[file]].qualname

    def _fit(self, caller: int, node: int, arguments: str) -> int:
        """Return how well arguments fit a function by their types."""
        if self._tables.kinds[node] not in FUNCTIONS:
            return 0
        pairs = aligned(self._tables.parameters_of(node), arguments) or ()
        fits = [self._fits(caller, node, type_name, shape) for type_name, shape in pairs]
        return sum(fits) if all(fits) else -1

    def _fits(self, caller: int, node: int, wanted: str, shape: str) -> int:
        if shape == FUNCTION:
            return _EXACT if wanted == FUNCTION else 0 if wanted in _CLOSED else _POSSIBLE
        if shape in {"?", "nil"} or not wanted:
            return _POSSIBLE
        if shape[0] == ":":
            return self._of_literal(shape[1:], wanted)
        scope, written = self._written(caller, shape)
        simple = written.rpartition(".")[2]
        if not written or simple == wanted.rpartition(".")[2]:
            return _EXACT if written else _POSSIBLE
        if simple in _CLOSED and wanted in _CLOSED:
            return 0
        own, other = self._lookup.type_in(scope, written), self._lookup.type_in(node, wanted)
        return _NEAR if own >= 0 and other >= 0 and other in self._lookup.mro(own) else _POSSIBLE

    def _written(self, caller: int, expression: str) -> tuple[int, str]:
        """Return where and as what the type of an expression is written; empty for one that is not."""
        made = expression.removesuffix("()")
        if made != expression and made.isidentifier() and is_capitalised(made):
            return caller, made
        scope, written = self._declarations.of(caller, expression) or (caller, "")
        return scope, "" if written[:1] in {"=", "?", "%", "("} or written.endswith(")") else written

    def _of_literal(self, literal: str, wanted: str) -> int:
        if literal == wanted:
            return _EXACT
        taking = _TAKING.get(literal)
        if taking is None or wanted in taking or wanted not in _CLOSED:
            return _POSSIBLE
        return 0
