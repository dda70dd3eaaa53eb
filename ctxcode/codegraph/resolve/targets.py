"""What an import binds, per family of languages: the file it means, then the name in it."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import GLOBAL, MACRO, ImportFact
from ctxcode.codegraph.resolve.modules.imports import PackageImports, PythonImports, RustImports
from ctxcode.codegraph.resolve.modules.includes import IncludedFiles
from ctxcode.codegraph.resolve.modules.naming import standing_for
from ctxcode.codegraph.resolve.rust.namesakes import is_module_of_file, is_out_of_namesake
from ctxcode.codegraph.resolve.tables import Package, Tables
from ctxcode.model.naming.forms import SCRIPTS

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

UNKNOWN = -1
"""Bound nowhere in the repository that the syntax tells: a builtin, a local variable, an attribute."""
EXTERNAL = -2
"""Bound to something outside the repository."""

_HOLDING_NOTHING = frozenset({"function", "macro"})
_NO_NAMESPACE: Package = ("php", "")
_RELATIVE = "csharp"
"""The language in which a dotted name begins in any of the namespaces around it."""
_DEEPEST = 20
"""Parts of a namespace that names inside it are looked for in."""


class ImportTargets:
    """Answers are node numbers, UNKNOWN or EXTERNAL; names inside modules are the look-up's business."""

    def __init__(self, tables: Tables, lookup: "Lookup") -> None:
        self._tables = tables
        self._lookup = lookup
        self._standing: dict[Package, tuple[int, bool]] = {}

    # Each is made for the languages that need it: joining one file again is quicker than all four.
    @cached_property
    def _python(self) -> PythonImports:
        return PythonImports(self._tables)

    @cached_property
    def _rust(self) -> RustImports:
        return RustImports(self._tables)

    @cached_property
    def _packages(self) -> PackageImports:
        return PackageImports(self._tables)

    @cached_property
    def _includes(self) -> IncludedFiles:
        return IncludedFiles(self._tables)

    def find(self, file: int, fact: ImportFact) -> int:
        """Return what an import binds: a module's node, a symbol's, UNKNOWN inside a known module, or EXTERNAL."""
        match self._tables.families[file]:
            case "python":
                found = self._python_target(file, fact)
            case "ecmascript":
                found = self._ecmascript_target(file, fact)
            case "rust":
                found = self._rust_target(file, fact)
            case "go":
                package = self._packages.go_package(fact.module, file)
                found = self._package_node(package) if package is not None else EXTERNAL
            case "php" if fact.level:
                found = self._included(file, fact)
            case "java" | "csharp" | "php":
                name = fact.module if fact.name in {"", "*"} else f"{fact.module}.{fact.name}"
                found = self.java_name(name, file)
                if found == EXTERNAL and (inner := self._relative_name(file, name)) >= 0:
                    found = inner
            case "c" | "ruby" | "bash" | "lua":
                found = self._included(file, fact)
            case _:
                found = EXTERNAL
        return found

    def rust_path(self, file: int, parts: list[str], *, has_namesakes: bool = True) -> int:
        """Return what a Rust path means in a file; it may begin with a module that is called like a function."""
        first_node = self._tables.first_node
        first, rest = parts[0], parts[1:]
        if first == MACRO:
            return self._rust_macro(file, ".".join(rest))
        at: int | None = file
        if first == "crate":
            at = self._rust.root(file)
        elif first == "super":
            at = self._rust.above(file)
            while rest and rest[0] == "super" and at is not None:
                at, rest = self._rust.above(at), rest[1:]
        elif first != "self":
            found = self._lookup.visible(file, first)
            if has_namesakes and rest and found >= 0 and self._tables.kinds[found] in _HOLDING_NOTHING:
                # A function may be called like a module, and nothing stands in it.
                namesake = self.namesake(file, first)
                found = namesake if namesake >= 0 else found
            if found == UNKNOWN:
                crate = self._rust.crate_named(file, first)
                found = first_node[crate] if crate is not None else UNKNOWN
                if crate is not None and len(rest) == 1 and self._rust_walk(found, rest) == UNKNOWN:
                    return self._macro_in(crate, rest[0])
            return self._rust_walk(found, rest)
        if at is None:
            return UNKNOWN
        found = self._rust_walk(first_node[at], rest)
        if found == UNKNOWN and first == "crate" and len(rest) == 1:
            return self._macro_in(at, rest[0])
        if found == UNKNOWN and first == "self" and len(rest) > 1:
            # ``#[path = "a/b.rs"]``: nothing stands for the folder.
            module = self._rust.submodule(at, ".".join(rest))
            found = first_node[module] if module is not None else UNKNOWN
        return found

    def namesake(self, file: int, name: str) -> int:
        """Return the module that is called like a function of Rust: in the file, or where it is imported from."""
        found, fact = self.submodule(file, name), self._tables.imports[file].get(name)
        path = [part for part in fact.module.replace("::", ".").split(".") if part] if fact is not None else []
        if found >= 0 or fact is None or not path or path[0] == name:
            return found
        # Imports may lead in a circle.
        holder = self.rust_path(file, path, has_namesakes=False)
        is_module = holder >= 0 and self._tables.parents[holder] < 0
        return self.submodule(self._tables.file_of[holder], fact.name) if is_module else UNKNOWN

    def crate(self, file: int, name: str) -> int | None:
        """Return the root file of the crate that a path of a file of Rust begins with."""
        return self._rust.root(file) if name == "crate" else self._rust.crate_named(file, name)

    def _rust_macro(self, file: int, name: str) -> int:
        """Return the macro that a file or the modules around it know by a name: that of the nearest."""
        seen: set[int] = set()
        at: int | None = file
        while at is not None and at not in seen:
            seen.add(at)
            node = self._macro_in(at, name)
            if node >= 0:
                return node
            at = self._rust.above(at)
        return UNKNOWN

    def _macro_in(self, file: int, name: str) -> int:
        """Return the macro that a module knows by a name, by what ``#[macro_use]`` gives it, too."""
        tables, pending, seen = self._tables, [file], {file}
        while pending:
            at = pending.pop()
            node = self._lookup.visible(at, name)
            if node >= 0 and tables.kinds[node] == "macro":
                return node
            taken = [self._rust_target(at, fact) for fact in tables.stars[at] if fact.level]
            inner = [tables.file_of[target] for target in taken if target >= 0 and tables.parents[target] < 0]
            pending += [other for other in reversed(inner) if other not in seen]
            seen.update(inner)
        return UNKNOWN

    def _rust_walk(self, node: int, parts: list[str]) -> int:
        """Return what a path means behind a node; what it goes on from is a module before it is a function."""
        tables = self._tables
        for place, part in enumerate(parts):
            if node < 0:
                break
            is_last = place == len(parts) - 1
            module = (
                self._rust.submodule(tables.file_of[node], part) if tables.parents[node] < 0 and not is_last else None
            )
            node = self._lookup.step(node, part) if module is None else tables.first_node[module]
        return node

    def _python_target(self, file: int, fact: ImportFact) -> int:
        first_node = self._tables.first_node
        module, name = fact.module, fact.name
        if not name and "." in module and fact.alias == module.partition(".")[0]:
            top = self._python.find(file, fact.alias, 0)
            if top is not None:
                return first_node[top]
        found = self._python.find(file, module, fact.level)
        if not name or name == "*":
            return EXTERNAL if found is None else first_node[found]
        if found is not None and found != file:
            target = self._lookup.exported(found, name)
            # In a circle of imports a package still has what stands in it.
            return self.submodule(file, fact.alias) if target == UNKNOWN else target
        inner = self._python.find(file, f"{module}.{name}" if module else name, fact.level)
        return EXTERNAL if inner is None else first_node[inner]

    def python_chain(self, file: int, parts: list[str]) -> int:
        """Return what ``a.b.c`` means after ``import a.b``: the longest module, then its members."""
        for cut in range(len(parts), 0, -1):
            module = self._python.find(file, ".".join(parts[:cut]), 0)
            if module is not None:
                return self._lookup.walk(self._tables.first_node[module], parts[cut:])
        return EXTERNAL

    def _ecmascript_target(self, file: int, fact: ImportFact) -> int:
        found = self._packages.ecmascript.find(self._tables.paths[file], fact.module)
        if found is None:
            return EXTERNAL
        module = self._tables.first_node[found]
        if fact.name in {"", "*"}:
            return module
        if found == file:
            return UNKNOWN
        target = self._lookup.exported(found, fact.name)
        if target == UNKNOWN and fact.name == "default":
            # What is exported as default has no name of its own there; people import it under its definition's.
            target = self._tables.top[found].get(fact.alias, module)
        elif target == UNKNOWN and self._tables.paths[found].endswith(SCRIPTS):
            target = self._declared(file, fact)
        return target

    def _declared(self, file: int, fact: ImportFact) -> int:
        """Return the type that a package has by a name where its manifest says that it is declared, not run."""
        declaring = self._packages.ecmascript.declarations_named(self._tables.paths[file], fact.module)
        found = (self._lookup.exported(other, fact.name) for other in declaring)
        return next((target for target in found if target != UNKNOWN), UNKNOWN)

    def are_in_one_package(self, file: int, other: int) -> bool:
        """Whether two files of JavaScript stand in one package: what others have, each has to import."""
        return self._packages.are_in_one(file, other)

    def declarations_beside(self, file: int) -> int | None:
        """Return the file that declares what a script of JavaScript defines: ``cart.d.ts`` of ``cart.js``."""
        tables = self._tables
        is_script = tables.families[file] == "ecmascript"
        return self._packages.ecmascript.declarations_beside(tables.paths[file]) if is_script else None

    def _rust_target(self, file: int, fact: ImportFact) -> int:
        parts = [part for part in fact.module.replace("::", ".").split(".") if part]
        found = self._behind_rust_path(file, fact, parts)
        if found < 0 and is_out_of_namesake(fact) and self._says_module(file, fact.name):
            # In a circle of imports a file still has the module that stands in it, wherever the circle is entered.
            module = self._rust.submodule(file, fact.name)
            if module is not None and module == self._module_written(file, parts):
                return self._tables.first_node[module]
        return found

    def _says_module(self, file: int, name: str) -> bool:
        """Return whether a file of Rust says that a module stands in it."""
        return any(fact.name == name and is_module_of_file(fact) for fact in self._tables.facts[file].imports)

    def _module_written(self, file: int, parts: Iterable[str]) -> int | None:
        """Return the module that a path of Rust means by where files stand alone."""
        at: int | None = file
        for part in parts:
            if at is None:
                break
            if part == "super":
                at = self._rust.above(at)
            elif part != "self":
                at = self._rust.root(at) if part == "crate" else self._rust.submodule(at, part)
        return at

    def _behind_rust_path(self, file: int, fact: ImportFact, outer: Sequence[str]) -> int:
        parts = [*outer]
        if fact.name not in {"", "*", "self"}:
            parts.append(fact.name)
        if not parts:
            return UNKNOWN
        if is_module_of_file(fact) and (module := self._rust.submodule(file, fact.name)) is not None:
            return self._tables.first_node[module]
        if parts[0] == fact.alias and len(parts) > 1:
            # ``use log::log;`` must not find itself.
            module = self._rust.submodule(file, parts[0])
            module = self._rust.crate_named(file, parts[0]) if module is None else module
            return EXTERNAL if module is None else self._rust_walk(self._tables.first_node[module], parts[1:])
        return self.rust_path(file, parts)

    def standing_for(self, package: Package) -> tuple[int, bool]:
        """Return the file that stands for a package, and whether that has no others."""
        found = self._standing.get(package)
        if found is None:
            tables, name = self._tables, package[1].rpartition(":")[2]
            files = tables.package_files[package]
            place, is_alone = standing_for(name, [(tables.is_aside[file], tables.paths[file]) for file in files])
            found = self._standing[package] = files[place], is_alone
        return found

    def _package_node(self, package: Package) -> int:
        """Return the module node that stands for a package."""
        return self._tables.first_node[self.standing_for(package)[0]]

    def _included(self, file: int, fact: ImportFact) -> int:
        found = self._includes.find(file, fact)
        if found is None or found == file:
            return EXTERNAL
        module = self._tables.first_node[found]
        return self._lookup.exported(found, fact.name) if fact.name not in {"", "*"} else module

    def java_name(self, dotted: str, file: int) -> int:
        """Return what a full name of Java, C# or PHP means in a file; a package's name its first file's module."""
        family = self._tables.families[file]
        found = self._packages.java_package(dotted, family)
        if found is None:
            return EXTERNAL
        package, rest = found
        if not rest:
            outer, _, name = dotted.rpartition(".")
            node = self._tables.named_in((family, outer), name, file) if family == "php" else None
            return self._package_node(package) if node is None else node
        first = self._tables.named_in(package, rest[0], file)
        if first is None and len(rest) > 1:
            # A function of a file of Kotlin, of the class that others call it of.
            first, rest = self._tables.named_in(package, ".".join(rest[:2]), file), rest[1:]
        return UNKNOWN if first is None else self._lookup.walk(first, rest[1:])

    def dotted_name(self, file: int, parts: list[str]) -> int:
        """Return what a dotted name of Java means of which the file knows no part; what is around C#'s comes first."""
        dotted = ".".join(parts)
        found = self._relative_name(file, dotted)
        return found if found >= 0 else self.java_name(dotted, file)

    def _relative_name(self, file: int, dotted: str) -> int:
        """Return what a dotted name of C# means that begins in the file's namespace or in one around it."""
        package = self._tables.package_of[file]
        if package is None or package[0] != _RELATIVE:
            return UNKNOWN
        around = package[1].split(".", _DEEPEST)[:_DEEPEST]
        inner = (".".join([*around[:length], dotted]) for length in range(len(around), 0, -1))
        return next((found for one in inner if (found := self.java_name(one, file)) >= 0), UNKNOWN)

    def php_name(self, file: int, parts: list[str]) -> int:
        """Return what a qualified name of PHP means: behind an imported name, in the file's own namespace, or whole."""
        if "\\" in parts[0]:
            parts = [*parts[0].split("\\"), *parts[1:]]
        if parts[0] == GLOBAL:
            is_own = self._tables.package_of[file] == _NO_NAMESPACE
            node = self._tables.top[file].get(parts[1]) if is_own else None
            node = self._tables.named_in(_NO_NAMESPACE, parts[1], file) if node is None else node
            return EXTERNAL if node is None else self._lookup.walk(node, parts[2:])
        fact, package = self._tables.imports[file].get(parts[0]), self._tables.package_of[file]
        outer = [package[1], parts[0]] if package is not None else parts[:1]
        if fact is not None:
            outer = [fact.module, fact.name]
        found = self.java_name(".".join([part for part in outer if part] + parts[1:]), file)
        # What an import says is nothing else's name.
        return found if found >= 0 or fact is not None else self.java_name(".".join(parts), file)

    def submodule(self, file: int, name: str) -> int:
        """Return the module ``name`` inside a package or module, UNKNOWN when there is none.

        Or what the stub beside a module of Python says that it makes while it runs.
        """
        family = self._tables.families[file]
        module = None
        if family == "python":
            module = self._python.submodule(file, name)
            stub = self._python.stub(file) if module is None else None
            if stub is not None:
                return self._lookup.visible(stub, name)
        elif family == "rust":
            module = self._rust.submodule(file, name)
        return UNKNOWN if module is None else self._tables.first_node[module]


def in_outer_packages(tables: Tables, package: Package, name: str, asking: int) -> int | None:
    """Return what C#'s outer namespaces, or PHP's global one, know of a name that a file asks for."""
    family, inner = package
    for _ in range(_DEEPEST):
        if not inner:
            break
        inner = inner.rpartition(".")[0] if family == "csharp" else ""
        node = tables.named_in((family, inner), name, asking)
        if node is not None:
            return node
    return None
