"""Style sheets, whose names are those of what they style."""

from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.intent.prompt import parse_prompt
from ctxcode.retrieval.retrieve import retrieve


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("the cart total is wrong after a discount", "shop/cart.py"),
        ("the color of the cart total is wrong", "web/shop.css"),
    ],
)
def test_how_a_thing_looks_comes_first_where_that_is_asked_for(tmp_path: Path, question: str, first: str) -> None:
    (tmp_path / "tree").mkdir()
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    folder.write("web/shop.css", ".cart-total {\n  color: red;\n}\n\n.cart-line {\n  color: grey;\n}\n")
    folder.write("shop/cart.py", "def cart_total(lines):\n    return sum(line.price for line in lines)\n")
    folder.refresh()
    found = retrieve(parse_prompt(question), folder.index)
    folder.close()
    assert first == found.entries[0].symbol.path
