"""What a test tests: what its name says, and the few things of the product it uses."""

import re
from functools import cached_property

from ctxcode.codegraph.edges import MOST_CANDIDATES, MOST_TESTED, TIERS, FoundEdges, Tier
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import Candidates
from ctxcode.codegraph.resolve.nearest import NamedAfter
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables
from ctxcode.model.naming.folder import is_test_path
from ctxcode.model.naming.words import words_in
from ctxcode.model.symbol import EdgeKind

_SUREST = 0.85
"""Calls found with less say nothing of what is tested."""
_USES = frozenset({EdgeKind.CALLS, EdgeKind.IMPORTS})
_SURE_USES = frozenset(
    tier for tier, (kind, _, confidence) in enumerate(TIERS) if kind in _USES and confidence >= _SUREST
)
_FUNCTIONS = frozenset({"function", "method"})
_TEST_WORDS = frozenset({"test", "tests", "testing", "spec", "specs", "it", "should", "case"})
_MARKED_FAMILIES = frozenset({"python", "go"})
"""Families whose tests begin with a word that says so."""
_MARK = re.compile(r"_*(?:test|should|it_|spec|example|benchmark|fuzz)", re.IGNORECASE)
_AROUND = re.compile(r"^(?:Test|Spec)(?=[A-Z])|(?:Tests?|TestCase|Specs?|IT)$")
"""What test classes add to the name of the type they are called after."""
_TEST_MODULES = frozenset({"test", "tests"})
_Used = dict[int, int]
"""Nodes to the line of the first use."""


class Tests:
    """Finds what tests test, file by file, after all else that leaves a file is found."""

    def __init__(self, lookup: Lookup, candidates: Candidates) -> None:
        self._lookup = lookup
        self._tables = lookup.tables
        self._candidates = candidates
        self._names: dict[int, str] = {}
        self._named_after, self._types_named_after = NamedAfter(lookup.tables.paths), NamedAfter(lookup.tables.paths)

    @cached_property
    def _by_stem(self) -> dict[tuple[str, str], list[int]]:
        """The files of the product by what they are called; without tests nobody asks."""
        return _product_files(self._tables)

    def resolve(self, file: int, facts: FileFacts, found: FoundEdges, start: int) -> None:
        """Add the edges from a file's tests; from ``start`` on ``found`` holds the file's own edges."""
        tables = self._tables
        is_test = is_test_path(tables.paths[file])
        if not is_test and tables.families[file] != "rust":
            return
        used = self._used(file, found, start)
        first = tables.first_node[file]
        if is_test:
            self._add_module(file, used.get(first, {}), found)
        for position, symbol in enumerate(facts.symbols[1:], start=1):
            node = first + position
            if not is_test and not self._is_in_test_module(node):
                continue
            if symbol.kind in CLASS_KINDS:
                self._add_class(file, node, (symbol.name, symbol.header_line), found)
            elif node in used and symbol.kind in _FUNCTIONS and self._is_test(file, symbol.name):
                self._add_used(node, symbol.name, used[node], found)

    def _used(self, file: int, found: FoundEdges, start: int) -> dict[int, _Used]:
        """Return what of the product each symbol of a file surely calls or imports, and where."""
        tables, used = self._tables, dict[int, _Used]()
        file_of, is_aside = tables.file_of, tables.is_aside
        rows = zip(found.sources[start:], found.targets[start:], found.tiers[start:], found.lines[start:], strict=True)
        for source, target, tier, line in rows:
            if tier not in _SURE_USES:
                continue
            other = file_of[target]
            if not is_aside[other] and (other != file or not self._is_in_test_module(target)):
                used.setdefault(source, {}).setdefault(target, line)
        return used

    def _add_module(self, file: int, used: _Used, found: FoundEdges) -> None:
        """Add what a whole test file tests: the files of its name, surest those it imports from."""
        tables = self._tables
        module, stem = tables.first_node[file], name_words(tables.paths[file])
        files = self._by_stem.get((tables.families[file], stem), ())
        imported = {tables.file_of[target] for target in used}
        own = tables.package_of[file]
        # Who is of the same package does not import it, and is nearer than what is called alike elsewhere.
        is_own = own is not None and any(tables.package_of[other] == own for other in files)
        known = [other for other in files if other in imported and not is_own]
        if known and len(known) <= MOST_CANDIDATES:
            for other in known:
                found.add(module, tables.first_node[other], Tier.TESTS_BY_NAME_AND_USE, 1)
            return
        is_plain = len(files) == 1 or _is_named_test(tables.paths[file])
        meant = self._named_after.place((tables.families[file], stem), files, file) if is_plain else None
        if meant is not None:
            found.add(module, tables.first_node[files[meant]], Tier.TESTS_BY_NAME, 1)
            return
        self._add_used(module, stem, used, found)

    def _add_class(self, file: int, node: int, named: tuple[str, int], found: FoundEdges) -> None:
        """Add the type that a test class is called after."""
        name, line = tested_type(named[0]), named[1]
        if not name:
            return
        target, tables = self._lookup.visible(file, name), self._tables
        if target < 0 and tables.families[file] == "ruby":
            # A test is called after what it requires, whatever module that stands in.
            target = self._lookup.qualified.among(file, name, self._lookup.inclusions.of(file))
        if target >= 0 and tables.kinds[target] in CLASS_KINDS and not tables.is_aside[tables.file_of[target]]:
            found.add(node, target, Tier.TESTS_BY_NAME_AND_USE, line)
            return
        types = self._candidates.types(tables.families[file], name) if target < 0 else ()
        files = [tables.file_of[each] for each in types]
        meant = self._types_named_after.place((tables.families[file], name), files, file)
        if meant is not None:
            found.add(node, types[meant], Tier.TESTS_BY_NAME, line)

    def _add_used(self, node: int, name: str, used: _Used, found: FoundEdges) -> None:
        """Add what a test uses and is called after; else the few things it uses."""
        targets = [target for target in used if self._tables.parents[target] >= 0]
        if not targets:
            return
        said = f" {' '.join(words_in(name))} "
        named = [target for target in targets if self._name(target) in said]
        if named:
            for target in named:
                found.add(node, target, Tier.TESTS_BY_NAME_AND_USE, used[target])
        elif len(targets) <= MOST_TESTED:
            for target in targets:
                found.add(node, target, Tier.TESTS_BY_USE_OF_ONE + len(targets) - 1, used[target])

    def _name(self, target: int) -> str:
        """Return the words of a definition's name, between blanks."""
        name = self._names.get(target)
        if name is None:
            words = " ".join(words_in(self._tables.name_of(target)))
            name = self._names[target] = f" {words} "
        return name

    def _is_test(self, file: int, name: str) -> bool:
        return self._tables.families[file] not in _MARKED_FAMILIES or _MARK.match(name) is not None

    def _is_in_test_module(self, node: int) -> bool:
        """Whether a definition of Rust stands in a module of tests."""
        tables = self._tables
        if tables.families[tables.file_of[node]] != "rust":
            return False
        while tables.parents[node] >= 0:
            node = tables.parents[node]
            if tables.kinds[node] == "namespace" and tables.name_of(node) in _TEST_MODULES:
                return True
        return False


def tested_type(name: str) -> str:
    """Return the type a test class is called after, as far as its own name tells; empty when it is called otherwise."""
    words = [word for word in _AROUND.split(name) if word]
    return words[0] if len(words) == 1 and words[0] != name else ""


def _product_files(tables: Tables) -> dict[tuple[str, str], list[int]]:
    """Return the files of the product by family and the words of their name."""
    found: dict[tuple[str, str], list[int]] = {}
    for file, path in enumerate(tables.paths):
        if not tables.is_aside[file]:
            found.setdefault((tables.families[file], name_words(path)), []).append(file)
    return found


def name_words(path: str) -> str:
    """Return the words of a file's name without those that make it a test's."""
    return " ".join([word for word in _words(path) if word not in _TEST_WORDS])


def _is_named_test(path: str) -> bool:
    """Whether a file's own name says that it holds tests: ``test_cart.py``, ``cart.spec.ts``."""
    return not _TEST_WORDS.isdisjoint([*_words(path), *path.rpartition("/")[2].split(".")[1:-1]])


def _words(path: str) -> list[str]:
    return words_in(path.rpartition("/")[2].partition(".")[0])
