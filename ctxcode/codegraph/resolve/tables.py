"""The look-up tables of a whole repository: nodes, members, top-level names, packages."""

from collections.abc import Mapping

from ctxcode.codegraph.facts import FileFacts, ImportFact
from ctxcode.codegraph.resolve.naming import DOTTED_FAMILIES, family_of, module_names
from ctxcode.codegraph.resolve.places import is_aside

CLASS_KINDS = frozenset({"class", "interface", "trait", "struct", "enum", "type"})
SCOPE_KINDS = frozenset({"function", "method", "namespace", "module"})
PACKAGE_FAMILIES = DOTTED_FAMILIES | {"go"}
GLOBAL_FAMILIES = frozenset({"c", "ruby", "swift"})
"""Families in which a name is known in files that import nothing: by its qualified name."""
_ORPHAN_KINDS = frozenset({"method", "function", "field", "constant"})

Names = dict[str, int]


class Tables:
    """Plain tables over dense node numbers; files are numbered by path, nodes by (path, position)."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self.paths = sorted(files)
        self.facts = [files[path] for path in self.paths]
        names = module_names(files)
        self.modules = [names[path] for path in self.paths]
        self.families = [family_of(facts.language) for facts in self.facts]
        self.is_aside = [is_aside(path) for path in self.paths]
        self.first_node: list[int] = []
        """Each file's module node, and after the last the number of all nodes."""
        self.file_of: list[int] = []
        self.kinds: list[str] = []
        self.parents: list[int] = []
        """Each node's enclosing node; -1 for modules."""
        self.top: list[Names] = []
        """Each file's top-level definitions; a later definition hides an earlier one."""
        self.children: dict[int, Names] = {}
        """Members of classes, local definitions of functions and namespaces."""
        self.orphans: list[tuple[int, str]] = []
        """(node, type name) of methods that stand outside their type, in a file that does not define it."""
        self.owners: dict[int, int] = {}
        """The types of those methods, once they are found."""
        self.bindings: list[dict[int, dict[str, str]]] = []
        """Each file's local types: symbol index to name to type."""
        self.imports: list[dict[str, ImportFact]] = []
        self.stars: list[list[ImportFact]] = []
        self.packages: dict[tuple[str, str], Names] = {}
        """Top-level names of a package that spans files: (family, package key) to names."""
        self.package_files: dict[tuple[str, str], list[int]] = {}
        self.package_of: list[tuple[str, str] | None] = []
        for file, facts in enumerate(self.facts):
            self._add_symbols(file, facts)
            self._add_names(file, facts)
        self.first_node.append(len(self.kinds))

    @property
    def node_count(self) -> int:
        """How many symbols there are."""
        return len(self.kinds)

    def class_of(self, node: int) -> int | None:
        """Return the innermost class around a node, itself included."""
        kinds, parents, owners = self.kinds, self.parents, self.owners
        while node >= 0:
            if kinds[node] in CLASS_KINDS:
                return node
            if node in owners:
                return owners[node]
            node = parents[node]
        return None

    def name_of(self, node: int) -> str:
        """Return a node's simple name."""
        file = self.file_of[node]
        return self.facts[file].symbols[node - self.first_node[file]].name

    def _add_symbols(self, file: int, facts: FileFacts) -> None:
        base = len(self.kinds)
        symbols = facts.symbols
        self.first_node.append(base)
        self.file_of.extend([file] * len(symbols))
        self.kinds.extend([symbol.kind for symbol in symbols])
        self.parents.extend([base + symbol.parent if symbol.parent >= 0 else -1 for symbol in symbols])
        top: Names = {}
        children, is_c = self.children, self.families[file] == "c"
        for node, symbol in enumerate(symbols, start=base):
            parent = symbol.parent
            if parent < 0 or symbol.kind == "field":
                # A call never means a field, and fields share names with methods.
                continue
            if parent == 0:
                qualname = symbol.qualname
                if "." in qualname and symbol.kind in _ORPHAN_KINDS:
                    self.orphans.append((node, qualname.rpartition(".")[0]))
                else:
                    top[symbol.name] = node
                continue
            if is_c and symbol.kind in _ORPHAN_KINDS and symbol.qualname != f"{symbols[parent].qualname}.{symbol.name}":
                self.orphans.append((node, symbol.qualname.rpartition(".")[0]))
                continue
            members = children.get(base + parent)
            if members is None:
                members = children[base + parent] = {}
            members[symbol.name] = node
        self.top.append(top)

    def _add_names(self, file: int, facts: FileFacts) -> None:
        bindings: dict[int, dict[str, str]] = {}
        for scope, name, bound_type in facts.bindings:
            bindings.setdefault(scope, {}).setdefault(name, bound_type)
        self.bindings.append(bindings)
        named: dict[str, ImportFact] = {}
        stars: list[ImportFact] = []
        for fact in facts.imports:
            if fact.name == "*":
                stars.append(fact)
            elif fact.alias:
                named[fact.alias] = fact
        self.imports.append(named)
        self.stars.append(stars)
        self._add_package(file, facts)

    def _add_package(self, file: int, facts: FileFacts) -> None:
        family = self.families[file]
        if family not in PACKAGE_FAMILIES:
            self.package_of.append(None)
            return
        folder = self.paths[file].rpartition("/")[0]
        key = (family, f"{folder}:{facts.package}" if family == "go" else facts.package)
        self.package_of.append(key)
        self.package_files.setdefault(key, []).append(file)
        shared = self.packages.setdefault(key, {})
        for name, node in self.top[file].items():
            shared.setdefault(name, node)
