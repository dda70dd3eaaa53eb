"""Files that are named by path: C's includes, what Ruby and Lua require, what shell scripts source."""

from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.resolve.nearest import Nearest
from ctxcode.codegraph.resolve.tables import Tables

_FAMILIES = frozenset({"c", "ruby", "bash", "lua", "php"})
_ENDINGS = {"ruby": ("", ".rb"), "lua": (".lua", "/init.lua")}
_ROOTS = ("", "lib/", "include/", "src/", "lua/", "app/")


class IncludedFiles:
    """Finds them beside the file, from the top of the tree, or as the only or nearest file whose path ends so."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._nearest = tables, Nearest(tables.paths, tables.is_aside)
        self._numbers: dict[str, int] = {}
        self._by_name: dict[str, list[str]] = {}
        self._by_ending: dict[str, list[int]] = {}
        for number, path in enumerate(tables.paths):
            if tables.families[number] in _FAMILIES:
                self._numbers[path] = number
                self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def find(self, importer: int, fact: ImportFact) -> int | None:
        """Return the file's number, or None when it is external."""
        family = self._tables.families[importer]
        written = fact.module.replace(".", "/") if family == "lua" else fact.module
        folder = self._tables.paths[importer].rpartition("/")[0]
        for ending in _ENDINGS.get(family, ("",)):
            found = self._at(importer, written + ending, is_near=fact.level > 0)
            if found is None and family == "lua":
                found = self._numbers.get(normal_path(f"{folder}/{written}{ending}"))
            if found is not None and self._tables.families[found] == family:
                return found
        return None

    def _at(self, importer: int, path: str, *, is_near: bool) -> int | None:
        near = normal_path(f"{self._tables.paths[importer].rpartition('/')[0]}/{path}")
        if is_near and near in self._numbers:
            return self._numbers[near]
        path = normal_path(path)
        for root in _ROOTS:
            if root + path in self._numbers:
                return self._numbers[root + path]
        if "/" not in path and not is_near:
            return None
        known = self._by_ending.get(path)
        if known is None:
            ends = [whole for whole in self._by_name.get(path.rpartition("/")[2], ()) if whole.endswith(f"/{path}")]
            known = self._by_ending[path] = [self._numbers[whole] for whole in ends]
        # Each of several projects has its own.
        return self._nearest.only(path, known, importer) if len(known) > 1 else known[0] if known else None


def normal_path(path: str) -> str:
    """Return a path without what leads nowhere or back."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {"", ".", ".."}:
            parts.append(part)
    return "/".join(parts)
