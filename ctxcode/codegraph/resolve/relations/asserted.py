"""What other files say types to implement: of Go those of their package, of Rust those that define their methods.

That is said by ``var _ I = (*T)(nil)`` and ``impl I for T``.
"""

from collections.abc import Iterable

from ctxcode.codegraph.facts import ASSERTED, FileFacts
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Package

ASSERTING = frozenset({"go", "rust"})
"""Languages in which that is so."""
_Said = dict[str, list[tuple[int, str, str]]]
"""Names of types to (the file that says it, what that calls the type, the name of the interface)."""


class Asserted:
    """The types of one repository."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup, self._tables = lookup, lookup.tables
        self._said: dict[Package, _Said] = {}
        self._sayers: dict[int, dict[int, None]] | None = None
        """Files of Rust to those that define methods of their types."""

    def of(self, file: int) -> list[tuple[int, int]]:
        """Return (type, interface) for what others say of the types of a file."""
        package, found = self._tables.package_of[file], list[tuple[int, int]]()
        said = self._said_in(package) if package is not None else self._said_by(self._defining(file))
        for name, node in self._tables.top[file].items() if said else ():
            for sayer, called, written in said.get(name, ()) if self._tables.kinds[node] in CLASS_KINDS else ():
                base = self._lookup.type_at_top(sayer, written)
                of = self._lookup.visible(sayer, name) if called == name else self._lookup.type_at_top(sayer, called)
                if base >= 0 and of == node:
                    found.append((node, base))
        return found

    def _said_in(self, package: Package) -> _Said:
        """Return what the files of a package say of types that stand in others."""
        said = self._said.get(package)
        if said is None:
            said = self._said[package] = self._said_by(self._tables.package_files[package])
        return said

    def _said_by(self, files: Iterable[int]) -> _Said:
        """Return what files say of types that stand in others."""
        said: _Said = {}
        for file in files:
            for name, written in asserted(self._tables.facts[file]):
                said.setdefault(name.rpartition(".")[2], []).append((file, name, written))
        return said

    def _defining(self, file: int) -> Iterable[int]:
        """Return the files that define methods of types that stand in another one."""
        if self._sayers is None:
            self._sayers, file_of = {}, self._tables.file_of
            for node, owner in sorted(self._tables.owners.items()):
                self._sayers.setdefault(file_of[owner], {})[file_of[node]] = None
        return self._sayers.get(file, ())


def asserted(facts: FileFacts) -> list[tuple[str, str]]:
    """Return (type, interface) for what a file says of types that stand in others, as they are written."""
    rows = [base.name.partition(ASSERTED) for base in facts.bases if not base.symbol and ASSERTED in base.name]
    return [(name, written) for name, _, written in rows]


def without_asserted(facts: FileFacts) -> FileFacts:
    """Return what a file says but for what it says of types that stand in others."""
    return facts._replace(bases=tuple(base for base in facts.bases if ASSERTED not in base.name))
