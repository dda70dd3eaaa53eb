"""What TypeScript's types, literals and class expressions with two names mean to calls."""

from resolved_edges import edges_between, edges_to_lines, facts_of


def test_a_mere_type_is_not_called() -> None:
    files = {
        "a.ts": """export type Error<X> = X extends { e: infer E } ? E : never;
        export interface Both { x: number }
        export const Both = make();
        export interface Alone { x: number }
        export function fail() { throw new Error("x"); }
        export function both() { return Both(); }
        """,
        "b.ts": """import { Alone } from "./a";
        export function alone() { return new Alone(); }
        """,
    }
    assert {("a.ts::both", "a.ts::Both", "scope 1")} == edges_between(files)


def test_a_call_leads_to_the_literal_where_its_type_calls_the_method_a_field() -> None:
    files = {
        "clock.ts": """interface Clock { tick: () => void; stop(): void; none: () => void }
        export const clock: Clock = { tick() {}, stop() {} };
        export function own() { clock.tick(); clock.stop(); clock.none(); }
        """,
        "shop.ts": """import { clock } from "./clock";
        export function open() { clock.tick(); }
        export function shut(clock) { clock.tick(); }
        """,
    }
    assert {
        ("clock.ts::own", "clock.ts::clock.tick", "type 0.85"),
        ("clock.ts::own", "clock.ts::Clock.stop", "type 0.9"),
        ("shop.ts::open", "clock.ts::clock.tick", "type 0.85"),
    } == {edge for edge in edges_between(files) if edge[0] != "shop.ts::shut"}


def test_a_class_that_is_exported_by_another_name_goes_by_its_own() -> None:
    files = {
        "list.js": """class Base { go() {} }
        exports.implementation = class List extends Base { run() { this.go(); } };
        """,
        "shop.js": """const List = require("./list").implementation;
        new List().run();
        """,
        "cart.js": """const list = require("./list");
        module.exports = class Cart extends list.implementation {};
        """,
    }
    assert "List" in [symbol.qualname for symbol in facts_of(files)["list.js"].symbols]
    assert {
        ("list.js::List.run", "list.js::Base.go", "receiver 0.95"),
        ("shop.js", "list.js::List", "import 1"),
        ("shop.js", "list.js::List.run", "type 0.9"),
    } == edges_between(files)
    assert {("list.js::List", "list.js::Base", "scope 1"), ("cart.js::Cart", "list.js::List", "import 1")} == (
        edges_between(files, "inherits")
    )


def test_a_name_of_its_own_holds_inside_of_an_exported_class_alone() -> None:
    files = {
        "cart.js": "class Cart { pay() {} }\nexports.Cart = Cart;\n",
        "kinds.js": """const { Cart } = require("./cart");
        class Till { open() {} }
        exports.Gift = class Cart { wrap() {} };
        exports.Late = class Till extends Till { shut() {} };
        exports.make = () => new Cart();
        """,
        "whole.js": """const { Cart } = require("./cart");
        module.exports = class Cart { shut() {} };
        function make() { return new Cart(); }
        """,
        "shop.js": """const { Gift, Late } = require("./kinds");
        const Whole = require("./whole");
        function open() { new Gift().wrap(); new Late().shut(); new Whole().shut(); }
        """,
    }
    assert {
        ("kinds.js::make", "cart.js::Cart", "import 1"),
        ("whole.js::make", "cart.js::Cart", "import 1"),
        ("shop.js::open", "kinds.js::Gift", "import 1"),
        ("shop.js::open", "kinds.js::Gift.wrap", "type 0.9"),
        ("shop.js::open", "kinds.js::Late", "import 1"),
        ("shop.js::open", "kinds.js::Late.shut", "type 0.9"),
        ("shop.js::open", "whole.js::default", "import 1"),
        ("shop.js::open", "whole.js::default.shut", "type 0.9"),
    } == edges_between(files)


def test_a_class_that_is_given_to_a_name_inherits_whatever_it_calls_itself() -> None:
    files = {
        "a.ts": """class Base { go() {} }
        export const Menu = class MenuImpl extends Base { run() { this.go(); } };
        """,
    }
    assert {("a.ts::Menu", "a.ts::Base", "scope 1")} == edges_between(files, "inherits")
    assert {("a.ts::Menu.run", "a.ts::Base.go", "receiver 0.95")} == edges_between(files)


def test_a_note_to_bundlers_hides_no_export() -> None:
    text = """export /*@__NO_SIDE_EFFECTS__*/ function make(a: string): void {}
    export /* @__PURE__ */ const other = 1;
    function hidden() {}
    """
    symbols = facts_of({"a.ts": text})["a.ts"].symbols[1:]
    assert [("make", "public"), ("other", "public"), ("hidden", "internal")] == [
        (one.name, one.visibility) for one in symbols
    ]
    assert "export function make(a: string): void" == symbols[0].signature


def test_what_a_parameter_of_a_type_without_a_name_holds_has_its_type() -> None:
    files = {
        "a.ts": """class Cart { pay() {} }
        class Line { pay() {} }
        export function held(shop: { cart: Cart; run: () => void }) { shop.cart.pay(); shop.run(); }
        export const apart = (shop: { cart: Cart; line?: Line }) => {
          const { line } = shop;
          line.pay();
        };
        export function run() {}
        export function inner() {
          on("a", (it: { own: Cart }) => it.own.pay());
          on("b", (it: { own: Line }) => it.own.pay());
        }
        export function other(shop: { name: string }) { shop.pay(); shop.name.pay(); }
        """,
    }
    assert {
        ("a.ts::held", "a.ts::Cart.pay", "type 0.85"),
        ("a.ts::apart", "a.ts::Line.pay", "type 0.85"),
        ("a.ts::inner", "a.ts::Cart.pay", "type 0.85"),
        ("a.ts::inner", "a.ts::Line.pay", "type 0.85"),
    } == edges_between(files)


def test_what_stands_where_a_type_does_means_the_type_and_elsewhere_the_value_that_is_called_like_it() -> None:
    files = {
        "shop.ts": """\
            export interface Cart { sum(): number }
            export const Cart = { made(): number { return 1; } };
            export namespace Bill { export function made(): number { return 1; } }
            export type Bill = number;
            """,
        "use.ts": """\
            import { Bill, Cart } from "./shop";
            function typed(cart: Cart, bills: Array<Bill>) {}
            function valued() { return [Cart, Bill.made()]; }
            """,
    }
    assert {
        ("use.ts::typed", "shop.ts::Cart", 1, "import 1"),
        ("use.ts::typed", "shop.ts::Bill", 4, "import 1"),
        ("use.ts::valued", "shop.ts::Cart", 2, "import 1"),
        ("use.ts::valued", "shop.ts::Bill", 3, "import 1"),
    } == edges_to_lines(files, "references")
