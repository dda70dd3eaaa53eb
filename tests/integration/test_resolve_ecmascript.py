"""Calls of JavaScript and TypeScript where no class says whose they are: modules, objects, prototypes, factories."""

import pytest
from resolved_edges import edges_between


def test_names_offered_under_another_name_lead_to_what_they_stand_for() -> None:
    files = {
        "src/shapes.ts": "function makeCircle() {}\nclass Square {}\n"
        "export { makeCircle as circle, Square as default };\n",
        "src/index.ts": "export * from './shapes';\nexport { default as Box } from './shapes';\n",
        "src/use.ts": "import Cube, { circle } from './shapes';\nimport * as all from './index';\n"
        "function draw() { circle(); new Cube(); all.circle(); new all.Box(); }\n",
    }
    assert {
        ("src/use.ts::draw", "src/shapes.ts::makeCircle", "import 1"),
        ("src/use.ts::draw", "src/shapes.ts::Square", "import 1"),
        ("src/use.ts::draw", "src/shapes.ts::makeCircle", "receiver 0.95"),
        ("src/use.ts::draw", "src/shapes.ts::Square", "receiver 0.95"),
    } == edges_between(files)


def test_barrels_that_lead_in_a_circle_still_lead_to_definitions() -> None:
    files = {
        "src/internal.ts": "export * from './spy';\nexport * from './reaction';\nexport * from './action';\n",
        "src/spy.ts": "import { track } from './internal';\nexport function isSpying() { track(); }\n",
        "src/reaction.ts": "import { isSpying } from './internal';\nexport function track() { isSpying(); }\n",
        "src/action.ts": "import { track, isSpying } from './internal';\n"
        "export function act() { track(); isSpying(); }\n",
    }
    assert {
        ("src/spy.ts::isSpying", "src/reaction.ts::track", "import 1"),
        ("src/reaction.ts::track", "src/spy.ts::isSpying", "import 1"),
        ("src/action.ts::act", "src/reaction.ts::track", "import 1"),
        ("src/action.ts::act", "src/spy.ts::isSpying", "import 1"),
    } == edges_between(files)


def test_what_a_module_imports_and_does_not_offer_is_nobody_elses() -> None:
    files = {
        "a.ts": "export function run() {}\n",
        "b.ts": "import { run } from './a';\nexport const own = 1;\n",
        "c.ts": "import { run } from './b';\nrun();\n",
    }
    assert set() == edges_between(files)


def test_required_modules_are_what_they_assign_to_their_exports() -> None:
    files = {
        "lib/limiter.js": "class Limiter { add() {} }\nmodule.exports = Limiter;\n",
        "lib/only.js": "module.exports = only;\nfunction only() {}\nonly.first = function () {};\n",
        "lib/tools.js": "const only = require('./only');\nfunction pick() {}\nmodule.exports = { only, take: pick };\n",
        "lib/use.js": "const Limiter = require('./limiter');\nconst only = require('./only');\n"
        "const tools = require('./tools');\nconst { take } = require('./tools');\n"
        "class Gate extends Limiter { open() { this.add(); } }\n"
        "function use() { only(); only.first(); tools.take(); tools.only(); take(); new Limiter().add(); }\n",
    }
    assert {
        ("lib/use.js::Gate.open", "lib/limiter.js::Limiter.add", "receiver 0.95"),
        ("lib/use.js::use", "lib/only.js::only", "import 1"),
        ("lib/use.js::use", "lib/only.js::only.first", "receiver 0.95"),
        ("lib/use.js::use", "lib/tools.js::pick", "receiver 0.95"),
        ("lib/use.js::use", "lib/tools.js::pick", "import 1"),
        ("lib/use.js::use", "lib/only.js::only", "receiver 0.95"),
        ("lib/use.js::use", "lib/limiter.js::Limiter", "import 1"),
        ("lib/use.js::use", "lib/limiter.js::Limiter.add", "type 0.9"),
    } == edges_between(files)


def test_what_a_file_imports_is_meant_where_it_offers_something_else_by_the_same_name() -> None:
    files = {
        "etag.js": "module.exports = function etag() {};\n",
        "utils.js": "var tag = require('./etag');\nexports.tag = make();\nfunction make() { return tag(); }\n",
        "use.js": "const utils = require('./utils');\nutils.tag();\n",
    }
    edges = edges_between(files)
    assert ("utils.js::make", "etag.js::etag", "import 1") in edges
    assert ("use.js", "utils.js::tag", "receiver 0.95") in edges


def test_object_literals_have_members_and_know_them_by_this() -> None:
    files = {
        "utils.js": "function isArray() {}\nconst kinds = { isArray, isList: isArray, none() { return this.any(); },\n"
        "  any: function () {} };\nexport default kinds;\n",
        "response.js": "module.exports = { get() {}, set() { this.get(); },\n"
        "  each(list) { list.map(() => this.set()); } };\n",
        "use.js": "import kinds from './utils';\nconst response = require('./response');\n"
        "kinds.isArray();\nkinds.isList();\nkinds.none();\nresponse.set();\n",
    }
    assert {
        ("utils.js::kinds.none", "utils.js::kinds.any", "receiver 0.95"),
        ("response.js::default.set", "response.js::default.get", "receiver 0.95"),
        ("response.js::default.each", "response.js::default.set", "receiver 0.95"),
        ("use.js", "utils.js::isArray", "receiver 0.95"),
        ("use.js", "utils.js::kinds.none", "receiver 0.95"),
        ("use.js", "response.js::default.set", "receiver 0.95"),
    } == edges_between(files)


def test_prototypes_and_functions_with_members_know_them_by_this() -> None:
    files = {
        "app.js": "var app = exports = module.exports = {};\napp.set = function set() { this.lazy(); };\n"
        "app.lazy = function lazy() { lookup(); };\nfunction lookup() {}\n",
        "view.js": "function View() { lookup(); }\nView.prototype.lookup = function () { this.resolve(); };\n"
        "View.prototype.resolve = function () {};\nfunction lookup() {}\nmodule.exports = View;\n",
        "use.js": "const app = require('./app');\nconst View = require('./view');\n"
        "function use() { app.set(); const view = new View(); }\n",
    }
    assert {
        ("app.js::app.set", "app.js::app.lazy", "receiver 0.95"),
        ("app.js::app.lazy", "app.js::lookup", "scope 1"),
        ("view.js::View.constructor", "view.js::lookup", "scope 1"),
        ("view.js::View.lookup", "view.js::View.resolve", "receiver 0.95"),
        ("use.js::use", "app.js::app.set", "receiver 0.95"),
        ("use.js::use", "view.js::View", "import 1"),
    } == edges_between(files)


def test_what_functions_return_unannotated_has_the_members_they_give_it() -> None:
    files = {
        "router.js": "function route() {}\n"
        "export function buildRouter() { return { route, find: route, close() {} }; }\n"
        "export const buildShort = () => ({ route });\n"
        "export class Reply { code() { return this; } send() {} }\n"
        "export function makeReply() { const reply = new Reply(); return reply; }\n",
        "use.js": "import { buildRouter, buildShort, makeReply } from './router';\n"
        "function use() { const router = buildRouter(); router.find(); router.close(); buildShort().route();\n"
        "  makeReply().code().send(); }\n",
    }
    targets = {
        target.removeprefix("router.js::") for source, target, _ in edges_between(files) if source != "router.js"
    }
    assert {
        "route",
        "buildRouter",
        "buildRouter.close",
        "buildShort",
        "makeReply",
        "Reply",
        "Reply.code",
        "Reply.send",
    } == (targets)


def test_types_of_typescript_are_found_beside_values_of_their_name() -> None:
    files = {
        "core.ts": "export interface Schema { check(): void }\nexport const Schema = make();\nfunction make(): any {}\n"
        "export type Alias = Schema & { extra: string };\n",
        "use.ts": "import { Schema, Alias } from './core';\n"
        "function use(one: Schema, two: Alias) { one.check(); }\nfunction other(two: Alias) { two.check(); }\n"
        "function generic<T extends Schema, U>(three: T, four: U) { three.check(); }\n"
        "function bound(this: Schema) { this.check(); }\n",
    }
    assert {
        (f"use.ts::{name}", "core.ts::Schema.check", "type 0.9") for name in ("use", "other", "generic", "bound")
    } | {("core.ts::Schema", "core.ts::make", "scope 1")} == edges_between(files)


def test_private_members_and_names_with_dollars_are_followed() -> None:
    files = {
        "cache.ts": "export class Cache { get() {} }\nexport class $Base { static init() {} }\n",
        "client.ts": "import { Cache } from './cache';\nimport * as core from './cache';\n"
        "class Client { #cache: Cache; run() { this.#cache.get(); const self = this; self.go(); } go() {} }\n"
        "core.$Base.init();\n",
    }
    assert {
        ("client.ts::Client.run", "cache.ts::Cache.get", "type 0.85"),
        ("client.ts::Client.run", "client.ts::Client.go", "type 0.85"),
        ("client.ts", "cache.ts::$Base.init", "receiver 0.95"),
    } == edges_between(files)


def test_local_names_and_things_of_the_language_hide_namesakes() -> None:
    files = {
        "sets.js": "export class Sets { union() {} }\nexport function view() {}\n",
        "use.js": "import { view } from './sets';\n"
        "function use(make) { const view = make(); view(); new Set([1]).union(); }\n",
    }
    assert set() == edges_between(files)


def test_functions_given_to_functions_get_what_the_parameter_says() -> None:
    files = {
        "lift.ts": "export class Sink { next() {} }\nexport class Store {\n"
        "  constructor(private use: (this: Store, sink: Sink) => void) {}\n"
        "  each(visit: (key: string, sink: Sink) => void) {}\n}\n"
        "export function operate(name: string, init: (source: Store, sink: Sink) => void) {}\n",
        "use.ts": "import { operate, Store, Sink } from './lift';\n"
        "export function first() { return operate('a', (source, sink) => { sink.next(); }); }\n"
        "export function second() { return new Store(function (sink) { sink.next(); }); }\n"
        "export function third(store: Store) { store.each((key, sink) => sink.next()); }\n"
        "export function fourth(list) { list.map((sink) => sink.next()); }\n",
    }
    edges = edges_between(files)
    assert {"use.ts::first", "use.ts::second", "use.ts::third"} == {
        source for source, target, _ in edges if target == "lift.ts::Sink.next"
    }


def test_functions_in_objects_that_functions_return_are_definitions() -> None:
    files = {
        "manager.ts": "export function createManager() {\n"
        "  return { batch: <T>(run: () => T) => run(), flush() {} } as const;\n}\n"
        "export const manager = createManager();\n",
        "use.ts": "import { manager } from './manager';\nmanager.batch(() => 1);\nmanager.flush();\n",
    }
    assert {
        ("manager.ts::manager", "manager.ts::createManager", "scope 1"),
        ("use.ts", "manager.ts::createManager.batch", "type 0.85"),
        ("use.ts", "manager.ts::createManager.flush", "type 0.85"),
    } == edges_between(files)


def test_names_nobody_around_them_knows_hide_nothing() -> None:
    files = {
        "check.js": "function close() {}\nfunction open(socket) {\n"
        "  socket.end = function close() {};\n  socket.read = function () {};\n  close();\n}\n"
        "kinds.each(function (kind) { checks[kind] = function valid() {}; });\nvalid();\n",
    }
    assert {("check.js::open", "check.js::close", "scope 1")} == edges_between(files)


def test_parts_of_a_value_that_is_taken_apart_are_definitions() -> None:
    files = {
        "slice.js": "export const { added, removed: gone } = slice.actions;\n",
        "use.js": "import { added, gone } from './slice';\nadded();\ngone();\n",
    }
    assert {("use.js", "slice.js::added", "import 1"), ("use.js", "slice.js::gone", "import 1")} == edges_between(files)


def test_objects_and_modules_that_lead_to_themselves_end() -> None:
    circles = (
        "const a = { b: a.b };\na.b();\n",
        "const a = { b: c.b };\nconst c = { b: a.b };\na.b();\nc.b();\n",
        "module.exports = exports.a;\nexports.a = module.exports;\n",
        "module.exports = require('./a');\nconst a = require('./a');\na();\na.b();\n",
        "export { a as b, b as a };\na();\nb();\n",
    )
    assert [set()] * len(circles) == [edges_between({"a.js": circle}) for circle in circles]


def test_namespaces_beside_values_of_their_name_hide_none() -> None:
    files = {
        "gen.ts": "export const gen = (run: any) => run;\nexport declare namespace gen { type Return = string }\n",
        "use.ts": "import { gen } from './gen';\ngen(1);\n",
    }
    assert {("use.ts", "gen.ts::gen", "import 1")} == edges_between(files)


def test_barrels_in_a_dense_circle_offer_what_any_of_them_does() -> None:
    count = 300
    files = {
        f"m{number}.ts": "".join(f"export * from './m{(number + step) % count}';\n" for step in (1, 7, 11))
        + f"import {{ wanted, missing }} from './m{(number + 1) % count}';\n"
        + f"export function user{number}() {{ wanted(); missing(); }}\n"
        for number in range(count)
    }
    files["m299.ts"] += "export function wanted() {}\n"
    users = {edge[0] for edge in edges_between(files) if edge[1] == "m299.ts::wanted"}
    assert {f"m{number}.ts::user{number}" for number in range(299)} <= users


def test_documentation_without_a_type_says_nothing() -> None:
    files = {
        "shop.js": "import './side-effects.js';\n"
        "/** @type {?} */\nexport const cart = make();\n"
        "/** @param {!} box\n * @returns {=} */\nexport function make(box) { box.open(); cart.add(); }\n",
        "box.js": "export class Box { open() {} }\n",
    }
    assert ("shop.js::cart", "shop.js::make", "scope 1") in edges_between(files)


def test_what_adds_to_a_type_that_everybody_knows_is_not_the_type() -> None:
    files = {
        "src/report.ts": (
            "declare global {\n"
            "  interface Error { report(): void }\n"
            "  interface Response { own: boolean }\n"
            "  interface Settings { a: number }\n"
            "  var settings: Settings;\n"
            "}\n"
            "export class Response {}\n"
            "export class Failure extends Error {}\n"
            "export function tell(error: Error): Response { error.report(); return new Response() }\n"
            "export function all(of: Settings) { return [of, settings] }\n"
        ),
        "src/window.d.ts": "interface Window { shop: string }\ninterface Basket { of: Window }\n",
        "src/lib.d.ts": "interface Map { clear(): void }\ndeclare var Map: Map;\ninterface Other extends Map {}\n",
        "src/list.ts": "interface Node { next: Node }\nfunction last(node: Node) { return node }\n",
    }
    report = "src/report.ts"
    assert {
        (f"{report}::tell", f"{report}::Error.report", "type 0.9"),
        (f"{report}::tell", f"{report}::Response", "scope 1"),
    } == edges_between(files)
    assert {("src/lib.d.ts::Other", "src/lib.d.ts::Map", "scope 1")} == edges_between(files, "inherits")
    assert {
        (f"{report}::settings", f"{report}::Settings", "scope 1"),
        (f"{report}::all", f"{report}::Settings", "scope 1"),
        (f"{report}::all", f"{report}::settings", "scope 1"),
        ("src/lib.d.ts::Map", "src/lib.d.ts::Map", "scope 1"),
        ("src/list.ts::last", "src/list.ts::Node", "scope 1"),
    } == edges_between(files, "references")


def test_comments_between_a_name_and_what_it_stands_for_change_nothing() -> None:
    of = "export namespace shop { export class Till { pay() {} } export class Cart { pay() {} } }\n"
    use = "function go() { new Till().pay(); }\n"
    for alias in ("import Till = shop.Till;\n", "import /* own */ Till = /* of */ shop\n.Till // all\n;\n"):
        assert ("a.ts::go", "a.ts::shop.Till.pay", "type 0.9") in edges_between({"a.ts": of + alias + use})


@pytest.mark.parametrize("kept", ["", "export {};\n", "export * from './more';\n", "export = make;\n"])
def test_a_file_of_declarations_offers_all_of_them_unless_it_lists_some(kept: str) -> None:
    files = {
        "cart.d.ts": f"export declare function make(): Cart;\ninterface Cart {{ pay(): void }}\n{kept}",
        "index.ts": "export * from './cart';\n",
        "use.ts": "import { Cart } from './index';\nexport interface More extends Cart {}\n",
    }
    offered = {("use.ts::More", "cart.d.ts::Cart", "import 1")}
    assert (set() if kept else offered) == edges_between(files, "inherits")


@pytest.mark.parametrize("first", ["class Till { own() {} }", "interface Till { own(): void }"])
def test_all_declarations_of_a_name_inherit_for_it(first: str) -> None:
    said = [f"export {first}", "export interface Till extends Mixed { }"]
    heir = (
        "class Heir extends Till { go() { this.mix(); this.own(); } }\nfunction go(it: Till) { it.mix(); it.own(); }\n"
    )
    for parts in (said, said[::-1]):
        files = {
            "mixed.ts": "export class Mixed { mix() {} }\n",
            "till.ts": "import { Mixed } from './mixed';\n" + "\n".join(parts),
            "use.ts": f"import {{ Till }} from './till';\n{heir}",
        }
        assert {
            ("use.ts::Heir.go", "mixed.ts::Mixed.mix", "receiver 0.95"),
            ("use.ts::Heir.go", "till.ts::Till.own", "receiver 0.95"),
            ("use.ts::go", "mixed.ts::Mixed.mix", "type 0.9"),
            ("use.ts::go", "till.ts::Till.own", "type 0.9"),
        } == edges_between(files)


def test_types_that_a_script_lacks_are_those_of_the_declarations_beside_it() -> None:
    files = {
        "cart.js": "export class Cart { pay() {} }\nexport function make() { return new Cart(); }\n",
        "cart.d.ts": (
            "export interface Options { limit: number }\n"
            "export class Cart { pay(): void }\n"
            "export function make(): Cart;\n"
        ),
        "index.js": "export * from './cart.js';\n",
        "use.ts": (
            "import { Cart, make, type Options } from './cart.js';\n"
            "import * as all from './cart';\n"
            "export class Sub extends Cart implements Options {}\n"
            "export function go(of: all.Options) { make().pay(); }\n"
        ),
        "far.ts": "import { Options } from './index';\nexport interface More extends Options {}\n",
    }
    assert {("use.ts::Sub", "cart.js::Cart", "import 1"), ("far.ts::More", "cart.d.ts::Options", "import 1")} == (
        edges_between(files, "inherits")
    )
    assert {("use.ts::Sub", "cart.d.ts::Options", "import 1")} == edges_between(files, "implements")
    assert ("use.ts::go", "cart.d.ts::Options", "receiver 0.95") in edges_between(files, "references")
    assert {("cart.js::make", "cart.js::Cart", "scope 1"), ("use.ts::go", "cart.js::make", "import 1")} == {
        edge for edge in edges_between(files) if not edge[1].endswith("pay")
    }


def test_what_is_cast_or_tested_for_its_class_is_of_that_class() -> None:
    files = {
        "a.ts": "export class Box { open() {} shut() {} }\nexport class Bag { open() {} shut() {} }\n",
        "b.ts": """
        import { Bag, Box } from './a';
        function cast(x: any) { (x as Box).open(); (<Bag>x).shut() }
        function named(x: any) { const y = x as Box; y.open(); (x as const).shut() }
        function tested(x: Bag | Box) { return x instanceof Bag && x.open() ? x.shut() : 1 }
        function left(x: unknown) { if (!(x instanceof Box)) return; x.open(); x = new Bag(); }
        """,
    }
    assert {
        ("b.ts::cast", "a.ts::Bag.shut", "type 0.9"),
        ("b.ts::cast", "a.ts::Box.open", "type 0.9"),
        ("b.ts::named", "a.ts::Box.open", "type 0.9"),
        ("b.ts::tested", "a.ts::Bag.open", "type 0.9"),
        ("b.ts::tested", "a.ts::Bag.shut", "type 0.9"),
        ("b.ts::left", "a.ts::Bag", "import 1"),
        ("b.ts::left", "a.ts::Box.open", "type 0.9"),
    } == {edge for edge in edges_between(files) if not edge[2].startswith("ambiguous")}


def test_a_default_export_is_the_component_that_calls_make_another_of_it() -> None:
    files = {
        "cart.tsx": "const Cart = (it) => <b/>;\nexport default connect(state)(Cart);\n",
        "shop.tsx": "import { Inner } from './inner';\nexport default inject('a')(observer(React.memo(Inner)));\n",
        "inner.tsx": "export class Inner {}\n",
        "menu.tsx": "function Menu() { return <b/>; }\nexport default (Menu as any);\n",
        "till.tsx": "export default forwardRef(function Till(it, ref) { return <b/>; });\n",
        "store.tsx": "function Reducer() {}\nfunction reduce() {}\nexport default createStore(Reducer);\n",
        "lower.tsx": "function reduce() {}\nexport default connect(reduce);\n",
        "use.tsx": """
        import A from './cart';
        import B from './shop';
        import C from './menu';
        import D from './till';
        import E from './store';
        import F from './lower';
        export function all() { return <p><A/><B/><C/><D/><E/><F/></p>; }
        """,
    }
    assert {
        ("use.tsx::all", "cart.tsx::Cart", "import 1"),
        ("use.tsx::all", "inner.tsx::Inner", "import 1"),
        ("use.tsx::all", "menu.tsx::Menu", "import 1"),
        ("use.tsx::all", "till.tsx::Till", "import 1"),
    } == edges_between(files)


def test_modules_that_are_imported_where_they_are_needed_are_called() -> None:
    files = {
        "cart.ts": "export function open() {}\nexport function close() {}\nexport default function made() {}\n",
        "till.ts": "export function open() {}\n",
        "use.ts": """
        export async function apart() { const { open, close: end } = await import('./cart'); open(); end(); }
        export async function again() { const { open } = await import('./till'); open(); }
        export async function whole() { const it = await import('./cart'); it.close(); it.default(); }
        export async function other() {
          const it = await import('./till');
          it.open();
        }
        export async function member() { const open = (await import('./till')).open; open(); }
        export async function once() { (await import('./cart')).close(); }
        export function later() { return import('./cart').then((it) => it.close()); }
        export function latest() { return import('./till').then(it => { it.open(); }).catch(() => {}); }
        export function parts() { return import('./till').then(({ open }) => open()); }
        export function named() { return import('./cart').then(async ({ close: end, made = 1 }) => { end(); }); }
        export function unknown(it) { it.close(); open(); }
        """,
    }
    assert {
        ("use.ts::parts", "till.ts::open", "type 0.85"),
        ("use.ts::named", "cart.ts::close", "type 0.85"),
        ("use.ts::apart", "cart.ts::open", "import 1"),
        ("use.ts::apart", "cart.ts::close", "import 1"),
        ("use.ts::again", "till.ts::open", "import 1"),
        ("use.ts::whole", "cart.ts::close", "receiver 0.95"),
        ("use.ts::whole", "cart.ts::made", "receiver 0.95"),
        ("use.ts::other", "till.ts::open", "receiver 0.95"),
        ("use.ts::member", "till.ts::open", "import 1"),
        ("use.ts::once", "cart.ts::close", "receiver 0.95"),
        ("use.ts::later", "cart.ts::close", "receiver 0.95"),
        ("use.ts::latest", "till.ts::open", "receiver 0.95"),
    } == {edge for edge in edges_between(files) if edge[0] != "use.ts::unknown"}
    assert not [edge for edge in edges_between(files) if edge[0] == "use.ts::unknown" and "import" in edge[2]]


def test_what_a_call_shares_is_called_on_what_the_function_gives_that_it_makes() -> None:
    files = {
        "stores.ts": """
        import { defineOther, defineStore } from 'pinia';
        export const useCart = defineStore('cart', () => {
          function add() {}
          const empty = () => add();
          const count = ref(0);
          return { add, clear: empty, count };
        });
        export const useUser = defineStore('user', {
          state: () => ({ name: '' }),
          getters: { full() { return this.name; } },
          actions: { login() { this.logout(); }, async logout() {} },
        });
        export const useMouse = createSharedComposable(() => ({ move() {} }));
        export const usePlain = defineOther('plain', { actions: { login() {} } });
        """,
        "use.ts": """
        import { useCart, useMouse, usePlain, useUser } from './stores';
        export function one() { const cart = useCart(); cart.add(); cart.count(); }
        export function two() { const { clear } = useCart(); clear(); }
        export function three() { useUser().login(); useMouse().move(); usePlain().login(); }
        """,
    }
    edges = {edge for edge in edges_between(files) if "." in edge[1].partition("::")[2]}
    assert {
        ("stores.ts::useCart.empty", "stores.ts::useCart.add", "scope 1"),
        ("stores.ts::useUser.login", "stores.ts::useUser.logout", "receiver 0.95"),
        ("use.ts::one", "stores.ts::useCart.add", "receiver 0.95"),
        ("use.ts::two", "stores.ts::useCart.empty", "type 0.85"),
        ("use.ts::three", "stores.ts::useUser.login", "receiver 0.95"),
        ("use.ts::three", "stores.ts::useMouse.move", "receiver 0.95"),
    } == edges


def test_what_a_context_of_react_holds_is_known_where_it_is_asked_for() -> None:
    files = {
        "auth.tsx": """
        import { createContext, useContext } from "react";
        export interface Auth { signIn(): void }
        export class Store { open() {} }
        export const AuthContext = createContext<Auth | null>(null);
        export const StoreContext = React.createContext(new Store());
        const Empty = createContext();
        export function useAuth() { return useContext(AuthContext)! }
        export function useEmpty() { return useContext(Empty) }
        """,
        "menu.tsx": """
        import { useAuth, useEmpty, StoreContext } from "./auth";
        export function Menu() { const { signIn } = useAuth(); signIn() }
        export function Page() { const store = useContext(StoreContext); store.open() }
        export function Bare() { const { signIn } = useEmpty(); signIn() }
        """,
        "other.ts": "export class Other { signIn() {} open() {} }",
    }
    found = {(source.partition("::")[2], target) for source, target, _ in edges_between(files) if "menu" in source}
    assert {
        ("Menu", "auth.tsx::useAuth"),
        ("Menu", "auth.tsx::Auth.signIn"),
        ("Page", "auth.tsx::Store.open"),
        ("Bare", "auth.tsx::useEmpty"),
    } == found


@pytest.mark.parametrize("said", ["Shop['cart']", 'Shop["cart"]', "Shop<A, B[]>['cart']", "Shop['inner']['cart']"])
def test_a_type_that_is_a_member_of_another_is_what_that_member_is(said: str) -> None:
    files = {
        "shop.ts": """
        export class Cart { pay() {} }
        export interface Shop<A = 1, B = 2> { cart: Cart; inner: Shop; pay(): void }
        """,
        "menu.ts": f"""
        import type {{ Shop }} from "./shop";
        export class Menu {{ cart: {said}; go() {{ this.cart.pay() }} }}
        export function open(cart: {said}) {{ cart.pay() }}
        """,
    }
    assert {
        ("menu.ts::Menu.go", "shop.ts::Cart.pay", "type 0.85"),
        ("menu.ts::open", "shop.ts::Cart.pay", "type 0.85"),
    } == edges_between(files)


@pytest.mark.parametrize(
    ("body", "callees"),
    [
        ("if (isCart(it)) it.pay()", {"Cart.pay"}),
        ("if (!isCart(it)) return; it.pay()", {"Cart.pay"}),
        ("return isCart(it) && it.pay()", {"Cart.pay"}),
        ("if ($isCart(it)) it.pay()", {"Cart.pay"}),
        ("if (isCart(it.cart)) it.pay()", set()),
        ("if (isFull(it)) it.pay()", set()),
        ("if (isSecond(it)) it.pay()", set()),
        ("if (isCart(it)) return; it.pay()", set()),
        ("if (isBig(box)) { box.pay(); box.grow() }", {"Box.pay", "Big.grow"}),
    ],
)
def test_what_a_function_tells_its_argument_to_be_it_is(body: str, callees: set[str]) -> None:
    files = {
        "kinds.ts": """
        export class Cart { pay() {} }
        export class Box { pay() {} }
        export class Big extends Box { grow() {} }
        export function isCart(it: unknown): it is Cart { return true }
        export const $isCart = (it: unknown): it is Cart => isCart(it)
        export const isBig = (it: Box): it is Big => true
        export function isFull(it: unknown): boolean { return true }
        export function isSecond(at?: unknown, it?: unknown): it is Cart { return true }
        """,
        "a.ts": f"""
        import {{ Box, $isCart, isBig, isCart, isFull, isSecond }} from "./kinds";
        export function go(it: unknown, box: Box) {{ {body} }}
        """,
    }
    surely = {target for _, target, tier in edges_between(files) if tier.startswith("type")}
    assert {f"kinds.ts::{callee}" for callee in callees} == surely


def test_an_object_has_its_class_by_the_name_of_its_constructor() -> None:
    files = {
        "cart.js": """
        class Shop { static make() {} }
        class Cart extends Shop {
          static of() {}
          pay() { this.constructor.of(); this.constructor.make(); this.constructor.gone(); }
        }
        """
    }
    called = {("cart.js::Cart.pay", f"cart.js::{name}", "receiver 0.95") for name in ("Cart.of", "Shop.make")}
    assert called == edges_between(files)
