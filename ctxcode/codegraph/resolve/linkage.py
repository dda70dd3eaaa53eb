"""What a linker joins: functions of C and C++ that one file declares and another defines."""

from ctxcode.codegraph.facts import declared_in
from ctxcode.codegraph.resolve.modules.inclusions import Inclusions
from ctxcode.codegraph.resolve.named.common_names import library_functions
from ctxcode.codegraph.resolve.tables import Tables


class Declarations:
    """The files that declare functions for others to define, by name."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._files: dict[str, int] | None = None

    def are_seen(self, file: int, node: int, inclusions: Inclusions) -> bool:
        """Whether a file, or one that it includes, declares what a node defines, and no system's library does."""
        if self._files is None:
            self._files = self._by_name()
        tables = self._tables
        home = tables.file_of[node]
        name = tables.facts[home].symbols[node - tables.first_node[home]].qualname
        if tables.kinds[node] != "function" or tables.name_of(node) in library_functions():
            return False
        declaring = self._files.get(name, 0)
        return bool(declaring >> file & 1 or declaring & inclusions.of(file))

    def _by_name(self) -> dict[str, int]:
        """Return them by qualified name, of definitions of this repository only, as sets of ``Inclusions``."""
        tables, found = self._tables, dict[str, int]()
        for file in range(len(tables.paths)):
            if tables.families[file] == "c":
                for name in declared_in(tables.facts[file]):
                    if name.rpartition(".")[2] in tables.names:
                        found[name] = found.get(name, 0) | 1 << file
        return found
