"""What a call can mean when all that is known of it is a name."""

from collections.abc import Sequence
from functools import partial
from sys import maxsize

from ctxcode.codegraph.edges import Tier
from ctxcode.codegraph.extract.expressions import EACH, ITSELF
from ctxcode.codegraph.resolve.labels.taking import LABELLED, is_possible, takes
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Candidates, Found, Named, few, shared
from ctxcode.codegraph.resolve.named.common_names import given_functions, is_common, is_of_all_files, is_of_browser
from ctxcode.codegraph.resolve.tables import TYPE_PART
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN
from ctxcode.model.naming.folder import is_test_path

_MOST_ASKED = 60
_GIVEN = "props"
_PHP = "php"
_CALLING_FIELDS = frozenset({"ecmascript", "python"})
"""Families in which what a class keeps under a name is called like a method of that name."""
_NAMED_TIERS = (Tier.CALLS_IN_SCOPE, Tier.CALLS_IMPORTED, Tier.CALLS_LINKED, Tier.CALLS_UNIQUE_NAME)
"""By nearness."""


class NamesAlone:
    """The definitions that calls of one file can mean by their names."""

    def __init__(self, lookup: Lookup, candidates: Candidates, file: int) -> None:
        self._lookup = lookup
        self._candidates = candidates
        self._file = file
        self._tables = lookup.tables
        self._symbols = lookup.tables.facts[file].symbols
        self._last = lookup.tables.first_node[file + 1] - 1
        self._family = lookup.tables.families[file]
        self._given = given_functions(lookup.tables.facts[file].language)
        self.receiver = ""
        """What stands before the call at hand."""
        self.is_bare = False
        """Whether nothing stands before it, in languages with overloads."""
        self.arguments = ""
        """What its arguments look like, in languages with labels."""
        self._of_traits: dict[str, Found] = {}
        self._several: dict[str, list[int]] = {}
        self._in_modules: dict[str, list[tuple[int, int, int]]] | None = None
        self._fields: dict[int, frozenset[tuple[int, str]]] = {}

    def at_top(self, name: str) -> Found:
        """Return what C++ means by a name behind nothing but colons; of other languages the same as by the name."""
        if self._family != "c":
            return self.find(name)
        node = self._lookup.qualified.at_top(self._file, name)
        return ((node,), _NAMED_TIERS[self._lookup.nearness(self._file, node, name)]) if node >= 0 else NOTHING

    def functions(self, name: str) -> Found:
        """Return the one free function of a name, or a few, in families where every file knows them."""
        return self._few(self._candidates.functions, name)

    def taking(self, found: Found, caller: int, name: str) -> Found:
        """Return what was found at the top of a file; nothing for what does not take arguments of such labels.

        What stands in a namespace of C++ is known in that; what tests of PHP define, the product does not know.
        """
        if self._family == "c":
            return self._in_namespace(found, caller, name)
        if self._family == _PHP and found[0]:
            return self._in_php(found, name)
        is_any = self._family != LABELLED or not found[0] or is_possible(self._tables, found[0][0], self.arguments)
        return found if is_any else NOTHING

    def _in_php(self, found: Found, name: str) -> Found:
        """Return what a call of PHP can mean: the language's own function as well where one stands in for that.

        What tests define, the product does not call.
        """
        tables, node = self._tables, found[0][0]
        if tables.kinds[node] != "function":
            return found
        path, own = tables.paths[tables.file_of[node]], tables.paths[self._file]
        if is_test_path(path) and not is_test_path(own):
            return NOTHING
        is_standing_in = name in self._given and not tables.facts[tables.file_of[node]].package
        return (found[0], Tier.CALLS_UNIQUE_NAME) if is_standing_in else found

    def _in_namespace(self, found: Found, caller: int, name: str) -> Found:
        tables, qualified = self._tables, self._lookup.qualified
        if said := qualified.said_in(caller, name):
            if found[0] and tables.first_node[self._file] < found[0][0] < caller < min(said) <= self._last:
                # What is defined further down may not be declared above.
                said = [found[0][0], *said]
            return shared([((node,), _NAMED_TIERS[self._lookup.nearness(self._file, node, name)]) for node in said])
        if not found[0] or tables.kinds[tables.parents[found[0][0]]] != "namespace":
            return found
        several = self._several.get(name)
        if several is None:
            several = self._several[name] = qualified.in_several(self._file, name)
        # Which namespace a file uses is not told.
        return shared([((node,), found[1]) for node in several]) if len(several) > 1 else found

    def of_all_files(self, name: str) -> Found:
        """Return the same of a name that other files may have brought in, unseen: Bash's."""
        return self.functions(name) if is_of_all_files(self._family, name) else NOTHING

    def find(self, name: str) -> Found:
        """Return the one method of a name, or a few, if the language's own types have none.

        What a component of React is given are functions of who shows it.
        """
        if self._family == "ecmascript" and self.receiver.rpartition(".")[2] == _GIVEN:
            return NOTHING
        is_given = self.is_bare and name in self._given
        found = NOTHING if is_given or is_common(self._family, name) else self._few(self._candidates.methods, name)
        if found[0] and self._is_too_little(found):
            return NOTHING
        return self._candidates.likely(found, self._family, self.receiver, name) if found[0] else found

    def _is_too_little(self, found: Found) -> bool:
        """Whether a name says too little: one that is passed around means none of several, what is sent any method."""
        if self.receiver.endswith(ITSELF):
            return True
        return len(found[0]) > 1 and self._family == "ruby" and self.receiver.endswith(EACH)

    def of_self(self, owner: int, name: str) -> Found:
        """Return the method of a name that an object of a class may call on itself, though the class has none.

        Where the class has a field of that name, that can only be what its heirs have instead, or what it inherits.
        """
        found = self.of_trait(name)
        if found[0] or self._lookup.is_open(owner) or self._family == LABELLED:
            return found
        nodes, tier = self.find(name)
        if nodes and self._keeps(owner, name):
            nodes = tuple([node for node in nodes if self._are_related(self._tables.class_of(node), owner)])
        return (nodes, tier) if nodes else NOTHING

    def _are_related(self, one: int | None, other: int) -> bool:
        return one is not None and (other in self._lookup.mro(one) or one in self._lookup.mro(other))

    def _keeps(self, owner: int, name: str) -> bool:
        """Whether a class, or what it inherits from, has a field of a name, whatever that holds."""
        if self._family not in _CALLING_FIELDS:
            return False
        tables = self._tables
        for link in self._lookup.mro(owner):
            file = tables.file_of[link]
            if file not in self._fields:
                symbols = tables.facts[file].symbols
                self._fields[file] = frozenset((one.parent, one.name) for one in symbols if one.kind == "field")
            if (link - tables.first_node[file], name) in self._fields[file]:
                return True
        return False

    def behind(self, parts: list[str], name: str) -> Found:
        """Return the same behind a receiver bound to nothing known: a local variable, or an attribute of one.

        A capitalised name is a type the language or a prelude brings: ``Object``, ``Vec``, ``Math``.
        """
        is_browser = self._family == "ecmascript" and is_of_browser(parts)
        is_standard = is_browser or (parts[0] == "std" and self._family == "c")
        if is_standard or parts[0][:1].isupper() or self._lookup.visible(self._file, parts[0]) == EXTERNAL:
            return NOTHING
        return self.find(name)

    def in_module(self, caller: int, name: str) -> Found:
        """Return the function of a name in the innermost of Rust's modules in brackets that a method is written in.

        What a method belongs to is its type, wherever its block stands.
        """
        if self._family != "rust" or self._tables.kinds[caller] != "method":
            return NOTHING
        if self._in_modules is None:
            self._in_modules = self._functions_in_modules()
        line = self._symbols[caller - self._tables.first_node[self._file]].header_line
        found = self._in_modules.get(name, ())
        around = [node for start, end, node in found if start <= line < end] if len(found) <= _MOST_ASKED else []
        return ((around[-1],), Tier.CALLS_IN_SCOPE) if around else NOTHING

    def _functions_in_modules(self) -> dict[str, list[tuple[int, int, int]]]:
        """Return where the module of each function begins and ends, as far as is known: what is beside it has begun."""
        tables, symbols = self._tables, self._symbols
        found: dict[str, list[tuple[int, int, int]]] = {}
        ends, begun = dict[int, int](), dict[int, int]()
        for position in range(len(symbols) - 1, 0, -1):
            ends[position] = begun.get(symbols[position].parent, maxsize)
            begun[symbols[position].parent] = symbols[position].header_line
        for position, symbol in enumerate(symbols):
            if symbol.kind == "function" and symbols[symbol.parent].kind == "namespace":
                rows = found.setdefault(symbol.name, [])
                node = tables.first_node[self._file] + position
                rows.append((symbols[symbol.parent].header_line, ends[symbol.parent], node))
        return found

    def of_trait(self, name: str) -> Found:
        """Return the method that a trait of Rust's in scope gives to types that stand elsewhere."""
        if self._family != "rust" or is_common(self._family, name):
            return NOTHING
        found = self._of_traits.get(name)
        if found is None:
            found = self._of_traits[name] = self._find_of_trait(name)
        return found

    def of_outside(self, name: str) -> Found:
        """Return the method that Rust's traits, or what extends types in Swift, give to something from outside."""
        if self._family != LABELLED:
            return self.of_trait(name)
        nodes, tier = self.find(name)
        given = tuple([node for node in nodes if self._is_added(node)])
        return (given, tier) if given else NOTHING

    def _is_added(self, method: int) -> bool:
        """Whether a method is one of those that are added to a type that nobody defines here."""
        tables, part = self._tables, self._tables.parents[method]
        parts = [part, *self._lookup.qualified.other_parts(part)] if tables.kinds[part] == TYPE_PART else []
        return bool(parts) and all(tables.kinds[each] == TYPE_PART for each in parts)

    def _find_of_trait(self, name: str) -> Found:
        methods = self._candidates.methods(self._family, name, is_aside=False)
        traits = {self._trait_of(node, name) for node in methods} if len(methods) <= _MOST_ASKED else set[int]()
        # A type's own method of the name, or another trait's, may be meant as well.
        trait = traits.pop() if len(traits) == 1 else UNKNOWN
        if trait < 0 or not self._is_seen(trait):
            return NOTHING
        return (self._tables.children[trait][name],), Tier.CALLS_UNIQUE_NAME

    def _trait_of(self, method: int, name: str) -> int:
        """Return the trait that declares a method, or what a type's method implements; UNKNOWN for none."""
        tables, owner = self._tables, self._tables.class_of(method)
        links = self._lookup.mro(owner) if owner is not None else ()
        declaring = (link for link in links if tables.kinds[link] == "trait" and name in tables.children.get(link, ()))
        return next(declaring, UNKNOWN)

    def _is_seen(self, trait: int) -> bool:
        """Whether a trait is in scope: its methods can't be called elsewhere."""
        if self._tables.file_of[trait] == self._file:
            return True
        name = self._tables.name_of(trait)
        # What an import of everything brings may change without a word of this file's.
        return name in self._tables.imports[self._file] and self._lookup.visible(self._file, name) == trait

    def _few(self, named: Named, name: str) -> Found:
        named = partial(self._taking, named) if self._family == LABELLED else named
        return few(named, self._family, name, is_of_tests=self._tables.is_aside[self._file])

    def _taking(self, named: Named, family: str, name: str, *, is_aside: bool) -> Sequence[int]:
        """Return the definitions of a name that the file sees and that take the arguments of the call at hand."""
        modules, nodes = self._lookup.qualified.modules, named(family, name, is_aside=is_aside)
        seen = [node for node in nodes if modules.is_seen(self._file, node)]
        # Of a type's methods the first of a name stands for all.
        kinds, tables = self._tables.kinds, self._tables
        fits = [(takes if kinds[node] == "function" else is_possible)(tables, node, self.arguments) for node in seen]
        return [node for node, is_fit in zip(seen, fits, strict=True) if is_fit]
