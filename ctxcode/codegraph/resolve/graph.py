"""The whole of it: facts of all files to a graph."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from ctxcode.codegraph.codec import encode_facts
from ctxcode.codegraph.edges import TIERS, FoundEdges, Nodes, PackedGraph, Tier, Unjoined, pack, sorted_edges
from ctxcode.codegraph.facts import (
    ASSERTED,
    BROUGHT,
    FileFacts,
    ImportFact,
    arguments_of,
    call_rows,
    symbols_alone,
    traits,
    use_rows,
)
from ctxcode.codegraph.isolation.boundary import Failure, HaltedError, attempted
from ctxcode.codegraph.outline.known import CALLING
from ctxcode.codegraph.rank import ranked
from ctxcode.codegraph.resolve.calls import FileCalls
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT
from ctxcode.codegraph.resolve.named.alternatives import Alternatives
from ctxcode.codegraph.resolve.named.candidates import AllCandidates, Candidates
from ctxcode.codegraph.resolve.named.mentions import encode_counts
from ctxcode.codegraph.resolve.named.plain import PlainCalls
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.orphans import attach_orphans, owner_of
from ctxcode.codegraph.resolve.relations.asserted import ASSERTING, Asserted
from ctxcode.codegraph.resolve.relations.packages import ImportedPackages
from ctxcode.codegraph.resolve.relations.tested import Tests
from ctxcode.codegraph.resolve.relations.unreached import FAMILY as INCLUDING
from ctxcode.codegraph.resolve.relations.unreached import Including, Unreached
from ctxcode.codegraph.resolve.relations.uses import FileUses
from ctxcode.codegraph.resolve.tables import TYPE_PART, Package
from ctxcode.codegraph.resolve.targets import UNKNOWN
from ctxcode.codegraph.resolve.whole import WholeTables
from ctxcode.model.symbol import MEMBER_KINDS

EXTENSIBLE = frozenset({"ruby", "swift", "tsx", "typescript"})
"""Languages in which a type can be given more members elsewhere."""
_CONTRACTS = frozenset({"interface", "trait"})
_CONFIDENCES = tuple(confidence for _, _, confidence in TIERS)
_RE_EXPORTING = frozenset({"python", "ecmascript", "rust"})
"""Families in which some imports are offered to others; in those that include files all of them are."""
_KNOWING_AROUND = "scala"
"""The language whose files take in the packages around their own without an import: ``package a`` above ``package b``.
"""


def _go_on() -> None:
    """Go on whatever else is wanted."""


def build_graph(files: Mapping[str, FileFacts], check: Callable[[], None] = _go_on) -> PackedGraph:
    """Return the resolved and ranked graph of a repository's files, ready to be stored.

    Of files that can't be joined it holds the symbols: ``unjoined`` says which they are. ``check`` is called before
    each file and may raise HaltedError.
    """
    known, unjoined = dict(files), dict[str, Unjoined]()
    while isinstance(joined := attempted(partial(resolve, known, check), passing=(MemoryError, HaltedError)), Failure):
        failures = {path: failure for path, failure in _failures(known).items() if path not in unjoined}
        if not failures:
            raise joined.error
        known |= {path: symbols_alone(known[path]) for path in failures}
        for path, failure in failures.items():
            unjoined[path] = Unjoined(path, encode_facts(known[path]), failure.detail)
    nodes, found = joined
    graph = ranked(pack(nodes, sorted_edges(found, nodes.count)))
    return replace(graph, unjoined=tuple(unjoined.values()))


def resolve(files: Mapping[str, FileFacts], check: Callable[[], None] = _go_on) -> tuple[Nodes, FoundEdges]:
    """Return nodes and edges of a repository's files, by path.

    Equal files give equal graphs, whatever the mapping's order. A name bound to something outside never gets an edge.
    ``check`` is called before each file.
    """
    tables = WholeTables(files, check)
    attach_orphans(Lookup(tables))
    lookup, candidates = Lookup(tables), AllCandidates(tables)
    nodes = Nodes(
        paths=tuple(tables.paths),
        modules=tuple(tables.modules),
        is_aside=tuple(tables.is_aside),
        first_node=tuple(tables.first_node),
        traits=b"".join(traits(files[path]) for path in tables.paths),
        packages=tuple(files[path].package for path in tables.paths),
        owners=tuple(tables.owners.items()),
        added=tuple(sorted(lookup.scripts.added)),
        spoken=encode_counts(candidates.counts),
    )
    found = FoundEdges()
    resolver = FileResolver(lookup, candidates)
    for file in range(len(nodes.paths)):
        check()
        resolver.resolve(file, found)
    return nodes, found


def _failures(files: Mapping[str, FileFacts]) -> dict[str, Failure]:
    """Return which of some files can't be joined even alone; if all can, which can't be with the others."""
    alone = {path: attempted(partial(resolve, {path: facts})) for path, facts in files.items()}
    failures = {path: result for path, result in alone.items() if isinstance(result, Failure)}
    if failures:
        return failures
    tables = WholeTables(files)
    lookup, found = Lookup(tables), FoundEdges()
    for node, type_name in tables.orphans:
        if isinstance(owner := attempted(partial(owner_of, lookup, node, type_name)), Failure):
            failures[tables.paths[tables.file_of[node]]] = owner
    if failures:
        return failures
    attach_orphans(lookup)
    resolver = FileResolver(Lookup(tables), AllCandidates(tables))
    results = [attempted(partial(resolver.resolve, file, found)) for file in range(len(tables.paths))]
    rows = zip(tables.paths, results, strict=True)
    return {path: result for path, result in rows if isinstance(result, Failure)}


class FileResolver:
    """Finds the edges out of one file's symbols."""

    def __init__(self, lookup: Lookup, candidates: Candidates, including: Including | None = None) -> None:
        """Take what returns the files of C that include one of a name, if that is not to be asked of all files."""
        self._lookup = lookup
        self._tables = lookup.tables
        self._candidates = candidates
        self._values = Values(lookup, candidates.types)
        self._alternatives = Alternatives(lookup)
        self._asserted, self._packages = Asserted(lookup), ImportedPackages(lookup)
        self._tests, self._unreached = Tests(lookup, candidates), Unreached(lookup, including)
        self._contracts: dict[int, bool] = {}

    def resolve(self, file: int, found: FoundEdges) -> None:
        """Add the edges of one file."""
        facts, start = self._tables.facts[file], len(found.sources)
        self._add_containment(file, facts, found)
        packages = self._add_imports(file, facts, found)
        self._add_inheritance(file, facts, found)
        calls = FileCalls(self._lookup, self._values, self._candidates, file)
        if facts.language in CALLING:
            PlainCalls(self._tables, self._candidates, file).resolve(call_rows(facts), found)
        elif facts.calls.names:
            calls.resolve(call_rows(facts), found, arguments_of(facts))
            self._alternatives.spread(file, found, start)
        if facts.uses.users:
            rows = zip(found.sources[start:], found.targets[start:], found.tiers[start:], strict=True)
            linked = dict[tuple[int, int], float]()
            for source, target, tier in rows:
                if tier != Tier.CONTAINS:
                    pair, confidence = (source, target), _CONFIDENCES[tier]
                    if linked.get(pair, 0.0) < confidence:
                        linked[pair] = confidence
            FileUses(self._lookup, self._values, self._candidates, file, calls).resolve(use_rows(facts), linked, found)
        if self._tables.families[file] == INCLUDING:
            self._unreached.weaken(file, found, start)
        self._packages.resolve(file, packages, found, start)
        self._tests.resolve(file, facts, found, start)
        if facts.language in EXTENSIBLE:
            found.leave_out(start, self._is_of_another)

    def _is_of_another(self, target: int, tier: int) -> bool:
        """Whether an edge leads to what extends a type as if that were the type: nobody here defines it then."""
        return self._tables.kinds[target] == TYPE_PART and tier != Tier.CONTAINS

    def _add_containment(self, file: int, facts: FileFacts, found: FoundEdges) -> None:
        """Add the edges from owners; fields and variants are parts of their owner's node and have none."""
        first = self._tables.first_node[file]
        rows = [
            (first + symbol.parent, node)
            for node, symbol in enumerate(facts.symbols, start=first)
            if symbol.parent >= 0 and symbol.kind not in MEMBER_KINDS
        ]
        found.add_all(rows, Tier.CONTAINS)

    def _add_imports(self, file: int, facts: FileFacts, found: FoundEdges) -> dict[Package, int]:
        """Add the edges from a file's imports but those of whole packages: return these, with the line of each."""
        tables, packages = self._tables, dict[Package, int]()
        module, named, own = tables.first_node[file], tables.imports[file], tables.top[file]
        for fact in facts.imports:
            if fact.level and facts.language == _KNOWING_AROUND:
                continue
            # What it binds is asked for again, by calls and uses: that way it is remembered.
            is_binding = named.get(fact.alias) is fact and fact.alias not in own
            target = self._lookup.visible(file, fact.alias) if is_binding else self._lookup.import_target(file, fact)
            package = self._packages.imported(file, fact, target)
            if package is not None:
                packages.setdefault(package, fact.line)
            elif target >= 0:
                found.add(module, target, self._import_tier(file, fact, target), fact.line)
        return packages

    def _import_tier(self, file: int, fact: ImportFact, target: int) -> int:
        """Tell a re-export from an import; ``pub mod x;`` says where a module is, and no more."""
        family = self._tables.families[file]
        is_declared = family == "rust" and fact.module == "self" and self._tables.parents[target] < 0
        is_offered = fact.is_reexport and family in _RE_EXPORTING and not is_declared
        return Tier.RE_EXPORTS if is_offered else Tier.IMPORTS

    def _add_inheritance(self, file: int, facts: FileFacts, found: FoundEdges) -> None:
        tables = self._tables
        for symbol, name, said in facts.bases:
            if name.startswith(BROUGHT) or ASSERTED in name:
                continue
            heir = tables.first_node[file] + symbol
            line = said or facts.symbols[symbol].header_line
            base = self._lookup.base(heir, name)
            if base >= 0:
                is_here = tables.file_of[base] == file
                tier = Tier.INHERITS_IN_SCOPE if is_here else Tier.INHERITS_IMPORTED
                found.add(heir, base, tier + self._shift(heir, base), line)
            elif base == UNKNOWN and "." not in name:
                named = self._candidates.types(tables.families[file], name)
                if facts.language == SWIFT:
                    named = [node for node in named if self._lookup.qualified.modules.is_seen(file, node)]
                if len(named) == 1:
                    found.add(heir, named[0], Tier.INHERITS_UNIQUE_NAME + self._shift(heir, named[0]), line)
        for heir, base in self._asserted.of(file) if facts.language in ASSERTING else ():
            line = facts.symbols[heir - tables.first_node[file]].header_line
            found.add(heir, base, Tier.INHERITS_IMPORTED + self._shift(heir, base), line)

    def _shift(self, heir: int, base: int) -> int:
        """Return what a tier of inheritance is raised by when a type implements what it names as its base."""
        implements = self._is_contract(base) and not self._is_contract(heir)
        return Tier.IMPLEMENTS_IN_SCOPE - Tier.INHERITS_IN_SCOPE if implements else 0

    def _is_contract(self, node: int) -> bool:
        """Whether a type says what others have to offer: interfaces, traits and the protocols of Python."""
        found = self._contracts.get(node)
        if found is None:
            tables = self._tables
            family = tables.families[tables.file_of[node]]
            if family == "python":
                found = any(name.rpartition(".")[2] == "Protocol" for name in self._lookup.base_names(node))
            else:
                is_added_to = family == "ecmascript" and tables.kinds[node] == TYPE_PART
                found = is_added_to or tables.kinds[node] in _CONTRACTS
            self._contracts[node] = found
        return found
