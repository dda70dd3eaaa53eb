"""A graph of scripts with declarations brought in step with what has changed equals the graph of all joined anew."""

from collections.abc import Mapping

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import is_updated, read

LINES = (
    "export class Cart { pay() { total(); } static shared; }",
    "export function total(a) { return new Cart().pay(); }",
    "export interface Options { pay(): void; deep: Cart }",
    "export type Price = Options | Cart;",
    "export class Extra extends Cart implements Options { own?: Options; add(it: Price) { this.own.pay(); it.pay() } }",
    "export namespace shop { export class Till { pay() {} } export interface Sold extends Options {} }",
    "import Till = shop.Till;",
    "export import Sold = shop.Sold;",
    "function run(a: Till, b: Sold, c: Options) { a.pay(); b.pay(); c.pay(); new Till(); total(); }",
    "import { Options, Cart, total } from './cart.js';",
    "import { Options, Price as Cost, total, Sold } from './cart';",
    "import * as cart from './cart.js';",
    "function use(a: cart.Options, b: Cost) { a.pay(); b.pay(); cart.total(); }",
    "import { Options, total } from './index';",
    "import whole from './cart';",
    "import Whole = require('./cart');",
    "function all() { whole(); new Whole().pay(); Whole.total(); }",
    "export * from './cart.js';",
    "export { Options as Price, Cart } from './cart.js';",
    "export default { pay() { total(); } } satisfies Options;",
    "export = Cart;",
    "export = total;",
    "module.exports = { total };",
    "export namespace Cart { export function total() { return new Cart(); } export interface Till { pay(): void } }",
    "export interface Options { total(): Cart } export interface Cart { total(): void }",
    "export enum Price { Cart } export namespace Price { export function total() { return Price.Cart; } }",
    "function make(it: Cart.Till, of: Options) { it.pay(); of.total().pay(); Cart.total().pay(); Price.total(); }",
    "export class Sold extends Cart implements Cart.Till { pay() { super.pay(); this.total(); } }",
    "export namespace Cart { export class Till { pay() {} } export namespace Till { export function total() {} } }",
    "export namespace Cart { export function pay() {} export namespace pay { export interface Till {} } }",
    "function nested(of: Cart) { new Cart.Till().pay(); Cart.Till.total(); Cart.pay(); of.pay(); }",
    "function total() {}",
    "const Cart = { pay() { total(); } }; export const pay = Cart.pay;",
    "it('a', () => { const total = () => 1; total(); }); it('b', () => { function total() {} total(); });",
    "export * from './web/own';",
    "interface Options { pay(): Cart; total(): void } declare function total(): Cart;",
    "export {};",
    "export interface Till { pay(): void } export interface Cart extends Till, Options { deep: Till }",
    "export interface Options extends Extra {} export namespace shop { export interface Sold extends Cart {} }",
    "export class Bag extends Cart { all(it: Options) { this.pay(); this.total(); it.add(); super.give(); } }",
    "export interface Cart { total(): Options } export class Cart { give() { this.total().pay(); } }",
    "export const Options = { total() {} }; export interface Options { give(): Cart }",
    "function given(a: Cart, b: Options) { a.give(); a.total(); b.give().pay(); Options.total(); b.pay(); }",
    "export namespace shop { export interface Sold { pay(): Cart } export interface Sold { total(): void } }",
    "export namespace shop { export class Till { total() {} } export interface Till { give(): Till } }",
    "function shopping(a: shop.Till, b: shop.Sold) { a.pay(); a.total(); a.give().pay(); b.pay().pay(); b.total(); }",
    "declare module 'kit' { function total(): void; class Cart { pay(): void } }",
    "interface Held { pay: () => void; total(): void } export const held: Held = { pay() {}, total() {} };",
    "import { held, type Cart as total } from './cart.js'; function hold() { held.pay(); held.total(); total(); }",
    "export type held = { pay: Cart }; export const Options: Held = { pay() { held.pay(); } };",
    "export function take(it: { own: Cart; till: Till }, of: { own: Options }) { it.own.pay(); of.own.total(); }",
    "exports.total = class Cart extends Till { pay() { this.total(); } };",
    "const { total: Till } = require('./cart'); exports.pay = class Till extends Cart { sum() {} }; new Till().pay();",
)
PATHS = (
    "cart.js",
    "cart.d.ts",
    "use.ts",
    "index.ts",
    "web/own.d.ts",
    "cart/index.ts",
    "web/cart.mjs",
    "web/cart.d.mts",
)


def sources() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(LINES), min_size=1, max_size=6).map("\n".join)


def trees() -> st.SearchStrategy[Mapping[str, str]]:
    return st.fixed_dictionaries(dict.fromkeys(PATHS[:3], sources()), optional=dict.fromkeys(PATHS[3:], sources()))


def test_edited_declarations_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees(), st.dictionaries(st.sampled_from(PATHS), sources(), min_size=1, max_size=2))
    def check(tree: Mapping[str, str], changed: Mapping[str, str]) -> None:
        joined.append(is_updated(read(tree), read({**tree, **changed})))

    check()
    assert any(joined)


def test_declarations_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees(), st.data())
    def check(tree: Mapping[str, str], data: st.DataObject) -> None:
        gone = data.draw(st.sets(st.sampled_from(sorted(tree)), min_size=1, max_size=2))
        kept = {path: tree[path] for path in tree if path not in gone}
        joined.append(is_updated(read(tree), read(kept)))
        joined.append(is_updated(read(kept), read(tree)))

    check()
    assert any(joined)
