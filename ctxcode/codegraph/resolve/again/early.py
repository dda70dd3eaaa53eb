"""A published graph in which what a few files define is right at once, and what leads to it almost."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from ctxcode.codegraph.edges import PackedGraph, pack
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.affected import Mentioning
from ctxcode.codegraph.resolve.again.listed import listed, numbers_of
from ctxcode.codegraph.resolve.again.moved import edges_left, moved
from ctxcode.codegraph.resolve.again.telling import Named, StoredGraph, unpacked
from ctxcode.codegraph.resolve.again.told import symbol_keys
from ctxcode.codegraph.resolve.dependents.scripts import TooManyScriptsError
from ctxcode.codegraph.resolve.partial.joined import JoinedFiles


def early_graph(
    stored: StoredGraph,
    changed: Mapping[str, FileFacts | None],
    facts: Callable[[int], FileFacts],
    named: Named,
    mentioning: Mentioning,
) -> PackedGraph | None:
    """Return a graph that does until all files are joined anew; None when that can't be made quickly.

    It takes what ``update_graph`` takes, has the nodes that joining all files would give, and the edges out of files
    that have changed or come. Edges out of all others are as they were, without those to what is gone. It is not ranked
    yet. Raises ValueError when what was stored makes no sense.
    """
    facts = cache(facts)
    graph, files, numbers = unpacked(stored), listed(stored.paths, changed), numbers_of(changed, stored.paths)
    says = {number: now for number, path in enumerate(files.paths) if (now := changed.get(path)) is not None}
    places = {
        number: _places(facts(number), now) for path, number in numbers.items() if (now := changed[path]) is not None
    }
    before = graph.nodes()
    move = moved(before, files, says, places)
    joined = JoinedFiles(files, says, stored.languages, facts, named, mentioning)
    nodes = joined.attached(move.nodes, says, places) or move.nodes
    try:
        found = joined.edges(nodes, graph, says)
    except TooManyScriptsError:
        return None
    return pack(nodes, edges_left((graph.edges(), found), list(numbers.values()), before, move))


def _places(before: FileFacts, now: FileFacts) -> Sequence[int]:
    """Return where the symbols of a file stand now, -1 for those that are gone."""
    there = {key: place for place, key in enumerate(symbol_keys(now.symbols))}
    return tuple([there.get(key, -1) for key in symbol_keys(before.symbols)])
