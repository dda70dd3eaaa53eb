"""Methods of C++ and Go that stand outside their types, in files that are joined again."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from ctxcode.codegraph.edges import Nodes
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.told import ATTACHED
from ctxcode.codegraph.resolve.dependents.linked import FAMILY
from ctxcode.codegraph.resolve.dependents.scripts import PartialScripts
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.orphans import owner_of
from ctxcode.codegraph.resolve.partial.names import PartialNames
from ctxcode.codegraph.resolve.partial.tables import PartialTables


class Attaching:
    """Finds their types, as before any method is attached to one."""

    def __init__(
        self,
        nodes: Nodes,
        languages: Sequence[str],
        facts: Callable[[int], FileFacts],
        named: Callable[[str], Sequence[tuple[int, int, str]]],
    ) -> None:
        """Take the nodes now, what files say now, and the definitions of a name as (file, position, kind)."""
        self._nodes = nodes
        self._languages = languages
        self._tables = PartialTables(replace(nodes, owners=()), languages, facts, named)
        self._lookup = Lookup(
            self._tables, PartialNames(self._tables, nodes, named), PartialScripts(self._tables, nodes, named)
        )

    def attached(self, again: Collection[int], staying: Mapping[int, Collection[int]]) -> Nodes | None:
        """Return the nodes with what some files say that belongs to types elsewhere.

        ``staying`` says which symbols of a file were there before. None when one of these belongs to another type now.
        """
        tables, known = self._tables, dict(self._nodes.owners)
        owners = dict(known)
        files = {file for file in again if self._languages[file] in ATTACHED or self._tables.families[file] == FAMILY}
        for file in files:
            tables.load(file)
        for node, type_name in [row for row in tables.orphans if tables.file_of[row[0]] in files]:
            file, owner = tables.file_of[node], owner_of(self._lookup, node, type_name)
            if node - tables.first_node[file] in staying.get(file, ()):
                if owner != known.get(node):
                    return None
            elif owner is not None:
                owners[node] = owner
        return replace(self._nodes, owners=tuple(sorted(owners.items())))
