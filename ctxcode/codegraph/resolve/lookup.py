"""What a name means where it stands."""

from collections import defaultdict

from ctxcode.codegraph.facts import APPLIED, AT_TOP, BROUGHT, ImportFact
from ctxcode.codegraph.resolve.ecmascript.literals import Literals
from ctxcode.codegraph.resolve.linkage import Declarations
from ctxcode.codegraph.resolve.memory import Memory
from ctxcode.codegraph.resolve.modules.braces import taken_in
from ctxcode.codegraph.resolve.modules.inclusions import Inclusions, Saying
from ctxcode.codegraph.resolve.modules.macros import Macros
from ctxcode.codegraph.resolve.modules.naming import DOTTED_FAMILIES, PACKAGED
from ctxcode.codegraph.resolve.modules.scripts import AllScripts, Scripts
from ctxcode.codegraph.resolve.modules.stars import StarSearch
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT
from ctxcode.codegraph.resolve.named.concerns import Concerns
from ctxcode.codegraph.resolve.named.parts import (
    OfferedTables,
    base_names,
    in_tables,
    is_part,
    namesake,
    offered,
    other_parts,
)
from ctxcode.codegraph.resolve.objects.ancestry import order_of
from ctxcode.codegraph.resolve.objects.inherited import inherited
from ctxcode.codegraph.resolve.qualified import AllQualifiedNames, QualifiedNames
from ctxcode.codegraph.resolve.relations.fields import Fields
from ctxcode.codegraph.resolve.relations.namespaces import one_of, type_around, walk
from ctxcode.codegraph.resolve.relations.scopes import knows, scopes_around
from ctxcode.codegraph.resolve.rust.pointers import pointed_at
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, GLOBAL_FAMILIES, TYPE_PART, Tables
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN, ImportTargets, in_outer_packages

_NESTING = frozenset({"c", "csharp", "java", SWIFT})
"""Families in which types know the types inside them and inside what they inherit from."""
_RUBY = "ruby"
_INCLUDED = GLOBAL_FAMILIES - {_RUBY}
"""Families in which a file knows what the files that it includes know by their namespaces."""
_STANDING = PACKAGED | {"go"}
"""Families in which a file's node stands for its package."""
_NAMESPACED = ""
_BARE_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})
"""Bases from outside that bring no methods of their own."""
_TYPE_ALIAS_KINDS = CLASS_KINDS | {"namespace"}


class Lookup:
    """Memoised look-up over the tables of one repository; answers are node numbers, UNKNOWN or EXTERNAL."""

    def __init__(self, tables: Tables, qualified: QualifiedNames | None = None, scripts: Scripts | None = None) -> None:
        self.tables = tables
        self.targets = ImportTargets(tables, self)
        self._visible = defaultdict[int, dict[str, int]](dict)
        self._types = defaultdict[int, dict[str, int]](dict)
        self._bases, self._mros = dict[int, list[int]](), dict[int, list[int]]()
        self._open: dict[int, bool] = {}
        self.taken_in = defaultdict[int, dict[str, int]](dict)
        """What modules of Rust in braces offer of others, by node."""
        self._members: dict[int, dict[str, int]] = {}
        self.memory = Memory()
        self.literals = Literals(tables, self)
        self.stars = StarSearch(tables, self)
        self.qualified = AllQualifiedNames(tables) if qualified is None else qualified
        self.scripts = AllScripts(tables) if scripts is None else scripts
        self.concerns = Concerns(tables, self)
        self.fields = Fields(tables, self)
        self._declarations = Declarations(tables)
        self._tables_offered = OfferedTables(tables)
        self.inclusions = Inclusions(lambda file: {self.tables.file_of[node] for node in self.stars.targets(file)})
        self.tops = Saying(lambda file: (*tables.top[file], *tables.imports[file]))
        """What files of C, C++ and Ruby define at their top."""
        self.bound = Saying(lambda file: tables.bindings[file].get(0, ()))
        """What they bind there."""
        self._namespaced = Saying(lambda file: (_NAMESPACED,) if self.qualified.has_namespaces(file) else ())
        self._macros = Macros(tables, self.tops, self.inclusions)
        self._base_names: dict[int, dict[int, list[str]]] = {}

    def visible(self, file: int, name: str) -> int:
        """Return what a bare name means at the top of a file."""
        known = self._visible[file]
        found = known.get(name)
        if found is None:
            # What a file defines itself no circle leads to.
            found = self.tables.top[file].get(name)
            if found is None or self._is_elsewhere(file, name, found):
                return self.memory.find(known, name, UNKNOWN, lambda: self._find_visible(file, name))
            known[name] = found
        return found

    def called(self, file: int, name: str) -> int:
        """Return the same for what a file calls: no mere type of TypeScript; of C's functions its folder's."""
        found, family = self.visible(file, name), self.tables.families[file]
        if family == "ecmascript" and found >= 0 and self.tables.kinds[found] in {"interface", "type"}:
            return UNKNOWN
        return self.qualified.beside(file, name) if found == UNKNOWN and family == "c" else found

    def _is_elsewhere(self, file: int, name: str, node: int) -> bool:
        """Whether a file says by a name what stands elsewhere: ``exports.a = b``, a type of Swift it adds to."""
        family = self.tables.families[file]
        is_imported = family == "ecmascript" and name in self.tables.imports[file]
        return is_imported or (family == SWIFT and self.tables.kinds[node] == TYPE_PART)

    def exported(self, file: int, name: str) -> int:
        """Return what a module offers under a name: definitions, re-exports, then modules inside it."""
        family = self.tables.families[file]
        if family == "ecmascript":
            return self.literals.offered(file, name)
        found = self._tables_offered.member(file, name) if family == "lua" else UNKNOWN
        found = self.visible(file, name) if found == UNKNOWN else found
        return found if found != UNKNOWN else self.inside(file, name)

    def step(self, node: int, name: str) -> int:
        """Return what ``name`` means after a dot behind a node."""
        tables = self.tables
        if tables.parents[node] < 0:
            file = tables.file_of[node]
            package = tables.package_of[file]
            if package is not None and package[0] in _STANDING:
                found = tables.named_in(package, name, file)
                return UNKNOWN if found is None else found
            return self.exported(file, name)
        if tables.kinds[node] in CLASS_KINDS:
            found = self.member(node, name)
        elif self.literals.is_object(node):
            found = self.literals.member(node, name)
        else:
            found = tables.children.get(node, {}).get(name, UNKNOWN)
            if found == UNKNOWN and tables.kinds[node] == "namespace":
                found = taken_in(self, node, name)
        if found == UNKNOWN and self.qualified.is_global(node):
            found = self.qualified.inside(node, name)
        if found == UNKNOWN and self.scripts.is_global(node):
            found = self.scripts.inside(node, name)
        return found

    def member(self, owner: int, name: str) -> int:
        """Return a class's member, inherited ones too."""
        members = self._members.get(owner)
        if members is None:
            members = self._members[owner] = {}
        found = members.get(name)
        if found is None:
            found = self.memory.find(members, name, UNKNOWN, lambda: self._find_member(owner, name))
        return found

    def member_around(self, node: int, name: str) -> int:
        """Return the member of the innermost class around that has one of a name."""
        for owner in self.tables.classes_around(node):
            found = self.member(owner, name)
            if found >= 0 and found != owner:
                return found
        return UNKNOWN

    def mro(self, owner: int) -> list[int]:
        """Return a class and what it inherits from, nearest first; a shared base stands after all its heirs."""
        order = self._mros.get(owner)
        if order is None:
            order = self.memory.find(self._mros, owner, [owner], lambda: self._find_mro(owner))
        return order

    def bases(self, owner: int) -> list[int]:
        """Return a class's direct bases that are in the repository."""
        found = self._bases.get(owner)
        if found is None:
            found = self.memory.find(self._bases, owner, [], lambda: self._find_bases(owner))
        return found

    def is_open(self, owner: int) -> bool:
        """Whether a class inherits from something outside the repository, so that it has members nobody here sees."""
        found = self._open.get(owner)
        if found is None:
            found = self._open[owner] = any(
                name.rpartition(".")[2] not in _BARE_BASES and self.base(link, name) < 0
                for link in self.mro(owner)
                for name in self.base_names(link)
            )
        return found

    def may_be_told(self, file: int, name: str) -> bool:
        """Whether a file of C, or one that it includes, may know a name that is defined in none of them."""
        qualified = self.qualified
        if qualified.may_be_told("c", name):
            return True
        files = 0 if qualified.is_whole else 1 << file | self.inclusions.of(file)
        return bool(self._namespaced.among(files, _NAMESPACED))

    def nearness(self, file: int, node: int, name: str) -> int:
        """Return 0 when a name means a node of the same file or package, 1 when it is imported, 3 for all else.

        2 is for what is declared in the file, or in what it includes, and defined once in another that a linker adds;
        and for what one script defines and another says.
        """
        tables = self.tables
        target, package, named = tables.file_of[node], tables.package_of[file], tables.imports[file]
        if target == file or (package is not None and package == tables.package_of[target] and name not in named):
            return 0
        if file in tables.scripts or tables.families[file] == SWIFT:
            return 2 if file in tables.scripts else self.qualified.modules.nearness(file, target)
        if tables.families[file] not in GLOBAL_FAMILIES or name in named or self.inclusions.has(file, target):
            return 1
        is_linked = tables.families[file] == "c" and self._declarations.are_seen(file, node, self.inclusions)
        return 2 if is_linked and self.qualified.is_only(file, node) else 3

    def base_names(self, owner: int) -> list[str]:
        """Return a class's bases as written."""
        file = self.tables.file_of[owner]
        names = self._base_names.get(file)
        if names is None:
            names = self._base_names[file] = base_names(self.tables, file)
        return names.get(owner - self.tables.first_node[file], [])

    def base(self, owner: int, name: str) -> int:
        """Return what a base's name means for the class that names it; itself for a part of one."""
        name = name.removeprefix(BROUGHT)
        if is_part(self.tables, owner, (name,)):
            return owner
        found = self.type_in(owner, name)
        if found == owner:
            file = self.tables.file_of[owner]
            fact = self.tables.imports[file].get(name)
            found = self.import_target(file, fact) if fact is not None else namesake(self.tables, owner)
        elif found < 0 and (fact := self.tables.imports[self.tables.file_of[owner]].get(name)) is not None:
            found = offered(self.tables, self.import_target(self.tables.file_of[owner], fact), found)
        return found

    def type_in(self, node: int, name: str) -> int:
        """Return the type a dotted name means inside a definition."""
        first, tables = name.partition(".")[0], self.tables
        inherits = tables.families[tables.file_of[node]] in _NESTING
        local = tables.children.get(node, {}).get(first, node)
        is_local = tables.kinds[node] in {"function", "method"} and tables.kinds[local] in CLASS_KINDS
        is_first = is_local or (inherits and tables.kinds[node] == "method")
        for at in scopes_around(tables, node, is_first=is_first):
            found = tables.children.get(at, {}).get(first, UNKNOWN)
            if found == UNKNOWN and inherits and tables.kinds[at] in CLASS_KINDS:
                found = self.member(at, first)
            is_type = found >= 0 and found != node and tables.may_be_type(found)
            if is_type and (knows(tables, node, at) or self.visible(tables.file_of[node], first) == UNKNOWN):
                return self.walk(tables.made_on_the_spot.get(found, found), name.split(".")[1:])
        return type_around(self, node, name)

    def type_of_attribute(self, owner: int, name: str) -> int:
        """Return the type a dotted name means in the body of a class."""
        (first, *rest), found = name.split("."), UNKNOWN
        if self.tables.families[self.tables.file_of[owner]] in _NESTING:
            is_own = self.tables.name_of(owner) == first and owner not in self.tables.companions.objects
            found = owner if is_own else self.member(owner, first)
        is_type = found >= 0 and self.tables.kinds[found] in CLASS_KINDS
        return self.walk(found, rest) if is_type else self.type_in(owner, name)

    def type_at_top(self, file: int, name: str) -> int:
        """Return the type a dotted name means at the top of a file; UNKNOWN for what is no type."""
        found = self._types[file].get(name)
        if found is None:
            found = self.memory.find(self._types[file], name, UNKNOWN, lambda: self._find_type(file, name))
        return found

    def dotted(self, file: int, parts: list[str]) -> int:
        """Return what a dotted name means at the top of a file."""
        first, family = parts[0], self.tables.families[file]
        if family == "rust":
            return self.targets.rust_path(file, parts)
        if family == "php" and (len(parts) > 1 or "\\" in first):
            found = self.targets.php_name(file, parts)
            if found != EXTERNAL:
                return found
        if family == _RUBY and first == "Object" and len(parts) > 1:
            # What stands at the top, and nothing else: ``::File`` is no other module's.
            found = self.qualified.at_top(file, parts[1])
            return self.walk(found, parts[2:]) if found >= 0 else EXTERNAL
        found = self.visible(file, first)
        fact = self.tables.imports[file].get(first) if len(parts) > 1 and family == "python" else None
        if fact is not None and not fact.name and "." in fact.module and fact.module.startswith(first + "."):
            return self.targets.python_chain(file, parts)
        if found == UNKNOWN and family in DOTTED_FAMILIES and len(parts) > 1:
            return self.targets.dotted_name(file, parts)
        return walk(self, file, found, parts[1:])

    def walk(self, node: int, parts: list[str]) -> int:
        """Return what the parts mean, one after the other, behind a node."""
        for part in parts:
            if node < 0:
                break
            node = self.step(node, part)
        return node

    def import_target(self, file: int, fact: ImportFact) -> int:
        """Return what an import binds: a module's node, a symbol's, or EXTERNAL."""
        found = self.targets.find(file, fact)
        # A name bound by an import that leads nowhere is nobody else's either.
        return found if found != UNKNOWN else EXTERNAL

    def _find_member(self, owner: int, name: str) -> int:
        children = self.tables.children
        if name in children.get(owner, ()):
            # What it inherits may be told by what stands in it: ``class A; include A::Methods``.
            return children[owner][name]
        found = inherited(self, owner, name)
        companion = self.tables.companions.of(owner) if found == UNKNOWN else UNKNOWN
        return self.member(companion, name) if companion >= 0 else found

    def _find_mro(self, owner: int) -> list[int]:
        return order_of(owner, self.bases, self.mro, is_flat=self.tables.families[self.tables.file_of[owner]] == SWIFT)

    def _find_bases(self, owner: int) -> list[int]:
        found = other_parts(self.tables, owner, self.base_names)
        found += [base for name in self.base_names(owner) if (base := self.base(owner, name)) >= 0 and base != owner]
        if self.tables.kinds[owner] == "type":
            found += self.behind_alias(owner)
        # What Rust's pointers point at: their methods and its are called alike.
        target = pointed_at(self.tables, owner)
        found += self.behind_alias(target) if target is not None else []
        found += self.concerns.class_methods(owner)
        return [*self.qualified.other_parts(owner), *found] if self.qualified.is_global(owner) else found

    def points_anywhere(self, owner: int) -> bool:
        """Whether a type of Rust points at something that nothing here tells: ``type Target = T``."""
        target = pointed_at(self.tables, owner)
        return target is not None and not self.behind_alias(target)

    def has_anything(self, owner: int) -> bool:
        """Whether objects of a class of Python are asked for whatever they have not: ``__getattr__``."""
        return self.tables.families[self.tables.file_of[owner]] == "python" and self.member(owner, "__getattr__") >= 0

    def behind_alias(self, node: int) -> list[int]:
        """Return the type that another name of it stands for, as far as that is told."""
        file = self.tables.file_of[node]
        name = self.tables.returns[file].get(node - self.tables.first_node[file], "").partition(f"<{APPLIED}")[0]
        found = [self.type_in(node, one) for one in name.split("&")] if name and name[0] not in "?%@^" else []
        return [each for each in found if each >= 0 and each != node]

    def _find_type(self, file: int, name: str) -> int:
        found = self.dotted(file, name.removeprefix(AT_TOP).split("."))
        found = self.literals.meant(found if found != UNKNOWN else self.qualified.whole(file, name))
        found = self.tables.types_of.get(found, self.tables.made_on_the_spot.get(found, found))
        is_type = found < 0 or self.tables.kinds[found] in _TYPE_ALIAS_KINDS
        return one_of(self, file, name, found) if is_type else UNKNOWN

    def _find_visible(self, file: int, name: str) -> int:
        """Return what a name means that the file does not define."""
        found = self.named_in(file, name)
        if found == UNKNOWN and self.tables.families[file] == _RUBY:
            # What a file knows by the modules that it writes in, who requires it does not.
            found = self.qualified.seen_from(file, name)
        if found == UNKNOWN:
            found = self.seen_past(file, name, self.stars.find(file, name))
        found = self.scripts.seen_from(file, name) if found == UNKNOWN and file in self.tables.scripts else found
        is_macro = found >= 0 and self.tables.kinds[found] == "macro" and self.tables.families[file] == "c"
        return self._macros.outermost(file, found, name) if is_macro else found

    def named_in(self, file: int, name: str) -> int:
        """Return what a file, its package or its folder says of a name, without what it imports everything of."""
        tables = self.tables
        fact = tables.imports[file].get(name)
        if fact is not None:
            return self.import_target(file, fact)
        if name == "exports" and tables.families[file] == "ecmascript":
            return tables.first_node[file]
        package = tables.package_of[file]
        if package is not None:
            node = tables.named_in(package, name, file)
            if node is None and package[0] in {"csharp", "php"}:
                node = in_outer_packages(tables, package, name, file)
            if node is not None:
                return node
        return self.targets.submodule(file, name) if tables.families[file] == "rust" else UNKNOWN

    def seen_past(self, file: int, name: str, found: int) -> int:
        """Return what a name means, given what the imports of everything say: a macro stands behind all else."""
        tables = self.tables
        is_macro = found >= 0 and tables.kinds[found] == "macro"
        if tables.families[file] in _INCLUDED and (found == UNKNOWN or is_macro):
            known = self.qualified.seen_from(file, name)
            return known if known != UNKNOWN else found
        return found

    def offers(self, file: int) -> dict[str, int]:
        """Return what is known so far of what a module offers, by name."""
        return self.literals.known(file) if self.tables.families[file] == "ecmascript" else self._visible[file]

    def inside(self, file: int, name: str) -> int:
        """Return what stands in a module under a name that it does not know."""
        family = self.tables.families[file]
        if family == "ecmascript":
            return UNKNOWN
        return in_tables(self.tables, file, name) if family == "lua" else self.targets.submodule(file, name)

    def behind_macro(self, file: int, node: int, name: str) -> int:
        """Return what a call of a macro of C means: itself, or what it gives another name to.

        Where that is defined nowhere, the name is that of a function that the compiler was to see under the other.
        """
        first = self.tables.first_node[self.tables.file_of[node]]
        other = self.tables.returns[self.tables.file_of[node]].get(node - first)
        if other is None:
            return node
        found = self.called(file, other) if other != name else UNKNOWN
        return found if found >= 0 else self.qualified.seen_from(file, name)
