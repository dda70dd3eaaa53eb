"""What the index answers about a small repository."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder, contents
from memory_graph import OF_TYPES

from ctxcode.llm.navigator.lookup import find
from ctxcode.model.ids import SymbolId
from ctxcode.model.plan import Relation
from ctxcode.model.symbol import EdgeKind, IndexStats, OtherName, Resolution, SymbolKind
from ctxcode.store.index.documents import FILE_SHIFT
from ctxcode.store.index.reader import SqliteIndex
from ctxcode.store.index.symbols import row_number

FILES = {
    "shop/__init__.py": '"""A shop."""\n',
    "shop/cart.py": '''"""The cart."""
from shop.price import Price, total_of


class Cart:
    """Things a customer wants."""

    @property
    def size(self): return 0

    def addPrice(self, price: Price):
        """Put a thing into the basket."""
        self.checkout()
        price.with_tax()

    def checkout(self):
        return total_of([])


def make(): return Cart()
def make(): return None
''',
    "shop/price.py": "class Price:\n    def with_tax(self): return 1\n\ndef total_of(prices): return 0\n",
    "tests/test_cart.py": "from shop.cart import Cart\ndef test_it(): Cart().checkout()\n",
    "web/client.ts": "export function sendCart(x: number) { return x; }\n",
}
PACKAGED = {
    "shop/__init__.py": "from shop.orders.model import Order\n",
    "shop/orders/model.py": "class Order:\n    def pay(self): return 1\n",
    "shop/orders/total.py": "def total(): return 1\n",
    "commands/root.go": "package commands\n\nfunc Execute() int { return 1 }\n",
    "src/main/java/org/shop/Basket.java": "package org.shop;\n\nclass Basket {\n  static class Line {}\n}\n",
}


RENAMED = {
    "shop/cart.py": "class Cart:\n    def pay(self): return 1\n",
    "shop/names.py": "import numpy as np\nimport shop.cart as c\nfrom shop.cart import Cart as K\n\nours = K()\n",
    "web/index.ts": "import * as w from './all.js';\nexport { w };\n",
    "web/all.ts": "export * as forms from './forms.js';\nexport * from './draw.js';\n",
    "web/forms.ts": "export function field() {}\nexport function paint() {}\n",
    "web/draw.ts": "function draw() {}\nexport { draw as paint };\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedFolder]:
    base = tmp_path_factory.mktemp("reading")
    indexed = IndexedFolder(base / "root", base / "cache")
    for path, text in FILES.items():
        indexed.write(path, text)
    indexed.refresh()
    yield indexed
    indexed.close()


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteIndex]:
    base = tmp_path_factory.mktemp("packaged")
    indexed = IndexedFolder(base / "root", base / "cache")
    for path, text in PACKAGED.items():
        indexed.write(path, text)
    indexed.refresh()
    yield indexed.index
    indexed.close()


@pytest.fixture
def index(folder: IndexedFolder) -> SqliteIndex:
    return folder.index


def symbol(path: str) -> SymbolId:
    return SymbolId(path)


def test_stats_count_files_symbols_edges_and_languages(index: SqliteIndex) -> None:
    stats = index.stats()
    assert (5, 20) == (stats.files, len(stats.revision))
    assert [("python", 4), ("typescript", 1)] == [(count.language, count.files) for count in stats.languages]
    assert sum(count.symbols for count in stats.languages) == stats.symbols
    assert stats.edges > stats.symbols - stats.files


def test_a_symbol_has_everything_its_definition_says(index: SqliteIndex) -> None:
    wanted = symbol("shop/cart.py::Cart.size")
    found = index.symbols([wanted, symbol("shop/cart.py::Cart.gone"), symbol("nowhere.py")])
    assert [wanted] == list(found)
    size = found[wanted]
    assert ("size", "Cart.size", SymbolKind.METHOD, "shop.cart") == (size.name, size.qualname, size.kind, size.module)
    assert (8, 9, 9) == (size.start_line, size.end_line, size.header_line)
    assert (("@property",), "shop/cart.py::Cart") == (size.decorators, size.parent)
    module = index.symbols([symbol("shop/cart.py")])[symbol("shop/cart.py")]
    assert (SymbolKind.MODULE, "The cart.", None) == (module.kind, module.doc, module.parent)


def test_a_second_namesake_has_an_id_of_its_own(index: SqliteIndex) -> None:
    ids = [found.id for found in index.symbols_named("make")]
    assert ["shop/cart.py::make", "shop/cart.py::make~2"] == ids
    second = symbol("shop/cart.py::make~2")
    assert 21 == index.symbols([second])[second].start_line


@pytest.mark.parametrize(
    "name",
    ["checkout", "Cart.checkout", "cart.Cart.checkout", "shop.cart.Cart.checkout", "shop/cart.py::Cart.checkout"],
)
def test_a_definition_is_found_by_any_form_of_its_name(index: SqliteIndex, name: str) -> None:
    assert ["shop/cart.py::Cart.checkout"] == [found.id for found in index.symbols_named(name)]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("shop/orders/model.py::Order", "shop.Order"),
        ("shop/orders/model.py::Order.pay", "shop.Order.pay"),
        ("commands/root.go::Execute", "commands.Execute"),
        ("src/main/java/org/shop/Basket.java::Basket.Line", "org.shop.Basket.Line"),
        ("src/main/java/org/shop/Basket.java::Basket.Line", "org.shop.Basket$Line"),
        ("src/main/java/org/shop/Basket.java::Basket", "org.shop.Basket"),
        ("shop/orders/total.py", "shop.orders.total"),
    ],
)
def test_a_definition_is_found_by_its_package_s_name_without_its_file_s(
    packaged: SqliteIndex, path: str, name: str
) -> None:
    found = find(packaged, name)
    assert (path, "") == (found.best.id if found.best else None, found.respelled)


@pytest.mark.parametrize("name", ["orders.pay", "org.Line", "other.Execute"])
def test_what_a_definition_stands_in_is_not_left_out(packaged: SqliteIndex, name: str) -> None:
    assert find(packaged, name).best is None


@pytest.mark.parametrize("name", ["Checkout", "art.checkout", "Price.checkout", "", ".", "::"])
def test_a_name_that_is_nobodys_finds_nothing(index: SqliteIndex, name: str) -> None:
    assert () == index.symbols_named(name)


def test_names_and_paths_that_almost_exist_are_suggested(index: SqliteIndex) -> None:
    assert "checkout" == index.nearest_names("chekcout")[0]
    assert "addPrice" == index.nearest_names("Cart.addprice")[0]
    assert () == index.nearest_names("zzzzzzzz")
    assert ("shop/cart.py",) == index.paths_like("cart.py")
    assert ("shop/cart.py",) == index.paths_like("./shop/cart.py")
    assert ("shop/price.py",) == index.paths_like("Price")
    assert () == index.paths_like("art.py")


def test_the_nearest_names_are_those_of_now(tmp_path: Path) -> None:
    folder = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    folder.write("a.py", "def checker(): pass\n")
    folder.refresh()
    assert [("checker",)] * 2 == [folder.index.nearest_names("chekcout") for _ in range(2)]
    folder.write("b.py", "def checkout(): pass\n")
    folder.refresh()
    assert ("checkout", "checker") == folder.index.nearest_names("chekcout")
    folder.close()


def test_a_files_symbols_come_in_source_order_with_the_module_first(index: SqliteIndex) -> None:
    names = [found.qualname for found in index.symbols_in("shop/cart.py")]
    assert ["", "Cart", "Cart.size", "Cart.addPrice", "Cart.checkout", "make", "make"] == names
    assert () == index.symbols_in("gone.py")


def test_nodes_are_numbered_by_path_and_position(index: SqliteIndex) -> None:
    nodes = index.symbols_at(range(-5, 1000))
    assert list(range(index.stats().symbols)) == list(nodes)
    assert sorted(FILES) == [found.path for found in nodes.values() if found.kind == SymbolKind.MODULE]
    ids = [found.id for found in nodes.values()]
    assert {found: number for number, found in enumerate(ids)} == index.nodes_of(ids)


def test_links_say_what_the_neighbour_is_to_the_node(index: SqliteIndex) -> None:
    ids = [symbol("shop/cart.py::Cart.checkout"), symbol("shop/price.py::total_of"), symbol("shop/cart.py::Cart")]
    nodes = index.nodes_of(ids)
    checkout, total, cart = (nodes[found] for found in ids)
    links = index.links(checkout)
    assert (total, "called-by", 1.0) in links
    assert (cart, "contains", 1.0) in links
    assert (checkout, "contained-in", 1.0) in index.links(cart)
    assert (checkout, "calls", 1.0) in index.links(total)
    assert [] == list(index.links(10_000))


@pytest.mark.parametrize("is_counted_first", [True, False])
def test_links_are_counted_without_being_made_and_made_only_where_there_are_few(
    index: SqliteIndex, *, is_counted_first: bool
) -> None:
    for node in range(-1, index.stats().symbols + 1):
        width = index.width(node) if is_counted_first else len(index.links(node))
        assert [] == list(index.links(node, width - 1))
        assert width == len(index.links(node, width)) == len(index.links(node)) == index.width(node)


@pytest.mark.parametrize("are_made_first", [True, False])
def test_links_among_some_nodes_are_those_that_lead_there_and_those_between_types(
    index: SqliteIndex, *, are_made_first: bool
) -> None:
    count = index.stats().symbols
    for node in range(-1, count + 1):
        every = list(index.links(node)) if are_made_first else None
        for others in ({node + 1, node - 2}, range(count // 2), ()):
            found = index.links(node, None, others)
            every = list(index.links(node)) if every is None else every
            assert [link for link in every if link[0] in others or link[1] in OF_TYPES] == list(found)
            assert [] == list(index.links(node, len(every) - 1, others))


def test_an_owner_is_what_a_definition_stands_in(index: SqliteIndex) -> None:
    for node in range(-1, index.stats().symbols + 1):
        around = [other for other, relation, _ in index.links(node) if relation == Relation.CONTAINS]
        assert around == [owner for owner in [index.owner(node)] if owner is not None]
    size, cart = (symbol(f"shop/cart.py::{name}") for name in ("Cart.size", "Cart"))
    nodes = index.nodes_of([size, cart])
    assert nodes[cart] == index.owner(nodes[size])


def test_edges_carry_kind_resolution_confidence_and_line(index: SqliteIndex) -> None:
    edges = index.edges_of(symbol("shop/cart.py::Cart.addPrice"))
    calls = {edge.target: edge for edge in edges if edge.kind is EdgeKind.CALLS}
    own = calls[symbol("shop/cart.py::Cart.checkout")]
    typed = calls[symbol("shop/price.py::Price.with_tax")]
    assert (Resolution.RECEIVER, 0.95, 13) == (own.resolution, own.confidence, own.line)
    assert (Resolution.TYPE, 0.9, 14) == (typed.resolution, typed.confidence, typed.line)
    assert () == index.edges_of(symbol("gone.py"))


def test_a_path_between_two_symbols_is_a_chain(index: SqliteIndex) -> None:
    start, goal = symbol("tests/test_cart.py::test_it"), symbol("shop/price.py::total_of")
    chain = index.path_between([start], [goal])
    assert (start, goal) == (chain[0].source, chain[-1].target)
    assert all(first.target == second.source for first, second in pairwise(chain))
    assert () == index.path_between([goal], [start])
    assert () == index.path_between([goal], [symbol("gone.py")])


def test_a_path_says_what_happens_before_what_a_type_contains(tmp_path: Path) -> None:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    text = """class Q:
    def __init__(self): helper()
    def check(self): return target()
    def unused(self): return 1
def helper(): return middle()
def middle(): return target()
def target(): return 0
def begin(): return Q()
"""
    indexed.write("a.py", text)
    indexed.refresh()

    def chain(goal: str) -> list[str]:
        found = indexed.index.path_between([symbol("a.py::begin")], [symbol(f"a.py::{goal}")])
        return [edge.target.removeprefix("a.py::") for edge in found]

    assert ["Q", "Q.__init__", "helper", "middle", "target"] == chain("target")
    assert ["Q", "Q.unused"] == chain("Q.unused")
    assert [] == chain("begin")
    start = [edge.target for edge in indexed.index.path_between([symbol("a.py::Q")], [symbol("a.py::target")])]
    assert ["a.py::Q.check", "a.py::target"] == start
    indexed.close()


def test_the_most_central_definitions_are_no_modules_and_no_tests(index: SqliteIndex) -> None:
    central = index.central(3)
    assert SymbolKind.MODULE not in {found.kind for found, _ in central}
    assert [] == [found.path for found, _ in central if found.path.startswith("tests/")]
    assert [rank for _, rank in central] == sorted((rank for _, rank in central), reverse=True)
    assert () == index.central(0)


def test_modules_say_size_rank_and_place(index: SqliteIndex) -> None:
    modules = {entry.path: entry for entry in index.modules()}
    assert sorted(FILES) == list(modules)
    assert ("shop.cart", 7, False) == (
        modules["shop/cart.py"].module,
        modules["shop/cart.py"].symbols,
        modules["shop/cart.py"].is_test,
    )
    assert modules["tests/test_cart.py"].is_test
    assert 1.0 == pytest.approx(sum(entry.rank for entry in modules.values()))


def test_an_index_that_was_never_refreshed_answers_with_nothing(tmp_path: Path) -> None:
    fresh = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    index = fresh.index
    assert IndexStats("", 0, 0, 0, ()) == index.stats()
    assert ({}, (), (), (), (), ()) == (
        index.symbols([symbol("a")]),
        index.symbols_named("a"),
        index.search([("a", 1.0)]),
        index.modules(),
        index.central(5),
        tuple(index.links(0)),
    )
    fresh.close()


def test_an_empty_repository_is_indexed_to_nothing(tmp_path: Path) -> None:
    empty = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    report = empty.refresh()
    assert (0, 0, 0) == (report.files, report.symbols, report.edges)
    assert report.revision == empty.index.stats().revision
    empty.close()


def test_files_that_could_not_be_read_are_counted_until_they_can(tmp_path: Path) -> None:
    folder, other = (IndexedFolder(tmp_path / "root", tmp_path / "cache") for _ in range(2))
    folder.write("a.py", "def f(): pass\n")
    bad = tmp_path / "root" / os.fsdecode(b"bad\xff.py")
    unread = []
    for is_there in (False, True, True, False):
        bad.touch() if is_there else bad.unlink(missing_ok=True)
        folder.refresh()
        unread.append((folder.index.stats().unread, other.index.stats().unread))
    assert [(0, 0), (1, 1), (1, 1), (0, 0)] == unread
    folder.close()
    other.close()


def test_what_was_read_of_a_file_that_has_gone_is_not_told_of_the_next_one(tmp_path: Path) -> None:
    writing = IndexedFolder(tmp_path / "root", tmp_path / "cache", is_kept=True)
    reading = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    writing.write("always.py", "x = 1\n")
    found = []
    for name in ("first", "second"):
        writing.write("new.py", f"def {name}(): return '{name}'\n")
        writing.refresh()
        found.append([one.signature for one in reading.index.symbols_in("new.py")[1:]])
        nodes = reading.index.nodes_of([symbol(f"new.py::{name}")]).values()
        found.append([text.splitlines()[-1] for text in reading.index.texts_at(nodes).values()])
        (tmp_path / "root" / "new.py").unlink()
        writing.refresh()
    first, second = (([f"def {name}()"], [f"def {name}(): return '{name}'"]) for name in ("first", "second"))
    assert [*first, *second] == found
    reading.close()
    writing.close()


def test_what_is_remembered_over_publications_is_what_a_fresh_reader_reads(tmp_path: Path) -> None:
    writing = IndexedFolder(tmp_path / "root", tmp_path / "cache", is_kept=True)
    for path, text in FILES.items():
        writing.write(path, text)
    writing.refresh()
    kept = IndexedFolder(tmp_path / "root", tmp_path / "cache")

    def told(index: SqliteIndex) -> tuple[object, ...]:
        made = contents(index)
        ids = [found.id for found in index.symbols_at(range(index.stats().symbols)).values()]
        return made, index.texts_at(range(index.stats().symbols)), index.symbols(ids), index.nodes_of(ids)

    def write(path: str, text: str) -> Callable[[], object]:
        return partial(writing.write, path, text)

    root = tmp_path / "root"
    changes: list[Callable[[], object]] = [
        write("shop/price.py", FILES["shop/price.py"] + "# the same links\n"),
        write("shop/price.py", "# moved\n" + FILES["shop/price.py"] + "\ndef total_more(cart):\n    return cart\n"),
        write("aaa.py", "from shop.price import total_of\n\ndef first():\n    return total_of([])\n"),
        write("__init__.py", ""),
        (root / "aaa.py").unlink,
        (root / "shop/price.py").unlink,
        write("shop/price.py", FILES["shop/price.py"]),
    ]
    for change in changes:
        change()
        writing.refresh()
        fresh = IndexedFolder(root, tmp_path / "cache")
        assert told(fresh.index) == told(kept.index)
        fresh.close()
    kept.close()
    writing.close()


def test_an_id_is_found_without_reading_all_names_of_its_file(tmp_path: Path) -> None:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    indexed.write("many.py", "".join(f"def f{number}(): return f{number - 1}()\n" for number in range(2000)))
    keys = "\n".join(f"{'a.' * 30}k{number} = 1" for number in range(3))
    indexed.write("keys.toml", f'[x."y.z"]\nv = 1\n[b]\n{keys}\n')
    indexed.refresh()
    symbols = [one for path in ("many.py", "keys.toml") for one in indexed.index.symbols_in(path)]
    assert {one.id for one in symbols} == set(indexed.index.symbols([one.id for one in symbols]))
    with closing(sqlite3.connect(tmp_path / "cache" / "index.db")) as connection:
        row = connection.execute("SELECT id FROM symbol WHERE name = 'f1500'").fetchone()[0]
        steps: list[None] = []
        connection.set_progress_handler(lambda: steps.append(None), 1)
        assert row == row_number(connection, row >> FILE_SHIFT, "f1500", 1)
    assert len(steps) < 200
    indexed.close()


def test_other_names_lead_to_what_they_are_given_to(tmp_path: Path) -> None:
    folder = IndexedFolder(tmp_path / "work", tmp_path / "cache")
    for path, text in RENAMED.items():
        folder.write(path, text)
    folder.refresh()
    meant = {
        "c.Cart": "shop.cart.Cart",
        "K": "shop.cart.Cart",
        "K.pay": "shop.cart.Cart.pay",
        "ours.pay": "shop.cart.Cart.pay",
        "w.forms.field": "web.forms.field",
        "w.paint": "web.draw.draw",
    }
    assert meant == {name: found.dotted for name in meant if (found := find(folder.index, name).best) is not None}
    assert ["np", "c", "K", "ours"] == [
        one.name for one in sorted(folder.index.renamed("", "shop/names.py"), key=_line)
    ]

    folder.write("shop/names.py", "import shop.cart as d\n")
    folder.refresh()
    assert ["d"] == [one.name for one in folder.index.renamed("", "shop/names.py")]
    assert () == folder.index.renamed("np")
    folder.close()


def _line(other: OtherName) -> int:
    return other.line or 9
