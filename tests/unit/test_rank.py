"""PageRank and the packing of edges, on graphs small enough to check by hand."""

from array import array

import numpy as np
import pytest

from ctxcode.codegraph.edges import EDGE_KINDS, RESOLUTIONS, Edges, FoundEdges, Nodes, Tier, pack, sorted_edges
from ctxcode.codegraph.facts import HOLDER, PRIVATE
from ctxcode.codegraph.rank import central, page_rank, ranked
from ctxcode.model.symbol import EdgeKind, Resolution


def graph(
    sizes: dict[str, int],
    edges: list[tuple[int, int, int, int]],
    private: tuple[int, ...] = (),
    namespaces: tuple[int, ...] = (),
) -> tuple[Nodes, Edges]:
    """Return a graph of files with so many symbols each, the module first."""
    first = [0]
    for size in sizes.values():
        first.append(first[-1] + size)
    nodes = Nodes(
        paths=tuple(sizes),
        modules=tuple(sizes),
        is_aside=tuple(path.startswith("tests/") for path in sizes),
        first_node=tuple(first),
        traits=bytes(
            PRIVATE * (node in private) + HOLDER * (node in {*first, *namespaces}) for node in range(first[-1])
        ),
        packages=("",) * len(sizes),
        owners=(),
    )
    found = FoundEdges()
    for edge in edges:
        found.add(*edge)
    return nodes, sorted_edges(found, nodes.count)


def integers(data: bytes) -> list[int]:
    return list(array("i", data))


def test_ranks_solve_the_equation_of_pagerank_where_nothing_is_weighted_down() -> None:
    edges = [(1, 2), (2, 3), (3, 1), (1, 3), (4, 3), (4, 5), (5, 1)]
    ranks = page_rank(*graph({"a.py": 6}, [(*edge, Tier.CALLS_IN_SCOPE, 1) for edge in edges]))
    moves = np.full((6, 6), 1 / 6)
    for source in range(1, 6):
        targets = [target for start, target in edges if start == source]
        moves[:, source] = [targets.count(node) / len(targets) for node in range(6)]
    expected = np.linalg.solve(np.eye(6) - 0.85 * moves, np.full(6, 0.15 / 6))
    assert expected.tolist() == pytest.approx(ranks.tolist(), abs=1e-4)


def test_every_round_passes_on_what_the_one_before_left() -> None:
    edges = [(1, 2), (2, 3), (3, 2), (4, 3), (0, 4)]
    ranks = page_rank(*graph({"a.py": 6}, [(*edge, Tier.CALLS_IN_SCOPE, 1) for edge in edges]))
    expected = np.full(6, 1 / 6)
    for _ in range(50):
        passed = np.bincount([target for _, target in edges], expected[[source for source, _ in edges]], minlength=6)
        expected = 0.15 / 6 + 0.85 * (passed + expected[5] / 6)
    assert expected.tolist() == pytest.approx(ranks.tolist(), abs=1e-12)


def test_the_votes_and_the_results_of_tests_and_private_symbols_weigh_less() -> None:
    calls = [(4, 1, Tier.CALLS_IMPORTED, 1), (1, 2, Tier.CALLS_IN_SCOPE, 1), (1, 3, Tier.CALLS_IN_SCOPE, 1)]
    ranks = page_rank(*graph({"a.py": 4, "tests/t.py": 2}, calls, private=(3,)))
    assert ranks[2] == pytest.approx(ranks[3] / 0.3)
    assert ranks[4] < ranks[1] / 5
    assert ranks.sum() == pytest.approx(1.0)


def test_containment_says_nothing_about_importance() -> None:
    ranks = page_rank(*graph({"a.py": 3}, [(0, 1, Tier.CONTAINS, 0), (0, 2, Tier.CONTAINS, 0)]))
    assert [1 / 3] * 3 == pytest.approx(ranks.tolist())


def test_an_empty_graph_has_no_ranks() -> None:
    empty = pack(*graph({}, []))
    assert (0, b"", b"") == (empty.edge_count, ranked(empty).file_ranks, ranked(empty).central)


def test_a_graph_is_ranked_once() -> None:
    packed = pack(*graph({"a.py": 3, "b.py": 2}, [(4, 2, Tier.CALLS_IMPORTED, 1)]))
    assert not packed.is_ranked
    assert [2, 1, 4] == integers(ranked(packed).central)
    assert ranked(packed) is not packed
    assert ranked(ranked(packed)) == ranked(packed)


def test_central_nodes_are_definitions_best_first_with_ties_in_node_order() -> None:
    one = graph({"a.py": 3, "b.py": 2}, [(4, 2, Tier.CALLS_IMPORTED, 1)])
    assert [2, 1, 4] == central(*one, page_rank(*one)).nodes.tolist()
    assert [2] == central(*one, page_rank(*one), limit=1).nodes.tolist()


def test_where_the_most_central_end_ties_are_in_node_order_too() -> None:
    one = graph({"a.py": 6}, [(5, 3, Tier.CALLS_IN_SCOPE, 1)])
    assert [3, 1, 2, 4] == central(*one, page_rank(*one), limit=4).nodes.tolist()


def test_edges_are_in_order_of_their_targets_however_many_nodes_there_are() -> None:
    targets = [70_000, 5, 65_541, 131_077, 5]
    edges = [(source, target, Tier.CALLS_IN_SCOPE, 1) for source, target in enumerate(targets)]
    assert [1, 4, 2, 0, 3] == integers(pack(*graph({"a.py": 140_000}, edges)).in_edges)


def test_a_definition_stands_for_its_members() -> None:
    contained = [(0, 1, Tier.CONTAINS, 0), (1, 2, Tier.CONTAINS, 0), (2, 3, Tier.CONTAINS, 0), (0, 4, Tier.CONTAINS, 0)]
    one = graph({"a.py": 5, "b.py": 2}, [*contained, (6, 3, Tier.CALLS_IMPORTED, 1), (5, 6, Tier.CONTAINS, 0)])
    ranks = page_rank(*one)

    found = central(*one, ranks)

    assert [1, 4, 6] == sorted(found.nodes.tolist())
    assert (1, pytest.approx(ranks[1] + ranks[2] / 2 + ranks[3] / 4)) == (found.nodes[0], found.ranks[0])


def test_packing_keeps_the_surest_tier_and_the_first_line_of_an_edge() -> None:
    edges = [
        (1, 2, Tier.CALLS_UNIQUE_NAME, 9),
        (1, 2, Tier.CALLS_ON_TYPE, 7),
        (1, 2, Tier.CALLS_ON_TYPE, 5),
        (0, 2, Tier.CONTAINS, 0),
        (1, 1, Tier.CALLS_IN_SCOPE, 3),
        (1, 2, Tier.INHERITS_IMPORTED, 4),
    ]
    one = graph({"a.py": 3}, edges)
    packed = pack(*one)
    assert (3, [0, 1, 1], [2, 2, 2]) == (packed.edge_count, integers(packed.sources), integers(packed.targets))
    kinds = [EDGE_KINDS[kind] for kind in packed.kinds]
    assert [EdgeKind.CONTAINS, EdgeKind.CALLS, EdgeKind.INHERITS] == kinds
    assert Resolution.TYPE == RESOLUTIONS[packed.resolutions[1]]
    assert [0, 5, 4] == integers(packed.lines)
    assert [1.0, 0.9, 1.0] == pytest.approx(list(array("f", packed.confidences)))
    assert [0, 1, 3, 3] == integers(packed.out_offsets)
    assert ([0, 0, 0, 3], [0, 1, 2]) == (integers(packed.in_offsets), integers(packed.in_edges))


def test_a_namespace_does_not_stand_for_what_it_holds() -> None:
    contained = [(0, 1, Tier.CONTAINS, 0), (1, 2, Tier.CONTAINS, 0), (2, 3, Tier.CONTAINS, 0), (1, 4, Tier.CONTAINS, 0)]
    edges = [*contained, (6, 3, Tier.CALLS_IMPORTED, 1), (5, 6, Tier.CONTAINS, 0)]
    one = graph({"a.py": 5, "b.py": 2}, edges, namespaces=(1,))
    ranks = page_rank(*one)

    found = central(*one, ranks)

    assert (2, pytest.approx(ranks[2] + ranks[3] / 2)) == (found.nodes[0], found.ranks[0])
    assert [2, 4, 6] == sorted(found.nodes.tolist())
