"""Files that fit the prefix of a question."""

import pytest
from memory_graph import MemoryGraph, ask, entry_of, ids, symbol

from ctxcode.retrieval.place.prefix import prefix_share, read_prefix


def share(written: str, path: str) -> float:
    return prefix_share(path, [read_prefix(written)])


@pytest.mark.parametrize(
    ("written", "better", "worse"),
    [
        ("fixtures", "src/fixtures.py", "src/fixtures/order.py"),
        ("fixtures", "src/fixtures/order.py", "src/fixture_order.py"),
        ("fixtures", "src/fixture_order.py", "src/order.py"),
        ("net/http", "net/http/server.go", "net/rpc/server.go"),
        ("net/http", "net/http/server.go", "other/http/server.go"),
        ("lxd/images", "cmd/lxd/images.go", "shared/images.go"),
        ("UnderlineNav", "src/UnderlineNav.tsx", "src/Nav.tsx"),
    ],
)
def test_of_two_files_the_one_called_like_the_prefix_fits_better(written: str, better: str, worse: str) -> None:
    assert share(written, better) > share(written, worse)


def test_a_file_called_so_fits_wholly_and_no_prefix_says_nothing_of_a_file() -> None:
    assert share("expression", "src/mark/expression.py") == 1.0
    assert share("mark/expression", "src/mark/expression.py") > share("mark/expression", "src/expression.py")
    assert share("expression", "README") == 0.0
    assert prefix_share("src/mark/expression.py", ()) == 0.0


def test_a_prefix_lifts_what_stands_in_its_file_and_is_told_as_a_part_of_the_score() -> None:
    graph = MemoryGraph(
        listed=[symbol("shop/cart.py", "merge"), symbol("shop/wishlist.py", "merge_lists")],
        bodies={"shop/cart.py::merge": "items lost", "shop/wishlist.py::merge_lists": "items lost"},
    )
    asked = ask("wishlist: items get lost", graph)
    assert ids(asked)[0] == "shop/wishlist.py::merge_lists"
    (prefix,) = [term for term in entry_of(asked, "shop/wishlist.py::merge_lists").terms if term.name == "prefix"]
    assert prefix.value > 0
