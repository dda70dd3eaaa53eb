"""What types of Go other files of their package say them to implement: ``var _ I = (*T)(nil)``."""

from ctxcode.codegraph.facts import ASSERTED, FileFacts
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Package

_Said = dict[str, list[tuple[int, str]]]
"""Names of types to (the file that says it, the name of the interface)."""


class Asserted:
    """The types of one repository."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup, self._tables = lookup, lookup.tables
        self._said: dict[Package, _Said] = {}

    def of(self, file: int) -> list[tuple[int, int]]:
        """Return (type, interface) for what others say of the types of a file."""
        package, found = self._tables.package_of[file], list[tuple[int, int]]()
        said = self._said_in(package) if package is not None else {}
        for name, node in self._tables.top[file].items() if said else ():
            for sayer, written in said.get(name, ()) if self._tables.kinds[node] in CLASS_KINDS else ():
                base = self._lookup.type_at_top(sayer, written)
                if base >= 0 and self._lookup.visible(sayer, name) == node:
                    found.append((node, base))
        return found

    def _said_in(self, package: Package) -> _Said:
        """Return what the files of a package say of types that stand in others."""
        said = self._said.get(package)
        if said is None:
            said = self._said[package] = {}
            for file in self._tables.package_files[package]:
                for name, written in asserted(self._tables.facts[file]):
                    said.setdefault(name, []).append((file, written))
        return said


def asserted(facts: FileFacts) -> list[tuple[str, str]]:
    """Return (type, interface) for what a file says of types that stand in others, as they are written."""
    rows = [base.name.partition(ASSERTED) for base in facts.bases if not base.symbol and ASSERTED in base.name]
    return [(name, written) for name, _, written in rows]
