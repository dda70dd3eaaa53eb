"""Lower-case names of Go, C and C++ that no import of theirs brings: uses that are no calls."""

from resolved_edges import edges_between


def test_go_knows_types_values_and_functions_of_its_package() -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "cart/types.go": """
        package cart

        type item struct{ price int }
        type stateFn func(*item) stateFn

        var rates = map[string]int{}

        const limit = 3

        func scan(i *item) stateFn { return nil }
        """,
        "cart/cart.go": """
        package cart

        type basket struct{ next *item }

        func begin(i *item) stateFn { return scan }
        func total() int { return rates["a"] + limit }
        func keyed() map[string]int { return map[string]int{limit: 1} }
        func named(item *item) { item.price = limit }
        """,
    }
    assert {
        ("cart/types.go::stateFn", "cart/types.go::item", "scope 1"),
        ("cart/types.go::scan", "cart/types.go::item", "scope 1"),
        ("cart/types.go::scan", "cart/types.go::stateFn", "scope 1"),
        ("cart/cart.go::basket", "cart/types.go::item", "scope 1"),
        ("cart/cart.go::begin", "cart/types.go::item", "scope 1"),
        ("cart/cart.go::begin", "cart/types.go::stateFn", "scope 1"),
        ("cart/cart.go::begin", "cart/types.go::scan", "scope 1"),
        ("cart/cart.go::total", "cart/types.go::rates", "scope 1"),
        ("cart/cart.go::total", "cart/types.go::limit", "scope 1"),
        ("cart/cart.go::keyed", "cart/types.go::limit", "scope 1"),
        ("cart/cart.go::named", "cart/types.go::item", "scope 1"),
        ("cart/cart.go::named", "cart/types.go::limit", "scope 1"),
    } == edges_between(files, "references")


def test_what_a_function_of_go_gives_to_its_own_and_keys_of_structs_are_no_uses() -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "cart/types.go": """
        package cart

        type pair struct{ rates, limit int }

        var rates, limit, scan = 1, 2, 3
        """,
        "cart/cart.go": """
        package cart

        func own(rates int) int { limit := 1; return rates + limit }
        func made() { _ = pair{rates: 1, limit: 2} }
        func many(of []int) { for scan := range of { print(scan) }; of.limit() }
        func (rates *pair) method() (limit int) { return limit }
        func inner() { f := func(rates ...int) {}; f(); var limit int; _ = limit }
        """,
    }
    assert {
        ("cart/cart.go::pair.method", "cart/types.go::pair", "scope 1"),
    }.issuperset(edges_between(files, "references"))


def test_c_knows_types_values_and_functions_of_what_it_includes() -> None:
    files = {
        "list.h": """
        typedef struct node { struct node *next; } node_t;
        typedef int (*visit_fn)(node_t *);
        extern node_t *head;
        int first(node_t *n);
        """,
        "list.c": """
        #include "list.h"
        node_t *head;
        int first(node_t *n) { return n == head; }
        """,
        "use.c": """
        #include "list.h"
        struct entry { visit_fn visit; };
        struct entry entries[] = { { first } };
        int walk(visit_fn each) { return each(head); }
        int start(struct node *from) { return walk(first); }
        int local(int first, int head) { node_t *n = 0; return first + head; }
        """,
    }
    found = edges_between(files, "references")
    assert {
        ("use.c::entry", "list.h::visit_fn", "import 1"),
        ("use.c::walk", "list.h::visit_fn", "import 1"),
        ("use.c::start", "list.h::node", "import 1"),
        ("use.c::local", "list.h::node_t", "import 1"),
    } == {edge for edge in found if edge[0].startswith("use.c") and edge[1].startswith("list.h")}
    assert {
        ("use.c::entries", "list.c::first", "linkage 0.95"),
        ("use.c::walk", "list.c::head", "linkage 0.95"),
        ("use.c::start", "list.c::first", "linkage 0.95"),
    } == {edge for edge in found if edge[0].startswith("use.c") and edge[1].startswith("list.c")}


def test_what_compilers_are_told_in_attributes_is_no_use() -> None:
    files = {
        "told.h": "int unused(int a);\nint printf_like(int a);\n",
        "told.c": "int unused(int a) { return a; }\nint printf_like(int a) { return a; }\n",
        "use.c": """
        #include "told.h"
        int keep(void) { int count __attribute__((unused)) = 1; return count; }
        int show(int a) __attribute__((format(printf_like, 1, 2), unused));
        int both(void) { return keep() + (unused != 0); }
        """,
    }
    assert {("use.c::both", "told.c::unused", "linkage 0.95")} == edges_between(files, "references")


def test_a_name_of_c_is_none_of_what_no_file_includes() -> None:
    files = {
        "a.h": "typedef int token;\nstatic int depth;\n",
        "b.c": "int f(void) { token t; return depth; }\n",
    }
    assert set() == edges_between(files, "references")


def test_types_of_namespaces_are_known_there_and_by_their_scope() -> None:
    files = {
        "log.h": """
        namespace log {
        namespace level { enum level_enum { low }; }
        class sink {};
        using sink_ptr = sink *;
        class logger {
          level::level_enum level() const;
          sink_ptr add(sink_ptr one, level::level_enum at);
        };
        }
        """,
        "use.cc": """
        #include "log.h"
        template <typename sink> sink same(sink one) { return one; }
        void run(log::level::level_enum at) { log::sink_ptr p; }
        """,
    }
    assert {
        ("log.h::log.sink_ptr", "log.h::log.sink"),
        ("log.h::log.logger.level", "log.h::log.level.level_enum"),
        ("log.h::log.logger.add", "log.h::log.level.level_enum"),
        ("log.h::log.logger.add", "log.h::log.sink_ptr"),
        ("use.cc::run", "log.h::log.level.level_enum"),
        ("use.cc::run", "log.h::log.sink_ptr"),
    } == {edge[:2] for edge in edges_between(files, "references")}


def test_a_type_inside_a_class_of_c_plus_plus_is_known_there_and_by_its_heirs() -> None:
    files = {
        "box.h": """
        class box { public: typedef int key_t2; key_t2 key(); };
        class other { void f() { key_t2 k; } };
        class heir : public box { void f() { key_t2 k; } };
        """,
        "use.cc": '#include "box.h"\nvoid f() { key_t2 k; }\n',
    }
    assert {
        ("box.h::box.key", "box.h::box.key_t2"),
        ("box.h::heir.f", "box.h::box.key_t2"),
    } == {edge[:2] for edge in edges_between(files, "references")}


def test_a_type_of_java_is_used_where_any_number_is_taken() -> None:
    files = {
        "a/Option.java": "package a;\nenum Option { ALL }\n",
        "a/Files.java": "package a;\nclass Files { void delete(Option... options) {} }\n",
    }
    assert {("a/Files.java::Files.delete", "a/Option.java::Option")} == {
        edge[:2] for edge in edges_between(files, "references")
    }


def test_paths_of_rust_lead_into_other_crates_and_up_from_the_module() -> None:
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["core", "app"]\n',
        "core/Cargo.toml": '[package]\nname = "shop-core"\n',
        "core/src/lib.rs": """
        pub struct Keep { pub count: u8 }
        pub mod keys { pub enum Kind { First, Other } }
        """,
        "app/Cargo.toml": '[package]\nname = "app"\n[dependencies]\nshop-core = { path = "../core" }\n',
        "app/src/main.rs": """
        mod cart;
        pub struct Limits;
        pub fn open() {}
        fn both(cart: u8) { let begin = cart::start; cart.count(); }
        fn typed(keep: &shop_core::Keep) -> shop_core::keys::Kind { shop_core::keys::Kind::First }
        """,
        "app/src/cart.rs": """
        use crate::open;
        pub struct Held { limits: crate::Limits, keep: super::shop_core::Keep }
        pub fn start(limits: super::Limits) -> std::io::Result<()> { crate::open(); Ok(()) }
        """,
    }
    assert {
        ("app/src/main.rs::both", "app/src/cart.rs::start", "receiver 0.95"),
        ("app/src/main.rs::typed", "core/src/lib.rs::Keep", "receiver 0.95"),
        ("app/src/main.rs::typed", "core/src/lib.rs::keys.Kind", "receiver 0.95"),
        ("app/src/cart.rs::Held", "app/src/main.rs::Limits", "receiver 0.95"),
        ("app/src/cart.rs::start", "app/src/main.rs::Limits", "receiver 0.95"),
    } == edges_between(files, "references")


def test_uses_that_look_like_calls_or_texts_are_uses() -> None:
    files = {
        "shop/cart.py": "class Cart: ...\nclass Line: ...\n",
        "shop/use.py": """
        from shop.cart import Cart, Line

        def quoted(cart: "Cart | None", lines: list["Line"]) -> "Cart":
            return "Line"

        def matched(value):
            match value:
                case Cart() | [Line(count=1), *_]:
                    return 1
        """,
        "kotlin/Cart.kt": "package shop\nclass Cart\nfun total(cart: Cart) = 1\n",
        "kotlin/Use.kt": "package shop\nfun all() = listOf(1).map(::total)\nfun made() = ::Cart\n",
        "scala/Line.scala": "package shop\ncase class Line(n: Int)\n",
        "scala/Use.scala": "package shop\nobject Use { def read(x: Any) = x match { case Line(n) => n } }\n",
        "Cart.cs": "namespace Shop;\nclass LoggedAttribute : System.Attribute {}\nclass Cart {}\n",
        "Use.cs": "namespace Shop;\nclass Use { Cart Made() => null; [Logged] void Run() {} }\n",
    }
    assert {
        ("shop/use.py::quoted", "shop/cart.py::Cart"),
        ("shop/use.py::quoted", "shop/cart.py::Line"),
        ("shop/use.py::matched", "shop/cart.py::Cart"),
        ("shop/use.py::matched", "shop/cart.py::Line"),
        ("kotlin/Cart.kt::total", "kotlin/Cart.kt::Cart"),
        ("kotlin/Use.kt::all", "kotlin/Cart.kt::total"),
        ("kotlin/Use.kt::made", "kotlin/Cart.kt::Cart"),
        ("scala/Use.scala::Use.read", "scala/Line.scala::Line"),
        ("Use.cs::Use.Made", "Cart.cs::Cart"),
        ("Use.cs::Use.Run", "Cart.cs::LoggedAttribute"),
    } == {edge[:2] for edge in edges_between(files, "references")}


def test_constants_of_classes_are_known_inside_of_them_and_of_their_heirs() -> None:
    files = {
        "a/Base.java": "package a;\nclass Base { static final int SIZE = 1; static class Part {} }\n",
        "a/Cart.java": """
        package a;
        class Cart extends Base {
          static final int MAX = 3;
          int all = SIZE + MAX;
          int most() { return MAX + SIZE; }
          Part part(int MAX) { return null; }
        }
        """,
        "cart.rb": """
        class Crate
          LIMIT = 2
          class Lid; end
          def most = [LIMIT, Lid]
        end
        """,
        "cart.php": """
        <?php
        class Tin { const SIZE = 1; }
        class Can extends Tin { const MAX = 3; function most() { return self::MAX + static::SIZE; } }
        """,
        "src/lib.rs": """
        struct Jar;
        impl Jar { const MAX: u8 = 1; fn most(&self) -> u8 { Self::MAX } }
        const TOP: u8 = 2;
        mod inner { fn up() -> u8 { super::TOP } }
        """,
    }
    assert {
        ("a/Cart.java::Cart", "a/Base.java::Base.SIZE"),
        ("a/Cart.java::Cart.most", "a/Cart.java::Cart.MAX"),
        ("a/Cart.java::Cart.most", "a/Base.java::Base.SIZE"),
        ("a/Cart.java::Cart.part", "a/Base.java::Base.Part"),
        ("cart.rb::Crate.most", "cart.rb::Crate.LIMIT"),
        ("cart.rb::Crate.most", "cart.rb::Crate.Lid"),
        ("cart.php::Can.most", "cart.php::Can.MAX"),
        ("cart.php::Can.most", "cart.php::Tin.SIZE"),
        ("src/lib.rs", "src/lib.rs::Jar"),
        ("src/lib.rs::Jar.most", "src/lib.rs::Jar.MAX"),
        ("src/lib.rs::inner.up", "src/lib.rs::TOP"),
    } == {edge[:2] for edge in edges_between(files, "references")}
