"""Names that no import brings, lower-case ones above all: uses that are no calls."""

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
        ("app/src/main.rs::typed", "core/src/lib.rs::keys.Kind.First", "receiver 0.95"),
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


def test_kotlin_knows_values_and_functions_of_its_package_and_what_it_imports_of_objects() -> None:
    files = {
        "shop/Limits.kt": """
        package shop
        val usual = 30
        const val MOST = 3
        var shared = Cart()
        fun price(item: Int): Int = item
        object Limits { const val LEAST = 1 }
        class Cart { fun add() {} }
        enum class Color { RED, GREEN }
        """,
        "shop/Use.kt": """
        package shop
        class Use(usual: Int, val wait: Int = price(1)) {
            val twice = usual * 2
            fun one(): Int { return usual * 2 }
            fun two(all: List<Int>) = all.map(::price).filter { it < usual }
            fun three(until: Int = usual) = Limits.LEAST until until
            fun four() { shared.add(); run loop@{ return@loop } }
            fun five() = "$MOST of ${usual}"
            fun six(usual: Int) = listOf(1).map { MOST -> MOST + usual }
            fun seven() = call(usual = 1, shared = 0..usual)
        }
        """,
        "other/Far.kt": """
        package other
        import shop.MOST
        import shop.usual as wait
        import shop.Color.RED
        import shop.Limits.LEAST
        class Far {
            fun one() = MOST + wait
            fun two() = RED
            fun three() = LEAST
            fun four() = usual
        }
        """,
    }
    assert {
        ("shop/Use.kt::Use.one", "shop/Limits.kt::usual", "scope 1"),
        ("shop/Use.kt::Use.two", "shop/Limits.kt::price", "scope 1"),
        ("shop/Use.kt::Use.two", "shop/Limits.kt::usual", "scope 1"),
        ("shop/Use.kt::Use.three", "shop/Limits.kt::usual", "scope 1"),
        ("shop/Use.kt::Use.three", "shop/Limits.kt::Limits.LEAST", "receiver 0.95"),
        ("shop/Use.kt::Use.four", "shop/Limits.kt::shared", "scope 1"),
        ("shop/Use.kt::Use.five", "shop/Limits.kt::MOST", "scope 1"),
        ("shop/Use.kt::Use.five", "shop/Limits.kt::usual", "scope 1"),
        ("shop/Use.kt::Use.seven", "shop/Limits.kt::usual", "scope 1"),
        ("other/Far.kt::Far.one", "shop/Limits.kt::MOST", "import 1"),
        ("other/Far.kt::Far.one", "shop/Limits.kt::usual", "import 1"),
        ("other/Far.kt::Far.two", "shop/Limits.kt::Color", "import 1"),
        ("other/Far.kt::Far.two", "shop/Limits.kt::Color.RED", "import 1"),
        ("other/Far.kt::Far.three", "shop/Limits.kt::Limits.LEAST", "import 1"),
    } == edges_between(files, "references")


def test_swift_knows_values_and_functions_of_its_module() -> None:
    files = {
        "Sources/Shop/Limits.swift": """
        let usual = 30
        private let hidden = 1
        var shared = Cart()
        func price(of item: Int) -> Int { item }
        class Cart { func add() {} }
        """,
        "Sources/Shop/Use.swift": """
        class Use {
            let wait = usual
            func one() -> Int { return usual * 2 }
            func two() -> [Int] { [1].map(price).filter { $0 < usual } }
            func three(until: Int = usual) -> String { "\\(usual) \\(hidden)" }
            func four() { shared.add(); shared[usual] = 1 }
            func five(usual: Int) { if let shared = find() { use(shared, usual: 1) } }
            func six() { switch 1 { case .usual(let price): use(price); default: break usual } }
            func seven() { use(hidden, usual: (shared: 1, 2)) }
        }
        """,
        "Sources/Other/Far.swift": "func far() -> Int { usual }\n",
        "Package.swift": """
        import PackageDescription
        let package = Package(name: "Shop", targets: [.target(name: "Shop"), .target(name: "Other")])
        """,
    }
    assert {
        ("Sources/Shop/Use.swift::Use", "Sources/Shop/Limits.swift::usual"),
        ("Sources/Shop/Use.swift::Use.one", "Sources/Shop/Limits.swift::usual"),
        ("Sources/Shop/Use.swift::Use.two", "Sources/Shop/Limits.swift::price"),
        ("Sources/Shop/Use.swift::Use.two", "Sources/Shop/Limits.swift::usual"),
        ("Sources/Shop/Use.swift::Use.three", "Sources/Shop/Limits.swift::usual"),
        ("Sources/Shop/Use.swift::Use.four", "Sources/Shop/Limits.swift::shared"),
        ("Sources/Shop/Use.swift::Use.four", "Sources/Shop/Limits.swift::usual"),
    } == {edge[:2] for edge in edges_between(files, "references")}


def test_what_is_said_with_its_package_is_used() -> None:
    shop = "public class Cart { public static final int MAX = 3; public static class Line {} static void go() {} }\n"
    files = {
        "com/shop/Cart.java": f"package com.shop;\n{shop}",
        "use/Use.java": """
        package use;
        import static com.shop.Cart.MAX;
        class Use {
          com.shop.Cart kept;
          int most() { return com.shop.Cart.MAX; }
          com.shop.Cart.Line line(java.util.List<String> all) { return null; }
          // com.shop.Cart in a comment
          String text() { return "com.shop.Cart"; }
          int mine(Other shop) { return shop.MAX + other.go(); }
        }
        """,
        "use/Far.kt": "package use\nval far: com.shop.Cart.Line = x\nfun most() = com.shop.Cart.MAX\n",
        "use/Deep.scala": "package use\nclass Deep { def most: com.shop.Cart = null }\n",
    }
    assert {
        ("use/Use.java::Use", "com/shop/Cart.java::Cart"),
        ("use/Use.java::Use.most", "com/shop/Cart.java::Cart.MAX"),
        ("use/Use.java::Use.line", "com/shop/Cart.java::Cart.Line"),
        ("use/Far.kt::far", "com/shop/Cart.java::Cart.Line"),
        ("use/Far.kt::most", "com/shop/Cart.java::Cart.MAX"),
        ("use/Deep.scala::Deep.most", "com/shop/Cart.java::Cart"),
    } == {edge[:2] for edge in edges_between(files, "references")}


def test_a_name_that_rust_binds_by_let_means_nothing_outside_from_there_on() -> None:
    source = """
    pub fn total() -> u32 { 1 }
    pub struct Cart { pub total: u32 }
    pub fn by_let() { let total = 1; println!("{}", total); }
    pub fn by_closure() { let mut total = || {}; total(); }
    pub fn shorthand() -> Cart { let total = 2; Cart { total } }
    pub fn in_pattern(cart: Cart) -> u32 { let Cart { total } = cart; total }
    pub fn by_test() { if let total = given() { show(total); } }
    pub fn before() { show(total); let total = 1; }
    pub fn never() { show(total); }
    """
    assert {
        ("lib.rs::before", "lib.rs::total", "scope 1"),
        ("lib.rs::never", "lib.rs::total", "scope 1"),
        ("lib.rs::in_pattern", "lib.rs::Cart", "scope 1"),
    } == edges_between({"lib.rs": source}, "references")


def test_keys_of_structs_of_go_are_fields_and_those_of_maps_are_values() -> None:
    source = """
    package cart

    type Labels struct{}
    type Issue struct{ Labels int }
    type point struct{ left int }
    type named map[string]int

    const left, key = 1, "k"

    func field() Issue { return Issue{Labels: 1} }
    func pointed() *Issue { return &Issue{Labels: 1} }
    func table() { _ = []struct{ left int }{{left: 1}} }
    func rows() { _ = []*point{{left: 1}}; _ = map[string]point{"a": {left: 1}}; _ = map[point]int{{left: 1}: 2} }
    func value() { _ = point{left: left} }
    func listed() { _ = map[string]int{key: 1}; _ = [...]int{left: 1} }
    func nested() { _ = map[string]map[string]int{"a": {key: 1}} }
    func by_name() named { return named{key: 1} }
    """
    assert {
        ("cart.go::field", "cart.go::Issue", "scope 1"),
        ("cart.go::pointed", "cart.go::Issue", "scope 1"),
        ("cart.go::rows", "cart.go::point", "scope 1"),
        ("cart.go::value", "cart.go::left", "scope 1"),
        ("cart.go::listed", "cart.go::key", "scope 1"),
        ("cart.go::listed", "cart.go::left", "scope 1"),
        ("cart.go::nested", "cart.go::key", "scope 1"),
        ("cart.go::by_name", "cart.go::named", "scope 1"),
        ("cart.go::by_name", "cart.go::key", "scope 1"),
    } == edges_between({"cart.go": source}, "references") | {
        edge for edge in edges_between({"cart.go": source}) if edge[0] != "cart.go::value"
    }


def test_what_loops_and_short_declarations_give_a_name_to_is_none_of_the_file() -> None:
    files = {
        "count.go": """
        package cart

        var count = 1

        func short() int { count := 1; return count }
        func ranged(of []int) { for _, count := range of { show(count) } }
        func switched(of any) { switch count := of.(type) { case int: show(count) } }
        func given() int { count = 2; return count }
        """,
        "count.cpp": """
        static int count;
        void looped(std::vector<int> of) { for (const auto& count : of) show(count); }
        void copied(std::vector<int> of) { for (auto count : of) show(count); }
        void pointed() { int* count = 0; show(count); }
        int given() { return count; }
        """,
        "count.ts": "export const count = 1;\n",
        "loop.ts": """
        import { count } from './count';
        export function each(of: number[]) { for (const count of of) { show(count); } }
        export function keys(of: object) { for (let count in of) { show(count); } }
        export function again(of: number[]) { for (count of of) { show(1); } }
        export function over() { for (const each of count) { show(each); } }
        """,
    }
    assert {
        ("count.go::given", "count.go::count", "scope 1"),
        ("count.cpp::given", "count.cpp::count", "scope 1"),
        ("loop.ts::again", "count.ts::count", "import 1"),
        ("loop.ts::over", "count.ts::count", "import 1"),
    } == edges_between(files, "references")
