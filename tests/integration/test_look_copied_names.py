"""``ctxcode symbol`` asked for names as they stand in code, traces and other tools."""

from pathlib import Path

import pytest
from command import Outcome, run_here

FILES = {
    "go.mod": "module example.org/shop-x/v2\n",
    "shop.go": "package shop\n\ntype Till struct{}\n\nfunc (t *Till) Pay() {}\nfunc New() *Till { return nil }\n",
    "deep/box/box.go": "package box\n\nfunc New() int { return 1 }\n",
    "py/cart.py": "class Cart:\n    def add(self, x):\n        def inner():\n            pass\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    repository = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    return tmp_path_factory.mktemp("home"), repository


def look(shop: tuple[Path, Path], name: str) -> Outcome:
    home, repository = shop
    return run_here(home, "symbol", "--repo", str(repository), "--", name)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("Cart.add()", "py/cart.py:2  method"),
        (" `Cart` ", "py/cart.py:1  class"),
        ("def add(self, x)", "py/cart.py:2  method"),
        ("Cart.add.<locals>.inner", "py/cart.py:3  function"),
        ("py/cart.py:3:8", "py/cart.py:3  function"),
        ("C:\\work\\py\\cart.py:1", "py/cart.py:1  class"),
        ("/elsewhere/py/cart.py", "py/cart.py:1  module"),
        ("b/py/cart.py", "py/cart.py:1  module"),
        ("example.org/shop-x/v2.(*Till).Pay", "shop.go:5  method"),
        ("example.org/shop-x/v2.(*Till).Pay.func1", "shop.go:5  method"),
        ("example.org/shop-x/v2.New", "shop.go:6  function"),
        ("example.org/shop-x/v2/deep/box.New", "deep/box/box.go:3  function"),
    ],
)
def test_a_copied_name_leads_to_its_definition(shop: tuple[Path, Path], name: str, start: str) -> None:
    assert look(shop, name).out.startswith(start)


@pytest.mark.parametrize("name", ["example.org/other.New", "/elsewhere/no/cart.rb"])
def test_what_is_called_alike_elsewhere_is_not_found(shop: tuple[Path, Path], name: str) -> None:
    assert look(shop, name).out.startswith("There is no ")


def test_the_proof_of_absence_speaks_of_the_name_alone(shop: tuple[Path, Path]) -> None:
    assert "There is no 'Cart::ad' here" in look(shop, "Cart::ad(1)").out
    assert "Cart (py/cart.py:1) has no member ad," in look(shop, "Cart::ad(1)").out


@pytest.mark.parametrize("name", ["deep/box", "deep/", "deep/box/"])
def test_of_a_folder_its_files_are_told(shop: tuple[Path, Path], name: str) -> None:
    assert "nearest: deep/box/box.go" in look(shop, name).out
