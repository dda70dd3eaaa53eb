"""A graph of C and C++ brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, read, update

from ctxcode.codegraph.resolve.graph import build_graph

LINES = {
    "c": (
        "",
        "",
        "int total(int a) { return scan(a); }",
        "static int total(int a) { return a; }",
        "int scan(int a) { return total(a) + LIMIT(a); }",
        "static int scan(void) { return total(1); }",
        "int run(struct cart *c) { c->price->open(1); return make()->open(c); }",
        "struct price *make(void) { return total(2); }",
        "struct cart *make(void) { return scan(2); }",
        "#define LIMIT(x) total(x)",
        "#define total scan",
        "#define scan(a) own_scan(a)",
        "struct price { int (*open)(int); };",
        "struct cart { struct price *price; };",
        "typedef struct price price_t;",
        "price_t spare; void use(price_t *p) { p->open(spare.open); spare.open(total); }",
        "enum kind { TOTAL, SCAN };",
        "enum { SCAN, KEPT }; enum price_kind { TOTAL, LIMIT };",
        "int kinds(int KEPT) { return TOTAL + SCAN + KEPT; } int more_kinds(void) { return KEPT + LIMIT; }",
        "int (*hook)(int) = total; int hooked(void) { return hook(1); }",
        "extern struct price spare;",
        "extern int depth; extern price_t spare; int deep(void) { return depth + spare.open(1) + kept; }",
        "int depth = 1; static int kept; int (*scan)(int) = total;",
        "static int depth; extern int kept; int keep(void) { depth = kept; return scan(depth); }",
        "void uses(price_t *p, struct cart *kept) { hooked(total); run_all(scan, p, spare); }",
        "static price_t table[] = { total, scan, make };",
        "typedef int (*cost_fn)(price_t *); cost_fn costs(cost_fn total) { return total; }",
        "int total(int a);",
        "int scan(int a); struct price *make(void);",
        '#include "cart.h"',
        '#include "price.h"',
        '#include "lib/price.h"',
        '#include "other.c"',
    ),
    "cpp": (
        "",
        "",
        "class Cart { public: void add(); Price *price; int total() { return add(); } };",
        "class Price : public Cart { public: void add(); Cart own(); };",
        "struct Price { void add(); void pay() { add(); } };",
        "namespace shop { class Cart { void pay(); }; int total(int a); }",
        "namespace shop { int total(int a) { return scan(a); } }",
        "namespace shop { int scan(int a) { return total(a); } int more() { return 1; } }",
        "namespace shop { void Cart::pay() { total(1); } }",
        "namespace shop::deep { int deepest() { return shop::total(1); } }",
        "namespace shop { int down() { return deep::deepest(); } }",
        "void Cart::add() { price->add(); total(); }",
        "void Price::add() { own().add(); pay(); }",
        "Cart Price::own() { total(); return Cart(); }\nPrice::Price() { add(); }\nint Cart::count = 0;",
        "namespace shop { namespace deep { struct In { void pay(); }; } void deep::In::pay() { total(1); } }",
        "void shop::deep::In::pay() { pay(); }\nvoid paid(shop::deep::In *i) { i->pay(); }",
        "void shop::Cart::pay() { shop::scan(1); deep::deepest(); }",
        "class Price { public: Price(int a); void pay(); void pay(Cart c); Price *next; }; using PricePtr = Price *;",
        "namespace { int total(int a) { return a; } struct Kept { Cart a; }; }\n#define MORE(x) total(x) + scan(x)",
        "struct Parser { struct Options { void pay(); } options; }; void parse(Parser p) { p.options.pay(); MORE(1); }",
        "TEST_F(Cart, add) { price->add(); total(); }\nTEST(Price, total) { Price p; p.add(); total(1); }",
        "namespace near = shop; namespace low = shop::deep; int far(near::Cart *c) { c->pay(); return near::scan(1); }",
        "int lower() { namespace low = shop::deep; low::In i; i.pay(); return low::deepest() + near::total(1); }",
        "template <class T> struct Ref { T* operator->(); void pay(); T held; Cart* operator[](int a); };",
        "struct Ref { Price* operator->(); void add(); Price operator()(int a); Cart& operator[](int a); };",
        "struct Mine : public Ref<Cart> {}; void refs(Ref<Price> r, Mine *m) { r->pay(); (*m)->add(); r.pay(); }",
        "using Held = Ref<Price>; Held kept_one(); void held(Held h) { h->pay(); auto x = *h; x.add(); h[0]->add(); }",
        "void made() { kept_one()->pay(); kept_one().pay(); auto y = kept_one(); y->add(); y(1).add(); y[1].pay(); }",
        "using Prices = std::vector<Price>; void each(Prices v) { for (auto &a : v) a.add(); v[0].pay(); }",
        "struct Kept { std::map<int, Cart> m; void f() { m.at(1).pay(); auto c = m[2]; c.own().add(); } };",
        "void Price::pay() {}\nvoid Price::pay(Cart c) { Price *p; p->add(); }\nvoid any() { x().pay(); y().add(); }",
        "int total(int a) { Price p; p.add(); return shop::total(a); }",
        "static int scan(int a) { Cart c; c.price->add(); return shop::more(); }",
        "namespace shop { static int scan(int a) { return total(a); } struct Held { Price price; } held; }",
        "void held() { shop::held.price.add(); shop::scan(1); }",
        "Price make() { return Price(); }",
        "void run() { make().add(); make().own().pay(); x.pay(); }",
        "typedef Price Cost; void cost(Cost c) { c.add(); }",
        "using Spare = shop::Cart; Spare spare; void spared() { spare.pay(); }",
        "class Price { enum Sort { kOne }; static const int kMax = 3; Sort sort(); int m() { return kMax + kMin; } };",
        "namespace shop { const int kMin = 2; extern int kFew; } int few() { return shop::kMin + kFew + kMin; }",
        "namespace shop { int kFew = 1; int more(int a) { return kFew + kMin; } } extern Cart kSpare; Cart kSpare;",
        "const int kMin = 1; class Cart : public Price { Sort other(Sort s) { return kOne; } };",
        "enum Kinds { kOne, kFew };",
        "enum class Kinds { kOne, kMin };",
        "int kinds() { return kOne + kMin + kFew; } Kinds one() { return Kinds::kOne; } int b() { Kinds::kMin; }",
        "Cart operator+(Cart a, Cart b) { a.add(); }",
        "namespace shop { namespace deep { enum kind { one }; class paid {}; using paid_ptr = paid *; } }",
        "namespace shop { deep::kind kind(deep::paid_ptr p); class own { paid_ptr p; deep::kind deep(); }; }",
        "void takes(shop::deep::paid *p, paid_ptr q, kind k) { deep::paid other; }",
        "class paid { public: using kind = int; kind of(); }; class heir : public paid { kind k; void f(kind k); };",
        "namespace shop { enum Level { kOne, kFew }; static int kept(int a); int b() { return kOne + kFew; } }",
        "namespace shop { enum class Level { kOne }; int b() { take(&scan, scan); return kOne; } static int kMin; }",
        "struct Price { enum Sort { kTwo }; int two() { return kTwo; } }; int q() { return Price::kTwo + shop::kOne; }",
        "namespace shop { class Cart { enum { kTwo, kOne }; int one(); }; int Cart::one() { return kTwo + kOne; } }",
        "struct Heir : Price { Call add; int few; void f() { pay(); } }; void g(Heir h) { h.add(); h.pay(); h.few(); }",
        "struct Price { int kMin; int kOne; int few(); }; struct Fewer : Price { int f() { return kMin + kFew; } };",
        "int Price::few() { return kMin + kOne; } class Cart : public Price { int kFew; int g() { return kMin; } };",
        "#define LIMIT(x) total(x)",
        '#include "cart.h"',
        '#include "cart.hpp"',
        '#include "price.hpp"',
        '#include "b.cc"',
    ),
}
PATHS = {
    "c": ("a.c", "b.c", "lib/c.c", "lib/other.c", "cart.h", "lib/price.h", "price.h", "tests/test_a.c"),
    "cpp": ("a.cpp", "b.cc", "lib/c.cpp", "cart.h", "cart.hpp", "lib/price.hpp", "tests/test_a.cpp"),
}


def trees(kind: str) -> st.SearchStrategy[Mapping[str, str]]:
    """Return the sources of some files, line by line, of which not all are there."""
    source = st.lists(st.sampled_from(LINES[kind]), min_size=2, max_size=6).map("\n".join)
    return st.fixed_dictionaries({PATHS[kind][0]: source}, optional=dict.fromkeys(PATHS[kind][1:], source))


def edits(kind: str) -> st.SearchStrategy[list[tuple[str, str, int]]]:
    """Return what is written into some files: a line, and its place; an empty path stands for taking a line out."""
    line = st.tuples(st.sampled_from(PATHS[kind]), st.sampled_from(["", *LINES[kind]]), st.integers(0, 6))
    return st.lists(line, min_size=1, max_size=2)


def edited(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> dict[str, str]:
    now = dict(tree)
    for path, line, at in changes:
        lines = now.get(path, "").split("\n")
        lines[at : at + (not line)] = [line] if line else []
        now[path] = "\n".join(lines)
    return now


@pytest.mark.parametrize("kind", LINES)
def test_edited_files_give_the_graph_of_all_files_joined_anew(kind: str) -> None:
    joined = list[bool]()

    @examples(60)
    @given(trees(kind), edits(kind))
    def check(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> None:
        before, after = read(tree), read(edited(tree, changes))
        joined.extend(assert_as_anew(before, after))

    check()
    assert sum(joined) * 5 > len(joined)


@pytest.mark.parametrize("kind", LINES)
@examples(100)
@given(data=st.data())
def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew(kind: str, data: st.DataObject) -> None:
    tree = data.draw(trees(kind))
    gone = data.draw(st.sets(st.sampled_from(sorted(tree)), max_size=2))
    source = data.draw(st.lists(st.sampled_from(LINES[kind]), max_size=4).map("\n".join))
    come = {data.draw(st.sampled_from(PATHS[kind])): source}
    before, after = read(tree), read({path: tree[path] for path in tree if path not in gone} | come)
    assert_as_anew(before, after)


CASES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "another place of a namespace is the one with most names": (
        {
            "a.h": "namespace n { int f(int a) { return a; } }\n",
            "b.h": "namespace n { int f(int a) { return a; } int g() { return 1; } }\n",
            "u.cc": "int run() { return n::f(1); }\n",
        },
        {"a.h": "namespace n { int f(int a) { return a; } int x() {} int y() {} int z() {} }\n"},
    ),
    "a header stands in a type that stands elsewhere, too": (
        {
            "a.h": "int one();\n",
            "b.h": "struct K { struct In { int go(); }; };\nstruct L { int go(); };\n",
            "u.cc": '#include "a.h"\nvoid run(In *i) { i->go(); }\n',
        },
        {"a.h": "int one();\nstruct K { int own; };\n"},
    ),
    "a type comes of which methods stand elsewhere": (
        {
            "a.h": "int x();\n",
            "c.cc": '#include "a.h"\nvoid Cart::pay() { go(); }\n',
            "u.cc": "struct Z { void pay(); };\nvoid run(X *x) { x->pay(); }\n",
        },
        {"a.h": "int x();\nstruct Cart { void go(); };\n"},
    ),
    "a function that only its file sees is known by its namespace": (
        {
            "a.cc": "namespace n { struct P { void go(); }; }\n",
            "u.cc": "void run() { n::f(); }\n",
        },
        {"a.cc": "namespace n { struct P { void go(); }; static int f() {} }\n"},
    ),
    "a source that includes something else holds another type": (
        {
            "a.cc": "namespace n { struct K { P held; }; }\n",
            "p.h": "struct P { void go(); };\nstruct O { void go(); };\n",
            "q.h": "struct P { void go(); };\n",
            "u.cc": "void run(n::K *k) { k->held.go(); }\n",
        },
        {"a.cc": '#include "p.h"\nnamespace n { struct K { P held; }; }\n'},
    ),
    "what a source has long included comes": (
        {
            "a.cc": '#include "p.h"\nnamespace n { struct K { P held; }; }\n',
            "o.h": "struct P { void go(); };\nstruct O { void go(); };\n",
            "q.h": "struct P { void go(); };\n",
            "u.cc": "void run(n::K *k) { k->held.go(); }\n",
        },
        {"p.h": '#include "o.h"\n', "a.cc": '#include "p.h"\nnamespace n { struct K { P held; }; }\nint more;\n'},
    ),
    "what others have long included comes": (
        {"a.c": '#include "p.h"\nint run(void) { return M(1); }\n', "o.h": "int f(int a);\n"},
        {"p.h": "#define M(x) f(x)\n"},
    ),
    "a header declares what another file defines": (
        {
            "a.c": '#include "p.h"\nint run(void) { return f(1); }\n',
            "b.c": "int f(int a) { return a; }\n",
            "p.h": "int g(int a);\n",
        },
        {"p.h": "int f(int a);\nint g(int a);\n"},
    ),
    "a source that another one includes gets a macro": (
        {"a.c": '#include "b.c"\nint run(void) { return M(1); }\n', "b.c": "int f(int a) { return a; }\n"},
        {"b.c": "int f(int a) { return a; }\n#define M(x) f(x)\n"},
    ),
    "a namespace within another one in a word": (
        {
            "a.h": "int one();\n",
            "b.h": "namespace n::deep { int f() { return 1; } }\n",
            "u.cc": "namespace n { int run() { return 1; } }\n",
        },
        {"u.cc": "namespace n { int run() { return deep::f(); } }\n"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_known_without_a_word_of_it_is_joined_again_too(name: str) -> None:
    without, changes = CASES[name]
    before, after = read(without), read({**without, **changes})
    assert build_graph(after).resolutions != build_graph(before).resolutions
    assert update(before, after) in {None, build_graph(after)}
    assert update(after, before) in {None, build_graph(before)}


USUAL = {
    "cart.c": (
        '#include "cart.h"\nstatic int own(int a) { return a; }\n'
        "int total(int a) { return own(a) + LIMIT(a) + cost(a); }\n"
    ),
    "cart.h": "#define LIMIT(x) price(x)\n#define cost price\nstruct cart { int count; };\nint total(int a);\n",
    "price.c": '#include "cart.h"\nint price(int a) { return total(a); }\n',
    "user.c": "int user(void) { return price(1); }\n",
    "stock.hpp": "class Stock { public: int add(); int take() { return add(); } };\n",
    "stock.cpp": '#include "stock.hpp"\nint Stock::add() { return take(); }\n',
}


@pytest.mark.parametrize(
    ("path", "said", "written"),
    [
        ("cart.c", "own(a) + LIMIT(a)", "own(a) + user()"),
        ("cart.c", "static int own", "/* more */\n\nstatic int own"),
        ("cart.c", "int total", "int more(int a) { return own(a); }\nint total"),
        ("cart.c", '#include "cart.h"\n', ""),
        ("price.c", "int price", "int priced"),
        ("price.c", "int price", "static int price"),
        ("user.c", "int user", "struct item { int a; };\nint user"),
        ("cart.h", "int total", "int price(int a);\nint total"),
        ("cart.h", "cost price", "cost total"),
        ("cart.h", "LIMIT(x)", "MOST(x)"),
        ("cart.h", "int count", "int count; int (*open)(int)"),
        ("stock.cpp", "return take()", "return take() + price(1)"),
        ("stock.cpp", "int Stock::add", "int Stock::take() { return add(); }\nint Stock::add"),
        ("stock.cpp", "int Stock::add() { return take(); }", "int more() { return 1; }"),
        ("stock.cpp", "int Stock::add", "#include <vector>\nint Stock::add"),
        ("stock.cpp", USUAL["stock.cpp"], ""),
        ("rest.cpp", "", '#include "stock.hpp"\nint Stock::take() { return add(); }\n'),
        ("stock.hpp", "int add();", "int add(); int more() { return add(); }"),
        ("price.c", USUAL["price.c"], ""),
        ("new.c", "", '#include "cart.h"\nint price(int a) { return LIMIT(a); }\n'),
        ("new.h", "", "#define NEW(x) price(x)\n"),
    ],
)
def test_usual_edits_have_few_files_joined_again(path: str, said: str, written: str) -> None:
    text = USUAL.get(path, "").replace(said, written) if said else written
    now = {**USUAL, path: text}
    before, after = read(USUAL), read({each: now[each] for each in now if now[each]})
    assert before != after
    assert build_graph(after) == update(before, after)


def test_who_calls_what_is_one_of_two_definitions_in_a_file_of_c_now_is_joined_again() -> None:
    before = {"a.c": "int total(int a) { return a; }\n", "b.c": "int scan(int a) { return total(a); }\n"}
    after = {**before, "a.c": f"static int total(int a) {{ return 0; }}\n{before['a.c']}"}
    updated = update(read(before), read(after))
    assert updated == build_graph(read(after))
