"""What a changed file tells the others anew: the names whose meaning may be another now.

Whatever one file says of another's definitions, it says by name: to call, to import, to annotate. So names are enough
to find who has to be joined again, as long as nobody inherits something else: what is inherited is named nowhere.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from ctxcode.codegraph.facts import (
    ALTERNATIVE,
    CONTRACT,
    FILE_CLASS,
    HELD,
    PARAMETERS,
    RETURNED,
    BindingFact,
    FileFacts,
    ImportFact,
    SymbolFact,
)
from ctxcode.codegraph.outline.known import CALLING
from ctxcode.codegraph.resolve.again.bound import outward, words_in
from ctxcode.codegraph.resolve.dependents.linked import (
    FAMILY,
    declared_anew,
    hangs_on,
    is_known_elsewhere,
    is_outside_oddly,
    words_of,
)
from ctxcode.codegraph.resolve.modules.naming import PACKAGED, family_of
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT
from ctxcode.codegraph.resolve.named.companions import APPLY, applied_in, companions_in
from ctxcode.codegraph.resolve.relations.asserted import without_asserted
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, EXTENDED

_OPEN_KINDS = frozenset({"function", "method", "constant", "variable", "field", "variant", "macro", "section"})
"""What may come and go in all languages: nothing belongs to it that stands elsewhere."""
BASH = "bash"
LUA = "lua"
PHP = "php"
RUBY = "ruby"
RUST = "rust"
WITHOUT_ORPHANS = frozenset({BASH, "python", SWIFT})
"""Families in which nothing stands outside the type it belongs to."""
IMPORTING_ORPHANS = frozenset({"ecmascript"})
"""Families in which what stands outside the type it belongs to stands beside it, or where the type is imported."""
ATTACHED = frozenset({"go", "kotlin", LUA, RUBY, "rust"})
"""Languages in which it is found out anew what in changed and affected files belongs to types elsewhere."""
FREE = WITHOUT_ORPHANS | IMPORTING_ORPHANS | PACKAGED | {"go", LUA, PHP, RUBY, RUST}
"""Families in which types come and go like all else."""
_MAKING_BY_NAME = frozenset({"csharp", "java"})
"""Languages in which what makes objects of a type is a method of the type's name."""
_IMPORTING_BY_NAME = frozenset({"python", "ecmascript", LUA, "rust"})
"""Families in which an import says something of the name it binds only."""
WHOLE_MODULE = ".default"
"""What a module of JavaScript exports as a whole is bound to."""
MAKING = "new "
"""What stands before the name of a type that tells how its objects are made: no name for others to say."""
BOUND, RENAMED, EVERYTHING = "import ", "as ", "*"
"""What stands before the name of something of Python that a file binds as a whole, and of what it binds to another
name, and what says that a file takes in all of another: no names either."""

_KeyT = TypeVar("_KeyT", bound=Hashable)


class Told(NamedTuple):
    """How what a file tells others differs from what it told before."""

    names: frozenset[str]
    """What may mean something else now."""
    places: tuple[int, ...]
    """Where each symbol of before stands now; -1 for what is gone."""
    types: frozenset[str] = frozenset()
    """Those of the names that only one of two gives a type, or a namespace."""
    has_other_includes: bool = False
    inside: frozenset[str] = frozenset()
    """What may, too, where everything of a file that has come or gone is taken in."""
    alone: frozenset[str] = frozenset()
    """Methods of types that came or went: who names none of those can mean them where nothing else is known."""


def told_anew(
    before: FileFacts, now: FileFacts, *, is_found_by_path: bool = False, is_own: bool = False
) -> Told | None:
    """Return what a file tells anew; None when more hangs on it than names tell.

    ``is_found_by_path`` says that whoever says the file's path is looked at anyway, ``is_own`` that it is a source of C
    that nobody includes and that has no namespaces.
    """
    family = family_of(now.language)
    is_c = family == FAMILY
    differing = differences(before, now)
    if differing is None or not (is_c or is_packaged(now) or _are_named(differing.imports, family)):
        return None
    places, imports, bindings = differing
    kept = set(places)
    if is_packaged(now):
        return _told_by_packaged(before, now, differing)
    gone = [symbol for symbol, place in zip(before.symbols, places, strict=True) if place < 0]
    come = [symbol for place, symbol in enumerate(now.symbols) if place not in kept]
    symbols = gone + come
    if is_c:
        are_odd = any(is_outside_oddly(one, before.symbols) for one in gone) or any(
            is_outside_oddly(one, now.symbols) for one in come
        )
        return None if are_odd else _told_by_c(before, now, (symbols, bindings, places), is_own=is_own)
    staying = {binding for binding in bindings if family not in {RUST, SWIFT} or binding.scope in kept}
    if _have_alias(staying, now.symbols) or (family == RUST and _have_other_types(before, now, places)):
        return None
    names = {symbol.name for symbol in symbols if symbol.kind != "section"}
    names.update([fact.alias for fact in imports])
    names.update([bound_name(binding, now) for binding in bindings])
    if family == "ecmascript":
        whole = names & {WHOLE_MODULE, "default"}
        if (whole and not is_found_by_path) or not names.isdisjoint(holders(before) | holders(now)):
            return None
        if _are_made_otherwise(before, now, places):
            return None
        names.discard(WHOLE_MODULE)
    types = frozenset({symbol.name for symbol in symbols if symbol.kind in CLASS_KINDS | {"namespace"}})
    if now.language in CALLING:
        names |= words_in(" ".join(names))
    return Told(frozenset(names - {""}), places, types)


class Differences(NamedTuple):
    """In what two states of a file differ, as far as others can see."""

    places: tuple[int, ...]
    """Where each symbol of before stands now; -1 for what is gone."""
    imports: set[ImportFact]
    bindings: set[BindingFact]
    """With the symbols of now."""


def differences(before: FileFacts, now: FileFacts) -> Differences | None:
    """Return in what two states of a file differ; None when what stays changed its order, its bases or its place."""
    family = family_of(now.language)
    is_c = family == FAMILY
    kinds = _OPEN_KINDS | CLASS_KINDS if is_c or family in FREE else _OPEN_KINDS
    if family in {RUST, RUBY}:
        kinds |= {"namespace"}
    places = _places(before.symbols, now.symbols, kinds, may_stand_outside=is_c or now.language in {*ATTACHED, SWIFT})
    if places is None or (before.language, before.package) != (now.language, now.package):
        return None
    kept = set(places)
    bases = [(places[symbol], name) for symbol, name, _ in without_asserted(before).bases if places[symbol] >= 0]
    if bases != [(symbol, name) for symbol, name, _ in without_asserted(now).bases if symbol in kept]:
        return None
    imports = set[ImportFact]() if is_c else _differing(_without_lines(before.imports), _without_lines(now.imports))
    moved = [binding._replace(scope=places[binding.scope]) for binding in outward(before)]
    bindings = _differing([binding for binding in moved if binding.scope >= 0], list(outward(now)))
    return None if imports is None or bindings is None else Differences(places, imports, bindings)


def _are_made_otherwise(before: FileFacts, now: FileFacts, places: Sequence[int]) -> bool:
    """Return whether a class of JavaScript that stays gives something else to what its constructor is given.

    Who makes objects of one that inherits the constructor names neither.
    """
    kept = set(places)
    gave = {(places[at], binding) for at, binding in _given(before) if places[at] >= 0}
    return gave != {(at, binding) for at, binding in _given(now) if at in kept}


def _given(facts: FileFacts) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield what constructors give to functions that they are given, as (class, (place, type))."""
    for binding in outward(facts):
        symbol = facts.symbols[binding.scope]
        if binding.name.startswith("(") and symbol.name == "constructor":
            yield symbol.parent, (binding.name, binding.type)


def _have_other_types(before: FileFacts, now: FileFacts, places: Sequence[int]) -> bool:
    """Return whether a type of Rust that stays has another name for a type inside: it may point at that."""
    kept = set(places)
    gone = [symbol for symbol, place in zip(before.symbols, places, strict=True) if place < 0]
    stays = [
        *[symbol.kind == "type" and symbol.parent > 0 and places[symbol.parent] >= 0 for symbol in gone],
        *[
            symbol.kind == "type" and symbol.parent in kept - {0}
            for place, symbol in enumerate(now.symbols)
            if place not in kept
        ],
    ]
    return any(stays)


def _told_by_c(
    before: FileFacts,
    now: FileFacts,
    differing: tuple[Sequence[SymbolFact], Collection[BindingFact], tuple[int, ...]],
    *,
    is_own: bool,
) -> Told | None:
    """Return the same for C and C++, given the symbols and bindings that differ and the places of the symbols."""
    symbols, bindings, places = differing
    every = {symbol.name for symbol in symbols} | {bound_name(binding, now) for binding in bindings}
    every = words_of(every | declared_anew(before, now))
    if hangs_on(before, every) or hangs_on(now, every):
        return None
    has_other_includes = _without_lines(before.imports) != _without_lines(now.imports)
    names = every
    if is_own:
        told = [now.symbols[binding.scope] for binding in bindings if binding.name in {ALTERNATIVE, PARAMETERS}]
        names = {symbol.name for symbol in (*symbols, *told) if is_known_elsewhere(symbol)}
    types = {symbol.name for symbol in symbols if symbol.kind in CLASS_KINDS and not is_own}
    return Told(frozenset(words_of(names)), places, frozenset(types), has_other_includes)


def is_packaged(facts: FileFacts) -> bool:
    """Return whether a file's imports matter to nobody else: it belongs to a package of typed definitions."""
    return family_of(facts.language) in PACKAGED


def _told_by_packaged(before: FileFacts, now: FileFacts, differing: Differences) -> Told | None:
    """Return the same for such a file, given what differs.

    Nobody gets to what stands in a type without its name, but for methods that are known by theirs alone, and for those
    that are called like methods of other types.
    """
    places, imports, bindings = differing
    kept = set(places)
    if [places[at] for at in companions_in(before)] != companions_in(now):
        # What they have is asked of the types around or beside them.
        return None
    rows = [
        (old, before.symbols[old.parent], places[old.parent] >= 0)
        for old, at in zip(before.symbols, places, strict=True)
        if at < 0
    ]
    rows += [(new, now.symbols[new.parent], new.parent in kept) for at, new in enumerate(now.symbols) if at not in kept]
    names = {_told_name(symbol, around, now.language) for symbol, around, is_open in rows if is_open}
    gone = {at for at, place in enumerate(places) if place < 0}
    names |= extending(before, gone) | extending(now, set(range(len(now.symbols))).difference(kept))
    inner = [(symbol, around) for symbol, around, is_open in rows if not is_open and around.kind in CLASS_KINDS]
    staying = [binding for binding in bindings if binding.scope in kept]
    own = [binding for binding in outward(now) if binding.scope in kept and _may_mean_other(binding, imports)]
    if _have_alias([*staying, *own], now.symbols):
        return None
    names.update([bound_name(binding, now) for binding in (*staying, *own)])
    if APPLY in names:
        names |= applied_in(before) | applied_in(now)
    return Told(
        frozenset(names - {""}),
        tuple(places),
        frozenset([symbol.name for symbol, _, _ in rows if symbol.kind in CLASS_KINDS]),
        alone=frozenset([symbol.name for symbol, _ in inner if symbol.kind == "method"]),
    )


def extending(facts: FileFacts, symbols: Collection[int]) -> set[str]:
    """Return the names of those of some functions that are called like methods of a type that they stand outside of."""
    return {
        facts.symbols[binding.scope].name
        for binding in facts.bindings
        if binding.name == PARAMETERS and binding.type.startswith(EXTENDED) and binding.scope in symbols
    }


def _may_mean_other(binding: BindingFact, imports: Collection[ImportFact]) -> bool:
    """Return whether what a name is bound to can be another with some imports more or less."""
    return any(fact.name == "*" for fact in imports) or not words_in(binding.type).isdisjoint(
        [fact.alias for fact in imports]
    )


def told_by_php(before: FileFacts, now: FileFacts) -> Told | None:
    """Return the same for a file of PHP that nobody includes: what it imports matters by what it says with it only."""
    told, differing = told_anew(*[each._replace(imports=()) for each in (before, now)]), differences(before, now)
    if told is None or differing is None:
        return None
    own = [binding for binding in outward(now) if _may_mean_other(binding, differing.imports)]
    if _have_alias(own, now.symbols):
        return None
    return told._replace(names=told.names.union([bound_name(binding, now) for binding in own]) - {""})


def said_to_others(now: FileFacts, places: Sequence[int]) -> FileFacts:
    """Return what a file says that was there before, given the places of those symbols.

    What a type that has come to a package binds nobody gets to without the type's name.
    """
    if not is_packaged(now):
        return now
    kept = set(places)
    return now._replace(bindings=tuple([binding for binding in now.bindings if binding.scope in kept]))


def names_bound(facts: FileFacts) -> set[str]:
    """Return the names that a file binds to something for others."""
    return {bound_name(binding, facts) for binding in outward(facts)} - {""}


def tables_again(facts: FileFacts) -> tuple[list[tuple[str, str]], list[str]]:
    """Return what no name of a module of Lua tells.

    The definitions at its top that share their name, as (name, kind), of which the last hides the others, and the table
    that stands for it: the only one that others know.
    """
    top = [symbol for symbol in facts.symbols if symbol.parent == 0]
    counts = Counter([symbol.name for symbol in top])
    known = [symbol.name for symbol in top if symbol.kind == "class" and symbol.visibility == "public"]
    return [(one.name, one.kind) for one in top if counts[one.name] > 1], known if len(known) == 1 else []


def _places(
    before: Sequence[SymbolFact], now: Sequence[SymbolFact], kinds: Collection[str], *, may_stand_outside: bool
) -> tuple[int, ...] | None:
    """Return where the symbols of before stand now; None when others than of some kinds differ, or the order does."""
    old, new = symbol_keys(before), symbol_keys(now)
    at, known = {key: place for place, key in enumerate(new)}, set(old)
    differing = [symbol for symbol, key in zip(before, old, strict=True) if key not in at]
    differing += [symbol for symbol, key in zip(now, new, strict=True) if key not in known]
    if any(symbol.kind not in kinds for symbol in differing):
        return None
    if not may_stand_outside and any(_is_of_type_elsewhere(symbol) for symbol in differing):
        return None
    places = tuple([at.get(key, -1) for key in old])
    staying = [place for place in places if place >= 0]
    around = [now[place].parent for place in staying]
    was_around = [symbol.parent for symbol, place in zip(before, places, strict=True) if place >= 0]
    is_moved = [places[parent] if parent >= 0 else parent for parent in was_around] != around
    return None if is_moved or staying != sorted(staying) else places


def symbol_keys(symbols: Sequence[SymbolFact]) -> list[Hashable]:
    """Return what tells each symbol from the others: all that is said of it, and its number among namesakes."""
    keys, seen = list[Hashable](), dict[Hashable, int]()
    for symbol in symbols:
        key = (symbol.name, symbol.qualname, symbol.kind, symbol.visibility)
        seen[key] = seen.get(key, 0) + 1
        keys.append((*key, seen[key]))
    return keys


def holders(facts: FileFacts) -> set[str]:
    """Return what gets members one by one: the ``F`` of ``F.prototype.m = …``."""
    elsewhere = [symbol.qualname for symbol in facts.symbols if _is_of_type_elsewhere(symbol)]
    return {name.split(".")[-2] for name in elsewhere}


def _is_of_type_elsewhere(symbol: SymbolFact) -> bool:
    return symbol.parent == 0 and "." in symbol.qualname


def _differing(old: Sequence[_KeyT], new: Sequence[_KeyT]) -> set[_KeyT] | None:
    """Return what only one of two lists holds, None when the rest stands in another order, which can count."""
    differing = set(old).symmetric_difference(new)
    same = [each for each in old if each not in differing] == [each for each in new if each not in differing]
    return differing if same else None


def _without_lines(imports: Sequence[ImportFact]) -> list[ImportFact]:
    return [fact._replace(line=0) for fact in imports]


def _are_named(imports: Collection[ImportFact], family: str) -> bool:
    """Return whether imports matter to nobody but who says the names they bind."""
    return not imports or (family in _IMPORTING_BY_NAME and all(fact.name != "*" for fact in imports))


def _have_alias(bindings: Collection[BindingFact], symbols: Sequence[SymbolFact]) -> bool:
    """Return whether a type stands for another one now, or holds others: what has its members names it nowhere.

    Nor does what calls functions of a file of Kotlin name the class of these otherwise.
    """
    return any(
        binding.name.startswith((HELD, FILE_CLASS))
        or (binding.name == RETURNED and symbols[binding.scope].kind == "type")
        for binding in bindings
    )


def _told_name(symbol: SymbolFact, around: SymbolFact, language: str) -> str:
    """Return what a symbol is told by: what makes objects of a type of Java or C# changes nothing else about that."""
    is_named_so = symbol.kind == "method" and around.kind in CLASS_KINDS and symbol.name == around.name
    return f"{MAKING}{symbol.name}" if is_named_so and language in _MAKING_BY_NAME else symbol.name


def bound_name(binding: BindingFact, facts: FileFacts) -> str:
    """Return the name by which others mean what a binding of a file says."""
    symbols = facts.symbols
    if is_packaged(facts) and binding.name.startswith(("(", CONTRACT)):
        symbol = symbols[binding.scope]
        return _told_name(symbol, symbols[symbol.parent], facts.language)
    if binding.name.startswith("(") and not binding.name.startswith(f"{RETURNED}."):
        return symbols[binding.scope].name
    return binding.name if binding.name == WHOLE_MODULE else binding.name.rpartition(".")[2]
