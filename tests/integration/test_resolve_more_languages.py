"""Names of the languages whose queries are matched: C, C++, C#, Ruby, PHP, Kotlin, Scala, Swift, shell, Lua."""

from resolved_edges import edges_between


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
        ("Sources/Cart.swift::Cart", "Sources/Store.swift::Store", "unique-name 0.6"),
        (go, "Sources/Store.swift::Store.open", "type 0.85"),
        (go, "Sources/More.swift::Cart.helper", "receiver 0.95"),
        (go, "Sources/More.swift::Base.shared", "receiver 0.95"),
        (go, "Sources/More.swift::stop", "unique-name 0.6"),
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
        (go, "Sources/Made.swift::Kind", "unique-name 0.6"),
        (go, "Sources/Made.swift::Data.opened", "type 0.85"),
        (go, "Sources/Made.swift::Data.sealed", "receiver 0.95"),
        (go, "Sources/View+More.swift::View.hide", "receiver 0.95"),
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
