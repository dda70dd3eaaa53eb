"""C and C++ that only the preprocessor understands."""

import pytest
from tree_sitter import Parser

from ctxcode.codegraph.facts import calls_of
from ctxcode.codegraph.languages import load_grammar
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.syntax.c_family.damage import damaged
from ctxcode.codegraph.syntax.c_family.repair import repaired

C = {
    "a macro before, between and behind the parts of a declaration": (
        """local int total OF((int *list));
local const uch order[SIZE] = { 1, 2 };
static const char words[] ALIGN1 = "a b";
static NOINLINE double root(double x UNUSED_PARAM) { return x; }
BOOL WINAPI Entry(struct state FAR *all, char **argv UNUSED_PARAM) { return 1; }
typedef void FAST_FUNC (*converter)(const char *text);
typedef LONG (APIENTRY *version)(struct info *, ULONG);
MODULE_API size_t (*length)(char *key) MODULE_ATTR;
""",
        {"version", "length", "order", "words", "root", "Entry", "converter"},
    ),
    "parameters that are declared behind the list of them": (
        """int ZEXPORT deflate(strm, flush)
    z_streamp strm;
    int flush;
{
    return run(strm);
}
const char * ZEXPORT zError(err)
    int err;
{
    return text(err);
}
void *myalloc(q, n)
    void *q;
    unsigned n;
{
    return calloc(n, 1);
}
main(argc) { return 0; }
""",
        {"deflate", "zError", "myalloc", "main"},
    ),
    "functions that macros declare are called what stands in the parentheses, if that is one name": (
        """TEST_IMPL(first) {
    return one();
}
TEST_BEGIN(second, fast) {
    MUST(x)
}
TEST_IMPL(third) { return 3; }
""",
        {"first", "TEST_BEGIN", "third"},
    ),
    "macros on lines of their own between functions that macros declare": (
        """PUSH_WARNINGS
TEST_BEGIN(first) { one(); }
TEST_END
TEST_BEGIN(second) {
	one();
}
TEST_END
BOOL RUN(LIST) { return 1; }
""",
        {"first", "second", "RUN"},
    ),
    "macros before statements": (
        """int first(int a) {
	GET(b)
	if (a) {
		return 1;
	} else if (b) {
		return 2;
	}
	SET(a) else if (b) { return 3; }
	return 4;
}
""",
        {"first"},
    ),
    "conditions in the midst of lists, heads and statements": (
        """static const struct handler * const all[] = {
#if defined(A) && \\
    !defined(B)
  &one,
#endif
#ifndef C
  &two,
#else
  &three
#endif
};
bool opt_retain =
#ifdef RETAIN
    true
#else
    false
#endif
    ;
#ifdef UNICODE
int wmain(int argc, wchar_t **argv)
#else
int main(int argc, char **argv)
#endif
{
#ifdef A
  if (argc) {
#else
  if (argv) {
#endif
    run();
  }
  else
#ifdef B
  if (x)
#endif
  { walk(); }
}
#ifdef __cplusplus
extern "C" {
#endif
int last;
enum protocol {
  TCP = 6,
#define TCP TCP
  UDP = 17,
};
#ifdef __cplusplus
}
#endif
int after(void) { return 0; }
""",
        {"all", "opt_retain", "wmain", "main", "last", "protocol", "after"},
    ),
    "macros around a function and its parameters": (
        """UNUSED(static int first(struct item *all, int)) {
  return 1;
}
EXPORT(void *second(int (*run)(int))) { return 0; }
TEST(group, third(1)) { return 3; }
""",
        {"first", "second", "TEST"},
    ),
    "macros among enumerators and at the end of a structure": (
        """typedef enum {
  OPTION(OPT_FILE, TYPE_POINTER, 1),
  OLD_OPTION(OPT_PORT, TYPE_LONG, 3, 7.2, "text"),
  OPT_TEXT DEPRECATED("use (other)") = 4,
#define XX(name) OPT_ ## name,
  OPTION_MAP(XX)
#undef XX
  OPT_LAST = LAST_OF(2)
} option;
struct handle {
  HANDLE_FIELDS
  STREAM_FIELDS
  PRIVATE_FIELDS
};
int after(void) { return 0; }
""",
        {"option", "OPT_FILE", "OPT_PORT", "OPT_TEXT", "OPT_LAST", "XX", "handle", "after"},
    ),
    "labels above conditions": (
        """int walk(int a) {
  if (a) goto out;
 out:
#ifdef A
  stop();
#endif
  return 1;
}
int last(void) { return 0; }
""",
        {"walk", "last"},
    ),
    "macros whose definitions hold comments": (
        """#define STORE(a) do {  \\
    /* one line */  \\
    x = (a); /* more */  \\
} while (0)
int store(int a) { STORE(a); return MUTEX_INIT; }
static int SOME_PURE kept(void) { return 1; }
""",
        {"STORE", "store", "kept"},
    ),
    "macros that begin or end statements": (
        """int walk(struct list *all) {
  struct part *one;
  LIST_FOREACH(one, all, next) {
    list_foreach(one, all) { run(one); }
    RUN(one)
  }
  return 1;
}
int last(void) { return 0; }
""",
        {"walk", "last"},
    ),
    "macros that stand for types": (
        """EXTERN(struct mistake *) mistakes(void) { return 0; }
GLOBAL(void)
begin(int a)
{ run(a); }
const STACK_OF(PART) *get(STACK_OF(PART) **all, const STACK_OF(NAME) *z, LIST(PART) c, LIST(PART) *) {
  const STACK_OF(PART) *b = (STACK_OF(PART) *)z;
  return b ? b : (STACK_OF(PART) *)*all;
}
struct list { list_head(part_t)   head; ATOMIC(uintptr_t) size; int b; };
typedef list_head(part_t) list_t;
""",
        {"mistakes", "begin", "get", "list", "list_t"},
    ),
    "names in macros, and macros around names": (
        """int32_t LIB_EXPORT PREFIX(inflate)(PREFIX3(stream) *strm) { return 1; }
png_uint_32 (PNGAPI
png_get)(png_const_bytep buf) { return 1; }
typedef CL_ENTRY cl_int (CL_CALL *get_ids)(int a);
static const struct part parts = {
  {.PRIVATE(size) = 1},
#ifdef A
  2,
#endif
  TABLE({
    {0, &one},
  }),
};
""",
        {"inflate", "png_get", "get_ids", "parts"},
    ),
    "what only C++ is told of C": (
        """#ifdef __cplusplus
extern "C" {
#endif
int first(int a) { return a; }
#if defined(__cplusplus)
}  // extern "C"
#endif
#if __has_include(<omp.h>) && __has_include ("own.h")
#define FAST
#endif
int second(int a) { return a; }
""",
        {"first", "FAST", "second"},
    ),
}
CPP = {
    "macros in small letters before what has no type": (
        """template<typename T>
shop_inline result<T>::result(error_code error) noexcept : base<T>(error) {}
shop_inline result<dom::array>::result(dom::array value) noexcept : base(value) {}
shop_inline document::operator int64_t() noexcept(false) { return get(); }
shop_inline result<dom::array>::operator double() noexcept(false) { return get(); }
struct Vector {
  shop_inline operator bytes&() { return value; }
  shop_inline mask<bool> operator==(const Vector other) const { return same(*this, other); }
  shop_inline mask<bool> any(Vector bits) const { return test(*this, bits); }
  shop_inline const std::vector<point> &points() { return container; }
  shop_constexpr bool starts_with(text v) const shop_noexcept // (1)
  { return true; }
};
shop_inline_ns namespace literals { int size; }
""",
        {
            "result",
            "operator int64_t",
            "operator double",
            "Vector",
            "operator bytes&",
            "operator==",
            "any",
            "points",
            "starts_with",
            "literals",
            "size",
        },
    ),
    "attributes of classes, members and functions": (
        """namespace lib {
LIB_BEGIN
namespace inner {
class LIB_LOCKABLE("mutex") Mutex {
  Q_OBJECT
 public Q_SLOTS:
  void Held() const LIB_ASSERT_LOCK();
  bool Wait(int a)
      LIB_SHARED(mu_) { return true; }
  size_t next_ LIB_GUARDED_BY(mu_);
};
template <typename T>
class LIB_API Box final : public Mutex { };
extern template class Box<int>;
LIB_DEPRECATED("use Box") int old();
enum class Kind { ONE };
}
LIB_END
}
""",
        {"lib", "Mutex", "Held", "Wait", "next_", "Box", "Kind", "ONE", "inner"},
    ),
    "calls of macros with words no call has": (
        """DEFINE_FLAG(int, size, 8, "log2(number of states)");
DEFINE_FLAG(bool, dump, false, "dump");
namespace re2 {
static int hooks = 0;
struct Hooks { Hooks(int size) { set(size); } };
TEST(Suite, Name) { EXPECT_EQ(1, f(2)); }
TEST_CASE("a name", "[tag]") { CHECK(f(2)); }
}
""",
        {"re2", "hooks", "Hooks", "Name", "a name"},
    ),
    "macros before, behind and around tests, actions and matchers": (
        """BOOST_AUTO_TEST_SUITE(carts)
BOOST_AUTO_TEST_CASE(first) { EXPECT(1); }
BOOST_DATA_TEST_CASE(second, data::xrange(3), row) { EXPECT(row); }
BOOST_FIXTURE_TEST_CASE(third, Fixture) { EXPECT(1); }
BOOST_AUTO_TEST_SUITE_END()
TEST(Suite, fourth) NO_THREAD_SAFETY_ANALYSIS { f(); }
TEST_CASE("it is \\"fifth\\", " "it is", "[tag]") { f(); }
TEST_CASE_METHOD(Fixture, "sixth") { f(); }
TEST_SUITE("seventh") { TEST_CASE("eighth" * may_fail()) { f(); } int ninth() { return 1; } }
BENCHMARK_DEFINE_F(Fixture, tenth)(State& state) { f(); }
MATCHER_P2(eleventh, a, b, "is " + text({a, b})) { return a; }
ACTION(twelfth) { return 1; }
class RUN { RUN(FAST) {} template <class T> RUN(T) {} };
""",
        {
            "first",
            "second",
            "third",
            "fourth",
            'it is "fifth", it is',
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "RUN",
        },
    ),
    "tests of a fixture that is qualified or a template, and with names that are none or raw": (
        """TEST_CASE_METHOD(ns::Fixture, "first") { f(); }
TEMPLATE_TEST_CASE_METHOD(Fixture<int>, "second", "", int) { f(); }
BOOST_FIXTURE_TEST_CASE(third, a::b<int>::Fixture) { f(); }
TEST_CASE("") { f(); }
TEST_CASE(R"(it is, (fifth))", "[tag]") { f(); }
""",
        {"first", "second", "third", "Anonymous test case", "it is, (fifth)"},
    ),
    "macros before constructors, and values in braces": (
        """class API Cart {
  LIB_API explicit Cart(int a);
  explicit LIB_API Cart(bool a) : b(a) {}
  explicit __forceinline__ Cart(long a) : b(a) {}
  LIB_INLINE Cart(Part part, Price price) : part_(move(part)), price_(move(price)) {}
  __device__ __forceinline__ typename Parts<A>::Part operator()(typename Parts<A>::Part x) const { return x; }
  Status Go(Where where = {});
  void Gone(int a, const Part& b = {1, 2}, Part c = {}) { run(); }
  Part* allocate(size_t n, const void* = nullptr) { return n; }
};
class MADE_BY_MACRO(3);
template struct Run<Cart>;
""",
        {"Cart", "operator()", "Go", "Gone", "allocate"},
    ),
    "tests that are told in words": (
        """TEST_CASE("it's one", "[tag]") { f(); }
namespace shop { SCENARIO("two") { f(); } }
""",
        {"it's one", "shop", "two"},
    ),
    "macros among a template's parameters": (
        """template <typename T, std::enable_if_t<std::is_same_v<T>> * = nullptr> void one(T a) {}
template <class T, IF_SIZE(T, 16), IF_NOT(T)> void two(T a) { three(static_cast<uint8_t * RESTRICT>(a)); }
""",
        {"one", "two"},
    ),
    "attributes of functions without a name": (
        """void Run() {
  each([self = Ref<X>(), a = std::move(b)]() EXCLUSIVE(&F::lock) mutable { go(); });
  each(context, [=] DEVICE(std::size_t row) mutable { gone(); });
  each(context, [](auto row) ATTRIBUTE { gone(); });
}
""",
        {"Run"},
    ),
    "types that macros are given in a function": (
        """TEST(Suite, first) {
  LIMIT(unsigned short, 3);
  LIMIT(uint64_t, 3);
}
TEST(Suite, second) { LIMIT(long long *); return SIZE(int); }
int third() { return 1; }
""",
        {"first", "second", "third"},
    ),
}
CASES = [("c", name, *case) for name, case in C.items()] + [("cpp", name, *case) for name, case in CPP.items()]


@pytest.mark.parametrize(("language", "name", "source", "names"), CASES, ids=[case[1] for case in CASES])
def test_definitions_are_found_in_spite_of(language: str, name: str, source: str, names: set[str]) -> None:
    del name
    symbols = parse_source(source.encode(), language, f"a.{language}").symbols[1:]
    kinds = {"function", "method", "variable", "class", "struct", "enum", "type", "namespace", "macro"}
    assert set() == names - {symbol.name for symbol in symbols}
    assert set() == {s.name for s in symbols if s.kind in kinds} - names - {"old", "TCP"}


@pytest.mark.parametrize(
    "name",
    [
        "macros among enumerators and at the end of a structure",
        "labels above conditions",
        "macros that stand for types",
        "names in macros, and macros around names",
        "what only C++ is told of C",
        "macros before constructors, and values in braces",
        "macros among a template's parameters",
        "attributes of functions without a name",
        "tests that are told in words",
        "macros that begin or end statements",
    ],
)
def test_nothing_is_left_that_the_grammar_cannot_read_of(name: str) -> None:
    language, source = next((language, source) for language, case, source, _ in CASES if case == name)
    assert 0 == parse_source(source.encode(), language, f"a.{language}").parse_errors


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("between", [b" ", b"\n", b" LIB_INLINE\n"])
def test_a_comment_above_a_macro_documents_what_the_macro_stands_before(language: str, between: bytes) -> None:
    source = b"int x;\n/** Begins. */\nLIB_API" + between + b"int begin(int a) { return run(a); }\n"
    begin = parse_source(source, language, f"a.{language}").symbols[-1]
    assert ("begin", "Begins.", "int begin(int a)", 3) == (begin.name, begin.doc, begin.signature, begin.start_line)


def test_calls_beside_what_is_mended_are_calls_still() -> None:
    source = b"""LIB_API int first(map &all) {
  TAKE({1, 2});
  add(all, make({1, 2}));
  if (all.at(1) == 2) all.at(3) = 4;
  return all.size(5) = 6;
}
"""
    facts = parse_source(source, "cpp", "a.cpp")
    calls = sorted((call.line, call.name) for call in calls_of(facts))
    assert (0, [(2, "TAKE"), (3, "add"), (3, "make"), (4, "at"), (5, "size")]) == (facts.parse_errors, calls)


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_comment_above_what_a_macro_declares_documents_nothing_below_it(language: str) -> None:
    source = b"int x;\n/** Is fast. */\nDEFINE_FLAG(int, fast)\nint begin(int a) { return run(a); }\n"
    begin = parse_source(source, language, f"a.{language}").symbols[-1]
    assert ("begin", "", 4) == (begin.name, begin.doc, begin.start_line)


def test_the_signature_of_a_function_begins_with_the_macro_around_its_type() -> None:
    facts = parse_source(b"/** Begins. */\nGLOBAL(void) begin(int a) { run(a); }\n", "c", "a.c")
    assert [("GLOBAL(void) begin(int a)", "Begins.", 2, 2)] == [
        (one.signature, one.doc, one.start_line, one.header_line) for one in facts.symbols[1:]
    ]


CLEAN = "".join(f"static int clean_{row}(int a) {{\n  return a + {row};\n}}\n" for row in range(100))


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ("static int FAST_FUNC yes(const char *text) { return 1; }\n", "yes"),
        (
            "const char * ZEXPORT z_error(err, more, last)\n  int err;\n  int more;\n  int last;\n{ return 0; }\n",
            "z_error",
        ),
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "#ifndef A_H\n#define A_H\n{}\n#endif\n", "#if A\n{}\n#else\nint other;\n#endif\n"]
)
def test_only_what_stands_around_an_error_is_looked_at(broken: str, name: str, around: str) -> None:
    source = around.format(CLEAN + broken + CLEAN.replace("clean", "next")).encode()
    spans = damaged(Parser(load_grammar("c").language).parse(source).root_node)
    looked_at = b"".join(source[start:end] for start, end in spans)
    assert (broken.encode() in looked_at, True) == (True, len(looked_at) < len(source) // 10)
    symbols = parse_source(source, "c", "a.c").symbols
    functions = [symbol.name for symbol in symbols if symbol.kind == "function"]
    assert [*(f"clean_{row}" for row in range(100)), name, *(f"next_{row}" for row in range(100))] == functions


def test_all_is_looked_at_where_the_end_of_a_condition_is_not_found() -> None:
    head = "#ifdef UNICODE\nint wmain(int argc)\n#else\nint main(int argc)\n#endif\n{ return argc; }\n"
    symbols = parse_source((CLEAN + head + CLEAN.replace("clean", "next")).encode(), "c", "a.c").symbols
    assert (202, ["wmain", "main"]) == (len(symbols) - 1, [one.name for one in symbols[101:103]])


def test_members_of_a_namespace_are_looked_at_one_by_one() -> None:
    body = "LIB_BEGIN\nclass LIB_API Box { void open() LIB_LOCKED(a) { } };\n" + CLEAN + "LIB_END\n"
    source = f"namespace lib {{\n{body}}}\n".encode()
    spans = damaged(Parser(load_grammar("cpp").language).parse(source).root_node)
    assert sum(end - start for start, end in spans) < len(source) // 4
    assert {"lib", "Box", "open"} <= {symbol.name for symbol in parse_source(source, "cpp", "a.h").symbols}


@pytest.mark.parametrize(
    ("source", "names", "declared"),
    [
        ("API int (count) (struct state *of);\n", set(), "count"),
        ("class API Box { };\n", {"Box"}, ""),
        ("EXPORT(struct item *first(struct list *of)) { return 0; }\n", {"first"}, ""),
        (
            "#define FIELDS  \\\n  int one;  \\\n  /* more */  \\\n  int two;\nint last;\nBROKEN int x y;\n",
            {"FIELDS", "last"},
            "",
        ),
    ],
)
def test_what_the_grammar_takes_for_something_else_is_found(source: str, names: set[str], declared: str) -> None:
    for whole in (source, source + CLEAN + "int BROKEN it(int a) { return a; }\n"):
        facts = parse_source(whole.encode(), "cpp", "a.h")
        found = {symbol.name for symbol in facts.symbols[1:] if not symbol.name.startswith("clean_")}
        assert (names - {"x", "y"}, declared) == (found - {"x", "y", "it"}, facts.declared)


def test_a_pointer_to_members_that_is_not_closed_is_left_as_it_is() -> None:
    source = b"(A::*" * 3
    assert source == repaired(source, [(0, len(source))]).text


def test_a_function_in_the_parentheses_of_a_macro_has_its_own_signature() -> None:
    facts = parse_source(b"UNUSED(static int first(struct item *all)) {\n  return 1;\n}\n", "c", "a.c")
    assert ["static int first(struct item *all)"] == [symbol.signature for symbol in facts.symbols[1:]]


def test_a_header_of_c_is_read_without_errors_between_what_makes_it_one_of_cpp() -> None:
    source = """#ifdef __cplusplus
extern "C" {
#endif
int (*made)(void);
int (told)(struct item *all);
#ifdef __cplusplus
}
#endif
"""
    facts = parse_source(source.encode(), "cpp", "a.h")
    assert (["made"], "told", 0) == ([symbol.name for symbol in facts.symbols[1:]], facts.declared, facts.parse_errors)


def test_calls_are_made_by_the_functions_that_macros_declare() -> None:
    facts = parse_source(b"TEST_IMPL(first) {\n  each(x) {\n    return one();\n  }\n}\n", "c", "a.c")
    assert ["first"] == [symbol.name for symbol in facts.symbols[1:]]
    assert (1, "one") in {(call.caller, call.name) for call in calls_of(facts)}


@pytest.mark.parametrize(
    "source",
    [
        "int f(a * b, c) { if (x) DO_THIS(y); return (T) MAX; }",
        "enum { ONE };\nenum E { A, B\n};",
        "a = b > c * d; auto x = [&a] { return a && b; };",
        "static MY_TYPE x; MY_TYPE *f(MY_TYPE *a, OTHER b);",
        "Foo x(*from); a = f(*b); (*run)(a); int (*walk)(int);",
        "delete[] all; [[nodiscard]] Box make(); std::vector<int> list(3);",
        "template <> Foo bar<int>(int a) { return unsigned(a) * 2; }",
        "#if A\nint a;\n#else\nint b;\n#endif\nclass PCRE { PCRE(const char *a); ~PCRE(); };",
        "constexpr Integral auto x = 1; operator bool() const; T operator+(T a);",
    ],
)
def test_what_the_grammar_can_read_stays_as_it_is(source: str) -> None:
    assert source.encode() == repaired(source.encode(), [(0, len(source.encode()))]).text


@pytest.mark.parametrize(
    "unit", ["#if A\n(", "AB ab ", "int *f(a,b) ", "#define A /*\n", "f OF((", "x[", 'R"a(', "} #endif\n"]
)
def test_every_byte_keeps_its_place(unit: str) -> None:
    source = (unit * 3_000).encode()
    text = repaired(source, [(0, len(source))]).text
    assert len(source) == len(text)
    assert source.count(b"\n") == text.count(b"\n")


@pytest.mark.parametrize("count", [3, 3_000])
def test_what_is_taken_out_leaves_all_names_in_their_places(count: int) -> None:
    source = "".join(f"static int API_FUNC named_{row}(int a)\n{{ return a; }}\n" for row in range(count))
    symbols = parse_source(source.encode(), "c", "a.c").symbols[1:]
    assert [(f"named_{row}", 2 * row + 1, 2 * row + 2) for row in range(count)] == [
        (symbol.name, symbol.start_line, symbol.end_line) for symbol in symbols
    ]
