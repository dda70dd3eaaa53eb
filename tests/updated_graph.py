"""A small repository in several languages, and its graph brought in step as the index does it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from ctxcode.codegraph.edges import PackedGraph
from ctxcode.codegraph.facts import FileFacts, skeleton
from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.rank import ranked
from ctxcode.codegraph.resolve.again.said import words_said
from ctxcode.codegraph.resolve.again.update import update_graph
from ctxcode.codegraph.resolve.graph import build_graph

BODIES = {
    "shop/__init__.py": ("from .cart import *\nfrom .price import Price as Cost\nfrom . import price\nBODY\n"),
    "shop/cart.py": (
        "from shop import *\nfrom .price import Price, total\n\n"
        "class Cart(Price):\n    kind = Price\n    stock = Price()\n"
        "    def __init__(self):\n        self.price = Price()\n    def add(self, item):\n        BODY\n\n"
        "def make() -> Price:\n    BODY\n\nspare = Cart()\nsame = spare\n"
    ),
    "shop/price.py": (
        "from shop.cart import Cart\n\nclass Price:\n    def with_tax(self):\n        BODY\n"
        "    def add(self, item):\n        return item\n    def self_made(self) -> Cart: ...\n\n"
        "def total(items):\n    cart = Cart()\n    own = cart.self_made()\n    BODY\n"
    ),
    "tests/test_shop.py": (
        "import shop.cart\nfrom shop import Cost\n\ndef with_tax():\n    BODY\ndef test_make():\n    BODY\n"
        "class TestPrice:\n    def test_add(self):\n        BODY\n"
    ),
    "tests/test_price.py": "from shop.price import Price, total\n\ndef test_total():\n    total([]); BODY\n",
    "web/index.ts": "export * from './cart';\nexport { send as post } from './client';\nfunction run() { BODY }\n",
    "web/cart.ts": (
        "import { post } from './index';\nexport interface Paid { pay() }\n"
        "export class Cart implements Paid { add() { BODY } pay() { BODY } }\n"
    ),
    "web/cart.test.ts": "import { Cart } from './cart';\nfunction run() { new Cart().pay(); BODY }\n",
    "web/client.ts": "import * as web from './index';\nexport function send() { BODY }\nfunction make() { BODY }\n",
    "src/lib.rs": "pub mod cart;\nuse crate::cart::Cart;\npub fn make() -> Cart { BODY }\n",
    "src/cart.rs": (
        "use super::make;\npub trait Paid {}\npub struct Cart;\nimpl Paid for Cart {}\n"
        "impl Cart { pub fn add(&self) { BODY } fn pay(&self) { BODY } }\n"
    ),
    "go/cart.go": "package shop\n\ntype Cart struct{}\n\nfunc (c Cart) Add() { BODY }\n",
    "go/price.go": "package shop\n\nfunc (c Cart) Pay() { BODY }\n\nfunc Total() { BODY }\n",
    "java/Cart.java": (
        "package shop;\n\nclass Cart {\n    Price price;\n    Cart(int count) { BODY }\n    void add() { BODY }\n"
        "    void add(Price one) { BODY }\n    void add(Cart one, int... count) { BODY }\n    void pay() { BODY }\n"
        "    static class Line extends Price { void run() { BODY } }\n}\n"
    ),
    "java/Price.java": (
        "package shop;\n\nimport shop.Cart;\n\nclass Price extends Cart {\n    Price() { super(1); }\n"
        "    void total() { BODY }\n    Cart made(Price one) { BODY }\n    void add(String name) { BODY }\n}\n"
    ),
    "c/cart.c": "int total(int a) { BODY }\n",
}
CALLS = {
    "py": (
        "pass",
        "total([]); make()",
        "self.price.with_tax()",
        "Price().add(1)",
        "Cart().with_tax()",
        "self.add(1)",
        "shop.cart.make(); Cost()",
        "price.total(1); x.with_tax()",
        "\n        cart.add(2)".strip(),
        "super().add(3)",
        "own.add(4); make().add(5)",
        "self.kind(); self.self_made().price.with_tax()",
        "spare.add(6); shop.cart.same.with_tax()",
        "Cart.stock.with_tax(); shop.cart.Cart.stock.add(7)",
        "[Cart, total, make, shop.cart.Cart.kind]",
        "[total for total in Cost]; (Price.add, total)",
    ),
    "ts": (
        "",
        "send(); post();",
        "new Cart().add();",
        "this.pay(); web.send();",
        "x.pay();",
        "run(); make();",
        "let c: Cart = [send, web.send, post];",
    ),
    "rs": (
        "Cart.add()",
        "make().pay()",
        "self.pay(); crate::make()",
        "Cart::add(&x)",
        "x.pay()",
        "let c: Cart = make;",
    ),
    "go": (
        "",
        "c.Add()",
        "Total(); c.Pay()",
        "var d Cart; d.Pay()",
        "x.Add()",
        "f := Total; _ = f",
        "d := x.(Cart); d.Pay(); c.Add(func(d Price) { d.Total(); Total() })",
        "d := c; if d := d.Make(); true { d.Pay() }; (Cart{}).Add(); f := Total; f()",
    ),
    "java": (
        "",
        "add(); this.pay();",
        "price.total();",
        "new Price().pay();",
        "x.total();",
        "Class c = Price.class;",
        'add(price); add(price, 1, 2); add("a"); new Line().add(x);',
        "price.add(made(price)); price.made(null).add(new Price(), 1);",
        "each(new Price() { void run() { add(x); super.pay(); total(); } }); Price.<Cart>made(x);",
        "each(this::add); ((Price) x).add(price.made(x)); Cart.this.pay();",
    ),
    "c": ("return a;", "return total(a);"),
}


@dataclass(frozen=True)
class Stored:
    """What the index keeps of a graph."""

    paths: tuple[str, ...]
    languages: tuple[str, ...]
    modules: tuple[str, ...]
    packages: tuple[str, ...]
    blobs: Mapping[str, bytes]


@cache
def facts_of(path: str, body: str, extra: str = "") -> FileFacts:
    return facts_from(path, BODIES[path].replace("BODY", body) + extra)


@cache
def facts_from(path: str, source: str) -> FileFacts:
    return skeleton(parse_source(source.encode(), language_of(path) or "", path))


def stored(graph: PackedGraph, files: Mapping[str, FileFacts]) -> Stored:
    names = set(PackedGraph.__slots__) - {"paths", "modules", "packages"}
    blobs = {name: getattr(graph, name) for name in names}
    languages = tuple(files[path].language for path in graph.paths)
    return Stored(graph.paths, languages, graph.modules, graph.packages, blobs)


def update(
    before: Mapping[str, FileFacts], after: Mapping[str, FileFacts], rewritten: Collection[str] = ()
) -> PackedGraph | None:
    """Return the updated graph of files of which some have changed; rewritten ones may say the same as before."""
    return _updated(build_graph(before), before, after, rewritten)


def _updated(
    graph: PackedGraph, before: Mapping[str, FileFacts], after: Mapping[str, FileFacts], rewritten: Collection[str] = ()
) -> PackedGraph | None:
    def named(name: str) -> list[tuple[int, int, str]]:
        return [
            (file, position, symbol.kind)
            for file, path in enumerate(graph.paths)
            for position, symbol in enumerate(before[path].symbols)
            if symbol.name == name
        ]

    def mentioning(names: Collection[str]) -> list[int]:
        said = [words_said(before[path]) for path in graph.paths]
        return [file for file, words in enumerate(said) if not words.isdisjoint(names)]

    differing = {path for path in {*before, *after} if after.get(path) != before.get(path)}
    changed = {path: after.get(path) for path in differing.union(rewritten)}
    updated = update_graph(stored(graph, before), changed, lambda file: before[graph.paths[file]], named, mentioning)
    return None if updated is None else ranked(updated)


def assert_as_anew(before: Mapping[str, FileFacts], after: Mapping[str, FileFacts]) -> tuple[bool, bool]:
    """Check that a change and its undoing give the graph of all files joined anew; for both two such are enough.

    Returns for each whether joining a few files did it.
    """
    whole_before, whole_after = build_graph(before), build_graph(after)
    changed, undone = _updated(whole_before, before, after), _updated(whole_after, after, before)
    assert changed is None or whole_after == changed
    assert undone is None or whole_before == undone
    return changed is not None, undone is not None


def is_updated(before: Mapping[str, FileFacts], after: Mapping[str, FileFacts]) -> bool:
    """Return whether joining a few files is enough after a change, and check its graph and that of its undoing."""
    return assert_as_anew(before, after)[0]


def is_updated_and_undone(before: Mapping[str, FileFacts], after: Mapping[str, FileFacts]) -> bool:
    """Return whether that is enough both ways, and check the same."""
    return all(assert_as_anew(before, after))


def exchanged(tree: Mapping[str, str], gone: Collection[str], come: Mapping[str, str]) -> dict[str, str]:
    """Return files without those that are gone, and with the first of those that come."""
    return {path: tree[path] for path in tree if path not in gone} | dict(list(come.items())[:1])


def exchanged_by_chance(tree: Mapping[str, str], other: Mapping[str, str], chance: Random) -> dict[str, str]:
    """Return files of which up to two are gone and one is, or has come, from another tree."""
    gone, come = chance.sample(sorted(tree), chance.randrange(3)), chance.choice(sorted(other))
    return exchanged(tree, gone, {come: other[come]})


def reworded(tree: Mapping[str, str], changes: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return files in which something stands in the place of something else, or at the end: (path, old, new)."""
    now = dict(tree)
    for path, old, new in changes:
        if path in now:
            now[path] = now[path].replace(old, new) if old and old in now[path] else f"{now[path]}\n{new}"
    return now


def changed_in(
    old: Mapping[str, str | None], new: Mapping[str, str | None], changed: Collection[str]
) -> tuple[dict[str, FileFacts], dict[str, FileFacts]]:
    """Return what the files of a tree say before and after some of them are as in another one; None is for no file."""
    now = {path: new[path] if path in changed else source for path, source in old.items()}
    return read(old), read(now)


def read(tree: Mapping[str, str | None]) -> dict[str, FileFacts]:
    """Return what the files of a tree say; None is for no file."""
    return {path: facts_from(path, source) for path, source in sorted(tree.items()) if source is not None}
