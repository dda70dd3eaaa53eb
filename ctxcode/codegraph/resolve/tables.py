"""The look-up tables of a whole repository: nodes, members, top-level names, packages."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import Protocol, TypeVar

from ctxcode.codegraph.facts import ALTERNATIVE, OWN, PARAMETERS, SCRIPT, FileFacts, ImportFact, SymbolFact
from ctxcode.codegraph.resolve.ecmascript.inner import attach_inner, is_rather_type, says_more
from ctxcode.codegraph.resolve.java.accessors import unwritten
from ctxcode.codegraph.resolve.java.file_classes import add_file_class
from ctxcode.codegraph.resolve.modules.inclusions import known_outside
from ctxcode.codegraph.resolve.modules.naming import DOTTED_FAMILIES
from ctxcode.codegraph.resolve.named.companions import Companions
from ctxcode.codegraph.resolve.ruby.writers import add_writers
from ctxcode.codegraph.resolve.rust.namesakes import is_module_of_file, is_rather_meant

TYPE_PART = "extension"
"""What holds members of a type that it does not define."""
CLASS_KINDS = frozenset({"class", "interface", "trait", "struct", "enum", "type", TYPE_PART})
SCOPE_KINDS = frozenset({"function", "method", "namespace", "module"})
VALUE_KINDS = frozenset({"constant", "variable"})
HOLDING_KINDS = {"ecmascript": VALUE_KINDS, "swift": frozenset({"field", "variable"})}
"""What has names of its own, too: what a call makes of a function, or what is computed."""
_CLOSED = frozenset({"php", "ruby"})
"""Families of languages whose functions know no variables but their own."""
_NO_TYPES = frozenset({"function", "field", "variant"})
_TYPED = frozenset({"go", "java", "csharp", "kotlin", "scala", "swift", "rust", "c", "php"})
"""Families in which neither a function nor a field holds a type."""
PACKAGE_FAMILIES = DOTTED_FAMILIES | {"go"}
GLOBAL_FAMILIES = frozenset({"c", "ruby", "swift"})
"""Families in which a name is known in files that import nothing: by its qualified name."""
OVERLOADED = frozenset({"java", "kotlin", "scala", "csharp", "swift"})
"""Languages in which a name can mean several functions, told apart by their parameters."""
EXTENSION = ":"
"""What stands before the name of a function that is called like a method of a type elsewhere, at the top of files."""
MOST_OVERLOADS = 60
"""Methods of one name among which is chosen; of more a call can mean any."""
_EXTENDING, _MAKING_BY_NAME = frozenset({"csharp", "kotlin"}), frozenset({"csharp", "java"})
_SHARING = frozenset({"kotlin", "python", "rust", "swift"})
"""Languages in which definitions at the top of a file may share a name, beside JavaScript's."""
_HELD = frozenset({"constant", "variable"})
EXTENDED = "this "
"""What stands before the type of what a function is called on that stands outside of that type."""
ORPHAN_KINDS = frozenset({"method", "function", "field", "constant"})

Names = dict[str, int]
Imports = dict[str, ImportFact]
Package = tuple[str, str]
"""(family, key)."""
_T_co = TypeVar("_T_co", covariant=True)


class ByFile(Protocol[_T_co]):
    """One value per file, by its number."""

    def __getitem__(self, file: int, /) -> _T_co: ...


class Tables(ABC):
    """Plain tables over dense node numbers; files are numbered by path, nodes by (path, position)."""

    paths: Sequence[str]
    modules: Sequence[str]
    families: Sequence[str]
    is_aside: Sequence[bool]
    facts: ByFile[FileFacts]
    first_node: Sequence[int]
    """Each file's module node, and after the last the number of all nodes."""
    file_of: Sequence[int]
    kinds: list[str]
    parents: list[int]
    """Each node's enclosing node; -1 for modules."""
    top: ByFile[Names]
    """Each file's top-level definitions; a later definition hides an earlier one."""
    bindings: ByFile[dict[int, dict[str, str]]]
    """Each file's local types: symbol index to name to type."""
    returns: ByFile[dict[int, str]]
    """What functions say that they return, by symbol index."""
    parameters: ByFile[dict[int, str]]
    """The types of the parameters of functions that can have overloads, by symbol index."""
    names: Container[str]
    """At least every name a definition goes by: a call of another one behind a dot leads nowhere."""
    variables: Container[str]
    """At least every name a module binds."""
    attributes: Container[str]
    """At least every name a class's objects bind."""
    imports: ByFile[dict[str, ImportFact]]
    stars: ByFile[list[ImportFact]]

    def __init__(self) -> None:
        self.children: dict[int, Names] = {}
        """Members of classes, local definitions of functions and namespaces."""
        self.orphans: list[tuple[int, str]] = []
        """(node, type name) of methods that stand outside their type, in a file that does not define it."""
        self.owners, self.guests = dict[int, int](), Counter[int]()
        """The types of those methods, once they are found, and how many a type has that are called like none inside."""
        self.inner_owners: dict[int, int] = {}
        """Methods of prototypes inside of functions to what has the prototype."""
        self.said_with: dict[int, int] = {}
        """Declarations of TypeScript to the ones of the same name that stand for all of them."""
        self.made_on_the_spot: dict[int, int] = {}
        """Variables of JavaScript to what a function that is called on the spot returns for them."""
        self.kept: dict[int, Names] = {}
        """What the objects have that functions and classes of JavaScript give it to by ``this``; Java's unwritten."""
        self.constructors, self.overloads = dict[int, list[int]](), dict[int, list[int]]()
        """Java's classes to what makes their objects, which no call names but ``this()`` and ``super()``, its methods
        to all of their name in their class, by the one that stands for them."""
        self.extensions, self.companions = dict[int, list[int]](), Companions()
        """C#'s and Kotlin's functions that extend types to all of their name in their file, by the first."""
        self.types_of, self.constants_of = dict[int, int](), dict[int, int]()
        self.namesakes = dict[int, dict[tuple[int, str], list[int]]]()
        """TypeScript's types and Java's constants by the value or method of their name; C++'s functions by place."""
        self.package_files, self.package_of = dict[Package, list[int]](), list[Package | None]()
        self.scripts: set[int] = set()
        """The files of JavaScript and TypeScript that are no modules."""

    @property
    def node_count(self) -> int:
        """How many symbols there are."""
        return len(self.kinds)

    @abstractmethod
    def is_defined(self, family: str, name: str) -> bool:
        """Return whether a capitalised name is that of something at the top of a file of a family, or of a method.

        Of methods those count that are called nothing common: what else there is of the name others can mean by it.
        """

    @abstractmethod
    def named_in(self, package: Package, name: str, asking: int) -> int | None:
        """Return what stands at the top of a package's files under a name; of several what is nearest to who asks."""

    @abstractmethod
    def again_in(self, package: Package, name: str, qualname: str) -> Sequence[int]:
        """Return all definitions of a qualified name in a package's files, in node order; ``name`` is its last part."""

    def may_be_type(self, node: int) -> bool:
        """Return whether a definition can be meant where a type is asked for: its members may be called like it."""
        kind = self.kinds[node]
        return kind != "method" and not (kind in _NO_TYPES and self.families[self.file_of[node]] in _TYPED)

    def is_closed(self, node: int, name: str) -> bool:
        """Return whether variables around a definition do not exist in it: a name is its own, or a definition's.

        In tests of Ruby they may: methods see what ``let`` binds around them.
        """
        file, is_variable = self.file_of[node], name[:1].islower() or name[:1] == "_"
        if not is_variable or self.kinds[node] not in {"function", "method"} or self.families[file] not in _CLOSED:
            return False
        return self.families[file] != "ruby" or not self.is_aside[file]

    def open_scopes(self, base: int, scopes: tuple[int, ...], name: str) -> tuple[int, ...]:
        """Return in which of the scopes around a call, innermost first, a name may be bound; 0 is that of the file.

        Scopes are counted from the file's first node, ``base``.
        """
        closed = next((place for place, scope in enumerate(scopes) if self.is_closed(base + scope, name)), None)
        return (*scopes, 0) if closed is None else scopes[: closed + 1]

    def is_attached(self, node: int) -> bool:
        """Return whether a method that stands outside its type is known to be that one's."""
        return node in self.owners or node in self.inner_owners

    def class_of(self, node: int) -> int | None:
        """Return the innermost class around a node, itself included."""
        kinds, parents, owners, inner = self.kinds, self.parents, self.owners, self.inner_owners
        while node >= 0:
            if kinds[node] in CLASS_KINDS:
                return node
            if node in owners or node in inner:
                return owners[node] if node in owners else inner[node]
            node = parents[node]
        return None

    def takes(self, node: int, count: int) -> bool:
        """Whether a method takes so many arguments; what it extends may be one of them."""
        return takes(self.parameters_of(node), count)

    def parameters_of(self, node: int) -> str:
        """Return the types of a method's parameters as written: ``int,String,Object...``."""
        file = self.file_of[node]
        return self.parameters[file].get(node - self.first_node[file], "")

    def classes_around(self, node: int) -> Iterator[int]:
        """Yield the classes around a node, the innermost first."""
        owner = self.class_of(node)
        while owner is not None:
            yield owner
            owner = self.class_of(self.parents[owner])

    def name_of(self, node: int) -> str:
        """Return a node's simple name."""
        file = self.file_of[node]
        return self.facts[file].symbols[node - self.first_node[file]].name

    def add_member(self, owner: int, node: int) -> None:
        """Make a method that stands outside its type a member of it."""
        members = self.children.setdefault(owner, {})
        name = self.name_of(node)
        self.guests[owner] += name not in members
        if name not in members or self.families[self.file_of[node]] == "c":
            # What C++ defines outside a class stands for its declaration inside.
            members[name] = node

    def _definitions(self, file: int, facts: FileFacts) -> Names:
        """Note the members of a file's definitions and its orphans; return what stands at its top."""
        base, symbols = self.first_node[file], facts.symbols
        top: Names = {}
        children, family = self.children, self.families[file]
        is_c, has_overloads, is_ecmascript = family == "c", facts.language in OVERLOADED, family == "ecmascript"
        orphan_kinds = ORPHAN_KINDS | {"variable", "class"} if is_ecmascript else ORPHAN_KINDS
        is_rust, shares_names = family == "rust", is_ecmascript or facts.language in _SHARING
        modules = {fact.alias for fact in facts.imports if is_module_of_file(fact)} if is_rust else ()
        for node, symbol in enumerate(symbols, start=base):
            parent = symbol.parent
            if parent < 0 or symbol.kind == "field" or (symbol.kind == "variable" and family in {"bash", "php"}):
                # No bare name means one of these, and they share names with what can be called.
                continue
            if parent == 0:
                if "." in symbol.qualname and symbol.kind in orphan_kinds:
                    self.orphans.append((node, symbol.qualname.rpartition(".")[0]))
                elif shares_names:
                    self._add_at_top(top, node, symbol, file, modules)
                elif symbol.kind != TYPE_PART or symbol.name not in top:
                    top[symbol.name] = node
                continue
            may_stand_outside = is_c or (is_rust and symbols[parent].kind == "namespace")
            is_own = not may_stand_outside or symbol.qualname == f"{symbols[parent].qualname}.{symbol.name}"
            if not is_own and symbol.kind in ORPHAN_KINDS:
                self.orphans.append((node, symbol.qualname.rpartition(".")[0]))
                continue
            members = children.setdefault(base + parent, {})
            is_held = is_ecmascript and self._is_held(members, node, symbol, symbols[parent].kind)
            if has_overloads and symbol.kind in {"constant", "method"}:
                is_maker = facts.language in _MAKING_BY_NAME and symbol.name == symbols[parent].name
                self._add_overload(members, base + parent, node, is_maker=is_maker)
            elif is_rust or is_held or symbol.kind == TYPE_PART:
                # A Rust type's own methods stand before those of its traits.
                members.setdefault(symbol.name, node)
            else:
                members[symbol.name] = node
        for around, at in known_outside(facts) if is_c else ():
            (children.setdefault(base + around, {}) if around else top).setdefault(symbols[at].name, base + at)
        self._add_extensions(top, file, facts)
        add_file_class(top, self.paths[file], facts, base) if facts.language == "kotlin" else None
        add_writers(facts, base, children)
        self.companions.join(facts, base, top, self.children)
        self._put_first(base, facts)
        self.kept.update(unwritten(facts, base, children))
        if is_ecmascript:
            attach_inner(self, base, facts, CLASS_KINDS)
        return top

    def _is_held(self, members: Names, node: int, symbol: SymbolFact, around: str) -> bool:
        """Whether a member of JavaScript hides no other one, given the kind of what it is in; join what both hold.

        Nothing that says more of a name hides it, nothing that an object in a function is made of a name of the
        function's own, no namespace a value, and nothing in one a method of its class.
        """
        known = self.kinds[members.get(symbol.name, node)]
        if symbol.name in members and self._says_with(members[symbol.name], node):
            return says_more(symbol.kind, known)
        if symbol.kind == "namespace":
            return True
        return known == "method" if around == "namespace" else symbol.kind == "method" and around in SCOPE_KINDS

    def _says_with(self, known: int, node: int) -> bool:
        """Whether two declarations say together what one name holds; the later class, else the first, stands for it."""
        is_more = says_more(self.kinds[node], self.kinds[known])
        if not is_more and not says_more(self.kinds[known], self.kinds[node]):
            return False
        self.children[node] = self.children.setdefault(known, {})
        self.said_with[node if is_more else known] = known if is_more else node
        return True

    def _put_first(self, base: int, facts: FileFacts) -> None:
        """Let what a type of Rust has of its own stand before what its traits give it by the same name."""
        for scope, name, owner in reversed(facts.bindings) if facts.language == "rust" else ():
            if name == ALTERNATIVE and owner == OWN:
                symbol = facts.symbols[scope]
                members = self.children.get(base + symbol.parent, {})
                if symbol.name in members:
                    members[symbol.name] = base + scope

    def _add_of_rust(self, top: Names, node: int, symbol: SymbolFact, modules: Container[str]) -> None:
        known = top.get(symbol.name)
        is_type_again = known is not None and symbol.kind in CLASS_KINDS and self.kinds[known] in CLASS_KINDS
        # Of a type that is written for several systems the first has the methods; what stands in a file and in brackets
        # is the latter for other systems.
        if not is_type_again and (symbol.name not in modules or symbol.kind != "namespace"):
            top[symbol.name] = node

    def _add_extensions(self, top: Names, file: int, facts: FileFacts) -> None:
        """Note the functions of a file that can be called like methods wherever it is known."""
        symbols, base = facts.symbols, self.first_node[file]
        for scope, name, bound_type in facts.bindings if facts.language in _EXTENDING else ():
            is_outside = facts.language == "csharp" or symbols[scope].parent <= 0
            if name == PARAMETERS and bound_type.startswith(EXTENDED) and is_outside:
                first = top.setdefault(f"{EXTENSION}{symbols[scope].name}", base + scope)
                self.extensions.setdefault(first, []).append(base + scope)

    def _add_overload(self, members: Names, owner: int, node: int, *, is_maker: bool) -> None:
        """Note a constructor, or a method with those of its name in its class; a constant stands behind them."""
        kind = self.kinds[node]
        if is_maker and kind == "method":
            self.constructors.setdefault(owner, []).append(node)
            return
        first = members.setdefault(name := self.name_of(node), node)
        if kind == "method" and self.kinds[first] == "constant":
            self.constants_of[node], members[name] = first, node
        elif kind == "constant" and self.kinds[first] == "method":
            self.constants_of[first] = node
        elif first != node and self.kinds[first] == kind != "constant":
            self.overloads.setdefault(first, [first]).append(node)

    def _add_beside(self, top: Names, node: int, symbol: SymbolFact, first: int) -> None:
        """Add the same of Kotlin or Swift: what is added to a type, a property, say, hides nothing called like it."""
        if symbol.kind == "function":
            if self.kinds[top.get(symbol.name, node)] in _HELD:
                del top[symbol.name]
            self._add_overload(top, first, node, is_maker=False)
        elif (symbol.kind == TYPE_PART) != ("." in symbol.qualname):
            top.setdefault(symbol.name, node)
        elif symbol.kind != TYPE_PART:  # One inside of another type is known by its whole name alone.
            top[symbol.name] = node

    def _add_at_top(self, top: Names, node: int, symbol: SymbolFact, file: int, modules: Container[str]) -> None:
        """Add what stands at the top of a file, given the modules of Rust that are files of their own.

        TypeScript's types may be called like values, Kotlin has overloads.
        """
        family = self.families[file]
        if family == "rust":
            self._add_of_rust(top, node, symbol, modules)
            return
        if family == "python":
            if symbol.kind != "type" or symbol.name not in top:
                # A class that is given its own name again is decorated.
                top[symbol.name] = node
            return
        if family != "ecmascript":
            self._add_beside(top, node, symbol, self.first_node[file])
            return
        known = top.get(symbol.name)
        if symbol.kind == "method" or (symbol.kind == TYPE_PART and known is not None):
            return
        told = known if known is None else self.types_of.get(known, known)
        if told is not None and self._says_with(told, node):
            if says_more(symbol.kind, self.kinds[told]):
                return
        elif known is not None and self.kinds[known] != TYPE_PART:
            kind = self.kinds[known]
            is_type, was_type = is_rather_type(symbol.kind, kind), is_rather_type(kind, symbol.kind)
            if is_type != was_type:
                node, other = (known, node) if is_type else (node, known)
                self.types_of[node] = other
        top[symbol.name] = node

    def _add_package(self, file: int, package: str) -> None:
        """Note which package a file belongs to, given the one it declares."""
        family = self.families[file]
        if package == SCRIPT and family == "ecmascript":
            self.scripts.add(file)
        if family not in PACKAGE_FAMILIES:
            return
        folder = self.paths[file].rpartition("/")[0]
        key = (family, f"{folder}:{package}" if family == "go" else package)
        self.package_of[file] = key
        self.package_files.setdefault(key, []).append(file)


def takes(written: str, count: int) -> bool:
    """Whether what has some parameters takes so many arguments; what it extends may be one of them."""
    most = written.count(",") + 1 if written else 0
    if count == most or (count > most and "..." not in written):
        return count == most
    return most - written.count("=") - written.count("...") - written.startswith(EXTENDED) <= count


def is_extension(tables: Tables, node: int) -> bool:
    """Whether a function is called like a method of a type that it stands outside of."""
    return tables.parameters_of(node).startswith(EXTENDED)


def parents_of(facts: FileFacts, base: int) -> list[int]:
    """Return the node around each symbol of a file whose module is node ``base``."""
    return [base + symbol.parent if symbol.parent >= 0 else -1 for symbol in facts.symbols]


def imports_of(facts: FileFacts) -> tuple[dict[str, ImportFact], list[ImportFact]]:
    """Return a file's imports by the name they bind, and those of everything."""
    named: dict[str, ImportFact] = {}
    stars: list[ImportFact] = []
    for fact in facts.imports:
        if fact.name == "*":
            stars.append(fact)
        elif fact.alias and (fact.alias not in named or is_rather_meant(fact, named[fact.alias])):
            named[fact.alias] = fact
    return named, stars
