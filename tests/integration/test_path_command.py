"""``ctxcode path`` as a process on a real folder."""

from pathlib import Path

from command import Outcome, run_here


def look(shop: tuple[Path, Path], *words: str) -> Outcome:
    home, repository = shop
    return run_here(home, *words, "--repo", str(repository))


def test_a_path_says_what_is_a_guess_and_which_of_several_definitions_it_is_about(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "home").mkdir()
    text = "class Cart:\n    def add(self): pass\ndef begin(): Cart()\n"
    (tmp_path / "shop" / "cart.py").write_text(text)
    (tmp_path / "shop" / "other.py").write_text("class Bag:\n    def add(self): pass\n")
    here = (tmp_path / "home", tmp_path / "shop")
    rows = look(here, "path", "begin", "add").out.splitlines()
    assert "perhaps 2 steps from cart.begin, cart.py:3" == rows[0]
    assert "  contains cart.Cart.add ~  at cart.py:2" == rows[2]
    assert ["~ what uses a type need not use this part of it"] == rows[3:4]
    assert ["'add' is cart.Cart.add at cart.py:2 here; 1 other of that name"] == rows[4:]
    steps = look(here, "path", "begin", "add", "--format", "json").json()["steps"]
    assert [False, True] == [step["guess"] for step in steps]
    unconnected = look(here, "path", "Bag", "begin").out
    assert unconnected.endswith("inheritance between other.Bag and cart.begin.\n")
    assert "between cart.Cart.add (or one of 1 other of that name) and" in look(here, "path", "add", "begin").out


def test_a_path_may_begin_with_a_folder(tmp_path: Path) -> None:
    for name, text in (("shop/cart.py", "from base.money import price\n"), ("base/money.py", "def price(): pass\n")):
        (tmp_path / "it" / name).parent.mkdir(parents=True)
        (tmp_path / "it" / name).write_text(text)
    (tmp_path / "home").mkdir()
    here = (tmp_path / "home", tmp_path / "it")
    assert "imports base.money.price  at shop/cart.py:1" in look(here, "path", "shop/", "price").out
    assert look(here, "path", "base/", "shop/cart.py").out.startswith("Nothing leads from base/ (1 file) to shop.cart;")
