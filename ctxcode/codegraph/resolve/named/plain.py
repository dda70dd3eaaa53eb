"""Calls in languages that are read by patterns: nothing is known of them but names, and what those are asked of."""

from collections.abc import Iterable, Sequence
from functools import cache

from ctxcode.codegraph.edges import MOST_CANDIDATES, FoundEdges, Tier
from ctxcode.codegraph.extract.assemble import TYPE_KINDS
from ctxcode.codegraph.facts import SymbolFact
from ctxcode.codegraph.resolve.named.candidates import Candidates, Place
from ctxcode.codegraph.resolve.named.common_names import common_methods
from ctxcode.codegraph.resolve.tables import Tables
from ctxcode.model.naming.folder import is_test_path

_MOST_ASKED = 60
_SHORTEST = 3
_Meant = tuple[Sequence[Place], int]
"""(what is meant, tier)."""
_NOTHING: _Meant = ((), 0)
_OWN = frozenset({"self", "this", "super", "me", "Me", "Self", "__MODULE__", "$self", "$this", "@"})
_OPENED = frozenset({"ocaml"})
"""Languages in which a file knows the bare names of another only where it opens that."""
_LISTED = ("python", "ecmascript", "ruby", "java")


@cache
def _common() -> frozenset[str]:
    """Names that many languages bring along: alone they say nothing."""
    return frozenset().union(*map(common_methods, _LISTED), ("print", "println", "printf", "length", "size", "head"))


class PlainCalls:
    """The call sites of one file."""

    def __init__(self, tables: Tables, candidates: Candidates, file: int) -> None:
        self._tables = tables
        self._candidates = candidates
        self._file = file
        self._family = tables.families[file]
        self._symbols = tables.facts[file].symbols
        self._is_test = is_test_path(tables.paths[file])

    def resolve(self, calls: Iterable[tuple[int, str, str, int]], graph: FoundEdges) -> None:
        """Add the edges of the file's calls, given as (caller, name, what it is asked of, line)."""
        first = self._tables.first_node
        for caller, name, receiver, line in calls:
            places, tier = self._meant(caller, name, receiver.replace("::", ".").replace("->", "."))
            for file, position in places:
                _ = self._tables.top[file]  # What tests ask of it is known then.
                graph.add(first[self._file] + caller, first[file] + position, tier, line)

    def _meant(self, caller: int, name: str, receiver: str) -> _Meant:
        places = self._candidates.called(self._family, name)
        if not places or len(places) > _MOST_ASKED:
            return _NOTHING
        places = self._with_bodies(places) if self._family == "objc" else places
        here = [position for file, position in places if file == self._file]
        if not receiver or receiver in _OWN:
            near = self._nearest(caller, here)
            if near:
                is_of_own = self._symbols[self._symbols[near[0]].parent].kind in TYPE_KINDS
                return [(self._file, near[0])], Tier.CALLS_ON_SELF if is_of_own else Tier.CALLS_IN_SCOPE
            if receiver or self._family in _OPENED:
                return _NOTHING
            return self._few(name, [each for each in places if self._is_open(each)])
        owned = [each for each in places if self._is_of(each, receiver)]
        if owned:
            exact = [each for each in owned if self._outer(each) == receiver]
            return self._shared(exact or owned, Tier.CALLS_QUALIFIED)
        # What begins with a capital is a module or type of somebody else's.
        last = receiver.rpartition(".")[2].lstrip("$@")
        is_foreign = last[:1].isupper() or last[:1] == ":"
        return _NOTHING if is_foreign else self._few(name, [each for each in places if self._is_method(each)])

    def _with_bodies(self, places: Sequence[Place]) -> Sequence[Place]:
        """Return places without those in headers of what is defined in another one."""
        paths = self._tables.paths
        defined = {self._symbol(place).qualname for place in places if not paths[place[0]].endswith(".h")}
        return [
            place
            for place in places
            if not paths[place[0]].endswith(".h") or self._symbol(place).qualname not in defined
        ]

    def _nearest(self, caller: int, here: Sequence[int]) -> list[int]:
        """Return those of the places in this file that stand nearest around a caller: no member of another type."""
        at = caller
        while at >= 0:
            near = [position for position in here if self._symbols[position].parent == at and position != caller]
            if near:
                return near
            at = self._symbols[at].parent
        return [
            position
            for position in here
            if position != caller and self._symbols[self._symbols[position].parent].kind == "namespace"
        ]

    def _few(self, name: str, places: Sequence[Place]) -> _Meant:
        """Return the only one of some places in other files, or a few: the product's, for tests also those of tests."""
        if len(name) < _SHORTEST or name in _common():
            return _NOTHING
        is_aside = self._tables.is_aside
        product = [each for each in places if not is_aside[each[0]]]
        return self._shared(product or (places if self._is_test else ()), Tier.CALLS_UNIQUE_NAME)

    def _shared(self, places: Sequence[Place], tier: int) -> _Meant:
        # What is defined again in one place, for other arguments, is called by the first; so is what an interface says.
        first = {self._key(place): place for place in reversed(places)}
        places = list(first.values())[::-1]
        if not places or len(places) > MOST_CANDIDATES:
            return _NOTHING
        return places, tier if len(places) == 1 else Tier.CALLS_ONE_OF_TWO + len(places) - 2

    def _key(self, place: Place) -> tuple[str, str]:
        return self._tables.paths[place[0]].removesuffix("i"), self._symbol(place).qualname

    def _symbol(self, place: Place) -> SymbolFact:
        return self._tables.facts[place[0]].symbols[place[1]]

    def _outer(self, place: Place) -> str:
        """Return the qualified name of what something stands in; empty for a file."""
        symbol = self._symbol(place)
        return symbol.qualname[: -len(symbol.name) - 1]

    def _is_open(self, place: Place) -> bool:
        """Whether other files can call something by its bare name."""
        symbol = self._symbol(place)
        around = self._tables.facts[place[0]].symbols[symbol.parent].kind
        return symbol.visibility != "private" and symbol.kind != "method" and around in {"module", "namespace"}

    def _is_method(self, place: Place) -> bool:
        symbol = self._symbol(place)
        return symbol.kind == "method" and symbol.visibility != "private"

    def _is_of(self, place: Place, receiver: str) -> bool:
        """Whether something stands in what goes by a name: a type, a namespace, or a file that is one."""
        outer = self._outer(place)
        if outer:
            return outer == receiver or outer.endswith(f".{receiver}")
        modules = [one.qualname for one in self._tables.facts[place[0]].symbols if one.kind == "namespace"]
        if any(one == receiver or one.endswith(f".{receiver}") for one in modules):
            return True
        stem = self._tables.paths[place[0]].rpartition("/")[2].partition(".")[0]
        return place[0] != self._file and stem == receiver.rpartition(".")[2]
