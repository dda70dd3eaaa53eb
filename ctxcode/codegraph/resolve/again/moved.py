"""Nodes and edges of a published graph under the numbers they have once symbols have come and gone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.edges import EDGE_KINDS, Edges, Nodes
from ctxcode.codegraph.facts import FileFacts, privacy
from ctxcode.model.symbol import EdgeKind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Numbers = npt.NDArray[np.int32]

_INHERITING = tuple(EDGE_KINDS.index(kind) for kind in (EdgeKind.INHERITS, EdgeKind.IMPLEMENTS))


class Moved(NamedTuple):
    """The nodes now, and where those of before are among them."""

    nodes: Nodes
    places: "_Numbers"
    """By node of before; -1 for what is gone."""


def moved(before: Nodes, changed: Mapping[int, FileFacts], places: Mapping[int, Sequence[int]]) -> Moved | None:
    """Return the nodes after some files have changed, given where each of their symbols stands in its file now.

    None when a method that stands outside its type, or the type, is gone.
    """
    import numpy as np  # noqa: PLC0415 - only while indexing

    first = np.array(before.first_node, dtype=np.int32)
    sizes = np.diff(first)
    now = sizes.copy()
    for file, facts in changed.items():
        now[file] = len(facts.symbols)
    first_now = np.concatenate([first[:1], np.cumsum(now, dtype=np.int32)])
    to = np.arange(before.count, dtype=np.int32) + np.repeat(first_now[:-1] - first[:-1], sizes)
    private = list[bytes]()
    for file in range(len(sizes)):
        if file in changed:
            there = np.array(places[file], dtype=np.int32)
            to[first[file] : first[file + 1]] = np.where(there >= 0, there + first_now[file], -1)
            private.append(privacy(changed[file]))
        else:
            private.append(before.is_private[first[file] : first[file + 1]])
    owners = to[np.array(before.owners, dtype=np.int32).reshape(-1, 2)]
    if (owners < 0).any():
        return None
    nodes = replace(
        before,
        first_node=tuple(first_now.tolist()),
        is_private=b"".join(private),
        owners=tuple(map(tuple, owners.tolist())),
    )
    return Moved(nodes, to)


def moved_edges(edges: Edges, found: Edges, files: Collection[int], before: Nodes, move: Moved) -> Edges | None:
    """Return edges under their new numbers, with those out of some files replaced by what was found there.

    None when one of the others leads to what is gone, or when one of those files inherits something else now: what is
    found through inheritance is named nowhere.
    """
    import numpy as np  # noqa: PLC0415 - only while indexing

    is_replaced = np.zeros(before.count, dtype=bool)
    for file in files:
        is_replaced[before.first_node[file] : before.first_node[file + 1]] = True
    at = is_replaced[edges.sources]
    sources, targets = move.places[edges.sources], move.places[edges.targets]
    if (targets[~at] < 0).any():
        return None
    inherits = np.isin(edges.kinds, _INHERITING) & at
    inherited = np.stack([sources[inherits], targets[inherits], edges.resolutions[inherits]])
    inherits = np.isin(found.kinds, _INHERITING)
    inherits_now = np.stack([found.sources[inherits], found.targets[inherits], found.resolutions[inherits]])
    if not np.array_equal(inherited, inherits_now):
        return None
    kept = replace(edges, sources=sources, targets=targets)
    order = np.argsort(np.concatenate([sources[~at], found.sources]), kind="stable")
    columns = [
        np.concatenate([getattr(kept, column.name)[~at], getattr(found, column.name)])[order]
        for column in fields(Edges)
    ]
    return Edges(*columns)
