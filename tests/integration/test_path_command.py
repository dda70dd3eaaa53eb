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
    absent = look(here, "path", "add", "begin")
    assert "between any of 2 definitions of 'add' (first cart.Cart.add at cart.py:2) and cart.begin.\n" in absent.out
    counts = look(here, "path", "add", "begin", "--format", "json").json()["looked_at"]
    assert [{"definitions": 2, "tried": 2}, {"definitions": 1, "tried": 1}] == counts


def test_a_path_says_what_may_run_and_what_is_a_value(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "home").mkdir()
    text = """class Base:
    def run(self): pass
class Shop(Base):
    def run(self): use(goal)
def use(what): pass
def goal(): pass
def begin(base: Base): base.run()
"""
    (tmp_path / "shop" / "a.py").write_text(text)
    rows = look((tmp_path / "home", tmp_path / "shop"), "path", "begin", "goal").out.splitlines()
    assert "perhaps 3 steps from a.begin, a.py:7" == rows[0]
    assert ["  may run a.Shop.run ~  at a.py:4", "  refers to a.goal &  at a.py:4"] == rows[2:4]
    assert [
        "~ what overrides it runs in its place only on objects of that type",
        "& named as a value, not called here",
    ] == rows[4:]


def test_a_path_may_begin_with_a_folder(tmp_path: Path) -> None:
    for name, text in (("shop/cart.py", "from base.money import price\n"), ("base/money.py", "def price(): pass\n")):
        (tmp_path / "it" / name).parent.mkdir(parents=True)
        (tmp_path / "it" / name).write_text(text)
    (tmp_path / "home").mkdir()
    here = (tmp_path / "home", tmp_path / "it")
    assert "imports base.money.price  at shop/cart.py:1" in look(here, "path", "shop/", "price").out
    assert look(here, "path", "base/", "shop/cart.py").out.startswith("Nothing leads from base/ (1 file) to shop.cart;")
