"""A graph of scripts of JavaScript brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import is_updated, read, update

from ctxcode.codegraph.resolve.graph import build_graph

LINES = (
    "",
    "",
    "function total(a) { return scan(a); }",
    "function scan(a) { shop.total(a); return new Cart().pay(a); }",
    "class Cart { pay(a) { total(a); shop.scan(a); } }",
    "class Price extends Cart { add() { this.pay(1); Shop.open(); } }",
    "var Shop = Shop || {};",
    "var Shop = { total() { total(1); }, scan() { Shop.total(); } };",
    "var Shop = { total() {} };",
    "Shop.open = function () { total(1); Shop.total(); shop.deep.deepest(); };",
    "Shop.Cart = function () { Shop.open(); };",
    "Shop.Cart.prototype.pay = function () { scan(1); this.add(); };",
    "Cart.prototype.add = function () { this.pay(2); };",
    "namespace shop { export function total(a) { return scan(a); } }",
    "namespace shop { export function scan(a) { return more(a) + Shop.total(); } export class Cart { pay() {} } }",
    "namespace shop { function more(a) { return total(a); } export const kept = new Cart(); }",
    "namespace shop { export function more(a) { kept.pay(); } export function x() {} export function y() {} }",
    "namespace shop.deep { export function deepest() { return total(1); } }",
    "namespace shop { export namespace deep { export function deeper() { deepest(); more(); } } }",
    "namespace shop { export interface Paid { pay(); } export class Price extends Cart implements Paid { pay() {} } }",
    "interface Paid { pay(); } interface Cart { more(); }",
    "type Cost = Price;",
    "function run(cost: Cost) { cost.add(); shop.kept.pay(); x.pay(); }",
    "function use() { Shop.Cart.prototype.pay(); shop.total(1); [total, shop.scan, Cart]; }",
    "const same = shop.scan; same(1);",
    "const kept = { cart: new Cart(), price: made() };\nfunction made(): Price { return kept.price ?? new Price(); }",
    "function use(a = new Cart(), as: Price[]) { a.pay(); const [one] = as; one.add(); as.sort((p, q) => q.add()); }",
    "function made(a) { const one = a ? new Price() : null; one.add(); kept.cart.pay(); kept.price.add(); return one }",
    "function hand(a: Cart, price: Price) { const own = new Cart(); run(a.pay, price.add, own.more, kept.cart.pay); }",
    "const held = createContext<Cart>(null);\nfunction asked() { return useContext(held) }\nasked().pay();",
    "async function use() { const [one] = await Promise.all([made()]); one.pay(); made().then(it => it.add()); }",
    "(function () { function hidden() { total(2); } Shop.own = hidden; })();",
    "function made() { return shared(); }\nfunction shared(a) { if (a) { return new Cart(); } return new Price(); }",
    "function shared() { return made(); }\nclass Cost { get own() { return this.a; } made() { return shop.scan(); } }",
    "function use(a: ReturnType<typeof made>, b: typeof kept, c: Promise<Price>) { a.pay(); b.price.add(c.add()); }",
    "function both(): { cart: Cart; price: Price } { return made(); }\nconst { cart } = both(); cart.pay();",
    "function boxed() { const own = { total, add() { scan(1); } }; return own; }\nboxed().total(); boxed().add();",
    "/** @returns {Price} */\nfunction made() { using own = shared(); own.pay(); return scan(own); }\nmade().add();",
    "const cart = inject(Cart), held = Object.freeze(new Price()); cart.pay(); held.add(); shared().pay();",
    "declare namespace shop { function total(a); }",
    "import { total } from './a';",
    "export { total } from './b';",
    "module.exports = { total };",
)
PATHS = ("a.ts", "b.ts", "c.js", "web/d.ts", "web/e.js", "web/types.d.ts", "tests/f.test.ts", "tests/g.ts")


def sources() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(LINES[:-3]), min_size=2, max_size=6).map("\n".join)


def trees() -> st.SearchStrategy[Mapping[str, str]]:
    """Return the sources of some files, line by line, of which not all are there."""
    return st.fixed_dictionaries(dict.fromkeys(PATHS[:2], sources()), optional=dict.fromkeys(PATHS[2:], sources()))


def edits() -> st.SearchStrategy[list[tuple[str, str, int]]]:
    """Return what is written into some files: a line, and its place; an empty one stands for taking a line out."""
    line = st.tuples(st.sampled_from(PATHS), st.sampled_from(["", *LINES]), st.integers(0, 6))
    return st.lists(line, min_size=1, max_size=2)


def edited(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> dict[str, str]:
    now = dict(tree)
    for path, line, at in changes:
        lines = now.get(path, "").split("\n")
        lines[at : at + (not line)] = [line] if line else []
        now[path] = "\n".join(lines)
    return now


def test_edited_scripts_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees(), edits())
    def check(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> None:
        before, after = read(tree), read(edited(tree, changes))
        joined.append(is_updated(before, after))

    check()
    assert sum(joined) * 5 > len(joined)


def test_scripts_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees(), st.data())
    def check(tree: Mapping[str, str], data: st.DataObject) -> None:
        gone = data.draw(st.sets(st.sampled_from(sorted(tree)), max_size=2))
        come = {data.draw(st.sampled_from(PATHS)): data.draw(sources())}
        kept = {path: tree[path] for path in tree if path not in gone}
        joined.append(is_updated(read(tree), read(kept | come)))

    check()
    # What one of them shares with the others is mostly too much: some one in eleven is joined in part.
    assert any(joined)


TREE = {
    "src/a.ts": "namespace ts { export function made() { return 1; } export function kept() { made(); } }\n",
    "src/b.ts": "namespace ts { export function used() { return made(); } }\nfunction run() { ts.made(); }\n",
    "src/c.ts": "function outside() { ts.kept(); }\n",
    "js/shop.js": "var Shop = Shop || {};\nfunction show() { Shop.price(); }\n",
    "js/price.js": "Shop.price = function () { show(); };\n",
}
JOINED: Mapping[str, Mapping[str, str]] = {
    "a body": {"src/b.ts": TREE["src/b.ts"].replace("return made()", "kept(); return made()")},
    "a new function of a namespace": {
        "src/b.ts": TREE["src/b.ts"].replace("namespace ts {", "namespace ts { export function brandNew() { used(); }")
    },
    "a function that is another one's as well": {"src/c.ts": TREE["src/c.ts"] + "function run() { outside(); }\n"},
    "a renamed function": {"src/a.ts": TREE["src/a.ts"].replace("made", "remade")},
    "what is added to an object, within": {
        "js/price.js": TREE["js/price.js"].replace("show()", "show(); Shop.price()")
    },
    "a script more": {"src/d.ts": "function extra() { ts.made(); show(); }\n"},
}
REFUSED: Mapping[str, Mapping[str, str]] = {
    "a script becomes a module": {"src/c.ts": "export " + TREE["src/c.ts"]},
    "something more is added to an object": {"js/price.js": TREE["js/price.js"] + "Shop.more = function () {};\n"},
    "another place of a namespace holds most": {
        "src/b.ts": TREE["src/b.ts"].replace("namespace ts {", "namespace ts { class X {} class Y {} class Z {}")
    },
}


@pytest.mark.parametrize("name", JOINED)
def test_few_files_are_joined_again_for(name: str) -> None:
    before, after = read(TREE), read({**TREE, **JOINED[name]})
    assert build_graph(after) == update(before, after)


@pytest.mark.parametrize("name", REFUSED)
def test_all_files_are_joined_again_where(name: str) -> None:
    assert update(read(TREE), read({**TREE, **REFUSED[name]})) is None
