"""What changed files of C and C++ tell anew, given who includes them."""

from collections.abc import Callable, Collection, Mapping

from ctxcode.codegraph.edges import PackedGraph
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.affected import Mentioning
from ctxcode.codegraph.resolve.again.listed import of_module_alone
from ctxcode.codegraph.resolve.again.told import Told, names_bound, told_anew
from ctxcode.codegraph.resolve.dependents.linked import (
    has_namespaces,
    is_included,
    is_named_in_includes,
    is_of_family,
    is_source,
    names_in_includes,
)


class LinkedFiles:
    """The changed files of C and C++ of one refresh."""

    def __init__(
        self,
        graph: PackedGraph,
        changed: Mapping[str, FileFacts | None],
        facts: Callable[[int], FileFacts],
        mentioning: Mentioning,
    ) -> None:
        """Take the graph as it was, what changed files say now, what any said, and who says a name."""
        self._graph = graph
        self._changed = {path: now for path, now in changed.items() if now is None or is_of_family(now)}
        self._numbers = {path: number for number, path in enumerate(graph.paths)}
        self._facts = facts
        self._mentioning = mentioning
        self._listed_anew = {
            path.rpartition("/")[2] for path, now in self._changed.items() if (now is None) == (path in self._numbers)
        }
        """The names of files that have come or gone."""

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return what a file tells anew; None when more hangs on it than names tell."""
        if _included(before) != _included(now) and any(is_source(name) for name in _included(before) | _included(now)):
            # What that sees is what stands before it there, too.
            return None
        if before is None or now is None:
            one = before or now
            return None if one is None or self._is_included_anew(path) else self._told_by_file(path, one)
        is_alone = is_source(path) and not is_included(self._graph, self._numbers[path])
        is_known = has_namespaces(before, now)
        told = told_anew(before, now, is_own=is_alone and not is_known)
        if told is None:
            return None
        including = names_in_includes(before) | names_in_includes(now)
        if not told.has_other_includes and including.isdisjoint(self._listed_anew):
            return told
        if not is_alone:
            return None
        return told._replace(names=told.names | names_bound(before) | names_bound(now)) if is_known else told

    def _told_by_file(self, path: str, facts: FileFacts) -> Told | None:
        name = path.rpartition("/")[2]
        saying = [now for now in self._changed.values() if now is not None and name in names_in_includes(now)]
        is_own = is_source(path) and not saying and not has_namespaces(facts)
        return told_anew(of_module_alone(facts), facts, is_own=is_own)

    def _is_included_anew(self, path: str) -> bool:
        """Whether a file that has not changed may mean one that has come or gone by what it includes."""
        numbers = {self._numbers[each] for each in self._changed if each in self._numbers}

        def unchanged(words: Collection[str]) -> list[int]:
            return [file for file in self._mentioning(words) if file not in numbers]

        return is_named_in_includes(path, self._facts, unchanged)


def _included(facts: FileFacts | None) -> set[str]:
    """Return what a file includes, as it is written."""
    return set() if facts is None else {fact.module for fact in facts.imports}
