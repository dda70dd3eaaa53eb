"""The tables of all files of a repository at once."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ctxcode.codegraph.facts import FILE_CLASS, WHOLE, FileFacts, ImportFact
from ctxcode.codegraph.resolve.bindings import bindings_of, parameters_of, returns_of
from ctxcode.codegraph.resolve.modules.naming import family_of, module_names
from ctxcode.codegraph.resolve.named.common_names import is_told
from ctxcode.codegraph.resolve.nearest import Nearest
from ctxcode.codegraph.resolve.ruby.writers import written_by
from ctxcode.codegraph.resolve.tables import (
    CLASS_KINDS,
    Imports,
    Names,
    Package,
    Tables,
    imports_of,
    parents_of,
)
from ctxcode.model.naming.folder import is_aside_path


class WholeTables(Tables):
    """The tables of all files at once."""

    def __init__(self, files: Mapping[str, FileFacts], check: Callable[[], None] = lambda: None) -> None:
        """Take what files say; ``check`` is called before each."""
        super().__init__()
        self.paths = sorted(files)
        facts = [files[path] for path in self.paths]
        self.facts: list[FileFacts] = facts
        names = module_names(files)
        self.modules = [names[path] for path in self.paths]
        self.families = [family_of(each.language) for each in facts]
        self.package_of = [None] * len(facts)
        self.is_aside = [is_aside_path(path) for path in self.paths]
        self._packages: dict[Package, Names] = {}
        """Names at the top of a package's files, each as the first file has it."""
        self._namesakes: dict[tuple[Package, str], list[int]] = {}
        """Files to what they have alike at their top."""
        self._nearest = Nearest(self.paths, self.is_aside)
        self._again: dict[Package, dict[str, list[int]]] = {}
        returns, parameters = list[dict[int, str]](), list[dict[int, str]]()
        # What a module of CommonJS exports goes by that name in it, whatever it is.
        bound = _BoundNames({WHOLE}, set(), set())
        first_node, file_of = list[int](), list[int]()
        top, bindings = list[Names](), list[dict[int, dict[str, str]]]()
        imports, stars = list[dict[str, ImportFact]](), list[list[ImportFact]]()
        self.kinds, self.parents = [], []
        self.first_node, self.file_of, self.top = first_node, file_of, top
        self.bindings, self.imports, self.stars = bindings, imports, stars
        self.returns, self.parameters = returns, parameters
        self.names, self.variables, self.attributes = bound
        for file, each in enumerate(facts):
            check()
            first_node.append(len(self.kinds))
            file_of.extend([file] * len(each.symbols))
            self.kinds.extend([symbol.kind for symbol in each.symbols])
            self.parents.extend(parents_of(each, first_node[file]))
            top.append(self._definitions(file, each))
            bindings.append(bindings_of(each))
            returns.append(returns_of(each))
            parameters.append(parameters_of(each))
            named, everything = imports_of(each)
            imports.append(named)
            _collect(bound, each, bindings[file], named)
            stars.append(everything)
            self._add_package(file, each.package)
            package = self.package_of[file]
            if package is not None:
                self._add_names(package, file)
        first_node.append(len(self.kinds))

    def is_defined(self, family: str, name: str) -> bool:
        """Return whether a capitalised name is that of something at the top of a file, or of a method."""
        return (family, name) in self._defined

    def _add_names(self, package: Package, file: int) -> None:
        """Add a file's top-level names to those of its package."""
        shared = self._packages.setdefault(package, {})
        for name, node in self.top[file].items():
            first = shared.setdefault(name, node)
            if first != node:
                self._namesakes.setdefault((package, name), [self.file_of[first]]).append(file)

    def named_in(self, package: Package, name: str, asking: int) -> int | None:
        """Return what stands at the top of a package's files under a name; of several what is nearest to who asks."""
        several = self._namesakes.get((package, name))
        if several is not None:
            file = self._nearest.of((package, name), several, asking)
            return None if file is None else self.top[file][name]
        names = self._packages.get(package)
        return names.get(name) if names is not None else None

    def again_in(self, package: Package, name: str, qualname: str) -> Sequence[int]:
        """Return all definitions of a qualified name in a package's files."""
        del name
        known = self._again.get(package)
        if known is None:
            known = self._again[package] = defaultdict(list)
            for file in self.package_files[package]:
                for node, symbol in enumerate(self.facts[file].symbols, start=self.first_node[file]):
                    known[symbol.qualname].append(node)
        return known.get(qualname, ())

    @cached_property
    def _defined(self) -> set[tuple[str, str]]:
        files = zip(self.families, self.facts, strict=True)
        rows = ((family, symbol) for family, facts in files for symbol in facts.symbols if symbol.name[:1].isupper())
        return {(family, symbol.name) for family, symbol in rows if is_told(family, symbol)}


class _BoundNames(NamedTuple):
    """Names a repository's files give to something; see the attributes of Tables."""

    names: set[str]
    variables: set[str]
    attributes: set[str]


def _collect(bound: _BoundNames, facts: FileFacts, bindings: dict[int, dict[str, str]], named: Imports) -> None:
    """Add one file's names."""
    bound.names.update([symbol.name for symbol in facts.symbols])
    bound.names.update([name for _, name in written_by(facts)])
    if facts.language == "kotlin":
        bound.names.update([binding.type for binding in facts.bindings if binding.name == FILE_CLASS])
    for alias, fact in named.items():
        if alias != fact.name:
            bound.names.add(alias)
            bound.variables.add(alias)
    is_python = facts.language == "python"
    for scope, types in bindings.items():
        is_module, is_class = scope == 0, facts.symbols[scope].kind in CLASS_KINDS
        if is_module:
            bound.variables.update(types)
        elif is_class:
            bound.attributes.update([name.removeprefix("self.") for name in types])
        else:
            bound.attributes.update([name[1:] for name in types if name[0] == "."])
        # What a call gives may be a function, too, and objects of Python may be called.
        bound.names.update(
            [
                name.rpartition(".")[2]
                for name, known in types.items()
                if known[0] == "=" or known[-1] == ")" or is_python
            ]
        )
