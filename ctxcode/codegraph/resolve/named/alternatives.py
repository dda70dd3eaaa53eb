"""What else a name can mean where files define it more than once: for several systems, or in several branches."""

from collections.abc import Sequence
from functools import cache, lru_cache

from ctxcode.codegraph.edges import MOST_CANDIDATES, FoundEdges, Tier
from ctxcode.codegraph.facts import ALTERNATIVE, STATIC
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Found
from ctxcode.codegraph.resolve.named.concerns import RUBY, alternatives_in
from ctxcode.codegraph.resolve.named.imported import FAMILIES as IMPORTING
from ctxcode.codegraph.resolve.named.imported import ImportedAgain
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables

TOLD = frozenset({"bash", "c", "ecmascript", "lua", "php", "python", "ruby", "rust"})
"""Families whose files say which of their definitions are alternatives."""
_TWICE = frozenset({"ecmascript", RUBY})
"""Families in which a class and its objects can have methods of one name."""
PACKAGED = "go"
"""The family in which files of one package are alternatives of one another."""
_SYSTEMS = frozenset({
    "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux", "netbsd", "openbsd", "plan9",
    "solaris", "wasip1", "windows",
})  # fmt: skip
_PROCESSORS = frozenset({
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "wasm",
})  # fmt: skip
"""What the names of Go's files can end with."""
_FAMILIES = TOLD | {PACKAGED}
_FUNCTIONS = frozenset({"function", "method"})
_FIRST, _LAST = Tier.CALLS_IN_SCOPE, Tier.CALLS_UNIQUE_NAME
"""The tiers of calls that lead to one thing."""


class Alternatives:
    """Definitions of which each can be meant by what leads to one of them."""

    def __init__(self, lookup: Lookup) -> None:
        self._tables = tables = lookup.tables
        self._imported = ImportedAgain(lookup)
        self._known: dict[int, dict[int, tuple[int, ...]]] = {}
        self._is_left_out = cache(lambda file: _is_left_out(tables, file))

    def spread(self, file: int, found: FoundEdges, start: int) -> None:
        """Let the calls of a file, the edges from a place on, lead to all that can be meant, with shared confidence."""
        if self._tables.families[file] not in _FAMILIES:
            return
        rows = zip(found.targets[start:], found.tiers[start:], strict=True)
        several = {
            place: nodes
            for place, (target, tier) in enumerate(rows, start)
            if _FIRST <= tier <= _LAST and len(nodes := self._of(file, target)) > 1
        }
        if not several:
            return
        columns = (found.sources[start:], found.targets[start:], found.tiers[start:], found.lines[start:])
        edges = list(zip(*columns, strict=True))
        found.cut(start)
        for place, (source, target, tier, line) in enumerate(edges, start):
            # What is found behind a name that something is given to, ``Cart.check = Shop.check``, is chosen before.
            is_chosen = place not in several or (tier == Tier.CALLS_ON_ATTRIBUTE and self._is_static(target))
            nodes, shared = ((target,), tier) if is_chosen else self._meant(source, several[place], tier)
            for node in nodes:
                found.add(source, node, shared, line)

    def _meant(self, caller: int, nodes: tuple[int, ...], tier: int) -> Found:
        """Return what a call in a definition can mean of some alternatives."""
        file = self._tables.file_of[caller]
        if self._tables.families[file] == PACKAGED:
            nodes = self._of_system(file, nodes)
        elif self._tables.families[file] in _TWICE:
            is_own = tier == Tier.CALLS_QUALIFIED or (tier == Tier.CALLS_ON_SELF and self._is_of_class(caller))
            nodes = tuple([node for node in nodes if self._is_static(node) == is_own]) or nodes
        if len(nodes) == 1:
            return nodes, tier
        return (nodes, Tier.CALLS_ONE_OF_TWO + len(nodes) - 2) if len(nodes) <= MOST_CANDIDATES else NOTHING

    def _of(self, caller: int, node: int) -> tuple[int, ...]:
        """Return the alternatives of a definition that a file calls, itself among them; nothing if it has none."""
        tables = self._tables
        file = tables.file_of[node]
        family = tables.families[file]
        if family == PACKAGED:
            return self._in_package(file, node)
        if family not in TOLD:
            return ()
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = alternatives_in(tables, file)
        found = known.get(node, ())
        return found if len(found) > 1 or family not in IMPORTING else self._imported.of(caller, node)

    def _is_of_class(self, caller: int) -> bool:
        """Whether what ``self`` and ``this`` mean is a class: Ruby's classes say much to themselves."""
        is_ruby = self._tables.families[self._tables.file_of[caller]] == RUBY
        return self._is_static(caller) or (is_ruby and self._tables.kinds[caller] in CLASS_KINDS)

    def _is_static(self, node: int) -> bool:
        """Whether a method of JavaScript or Ruby is its class's own, and not that of the objects of it."""
        file = self._tables.file_of[node]
        scope = node - self._tables.first_node[file]
        return STATIC in self._tables.bindings[file].get(scope, ())

    def _in_package(self, file: int, node: int) -> tuple[int, ...]:
        """Return the functions of one name in the files of a package of Go: it has one of them at a time."""
        tables, package = self._tables, self._tables.package_of[file]
        if package is None or tables.kinds[node] not in _FUNCTIONS:
            return ()
        symbol = tables.facts[file].symbols[node - tables.first_node[file]]
        return tuple(tables.again_in(package, symbol.name, symbol.qualname))

    def _of_system(self, file: int, nodes: Sequence[int]) -> tuple[int, ...]:
        """Return those of some functions of Go that are there when a file is, by the files' names; or its own.

        Of these, those that are left out where nobody asks for them count only if there are no others.
        """
        files = [self._tables.file_of[node] for node in nodes]
        system = _system(self._tables.paths[file])
        fits = [
            (other == file, _is_compatible(system, _system(self._tables.paths[other])), not self._is_left_out(other))
            for other in files
        ]
        best = max(fits)
        return tuple([node for node, fit in zip(nodes, fits, strict=True) if fit == best])


def _is_left_out(tables: Tables, file: int) -> bool:
    return any(scope == 0 and name == ALTERNATIVE for scope, name, _ in tables.facts[file].bindings)


@lru_cache(maxsize=10_000)
def _system(path: str) -> tuple[str, str]:
    """Return the system and the processor that a file's name says it is for: ``net_linux_arm.go``."""
    stem = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test")
    parts = stem.split("_")[1:][-2:]
    processor = parts.pop() if parts and parts[-1] in _PROCESSORS else ""
    return parts[-1] if parts and parts[-1] in _SYSTEMS else "", processor


def _is_compatible(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two files can be there at once, by their names."""
    return all(not first or not second or first == second for first, second in zip(one, other, strict=True))
