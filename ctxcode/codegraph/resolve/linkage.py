"""What a linker joins: functions and variables of C and C++ that one file declares and another defines."""

from ctxcode.codegraph.facts import declared_in
from ctxcode.codegraph.resolve.modules.inclusions import Inclusions, Saying
from ctxcode.codegraph.resolve.named.common_names import library_functions
from ctxcode.codegraph.resolve.tables import Tables

LINKED = frozenset({"function", "variable"})
"""Kinds of what one file defines and others declare."""


class Declarations:
    """The files that declare something for others to define, by name."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._files = Saying(self._declared)

    def are_seen(self, file: int, node: int, inclusions: Inclusions) -> bool:
        """Whether a file, or one that it includes, declares what a node defines, and no system's library does."""
        tables = self._tables
        is_linked = tables.kinds[node] in LINKED and tables.name_of(node) not in library_functions()
        return is_linked and self.are_said(1 << file | inclusions.of(file), node)

    def are_said(self, files: int, node: int) -> bool:
        """Whether one of some files, a set like those of ``Inclusions``, declares what a node is called as a whole."""
        home = self._tables.file_of[node]
        name = self._tables.facts[home].symbols[node - self._tables.first_node[home]].qualname
        return bool(self._files.among(files, name))

    def _declared(self, file: int) -> list[str]:
        """Return what a file declares, as far as this repository defines it, by qualified name."""
        names = self._tables.names
        return [name for name in declared_in(self._tables.facts[file]) if name.rpartition(".")[2] in names]
