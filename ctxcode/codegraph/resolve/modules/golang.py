"""Where import paths of Go lead."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from ctxcode.codegraph.outline.manifest import GO_MODULE
from ctxcode.model.naming.folder import is_aside_package

_LIBRARY = frozenset({
    "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug", "embed",
    "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "io", "iter", "log",
    "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort",
    "strconv", "strings", "structs", "sync", "syscall", "testing", "text", "time", "unicode", "unique", "unsafe",
    "weak",
})  # fmt: skip
"""What the paths of the packages of the language's library begin with."""


class GoModule(NamedTuple):
    """What a ``go.mod`` says."""

    folder: str
    path: str
    """What the path of its packages begins with."""


def go_modules(manifests: Iterable[tuple[str, str]]) -> list[GoModule]:
    """Return the modules of a repository, given the paths of manifests with the paths they name."""
    return [GoModule(path.rpartition("/")[0], name) for path, name in manifests if is_go_module(path) and name]


def is_go_module(path: str) -> bool:
    """Return whether a file is a module's ``go.mod``."""
    return path.rpartition("/")[2] == GO_MODULE


class GoPaths:
    """Which folder an import path leads to: by the modules around, else by the prefix that most folders have."""

    def __init__(self, folders: Sequence[str], imported: Iterable[str], modules: Sequence[GoModule]) -> None:
        self._folders = frozenset(folders)
        self._imported = imported
        self._by_folder = {module.folder: module.path for module in modules}
        # What tests keep for trying things out may be called like somebody else's module.
        self._open = {module.path: module.folder for module in modules if not is_aside_package(f"{module.folder}/a.go")}

    def find(self, import_path: str, importer: str) -> str | None:
        """Return the folder of a package of this repository, or None when it is external; ``importer`` is a folder."""
        own = self.module_around(importer)
        if own is None:
            return self._found(import_path)
        for begin in _prefixes(import_path):
            folder = own.folder if begin == own.path else self._open.get(begin)
            found = self._inside(folder, import_path[len(begin) + 1 :]) if folder is not None else None
            if found is not None:
                return found
        return None

    def module_around(self, folder: str) -> GoModule | None:
        """Return the module a folder belongs to, if any."""
        while True:
            if folder in self._by_folder:
                return GoModule(folder, self._by_folder[folder])
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def last_parts(self, folder: str) -> set[str]:
        """Return the last part of each path by which a folder may be imported.

        Outside of modules nobody asks what the path of the one in it is.
        """
        return {path.rpartition("/")[2] for path in (folder, self._by_folder.get(folder, folder))}

    @cached_property
    def prefix(self) -> str | None:
        """What paths begin with outside of modules; None where nothing tells."""
        counts: dict[str, set[str]] = {}
        for path in self._imported:
            parts = path.split("/")
            for cut in range(1, len(parts)):
                folder = "/".join(parts[cut:])
                # Undotted first parts are the standard library's: one common last part is no evidence.
                if folder in self._folders and ("." in parts[0] or len(parts) - cut > 1):
                    counts.setdefault("/".join(parts[:cut]), set()).add(folder)
        if not counts:
            return None
        return min(counts, key=lambda prefix: (-len(counts[prefix]), len(prefix), prefix))

    def _inside(self, folder: str, rest: str) -> str | None:
        """Return a folder of the module that another one holds, if it is not one of a module further inside."""
        found = "/".join(part for part in (folder, rest) if part)
        around = self.module_around(found) if found in self._folders else None
        return found if around is not None and around.folder == folder else None

    def _found(self, import_path: str) -> str | None:
        prefix = self.prefix
        # Who names the repository's own packages by where it is kept means the language's library by ``sync``.
        is_of_library = prefix is not None and "." in _first(prefix) and _first(import_path) in _LIBRARY
        if import_path in self._folders and not is_of_library:
            return import_path
        if prefix is None:
            return None
        if import_path == prefix:
            return "" if "" in self._folders else None
        folder = import_path[len(prefix) + 1 :] if import_path.startswith(prefix + "/") else None
        return folder if folder in self._folders else None


def _first(path: str) -> str:
    """Return what a path begins with; only a host has a dot there."""
    return path.partition("/")[0]


def _prefixes(path: str) -> Iterable[str]:
    """Yield a path and what is around it, the longest first."""
    while path:
        yield path
        path = path.rpartition("/")[0]
