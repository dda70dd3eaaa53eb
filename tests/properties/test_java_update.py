"""A graph brought in step with types and files of Java that come and go equals that of all files joined anew."""

from collections.abc import Mapping
from functools import cache

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, facts_from, is_updated_and_undone, update

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.graph import build_graph

IMPORTS = (
    "",
    "import a.Cart;",
    "import b.Cart;",
    "import a.Cart.Line;",
    "import b.*;",
    "import a.Cart.*;",
    "import static a.Cart.*;",
    "import static b.Price.total;",
    "import static a.Price.ONE;\nimport static b.Cart.MAX;",
    "import java.util.List;\nimport b.Price;",
    "import a.*;\nimport b.Cart;",
    "import c.*;\nimport c.d.Price;",
)
TYPES = (
    "",
    "class Cart { Price price; Cart(Price it) { it.total(); } Price made() { return price; } static void pay() {} }",
    "class Cart { static final int MAX = 3; class Held {} int most() { return MAX + LEAST; } Held it(Part... a) {} }",
    "class Price extends Cart { static final int LEAST = MAX; class Part { Held h; int p() { return MAX + LEAST; } } }",
    "class Cart { Line line; static class Line { void pay() { total(); } Price price; } Line made(Line it) {} }",
    "class Price { void total() { made().pay(); } Cart made() { return new Cart(this); } void pay(Cart it) {} }",
    '@Price("x") class Order { @Cart.Line(1) int one; @shop.Price(2) void two() {} }',
    "interface Price { Cart.Line total(); class Line { void more() {} } }",
    "enum Price { ONE { void total() { pay(); } }, TWO; void total() {} Cart cart; }",
    "record Line(Price price, Cart cart) { void pay() { price.total(); cart.made().pay(); } }",
    "class Line implements Iterable<Price> { void run(Line it) { for (Price one : it) one.total(); more(); } }",
    "class Heir extends Cart { Heir() { super(null); } void run() { line.pay(); made().total(); pay(); } }",
    "class User { Cart cart; void run(Price it) { cart.made().total(); it.made().made(); cart.line.price.total(); } }",
    "class User { void run(Line all) { for (var it : all) { it.total(); it.cart.pay(); } new b.Cart(null).pay(); } }",
    "class User { void run(Object it) { it.more(); it.total(); pay(); new Cart(x); Cart.pay(); new Cart.Line(); } }",
    "class User { Heir heir; void run() { heir.line.pay(); a.Cart.pay(); b.Price.ONE.total(); total(); } }",
    "class CartTest { void testMade() { new Cart(new Price()).made(); } void total() { new User().run(null); } }",
    "class Other { void more() {} void pay() {} class Cart { void more() { pay(); } } }",
    "class Heir extends Cart { Heir(Cart it) { super(it); } Heir(Price it) { this(it.made()); } }",
    "class Line { Cart cart; Line() { this(null); } Line(Cart it) {} Line(Price it) {} void run() { new Line(x); } }",
    "class User { void run(Line it) { it.price().total(); var cart = it.cart(); cart.made().total(); } }",
    "class User { void run(List<Price> as, Object x) { as.sort((a, b) -> b.made()); var c = (Cart) x; c.made(); } }",
    "class User { b.Cart f; int m(a.Cart.Line it) { return a.Cart.MAX + b.Price.LEAST; } Object k = c.d.Price.class; }",
    "@lombok.Data class Price { Cart cart; boolean total; Line getMade() { return null; } }",
    "@lombok.Builder record Line(Cart cart, int pay) { int more(Kind it) { switch (it) { case ONE: pay(); } } }",
    "enum Kind { ONE, TWO } class Heir extends Price { void run(Line it) { getCart().pay(); it.pay(); isTotal(); } }",
    "class User { Kind k; void run(Heir it) { it.getCart().made(); switch (k) { case TWO: Line.builder(); } } }",
    "class Box<T extends Price, S> { T kept; List<S> all; T kept() { return kept; } Optional<S> other(); S[] made(); }",
    "class Price extends Box<Heir, Cart> {} class Order<X> extends Box<Line, X> { void run() { kept.pay(); } }",
    "class Heir extends Order<b.Cart> { void run() { kept().pay(); other().get().made(); all.get(0).pay(); } }",
    "class User { Box<Cart, Line> b; void run(Box<Heir, Price> a) { b.kept().pay(); a.kept.made(); b.other(); } }",
    "class Box<T, S> { T kept; Box<T, S> same() { return this; } Box<S, T> turned() { return null; } S kept() {} }",
    "class User { void run() { new Box<Line, Cart>().same().turned().kept().pay(); Heir it; it.same().kept(); } }",
    "class User { void run(Order it, Price a) { it.kept().pay(); a.made()[0].pay(); a.kept.price.total(); } }",
    "interface Order extends JpaRepository<Cart, Long> { Line one(); }",
    "class Kind { void all(Order it) { it.findById(1).get().made(); it.save(x).pay(); it.findAll().get(0).pay(); } }",
    "class Kind { void all(Order it) { for (var each : it.findAll()) each.pay(); it.one().pay(); } }",
    "class User { List<Cart> all; void run() { all.stream().map(Cart::made).map(a -> a.total()).get(0).pay(); } }",
    "class User { void run(List<Line> all) { all.stream().map(it -> made(it)).collect(toList()).get(0).made(); } }",
    "class User { void f(List<Cart> a) { a.stream().map(it -> newLine(it)).get(0).more(); } Cart newLine(Cart b) {} }",
    "class User { void f(List<Cart> a) { a.stream().map(it -> newLine(it)).get(0).pay(); newPrice(a).total(); } }",
    "class Heir extends Cart { void run() { newLine(this).more(); new Line(x).pay(); new Cart.Line().pay(); } }",
    "class Line extends Box<Price, Cart> { <T> T kept() {} class Held<Price> extends Box<Price, Line> {} }",
    "class User { void run(Optional<Price> it, Heir b) { it.map(b::made).flatMap(a -> a.made()).get().total(); } }",
    "class User { Object one() { return ONE; } int most() { return MAX; } }",
    "class User { void run() { Cart made = made().line.cart; Price total = total().made(); made.pay(); total.a(); } }",
    "class User { void run() { var it = total(); it.pay(); var b = a.Cart.made(it, 1); b.total(); pay(b).made(); } }",
    "class User { static Cart total() {} static Price total(Cart... all) {} void run() { total().made().pay(); } }",
    "class Over { void run(Cart it) {} void run(Price it) {} void all(Heir one, Line it) { run(one); run(it.cart); } }",
)
PATHS = (
    "a/Cart.java",
    "a/Price.java",
    "a/Extra.java",
    "a/User.java",
    "a/package-info.java",
    "b/Cart.java",
    "b/Heir.java",
    "b/User.java",
    "c/d/Price.java",
    "test/a/CartTest.java",
    "src/a/Cart.java",
)
MIXED = {
    "a/More.kt": (
        "package a\nimport b.Cart\nfun Cart.more(it: Price) { it.total(); pay() }\nfun Line.more() {}\n",
        "package a\nclass Cart { fun more() {} }\nfun total(it: Cart) { it.more(); it.pay() }\n",
        "package b\nimport a.*\nfun Price.pay() = Cart(this)\nfun run(it: Price, x: Line) { it.pay().more() }\n",
    ),
    "b/Scaled.scala": (
        "package b\nimport a.Cart\nclass Price { def total = new Cart(this).pay() }\n",
        "package b\nimport a.Line\nclass Price { def total = Line(this, null).pay() }\n",
    ),
    "a/Given.scala": (
        "package a\ncase class Line(it: Cart) { def pay() = 1 }\nobject Line { def apply(): Cart = null }\n",
        "package a\ncase class Line(it: Cart) { def pay() = 1 }\nobject Line { def apply(): Line = null }\n",
        "package a\ncase class Line(it: Cart) { def pay() = 1 }\nobject Line { def made(): Line = null }\n",
    ),
}


@cache
def facts_in(path: str, imports: str, types: tuple[str, ...]) -> FileFacts:
    package = path.removeprefix("test/").removeprefix("src/").rpartition("/")[0].replace("/", ".")
    return facts_from(path, "\n".join([f"package {package};", imports, *types]))


javas = st.builds(
    lambda imports, types: (imports, tuple(types)),
    st.sampled_from(IMPORTS),
    st.lists(st.sampled_from(TYPES), min_size=1, max_size=2),
)
trees = st.fixed_dictionaries({path: st.one_of(st.none(), javas) for path in PATHS})
others = st.fixed_dictionaries({path: st.one_of(st.none(), st.sampled_from(texts)) for path, texts in MIXED.items()})
_Tree = Mapping[str, tuple[str, tuple[str, ...]] | None]


def files_of(tree: _Tree) -> dict[str, FileFacts]:
    return {path: facts_in(path, *said) for path, said in tree.items() if said is not None}


@examples(60)
@given(trees, trees, st.lists(st.sampled_from(PATHS), min_size=1, max_size=2))
def test_types_and_files_of_java_that_come_and_go_give_the_graph_of_all_files_joined_anew(
    old: _Tree, new: _Tree, changed: list[str]
) -> None:
    before, after = files_of(old), files_of({path: new[path] if path in changed else old[path] for path in PATHS})
    assert_as_anew(before, after)


@examples(60)
@given(trees, trees, others, others, st.lists(st.sampled_from([*PATHS, *MIXED]), min_size=1, max_size=2))
def test_so_they_do_beside_kotlin_and_scala(
    old: _Tree, new: _Tree, had: Mapping[str, str | None], has: Mapping[str, str | None], changed: list[str]
) -> None:
    before = files_of(old) | {path: facts_from(path, text) for path, text in had.items() if text}
    now = {path: has[path] if path in changed else had[path] for path in MIXED}
    after = files_of({path: new[path] if path in changed else old[path] for path in PATHS})
    after |= {path: facts_from(path, text) for path, text in now.items() if text}
    assert_as_anew(before, after)


def test_a_type_that_comes_makes_nothing_of_what_is_called_like_one_that_is_made() -> None:
    user = "class User { void f(List<Cart> a) { a.stream().map(it -> newLine(it)).get(0).more(); newLine(a).more(); } }"
    without = {
        "a/User.java": facts_from("a/User.java", f"package a;\n{user}\n"),
        "a/Cart.java": facts_from("a/Cart.java", "package a;\nclass Cart { void more() {} }\n"),
    }
    line = facts_from("a/Line.java", "package a;\nrecord Line(Cart cart) { void pay() { cart.more(); } }\n")
    assert is_updated_and_undone(without, without | {"a/Line.java": line})


@pytest.mark.parametrize("said", ["", "def apply() = null", "def apply(): Line = null"])
def test_what_an_object_of_scala_gives_by_its_name_is_joined_with_who_calls_that(said: str) -> None:
    line = "package a\nclass Line { def pay() = 1 }\nobject Line { def of() = 1; XX }\n"
    user = "package b\nimport a.Line\nclass User { def run() = Line().pay() }\n"
    before = {
        "a/Line.scala": facts_from("a/Line.scala", line.replace("XX", said)),
        "a/Cart.scala": facts_from("a/Cart.scala", "package a\nclass Cart { def pay() = 1 }\n"),
        "b/User.scala": facts_from("b/User.scala", user),
    }
    after = before | {"a/Line.scala": facts_from("a/Line.scala", line.replace("XX", "def apply(): Cart = null"))}
    assert build_graph(before) != build_graph(after)
    assert is_updated_and_undone(before, after)


SHOP = {
    "a/Cart.java": "package a;\nclass Cart { Price price; Cart(Price it) {} Price made() { return price; } }\n",
    "a/Price.java": "package a;\nclass Price { Cart cart; void total() { cart.made().total(); } }\n",
    "b/User.java": (
        "package b;\nimport a.Cart;\n"
        "class User { Extra extra; void run(Cart it) { it.made().total(); extra.spent(); } }\n"
    ),
    "b/Heir.java": "package b;\nimport a.*;\nclass Heir extends Cart { void run(User it) { it.extra.spent(); } }\n",
    "test/b/ExtraTest.java": "package b;\nclass ExtraTest { void testSpent() { new Extra().spent(); } }\n",
}
EXTRA = "class Extra { Cart cart; void spent() { cart.pay(); } Extra get() { return this; } static class Inner {} }\n"


@pytest.mark.parametrize("inside", ["b/User.java", "b/Heir.java", ""])
@pytest.mark.parametrize("path", ["b/Extra.java", "b/Aaa.java", "c/Extra.java"])
def test_a_type_or_file_more_or_less_is_joined_with_who_says_its_name(inside: str, path: str) -> None:
    without = {each: facts_from(each, text) for each, text in SHOP.items()}
    more = f"package {path[0]};\n{EXTRA}"
    having = without | (
        {inside: facts_from(inside, SHOP[inside] + EXTRA)} if inside else {path: facts_from(path, more)}
    )
    assert build_graph(having) != build_graph(without)
    assert is_updated_and_undone(without, having)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("b/User.java", "import a.Cart;", "import a.Cart;\nimport java.util.List;"),
        ("b/User.java", "import a.Cart;", ""),
        ("b/User.java", "import a.Cart;", "import c.Cart;"),
        ("b/User.java", "import a.Cart;", "import a.*;"),
        ("a/Cart.java", "Cart(Price it) {}", "Cart(Price it) {} Cart(Cart it) {}"),
        ("a/Price.java", "Cart cart;", "Cart cart; enum Kind { ONE }"),
    ],
)
def test_other_imports_constructors_and_types_inside_are_joined_with_few(path: str, old: str, new: str) -> None:
    before = {each: facts_from(each, text) for each, text in SHOP.items()}
    after = before | {path: facts_from(path, SHOP[path].replace(old, new))}
    assert before != after
    assert is_updated_and_undone(before, after)


def test_what_hundreds_import_or_call_is_not_joined_with_a_file_that_comes() -> None:
    user = "package b;\nimport a.*;\nimport a.Price;\nclass User { void run(Object it) { it.get(); it.more(); } }\n"
    more = "package a;\nclass More { void more() {} }\n"
    without = {
        "a/Price.java": facts_from("a/Price.java", "package a;\nclass Price { Price get() { return null; } }\n"),
        **{path: facts_from(path, user) for path in (f"b/User{number}.java" for number in range(100))},
        **{path: facts_from(path, more) for path in (f"c/More{number}.java" for number in range(6))},
    }
    extra = "package a;\nimport java.util.Object;\nclass Extra { Price get() { return null; } void more() {} }\n"
    having = without | {"a/Rebate.java": facts_from("a/Rebate.java", extra)}
    assert is_updated_and_undone(without, having)


def test_another_constructor_is_joined_with_who_makes_objects_not_with_all_who_say_the_type() -> None:
    user = "package b;\nimport a.Cart;\nclass User { Cart cart; void run(Cart it) { it.get(); } }\n"
    before = {
        "a/Cart.java": facts_from("a/Cart.java", "package a;\nclass Cart { Cart(int one) {} }\n"),
        "a/Heir.java": facts_from("a/Heir.java", "package a;\nclass Heir extends Cart { Heir() { super(1); } }\n"),
        "a/Made.java": facts_from("a/Made.java", 'package a;\nclass Made { Cart made() { return new Cart(""); } }\n'),
        **{path: facts_from(path, user) for path in (f"b/User{number}.java" for number in range(100))},
    }
    text = "package a;\nclass Cart { Cart(int one) {} Cart(String one) {} Cart(Object... all) {} }\n"
    after = before | {"a/Cart.java": facts_from("a/Cart.java", text)}
    assert is_updated_and_undone(before, after)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("b/Extra.java", "package b;\nclass Cart {}\n"),
        ("a/Extra.java", "package a;\nclass User {}\n"),
        ("c/Extra.java", f"package c;\n{EXTRA}"),
    ],
)
def test_a_type_that_hides_another_gives_the_graph_of_all_files_joined_anew(path: str, text: str) -> None:
    without = {each: facts_from(each, source) for each, source in SHOP.items()}
    without["b/All.java"] = facts_from("b/All.java", "package b;\nimport c.*;\nclass All extends Extra { Inner it; }\n")
    having = without | {path: facts_from(path, text)}
    assert_as_anew(without, having)


def test_what_others_inherit_from_has_all_files_joined_anew_when_it_goes() -> None:
    before = {path: facts_from(path, text) for path, text in SHOP.items()}
    after = {path: facts for path, facts in before.items() if path != "a/Cart.java"}
    assert (None, None) == (update(before, after), update(after, before))


def test_what_a_type_holds_that_comes_has_all_files_joined_anew() -> None:
    without = {
        "a/Extras.java": facts_from("a/Extras.java", "package a;\nclass Extras implements Iterable<Extra> {}\n"),
        "b/Heir.java": facts_from("b/Heir.java", "package b;\nclass Heir extends a.Extras {}\n"),
        "b/User.java": facts_from(
            "b/User.java", "package b;\nclass User { void run(Heir all) { for (var it : all) it.spent(); } }\n"
        ),
    }
    having = without | {"a/Extra.java": facts_from("a/Extra.java", f"package a;\n{EXTRA}")}
    assert (None, None) == (update(without, having), update(having, without))


GIVING = (
    "interface Step { Price step(Cart it); }",
    "interface Step { void step(Line it); default void other(Cart it) {} }",
    "interface Step { void step(Line it); void other(); }",
    "interface Step<T> { void step(T it); }",
    "interface Step<A, B> { B step(B it, A other); }",
    "class Step { Step(Cart it) {} }",
    "class Flow { Flow then(Step it) { return this; } Flow then(int it) { return this; } Price then; Price each; }",
    "class Flow { Flow then(Step<Line> it) { return this; } static <T> T same(T it) { return it; } Cart same; }",
    "class Flow { void each(Consumer<Cart> it) {} <T> T made(Class<T> of) { return null; } Flow(Step<Price> it) {} }",
    "class Flow extends Base { Line then(Step it, int x) {  } static <T> T same(T it, int x) {  } }",
    "class Base { Cart then(Step<Cart> it) { return null; } void each(BiConsumer<Line, Cart> it) {} Price made() {} }",
    "class Cart { void total() {} void pay() {} }",
    "class Line { void total() {} Cart pay; }",
    "class Price { void total() {} void pay() {} }",
    "enum Code { TWO, THREE; Code next() { return THREE; } }",
    "class Use { Object run() { return Code.ONE == Code.TWO ? Code.THREE : TWO; } }",
    "enum Code { ONE, TWO; void total() {} }",
    "class Use { void run(Flow it) { it.then(x -> x.total()); it.then(x -> x.pay(), 1).total(); it.then(1).pay(); } }",
    "class Use { void run(Flow it) { it.then(1).then(x -> x.pay()).each(x -> x.total()); it.each((x, y) -> y.pay());}}",
    "class Use { void run(Flow it, Cart c) { Flow.same(c).pay(); Flow.same(c, 1).total(); it.made(Cart.class).pay();}}",
    "class Use { void run() { Step<Cart> s = x -> x.total(); new Flow(x -> x.total()); new Step(x -> x.pay()); } }",
    "class Use { void run(Object it) { ONE.total(); ((Line) it).pay.total(); Flow f = it; f.each(x -> x.pay()); } }",
)
givers = st.builds(
    lambda imports, types: (imports, tuple(types)),
    st.sampled_from(["", "import a.*;", "import b.*;", "import static a.Code.ONE;", "import a.Step;\nimport b.Flow;"]),
    st.lists(st.sampled_from(GIVING), min_size=1, max_size=3),
)
GIVING_PATHS = ("a/Step.java", "a/Flow.java", "a/Cart.java", "a/Use.java", "b/Step.java", "b/Base.java", "b/Use.java")
giving_trees = st.fixed_dictionaries({path: st.one_of(st.none(), givers) for path in GIVING_PATHS})


@examples(60)
@given(giving_trees, giving_trees, st.lists(st.sampled_from(GIVING_PATHS), min_size=1, max_size=2))
def test_what_lambdas_and_callers_are_given_is_that_of_all_files_joined_anew(
    old: _Tree, new: _Tree, changed: list[str]
) -> None:
    before = files_of(old)
    after = files_of({path: new[path] if path in changed else old[path] for path in old})
    assert_as_anew(before, after)
