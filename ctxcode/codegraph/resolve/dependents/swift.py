"""What changed files of Swift tell anew: types that are written in several places, and who sees what."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.bound import outward, words_in
from ctxcode.codegraph.resolve.again.listed import of_module_alone
from ctxcode.codegraph.resolve.again.told import MAKING, Told, bound_name, differences, told_anew
from ctxcode.codegraph.resolve.dependents.spoken import Changing
from ctxcode.codegraph.resolve.modules.swift import FAMILY, MAKER, Layout, Module, imported_by, is_manifest
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, TYPE_PART

_MOST_PLACES = 60
"""Places of a type that are looked at; of those that classes inherit from only so many are known."""


class _Place(NamedTuple):
    """One of the places that a type is written in."""

    path: str
    number: int
    """Among those of the name in the file."""
    kind: str
    visibility: str
    members: frozenset[str]
    bases: tuple[str, ...]
    """Those that may be defined here."""

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from others of its name."""
        return self.path, self.number


class SwiftFiles:
    """The changed files of Swift of one refresh."""

    def __init__(self, changing: Changing, mentioning: Callable[[Collection[str]], Collection[int]]) -> None:
        """Take the graph of before, what has changed, and at least the files of Swift that say one of some words."""
        nodes, self._changed, self._facts, self._named, self._numbers = changing
        self._paths = nodes.paths
        self._mentioning = mentioning
        self._places = cache(lambda file: self._places_in(nodes.paths[file], self._facts(file)))

    def are_others_seen(self) -> bool:
        """Return whether a file that has come or gone says which modules there are."""
        changed = self._changed
        return any(is_manifest(path) and (path not in self._numbers or changed[path] is None) for path in changed)

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return what a file tells anew, come or gone too; None when more hangs on it than names tell."""
        one = before or now
        if one is None:
            return Told(frozenset(), ())
        if self._are_modules_seen_otherwise(path, before, now):
            return None
        old, new = (_without_imports(each) if each is not None else of_module_alone(one) for each in (before, now))
        told, differing = told_anew(old, new), differences(old, new)
        if told is None or differing is None:
            return None
        kept = set(told.places)
        names = _said_of(old, {at for at, place in enumerate(told.places) if place < 0})
        names |= _said_of(new, set(range(len(new.symbols))) - kept)
        names.update([bound_name(binding, new) for binding in differing.bindings if binding.scope in kept])
        made = {name for name in names if name.startswith(MAKING)}
        return told._replace(names=frozenset(words_in(" ".join(names - made)) | made))

    def meant_otherwise(self) -> set[str] | None:
        """Return the names by which other places of types may be meant than before; None when names don't tell.

        Of a type that nothing had before, or that nothing has any more, those who say it are known.
        """
        before = {path: self._places(self._numbers[path]) if path in self._numbers else {} for path in self._changed}
        now = {path: self._places_in(path, each) if each is not None else {} for path, each in self._changed.items()}
        names = {name for path in before for name in {*before[path], *now[path]}}
        differing = {name for name in names if any(before[path].get(name) != now[path].get(name) for path in before)}
        found = set[str]()
        for name in sorted(differing):
            was, is_ = ([place for each in state.values() for place in each.get(name, ())] for state in (before, now))
            meant = self._meant_otherwise(name, was, is_)
            if meant is None:
                return None
            found |= meant
        return found

    def _meant_otherwise(self, name: str, was: Sequence[_Place], is_: Sequence[_Place]) -> set[str] | None:
        simple = name.rpartition(".")[2]
        rows = [(file, kind) for file, _, kind in self._named(simple) if kind in CLASS_KINDS]
        unchanged = [(file, kind) for file, kind in rows if self._paths[file] not in self._changed]
        others = [place for file in {file for file, _ in unchanged} for place in self._places(file).get(name, ())]
        if not others and not (was and is_):
            # Who inherits from what is only extended here no edge says.
            are_parts = all(place.kind == TYPE_PART for place in (*was, *is_))
            is_hidden = any(kind == TYPE_PART for _, kind in unchanged) or any(place.bases for place in (*was, *is_))
            return None if are_parts and is_hidden else set()
        if _definitions(was) != _definitions(is_) or _bases(was) != _bases(is_):
            return None
        places = [*others, *was, *is_]
        if len(places) > _MOST_PLACES:
            return None
        if all(
            _is_order_kept(_ranked([*was, *others], of_parts=each), _ranked([*is_, *others], of_parts=each))
            for each in (False, True)
        ):
            return set()
        # Another place stands for all: what it has itself comes first.
        return None if any(place.bases for place in places) else {simple}.union(*[place.members for place in places])

    def _are_modules_seen_otherwise(self, path: str, before: FileFacts | None, now: FileFacts | None) -> bool:
        """Return whether it matters to others what a file imports now, or imported before."""
        said = [imported_by(each) if each is not None else frozenset[str]() for each in (before, now)]
        differing = said[0] ^ said[1]
        if before is not None and now is not None:
            own = {name for binding in outward(now) for name in words_in(binding.type)}
            own |= words_in(" ".join([base.name for base in now.bases]))
            return not differing.isdisjoint(own.union(*[module.names for module in self._modules]))
        own_names = self._layout.module_of(path).names
        loose = {name for module in self._modules if module.package is None for name in module.names - own_names}
        return any(not self._is_imported(name) for name in differing & loose)

    def _is_imported(self, name: str) -> bool:
        """Return whether a file that has not changed imports a module that is called so, and is of another."""
        return any(
            self._paths[file] not in self._changed
            and name in imported_by(self._facts(file))
            and name not in self._layout.module_of(self._paths[file]).names
            for file in self._mentioning((name,))
        )

    @cached_property
    def _layout(self) -> Layout:
        return Layout({path: self._facts(number) for number, path in enumerate(self._paths) if is_manifest(path)})

    @cached_property
    def _modules(self) -> set[Module]:
        paths = {*self._paths, *self._changed}
        return {self._layout.module_of(path) for path in paths if path.endswith(f".{FAMILY}")}

    def _places_in(self, path: str, facts: FileFacts) -> dict[str, list[_Place]]:
        places: dict[str, list[_Place]] = {}
        if facts.language != FAMILY:
            return places
        symbols, members = facts.symbols, dict[int, set[str]]()
        for symbol in symbols:
            if symbol.kind != "field":
                members.setdefault(symbol.parent, set()).add(symbol.name)
        for number, symbol in enumerate(symbols):
            if symbol.kind in CLASS_KINDS:
                there = places.setdefault(symbol.qualname, [])
                bases = [base.name for base in facts.bases if base.symbol == number and self._may_be_here(base.name)]
                inside = frozenset(members.get(number, ()))
                there.append(_Place(path, len(there), symbol.kind, symbol.visibility, inside, tuple(bases)))
        return places

    def _may_be_here(self, base: str) -> bool:
        simple = base.rpartition(".")[2]
        return simple in self._types_now or any(kind in CLASS_KINDS for _, _, kind in self._named(simple))

    @cached_property
    def _types_now(self) -> set[str]:
        now = [each for each in self._changed.values() if each is not None]
        return {symbol.name for each in now for symbol in each.symbols if symbol.kind in CLASS_KINDS}


def _without_imports(facts: FileFacts) -> FileFacts:
    return facts._replace(imports=())


def _said_of(facts: FileFacts, places: Collection[int]) -> set[str]:
    """Return the names by which others mean what has come or gone.

    Nobody gets to what stands in a type without its name, but for methods that are known by theirs alone; to what is
    added to a type by the name of what is added.
    """
    symbols, names = facts.symbols, set[str]()
    for place in places:
        symbol = symbols[place]
        is_closed = any(_is_definition(symbols[at].kind) and at in places for at in _around(facts, place))
        if not is_closed:
            names.add(symbol.name)
        elif symbol.kind == "method" and not is_common(FAMILY, symbol.name):
            names.add(f"{MAKING}{symbol.name}" if symbol.name == MAKER else symbol.name)
    for binding in outward(facts):
        around = (binding.scope, *_around(facts, binding.scope))
        if binding.scope in places and not any(_is_definition(symbols[at].kind) and at in places for at in around):
            names.add(bound_name(binding, facts))
    return names


def _around(facts: FileFacts, place: int) -> Iterator[int]:
    """Yield the symbols around one, the innermost first, without the module."""
    at = facts.symbols[place].parent
    while at > 0:
        yield at
        at = facts.symbols[at].parent


def _is_definition(kind: str) -> bool:
    return kind in CLASS_KINDS and kind != TYPE_PART


def _definitions(places: Collection[_Place]) -> Counter[tuple[str, str, str]]:
    return Counter((place.path, place.kind, place.visibility) for place in places if place.kind != TYPE_PART)


def _bases(places: Collection[_Place]) -> list[str]:
    return sorted(base for place in places for base in place.bases)


def _ranked(places: Collection[_Place], *, of_parts: bool) -> list[tuple[str, int]]:
    """Return definitions, or parts, as they are preferred: those with most members first."""
    kept = [place for place in places if (place.kind == TYPE_PART) == of_parts]
    return [place.key for place in sorted(kept, key=lambda place: (-len(place.members), place.key))]


def _is_order_kept(before: Sequence[tuple[str, int]], now: Sequence[tuple[str, int]]) -> bool:
    """Return whether whoever sees some places that have stayed means the same of them as before."""
    staying = [key for key in before if key in set(now)]
    return before[: len(staying)] == staying == now[: len(staying)]
