"""From an import statement's words to the file they mean, per family of languages."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ctxcode.codegraph.outline.manifest import is_manifest
from ctxcode.codegraph.resolve.modules.aliases import ImportMap
from ctxcode.codegraph.resolve.modules.golang import GoPaths, go_modules, is_go_module
from ctxcode.codegraph.resolve.modules.naming import (
    UNNAMED_CRATE,
    EcmascriptPaths,
    is_rust_target,
    rust_crate_of,
    rust_crates,
)
from ctxcode.codegraph.resolve.nearest import Nearest, folders_above
from ctxcode.codegraph.resolve.rust.crates import OtherCrates
from ctxcode.codegraph.resolve.rust.namesakes import names_module
from ctxcode.codegraph.resolve.tables import Package, Tables
from ctxcode.model.naming.folder import is_side_path

_PYTHON_ENDINGS = (".py", "/__init__.py", ".pyi", "/__init__.pyi")
_OF_PYTHON = sys.stdlib_module_names - {"test"}
_PACKAGES_OF_PYTHON = frozenset({
    "asyncio", "collections", "concurrent", "ctypes", "curses", "dbm", "distutils", "email", "encodings",
    "ensurepip", "html", "http", "idlelib", "importlib", "json", "lib2to3", "logging", "msilib",
    "multiprocessing", "os", "pydoc_data", "re", "sqlite3", "tkinter", "tomllib", "turtledemo", "unittest",
    "urllib", "venv", "wsgiref", "xml", "xmlrpc", "zoneinfo",
})  # fmt: skip
"""Those of its modules that hold others: what stands in another one is none of Python's."""
_MOST_REMEMBERED = 20_000
"""Modules that are known again: each name of a statement asks for the same one, and so do files side by side."""


class _PythonModules(NamedTuple):
    """Where a repository's modules are, by number."""

    by_path: Mapping[str, int]
    """All files."""
    by_name: Mapping[str, int]
    """The first of each dotted name."""
    namesakes: Mapping[str, Sequence[int]]
    """All of a name that several have, below roots of their own."""
    by_last_part: Mapping[str, Sequence[tuple[str, int]]]
    """Whole paths as dotted names, by the last part of the module's name."""


@lru_cache(maxsize=1)
def _python_modules(paths: tuple[str, ...], modules: tuple[str, ...], families: tuple[str, ...]) -> _PythonModules:
    """Return where modules are; after an edit they are where they were."""
    by_name, namesakes, by_last_part = dict[str, int](), dict[str, list[int]](), dict[str, list[tuple[str, int]]]()
    for number, (path, module, family) in enumerate(zip(paths, modules, families, strict=True)):
        if family == "python":
            first = by_name.setdefault(module, number)
            if first != number:
                namesakes.setdefault(module, [first]).append(number)
            whole = "." + path.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
            by_last_part.setdefault(module.rpartition(".")[2], []).append((whole, number))
    return _PythonModules({path: number for number, path in enumerate(paths)}, by_name, namesakes, by_last_part)


class PythonImports:
    """Modules by dotted name, relative path, neighbour or unique suffix."""

    def __init__(self, tables: Tables) -> None:
        self._paths, self._is_aside, self._modules = tables.paths, tables.is_aside, tables.modules
        self._nearest = Nearest(tables.paths, tables.is_aside)
        known = _python_modules(tuple(tables.paths), tuple(tables.modules), tuple(tables.families))
        self._index, self._by_name, self._namesakes, self._by_last_part = known
        self._suffix_memo: dict[str, list[int]] = {}
        self._found: dict[tuple[str, str, int, bool], int | None] = {}

    def find(self, importer: int, module: str, level: int) -> int | None:
        """Return the file of a module, or None when it is external or a folder without ``__init__.py``."""
        folder, is_aside = self._paths[importer].rpartition("/")[0], self._is_aside[importer]
        key = (folder, module, level, is_aside)
        if key in self._found:
            return self._found[key]
        if len(self._found) >= _MOST_REMEMBERED:
            self._found.clear()
        found = self._found[key] = self._from_folder(importer, folder, module, level)
        return found

    def _from_folder(self, importer: int, folder: str, module: str, level: int) -> int | None:
        if level:
            folders = folder.split("/") if folder else []
            if level - 1 > len(folders):
                return None
            return self._in_folder("/".join(folders[: len(folders) - (level - 1)]), module)
        found = self._named(importer, folder, module)
        if found is None and folder and not self._is_outside(folder, module):
            found = self._in_folder(folder, module)
        return found if found is not None or "." not in module else self._by_suffix(importer, module)

    def _named(self, importer: int, folder: str, module: str) -> int | None:
        """Return the file of a dotted name, the nearest of several."""
        first = self._by_name.get(module)
        if first is None:
            return None
        known = self._namesakes.get(module)
        if known is None:
            return first if self._is_meant(importer, folder, module, first) else None
        if _is_of_python(module):
            beside = [self._in_folder(root, module) for root in folders_above(self._paths[importer])]
            several = [number for number in beside if number is not None and self._modules[number] == module]
            return next((number for number in several if self._is_meant(importer, folder, module, number)), None)
        is_aside = self._is_aside[importer]
        usable = (number for number in known if is_aside or not self._is_below_side(module, number))
        return self._nearest.of((module, is_aside), usable, importer)

    def _is_meant(self, importer: int, folder: str, module: str, number: int) -> bool:
        """Whether a file can be meant by a dotted name that it has below some folder.

        What Python brings along is not, but beside who imports it and in Python's own sources. Nor is what is called
        as a distribution among tests, examples and documents, by the product.
        """
        if not self._is_aside[importer] and self._is_below_side(module, number):
            return False
        if not _is_of_python(module):
            return True
        root = self._root(module, number)
        is_library = root.rpartition("/")[2].lower() in {"lib", "stdlib"} and f"{folder}/".startswith(f"{root}/")
        return root == folder or is_library

    def _is_below_side(self, module: str, number: int) -> bool:
        """Whether the folder that a file has a dotted name below is one of tests, examples or documents."""
        root = self._root(module, number)
        return bool(root) and is_side_path(f"{root}/x.py")

    def _root(self, module: str, number: int) -> str:
        """Return the folder that a file has a dotted name below."""
        whole = self._paths[number].rpartition(".")[0].removesuffix("/__init__")
        return whole[: -len(module)].rstrip("/")

    def submodule(self, file: int, name: str) -> int | None:
        """Return the module ``name`` inside the package whose ``__init__`` a file is."""
        path = self._paths[file]
        folder, _, last = path.rpartition("/")
        return self._in_folder(folder, name) if last.startswith("__init__.") else None

    def stub(self, file: int) -> int | None:
        """Return the file that says beside a module what it offers: its types, and what only it makes of itself."""
        path = self._paths[file]
        return self._index.get(f"{path}i") if path.endswith(".py") else None

    def _in_folder(self, folder: str, module: str) -> int | None:
        inner = module.replace(".", "/")
        base = f"{folder}/{inner}" if folder and inner else folder or inner
        index = self._index
        if not module:
            return index.get(f"{base}/__init__.py" if base else "__init__.py")
        for ending in _PYTHON_ENDINGS:
            if base + ending in index:
                return index[base + ending]
        return None

    def _is_outside(self, folder: str, module: str) -> bool:
        """Whether a module is of Python's own library, not what stands beside a file of a package under its name.

        What else stands there is found in packages too: many a folder of scripts is a package by mistake.
        """
        is_own = module.partition(".")[0] in sys.stdlib_module_names
        return is_own and self._in_folder(folder, "") is not None

    def _by_suffix(self, importer: int, module: str) -> int | None:
        """Return the only file whose whole path ends with the module's name: packages below unusual roots.

        Of several the one below the nearest folder around who imports it.
        """
        memo = self._suffix_memo
        if module not in memo:
            ends = self._by_last_part.get(module.rpartition(".")[2], ())
            memo[module] = [number for whole, number in ends if whole.endswith("." + module)][:2]
        found: Iterable[int | None] = memo[module]
        if len(memo[module]) > 1:
            found = (self._in_folder(root, module) for root in folders_above(self._paths[importer]))
        nearest, folder = (
            next((one for one in found if one is not None), None),
            self._paths[importer].rpartition("/")[0],
        )
        return nearest if nearest is not None and self._is_meant(importer, folder, module, nearest) else None


def _is_of_python(module: str) -> bool:
    """Whether Python brings a module along."""
    first, dot, _ = module.partition(".")
    return first in _OF_PYTHON and (not dot or first in _PACKAGES_OF_PYTHON)


class RustImports:
    """Crates and their modules by path."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._nearest = tables, Nearest(tables.paths, tables.is_aside)
        manifests = {tables.paths[number]: number for number, path in enumerate(tables.paths) if is_manifest(path)}
        declared = {path: tables.facts[number].package for path, number in manifests.items()}
        self._crates = rust_crates(tables.paths, declared)
        cargo = {
            path: tables.facts[number].imports for path, number in manifests.items() if path.endswith("Cargo.toml")
        }
        self._by_name: dict[str, list[int]] = {}
        self._numbers: dict[str, int] = {}
        for number in range(len(tables.paths)):
            if tables.families[number] == "rust":
                self._numbers[tables.paths[number]] = number
                self._by_name.setdefault(tables.modules[number], []).append(number)
        self._others = OtherCrates(cargo, self._crates, self._numbers)

    def _called(self, name: str, asking: int) -> int | None:
        """Return the file of a module; of several, as many an example has crates of one name, the nearest.

        ``src/lib.rs`` sorts before ``src/main.rs``: the library is the crate's name.
        """
        several = self._by_name.get(name, ())
        if len(several) < 2:
            return several[0] if several else None
        return self._nearest.of(name, several, asking)

    def submodule(self, file: int, name: str) -> int | None:
        """Return the file of ``mod name;``, which a program begins beside its own file."""
        module, path = self._tables.modules[file], self._tables.paths[file]
        found = self._called(f"{module}.{name}", file)
        fact = self._tables.imports[file].get(name) if found is None else None
        if (
            fact is None
            or not names_module(fact)
            or not self._others.is_root(path, rust_crate_of(path, self._crates) or "")
        ):
            return found
        return self._called(f"{module.rpartition('.')[0]}.{name}", file)

    def root(self, file: int) -> int | None:
        """Return the file ``crate::`` means."""
        crate = rust_crate_of(self._tables.paths[file], self._crates)
        if crate is None:
            return None
        path = self._tables.paths[file]
        root = self._numbers.get(self._others.root_of(path, crate))
        if root is None:
            root = file if is_rust_target(path, crate) else self._called(self._crates[crate], file)
        return root

    def above(self, file: int) -> int | None:
        """Return the file ``super::`` means: for folders that ``#[path]`` leads through nothing stands."""
        outer, found = self._tables.modules[file].rpartition(".")[0], None
        while outer and found is None:
            found, outer = self._called(outer, file), outer.rpartition(".")[0]
        return found

    def crate_named(self, file: int, name: str) -> int | None:
        """Return the root file of a crate of this repository.

        The name of a crate at the top of the tree is unknown without a manifest: a test, example or benchmark that
        names something it does not define, and no type, means the crate around it. What a manifest calls otherwise is
        what that says.
        """
        other = self._others.meant(self._tables.paths[file], name)
        if other is not None:
            return self._called(other, file) if other in self._crates.values() else None
        if name in self._crates.values():
            return self._called(name, file)
        path = self._tables.paths[file]
        crate = rust_crate_of(path, self._crates)
        is_outside = crate == "" and (is_rust_target(path, crate) or path == "src/main.rs")
        is_unnamed = crate is not None and self._crates[crate] == UNNAMED_CRATE
        if crate is not None and is_unnamed and is_outside and not name[:1].isupper() and name not in _RUST_STANDARD:
            return self._called(self._crates[crate], file)
        return None


_RUST_STANDARD = frozenset({"std", "core", "alloc", "proc_macro", "test"})


def go_packages(packages: Iterable[Package]) -> dict[str, Package]:
    """Return the package of Go that each folder is imported as.

    That is not its tests', and not the program that writes its files (``//go:build ignore``), if there is another.
    """
    found: dict[str, Package] = {}
    ranks: dict[str, int] = {}
    for key in sorted(packages):
        if key[0] == "go":
            folder, _, package = key[1].rpartition(":")
            rank = 2 if package.endswith("_test") else int(package == "main")
            if rank <= ranks.get(folder, rank):
                found[folder], ranks[folder] = key, rank
    return found


class PackageImports:
    """Packages of Go and Java, and the module paths of JavaScript and TypeScript."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        ecmascript = [
            path if family == "ecmascript" else "" for path, family in zip(tables.paths, tables.families, strict=True)
        ]
        self._aliases: ImportMap | None = None
        self.ecmascript = EcmascriptPaths(ecmascript, self._named_paths)
        self._go: GoPaths | None = None
        self._go_packages = go_packages(tables.package_files)

    def are_in_one(self, file: int, other: int) -> bool:
        """Whether two files of JavaScript stand in one package, by the manifests around them."""
        around, paths = self._map().package_around, self._tables.paths
        return around(paths[file]) == around(paths[other])

    def _map(self) -> ImportMap:
        if self._aliases is None:
            tables = self._tables
            manifests = [number for number, path in enumerate(tables.paths) if is_manifest(path)]
            self._aliases = ImportMap([(tables.paths[number], tables.facts[number]) for number in manifests])
        return self._aliases

    def _named_paths(self, importer: str, specifier: str) -> Iterator[str]:
        return self._map().bases(importer, specifier)

    def go_package(self, import_path: str, importer: int) -> tuple[str, str] | None:
        """Return the package an import path means in a file, or None when it is external."""
        if self._go is None:
            self._go = self._go_paths()
        folder = self._go.find(import_path, self._tables.paths[importer].rpartition("/")[0])
        return None if folder is None else self._go_packages.get(folder)

    def _go_paths(self) -> GoPaths:
        tables = self._tables
        files = [number for number, family in enumerate(tables.families) if family == "go"]
        folders = sorted({tables.paths[number].rpartition("/")[0] for number in files})
        manifests = [
            (path, tables.facts[number].package) for number, path in enumerate(tables.paths) if is_go_module(path)
        ]
        imported = (fact.module for number in files for fact in tables.facts[number].imports)
        return GoPaths(folders, imported, go_modules(manifests))

    def java_package(self, dotted: str, family: str) -> tuple[tuple[str, str], list[str]] | None:
        """Return the longest package a dotted name begins with, and the parts after it."""
        parts = dotted.split(".")
        for cut in range(len(parts), 0, -1):
            key = (family, ".".join(parts[:cut]))
            if key in self._tables.package_files:
                return key, parts[cut:]
        return None
