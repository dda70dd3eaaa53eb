"""Who has to be joined again, given the names whose meaning may be another now."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from ctxcode.codegraph.facts import HELD, FileFacts, call_rows
from ctxcode.codegraph.resolve.again.bound import outward, words_in
from ctxcode.codegraph.resolve.again.said import words_said
from ctxcode.codegraph.resolve.again.told import MAKING, RUST, WHOLE_MODULE, bound_name, is_packaged
from ctxcode.codegraph.resolve.dependents.linked import hangs_on, is_of_family
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT

_MOST_NAMES = 40
MOST_FILES = 60
"""With more names or files to look at, joining all files of a small repository anew is as quick."""
_MOST_MENTIONING = 4
"""So many times more files may say the name of a type of which those are looked for that make objects."""
_OWN = frozenset({"", "self", "super"})
Mentioning = Callable[[Collection[str]], Collection[int]]
"""From names to at least the files that say one of them, by number."""


class Affected(NamedTuple):
    """Which files have to be joined again."""

    files: set[int]
    """By number, the changed ones among them."""
    names: set[str]
    """What may mean something else in them."""


def affected_files(
    names: Collection[str],
    inside: Collection[str],
    changed: Mapping[int, FileFacts | None],
    facts: Callable[[int], FileFacts],
    mentioning: Mentioning,
    most: int = MOST_FILES,
) -> Affected | None:
    """Return the files in which a name may mean something else now, the changed ones among them; None for too many.

    ``changed`` is what those say now, None for one that is gone; ``most`` are so many files. What is ``inside`` of
    files that come or go counts where everything of them is taken in; with the whole of a module in it that are too
    many.

    A file that gives what it names another name, by an import or a binding, passes it on: that name counts too.
    """
    found, known, pending = set(changed), set(names), set(names)
    while pending:
        if WHOLE_MODULE in pending:
            # Who requires a module says nothing but its path.
            return None
        made = {name.removeprefix(MAKING) for name in pending if name.startswith(MAKING)}
        said_names = {name for name in pending if not name.startswith(MAKING)}
        told = [file for file in mentioning(said_names) if file not in changed] if said_names else []
        if len(known) > _MOST_NAMES or len(found.union(told)) > most:
            return None
        saying = {file: said for file in told if not words_said(said := facts(file)).isdisjoint(pending)}
        found.update(saying)
        making = [file for file in mentioning(made) if file not in changed] if made else []
        if len(making) > most * _MOST_MENTIONING:
            return None
        found.update([file for file in making if not _words_of_making(facts(file)).isdisjoint(made)])
        speaking = (*saying.values(), *[each for each in changed.values() if each is not None])
        if any(is_of_family(said) and hangs_on(said, pending) for said in speaking):
            return None
        passed = set[str]().union(*[_passed_on(said, pending) for said in speaking])
        if inside and any(_takes_in_all(said, pending) for said in speaking):
            passed.update(inside)
        pending = passed - known
        known |= pending
    return Affected(found, known)


def _words_of_making(facts: FileFacts) -> set[str]:
    """Return the words by which a file makes objects: ``new A()``, and ``super()`` below ``extends A``.

    Of Swift those by which it may make one of a type that it does not say.
    """
    if facts.language == SWIFT:
        return {name for _, name, receiver, _ in call_rows(facts) if receiver not in _OWN}
    return words_in(" ".join([facts.calls.names, *[base.name for base in facts.bases]]))


def _passed_on(facts: FileFacts, names: Collection[str]) -> set[str]:
    """Return the names a file gives to what it finds by others."""
    passed = {fact.alias for fact in facts.imports if not words_in(f"{fact.module} {fact.name}").isdisjoint(names)}
    is_rust = facts.language == RUST
    if is_rust:
        # What implements a trait has its methods, and what points at a type those of that.
        passed.update([facts.symbols[one].name for one, base, _ in facts.bases if not words_in(base).isdisjoint(names)])
    if is_packaged(facts):
        # What it imports nobody gets to by it.
        names, passed = passed.union(names), set()
    for binding in outward(facts):
        if not words_in(binding.type).isdisjoint(names):
            name = bound_name(binding, facts)
            # Who has what a type holds names neither, nor does who inherits by another name of a type.
            is_alias = facts.language == SWIFT and facts.symbols[binding.scope].kind == "type"
            passed.add(WHOLE_MODULE if is_alias or (binding.name.startswith(HELD) and not is_rust) else name)
            if is_rust and facts.symbols[binding.scope].kind == "type":
                passed.update(facts.symbols[binding.scope].qualname.split(".")[-2:-1])
    return passed - {""}


def _takes_in_all(facts: FileFacts, names: Collection[str]) -> bool:
    """Return whether a file imports everything of what others are called."""
    return any(fact.name == "*" and not words_in(fact.module).isdisjoint(names) for fact in facts.imports)
