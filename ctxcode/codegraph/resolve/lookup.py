"""What a name means where it stands."""

from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.resolve.naming import DOTTED_FAMILIES
from ctxcode.codegraph.resolve.qualified import QualifiedNames
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, GLOBAL_FAMILIES, Tables
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN, ImportTargets

_DEEPEST = 60
"""Re-exports of re-exports that are followed; a hostile chain ends here."""
_LONGEST_MRO = 200
_TYPE_ALIAS_KINDS = frozenset({"class", "interface", "trait", "struct", "enum", "type", "namespace"})


class Lookup:
    """Memoised look-up over the tables of one repository; answers are node numbers, UNKNOWN or EXTERNAL."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._targets = ImportTargets(tables, self)
        self._visible: list[dict[str, int]] = [{} for _ in tables.paths]
        self._stars: list[list[int] | None] = [None] * len(tables.paths)
        self._types: list[dict[str, int]] = [{} for _ in tables.paths]
        self._bases: dict[int, list[int]] = {}
        self._mros: dict[int, list[int]] = {}
        self._members: dict[int, dict[str, int]] = {}
        self._included: dict[int, set[int]] = {}
        self._depth = 0
        self._qualified = QualifiedNames(tables)
        self._base_names: dict[int, list[str]] = {}
        for file, facts in enumerate(tables.facts):
            first = tables.first_node[file]
            for symbol, name in facts.bases:
                self._base_names.setdefault(first + symbol, []).append(name)
        self._attach_orphans()

    def visible(self, file: int, name: str) -> int:
        """Return what a bare name means at the top of a file."""
        memo = self._visible[file]
        found = memo.get(name)
        if found is None:
            memo[name] = UNKNOWN  # ends circles of imports
            if self._depth < _DEEPEST:
                self._depth += 1
                found = self._find_visible(file, name)
                self._depth -= 1
            else:
                found = UNKNOWN
            memo[name] = found
        return found

    def exported(self, file: int, name: str) -> int:
        """Return what a module offers under a name: definitions, re-exports, then modules inside it."""
        found = self.visible(file, name)
        if found == UNKNOWN and self.tables.families[file] == "ecmascript":
            # CommonJS modules offer what stands in the object they assign to ``module.exports``.
            default = self.tables.top[file].get("default", -1)
            return self.tables.children.get(default, {}).get(name, UNKNOWN)
        if found == UNKNOWN and self.tables.families[file] == "lua":
            return self._in_tables(file, name)
        return found if found != UNKNOWN else self._targets.submodule(file, name)

    def _in_tables(self, file: int, name: str) -> int:
        """Return what the only table of a Lua module that has it offers."""
        children = self.tables.children
        owners = [node for node in self.tables.top[file].values() if name in children.get(node, ())]
        return children[owners[0]][name] if len(owners) == 1 else UNKNOWN

    def step(self, node: int, name: str) -> int:
        """Return what ``name`` means after a dot behind a node."""
        tables = self.tables
        if tables.parents[node] < 0:
            file = tables.file_of[node]
            package = tables.package_of[file]
            if package is not None and package[0] == "go":
                return tables.packages[package].get(name, UNKNOWN)
            return self.exported(file, name)
        if tables.kinds[node] in CLASS_KINDS:
            found = self.member(node, name)
        else:
            found = tables.children.get(node, {}).get(name, UNKNOWN)
        if found == UNKNOWN and self._qualified.is_global(node):
            found = self._qualified.inside(node, name)
        return found

    def member(self, owner: int, name: str) -> int:
        """Return a class's member, inherited ones too."""
        members = self._members.get(owner)
        if members is None:
            members = self._members[owner] = {}
        found = members.get(name)
        if found is None:
            children = self.tables.children
            found = UNKNOWN
            for link in self.mro(owner):
                if name in children.get(link, ()):
                    found = children[link][name]
                    break
            members[name] = found
        return found

    def mro(self, owner: int) -> list[int]:
        """Return a class and what it inherits from, nearest first; a shared base stands after all its heirs."""
        order = self._mros.get(owner)
        if order is None:
            order, pending = [], [owner]
            while pending and len(order) < _LONGEST_MRO:
                link = pending.pop()
                order.append(link)
                pending.extend(base for base in reversed(self.bases(link)) if base not in order)
            last = {link: position for position, link in enumerate(order)}
            order = self._mros[owner] = [link for position, link in enumerate(order) if last[link] == position]
        return order

    def bases(self, owner: int) -> list[int]:
        """Return a class's direct bases that are in the repository."""
        found = self._bases.get(owner)
        if found is None:
            self._bases[owner] = []  # ends circles of inheritance
            found = [base for base in (self.base(owner, name) for name in self.base_names(owner)) if base >= 0]
            if self._qualified.is_global(owner):
                found = [*self._qualified.other_parts(owner), *found]
            self._bases[owner] = found
        return found

    def included(self, file: int) -> set[int]:
        """Return the files a file includes, and those that these include."""
        found = self._included.get(file)
        if found is None:
            found = self._included[file] = set()
            pending = [file]
            while pending:
                at = pending.pop()
                self._in_stars(at, "")
                targets = {self.tables.file_of[target] for target in self._stars[at] or ()} - found
                found |= targets
                pending.extend(targets)
        return found

    def base_names(self, owner: int) -> list[str]:
        """Return a class's bases as written."""
        return self._base_names.get(owner, [])

    def base(self, owner: int, name: str) -> int:
        """Return what a base's name means for the class that names it."""
        file = self.tables.file_of[owner]
        found = self.type_in(owner, name)
        if found == owner:
            fact = self.tables.imports[file].get(name)
            found = self.import_target(file, fact) if fact is not None else UNKNOWN
        return found

    def type_in(self, node: int, name: str) -> int:
        """Return the type a dotted name means inside a definition."""
        first = name.partition(".")[0]
        parent = self.tables.parents[node]
        while parent >= 0 and self.tables.parents[parent] >= 0:
            found = self.tables.children.get(parent, {}).get(first)
            if found is not None and found != node:
                return self.walk(found, name.split(".")[1:])
            parent = self.tables.parents[parent]
        return self.type_at_top(self.tables.file_of[node], name)

    def type_at_top(self, file: int, name: str) -> int:
        """Return the type a dotted name means at the top of a file; UNKNOWN for what is no type."""
        memo = self._types[file]
        found = memo.get(name)
        if found is None:
            found = self.dotted(file, name.split("."))
            if found >= 0 and self.tables.kinds[found] not in _TYPE_ALIAS_KINDS:
                found = UNKNOWN
            memo[name] = found
        return found

    def dotted(self, file: int, parts: list[str]) -> int:
        """Return what a dotted name means at the top of a file."""
        first = parts[0]
        family = self.tables.families[file]
        if family == "rust":
            return self._targets.rust_path(file, parts)
        found = self.visible(file, first)
        fact = self.tables.imports[file].get(first) if len(parts) > 1 and family == "python" else None
        if fact is not None and not fact.name and "." in fact.module and fact.module.startswith(first + "."):
            return self._targets.python_chain(file, parts)
        if found == UNKNOWN and family in DOTTED_FAMILIES and len(parts) > 1:
            return self._targets.java_name(".".join(parts), family)
        return self.walk(found, parts[1:])

    def walk(self, node: int, parts: list[str]) -> int:
        """Return what the parts mean, one after the other, behind a node."""
        for part in parts:
            if node < 0:
                break
            node = self.step(node, part)
        return node

    def import_target(self, file: int, fact: ImportFact) -> int:
        """Return what an import binds: a module's node, a symbol's, or EXTERNAL."""
        found = self._targets.find(file, fact)
        # A name bound by an import that leads nowhere is nobody else's either.
        return found if found != UNKNOWN else EXTERNAL

    def _find_visible(self, file: int, name: str) -> int:
        tables = self.tables
        node = tables.top[file].get(name)
        if node is not None:
            return node
        fact = tables.imports[file].get(name)
        if fact is not None:
            return self.import_target(file, fact)
        package = tables.package_of[file]
        if package is not None:
            node = tables.packages[package].get(name)
            if node is None and package[0] in {"csharp", "php"}:
                node = self._in_outer_packages(package, name)
            if node is not None:
                return node
        if tables.families[file] == "rust":
            module = self._targets.submodule(file, name)
            if module != UNKNOWN:
                return module
        found = self._in_stars(file, name)
        if found == UNKNOWN and tables.families[file] in GLOBAL_FAMILIES:
            return self._qualified.seen_from(file, name)
        return found

    def _in_outer_packages(self, package: tuple[str, str], name: str) -> int | None:
        """Return what C#'s outer namespaces, or PHP's global one, know of a name."""
        family, inner = package
        while inner:
            inner = inner.rpartition(".")[0] if family == "csharp" else ""
            node = self.tables.packages.get((family, inner), {}).get(name)
            if node is not None:
                return node
        return None

    def _in_stars(self, file: int, name: str) -> int:
        """Return what a name means by the file's imports of everything."""
        if not self.tables.stars[file]:
            return UNKNOWN
        stars = self._stars[file]
        if stars is None:
            stars = self._stars[file] = []  # ends circles of stars
            targets = [self.import_target(file, fact) for fact in self.tables.stars[file]]
            stars.extend(target for target in targets if target >= 0)
        for target in stars:
            if self.tables.file_of[target] == file and self.tables.parents[target] < 0:
                continue
            package = self._java_package_of(target)
            found = self.tables.packages[package].get(name, UNKNOWN) if package else self.step(target, name)
            if found != UNKNOWN:
                return found
        return UNKNOWN

    def _java_package_of(self, target: int) -> tuple[str, str] | None:
        """Return the dotted package a module node stands for, when it stands for one."""
        package = self.tables.package_of[self.tables.file_of[target]]
        is_dotted = package is not None and package[0] in DOTTED_FAMILIES
        return package if is_dotted and self.tables.parents[target] < 0 else None

    def _attach_orphans(self) -> None:
        """Make methods that stand outside their type its members: Go receivers and Rust impl blocks."""
        tables = self.tables
        for node, type_name in tables.orphans:
            owner = self.visible(tables.file_of[node], type_name.rpartition(".")[2])
            if owner >= 0 and tables.kinds[owner] in CLASS_KINDS:
                members = tables.children.setdefault(owner, {})
                name = tables.name_of(node)
                if name not in members or tables.families[tables.file_of[node]] == "c":
                    # What C++ defines outside a class stands for its declaration inside.
                    members[name] = node
                tables.owners[node] = owner
