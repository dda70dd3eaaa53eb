"""Uses become reference edges: only where a name is bound in its file, is imported or is known by its full name."""

from collections.abc import Iterable, Mapping
from itertools import takewhile

from ctxcode.codegraph.edges import TIERS, FoundEdges, Tier
from ctxcode.codegraph.extract.objects.handed import HANDED
from ctxcode.codegraph.extract.objects.own import OWN
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.facts import FIXTURE, MACRO, READ, SPACE, VALUE
from ctxcode.codegraph.resolve.calls import FileCalls
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.braces import ABOVE, above
from ctxcode.codegraph.resolve.modules.inclusions import CLASSES, known_outside
from ctxcode.codegraph.resolve.modules.scripts import TYPES_ALONE
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT
from ctxcode.codegraph.resolve.named.candidates import Candidates
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.relations.handed import Handed
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.symbol import MEMBER_KINDS

_NAMED_TIERS = (
    Tier.REFERENCES_IN_SCOPE,
    Tier.REFERENCES_IMPORTED,
    Tier.REFERENCES_LINKED,
    Tier.REFERENCES_UNIQUE_NAME,
)
"""By nearness."""
_GUESSED = TIERS[Tier.CALLS_UNIQUE_NAME][2]
"""How sure what a name alone tells is at most."""
_NOTHING = (-1, 0, -1)
_CALLABLE = frozenset({"function", "method"})
_SEVERAL = -9
"""What a name means of which nothing tells which of several methods it is."""
_OF_SPACES = frozenset({"variable", "variant"})
_SPACES = frozenset({"namespace"})
_ELSEWHERE = 3
"""The nearness of what a file neither defines nor takes in."""
_NAMING_ALIKE = frozenset({"tsx", "typescript"})
"""Languages in which types may be called like values, and uses tell which is meant."""
_KNOW_MEMBERS = frozenset({"java", "csharp", "kotlin", "scala", SWIFT, "c", "ruby"})
"""Families in which a class's members, inherited ones too, are known inside of it by their bare names."""
_NAMING_OWN = frozenset({"csharp", "python", "ecmascript", "go"})
"""Families in which methods of the object itself are named without being called: ``self.tick``."""
_SELVES = frozenset({"self", "static", "parent", "Self"})
"""What begins the names of a class's own constants in PHP and Rust."""
_MOST_NAMESAKES = 200
"""Macros of one name that are looked at."""
_IN_CRATE = 2
"""Parts of a path to what stands at the top of a crate."""
_TOP = "Object"
"""What begins the names of Ruby's constants that are looked for at the top: ``::A``."""

Meaning = tuple[int, int, int]
"""(target, tier, the field or variant of it that is named); what is not there is negative."""


class FileUses:
    """The uses of one file."""

    def __init__(self, lookup: Lookup, values: Values, candidates: Candidates, file: int, calls: FileCalls) -> None:
        self._lookup, self._handed = lookup, Handed(lookup, calls, file)
        self._values = values
        self._candidates = candidates
        self._tables = lookup.tables
        self._file = file
        self._first = lookup.tables.first_node[file]
        self._bindings = lookup.tables.bindings[file]
        family = self._family = lookup.tables.families[file]
        self._is_c = family == "c"
        self._tells_types = family in {"c", "go"}
        self._is_rust = family == "rust"
        self._is_ruby = family == "ruby"
        self._tells_values = lookup.tables.facts[file].language in _NAMING_ALIKE
        self._is_scala = lookup.tables.facts[file].language == "scala"
        self._has_selves = family in {"php", "rust"}
        self._names_own = family in _NAMING_OWN or self._is_ruby
        self._knows_members = family in _KNOW_MEMBERS
        self._found: dict[str, Meaning] = {}
        self._values_inside: dict[tuple[int, str], int] | None = None

    def resolve(
        self, uses: Iterable[tuple[int, str, int]], linked: Mapping[tuple[int, int], float], found: FoundEdges
    ) -> None:
        """Add the edges of the file's uses, given as (user, name, line).

        Not for pairs of nodes that are linked by what says more, given with how sure that is: a call that by its name
        alone may lead to one of several says less.
        """

        def add(source: int, target: int, tier: int, line: int) -> None:
            known = linked.get((source, target), 0.0)
            if known <= _GUESSED and known < TIERS[tier][2]:
                found.add(source, target, tier, line)

        for user, written, line in uses:
            if "." in written and self._handed.is_handing_on:
                targets, tier = self._handed.named(user, written)
                for target in targets:
                    add(self._first + user, target, tier, line)
                if written[0] == HANDED:
                    continue
            source, name = self._first + user, _constants(written) if self._is_ruby else written
            if self._tells_values and written[0] == VALUE and "." not in written:
                name = written[1:]
            target, tier, member = self._inside(source, name) or self._target(name)
            target = self._tables.constants_of.get(target, target)
            if target < 0 or (self._is_c and "." not in name and not self._is_known(source, target, member, name)):
                continue
            if (
                self._is_c
                and "." not in name
                and self._lookup.fields.hide(source, member if member >= 0 else target, name)
            ):
                continue
            target = self._as_type(target) if self._tells_values and name == written and "." not in name else target
            if not self._is_around(source, target):
                add(source, target, tier, line)
            if member >= 0 and source != target:
                add(source, member, tier, line)

    def _inside(self, source: int, name: str) -> Meaning | None:
        """Return what a name means by the definitions around a use; None where none of them gives it to anything."""
        tables, (first, *rest), node, is_bound = self._tables, name.split("."), source, False
        if self._has_selves and first in _SELVES:
            owner = tables.class_of(source) if rest else None
            own = self._lookup.member(owner, rest[0]) if owner is not None else -1
            return self._behind(own, rest[1:])
        if self._names_own and first == OWN and rest:
            own = self._of_itself(source, rest[0])
            return (own, Tier.REFERENCES_QUALIFIED, -1) if own >= 0 else _NOTHING
        if first[:1] == READ:
            return self._read(source, name)
        if first == FIXTURE and rest:
            node = self._values.fixtures.asked(source, rest[0])
            tier = Tier.REFERENCES_IN_SCOPE if self._is_here(node) else Tier.REFERENCES_IMPORTED
            return (node, tier, -1) if node >= 0 else _NOTHING
        if first == ABOVE and self._is_rust:
            return self._above(source, rest)
        if first == MACRO and self._is_rust:
            node = self._lookup.dotted(self._file, [first, *rest])
            return (node, Tier.REFERENCES_IMPORTED, -1) if node >= 0 else _NOTHING
        while tables.parents[node] >= 0:
            own = self._own(node, first)
            is_meant = own >= 0 and not self._is_aside(node, own, is_scope=bool(rest), is_bound=is_bound)
            if is_meant or own == _SEVERAL:
                is_hiding = not is_meant or (tables.kinds[node] in CLASS_KINDS and not self._knows_members)
                # What a definition holds, its containment says.
                return _NOTHING if is_hiding or tables.parents[own] == source else self._behind(own, rest)
            # No variable of Rust stands before ``::``.
            may_hide = not (rest and self._is_rust)
            is_bound = is_bound or (may_hide and first in self._bindings.get(node - self._first, ()))
            if is_bound and not self._tells_types:
                return _NOTHING
            node = tables.parents[node]
        owner = tables.class_of(source) if self._knows_members and source in tables.owners else None
        if owner is not None and (own := self._own(owner, first)) >= 0 and tables.kinds[own] not in _CALLABLE:
            return self._behind(own, rest)
        # Where a type can stand, only a type of its own hides one: ``item *item``.
        return _NOTHING if is_bound and not self._is_type_elsewhere(name) else None

    def _as_type(self, target: int) -> int:
        """Return what a name of TypeScript means where a type stands, given what it means as a value."""
        beside = self._tables.types_of.get(target, target)
        return beside if self._tables.kinds[beside] in TYPES_ALONE else target

    def _of_itself(self, source: int, name: str) -> int:
        """Return what an object names of its own; of several methods of C# nothing tells which it hands on."""
        if self._is_ruby:
            return self._lookup.concerns.named_by(source, name)
        owner = self._tables.class_of(source)
        own = self._lookup.member(owner, name) if owner is not None else -1
        is_one = self._family != "csharp" or len(self._tables.overloads.get(own, ())) < 2
        return own if is_one else -1

    def _read(self, source: int, name: str) -> Meaning:
        """Return what is read of an object of which something is known, ``=order.total``."""
        receiver, _, read = name.removeprefix(READ).rpartition(".")
        value, tables = self._values.of(source, receiver), self._tables
        if value is None or value.node < 0 or value.wraps or tables.kinds[value.node] not in CLASS_KINDS:
            return _NOTHING
        node = self._lookup.member(value.node, read)
        return (node, Tier.REFERENCES_QUALIFIED, -1) if node >= 0 and not value.either else _NOTHING

    def _above(self, source: int, rest: list[str]) -> Meaning | None:
        """Return what is meant in the module around the one in braces, ``mod tests { … }``, that a use stands in."""
        module, path = above(self._tables, source, rest)
        if module >= 0:
            return self._behind(module, path)
        return self._target(".".join(path)) if len(path) > 1 else _NOTHING

    def _asked_for(self, own: int) -> int:
        """Return which of the methods of Scala that a name can mean does without brackets: the one that takes nothing.

        One of several that take something may be handed on, and no type tells which.
        """
        methods = self._tables.overloads.get(own, ())
        alone = [node for node in methods if not self._tables.parameters_of(node)]
        return own if not methods else alone[0] if len(alone) == 1 else _SEVERAL

    def _own(self, node: int, name: str) -> int:
        """Return what a definition gives a name to."""
        tables = self._tables
        if self._is_c and tables.kinds[node] == "type":
            # What another name of a type stands for is not said inside of that.
            return -1
        if self._knows_members and tables.kinds[node] in CLASS_KINDS:
            own = self._lookup.member(node, name)
            if self._is_scala:
                return self._asked_for(own)
            return self._class_meant(own, node, name) if self._is_c else own
        own = tables.children.get(node, {}).get(name, -1)
        return self._value_of(node, name) if own < 0 and self._is_c and tables.kinds[node] == "namespace" else own

    def _value_of(self, node: int, name: str) -> int:
        """Return the value of an enum that a namespace of the file knows by a name: it hides those of others."""
        if self._values_inside is None:
            outside = known_outside(self._tables.facts[self._file], _SPACES)
            self._values_inside = {
                (self._first + around, self._tables.name_of(self._first + at)): self._first + at
                for around, at in outside
            }
        return self._values_inside.get((node, name), -1)

    def _class_meant(self, own: int, around: int, name: str) -> int:
        """Return what a member of a class means where nothing is called: for a constructor the class, if that is it."""
        owner = self._tables.class_of(own) if own >= 0 and self._tables.kinds[own] in _CALLABLE else None
        if owner is None or self._tables.name_of(owner) != name:
            return own
        return owner if owner == around else -1

    def _is_type_elsewhere(self, name: str) -> bool:
        target = self._target(name)[0]
        return target >= 0 and self._tables.kinds[target] in CLASS_KINDS and self._tables.file_of[target] != self._file

    def _behind(self, own: int, rest: list[str]) -> Meaning:
        """Return the definition farthest behind one that some names lead to, field by field."""
        if self._is_c and self._is_of_space(own):
            return self._value_in_namespace(own, Tier.REFERENCES_IN_SCOPE)
        chain = [own]
        for part in rest:
            if chain[-1] < 0:
                break
            chain.append(self._lookup.step(chain[-1], part))
        member = -1
        for place in range(len(chain) - 1, -1, -1):
            node = chain[place]
            if node < 0:
                continue
            if self._tables.kinds[node] not in MEMBER_KINDS:
                is_here = place == 0 and self._is_here(node)
                tier = Tier.REFERENCES_IN_SCOPE if is_here else Tier.REFERENCES_QUALIFIED
                return (node, tier, member) if self._may_be_meant(node) else _NOTHING
            member = node
        return (member, Tier.REFERENCES_QUALIFIED, -1) if member >= 0 else _NOTHING

    def _may_be_meant(self, node: int) -> bool:
        """Whether naming a node says anything: that a module is used its import says."""
        kind = self._tables.kinds[node]
        is_space = self._is_c and (kind == "namespace" or (kind == "type" and self._is_space(node)))
        return self._tables.parents[node] >= 0 and not is_space

    def _is_space(self, node: int) -> bool:
        file = self._tables.file_of[node]
        return SPACE in self._tables.bindings[file].get(node - self._tables.first_node[file], ())

    def _is_here(self, node: int) -> bool:
        return self._tables.file_of[node] == self._file

    def _target(self, name: str) -> Meaning:
        known = self._found.get(name)
        if known is None:
            known = self._found[name] = self._find(name.split("."))
        return known

    def _find(self, parts: list[str]) -> Meaning:
        """Return (target, tier) of the longest beginning of a dotted name that means a definition."""
        first, member = int(self._is_ruby and parts[0] == _TOP), -1
        for length in range(len(parts), first, -1):
            node = self._lookup.dotted(self._file, parts[:length])
            if node >= 0 and self._tables.kinds[node] in MEMBER_KINDS:
                # A field or variant that is imported by its own name: its owner is used, too.
                owner = self._tables.parents[node]
                member, node = node, owner if length == 1 and self._may_be_meant(owner) else -1
            if member >= 0 and length == 1 and node < 0:
                # One of an enum without a name.
                return member, _NAMED_TIERS[self._lookup.nearness(self._file, member, parts[first])], -1
            if node < 0 or self._tables.kinds[node] in MEMBER_KINDS:
                continue
            if not self._may_be_meant(node):
                if member >= 0 and self._is_c:
                    return self._value_in_namespace(member, Tier.REFERENCES_QUALIFIED)
                break
            if length > first + 1:
                return node, Tier.REFERENCES_QUALIFIED, member
            nearness = self._lookup.nearness(self._file, node, parts[first])
            if nearness == _ELSEWHERE and self._is_c and parts[0][:1].islower():
                # A short word of another library as likely.
                return _NOTHING
            return node, _NAMED_TIERS[nearness], member
        return self._exported(parts) if self._is_rust else _NOTHING

    def _is_of_space(self, node: int) -> bool:
        """Whether a node is an enum's value that a namespace knows by its own name."""
        kinds, parents = self._tables.kinds, self._tables.parents
        if node < 0 or kinds[node] != "variant":
            return False
        around = parents[node]
        return kinds[parents[around] if kinds[around] == "enum" else around] == "namespace"

    def _value_in_namespace(self, member: int, tier: int) -> Meaning:
        """Return what an enum's value means in a namespace of C++: the enum is used, too, if it has a name."""
        owner = self._tables.parents[member]
        return (owner, tier, member) if self._may_be_meant(owner) else (member, tier, -1)

    def _exported(self, parts: list[str]) -> Meaning:
        """Return what a crate exports as a macro, in whatever module it stands: ``crate::name!``, imported or not."""
        fact = self._tables.imports[self._file].get(parts[0])
        if fact is not None and len(parts) == 1:
            parts = [*fact.module.split("::"), fact.name]
        crate_of, file_of = self._lookup.targets.crate, self._tables.file_of
        crate = crate_of(self._file, parts[0]) if len(parts) == _IN_CRATE else None
        if crate is None:
            return _NOTHING
        named = self._candidates.macros(parts[1])[:_MOST_NAMESAKES]
        found = [node for node in named if crate_of(file_of[node], "crate") == crate]
        return (found[0], Tier.REFERENCES_QUALIFIED, -1) if len({file_of[node] for node in found}) == 1 else _NOTHING

    def _is_around(self, source: int, target: int) -> bool:
        """Whether a definition names itself or what it stands in."""
        tables, node = self._tables, source
        while node >= 0:
            if node == target:
                return True
            node = tables.parents[node]
        return tables.owners.get(source) == target

    def _is_known(self, source: int, target: int, member: int, name: str) -> bool:
        """Whether a bare name of C++ can mean what stands in a class: that class or an heir of it stands around.

        A value of an enum without a name stands in the class itself.
        """
        tables = self._tables
        meant = member if member >= 0 and tables.kinds[target] in CLASSES else target
        owner = tables.parents[meant]
        if tables.kinds[owner] not in CLASS_KINDS:
            return True
        around = tables.classes_around(source)
        return any(each == owner or self._lookup.member(each, name) == meant for each in around)

    def _is_aside(self, node: int, own: int, *, is_scope: bool, is_bound: bool) -> bool:
        """Whether what stands in a definition of C++ hides no name there: a namespace is looked in with all others.

        That is not so for its variables, values of its enums and functions that no other file sees. And a namespace may
        be called as a method is, behind which nothing stands.
        """
        kinds = self._tables.kinds
        if self._is_c and kinds[node] == "namespace":
            return is_bound or not (kinds[own] in _OF_SPACES or self._is_hidden_function(own))
        return self._is_c and is_scope and kinds[own] in _CALLABLE

    def _is_hidden_function(self, node: int) -> bool:
        symbol = self._tables.facts[self._file].symbols[node - self._first]
        return symbol.kind == "function" and symbol.visibility == "private"


def _constants(name: str) -> str:
    """Return a dotted name of Ruby without the method that is called of it: ``Shop.Cart`` of ``Shop::Cart.made``.

    One that a symbol names is named itself.
    """
    first, *rest = name.split(".")
    if first == OWN:
        return name
    return ".".join([first, *takewhile(is_capitalised, rest)])
