"""Things that a file imports by one name, one of them at a time: ``#[cfg(unix)] use epoll::Selector``, and so on."""

from collections import defaultdict
from collections.abc import Sequence

from ctxcode.codegraph.facts import ALTERNATIVE
from ctxcode.codegraph.resolve.lookup import Lookup

_BY_PARENT = "rust"
"""The family in which the module around a file's chooses between it and others, by what it takes over from them."""
FAMILIES = frozenset({"python", _BY_PARENT})
_ABOVE = ["super"]
_Groups = Sequence[tuple[int, ...]]


class ImportedAgain:
    """What stands beside a definition that one of several imports of a name leads to."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._tables = lookup.tables
        self._groups: dict[int, _Groups] = {}
        self._above: dict[int, int] = {}
        self._passing: dict[int, dict[int, int]] = {}
        self._several: dict[int, bool] = {}

    def of(self, file: int, node: int) -> tuple[int, ...]:
        """Return a definition that a call in a file leads to with what that can mean, too; nothing if that is all."""
        tables, groups = self._tables, self._of_file(file)
        target = tables.file_of[node]
        if target != file:
            passed = self._parent(target) if tables.families[file] == _BY_PARENT else self._passing_on(file, node)
            groups = (*groups, *self._of_file(passed)) if passed >= 0 else groups
        return self._among(groups, node) if groups else ()

    def _outermost(self, node: int) -> int:
        """Return what stands around a definition at the top of its file."""
        parents = self._tables.parents
        while parents[node] >= 0 and parents[parents[node]] >= 0:
            node = parents[node]
        return node

    def _passing_on(self, file: int, node: int) -> int:
        """Return which file passes a definition on to a file of Python; its own where none does."""
        target = self._tables.file_of[node]
        # Hardly any file gives a name to several things, and then it does not matter which it is.
        if not self._of_file(target) and not self._has_several_behind(file):
            return target
        return self._passed(file).get(self._outermost(node), target)

    def _has_several_behind(self, file: int) -> bool:
        """Whether one of the modules from which a file imports gives a name to several things."""
        known = self._several.get(file)
        if known is None:
            facts = {(fact.module, fact.level): fact for fact in self._tables.imports[file].values() if fact.name}
            modules = [self._lookup.import_target(file, fact._replace(name="", alias="")) for fact in facts.values()]
            files = dict.fromkeys([self._tables.file_of[module] for module in modules if module >= 0])
            known = self._several[file] = any(map(self._of_file, files))
        return known

    def _passed(self, file: int) -> dict[int, int]:
        """Return the files that pass on to a file of Python what it imports from elsewhere, by what they pass on."""
        found = self._passing.get(file)
        if found is None:
            found = self._passing[file] = {}
            for fact in self._tables.imports[file].values():
                target = self._lookup.import_target(file, fact) if fact.name else -1
                module = self._lookup.import_target(file, fact._replace(name="", alias="")) if target >= 0 else -1
                if module >= 0 and self._tables.file_of[module] != self._tables.file_of[target]:
                    found[target] = self._tables.file_of[module]
        return found

    def _parent(self, file: int) -> int:
        """Return the file of the module around a file's; -1 for none."""
        found = self._above.get(file)
        if found is None:
            module = self._lookup.dotted(file, _ABOVE)
            found = self._above[file] = self._tables.file_of[module] if module >= 0 else -1
        return found

    def _of_file(self, file: int) -> _Groups:
        """Return what a file imports by each of the names that it gives to several things of the repository."""
        groups = self._groups.get(file)
        if groups is None:
            # What it defines itself stands for its name, and what leads here again finds nothing.
            self._groups[file] = ()
            groups = self._groups[file] = self._find(file)
        return groups

    def _find(self, file: int) -> _Groups:
        tables, by_alias = self._tables, defaultdict[str, list[int]](list)
        facts, top = tables.facts[file], tables.top[file]
        for row, fact in enumerate(facts.imports):
            if fact.alias:
                by_alias[fact.alias].append(row)
        told = {tables.first_node[file] + scope for scope, name, _ in facts.bindings if name == ALTERNATIVE}
        groups = list[tuple[int, ...]]()
        for alias, rows in by_alias.items():
            own = top.get(alias)
            if own is None and len(rows) > 1:
                groups.append(self._distinct(file, rows))
            elif own is not None and own in told:
                groups.append((*self._distinct(file, rows), own))
        return tuple([nodes for nodes in groups if len(nodes) > 1])

    def _distinct(self, file: int, rows: Sequence[int]) -> tuple[int, ...]:
        imports = self._tables.facts[file].imports
        nodes = [self._lookup.import_target(file, imports[row]) for row in rows]
        return tuple(dict.fromkeys([node for node in nodes if node >= 0]))

    def _among(self, groups: _Groups, node: int) -> tuple[int, ...]:
        """Return what stands where a definition does in each of the things of which one is imported."""
        tables, chain = self._tables, [node]
        while (around := tables.parents[chain[-1]]) >= 0:
            chain.append(around)
        found = {node: None}
        for group in groups:
            at = next((row for row, each in enumerate(chain) if each in group), -1)
            if at >= 0:
                rest = [tables.name_of(each) for each in reversed(chain[:at])]
                others = (self._lookup.walk(other, rest) for other in group if other != chain[at])
                found.update(
                    {other: None for other in others if other >= 0 and tables.kinds[other] == tables.kinds[node]}
                )
        return tuple(sorted(found)) if len(found) > 1 else ()
