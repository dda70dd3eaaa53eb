"""Namespaces of C++ that are written in several places: which of these one that is named means."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.dependents.linked import is_of_family, is_outside
from ctxcode.codegraph.resolve.dependents.spoken import Changing
from ctxcode.model.naming.folder import is_aside_path

_MOST_PLACES = 2_000
"""Definitions of a namespace's name that are looked at."""
_Place = tuple[int, str, int]
"""(how many names stand in it, its file's path, number among those of the file)."""


class Namespaces:
    """Finds whether a changed file makes another place the one with most names in it."""

    def __init__(self, changing: Changing) -> None:
        """Take the graph of before and what has changed."""
        nodes, self._changed, facts, self._named, self._numbers = changing
        self._paths = nodes.paths
        self._sizes = cache(lambda file: _sizes(facts(file)))

    def are_others_meant(self) -> bool:
        """Return whether a namespace's name may mean another place than before."""
        numbers, changed = self._numbers, self._changed
        before = {path: self._sizes(numbers[path]) if path in numbers else {} for path in changed}
        now = {path: _sizes(facts) if facts is not None else {} for path, facts in changed.items()}
        differing = {
            name
            for path in changed
            for name in {*before[path], *now[path]}
            if before[path].get(name) != now[path].get(name)
        }
        return any(self._is_other_meant(name, before, now) for name in differing)

    def _is_other_meant(
        self, name: str, before: Mapping[str, Mapping[str, list[int]]], now: Mapping[str, Mapping[str, list[int]]]
    ) -> bool:
        files = {file for ending in endings(name) for file, _, kind in self._named(ending) if kind == "namespace"}
        if len(files) > _MOST_PLACES:
            return True
        staying = [
            place
            for file in files
            if self._paths[file] not in before
            for place in _places(self._paths[file], self._sizes(file).get(name, ()))
        ]
        found = []
        for sizes in (before, now):
            places = [place for path in sizes for place in _places(path, sizes[path].get(name, ()))] + staying
            product = [place for place in places if not is_aside_path(place[1])]
            found.append([_largest(places), _largest(product)])
        return found[0] != found[1]


def _largest(places: Sequence[_Place]) -> tuple[str, int] | None:
    """Return where most names stand, of several such places the first."""
    found = min(places, key=lambda place: (-place[0], place[1:]), default=None)
    return None if found is None else found[1:]


def _places(path: str, sizes: Sequence[int]) -> Iterator[_Place]:
    return ((size, path, number) for number, size in enumerate(sizes))


def _sizes(facts: FileFacts) -> dict[str, list[int]]:
    """Return how many names stand in each of a file's namespaces, by qualified name."""
    if not is_of_family(facts):
        return {}
    symbols = facts.symbols
    names: dict[int, set[str]] = {
        position: set() for position, symbol in enumerate(symbols) if symbol.kind == "namespace"
    }
    for symbol in symbols if names else ():
        if symbol.parent in names and symbol.kind != "field" and not is_outside(symbol, symbols):
            names[symbol.parent].add(symbol.name)
    sizes: dict[str, list[int]] = {}
    for position, inside in names.items():
        sizes.setdefault(symbols[position].qualname, []).append(len(inside))
    return sizes


def endings(name: str) -> list[str]:
    """Return a dotted name's last part, the last two, and so on."""
    parts = name.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
