"""What a repository's root is called where it is a package of Python itself: the name its own files import it by.

The folder's name is no evidence: a checkout may have any, and a package may be called like the one it stands in for.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ctxcode.codegraph.facts import FileFacts

_INIT = ("__init__.py", "__init__.pyi")
_ENDINGS = (".py", "/__init__.py", ".pyi", "/__init__.pyi")
_DEEPEST = 4
"""Parts the name of a root may have."""
_LEAST_CONFIRMED = 2
_LEAST_SHARE = 0.8
"""Of what is imported by a name; some modules are compiled, some names are made when they are asked for."""

_Import = tuple[str, str]
"""(module, name)."""


class _Tally:
    """What is imported by one name."""

    def __init__(self) -> None:
        self.count = self.found = self.confirmed = 0


def is_package(paths: Collection[str]) -> bool:
    """Whether the root is a package."""
    return any(path in paths for path in _INIT)


def root_package(files: Mapping[str, FileFacts], known: Collection[str]) -> str:
    """Return the dotted name of the root; empty where it is no package or nothing proves its name.

    ``known`` are the names modules have anyway, by their first part: those mean something else. A name is proved when
    what is imported by it is defined here, name by name, almost without exception.
    """
    if not is_package(files):
        return ""
    importers: dict[_Import, set[str]] = {}
    for path, facts in files.items():
        for one in dotted_imports(facts):
            importers.setdefault(one, set()).add(path)
    defined = _Defined(files)
    tallies: dict[str, _Tally] = {}
    for (module, name), paths in importers.items():
        for prefix, rest in _cuts(module):
            if prefix.partition(".")[0] in known:
                break
            tally = tallies.setdefault(prefix, _Tally())
            tally.count += 1
            place = defined.place_of(rest, name)
            if place is not None:
                tally.found += 1
                # Who defines what goes by the name of something else that it imports is no witness.
                tally.confirmed += place.is_by_name and bool(paths - {place.path})
    proved = [
        (tally.confirmed, prefix)
        for prefix, tally in tallies.items()
        if tally.confirmed >= _LEAST_CONFIRMED and tally.found >= _LEAST_SHARE * tally.count
    ]
    return max(proved, default=(0, ""))[1]


def dotted_imports(facts: FileFacts) -> set[_Import]:
    """Return what a file of Python imports from modules inside of packages that it names in full."""
    if facts.language != "python":
        return set()
    return {(fact.module, fact.name) for fact in facts.imports if not fact.level and "." in fact.module}


def _cuts(module: str) -> Iterator[tuple[str, str]]:
    """Yield what a module's name can begin with, the shortest first, and what stands behind it."""
    parts = module.split(".", _DEEPEST)
    for cut in range(1, len(parts)):
        yield ".".join(parts[:cut]), ".".join(parts[cut:])


class _Place(NamedTuple):
    path: str
    is_by_name: bool
    """Something is defined there under the name that is imported."""


class _Defined:
    """What the files define."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._names: dict[str, set[str]] = {}

    def place_of(self, module: str, name: str) -> _Place | None:
        """Return where an import leads that is written without the name of the root."""
        base = module.replace(".", "/")
        path = self._file(base)
        if name in {"", "*"}:
            return None if path is None else _Place(path, is_by_name=False)
        if path is not None and name in self._names_in(path):
            return _Place(path, is_by_name=True)
        inner = self._file(f"{base}/{name}")
        return None if inner is None else _Place(inner, is_by_name=True)

    def _file(self, base: str) -> str | None:
        return next((base + ending for ending in _ENDINGS if base + ending in self._files), None)

    def _names_in(self, path: str) -> set[str]:
        names = self._names.get(path)
        if names is None:
            facts = self._files[path]
            names = {symbol.name for symbol in facts.symbols if not symbol.parent}
            names.update([binding.name for binding in facts.bindings if not binding.scope])
            # What is taken from elsewhere by a full name may be the very thing that is asked for.
            names.update([fact.alias for fact in facts.imports if fact.level])
            self._names[path] = names
        return names
