"""Classes and modules of Ruby that are written in several places: which of these one that is named means."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.dependents.spoken import RUBY, Changing
from ctxcode.codegraph.resolve.named.concerns import CLASS_METHODS
from ctxcode.codegraph.resolve.qualified import HOLDERS
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, TYPE_PART
from ctxcode.model.naming.folder import is_aside_path


class _Place(NamedTuple):
    path: str
    number: int
    """Among those of the name in the file."""
    size: int
    """How many names stand in it."""
    is_part: bool
    """It only adds to what is somebody else's."""
    bases: tuple[str, ...]
    """What it inherits from, a module inside of it that has methods for it among that."""


_Places = Mapping[str, Sequence[_Place]]
"""Those of a file, by qualified name."""


class Reopened:
    """Finds whether changed files make another place the one with most names in it, or let a class inherit more."""

    def __init__(self, changing: Changing) -> None:
        """Take the graph of before and what has changed."""
        nodes, changed, facts, named, numbers = changing
        self._nodes, self._changed, self._named, self._numbers = nodes, changed, named, numbers
        self._places = cache(lambda file: _places(nodes.paths[file], facts(file)))

    def are_others_meant(self) -> bool:
        """Return whether a name that is told may mean another place than before, or one that has more to offer.

        Of a name that nothing had before, or that nothing has any more, those who say it are known.
        """
        numbers, changed = self._numbers, self._changed
        before = {path: self._places(numbers[path]) if path in numbers else {} for path in changed}
        now = {path: _places(path, each) if each is not None else {} for path, each in changed.items()}
        names = {name for path in before for name in {*before[path], *now[path]}}
        differing = {name for name in names if any(before[path].get(name) != now[path].get(name) for path in before)}
        return any(self._is_other_meant(name, before, now) for name in sorted(differing))

    def _is_other_meant(self, name: str, before: Mapping[str, _Places], now: Mapping[str, _Places]) -> bool:
        rows = [row for row in self._named(name.rpartition(".")[2]) if row[2] in HOLDERS]
        files = {file for file, _, _ in rows if self._nodes.paths[file] not in before}
        others = [place for file in files for place in self._places(file).get(name, ())]
        was, is_ = ([place for each in state.values() for place in each.get(name, ())] for state in (before, now))
        bases = [sorted(base for place in state for base in place.bases) for state in (was, is_)]
        if (others or (was and is_)) and bases[0] != bases[1]:
            return True
        pairs = zip(_meant([*was, *others]), _meant([*is_, *others]), strict=True)
        return any(one is not None and other is not None and one != other for one, other in pairs)


def _meant(places: Collection[_Place]) -> Iterator[tuple[str, int] | None]:
    """Yield what is meant in tests, then in the product: where most names stand, of several such places the first."""
    for seen in (places, [place for place in places if not is_aside_path(place.path)]):
        own = [place for place in seen if not place.is_part] or seen
        found = min(own, key=lambda place: (-place.size, place.path, place.number), default=None)
        yield None if found is None else (found.path, found.number)


def _places(path: str, facts: FileFacts) -> dict[str, list[_Place]]:
    if facts.language != RUBY:
        return {}
    symbols = facts.symbols
    names: dict[int, set[str]] = {
        number: set()
        for number, symbol in enumerate(symbols)
        if symbol.kind in HOLDERS and (symbol.parent == 0 or symbols[symbol.parent].kind in HOLDERS)
    }
    offering = dict[int, bool]()
    for symbol in symbols:
        if symbol.parent in names and symbol.kind != "field":
            names[symbol.parent].add(symbol.name)
        if symbol.name == CLASS_METHODS:
            offering[symbol.parent] = symbol.kind in CLASS_KINDS
    bases_of = defaultdict[int, list[str]](list)
    for base in facts.bases:
        bases_of[base.symbol].append(base.name)
    places: dict[str, list[_Place]] = {}
    for number, inside in names.items():
        there = places.setdefault(symbols[number].qualname, [])
        bases = (*bases_of[number], *[CLASS_METHODS] * offering.get(number, False))
        there.append(_Place(path, len(there), len(inside), symbols[number].kind == TYPE_PART, bases))
    return places
