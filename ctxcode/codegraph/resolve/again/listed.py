"""Files that come and go: the numbers of all others, and what one more or less means to them."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from ctxcode.codegraph.facts import SCRIPT, FileFacts, SymbolFact, symbols_alone
from ctxcode.codegraph.outline.known import CALLING, OUTLINES
from ctxcode.codegraph.resolve.again.bound import words_in
from ctxcode.codegraph.resolve.again.told import RUST, WHOLE_MODULE, Told, told_anew
from ctxcode.codegraph.resolve.modules.aliases import is_named_otherwise
from ctxcode.codegraph.resolve.modules.naming import family_of, is_crate_root, module_name_beside
from ctxcode.codegraph.resolve.named.common_names import is_common, is_of_all_files
from ctxcode.codegraph.resolve.relations.tested import name_words
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.naming.folder import is_aside_path, is_test_path

_BY_NAME = frozenset({"bash", "ecmascript", "lua", "python"})
"""Families in which nobody gets to a file without saying the first word of its name."""
_STANDING_FOR_FOLDERS = frozenset({"__init__", "index"})
"""What decides the names of others, or is meant by the name of its folder."""
_WORD = re.compile(r"[\w$]+")


class Listed(NamedTuple):
    """The files now."""

    paths: tuple[str, ...]
    before: tuple[int, ...]
    """The number each had; -1 for one that has come."""
    now: tuple[int, ...]
    """By number of before: the number each has; -1 for one that is gone."""


def numbers_of(wanted: Collection[str], paths: Sequence[str]) -> dict[str, int]:
    """Return the number of each of some paths that are there; ``paths`` are in order."""
    places = {path: bisect_left(paths, path) for path in wanted}
    return {path: at for path, at in places.items() if at < len(paths) and paths[at] == path}


def listed(paths: Sequence[str], changed: Mapping[str, FileFacts | None]) -> Listed:
    """Return what the files are after some have changed, come, or gone, which is what None says.

    ``paths`` are in order.
    """
    there, before = list(paths), list(range(len(paths)))
    for path in sorted(changed):
        at = bisect_left(there, path)
        was_there = at < len(there) and there[at] == path
        if changed[path] is None and was_there:
            del there[at], before[at]
        elif changed[path] is not None and not was_there:
            there.insert(at, path)
            before.insert(at, -1)
    now = [-1] * len(paths)
    for number, then in enumerate(before):
        if then >= 0:
            now[then] = number
    return Listed(tuple(there), tuple(before), tuple(now))


class ToldByFile(NamedTuple):
    """What a file tells others when it comes or goes."""

    names: frozenset[str]
    """What may mean something else then."""
    inside: frozenset[str]
    """What may, too, where another one takes in everything of the file: all else gets to it by the file's name."""


def told_by_file(
    path: str, facts: FileFacts, modules: Mapping[str, str], manifests: Callable[[], Sequence[FileFacts]]
) -> ToldByFile | None:
    """Return what may mean something else when a file comes or goes; None when more hangs on it than names.

    ``modules`` are those of all files, by path, ``manifests`` returns what the manifests among them say. What a file
    defines others reach by the file's name, or by names it defines.
    """
    family, paths = family_of(facts.language), modules.keys()
    if family == RUST:
        return None if _may_begin_program(path, manifests()) else _told_by_rust_file(path, facts, modules)
    if facts.language in CALLING:
        return ToldByFile(called_names(facts), frozenset())
    if facts.language in OUTLINES:
        return None if facts.package or facts.imports else ToldByFile(frozenset(), frozenset())
    stem = stem_of(path)
    words = _WORD.findall(stem)
    if family == "lua" and stem == "init":
        words = _WORD.findall(path.rpartition("/")[0].rpartition("/")[2])
    if family not in _BY_NAME or not words or stem in _STANDING_FOR_FOLDERS:
        return None
    if family == "ecmascript" and (_is_beside_folder(path, paths) or is_named_otherwise(path, manifests())):
        return None
    told = told_anew(of_module_alone(facts), facts, is_found_by_path=True)
    if told is None:
        return None
    names = _found_anywhere(path, facts) | {words[0], *_WORD.findall(stem)[:1]}
    if facts.package == SCRIPT:
        # All others know what it declares.
        names |= told.names
    # It may hide another file of its name, with all that is in that one.
    hidden = {WHOLE_MODULE} if _has_namesake(path, stem, paths) else frozenset()
    return ToldByFile(names, told.names - names | hidden)


def called_names(facts: FileFacts) -> frozenset[str]:
    """Return the names by which others call what a file holds, in languages that are read by patterns, and their words.

    What is asked for a name says it by its words.
    """
    names = {symbol.name for symbol in facts.symbols[1:]}
    return frozenset(names | words_in(" ".join(names)))


def _told_by_rust_file(path: str, facts: FileFacts, modules: Mapping[str, str]) -> ToldByFile | None:
    """Return the same for a file of Rust: nobody gets to a module without saying the last part of its name."""
    module = module_name_beside(path, facts, modules)
    inside = f"{module}."
    words = _WORD.findall(module.rpartition(".")[2])
    rust = [name for other, name in modules.items() if other.endswith(".rs") and other != path]
    if not words or is_crate_root(path) or any(name == module or name.startswith(inside) for name in rust):
        # Modules inside it mean it by ``super``.
        return None
    if any(fact.name == "*" and fact.is_reexport for fact in facts.imports):
        return None
    # What it imports everything of without offering it, nobody sees in it who does not name it.
    facts = facts._replace(imports=tuple([fact for fact in facts.imports if fact.name != "*"]))
    told = told_anew(of_module_alone(facts), facts)
    if told is None:
        return None
    names = _found_anywhere(path, facts) | {words[0]}
    return ToldByFile(names, told.names - names)


def _may_begin_program(path: str, manifests: Sequence[FileFacts]) -> bool:
    """Return whether a manifest of Rust may say that a program begins in a file: ``crate`` is that then, beside it."""
    name = path.rpartition("/")[2]
    rows = (fact for facts in manifests if facts.language == "toml" for fact in facts.imports)
    return any(not fact.alias and fact.module.rpartition("/")[2] == name for fact in rows)


def told_by_names(path: str, facts: FileFacts, *, is_package_known: bool) -> Told | None:
    """Return the same for a file of Ruby or PHP that nobody requires: others know what is in it by its names.

    ``is_package_known`` says that other files are of its package.
    """
    own = words_in(stem_of(path))
    told = told_anew(of_module_alone(facts), facts._replace(imports=())) if own else None
    if told is None:
        return None
    return Told(told.names | own | (set() if is_package_known else words_in(facts.package)), ())


def stem_of(path: str) -> str:
    """Return the last part of a path without what it ends in."""
    return path.rpartition("/")[2].partition(".")[0]


def tests_by_name(path: str, paths: Sequence[str], languages: Sequence[str], language: str) -> set[int]:
    """Return the test files that are called after a file, by number: their names alone say what they test."""
    if is_aside_path(path):
        return set()
    words, family = name_words(path), family_of(language)
    longest = max(words.split(), key=len, default="")
    return {
        number
        for number, other in enumerate(paths)
        # Few names hold the word at all, and splitting them takes longest.
        if (longest in other.lower() or not other.isascii())
        and family_of(languages[number]) == family
        and is_test_path(other)
        and name_words(other) == words
    }


def of_module_alone(facts: FileFacts) -> FileFacts:
    """Return what a file says in which nothing stands."""
    return symbols_alone(facts._replace(symbols=facts.symbols[:1]))


def _found_anywhere(path: str, facts: FileFacts) -> frozenset[str]:
    """Return the names in a file that others may mean who import nothing of it: the product's types, and methods.

    Of shells so are functions, of Rust the macros that a crate exports.
    """
    family, is_aside = family_of(facts.language), is_aside_path(path)
    types = {symbol.name for symbol in facts.symbols if symbol.kind in CLASS_KINDS and not is_aside}
    methods = {
        symbol.name
        for symbol in facts.symbols
        if symbol.kind == "method" and (not is_common(family, symbol.name) or _is_guest(family, symbol, facts))
    }
    functions = {symbol.name for symbol in facts.symbols if is_of_all_files(family, symbol.name)}
    rust = facts.symbols if family == RUST else ()
    macros = {symbol.name for symbol in rust if symbol.kind == "macro" and symbol.visibility != "private"}
    return frozenset(types | methods | functions | macros)


def _is_guest(family: str, method: SymbolFact, facts: FileFacts) -> bool:
    """Whether a method of Rust is one of a type that another file defines: objects have it wherever they are."""
    return family == RUST and facts.symbols[method.parent].kind not in CLASS_KINDS


def _has_namesake(path: str, stem: str, paths: Collection[str]) -> bool:
    """Return whether another file can be meant by a file's name."""
    named, package = f"/{stem}.", f"/{stem}/__init__."
    return any((named in f"/{other}" or package in f"/{other}") and other != path for other in paths)


def _is_beside_folder(path: str, paths: Collection[str]) -> bool:
    """Return whether a folder has the name of a file: ``..`` said inside it can mean the file."""
    folder, _, name = path.rpartition("/")
    prefix, parts = f"{folder}/" if folder else "", name.split(".")
    folders = tuple(f"{prefix}{'.'.join(parts[:cut])}/" for cut in range(1, len(parts)))
    return any(other.startswith(folders) for other in paths)
