"""A published graph brought in step with a few changed files, without joining all others again."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.edges import Edges, PackedGraph, pack
from ctxcode.codegraph.facts import BROUGHT, FileFacts
from ctxcode.codegraph.resolve.again.affected import MOST_FILES, Mentioning, affected_files
from ctxcode.codegraph.resolve.again.bound import words_in
from ctxcode.codegraph.resolve.again.following import Following
from ctxcode.codegraph.resolve.again.listed import numbers_of, tests_by_name
from ctxcode.codegraph.resolve.again.moved import moved, moved_edges
from ctxcode.codegraph.resolve.again.said import PYTHON
from ctxcode.codegraph.resolve.again.telling import Named, StoredGraph, ToldByAll, told_by_all, unpacked
from ctxcode.codegraph.resolve.again.told import (
    ATTACHED,
    FREE,
    IMPORTING_ORPHANS,
    RUBY,
    RUST,
    WITHOUT_ORPHANS,
    holders,
    said_to_others,
)
from ctxcode.codegraph.resolve.dependents.linked import FAMILY
from ctxcode.codegraph.resolve.dependents.parts import may_be_too_many
from ctxcode.codegraph.resolve.dependents.scripts import TooManyScriptsError
from ctxcode.codegraph.resolve.modules.naming import family_of
from ctxcode.codegraph.resolve.modules.root_package import dotted_imports, is_package
from ctxcode.codegraph.resolve.partial.joined import JoinedFiles
from ctxcode.codegraph.resolve.relations.asserted import asserted
from ctxcode.codegraph.resolve.tables import CLASS_KINDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_SHARE, _SHARE_OF_C = 4, 100
"""One of so many files is joined again in about half the time that all take; what files of C include, most do."""
_FEW = 25
"""Files that are joined again before somebody who waits notices."""


def update_graph(
    stored: StoredGraph,
    changed: Mapping[str, FileFacts | None],
    facts: Callable[[int], FileFacts],
    named: Named,
    mentioning: Mentioning,
    *,
    is_patient: bool = True,
) -> PackedGraph | None:
    """Return the graph that joining all files anew would give, or None when that is what has to be done.

    Where its ranks are others it is not ranked yet. Who is not patient hears None where many files are looked at, too.

    ``changed`` is what some files say now, by path: others than those of the graph have come, None says that one is
    gone. All else goes by a file's number in the graph: ``facts`` returns what any said when it was made, ``named`` the
    definitions of a name then as (file, position in it, kind) in order, ``mentioning`` at least the files that say one
    of some names. Edges out of files that neither changed nor say a name whose meaning may have changed are as they
    were. Raises ValueError when what was stored makes no sense.
    """
    facts = cache(facts)
    numbers = numbers_of(changed, stored.paths)
    changed = {path: now for path, now in changed.items() if path not in numbers or facts(numbers[path]) != now}
    if not changed:
        return unpacked(stored)
    has_many_parts = may_be_too_many(changed, lambda path: facts(numbers[path]) if path in numbers else None, named)
    told = None if has_many_parts else told_by_all(stored, changed, facts, named, mentioning)
    if told is None or _may_rename_root(changed, stored.paths, facts):
        return None
    languages, families = stored.languages, _families_of(changed, numbers, stored.languages)
    if _may_have_orphans(told.names, families - FREE - {FAMILY}, languages, named):
        return None
    most = _most_files(families, len(languages)) if is_patient else _FEW
    affected = affected_files(
        told.names,
        told.inside,
        _said_now(told, changed, numbers),
        facts,
        lambda names: [file for file in mentioning(names) if family_of(languages[file]) in families],
        most,
    )
    if affected is None or _are_proof(told.names, stored.paths, affected.files, facts):
        return None
    if (importing := _importing_python(stored, told, facts, mentioning, most)) is None:
        return None
    again, saying = affected.files, [*map(facts, affected.files), *[now for now in changed.values() if now is not None]]
    again |= importing | _asserted_of(again, changed, stored, facts, named)
    if any(_adds_to(said, affected.names) or _brings(said, affected.names) for said in saying):
        return None
    unchanged = again.difference([numbers[path] for path in changed if path in numbers])
    if any(_may_hold_orphans(languages[file]) and holders(facts(file)) for file in unchanged):
        return None
    again |= _leading_to(stored, told.standing)
    for path, now in changed.items():
        if now is None or path not in numbers:
            language = languages[numbers[path]] if now is None else now.language
            again |= tests_by_name(path, stored.paths, languages, language)
    try:
        return _replaced(stored, told, again, facts, named, mentioning)
    except TooManyScriptsError:
        return None


def _families_of(
    changed: Mapping[str, FileFacts | None], numbers: Mapping[str, int], languages: Sequence[str]
) -> set[str]:
    """Return the families that changed files are of, or were."""
    now = {family_of(each.language) for each in changed.values() if each is not None}
    return now | {family_of(languages[numbers[path]]) for path in changed if path in numbers}


def _most_files(families: Collection[str], files: int) -> int:
    return max(MOST_FILES, files // (_SHARE_OF_C if families == {FAMILY} else _SHARE))


def _importing_python(
    stored: StoredGraph, told: ToldByAll, facts: Callable[[int], FileFacts], mentioning: Mentioning, most: int
) -> set[int] | None:
    """Return the files of Python that get at what others tell anew; None for too many."""
    own = told.python.all_told.own
    if not own:
        return set()
    languages, now = stored.languages, told.files.now
    changed = {file: told.changed.get(now[file]) for file, path in enumerate(stored.paths) if path in own}
    following = Following(
        stored.paths,
        facts,
        changed,
        lambda names: [file for file in mentioning(names) if languages[file] == PYTHON],
        told.python,
        most,
    )
    return following.files()


def _asserted_of(
    again: Collection[int],
    changed: Mapping[str, FileFacts | None],
    stored: StoredGraph,
    facts: Callable[[int], FileFacts],
    named: Named,
) -> set[int]:
    """Return the files of types of Rust of which some files say what they implement, or said it before."""
    files = [facts(file) for file in again if stored.languages[file] == RUST]
    said = [*files, *[now for now in changed.values() if now is not None and now.language == RUST]]
    names = {name.rpartition(".")[2] for each in said for name, _ in asserted(each)}
    found = {file for name in names for file, _, kind in named(name) if kind in CLASS_KINDS}
    return {file for file in found if stored.languages[file] == RUST}


def _said_now(
    told: ToldByAll, changed: Mapping[str, FileFacts | None], numbers: Mapping[str, int]
) -> dict[int, FileFacts | None]:
    """Return what files say to others of which is known that they are joined again, None for one that is gone."""
    said: dict[int, FileFacts | None] = dict(told.seeing)
    for path, now in changed.items():
        if path in numbers:
            said[numbers[path]] = said_to_others(now, told.places[numbers[path]]) if now is not None else None
    return said


def _may_hold_orphans(language: str) -> bool:
    """Return whether what stands outside a type may belong to it that is not looked for anew."""
    is_looked_for = language in ATTACHED or family_of(language) in IMPORTING_ORPHANS | {FAMILY, RUBY}
    return not is_looked_for and family_of(language) in FREE - WITHOUT_ORPHANS


def _adds_to(facts: FileFacts, names: set[str]) -> bool:
    """Return whether a file of JavaScript adds something to what goes by one of some names: ``F.prototype.m = …``."""
    return family_of(facts.language) in IMPORTING_ORPHANS and not names.isdisjoint(holders(facts))


def _brings(facts: FileFacts, names: set[str]) -> bool:
    """Return whether a module of Ruby gives its includers something that goes by one of some names: no edge says it."""
    brought = [base.name.removeprefix(BROUGHT) for base in facts.bases if base.name.startswith(BROUGHT)]
    return bool(brought) and not words_in(" ".join(brought)).isdisjoint(names)


def _may_have_orphans(
    names: Collection[str], families: Collection[str], languages: Sequence[str], named: Named
) -> bool:
    """Return whether some names are types', to which belongs by the name what stands outside of them."""
    return any(
        kind in CLASS_KINDS and family_of(languages[file]) in families
        for name in names
        for file, _, kind in named(name)
    )


def _may_rename_root(
    changed: Mapping[str, FileFacts | None], paths: Sequence[str], facts: Callable[[int], FileFacts]
) -> bool:
    """Return whether files that import something else now, come or go can give a root that is a package its name."""
    if not is_package(paths):
        return False
    numbers = numbers_of(changed, paths)
    pairs = [(facts(numbers[path]) if path in numbers else None, now) for path, now in changed.items()]
    return any(
        dotted_imports(before) != dotted_imports(now)
        if before is not None and now is not None
        else any(each is not None and each.language == "python" for each in (before, now))
        for before, now in pairs
    )


def _are_proof(
    names: Collection[str], paths: Collection[str], files: Collection[int], facts: Callable[[int], FileFacts]
) -> bool:
    """Return whether some files import one of some names, by which a root that is a package may have its own."""
    return is_package(paths) and any(name in names for file in files for _, name in dotted_imports(facts(file)))


def _replaced(
    stored: StoredGraph,
    told: ToldByAll,
    affected: Collection[int],
    facts: Callable[[int], FileFacts],
    named: Named,
    mentioning: Mentioning,
) -> PackedGraph | None:
    """Return a graph in which what leads out of some files was joined again."""
    graph, files, changed = unpacked(stored), told.files, told.changed
    before, edges = graph.nodes(), graph.edges()
    move = moved(before, files, changed, told.places)
    if move.is_owner_gone:
        return None
    joined = JoinedFiles(files, changed, stored.languages, facts, named, mentioning)
    again = {files.now[file] for file in affected}.union(changed) - {-1}
    nodes = joined.attached(replace(move.nodes, spoken=told.spoken), again, told.places)
    if nodes is None:
        return None
    move = move._replace(nodes=nodes)
    found = joined.edges(nodes, graph, again)
    followed = [file for file in again if joined.languages[file] == PYTHON] if told.python.all_told.own else ()
    updated = moved_edges((edges, found), affected, before, move, followed)
    if updated is None:
        return None
    if nodes == before and _are_alike(edges, updated):
        return replace(graph, lines=updated.lines.tobytes())
    return pack(nodes, updated)


def _leading_to(stored: StoredGraph, files: Collection[int]) -> set[int]:
    """Return the files that import some files as a whole, themselves among them."""
    if not files:
        return set()
    import numpy as np  # noqa: PLC0415 - only while indexing

    graph = unpacked(stored)
    first, edges = np.array(graph.nodes().first_node, dtype=np.int32), graph.edges()
    sources = edges.sources[np.isin(edges.targets, first[sorted(files)])]
    # One that imports itself no edge says.
    return set((np.searchsorted(first, np.unique(sources), side="right") - 1).tolist()).union(files)


def _are_alike(before: Edges, after: Edges) -> bool:
    """Return whether nothing but lines differs."""
    names = [name for name in Edges.__slots__ if name != "lines"]
    return all(_are_equal(getattr(before, name), getattr(after, name)) for name in names)


def _are_equal(one: "npt.NDArray[np.generic]", other: "npt.NDArray[np.generic]") -> bool:
    import numpy as np  # noqa: PLC0415 - only while indexing

    return np.array_equal(one, other)
