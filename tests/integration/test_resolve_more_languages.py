"""Names of the languages whose queries are matched: C, C++, C#, Ruby, PHP, Kotlin, Scala, Swift, shell, Lua."""

from resolved_edges import edges_between, edges_to_lines


def test_c_includes_lead_to_headers_and_functions_are_known_everywhere() -> None:
    files = {
        "src/box.h": "#define BOX 1\nstatic inline int box_size(void) { return 1; }\n",
        "src/box.c": """
        #include "box.h"
        int box_open(void) { return box_size(); }
        static int twice(void) { return 2; }
        """,
        "src/main.c": """
        #include <stdio.h>
        #include "box.h"
        int main(void) { box_size(); box_open(); twice(); printf("x"); }
        """,
        "src/one.c": "int start(void) { return 1; }\n",
        "src/two.c": "int start(void) { return 2; }\nstatic int go(void) { return start(); }\n",
        "src/three.c": "int run(void) { return start(); }\n",
    }
    assert {
        ("src/box.c::box_open", "src/box.h::box_size", "import 1"),
        ("src/main.c::main", "src/box.h::box_size", "import 1"),
        ("src/main.c::main", "src/box.c::box_open", "unique-name 0.6"),
        ("src/two.c::go", "src/two.c::start", "scope 1"),
        ("src/three.c::run", "src/one.c::start", "ambiguous 0.25"),
        ("src/three.c::run", "src/two.c::start", "ambiguous 0.25"),
    } == edges_between(files)
    assert {
        ("src/box.c", "src/box.h", "import 1"),
        ("src/main.c", "src/box.h", "import 1"),
    } == edges_between(files, "imports")


def test_cpp_definitions_outside_a_class_belong_to_it() -> None:
    files = {
        "mesh.h": """
        namespace gfx {
        class Shape { public: void turn(); };
        class Mesh : public Shape { public: void draw(); int area(); private: Part part; };
        class Part { public: void cut() {} };
        }
        """,
        "mesh.cpp": """
        #include "mesh.h"
        namespace gfx {
        void Mesh::draw() { area(); this->turn(); part.cut(); }
        int Mesh::area() { return 1; }
        void Shape::turn() {}
        }
        """,
        "main.cpp": """
        #include "mesh.h"
        int main() { gfx::Mesh mesh(1); mesh.draw(); auto *other = new gfx::Mesh(); other->area(); std::sort(1); }
        """,
    }
    assert {
        ("mesh.cpp::gfx.Mesh.draw", "mesh.cpp::gfx.Mesh.area", "receiver 0.95"),
        ("mesh.cpp::gfx.Mesh.draw", "mesh.cpp::gfx.Shape.turn", "receiver 0.95"),
        ("mesh.cpp::gfx.Mesh.draw", "mesh.h::gfx.Part.cut", "type 0.85"),
        ("main.cpp::main", "mesh.cpp::gfx.Mesh.draw", "type 0.9"),
        ("main.cpp::main", "mesh.cpp::gfx.Mesh.area", "type 0.9"),
        ("main.cpp::main", "mesh.h::gfx.Mesh", "receiver 0.95"),
    } == edges_between(files)
    assert {("mesh.h::gfx.Mesh", "mesh.h::gfx.Shape", "scope 1")} == edges_between(files, "inherits")


def test_csharp_namespaces_and_usings_bring_types() -> None:
    files = {
        "Core/Store.cs": (
            "namespace Shop.Core;\npublic class Store { public void Open() {} public static Store Make() => null; }\n"
        ),
        "Core/Base.cs": "namespace Shop.Core { public class Base { protected void Log() {} } }\n",
        "App/Cart.cs": """
        using Shop.Core;
        using Money = Shop.Core.Store;
        namespace Shop.App;
        public class Cart : Base {
          private readonly Store _store = new Store();
          void Go(Store given) {
            _store.Open(); this._store.Open(); given.Open();
            Store.Make(); Log(); base.Log(); Money.Make(); Other.Run();
          }
        }
        """,
    }
    cart, store = "App/Cart.cs::Cart.Go", "Core/Store.cs::Store"
    assert {
        ("App/Cart.cs::Cart", store, "import 1"),
        (cart, f"{store}.Open", "type 0.9"),
        (cart, f"{store}.Open", "type 0.85"),
        (cart, f"{store}.Make", "receiver 0.95"),
        (cart, "Core/Base.cs::Base.Log", "receiver 0.95"),
    } == edges_between(files)
    assert {("App/Cart.cs::Cart", "Core/Base.cs::Base", "import 1")} == edges_between(files, "inherits")


def test_ruby_constants_lead_through_modules_that_are_opened_in_many_files() -> None:
    files = {
        "lib/shop.rb": "require 'shop/cart'\nmodule Shop\nend\n",
        "lib/shop/cart.rb": """
        require_relative 'row'
        module Shop
          class Cart < Base
            def initialize
              @row = Row.new
            end

            def go
              @row.draw
              helper
              self.helper
              other = Row.new
              other.draw
              Util.cut(1)
              shared(1)
            end

            def helper; end
          end
        end
        """,
        "lib/shop/row.rb": (
            "module Shop\n  class Row\n    def draw; end\n  end\n  class Base\n    def shared(x); end\n  end\nend\n"
        ),
        "lib/shop/util.rb": "module Shop\n  module Util\n    def self.cut(x); end\n  end\nend\n",
    }
    cart, row = "lib/shop/cart.rb::Shop.Cart", "lib/shop/row.rb::Shop.Row"
    assert {
        (f"{cart}.initialize", row, "import 1"),
        (f"{cart}.go", row, "import 1"),
        (f"{cart}.go", f"{row}.draw", "type 0.85"),
        (f"{cart}.go", f"{row}.draw", "type 0.9"),
        (f"{cart}.go", f"{cart}.helper", "receiver 0.95"),
        (f"{cart}.go", "lib/shop/util.rb::Shop.Util.cut", "receiver 0.95"),
        (f"{cart}.go", "lib/shop/row.rb::Shop.Base.shared", "receiver 0.95"),
    } == edges_between(files)
    assert {
        ("lib/shop.rb", "lib/shop/cart.rb", "import 1"),
        ("lib/shop/cart.rb", "lib/shop/row.rb", "import 1"),
    } == edges_between(files, "imports")


def test_php_uses_bring_classes_and_functions() -> None:
    files = {
        "src/Core/Store.php": (
            "<?php\nnamespace Shop\\Core;\nclass Store { public function open() {} public static function make() {} }\n"
        ),
        "src/Core/tools.php": "<?php\nnamespace Shop\\Core;\nfunction cut() {}\n",
        "src/App/Cart.php": """<?php
        namespace Shop\\App;
        use Shop\\Core\\Store as Kept;
        use function Shop\\Core\\cut;
        class Cart extends Base {
            private Kept $kept;
            function go(Kept $given) {
                $this->kept->open(); $given->open(); Kept::make(); cut(); self::own(); parent::old(); strlen(1);
            }
            static function own() {}
        }
        """,
        "src/App/Base.php": "<?php\nnamespace Shop\\App;\nclass Base { function old() {} }\n",
    }
    go, store = "src/App/Cart.php::Cart.go", "src/Core/Store.php::Store"
    assert {
        (go, f"{store}.open", "type 0.9"),
        (go, f"{store}.open", "type 0.85"),
        (go, f"{store}.make", "receiver 0.95"),
        (go, "src/Core/tools.php::cut", "import 1"),
        (go, "src/App/Cart.php::Cart.own", "receiver 0.95"),
        (go, "src/App/Base.php::Base.old", "receiver 0.95"),
    } == edges_between(files)


def test_kotlin_scala_and_java_see_each_other() -> None:
    files = {
        "a/Store.java": "package a;\npublic class Store { public void open() {} }\n",
        "b/Cart.kt": """
        package b
        import a.Store
        import c.*
        class Cart(private val store: Store) : Base() {
          fun go(given: Store) {
            store.open()
            given.open()
            shared()
            helper()
            val made = Row(1)
            made.draw()
          }
        }
        fun helper() {}
        """,
        "c/Row.scala": (
            "package c\n"
            "class Row(x: Int) { def draw(): Unit = { stop() }; def stop() = 1 }\n"
            "class Base { def shared() = 2 }\n"
        ),
    }
    go = "b/Cart.kt::Cart.go"
    assert {
        (go, "a/Store.java::Store.open", "type 0.9"),
        (go, "a/Store.java::Store.open", "type 0.85"),
        (go, "c/Row.scala::Base.shared", "receiver 0.95"),
        (go, "b/Cart.kt::helper", "scope 1"),
        (go, "c/Row.scala::Row", "import 1"),
        (go, "c/Row.scala::Row.draw", "type 0.9"),
        ("b/Cart.kt::Cart", "c/Row.scala::Base", "import 1"),
        ("c/Row.scala::Row.draw", "c/Row.scala::Row.stop", "receiver 0.95"),
    } == edges_between(files)


def test_swift_extensions_are_parts_of_their_type() -> None:
    files = {
        "Sources/Cart.swift": (
            "class Cart: Base {\n"
            "  let store: Store = Store()\n"
            "  func go() {\n"
            "    store.open()\n"
            "    helper()\n"
            "    shared()\n"
            "    stop()\n"
            "  }\n"
            "}\n"
        ),
        "Sources/More.swift": (
            "extension Cart {\n  func helper() {}\n}\nclass Base {\n  func shared() {}\n}\nfunc stop() {}\n"
        ),
        "Sources/Store.swift": "struct Store {\n  func open() {}\n}\n",
    }
    go = "Sources/Cart.swift::Cart.go"
    assert {
        ("Sources/Cart.swift::Cart", "Sources/Store.swift::Store", "scope 1"),
        (go, "Sources/Store.swift::Store.open", "type 0.85"),
        (go, "Sources/More.swift::Cart.helper", "receiver 0.95"),
        (go, "Sources/More.swift::Base.shared", "receiver 0.95"),
        (go, "Sources/More.swift::stop", "scope 1"),
    } == edges_between(files)


def test_what_extends_a_type_of_swift_is_not_the_type() -> None:
    files = {
        "Sources/Made.swift": (
            "enum Kind {\n  case one\n}\n"
            "extension Kind {\n  func a() {}\n  func b() {}\n}\n"
            "extension Data {\n  static func sealed() -> Data { Data() }\n  func opened() {}\n}\n"
        ),
        "Sources/Kind+More.swift": "extension Kind {\n  func c() {}\n  func d() {}\n  func e() {}\n}\n",
        "Sources/View+More.swift": "extension View {\n  func hide() {}\n}\n",
        "Sources/Use.swift": (
            "class Panel: View {\n"
            "  let data: Data = Data()\n"
            "  func go() {\n"
            "    _ = Kind(rawValue: 1)\n"
            "    data.opened()\n"
            "    _ = Data.sealed()\n"
            "    hide()\n"
            "  }\n"
            "}\n"
        ),
    }
    go = "Sources/Use.swift::Panel.go"
    assert {
        (go, "Sources/Made.swift::Kind", "scope 1"),
        (go, "Sources/Made.swift::Data.opened", "type 0.85"),
        (go, "Sources/Made.swift::Data.sealed", "receiver 0.95"),
        (go, "Sources/View+More.swift::View.hide", "receiver 0.95"),
    } == edges_between(files)


def test_labels_tell_functions_of_swift_apart() -> None:
    files = {
        "App/Turn.swift": (
            "func turn(by angle: Int) {}\n"
            "func turn(to place: Int, _ steps: Int...) {}\n"
            "class Base {\n  init(size: Int) {}\n  init(of name: String) {}\n}\n"
            "class Box: Base {\n"
            "  let isDone: () -> Bool\n"
            "  init(wide: Bool) { super.init(of: name) }\n"
            "  convenience init() { self.init(wide: true) }\n"
            "  func open() {}\n"
            "  func open(then done: () -> Void, slowly: Bool = false) {}\n"
            "  func open(_ key: String) {}\n"
            "  func open(_ count: Int) {}\n"
            "  func go(key: String, other: Key) {\n"
            "    open()\n"
            "    open { 1 }\n"
            "    open(key)\n"
            "    open(3)\n"
            "    open(unknown: 1)\n"
            "    isDone()\n"
            "  }\n"
            "  func stop(other: Key) { open(other.name) }\n"
            "  func note(_ text: String) {}\n"
            "  static func note(_ text: String, loudly: Bool = true) { Box.note(text) }\n"
            "}\n"
        ),
        "App/Use.swift": (
            "func use(box: Box) {\n  Box.note(a)\n  box.note(b)\n"
            "  turn(by: 1)\n  turn(to: 1, 2, 3)\n  turn(1)\n  _ = Box(wide: true)\n}\n"
        ),
        "App/Done.swift": "class Task {\n  func isDone() {}\n}\n",
    }
    turn, lines = "App/Turn.swift::", files["App/Turn.swift"].splitlines()
    assert [
        ("Box.go", "func open()", "receiver 0.95"),
        ("Box.go", "func open(_ count: Int)", "receiver 0.95"),
        ("Box.go", "func open(_ key: String)", "receiver 0.95"),
        ("Box.go", "func open(then done: () -> Void, slowly: Bool = false)", "receiver 0.95"),
        ("Box.init", "init(of name: String)", "receiver 0.95"),
        ("Box.init", "init(wide: Bool)", "receiver 0.95"),
        ("Box.stop", "func open(_ count: Int)", "ambiguous 0.25"),
        ("Box.stop", "func open(_ key: String)", "ambiguous 0.25"),
        ("use", "class Box: Base", "scope 1"),
        ("use", "func note(_ text: String)", "type 0.9"),
        ("use", "func turn(by angle: Int)", "scope 1"),
        ("use", "func turn(to place: Int, _ steps: Int...)", "scope 1"),
        ("use", "static func note(_ text: String, loudly: Bool = true)", "receiver 0.95"),
    ] == sorted(
        (source.rpartition("::")[2], lines[line - 1].partition("{")[0].strip(), tier)
        for source, target, line, tier in edges_to_lines(files)
        if target.startswith(turn)
    )
    assert "App/Done.swift::Task.isDone" not in {edge[1] for edge in edges_between(files)}


def test_what_several_files_of_swift_call_alike_their_labels_tell() -> None:
    files = {
        "App/One.swift": "func show(row: Int) {}\nclass View {\n  func hide(after: Int) {}\n}\n",
        "App/Two.swift": (
            "func show(name: String) {}\nclass Panel {\n  func hide(now: Bool) {}\n}\n"
            "func go(items: [Any]) {\n  show(row: 1)\n  items.last.hide(after: 1)\n}\n"
        ),
    }
    assert {
        ("App/Two.swift::go", "App/One.swift::show", "scope 1"),
        ("App/Two.swift::go", "App/One.swift::View.hide", "unique-name 0.6"),
    } == edges_between(files)


def test_files_of_one_module_of_swift_know_one_another() -> None:
    files = {
        "Package.swift": (
            'let package = Package(name: "Shop", targets: [\n'
            '  .target(name: "Cart", dependencies: [.target(name: "Core")], path: "Code/Cart"),\n'
            '  .target(name: "Core"),\n'
            "])\n"
        ),
        "Code/Cart/Row.swift": "struct Row {}\nprivate struct Hidden {}\n",
        "Code/Cart/Deep/Cart.swift": (
            "import Core\nfunc cart() {\n  _ = Row()\n  _ = Hidden()\n  _ = Clock()\n  _ = Inner()\n}\n"
        ),
        "Code/Cart/Plain.swift": "func plain() {\n  _ = Clock()\n}\n",
        "Sources/Core/Core.swift": "public struct Row {}\npublic struct Clock {}\nstruct Inner {}\n",
        "Sources/Core/Use.swift": "func core() {\n  _ = Row()\n  cart()\n}\n",
        "Modules/Log/Log.podspec": "Pod::Spec.new do |s|\n  s.module_name = 'Logging'\nend\n",
        "Modules/Log/ios/Log.swift": "public func log() {}\nfunc kept() {}\n",
        "Modules/App/App.podspec": "Pod::Spec.new do |s|\n  s.name = 'App'\nend\n",
        "Modules/App/ios/App.swift": "import Logging\nfunc app() {\n  log()\n  kept()\n}\n",
        "Modules/App/ios/Other.swift": "func other() {\n  log()\n  app()\n}\n",
    }
    core, cart = "Sources/Core/Core.swift::", "Code/Cart/Deep/Cart.swift::cart"
    assert {
        (cart, "Code/Cart/Row.swift::Row", "scope 1"),
        (cart, f"{core}Clock", "import 1"),
        (cart, f"{core}Inner", "import 1"),
        ("Sources/Core/Use.swift::core", f"{core}Row", "scope 1"),
        ("Modules/App/ios/App.swift::app", "Modules/Log/ios/Log.swift::log", "import 1"),
        ("Modules/App/ios/Other.swift::other", "Modules/App/ios/App.swift::app", "scope 1"),
    } == edges_between(files)


def test_more_of_a_type_inside_of_another_belongs_to_that() -> None:
    files = {
        "App/Outer.swift": (
            "struct Outer {\n  struct Inner {\n    func own() {}\n  }\n}\n"
            "struct Inner {\n  func apart() {}\n}\n"
            "extension Outer.Inner {\n  func here() { own() }\n}\n"
        ),
        "App/More.swift": (
            "extension Outer.Inner {\n"
            "  func more() { own() }\n"
            "  static func made() -> Outer.Inner { Outer.Inner() }\n"
            "}\n"
            "func go(inner: Outer.Inner, other: Inner) {\n"
            "  inner.more()\n"
            "  inner.here()\n"
            "  inner.apart()\n"
            "  other.apart()\n"
            "  Outer.Inner.made().own()\n"
            "}\n"
        ),
    }
    more, outer = "App/More.swift::", "App/Outer.swift::"
    assert {
        (f"{outer}Outer.Inner.here", f"{outer}Outer.Inner.own", "receiver 0.95"),
        (f"{more}Outer.Inner.more", f"{outer}Outer.Inner.own", "receiver 0.95"),
        (f"{more}Outer.Inner.made", f"{outer}Outer.Inner", "receiver 0.95"),
        (f"{more}go", f"{more}Outer.Inner.more", "type 0.9"),
        (f"{more}go", f"{outer}Outer.Inner.here", "type 0.9"),
        (f"{more}go", f"{outer}Inner.apart", "type 0.9"),
        (f"{more}go", f"{more}Outer.Inner.made", "receiver 0.95"),
        (f"{more}go", f"{outer}Outer.Inner.own", "type 0.85"),
    } == edges_between(files)


def test_values_of_swift_are_what_protocols_casts_and_functions_say() -> None:
    files = {
        "App/Named.swift": (
            "protocol Named {\n  var row: (any Row)? { get }\n  func name(of row: Row) -> Label\n}\n"
            "extension Named {\n  func name(of row: Row) -> Label { Label() }\n}\n"
            "protocol Row {\n  func move()\n}\n"
            "typealias Known = Named & Row\n"
            "class Label {\n  func draw() {}\n}\n"
            "extension UIColor {\n  convenience init(hex: String) {}\n}\n"
        ),
        "App/Use.swift": (
            "class Use {\n"
            "  private var known: any Known\n"
            "  var size: Int {\n"
            "    if let row = known.row {\n      row.move()\n    }\n"
            "    return 1\n"
            "  }\n"
            "  func go(thing: Any) throws {\n"
            '    let label = try known.name(of: "a")\n'
            "    label.draw()\n"
            "    (thing as? Label)?.draw()\n"
            '    UIColor(hex: "#fff")\n'
            "    UIColor(red: 1)\n"
            "    size[1]\n"
            "  }\n"
            "}\n"
        ),
    }
    use, named = "App/Use.swift::Use.", "App/Named.swift::"
    assert {
        (f"{named}Named.name", f"{named}Label", "scope 1"),
        (f"{use}size", f"{named}Row.move", "type 0.85"),
        (f"{use}go", f"{named}Named.name", "type 0.85"),
        (f"{use}go", f"{named}Label.draw", "type 0.9"),
        (f"{use}go", f"{named}Label.draw", "type 0.85"),
        (f"{use}go", f"{named}UIColor.init", "scope 1"),
    } == edges_between(files)


def test_what_a_file_of_ruby_adds_to_the_core_is_not_the_core() -> None:
    files = {
        "lib/core_ext.rb": "class String\n  def shout\n    upcase\n  end\nend\n",
        "lib/shop/file.rb": "module Shop\n  class File\n    def open_it\n    end\n  end\nend\n",
        "lib/use.rb": (
            "class Use\n"
            "  def go\n"
            "    made = String.new\n"
            "    made.shout\n"
            "    Shop::File.new.open_it\n"
            "  end\n"
            "end\n"
            "class Loud < String\n"
            "  def louder\n"
            "    shout\n"
            "  end\n"
            "end\n"
        ),
    }
    found = edges_between(files)
    assert ("lib/use.rb::Use.go", "lib/core_ext.rb::String.shout") in {edge[:2] for edge in found}
    assert ("lib/use.rb::Loud.louder", "lib/core_ext.rb::String.shout") in {edge[:2] for edge in found}
    assert "lib/core_ext.rb::String" not in {edge[1] for edge in found}
    assert "lib/shop/file.rb::Shop.File" in {edge[1] for edge in found}


def test_shell_scripts_know_what_they_source() -> None:
    files = {
        "lib/log.sh": "say() { echo 1; }\n",
        "run.sh": '. "$(dirname "$0")/lib/log.sh"\ngo() { say hi; ls; }\ngo\n',
        "other.sh": "try() { say hi; }\n",
    }
    assert {
        ("run.sh::go", "lib/log.sh::say", "import 1"),
        ("run.sh", "run.sh::go", "scope 1"),
    } == edges_between(files)


def test_lua_modules_are_the_tables_they_return() -> None:
    files = {
        "shop/box.lua": "local M = {}\nfunction M.open(x) return M.cut(x) end\nfunction M.cut(x) end\nreturn M\n",
        "main.lua": "local box = require('shop.box')\nlocal function go() box.open(1); box.nothing() end\n",
        "list.lua": "local List = {}\nfunction List:push(x) self:grow() end\nfunction List:grow() end\nreturn List\n",
    }
    assert {
        ("shop/box.lua::M.open", "shop/box.lua::M.cut", "receiver 0.95"),
        ("main.lua::go", "shop/box.lua::M.open", "receiver 0.95"),
        ("list.lua::List.push", "list.lua::List.grow", "receiver 0.95"),
    } == edges_between(files)


def test_what_is_cast_or_tested_in_kotlin_csharp_and_swift_is_of_that_class() -> None:
    files = {
        "a.kt": "class Box {\n  fun unpack() {}\n}\nclass Bag {\n  fun unpack() {}\n}\n",
        "b.kt": """
        fun cast(x: Any) { (x as? Box)?.unpack() }
        fun tested(x: Any?) { if (x == null || x !is Bag) return
          x.unpack()
        }
        fun chosen(x: Any) = when (x) {
          is Box -> x.unpack()
          is Bag, is Other -> x.unpack()
          else -> 1
        }
        """,
        "a.cs": "class Box { public void Unpack() {} }\nclass Bag { public void Unpack() {} }\n",
        "b.cs": """
        class W {
          void Cast(object x) { ((Box)x).Unpack(); }
          void As(object x) { (x as Bag)?.Unpack(); }
          void Tested(object x) { if (x is Bag) { x.Unpack(); } }
        }
        """,
        "a.swift": "class Box { func unpack() {}\n static func made() {} }\nclass Bag { func unpack() {} }\n",
        "b.swift": """
        func cast(x: Any) { (x as! Box).unpack() }
        func bound(x: Any) { if let box = x as? Box { box.unpack() } }
        func guarded(x: Any) { guard let bag = x as? Bag else { return }
          bag.unpack()
        }
        func type(x: Any) { let of = x as? Box.Type
          of?.made()
        }
        """,
    }
    found = {edge for edge in edges_between(files) if not edge[2].startswith("ambiguous")}
    assert {
        ("b.kt::cast", "a.kt::Box.unpack", "type 0.9"),
        ("b.kt::tested", "a.kt::Bag.unpack", "type 0.9"),
        ("b.kt::chosen", "a.kt::Box.unpack", "type 0.9"),
        ("b.cs::W.Cast", "a.cs::Box.Unpack", "type 0.9"),
        ("b.cs::W.As", "a.cs::Bag.Unpack", "type 0.9"),
        ("b.cs::W.Tested", "a.cs::Bag.Unpack", "type 0.9"),
        ("b.swift::cast", "a.swift::Box.unpack", "type 0.9"),
        ("b.swift::bound", "a.swift::Box.unpack", "type 0.9"),
        ("b.swift::guarded", "a.swift::Bag.unpack", "type 0.9"),
        ("b.swift::type", "a.swift::Box.made", "receiver 0.95"),
    } == found


def test_an_array_of_what_has_no_name_of_its_own_stops_no_file_of_csharp() -> None:
    files = {
        "a.cs": "class Box { public void Put(int a) {} public void Put(string a) {} }\n",
        "b.cs": "class W { void Go((int, int)[] x, int?[] y, Box b) { b.Put(x[0]); b.Put(y.Length); } }\n",
    }
    assert {("b.cs::W.Go", "a.cs::Box.Put")} == {edge[:2] for edge in edges_between(files)}


def test_only_where_it_is_a_word_of_the_language_a_name_means_the_base() -> None:
    files = {
        "wibox/base.lua": "local base = {}\nfunction base.place(x) end\nreturn base\n",
        "wibox/flex.lua": 'local base = require("wibox.base")\nlocal function fit(x) base.place(x) end\n',
        "Tree.kt": """
        class Tree {
          fun cut() {}
        }
        fun fell(parent: Tree) { parent.cut() }
        """,
        "Node.php": """<?php
        class Root { function hold() {} }
        class Other { function hold() {} }
        class Node extends Root {
            function hold() { parent::hold(); }
            function ask(Other $parent) { $parent->hold(); }
        }
        """,
        "Box.cs": """
        class Box { public virtual void Open() {} }
        class Crate : Box { public override void Open() { base.Open(); } }
        """,
    }
    assert {
        ("wibox/flex.lua::fit", "wibox/base.lua::base.place", "receiver 0.95"),
        ("Tree.kt::fell", "Tree.kt::Tree.cut", "type 0.9"),
        ("Node.php::Node.hold", "Node.php::Root.hold", "receiver 0.95"),
        ("Node.php::Node.ask", "Node.php::Other.hold", "type 0.9"),
        ("Box.cs::Crate.Open", "Box.cs::Box.Open", "receiver 0.95"),
    } == edges_between(files)
