"""Packages whose parts are imported one by one, made on the disk."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest

from ctxcode.llm.later_parts import parts_later

OFFERS = '''"""What a shop has."""

from __future__ import annotations

from . import tools
from .cart import Cart as Cart, _hidden
from .till import Till, pay as settle
from .deep.shelf import Shelf

__all__ = ["Cart"]
'''
FILES = {
    "__init__.py": OFFERS,
    "cart.py": "class Cart: ...\n_hidden = 1\n",
    "till.py": "from . import Cart\nclass Till: ...\ndef pay(): return Cart\n",
    "tools.py": "from .cart import Cart\n",
    "deep/__init__.py": "from .shelf import Shelf\n",
    "deep/shelf.py": "class Shelf: ...\n",
}


@pytest.fixture(autouse=True)
def imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Import from the test's own folder, and forget it all."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]


def shop(folder: Path, **files: str) -> ModuleType:
    """Write a package and import it with its parts for later."""
    for name, text in (FILES | {f"{name}.py": text for name, text in files.items()}).items():
        path = folder / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with parts_later("shop"):
        return import_module("shop")


def parts() -> list[str]:
    return sorted(name.removeprefix("shop.") for name in sys.modules if name.startswith("shop."))


def test_a_part_is_imported_with_the_first_name_of_it_that_is_asked_for(tmp_path: Path) -> None:
    package = shop(tmp_path)
    assert [] == parts()
    assert "shop.cart" == package.Cart.__module__
    assert ["cart"] == parts()
    assert package.Cart is package.settle()
    assert ["cart", "till"] == parts()


def test_parts_are_offered_as_well_as_what_they_hold(tmp_path: Path) -> None:
    package = shop(tmp_path)
    assert (1, "Shelf") == (package._hidden, package.deep.shelf.Shelf.__name__)
    assert package.tools.Cart is package.cart.Cart is package.Cart
    assert {"Cart", "Till", "settle", "Shelf", "tools", "cart"} <= set(dir(package))


def test_a_package_below_keeps_its_parts_for_later_too_as_long_as_others_do(tmp_path: Path) -> None:
    shop(tmp_path)
    with parts_later("shop"):
        below = import_module("shop.deep")
    assert ["deep"] == parts()
    assert ("Shelf", ["deep", "deep.shelf"]) == (below.Shelf.__name__, parts())


def test_all_of_it_can_be_asked_for_at_once(tmp_path: Path) -> None:
    shop(tmp_path)
    (tmp_path / "shop" / "tools.py").write_text("from . import *\n", encoding="utf-8")
    names = vars(import_module("shop.tools")).keys()
    assert {"Cart", "Till", "settle", "Shelf", "tools"} <= names
    assert "_hidden" not in names


def test_what_it_does_not_offer_is_missing_as_ever(tmp_path: Path) -> None:
    package = shop(tmp_path)
    with pytest.raises(AttributeError, match="module 'shop' has no attribute 'nothing'"):
        _ = package.nothing
    (tmp_path / "shop" / "tools.py").write_text("from . import nothing\n", encoding="utf-8")
    with pytest.raises(ImportError, match="cannot import name 'nothing' from 'shop'"):
        import_module("shop.tools")


@pytest.mark.parametrize(
    "does_more",
    [
        "READY = True\n",
        "def open(): ...\n",
        "from .cart import *\n",
        "from os import path\n",
        "import os\n",
        "if True:\n    from .cart import Cart\n",
        "from ..shop import cart\n",
    ],
)
def test_a_package_that_does_more_than_import_its_parts_is_run_whole(tmp_path: Path, does_more: str) -> None:
    if does_more.startswith("from .."):
        with pytest.raises(ImportError, match="beyond top-level package"):
            shop(tmp_path, __init__=FILES["__init__.py"] + does_more)
        return
    shop(tmp_path, __init__=FILES["__init__.py"] + does_more)
    assert ["cart", "deep", "deep.shelf", "till", "tools"] == parts()


def test_a_package_is_run_whole_where_a_part_is_called_like_what_it_holds(tmp_path: Path) -> None:
    package = shop(tmp_path, __init__="from .pay import pay\n", pay="def pay(): return 3\n")
    assert 3 == package.pay()


def test_a_package_with_errors_says_them(tmp_path: Path) -> None:
    with pytest.raises(SyntaxError):
        shop(tmp_path, __init__="from .cart import\n")


def test_packages_of_other_names_are_imported_as_ever(tmp_path: Path) -> None:
    shop(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]
    with parts_later("shop.deep", "shopping"):
        import_module("shop")
    assert {"cart", "till", "tools"} <= set(parts())
    with parts_later("sho"), pytest.raises(ModuleNotFoundError):
        import_module("shop.nothing")


def test_many_threads_are_given_one_and_the_same(tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(0.05)\nclass Slow: ...\n"
    package = shop(tmp_path, __init__="from .slow import Slow\n", slow=slow)
    found: list[object] = []
    askers = [Thread(target=lambda: found.append(package.Slow)) for _ in range(8)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert (8, 1) == (len(found), len(set(map(id, found))))
