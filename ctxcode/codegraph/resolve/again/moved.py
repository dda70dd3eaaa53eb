"""Nodes and edges of a published graph under the numbers they have once symbols and files have come and gone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.edges import EDGE_KINDS, Edges, Nodes
from ctxcode.codegraph.facts import FileFacts, traits
from ctxcode.codegraph.resolve.again.listed import Listed
from ctxcode.codegraph.resolve.modules.naming import module_name_beside
from ctxcode.model.naming.folder import is_aside_path
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
    is_owner_gone: bool = False
    """Of a method that stands outside its type the type is gone."""


def moved(before: Nodes, files: Listed, changed: Mapping[int, FileFacts], places: Mapping[int, Sequence[int]]) -> Moved:
    """Return the nodes after some files have changed, come or gone.

    ``changed`` goes by the number of a file now, ``places`` say by number of before where each symbol of a changed file
    stands in it now.
    """
    import numpy as np  # noqa: PLC0415 - only while indexing

    if files.paths == before.paths and all(
        list(there) == list(range(len(changed[files.now[file]].symbols))) for file, there in places.items()
    ):
        return Moved(before, np.arange(before.count, dtype=np.int32))
    first = np.array(before.first_node, dtype=np.int32)
    sizes, number = np.diff(first), np.array(files.before, dtype=np.int32)
    now = np.where(number >= 0, sizes[number], 0) if len(sizes) else np.zeros(len(number), dtype=np.int32)
    for file, facts in changed.items():
        now[file] = len(facts.symbols)
    first_now = np.concatenate([np.zeros(1, dtype=np.int32), np.cumsum(now, dtype=np.int32)])
    at = np.array(files.now, dtype=np.int32)
    to = np.arange(before.count, dtype=np.int32) + np.repeat(first_now[at] - first[:-1], sizes)
    to[np.repeat(at < 0, sizes)] = -1
    for file, there in places.items():
        stand = np.array(there, dtype=np.int32)
        to[first[file] : first[file + 1]] = np.where(stand >= 0, stand + first_now[files.now[file]], -1)
    owners = to[np.array(before.owners, dtype=np.int32).reshape(-1, 2)]
    owners = owners[owners[:, 0] >= 0]
    stay = (owners >= 0).all(axis=1)
    nodes = replace(
        _files_now(before, files, changed),
        traits=_traits_now(before.traits, to, first_now, changed),
        first_node=tuple(first_now.tolist()),
        owners=tuple(map(tuple, owners[stay].tolist())),
    )
    return Moved(nodes, to, is_owner_gone=not stay.all())


def _files_now(before: Nodes, files: Listed, changed: Mapping[int, FileFacts]) -> Nodes:
    """Return what is known of the files now; what is known of the nodes is that of before."""
    modules, packages, aside = list(before.modules), list(before.packages), list(before.is_aside)
    for number in reversed([number for number, now in enumerate(files.now) if now < 0]):
        del modules[number], packages[number], aside[number]
    known = dict(zip(before.paths, before.modules, strict=True))
    others = cache(lambda: {path: known.get(path, "") for path in files.paths})
    for number in [number for number, then in enumerate(files.before) if then < 0]:
        path = files.paths[number]
        modules.insert(number, module_name_beside(path, changed[number], others()))
        packages.insert(number, changed[number].package)
        aside.insert(number, is_aside_path(path))
    return replace(
        before,
        paths=files.paths,
        modules=tuple(modules),
        is_aside=tuple(aside),
        packages=tuple(packages),
    )


def _traits_now(before: bytes, places: "_Numbers", first_now: "_Numbers", changed: Mapping[int, FileFacts]) -> bytes:
    """Return a byte for each symbol, given those of before and where they are now."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    found, stay = np.zeros(first_now[-1], dtype=np.uint8), places >= 0
    found[places[stay]] = np.frombuffer(before, dtype=np.uint8)[stay]
    for file, facts in changed.items():
        found[first_now[file] : first_now[file + 1]] = np.frombuffer(traits(facts), dtype=np.uint8)
    return found.tobytes()


def moved_edges(
    joined: tuple[Edges, Edges], files: Collection[int], before: Nodes, move: Moved, followed: Collection[int]
) -> Edges | None:
    """Return edges under their new numbers, with those out of some files replaced by what was found there.

    ``joined`` are the edges of before and those found; ``files`` go by the number of before. None when one of the
    others leads to what is gone, or when something that stays in those files inherits something else now: what is found
    through inheritance is named nowhere. Not so in files that are ``followed``, given by their number now.
    """
    import numpy as np  # noqa: PLC0415 - only while indexing

    edges, found = joined
    replaced, rest = _apart(edges, files, before)
    places = move.places
    is_from = places[replaced.sources]
    if (places[rest.targets] < 0).any():
        return None
    stays = np.zeros(move.nodes.count, dtype=bool)
    stays[places[places >= 0]] = True
    for file in followed:
        stays[move.nodes.first_node[file] : move.nodes.first_node[file + 1]] = False
    inherits = np.isin(replaced.kinds, _INHERITING) & (is_from >= 0)
    inherits[inherits] = stays[is_from[inherits]]
    inherited = np.stack([is_from[inherits], places[replaced.targets[inherits]], replaced.resolutions[inherits]])
    inherits = np.isin(found.kinds, _INHERITING) & stays[found.sources]
    inherits_now = np.stack([found.sources[inherits], found.targets[inherits], found.resolutions[inherits]])
    if not np.array_equal(inherited, inherits_now):
        return None
    return _merged(_renumbered(rest, places), found)


def edges_left(joined: tuple[Edges, Edges], files: Collection[int], before: Nodes, move: Moved) -> Edges:
    """Return the same without asking what hangs on the changes: edges that lead to what is gone go too."""
    edges, found = joined
    _, rest = _apart(edges, files, before)
    stay = move.places[rest.targets] >= 0
    rest = Edges(*[getattr(rest, column.name)[stay] for column in fields(Edges)])
    return _merged(_renumbered(rest, move.places), found)


def _apart(edges: Edges, files: Collection[int], before: Nodes) -> tuple[Edges, Edges]:
    """Return the edges out of some files, and the others."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    bounds = [before.first_node[number] for file in sorted(files) for number in (file, file + 1)]
    at = np.searchsorted(edges.sources, np.array(bounds, dtype=np.int32)).tolist()
    return _pieces(edges, at[::2], at[1::2]), _pieces(edges, [0, *at[1::2]], [*at[::2], None])


def _renumbered(edges: Edges, places: "_Numbers") -> Edges:
    """Return edges between what stays under the numbers of now, in order."""
    edges = replace(edges, sources=places[edges.sources], targets=places[edges.targets])
    there = places[places >= 0]
    return edges if (there[:-1] < there[1:]).all() else _in_order(edges)


def _in_order(edges: Edges) -> Edges:
    """Return edges in order, some of whose targets have changed theirs."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    order = np.lexsort((edges.kinds, edges.targets, edges.sources))
    return Edges(*[getattr(edges, column.name)[order] for column in fields(Edges)])


def _pieces(edges: Edges, starts: Sequence[int], ends: Sequence[int | None]) -> Edges:
    """Return the edges of some slices."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    slices = [slice(start, end) for start, end in zip(starts, ends, strict=True)]
    if not slices:
        slices = [slice(0)]
    columns = (getattr(edges, column.name) for column in fields(Edges))
    return Edges(*[np.concatenate([column[piece] for piece in slices]) for column in columns])


def _merged(edges: Edges, found: Edges) -> Edges:
    """Return edges in order with others put in: these are out of few files, and none of those is out of the same."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    at = np.searchsorted(edges.sources, found.sources)
    cuts = [*(np.flatnonzero(np.diff(at)) + 1).tolist(), len(at)] if len(at) else []
    pieces, start, begun = list[tuple[slice, slice]](), 0, 0
    for cut in cuts:
        end = int(at[begun])
        pieces.append((slice(start, end), slice(begun, cut)))
        start, begun = end, cut
    columns = [
        np.concatenate([part for of, put in pieces for part in (one[of], other[put])] + [one[start:]])
        for one, other in ((getattr(edges, column.name), getattr(found, column.name)) for column in fields(Edges))
    ]
    return Edges(*columns)
