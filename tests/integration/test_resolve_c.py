"""Functions and macros of C and C++: what a linker joins, and what the preprocessor leaves."""

import pytest
from resolved_edges import edges_between, edges_to_lines, facts_of

from ctxcode.codegraph.facts import declared_in

API = """
#ifdef __cplusplus
extern "C" {
#endif
API int (box_open)(const char *name);
API_EXTERN box_t *box_find(int), *box_last(void);
#ifdef _WIN32
int box_wait(void);
#elif defined(SUN)
int box_sun(void);
#endif
static int box_hidden(void);
typedef int (*box_maker)(int);
extern int box_count;
#ifdef __cplusplus
}
#endif
#ifdef __cplusplus
namespace gfx { int area(int); }
extern "C" int box_alone(void);
#endif
"""


def test_what_a_header_declares_for_others_to_define_is_known() -> None:
    declared = declared_in(facts_of({"api.h": API})["api.h"])
    assert [
        *("box_alone", "box_count", "box_find", "box_last", "box_open", "box_sun", "box_wait"),
        "gfx.area",
    ] == declared


def test_a_declared_function_of_c_is_the_one_that_a_linker_finds() -> None:
    files = {
        "include/box.h": "#include <stddef.h>\nint box_open(void);\nint box_keep(void);\n",
        "src/box.c": "int box_open(void) { return 1; }\nint box_close(void) { return 1; }\n",
        "src/main.c": """
        #include "all.h"
        int box_close(void);
        int go(void) { return box_open() + box_close(); }
        """,
        "src/all.h": "#include <box.h>\n",
        "src/bare.c": "int bare(void) { return box_open(); }\n",
        "src/given.c": '#include "all.h"\nint given(void) { return run(box_open); }\n',
    }
    assert {
        ("src/main.c::go", "src/box.c::box_open", "linkage 0.95"),
        ("src/main.c::go", "src/box.c::box_close", "linkage 0.95"),
        ("src/bare.c::bare", "src/box.c::box_open", "unique-name 0.6"),
    } == edges_between(files)


def test_a_declared_function_of_cpp_is_known_by_its_namespace() -> None:
    files = {
        "box.h": "namespace gfx { int area(int a); }\nint turn(int a);\n",
        "box.cc": '#include "box.h"\nnamespace gfx { int area(int a) { return a; } int turn(int a) { return a; } }\n',
        "use.cc": '#include "box.h"\nnamespace gfx { int go() { return area(1) + turn(2); } }\n',
    }
    assert {
        ("use.cc::gfx.go", "box.cc::gfx.area", "linkage 0.95"),
        ("use.cc::gfx.go", "box.cc::gfx.turn", "unique-name 0.6"),
    } == edges_between(files)


@pytest.mark.parametrize(
    ("other", "edges"),
    [
        ("static int start(void) { return 2; }\n", {("src/one.c::start", "linkage 0.95")}),
        (
            "int start(void) { return 2; }\n",
            {("src/one.c::start", "ambiguous 0.25"), ("win/two.c::start", "ambiguous 0.25")},
        ),
    ],
)
def test_of_functions_that_several_files_define_a_linker_takes_none_for_sure(
    other: str, edges: set[tuple[str, str]]
) -> None:
    files = {
        "src/one.c": "int start(void) { return 1; }\n",
        "win/two.c": other,
        "start.h": "int start(void);\n",
        "test/run.c": '#include "../start.h"\nint run(void) { return start(); }\n',
    }
    assert {("test/run.c::run", *edge) for edge in edges} == edges_between(files)


def test_a_header_of_one_system_says_nothing_of_whose_function_is_meant() -> None:
    files = {
        "src/unix/core.c": "int start(void) { return 1; }\n",
        "src/win/core.c": "int start(void) { return 2; }\n",
        "src/win/win.h": "int start(void);\n",
        "src/loop.c": '#ifdef _WIN32\n# include "win/win.h"\n#endif\nint run(void) { return start(); }\n',
        "src/win/use.c": "int go(void) { return start(); }\n",
    }
    assert {
        ("src/loop.c::run", "src/unix/core.c::start", "ambiguous 0.25"),
        ("src/loop.c::run", "src/win/core.c::start", "ambiguous 0.25"),
        ("src/win/use.c::go", "src/win/core.c::start", "unique-name 0.6"),
    } == edges_between(files)


def test_what_the_library_of_c_has_too_is_not_sure_to_be_the_programs() -> None:
    files = {
        "compat.h": "char *strlcpy(char *to, const char *from, int size);\n",
        "compat.c": "char *strlcpy(char *to, const char *from, int size) { return to; }\n",
        "use.c": '#include "compat.h"\nint go(char *a) { strlcpy(a, a, 1); return 0; }\n',
    }
    assert {("use.c::go", "compat.c::strlcpy", "unique-name 0.6")} == edges_between(files)


@pytest.mark.parametrize("first", ["errno.h", "common.h"])
def test_a_headers_own_macro_stands_before_that_of_a_header_it_includes(first: str) -> None:
    second = "common.h" if first == "errno.h" else "errno.h"
    files = {
        "errno.h": "#define ERR(x) (-(x))\n",
        "common.h": '#include "errno.h"\n#undef ERR\n#define ERR(x) (x)\n',
        "use.c": f'#include "{first}"\n#include "{second}"\nint go(void) {{ return ERR(1); }}\n',
        "other.c": '#include "errno.h"\nint other(void) { return ERR(1); }\n',
    }
    assert {
        ("use.c::go", "common.h::ERR", "import 1"),
        ("other.c::other", "errno.h::ERR", "import 1"),
    } == edges_between(files)


def test_headers_that_include_one_another_and_define_the_same_macro_leave_the_first() -> None:
    files = {
        "a.h": '#include "b.h"\n#define ERR(x) (-(x))\n',
        "b.h": '#include "a.h"\n#define ERR(x) (x)\n',
        "use.c": '#include "a.h"\nint go(void) { return ERR(1); }\n',
    }
    assert {("use.c::go", "a.h::ERR", "import 1")} == edges_between(files)


def test_what_several_headers_define_is_that_of_the_first_on_the_way() -> None:
    files = {
        "a.h": '#include "deep.h"\n#include "a.h"\n',
        "deep.h": '#include "a.h"\nstatic inline int size(void) { return 1; }\n',
        "c.h": "static inline int size(void) { return 2; }\n",
        "other.h": "static inline int size(void) { return 3; }\nstatic inline int only(void) { return 3; }\n",
        "first.c": '#include "a.h"\n#include "c.h"\nint first(void) { return size() + only(); }\n',
        "second.c": '#include "c.h"\n#include "a.h"\nint second(void) { return size(); }\n',
        "third.c": '#include "none.h"\nint third(void) { return size(); }\n',
        "source.c": "static int size(void) { return 4; }\n",
        "fourth.c": '#include "source.c"\nint fourth(void) { return size(); }\n',
    }
    found = {edge for edge in edges_between(files) if edge[1].endswith("::size")}
    assert {
        ("first.c::first", "deep.h::size", "import 1"),
        ("second.c::second", "c.h::size", "import 1"),
        ("fourth.c::fourth", "source.c::size", "import 1"),
    } == found


def test_variables_of_a_namespace_of_cpp_are_known_in_it_by_their_own_names() -> None:
    source = """
    static int whole;
    namespace shop {
    static int count;
    void given() { count = 1; whole += count; }
    int own(int count) { return count; }
    int local() { int other, count; return count; }
    namespace inner { int deep() { return count; } }
    }
    namespace { int hidden = 1; }
    namespace other { int none() { return count; } }
    namespace shop { int open; int again() { return open + hidden; } }
    """
    assert {
        ("shop.cpp::shop.given", "shop.cpp::shop.count", "scope 1"),
        ("shop.cpp::shop.given", "shop.cpp::whole", "scope 1"),
        ("shop.cpp::shop.inner.deep", "shop.cpp::shop.count", "scope 1"),
        ("shop.cpp::shop.again", "shop.cpp::shop.open", "scope 1"),
        ("shop.cpp::shop.again", "shop.cpp::hidden", "scope 1"),
    } == edges_between({"shop.cpp": source}, "references")


def test_the_name_of_a_class_of_cpp_means_the_class_and_not_its_constructor() -> None:
    files = {
        "e.hpp": "class Eng { public: Eng(int n); Eng *next; void take(const Eng &o); };\nusing P = Eng *;\n",
        "e.cpp": '#include "e.hpp"\nEng::Eng(int n) {}\nvoid Eng::take(const Eng &o) {}\n',
        "f.hpp": '#include "e.hpp"\ntypedef Eng E2;\nclass Heir : public Eng { Eng *mine; void add(Eng &o); };\n',
        "f.cpp": '#include "f.hpp"\nvoid Heir::add(Eng &o) { keep<Eng>(o); }\n',
    }
    assert {
        ("e.hpp::P", "e.hpp::Eng", "scope 1"),
        ("f.hpp::E2", "e.hpp::Eng", "import 1"),
        ("f.hpp::Heir.add", "e.hpp::Eng", "import 1"),
        ("f.cpp::Heir.add", "e.hpp::Eng", "import 1"),
    } == edges_between(files, "references")


DECLARED = "struct Wide { void draw(int times = 1); void draw(Tool &by); static Wide make(); };\n"
DEFINED = "void Wide::draw(int times) {}\nvoid Wide::draw(gfx::Tool &by) {}\nWide Wide::make() { return {}; }\n"


@pytest.mark.parametrize(
    "files",
    [
        {"wide.cpp": f"{DECLARED}{DEFINED}void use() {{ auto q = Wide::make(); q.draw(2); some().make(); }}\n"},
        {
            "wide.h": DECLARED,
            "wide.cpp": f'#include "wide.h"\n{DEFINED}',
            "use.cpp": '#include "wide.h"\nvoid use() { auto q = Wide::make(); q.draw(2); some().make(); }\n',
        },
    ],
)
def test_a_method_of_cpp_that_is_declared_and_defined_outside_is_one(files: dict[str, str]) -> None:
    found = {(target, line, said) for source, target, line, said in edges_to_lines(files) if source.endswith("use")}
    assert {
        ("wide.cpp::Wide.draw", 2, "type 0.85"),
        ("wide.cpp::Wide.make", 4, "receiver 0.95"),
        ("wide.cpp::Wide.make", 4, "unique-name 0.6"),
    } == found


SHOP = """
class Cart { public: void add(int a) {} void open() {} int Total() { return 1; } };
int total(Cart c) { return 1; }
"""
FIXTURE = "class CartTest : public ::testing::Test { protected: Cart cart_; int helper() { return 1; } };\n"
TESTS = """
#include "shop.h"
TEST_F(CartTest, AddsItems) { cart_.add(1); helper(); }
TEST(Cart, Total) { Cart c; total(c); }
TEST_P(CartTest, Opens) { cart_.open(); }
"""
CALLED = {
    ("CartTest.AddsItems", "Cart.add", "type 0.85"),
    ("CartTest.AddsItems", "CartTest.helper", "receiver 0.95"),
    ("Cart.Total", "total", "import 1"),
    ("CartTest.Opens", "Cart.open", "type 0.85"),
}
TESTED = {
    ("CartTest", "Cart", "naming 0.9"),
    ("CartTest.AddsItems", "Cart.add", "use 0.7"),
    ("Cart.Total", "total", "naming 0.9"),
    ("CartTest.Opens", "Cart.open", "use 0.7"),
}


@pytest.mark.parametrize(
    "files",
    [
        {"shop_test.cc": TESTS.replace("TEST_F", f"{FIXTURE}TEST_F", 1)},
        {"shop_test.cc": TESTS.replace("TEST_F", '#include "fixture.h"\nTEST_F', 1), "tests/fixture.h": FIXTURE},
    ],
)
def test_a_test_of_cpp_goes_by_its_suite_and_its_name_and_knows_its_fixture(files: dict[str, str]) -> None:
    files = {"shop.h": SHOP, **files}

    def named(kind: str) -> set[tuple[str, str, str]]:
        found = edges_between(files, kind)
        return {(a.partition("::")[2], b.partition("::")[2], said) for a, b, said in found if "::" in a}

    assert (CALLED, TESTED) == (named("calls"), named("tests"))


def test_a_test_called_after_a_class_is_no_member_of_it() -> None:
    files = {
        "shop.h": SHOP,
        "shop_test.cc": '#include "shop.h"\nTEST(Cart, Total) { Cart c; c.Total(); }\nTEST(Cart, add) {}\n',
        "use.cc": '#include "shop.h"\nvoid use(Cart c) { c.Total(); c.add(1); add(1); }\n',
    }
    assert {
        ("shop_test.cc::Cart.Total", "shop.h::Cart.Total", "type 0.9"),
        ("use.cc::use", "shop.h::Cart.Total", "type 0.9"),
        ("use.cc::use", "shop.h::Cart.add", "type 0.9"),
    } == edges_between(files)


def test_a_test_that_only_says_what_it_is_about_is_called_that() -> None:
    source = 'TEST_CASE("adds items", "[cart]") {\n  Cart c;\n  SECTION("once") { c.add(1); }\n}\n'
    files = {"shop.h": SHOP, "tests/shop.cc": f'#include "../shop.h"\n{source}'}
    assert {("tests/shop.cc::adds items", "shop.h::Cart.add", "type 0.9")} == edges_between(files)


def test_what_a_macro_calls_where_it_is_expanded_it_calls() -> None:
    source = """
    #define STEP(h) mix(h)
    #define TWO(a, f) do { if (a) STEP(a); \\
      f(a); o->other(a); log("other(1)"); } while (0)  /* other(2) */
    static int mix(int h) { return h; }
    int other(int b) { TWO(b, mix); return b; }
    """
    for path in ("a.c", "a.cpp"):
        assert {
            (f"{path}::STEP", f"{path}::mix", "scope 1"),
            (f"{path}::TWO", f"{path}::STEP", "scope 1"),
            (f"{path}::other", f"{path}::TWO", "scope 1"),
        } == edges_between({path: source})


def test_values_of_an_enum_in_a_namespace_or_a_class_are_known_there_by_their_own_names() -> None:
    files = {
        "file.h": "namespace db { enum Kind { kLog, kTable }; enum class Sort { kUp };\nenum { kMost = 9 };\n"
        "class Iter { public: enum Way { kAhead, kBack }; Way way; void go(); };\n}\n",
        "use.cc": '#include "file.h"\nnamespace db {\nvoid Iter::go() { if (way == kBack) way = kAhead; }\n'
        "void pick(int a) { switch (a) { case kTable: take(kUp, kMost); } }\n}\nint log() { return db::kLog; }\n",
    }
    assert {
        ("use.cc::db.Iter.go", "file.h::db.Iter.Way.kAhead", "receiver 0.95"),
        ("use.cc::db.Iter.go", "file.h::db.Iter.Way.kBack", "receiver 0.95"),
        ("use.cc::db.pick", "file.h::db.Kind", "import 1"),
        ("use.cc::db.pick", "file.h::db.Kind.kTable", "import 1"),
        ("use.cc::db.pick", "file.h::db.kMost", "import 1"),
        ("use.cc::log", "file.h::db.Kind", "receiver 0.95"),
        ("use.cc::log", "file.h::db.Kind.kLog", "receiver 0.95"),
    } == edges_between(files, "references")


def test_what_a_header_keeps_static_in_a_namespace_is_known_where_it_is_included() -> None:
    header = "namespace db {\nstatic const int kMost = 9;\nstatic inline int end_of(int a) { return a; }\n}\n"
    files = {
        "base.h": header,
        "other.cc": header.replace("kMost", "kOther"),
        "use.cc": '#include "base.h"\nnamespace db { int use() { return end_of(kMost + kOther); } }\n',
    }
    assert {("use.cc::db.use", "base.h::db.end_of", "import 1")} == edges_between(files)
    assert {("use.cc::db.use", "base.h::db.kMost", "import 1")} == edges_between(files, "references")


def test_functions_that_only_their_file_sees_are_handed_on_in_a_namespace() -> None:
    source = (
        "namespace db {\nnamespace { void Unref(int a) {} }\nstatic void Drop(int a) {}\n"
        "void use(int Drop) { add(Drop); }\nvoid all() { add(Unref, &Drop); }\n}\n"
    )
    assert {
        ("a.cc::db.all", "a.cc::db.Drop", "scope 1"),
        ("a.cc::db.all", "a.cc::db.Unref", "scope 1"),
    } == edges_between({"a.cc": source}, "references")


def test_values_of_enums_are_those_of_the_nearest_namespace_and_of_no_class_around_nothing() -> None:
    files = {
        "file.h": "namespace db { enum Kind { kLog, kTwo }; }\n",
        "use.cc": '#include "file.h"\nnamespace db { namespace { enum Own { kLog }; enum { kTwo }; }\n'
        "int pick() { return kLog + kTwo; }\n"
        "class Iter { enum { kAhead, kBack }; int way() { return kAhead; } };\n"
        "int far() { auto [kOne, kTen] = pair(); return kAhead; } }\n",
        "more.h": "namespace db { enum More { kOne, kTen }; }\n",
    }
    assert {
        ("use.cc::db.Iter.way", "use.cc::db.Iter.kAhead", "receiver 0.95"),
        ("use.cc::db.pick", "use.cc::db.Own", "scope 1"),
        ("use.cc::db.pick", "use.cc::db.Own.kLog", "scope 1"),
        ("use.cc::db.pick", "use.cc::db.kTwo", "scope 1"),
    } == edges_between(files, "references")


def test_a_field_hides_what_a_namespace_calls_alike_in_the_methods_of_its_class_and_of_heirs() -> None:
    files = {
        "most.h": "namespace shop {\nconst int kMost = 3;\nconst int kFew = 1;\n}\n",
        "cart.h": '#include "most.h"\nstruct Cart {\n  int kMost;\n  static const int kFew;\n  int few();\n};\n',
        "cart.cc": '#include "cart.h"\nusing namespace shop;\nconst int Cart::kFew = 2;\n'
        "int Cart::few() { return kMost + kFew; }\nstruct Heir : Cart { int most() { return kMost; } };\n"
        "int free() { return kMost; }\n",
    }
    assert {
        ("cart.cc::Cart.few", "cart.cc::Cart.kFew", "scope 1"),
        ("cart.cc::free", "most.h::shop.kMost", "import 1"),
    } == edges_between(files, "references")


def test_benchmarks_refer_to_what_they_measure_where_a_type_among_arguments_breaks_the_file() -> None:
    files = {
        "sort_bench.cc": """
        static void sorts(State& state) {}
        static void merges(State& state) {}
        template <class T> void keeps(State& state) {}
        BENCHMARK(sorts);
        BENCHMARK_CAPTURE(merges, small, 10);
        BENCHMARK_TEMPLATE(keeps, int);
        """,
    }
    expected = {("sort_bench.cc", f"sort_bench.cc::{name}", "scope 1") for name in ("sorts", "merges", "keeps")}
    assert expected == edges_between(files, "references")
