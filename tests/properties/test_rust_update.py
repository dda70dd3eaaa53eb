"""A graph of Rust brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping
from functools import cache

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged, facts_from, is_updated, is_updated_and_undone, read, update

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.graph import build_graph

LINES = (
    "",
    "",
    "pub struct Cart { price: Price, lines: Vec<Line> }",
    "pub struct Price { cart: Option<Cart> }",
    "pub enum Line { Bought(Cart), Free }",
    "pub enum Line { Free, Sold }",
    "fn lines() { Line::Free; Line::Sold; price::Line::Free; crate::Line::Bought }",
    "impl Line { fn own() { Self::Free; Self::Sold } }",
    "pub trait Paid { fn pay(&self) -> Price; fn rebated(&self) {} }",
    "pub trait Held: Paid { fn hold(&self); }",
    "impl Cart { pub fn add(&self) { self.price.pay(); self.rebated(); for one in self.lines { one.add() } } }",
    "impl Cart { pub fn new() -> Self { Price::new().pay(); Cart {} } }",
    "impl Price { pub fn new() -> Price { made().add() } fn pay(&self) { self.cart.add(); } }",
    "impl Line { fn add(&self) { let one: Cart = made(); one.hold(); } }",
    "impl Paid for Cart { fn pay(&self) -> Price { Price::new() } }",
    "impl Paid for Price { fn pay(&self) -> Price { self.hold() } type Item = Line; }",
    "impl Held for Line { fn hold(&self) { self.pay().add() } }",
    "impl std::ops::Deref for Cart { type Target = Price; fn deref(&self) -> &Price { &self.price } }",
    "impl std::ops::Deref for Line { type Target = Cart; }",
    "pub type Cost = Price;",
    "pub type Spare = cart::Cart;",
    "impl Cost { fn cost(&self) { self.pay() } }",
    "pub fn made() -> Cart { Cart::new().pay(); Cost::new().cost(); made() }",
    "pub fn made() -> price::Price { x.rebated(); x.hold(); x.cost() }",
    "fn run(c: &Cart, l: Line) { c.pay().add(); c.cost(); l.add(); l.rebated(); cart::made().pay() }",
    "fn use_all(c: Cost, s: Spare) { c.pay(); s.add(); s.pay(); crate::made().pay(); super::made(); KEPT.add() }",
    "pub const KEPT: Cart = made();",
    "pub static KEPT: Lazy<Cart> = Lazy::new(made); pub fn lazy(c: RwLockReadGuard<Price>) { KEPT.add(); c.pay() }",
    "mod inner { use super::*; pub struct In; impl In { fn pay(&self) { made() } } impl Cart { fn i(&self) {} } }",
    "pub mod near { pub use crate::{Cart, made, price::Price}; }",
    "pub mod near { pub use crate::cart::*; pub mod own { pub use super::super::*; } }",
    "pub mod near { pub mod own { pub use super::far::*; pub use far::*; } pub mod far { pub use crate::price::*; } }",
    "use crate::near::*;\nfn by_near() { crate::near::made().pay(); cart::near::own::made().add(); }",
    "mod aside { impl super::Cart { fn far(&self) { made() } } impl super::Paid for super::inner::In {} fn far() {} }",
    "mod inner { use crate::price::Price; impl Price { fn hid(&self) {} } struct Line; impl super::Held for Line {} }",
    "pub struct Shelf<T> { of: T, by: Option<T> } impl<T> Shelf<T> { fn get(&self) -> &T {} fn all() -> Vec<T> {} }",
    "fn shelf(s: &Shelf<Cart>, p: cart::Shelf<Price>) { s.get().far(); s.of.add(); p.all()[0].pay(); p.by.pay(); }",
    "mod tests { use super::*; fn test_made() { made().add(); inner::In.pay(); Price::new() } }",
    "pub struct Held { of: crate::cart::Cart, by: super::Price, out: other::Line, deep: other::cart::Cart }",
    "fn takes(of: &crate::price::inner::In, c: super::cart::Cost) -> other::Price { crate::KEPT; deep::KEPT }",
    "mod inner { pub struct In; fn up(p: super::Price, q: crate::Price) { use super::Line::*; } }",
    "impl Cart { pub const MAX: u8 = 1; fn most() -> u8 { Self::MAX + Cart::MAX + Self::LEAST } }",
    "impl Paid for Line { const LEAST: u8 = 2; fn least() { Self::LEAST; Self::MAX; super::Cart::MAX; } }",
    "mod inner { pub const DEEP: u8 = 1; mod more { fn up() -> u8 { super::DEEP + super::super::KEPT } } }",
    "fn up() { super::made().add(); super::least() } mod more { fn far() { super::most(); super::super::made(); } }",
    "fn open(p: &Price, i: In, l: Line) -> u8 { KEPT; MAX; shown(Bought) }",
    "pub fn cart() -> Cart { cart::made().pay(); crate::cart().add(); crate::cart::most(); cart::deep::run() }",
    "fn kinds() { Line::Free.add(); Line::Bought(KEPT).rebated(); Cart::default().add(); Price::parse().pay(); }",
    "impl Default for Cart { fn default() -> Price {} }\nimpl Price { fn get(&self) { Cart::default().get() } }",
    "pub struct Line { of: Mutex<Cart>, by: Arc<RwLock<Option<Price>>> }",
    "impl Line { fn most(&self) { self.of.lock().add(); let a = self.of.lock(); a.unwrap().pay(); a.rebated(); } }",
    "impl Line { fn far(&self) { self.by.read().as_ref().unwrap().pay(); if let Ok(a) = self.of.lock() { a.add() } } }",
    "fn both() -> (Cart, price::Price) { let (a, b) = both(); a.add(); b.pay(); for (_, c) in held() { c.rebated() } }",
    "fn held() -> Option<Vec<(Line, Self::Item, Price)>> { let (a, .., c) = cart::both().unwrap(); a.pay(); c.add() }",
    "fn both() -> Vec<Cart> { if let Some((a, _, c)) = held() { a.add(); c.pay() } for (_, d) in both() { d.add() } }",
    "impl crate::price::Paid for Line { fn pay(&self) -> Price { made() } }\nimpl Held for Cart { fn hold(&self) {} }",
    "use crate::price::Price;\nuse super::Line;\nimpl Paid for Line {}\nimpl Paid for Price { fn pay(&self) {} }",
    "use crate::cart as c;\nimpl c::Cart { fn far(&self) { self.add(); Self::near() } fn near() -> Self { made() } }",
    "use super::price;\nimpl price::Paid for price::Line { fn pay(&self) {} }\nfn far(c: &price::Line) { c.pay() }",
    "impl super::Price { fn above(&self) { self.pay() } }\nimpl Held for crate::cart::Line { fn hold(&self) {} }",
    "fn few(f: impl Fn() -> Cart, g: fn() -> Price) { f().far(); g().above(); let h = || made(); h().add(); }",
    "fn some() { let a = vec![Cart::new()]; a[0].far(); let b = Some(made()); b.unwrap().pay(); for c in a {} }",
    "fn of(c: &Cart) { c.lines.iter().map(|l| l.pay()).next().unwrap().add(); c.own.and_then(|p| p.cart).pay(); }",
    "struct Maker { make: Box<dyn Fn(u8) -> Cart> }\nimpl Maker { fn run(&self) { (self.make)(1).add() } }",
    "fn bounded<F: Fn(u8) -> price::Price>(f: F) { f(1).pay(); few(made, f) }",
    "use super::*;",
    "use crate::cart::Cart;",
    "use crate::price::{Price, Paid};",
    "pub use crate::price::Price as Cart;",
    "pub use crate::cart::*;",
    "use crate::price::inner::In;",
    "use crate::cart::Line as Price;",
    "pub mod cart;",
    "mod cart;\npub use cart::{cart, Cart};\npub fn price() { cart(); cart::cart(); cart::Cart::new(); }",
    "pub use self::price::price;\npub mod price;\npub fn cart() { price(); price::price(); outside::price(); }",
    "use crate::cart;\nuse crate::price::{self, price};\nfn few() { cart(); price(); cart::made(); price::Price {} }",
    "mod price;",
    "macro_rules! held { () => { 1 } }",
    "#[macro_export]\nmacro_rules! shared { () => { held!() } }\npub(crate) use held;",
    "fn least() { held!(); shared!(); vec![held!()]; crate::shared!() + super::held!() + other::shared!(); }",
    "#[macro_use]\nmod price;\nfn most() { shared!(); }",
    "#[macro_use]\npub mod cart;\n#[macro_use]\nmod deep;",
    "#[macro_use]\nextern crate other;\nuse crate::cart::held;",
    "use crate::shared;\nuse other::twice;\nfn few() { shared!(); twice!(); crate::twice!() + other::shared!(); }",
    "#[macro_export]\nmacro_rules! twice { () => { 2 } }",
)
PATHS = (
    *("src/lib.rs", "src/cart.rs", "src/price.rs", "src/cart/deep.rs", "src/price/mod.rs", "src/cart/price.rs"),
    *("tests/made.rs", "src/main.rs", "other/src/lib.rs", "other/src/cart.rs", "examples/cart.rs", "tests/cart.rs"),
    *("src/bin/shop/main.rs", "src/bin/shop/cart.rs", "src/bin/one.rs"),
)
HEADS = {
    "src/lib.rs": "pub mod cart;\npub mod price;\n",
    "src/cart.rs": "pub mod deep;\n",
    "src/bin/shop/main.rs": "mod cart;\n",
}


@cache
def facts_in(path: str, source: str) -> FileFacts:
    return facts_from(path, HEADS.get(path, "") + source)


trees = st.dictionaries(
    st.sampled_from(PATHS), st.lists(st.sampled_from(LINES), min_size=1, max_size=7).map("\n".join), min_size=2
)
edits = st.lists(
    st.tuples(st.sampled_from(PATHS), st.sampled_from(["", *LINES]), st.integers(0, 6)), min_size=1, max_size=3
)


def edited(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> dict[str, str]:
    """Return files after lines were put in, or taken out, which is what an empty one says."""
    now = dict(tree)
    for path, line, at in changes:
        if path in now:
            lines = now[path].split("\n")
            lines[at : at + (not line)] = [line] if line else []
            now[path] = "\n".join(lines)
    return now


def facts_of_all(tree: Mapping[str, str]) -> dict[str, FileFacts]:
    return {path: facts_in(path, source) for path, source in tree.items()}


def test_edited_files_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees, edits)
    def check(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> None:
        before, after = facts_of_all(tree), facts_of_all(edited(tree, changes))
        joined.append(is_updated(before, after))

    check()
    assert sum(joined) * 2 > len(joined)


def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees, st.sets(st.sampled_from(PATHS), max_size=1), trees)
    def check(tree: Mapping[str, str], gone: set[str], come: Mapping[str, str]) -> None:
        kept = exchanged(tree, gone, come)
        before, after = facts_of_all(tree), facts_of_all(kept)
        joined.append(is_updated(before, after))

    check()
    assert sum(joined) * 8 > len(joined)


@pytest.mark.parametrize(
    "tree",
    [
        {
            "src/lib.rs": "pub mod price;\npub use self::price::price;\n",
            "src/main.rs": "pub mod price;\npub use price::price;\nfn cart() { price(); price::far(); }\n",
            "src/price.rs": "use super::price;\npub fn far() { price::far(); }\n",
        },
        {
            "src/lib.rs": "pub mod shop;\npub use shop::price;\n",
            "src/shop/mod.rs": "pub mod price;\npub use crate::shop::price::price;\nfn most() { price::far() }\n",
            "src/shop/price.rs": "use super::price;\npub fn far() { price::far(); crate::price::far(); }\n",
        },
    ],
)
def test_a_module_is_known_in_a_circle_of_imports_wherever_that_is_entered(tree: Mapping[str, str]) -> None:
    for path, text in tree.items():
        assert is_updated_and_undone(read(tree), read({**tree, path: f"{text}fn late() {{}}\n"}))


def test_of_many_methods_of_a_name_all_count_for_what_a_trait_gives() -> None:
    numbers = range(7)
    crate = {"src/lib.rs": "pub mod paid;\npub mod user;\n" + "".join(f"pub mod m{number};\n" for number in numbers)}
    crate["src/paid.rs"] = "pub trait Paid { fn settle(&self); }\n"
    crate |= {
        f"src/m{number}.rs": "pub struct S;\nimpl crate::paid::Paid for S { fn settle(&self) {} }\n"
        for number in numbers
    }
    crate["src/m6.rs"] = "pub struct Other;\nimpl Other { pub fn settle(&self) {} }\n"
    user = "use crate::paid::Paid;\nuse outside::Thing;\npub fn run(it: Thing) { it.settle(); }\n"
    before = {path: facts_from(path, text) for path, text in (crate | {"src/user.rs": user}).items()}
    after = before | {"src/user.rs": facts_from("src/user.rs", f"{user}pub fn more(it: Thing) {{ it.settle(); }}\n")}
    assert build_graph(after) == update(before, after)


def test_a_new_module_that_exports_a_macro_is_found_by_those_that_name_it_with_the_crate() -> None:
    saying = {"src/lib.rs": "fn few() { crate::twice!() }", "src/cart.rs": ""}
    coming = {"src/cart/deep.rs": "#[macro_export]\nmacro_rules! twice { () => { 2 } }"}
    assert is_updated_and_undone(facts_of_all(saying), facts_of_all({**saying, **coming}))


def test_a_new_module_that_defines_methods_of_a_type_elsewhere_is_found_whatever_they_are_called() -> None:
    saying = {"src/lib.rs": "pub struct Cart;", "src/user.rs": "use super::*;\nfn few() { Cart::default() }"}
    coming = {"src/cart.rs": "use super::Cart;\nimpl Default for Cart { fn default() -> Self { Cart } }"}
    assert is_updated_and_undone(facts_of_all(saying), facts_of_all({**saying, **coming}))
