"""Names of the other languages."""

import pytest
from resolved_edges import edges_between, facts_of

from ctxcode.codegraph.resolve.modules.naming import module_names


def test_typescript_imports_lead_by_relative_path_to_files_and_index_files() -> None:
    files = {
        "src/http/index.ts": "export { send as request } from './send.js';\n",
        "src/http/send.ts": "export function send() {}\n",
        "src/app.ts": "import { request } from './http';\nimport * as http from './http/send';\n"
        "export function go() { request(); http.send(); }\n",
    }
    assert {
        ("src/app.ts::go", "src/http/send.ts::send", "import 1"),
        ("src/app.ts::go", "src/http/send.ts::send", "receiver 0.95"),
    } == edges_between(files)


def test_typescript_imports_of_the_top_folder_lead_to_no_file_in_another_language() -> None:
    files = {"README.md": "# Web\n", "web/run.ts": "import top from '..';\nexport function run() { top(); }\n"}
    assert set() == edges_between(files, "imports")


def test_typescript_classes_resolve_this_and_super_and_packages_stay_outside() -> None:
    files = {
        "base.ts": "export class Base { run() {} }\n",
        "own.ts": """
        import { Base } from './base';
        import { run } from 'somewhere';
        export class Own extends Base {
          go() { this.run(); super.run(); run(); }
        }
        """,
    }
    assert {("own.ts::Own.go", "base.ts::Base.run", "receiver 0.95")} == edges_between(files)
    assert {("own.ts::Own", "base.ts::Base", "import 1")} == edges_between(files, "inherits")


def test_javascript_require_binds_the_module_and_its_names() -> None:
    files = {
        "lib/tool.js": "function cut() {}\nmodule.exports = { cut };\n",
        "main.js": "const tool = require('./lib/tool');\nconst { cut } = require('./lib/tool');\n"
        "function go() { tool.cut(); cut(); Object.cut(); }\n",
    }
    assert {
        ("main.js::go", "lib/tool.js::cut", "receiver 0.95"),
        ("main.js::go", "lib/tool.js::cut", "import 1"),
    } == edges_between(files)


def test_commonjs_modules_offer_what_they_assign_to_their_exports() -> None:
    files = {
        "lib/tool.js": "module.exports = { cut() {}, bind: function () {} };\n",
        "lib/index.js": "exports.tool = require('./tool');\n",
        "all.js": "module.exports = require('./lib');\n",
        "main.js": "const tool = require('./lib/tool');\nconst { tool: second } = require('./all');\n"
        "function go() { tool.cut(); second.bind(); }\n",
    }
    assert {
        ("main.js::go", "lib/tool.js::default.cut", "receiver 0.95"),
        ("main.js::go", "lib/tool.js::default.bind", "receiver 0.95"),
    } == edges_between(files)


def test_fields_are_no_call_targets_but_variants_are() -> None:
    files = {
        "src/lib.rs": """
        pub enum Place { At(u32) }
        pub struct Box { run: fn() }
        impl Box { fn go(&self) { self.run(); Place::At(1); } }
        """,
    }
    assert {("src/lib.rs::Box.go", "src/lib.rs::Place.At", "receiver 0.95")} == edges_between(files)
    assert ("src/lib.rs::Box", "src/lib.rs::Box.run", "scope 1") not in edges_between(files, "contains")


def test_rust_paths_lead_through_crate_super_and_modules() -> None:
    files = {
        "src/lib.rs": "pub mod net;\nmod tool;\npub use crate::net::Client;\n",
        "src/net/mod.rs": """
        pub mod wire;
        use crate::tool::cut;
        pub struct Client;
        impl Client {
            pub fn new() -> Self { Client }
            pub fn send(&self) { self.flush_all(); cut(); wire::encode(); crate::tool::cut(); }
            fn flush_all(&self) {}
        }
        """,
        "src/net/wire.rs": "use super::Client;\npub fn encode() { Client::new(); }\n",
        "src/tool.rs": "pub fn cut() {}\n",
    }
    assert {
        ("src/net/mod.rs::Client.send", "src/net/mod.rs::Client.flush_all", "receiver 0.95"),
        ("src/net/mod.rs::Client.send", "src/tool.rs::cut", "import 1"),
        ("src/net/mod.rs::Client.send", "src/net/wire.rs::encode", "receiver 0.95"),
        ("src/net/mod.rs::Client.send", "src/tool.rs::cut", "receiver 0.95"),
        ("src/net/wire.rs::encode", "src/net/mod.rs::Client.new", "receiver 0.95"),
    } == edges_between(files)


def test_what_a_module_in_braces_takes_from_the_top_of_its_crate_is_what_the_file_means() -> None:
    files = {
        "one/Cargo.toml": '[package]\nname = "one"\n',
        "one/src/lib.rs": """
        mod widget;
        pub use widget::Widget;
        pub mod prelude { pub use crate::Widget; }
        pub fn made() -> Widget { Widget::new() }
        """,
        "one/src/widget.rs": "pub struct Widget;\nimpl Widget { pub fn new() -> Self { todo!() } }\n",
        "two/Cargo.toml": '[package]\nname = "two"\n[dependencies]\none = { path = "../one" }\n',
        "two/src/main.rs": "use one::prelude::*;\nfn main() { Widget::new(); }\n",
    }
    assert {
        ("one/src/lib.rs::made", "one/src/widget.rs::Widget.new", "receiver 0.95"),
        ("two/src/main.rs::main", "one/src/widget.rs::Widget.new", "receiver 0.95"),
    } == edges_between(files)


def test_what_a_handler_of_rust_takes_out_of_a_request_is_known() -> None:
    files = {
        "src/main.rs": """
        use axum::{extract::{Extension, State}, Json};
        use actix_web::web;
        use axum::Router;
        async fn state(State(app): State<Arc<App>>) { app.base.rows() }
        async fn whole(app: State<Arc<App>>) { app.base.rows() }
        async fn more(Extension(base): Extension<Base>, Json(order): Json<Order>) { base.rows(); order.sum() }
        async fn path(data: web::Data<App>, axum::Json(order): axum::Json<Order>) { data.base.rows(); order.sum() }
        fn routes(router: Router<Base>) { router.rows() }
        struct Held<T>(Vec<T>);
        fn own(Held(order): Held<Order>, Order(base): Order) { order.sum(); base.rows(); }
        struct App { base: Base }
        struct Base;
        struct Order(Base);
        impl Base { fn rows(&self) {} }
        impl Order { fn sum(&self) {} }
        """,
    }
    found = {(source.partition("::")[2], target.partition("::")[2]) for source, target, _ in edges_between(files)}
    assert {
        ("state", "Base.rows"),
        ("whole", "Base.rows"),
        ("more", "Base.rows"),
        ("more", "Order.sum"),
        ("path", "Base.rows"),
        ("path", "Order.sum"),
        ("own", "Base.rows"),
    } == found


def test_what_super_calls_in_rust_stands_in_the_module_around() -> None:
    files = {
        "src/lib.rs": "mod net;\npub fn top() {}\nmod inner { fn up() { super::top(); } }\n",
        "src/net/mod.rs": "mod wire;\npub fn send() { super::top(); }\n",
        "src/net/wire.rs": """
        pub fn encode() { super::send(); super::super::top(); }
        mod tests {
            fn sent() { super::encode(); super::super::send(); }
            mod more { pub fn kept() {} fn nothing() { super::kept(); } fn deep() { super::sent(); } }
        }
        """,
    }
    assert {
        ("src/lib.rs::inner.up", "src/lib.rs::top", "receiver 0.95"),
        ("src/net/mod.rs::send", "src/lib.rs::top", "receiver 0.95"),
        ("src/net/wire.rs::encode", "src/net/mod.rs::send", "receiver 0.95"),
        ("src/net/wire.rs::encode", "src/lib.rs::top", "receiver 0.95"),
        ("src/net/wire.rs::tests.sent", "src/net/wire.rs::encode", "receiver 0.95"),
        ("src/net/wire.rs::tests.sent", "src/net/mod.rs::send", "receiver 0.95"),
        ("src/net/wire.rs::tests.more.deep", "src/net/wire.rs::tests.sent", "receiver 0.95"),
    } == edges_between(files)


def test_another_name_of_a_type_of_go_has_its_methods_and_a_type_made_of_it_has_not() -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "cart/cart.go": "package cart\n\ntype Cart struct{}\n\nfunc (c Cart) Sum() {}\n",
        "shop.go": """
        package shop

        import "example.com/shop/cart"

        type Own struct{}
        type Same = Own
        type Basket = *cart.Cart
        type Made Own

        func (o Own) Pay() {}

        func same(it Same) { it.Pay() }
        func basket(it Basket) { it.Sum() }
        func made(it Made) { it.Pay() }
        """,
    }
    assert {
        ("shop.go::same", "shop.go::Own.Pay", "type 0.9"),
        ("shop.go::basket", "cart/cart.go::Cart.Sum", "type 0.9"),
    } == edges_between(files)


def test_a_rust_test_sees_its_crate_by_a_name_nobody_told() -> None:
    files = {
        "src/lib.rs": "pub fn start() {}\n",
        "tests/it.rs": "use some_name::start;\nuse std::fs::copy;\nfn check() { start(); copy(); }\n",
    }
    assert {("tests/it.rs::check", "src/lib.rs::start", "import 1")} == edges_between(files)


def test_rust_methods_in_another_file_than_their_type_are_its_members() -> None:
    files = {
        "src/lib.rs": "mod kind;\nmod more;\n",
        "src/kind.rs": "pub struct Kind;\n",
        "src/more.rs": """
        use crate::kind::Kind;
        impl Kind { pub fn name(&self) { self.inner(); } fn inner(&self) {} }
        """,
    }
    assert {("src/more.rs::Kind.name", "src/more.rs::Kind.inner", "receiver 0.95")} == edges_between(files)


def test_go_packages_span_files_and_imports_lead_to_folders() -> None:
    files = {
        "cmd/main.go": """
        package main
        import "example.org/app/store"
        func main() { s := store.New(); store.Open(); s.Go() }
        """,
        "store/store.go": "package store\ntype Store struct{}\nfunc New() *Store { return &Store{} }\n",
        "store/open.go": """
        package store
        func Open() { New() }
        func (s *Store) Begin() { s.end() }
        func (s *Store) end() {}
        """,
        "other/x.go": 'package other\nimport "example.org/app/cmd"\nimport "fmt"\nfunc X() { fmt.New() }\n',
    }
    calls = edges_between(files)
    assert ("cmd/main.go::main", "store/store.go::New", "receiver 0.95") in calls
    assert ("cmd/main.go::main", "store/open.go::Open", "receiver 0.95") in calls
    assert ("store/open.go::Open", "store/store.go::New", "scope 1") in calls
    assert ("store/open.go::Store.Begin", "store/open.go::Store.end", "type 0.9") in calls
    assert [] == [edge for edge in calls if edge[0].startswith("other/")]


def test_java_classes_see_their_package_their_imports_and_what_they_inherit() -> None:
    files = {
        "src/main/java/a/Base.java": "package a;\npublic class Base { protected void run() {} }\n",
        "src/main/java/a/Tool.java": "package a;\nclass Tool { static void cut() {} }\n",
        "src/main/java/b/Own.java": """
        package b;
        import a.Base;
        import java.util.List;
        public class Own extends Base {
            void go() { run(); this.run(); a.Tool.cut(); List.of(); }
        }
        """,
        "src/main/java/a/Use.java": "package a;\nclass Use { void go() { Tool.cut(); new Base(); } }\n",
    }
    assert {
        ("src/main/java/b/Own.java::Own.go", "src/main/java/a/Base.java::Base.run", "receiver 0.95"),
        ("src/main/java/b/Own.java::Own.go", "src/main/java/a/Tool.java::Tool.cut", "receiver 0.95"),
        ("src/main/java/a/Use.java::Use.go", "src/main/java/a/Tool.java::Tool.cut", "receiver 0.95"),
        ("src/main/java/a/Use.java::Use.go", "src/main/java/a/Base.java::Base", "scope 1"),
    } == edges_between(files)


def test_modules_are_named_as_their_languages_name_them() -> None:
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/inner/deep.py": "",
        "scripts/build.py": "",
        "web/index.ts": "",
        "web/cart.test.ts": "",
        "crates/my-net/src/lib.rs": "",
        "crates/my-net/src/wire/mod.rs": "",
        "store/open.go": "package store\n",
        "java/A.java": "package x.y;\nclass A {}\n",
    }
    assert {
        "src/pkg/__init__.py": "pkg",
        "src/pkg/inner/deep.py": "pkg.inner.deep",
        "scripts/build.py": "scripts.build",
        "web/index.ts": "web",
        "web/cart.test.ts": "web.cart.test",
        "crates/my-net/src/lib.rs": "my_net",
        "crates/my-net/src/wire/mod.rs": "my_net.wire",
        "store/open.go": "store.open",
        "java/A.java": "x.y.A",
    } == module_names(facts_of(files))


def test_namesakes_of_different_languages_never_meet() -> None:
    files = {
        "a.py": "class A:\n    def settle(self): pass\n",
        "b.ts": "export function go(x: any) { x.settle(); }\n",
        "c.rs": "fn go(x: u8) { x.settle(); }\n",
    }
    assert set() == edges_between(files)


@pytest.mark.parametrize(("count", "found"), [(60, 1), (61, 0)])
def test_among_very_many_overloads_none_is_chosen(count: int, found: int) -> None:
    overloads = "".join(f"void f(int a, Type{number} b) {{}}\n" for number in range(count))
    types = "".join(f"class Type{number} {{}}\n" for number in range(count))
    edges = edges_between({"A.java": f"class A {{\n{overloads}void r(Type7 x) {{ f(1, x); }}\n}}\n{types}"})
    assert found == sum(edge[0] == "A.java::A.r" for edge in edges)


def test_a_rust_name_bound_to_very_many_types_is_the_last_of_them() -> None:
    types = "".join(
        f"struct T{number};\nimpl T{number} {{ fn new() -> T{number} {{}} fn go(&self) {{}} }}\n"
        for number in range(90)
    )
    lets = "".join(f"let x = T{number}::new();\n" for number in range(90))
    edges = edges_between({"src/lib.rs": f"{types}fn r() {{\n{lets}x.go();\n}}\n"})
    assert ["src/lib.rs::T89.go"] == [edge[1] for edge in edges if edge[1].endswith(".go")]


def test_rust_names_bound_within_one_another_very_deep_are_still_told_apart() -> None:
    types = "struct A;\nimpl A { fn a(&self) {} }\nstruct B;\nimpl B { fn a(&self) {} }\n"
    inner = "".join(f"{{ let x = {'AB'[number % 2]};\nx.a();\n" for number in range(300)) + "}\n" * 300
    edges = edges_between({"src/lib.rs": f"{types}fn r(x: A) {{\n{inner}x.a();\n}}\n"})
    assert {"src/lib.rs::A.a", "src/lib.rs::B.a"} >= {edge[1] for edge in edges if edge[1].endswith(".a")}


def test_a_local_name_of_which_nothing_is_known_is_no_attribute_of_that_name() -> None:
    source = """
    class Item { fun run() {} }
    class Other { fun run() {} }
    class Box(val item: Item) {
      fun given() { all.forEach { item -> item.run() } }
      fun parts() { all.map { (item, count) -> item.run() } }
      fun looped(all: Array<Any>) { for (item in all) item.run() }
      fun opened(other: Pair) { val (item, count) = other; item.run() }
      fun chosen(other: Any) { val item = if (ok) other else null; item.run() }
      fun same(other: Other) { val item = other; item.run() }
      fun own() { val item = item; item.run() }
      fun least() { val item = item ?: return; item.run() }
      fun there() { item?.let { item -> item.run() } }
      fun behind() { all.forEach { item -> println(item) }; item.run() }
      fun plain() { item.run() }
    }
    """
    known = {
        source
        for source, target, how in edges_between({"Box.kt": source})
        if (target, how[:9]) == (ITEM_RUN, "type 0.85")
    }
    assert {
        "Box.kt::Box.own",
        "Box.kt::Box.behind",
        "Box.kt::Box.least",
        "Box.kt::Box.there",
        "Box.kt::Box.plain",
    } == known
    assert ("Box.kt::Box.same", "Box.kt::Other.run") in {edge[:2] for edge in edges_between({"Box.kt": source})}


ITEM_RUN = "Box.kt::Item.run"


def test_what_extends_another_type_is_not_called_on_one_from_outside() -> None:
    source = """
    using System.Collections;
    public static class Ext {
      public static bool Contains<T>(this IEnumerable<T> all, int x) { return true; }
      public static bool IsSmall<T>(this IEnumerable<T> all) { return true; }
    }
    public class Cart {
      IList list;
      bool Read { get { return ((IList)x).Contains(1); } }
      bool Told => ((IList)x).Contains(1);
      void Cast(object x) { ((IList)x).Contains(1); }
      void Made() { new ArrayList().Contains(1); }
      void Held() { list.Contains(1); }
      void Given(IList x) { x.Contains(1); }
      void Right(IEnumerable<int> x) { x.Contains(1); }
      void Further(IList x) { x.IsSmall(); }
      Cart Own => ((Cart)x).Further(null);
    }
    """
    assert {
        ("Cart.cs::Cart.Right", "Cart.cs::Ext.Contains", "type 0.9"),
        ("Cart.cs::Cart.Further", "Cart.cs::Ext.IsSmall", "type 0.9"),
        ("Cart.cs::Cart.Own", "Cart.cs::Cart.Further", "type 0.9"),
    } == edges_between({"Cart.cs": source})


def test_what_is_cast_to_a_type_is_one_and_of_no_other() -> None:
    files = {
        "Cart.swift": """
        import Foundation
        class Cart { func pay() {} }
        func own(x: Any) { (x as! Cart).pay() }
        func other(x: Any) { (x as! URL).pay() }
        """,
        "Cart.scala": """
        import java.util.UUID
        class Cart { def pay(): Unit = {} }
        object All {
          def own(x: Any) = x.asInstanceOf[Cart].pay()
          def other(x: Any) = x.asInstanceOf[UUID].pay()
        }
        """,
    }
    assert {
        ("Cart.swift::own", "Cart.swift::Cart.pay", "type 0.9"),
        ("Cart.scala::All.own", "Cart.scala::Cart.pay", "type 0.9"),
    } == edges_between(files)


def test_an_entry_of_a_switch_says_what_it_binds_and_what_is_looked_at() -> None:
    source = """
    class Cart { func pay() {} }
    class Gift { func pay() {} }
    func f(x: Any, other: Any) {
      switch x {
      case let y as Cart: y.pay()
      case let z as URL: z.pay()
      case is Gift: x.pay()
      default: other.stop()
      }
    }
    """
    assert {
        ("a.swift::f", "a.swift::Cart.pay", "type 0.9"),
        ("a.swift::f", "a.swift::Gift.pay", "type 0.9"),
    } == edges_between({"a.swift": source})


def test_names_of_one_declaration_in_swift_are_of_the_type_behind_the_last() -> None:
    source = """
    class Cart { func pay() {} }
    class Gift { func wrap() {} }
    class Shop {
      var first, second: Cart
      let gift = Gift(), spare: Cart
      var size: Int { spare.pay(); return 1 }
      func go() {
        let one, two: Cart
        first.pay()
        gift.wrap()
        one.pay()
        two.wrap()
      }
    }
    """
    assert {
        ("a.swift::Shop.go", "a.swift::Cart.pay", "type 0.85"),
        ("a.swift::Shop.go", "a.swift::Cart.pay", "type 0.9"),
        ("a.swift::Shop.go", "a.swift::Gift.wrap", "type 0.85"),
        ("a.swift::Shop.size", "a.swift::Cart.pay", "type 0.85"),
    } == {edge for edge in edges_between({"a.swift": source}) if ".go" in edge[0] or ".size" in edge[0]}


def test_clauses_of_scala_one_below_the_other_lead_into_packages_that_know_those_around() -> None:
    files = {
        "Shape.scala": "package acme\n\nclass Shape\nclass Only\n",
        "Circle.scala": "package acme // ours\npackage core\n\nclass Circle { def area() = new Shape() }\n",
        "Square.scala": "package acme.core\n\nclass Square { def area() = new Only(); def round() = new Circle() }\n",
        "Use.scala": "package other\n\nimport acme.core.Circle\n\nclass Use { def go() = new Circle().area() }\n",
        "Deep.scala": "package acme\npackage core\npackage in.deep\nclass Deep { def go() = new Circle; new Only }\n",
        "Braces.scala": "package acme\npackage other {\n  class Braces { def go() = new Shape() }\n}\n",
    }
    assert {"Circle.scala": "acme.core", "Deep.scala": "acme.core.in.deep", "Braces.scala": "acme"} == {
        path: facts.package for path, facts in facts_of(files).items() if path[0] in "BCD"
    }
    assert {
        ("Circle.scala::Circle.area", "Shape.scala::Shape", "import 1"),
        ("Square.scala::Square.round", "Circle.scala::Circle", "scope 1"),
        ("Use.scala::Use.go", "Circle.scala::Circle", "import 1"),
        ("Use.scala::Use.go", "Circle.scala::Circle.area", "type 0.9"),
        ("Deep.scala::Deep.go", "Circle.scala::Circle", "import 1"),
        ("Deep.scala::Deep", "Shape.scala::Only", "import 1"),
        ("Braces.scala::Braces.go", "Shape.scala::Shape", "scope 1"),
    } == {edge for edge in edges_between(files) if "unique" not in edge[2]}
    assert {("Use.scala", "Circle.scala::Circle", "import 1")} == edges_between(files, "imports")


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("val pay = all.map(this::pay)", ("Cart.pay", "receiver 0.95")),
        ("val pay = all.map(it::pay)", ("Cart.pay", "type 0.9")),
        ("val pay = all.map(it.own::pay)", ("Price.pay", "type 0.85")),
        ("1 plus2 2", ("Int.plus2", "type 0.9")),
        ("it with it", ("Cart.with", "type 0.9")),
        ("it to 1; Cart::class; it::class; it::own", None),
    ],
)
def test_what_kotlin_hands_on_or_writes_between_two_values_is_called(body: str, called: tuple[str, str] | None) -> None:
    source = f"""package a
class Cart(val own: Price) {{
  fun pay(x: Int) = 1
  infix fun with(other: Cart) = this
  infix fun to(x: Int) = this
  fun go(all: List<Int>, it: Cart) {{ {body} }}
}}
class Price {{ fun pay(x: Int) = 2 }}
infix fun Int.plus2(x: Int) = this + x
"""
    drawn = {(target, how) for origin, target, how in edges_between({"a.kt": source}) if origin.endswith(".go")}
    assert ({(f"a.kt::{called[0]}", called[1])} if called is not None else set()) == drawn


def test_a_type_of_kotlin_implements_what_another_does_for_it() -> None:
    files = {
        "Repo.kt": "package a\n\ninterface Repo { fun all(): Int }\n",
        "Cached.kt": (
            "package a\n\nclass Cached(private val inner: Repo) : Repo by inner\nobject Held : Repo by Cached(made)\n"
        ),
        "Use.kt": "package a\n\nclass Use { fun go(it: Cached) = it.all() }\n",
    }
    assert {
        ("Cached.kt::Cached", "Repo.kt::Repo", "import 1"),
        ("Cached.kt::Held", "Repo.kt::Repo", "import 1"),
    } == edges_between(files, "implements")
    assert ("Use.kt::Use.go", "Repo.kt::Repo.all", "type 0.9") in edges_between(files)
