"""What the graph knows of a capsule's subject: what it covers, and its symbols for the outline."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log1p, sqrt

from ctxcode.context.orientation.capsules import CapsuleChoice, chosen_capsules
from ctxcode.context.render import CountTokens
from ctxcode.model.engine.capsule import Capsule, CapsuleRow, CapsuleSubject
from ctxcode.model.ids import ItemId, SymbolId
from ctxcode.model.plan import Relation
from ctxcode.model.symbol import ModuleEntry, Symbol
from ctxcode.reflection.capsules import Outlined, by_interest, covered_paths, freshness
from ctxcode.session.ports import CodeGraph

_MOST_FILES = 60
"""Files whose symbols are looked at, those of most central code."""
_MOST_SYMBOLS = 240
"""Symbols whose neighbours are looked at."""
_MOST_USES = 5
_DOC_WORDS = 3
_USING = frozenset({Relation.CALLED_BY.value, Relation.INHERITED_BY.value, Relation.IMPLEMENTED_BY.value})
"""What the other end of a use is to a symbol that uses it."""
_USED = frozenset({Relation.CALLS.value, Relation.INHERITS.value, Relation.IMPLEMENTS.value, Relation.IMPORTS.value})
_TEST_WEIGHT = 0.1


def judged(known: Sequence[Capsule], graph: CodeGraph, modules: Iterable[ModuleEntry]) -> tuple[CapsuleRow, ...]:
    """Return capsules with whether they are fresh, from what the index holds now."""
    paths = sorted(module.path for module in modules)
    covered = [covered_paths(capsule.subject, paths) for capsule in known]
    hashes = graph.content_hashes({path for some in covered for path in some})
    return tuple(
        CapsuleRow(capsule, freshness(capsule, {path: hashes[path] for path in some if path in hashes}))
        for capsule, some in zip(known, covered, strict=True)
    )


def told_capsules(
    known: Sequence[Capsule],
    graph: CodeGraph,
    count: CountTokens,
    *,
    terms: Collection[str],
    limit_tokens: int,
    dropped: Collection[ItemId],
) -> CapsuleChoice:
    """Return which capsules a scaffold of so many tokens tells, those that a question's words name first."""
    modules = graph.modules()
    rows = [(row.capsule, row.freshness) for row in judged(known, graph, modules)]
    ranks = {module.path: module.rank for module in modules}
    return chosen_capsules(by_interest(rows, terms, ranks), count, limit_tokens=limit_tokens, dropped=dropped)


def outlined(subject: CapsuleSubject, covered: Sequence[str], graph: CodeGraph) -> tuple[Outlined, ...]:
    """Return the symbols of a subject with what they use; of a process, what it names counts most."""
    ranks = {module.path: module.rank * (_TEST_WEIGHT if module.is_test else 1.0) for module in graph.modules()}
    best = sorted(covered, key=lambda path: (-ranks.get(path, 0.0), path))[:_MOST_FILES]
    named = {part for part in subject.parts if "::" in part}
    whole = {part for part in subject.parts if "::" not in part}
    found = [
        symbol
        for path in best
        for symbol in graph.symbols_in(path)
        if not symbol.is_member
        and (symbol.qualname or symbol.doc.count(" ") >= _DOC_WORDS)
        and (not named or path in whole or _is_within(symbol, named))
    ]
    nodes = graph.nodes_of([symbol.id for symbol in found])
    worth = {symbol.id: _worth(symbol, nodes, graph) * (10.0 if symbol.id in named else 1.0) for symbol in found}
    found.sort(key=lambda symbol: (-worth[symbol.id], symbol.id))
    seen = Counter[str]()
    weighed: list[tuple[float, Symbol]] = []
    for symbol in found:
        # Each further symbol of a file says less of the module than the first of the next one.
        weighed.append((worth[symbol.id] * sqrt(ranks.get(symbol.path, 0.0) + 1e-6) / (2 + seen[symbol.path]), symbol))
        seen[symbol.path] += 1
    weighed = sorted(weighed, key=lambda row: (-row[0], row[1].id))[:_MOST_SYMBOLS]
    links = {symbol.id: _used_nodes(nodes.get(symbol.id), graph) for _, symbol in weighed}
    targets = graph.symbols_at({node for some in links.values() for node in some})
    names = {node: target.qualname for node, target in targets.items() if target.qualname}
    return tuple(
        Outlined(symbol, rank, tuple(dict.fromkeys(names[node] for node in links[symbol.id] if node in names)))
        for rank, symbol in weighed
    )


def _is_within(symbol: Symbol, named: Collection[str]) -> bool:
    return any(symbol.id == one or symbol.id.startswith(f"{one}.") for one in named)


def _worth(symbol: Symbol, nodes: Mapping[SymbolId, int], graph: CodeGraph) -> float:
    """Return how much a symbol says of its file: how much uses it, whether it is public and documented."""
    node = nodes.get(symbol.id)
    used = sum(weight for _, relation, weight in graph.links(node) if relation in _USED) if node is not None else 0.0
    worth = 1.0 + log1p(used) + (0.5 if symbol.doc.count(" ") >= _DOC_WORDS else 0.0)
    worth *= 1.0 if symbol.visibility == "public" else 0.5
    # A file's own documentation says what all of it is for.
    return worth if symbol.qualname else 2 * worth


def _used_nodes(node: int | None, graph: CodeGraph) -> list[int]:
    if node is None:
        return []
    return [other for other, relation, _ in graph.links(node) if relation in _USING][:_MOST_USES]
