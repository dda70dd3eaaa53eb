"""A repository whose root is a package of Python goes by the name its own files import it by."""

import pytest
from resolved_edges import edges_between, facts_of
from updated_graph import update

from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.resolve.graph import build_graph
from ctxcode.codegraph.resolve.modules.naming import module_names

SHOP = {
    "__init__.py": "",
    "price.py": "class Price:\n    def tax(self): pass\ndef total(): pass\n",
    "http/__init__.py": "",
    "http/client.py": (
        "import http\nfrom shop.price import Price, total\ndef send():\n    Price().tax(); http.reply()\n"
    ),
    "http/reply.py": "import shop.price\ndef reply(): shop.price.total()\n",
    "http/old.py": "def reply(): pass\n",
}


def test_its_files_are_found_by_its_name_and_by_no_part_of_it() -> None:
    assert {
        ("http/client.py::send", "price.py::Price", "import 1"),
        ("http/client.py::send", "price.py::Price.tax", "type 0.9"),
        ("http/reply.py::reply", "price.py::total", "receiver 0.95"),
    } == edges_between(SHOP)
    assert "shop" == module_names(facts_of(SHOP))["__init__.py"]
    assert "shop.http.client" == module_names(facts_of(SHOP))["http/client.py"]


def test_a_part_of_a_package_has_a_name_with_dots() -> None:
    files = {path: text.replace("shop.", "big.shop.") for path, text in SHOP.items()}
    assert "big.shop.http" == module_names(facts_of(files))["http/__init__.py"]
    assert ("http/reply.py::reply", "price.py::total", "receiver 0.95") in edges_between(files)


@pytest.mark.parametrize(
    "files",
    [
        {"__init__.py": None},
        {"shop/__init__.py": "", "shop/price.py": "class Price: pass\n"},
        {"src/shop/price.py": "class Price: pass\n"},
        {"price.py": "def total(): pass\n"},
        {"price.py": "class Price: pass\nclass Own: pass\n"},
        {"http/more.py": "from shop.price import Cart\nfrom shop.stock import Box\n"},
        {"http/client.py": "", "price.py": "from shop.price import Price, total\nclass Price(Price): pass\n"},
        {"price.py": "from shop.price import Price, total\n"},
    ],
    ids=["no package", "inner", "source root", "half", "another", "others", "own names", "taken from there"],
)
def test_nothing_leads_to_a_root_by_the_name_of_another_package(files: dict[str, str | None]) -> None:
    whole = {path: text for path, text in (SHOP | files).items() if text is not None}
    assert "shop.http.client" != module_names(facts_of(whole)).get("http/client.py")


@pytest.mark.parametrize(
    ("path", "now"),
    [
        ("http/client.py", "from shop.price import Price\n"),
        ("http/client.py", "from shop.price import Price, total, spare\n"),
        ("price.py", "class Price:\n    def tax(self): pass\n"),
        ("price.py", SHOP["price.py"] + "def more(): total()\n"),
        ("http/__init__.py", None),
        ("shop.py", "def total(): pass\n"),
        ("__init__.py", None),
    ],
    ids=["imported", "more imported", "defined", "more defined", "gone", "come", "no package"],
)
def test_an_edit_that_can_rename_the_root_gives_the_graph_of_all_files(path: str, now: str | None) -> None:
    before = {each: skeleton(facts) for each, facts in facts_of(SHOP).items()}
    after = {each: facts for each, facts in before.items() if each != path}
    if now is not None:
        after[path] = skeleton(facts_of({path: now})[path])
    assert update(before, after) in {None, build_graph(after)}


def test_an_edit_that_cannot_is_joined_alone() -> None:
    before = {each: skeleton(facts) for each, facts in facts_of(SHOP).items()}
    now = skeleton(facts_of({"price.py": SHOP["price.py"] + "def more(): total()\n"})["price.py"])
    assert build_graph(before | {"price.py": now}) == update(before, before | {"price.py": now})
