"""A graph of C#, Kotlin and Scala brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping
from functools import cache

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged, facts_from, is_updated, is_updated_and_undone, reworded, update

from ctxcode.codegraph.edges import RESOLUTIONS
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.graph import build_graph
from ctxcode.codegraph.resolve.named.parts import MOST_PARTS
from ctxcode.model.symbol import Resolution

LINES = {
    "cs": (
        "class Cart { void T() { if (a) { var o = new Price(); o.Pay(); } else { var o = new Line(); o.Total(); } } }",
        "class Cart : Price { Price own; Cart(Price it) { own = it; } public Cart Add() { own.Pay(); return this; } }",
        "partial class Cart { Cost cost; public Cost Made(Cost one) { one.Pay(); Pay(); return cost.More(1); } }",
        "partial class Cart : Price { void Paid(Line it) { Made(null).Pay(1); Add(); it.Total(); own.Pay(); } }",
        "partial class Line : Cart { Cost rest; Line More() { rest.Pay(1); Total(); Add(); return Part(this); } }",
        "partial class Line { static void Part(Line it) { it.More().Total(); it.Own.Made(null); it.rest.More(); } }",
        "class Price : IPaid { public void Pay() { new Cart(this).Add().Pay(); } public static Cart Made() { } }",
        "class Price<T> : Price { void Rest(Line it) { Pay(); Made().Add(); it.Own.Pay(); } }",
        "interface IPaid { void Pay(); Cart Total(Line one); }",
        "class Line { Cart Own { get; set; } class Part { void Pay() { Total(); } } void Total() { Own.Add(); } }",
        "static class Ext { public static Price More(this Cart it) { return it.Made(null); } }",
        "static class Extra { public static Cart More(this Price it, int one) { it.Pay(); return it.More(); } }",
        "struct Cost { Cost(int one) {} Cost(Line one) {} void Pay(int a) {} void Pay(Line a) { a.Total(); } }",
        "class Cart { const int Max = 3; class Held {} int Of() => Max + Price.Least; Held H() => null; }",
        "class Price { const int Least = 1; class Inner : Cart { int P() { Held h; return Max + Least + Most; } } }",
        "class MarkAttribute { const int Most = Max; } class User : MarkAttribute { [Mark] Cart P() { return Most; } }",
        "enum Kind { One, Two }",
        "class User { void Run(Cart it) { it.Add().Pay(); it.More().Total(); x.Pay(1); y.More(); Price.Made(); } }",
        "class User : Cart { void Run(IPaid it) { it.Total(null).Pay(); Pay(); Add(); base.Pay(); new Line.Part(); } }",
        "class User { void Run() { var it = Shop.Price.Made(); it.Add(); S.Cart.Made(); Kind.One.More(); } }",
        "class CartTest { void TestAdd() { new Cart(null).Add(); x.Total(); } }",
        "delegate Cart Making(Price one);",
        "class Line { List<Cart> all; public Dictionary<string, Price> By; public IEnumerable<Line> Made() { } }",
        "class User { void Run(Line it) { foreach (var one in it.Made()) one.Total(); it.By.Values.Last().Pay(); } }",
        "class User { Price[] few; void Run(Cart it) { few[0].Pay(); few.Select(x => x.More()); few.Each().Pay(); } }",
        "class Cost : List<Line> { void Run() { foreach (var it in this) it.Total(); var x = from y in z select y; }}",
        "class User { void Run<T>(T it) where T : Cart { it.Add().Pay(); it.By.TryGetValue(1, out var x); x.Pay(); } }",
        "static class Each { public static Price Each(this IEnumerable<Price> it) { return it.First(); } }",
        "partial class Cart { void Init() { Load += this.Paid; Act(this.Add, this.Pay, new RunHandler(paid_Run)); } }",
        "partial class Cart { void paid_Run(Line it) { } void Over() { Load -= this.paid_Run; } }",
        "using Shop;",
        "using Shop.Deep;",
        "using Deep;",
        "using static Shop.Ext;",
        "using S = Shop;",
        "using Cost = Shop.Price;",
        "using System.Linq;",
    ),
    "kt": (
        "class Cart { fun two() { if (a) { val o = Price(); o.pay() } else { val o = Line(); o.pay() } } }",
        "class Cart(val own: Price) : Price() { fun add(): Cart { own.pay(); return this }\n  val cost = Cost() }",
        "class Cart { fun made(one: Cost): Cost = one.more(1)\n  companion object Of { fun of() = Price()\n  } }",
        "open class Price : Paid { override fun pay() { Cart(this).add().pay() }\n  fun made() = Cart(this) }",
        "interface Paid { fun pay()\n  fun total(one: Line): Cart }",
        "class Cart(val own: Price) : Paid by own { infix fun made(one: Cost) = one more own\n  fun add() = own::pay }",
        "class User(val own: Cart) : Paid by own { fun run() { x(this::pay); own made Cost(); 1 more 2; it pay it } }",
        "class Line { val own = Cart()\n  class Part { fun pay() { total() }\n  }\n  fun total() { own.more() } }",
        "class Line : Cart() { class Held\n  fun of(it: Held, one: Part) = ::more\n  fun Held.up(it: Part) {} }",
        "open class Cart { class Part\n  object Few { val MAX = Part() }\n  fun two() = Few\n  fun it() = f(::pay) }",
        "fun Cart.more(): Price = made(null)",
        "fun Price.more(one: Int): Cart { pay(); return more() }",
        "fun <T> T.pay() = total()",
        "object Cost { fun pay(a: Int) {}\n  fun pay(a: Line) { a.total() }\n  fun Cart.more() = this.add() }",
        "enum class Kind { ONE { fun pay() { total() } }, TWO }",
        "fun total(it: Cart): Price { it.add().pay(); it.more().total(); x.pay(1); return made() }",
        "fun total() { made().pay(); y.more(); Cart.of().pay(); shop.Price().made(); Kind.ONE.pay(); ONE.pay() }",
        "class User : Cart() { fun run(it: Paid) { it.total(null).pay(); pay(); add(); super.pay(); Line.Part() } }",
        "class CartTest { fun testAdd() { Cart(x).add(); it.total() } }",
        "val made = Price()\nval Cart.sum get() = made()",
        "typealias Cost = Cart",
        "const val MOST = 3\nval least = MOST\nobject Few { const val MAX = 1\n  val made = least }",
        'class Line(val it: Int = least) { fun sum() = least + Few.MAX\n  fun text() = "$MOST $least" }',
        "fun sum() = shop.Few.MAX + shop.deep.MOST\nval it: shop.Cart = shop.deep.Line.x\nfun few() = MAX + least",
        "class Line(val all: List<Cart>, val by: Map<String, Price?>) { fun made(): MutableList<Line> = x }",
        "fun <C : Cart> total(it: C) { it.add().pay(); if (!it.made()) more<Line>(it) }",
        "fun <C : Price> more(one: C): List<Cost> { one.pay(); one.let { it.made() } }",
        "class User(var line: Line) { fun run() { line.all.forEach { it.add() }; line.by[1]?.also { p -> p.pay() }}}",
        "class User(val line: Line) { fun run() { for (it in line.made()) it.total(); line.by.values.last().more() }}",
        "fun List<Cart>.more() = first().add()\nfun Price.each() { more(x).filter { it.pay() }.first().more() }",
        "fun made() = made",
        "typealias Cost = Price",
        "class User(val it: Cart) { fun run() { it.apply { add(); total(it) }; with(it.own) { pay() }; more() } }",
        "class Line { val late by lazy { Cart() }\n  fun own() = late\n  val me get() = this }",
        "fun total(it: Line) { val x = it.own() ?: return; x.add(); it.me.apply { pay() }.more(); own().run { x() } }",
        "fun more(by: Map<String, Cart>) { for ((k, x) in by) x.add(); by.forEach { (k, x) -> x.more().pay() } }",
        "import shop.*",
        "import shop.deep.*",
        "import shop.Cart",
        "import shop.Price as Cost",
        "import shop.more",
        "import shop.made as total",
        "import shop.Kind.*",
        "import shop.Kind.ONE",
        "import shop.Few.MAX",
        "import shop.least",
    ),
    "scala": (
        "class Cart { def two() = { if (a) { val o = new Price(); o.pay() } else { val o = new Line(); o.pay() } } }",
        "class Cart(val own: Price) extends Price { def add(): Cart = { own.pay(); this }\n val cost = new Cost() }",
        "object Cart { def made(one: Cost): Cost = one.more(1)\n def apply() = new Cart(null) }",
        "class User extends Cart { def info = x(own, pay, made)\n def held = info + kept\n class In { def f = rest } }",
        "trait Paid { def rest = 1\n def info(a: Int) = pay\n def made = rest\n def kept = held\n def held(b: Int) }",
        "class Price extends Paid { def pay() = { new Cart(this).add().pay() }\n def made(): Cart = new Cart(this) }",
        "trait Paid { def pay(): Unit\n def total(one: Line): Cart }",
        "class Line { val own: Cart = x\n class Part { def pay() = total() }\n def total() = { own.add().pay() } }",
        "object Cost { def pay(a: Int) = 1\n def pay(a: Line) = a.total()\n def +(one: Cart) = one.add() }",
        "class User extends Cart(null) { def run(it: Paid) = { it.total(null).pay(); pay(); add(); super.pay() } }",
        "class User { def run(it: Cart) = { it.add().pay(); x.pay(1); Cart.made(null).pay(); shop.Cost.pay(1) } }",
        "class CartTest { def testAdd() = { new Cart(x).add(); it.total() } }",
        "def total(it: Line) = { it.total(); made.pay() }\nval made = new Price()",
        "class Line { val it: shop.Cart = shop.Few.Max\n def of(it: shop.deep.Line): shop.Price = x }",
        "object Few { val Max = 3 }",
        "class User { val own: Cart = x\n def run(it: Price) = { own.add; it made null; own add 1; Cart.made.pay } }",
        "package object deep { def total(one: Price) = one.pay() }",
        "import shop._",
        "import shop.deep._",
        "import shop.{Cart, Price => Cost}",
        "import shop.deep",
        "import shop.Cost._",
    ),
}
STEMS = ("Cart", "Price", "Deep/Line", "Deep/Price", "a", "b", "User", "test/CartTest", "test/b")
WORDS = ("Cart", "Price", "Line", "Cost", "more", "pay", "Pay", "total", "Total", "made", "More", "private", ": Price")


def paths_of(endings: str) -> list[str]:
    return [f"src/{stem}.{ending}" for ending in endings.split() for stem in STEMS]


@cache
def facts_in(path: str, source: str) -> FileFacts:
    lines = source.split("\n")
    imports = [line for line in lines if line.startswith(("using ", "import "))]
    rest = [line for line in lines if not line.startswith(("using ", "import "))]
    ending = path.rpartition(".")[2]
    named = "" if path.endswith(f"b.{ending}") else "Shop.Deep" if "/Deep/" in path else "Shop"
    head = [f"namespace {named};" if ending == "cs" else f"package {named.lower()}"] if named else []
    # The same package said in two clauses knows what stands in the one around it, too.
    head = ["package shop", "package deep"] if path.endswith("Deep/Line.scala") else head
    order = [*imports, *head, *rest] if ending == "cs" else [*head, *imports, *rest]
    return facts_from(path, "\n".join(order))


def facts_of_all(tree: Mapping[str, str]) -> dict[str, FileFacts]:
    return {path: facts_in(path, source) for path, source in tree.items()}


def sources(ending: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(LINES[ending]), min_size=1, max_size=5).map("\n".join)


def trees(endings: str) -> st.SearchStrategy[dict[str, str]]:
    files = [st.tuples(st.sampled_from(paths_of(ending)), sources(ending)) for ending in endings.split()]
    return st.lists(st.one_of(files), min_size=4, max_size=9).map(dict)


def changes(endings: str) -> st.SearchStrategy[list[tuple[str, str, str]]]:
    lines = [line for ending in endings.split() for line in LINES[ending]]
    new = st.sampled_from([*lines, *WORDS])
    return st.lists(
        st.tuples(st.sampled_from(paths_of(endings)), st.sampled_from(["", *WORDS]), new), min_size=1, max_size=2
    )


FAMILIES = ("cs", "kt", "scala", "kt scala")


@pytest.mark.parametrize("endings", FAMILIES)
def test_edited_files_give_the_graph_of_all_files_joined_anew(endings: str) -> None:
    joined = []

    @examples(30)
    @given(trees(endings), changes(endings))
    def check(tree: Mapping[str, str], changed: list[tuple[str, str, str]]) -> None:
        joined.append(is_updated(facts_of_all(tree), facts_of_all(reworded(tree, changed))))

    check()
    assert sum(joined) * 3 > len(joined)


@pytest.mark.parametrize("endings", FAMILIES)
def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew(endings: str) -> None:
    joined = []

    @examples(30)
    @given(trees(endings), st.sets(st.sampled_from(paths_of(endings)), max_size=1), trees(endings))
    def check(tree: Mapping[str, str], gone: set[str], come: Mapping[str, str]) -> None:
        kept = exchanged(tree, gone, come)
        joined.append(is_updated(facts_of_all(tree), facts_of_all(kept)))

    check()
    assert sum(joined) * 8 > len(joined)


SHOPS = {
    "cs": {
        "src/Cart.cs": "class Cart { Price own; public Price Made() { return own; } }",
        "src/User.cs": "class User { void Run(Cart it, Extra more) { it.Made().Spent(); more.Made().Sum(1); } }",
        "src/Other.cs": "class Other { void Run() { x.Unknown(); new User(); } }",
    },
    "kt": {
        "src/Cart.kt": "class Cart { val own = Price()\n  fun made(): Price = own }",
        "src/User.kt": "class User { fun run(it: Cart, more: Extra) { it.made().spent(); more.made().sum(1) } }",
        "src/Other.kt": "class Other { fun run() { x.unknown(); User() } }",
    },
    "scala": {
        "src/Cart.scala": "class Cart { def made(): Price = x }",
        "src/User.scala": "class User { def run(it: Cart, more: Extra) = { it.made().spent(); more.made().spent() } }",
        "src/Other.scala": "class Other { def run() = { x.unknown(); new User() } }",
    },
}
COMING = {
    "cs": "class Price { public void Spent() {} }\nclass Extra : Cart { Price Made() {} }\n"
    "static class Sums { public static int Sum(this Price it, int one) { return 1; } }",
    "kt": "class Price { fun spent() {}\n}\nclass Extra : Cart() { fun made() = Price()\n}\nfun Price.sum(a: Int) = 1",
    "scala": "class Price { def spent() = 1 }\nclass Extra extends Cart { def made(): Price = x }",
}


@pytest.mark.parametrize("path", ["src/Price", "src/Other", "src/a"])
@pytest.mark.parametrize("ending", list(SHOPS))
def test_types_and_files_that_come_and_go_are_joined_with_who_says_their_names(ending: str, path: str) -> None:
    shop = SHOPS[ending]
    without = facts_of_all(shop)
    having = facts_of_all(shop | {f"{path}.{ending}": f"{shop.get(f'{path}.{ending}', '')}\n{COMING[ending]}"})
    assert build_graph(having).edge_count > build_graph(without).edge_count + 6
    assert is_updated_and_undone(without, having)


@pytest.mark.parametrize("using", ["using System.Linq;", "using Shop;"])
def test_what_a_file_of_csharp_imports_everything_of_is_nothing_to_the_others(using: str) -> None:
    before = facts_of_all(SHOPS["cs"])
    after = before | facts_of_all({"src/User.cs": f"{using}\n{SHOPS['cs']['src/User.cs']}"})
    assert before != after
    assert is_updated_and_undone(before, after)


def test_many_methods_of_a_name_that_functions_are_called_by_have_no_other_joined() -> None:
    calling = {f"src/by{number}.kt": "fun run(it: Any) { it.toText(); x.toText() }" for number in range(80)}
    shop = {**calling, "src/a.kt": "class A { fun toText() = 1 }", "src/b.kt": "fun A.toText(one: Int) = 2"}
    before, after = facts_of_all(shop), facts_of_all(shop | {"src/c.kt": "class C { fun toText() = 1 }"})
    more = {f"src/more{letter}.kt": f"class {letter} {{ fun toText() = 1 }}" for letter in "DEFGHIJ"}
    assert (None, None) == (update(before, after), update(after, before))
    before, after = before | facts_of_all(more), after | facts_of_all(more)
    assert is_updated_and_undone(before, after)


@pytest.mark.parametrize(
    "source",
    [
        (
            "src/a.kt",
            "class A {\n  object Part { fun made() {}\n}\n  class B {\n class C { fun run() { Part.made() }\n}\n}\n}",
        ),
        (
            "src/a.scala",
            "class A {\n  object Part { def made() = 1 }\n  class B { class C { def run() = Part.made() } }\n}",
        ),
    ],
)
def test_what_stands_in_a_class_far_around_is_known_to_files_joined_again_and_to_all(source: tuple[str, str]) -> None:
    path, text = source
    before = facts_of_all({path: text, "src/b.kt": "class Other"})
    after = before | facts_of_all({path: f"{text}\nclass More"})
    assert (
        build_graph(after).edge_count
        > build_graph(after | facts_of_all({path: text.replace("Part.made()", "x")})).edge_count
    )
    assert build_graph(after) == update(before, after)


def test_a_type_in_too_many_places_is_joined_in_none_and_again_when_one_is_gone() -> None:
    files = {f"src/p{number}.cs": f"partial class Cart {{ void Pay{number}() {{ Pay0(); }} }}" for number in range(151)}
    many = facts_of_all(files)
    few = {path: facts for path, facts in many.items() if path != "src/p150.cs"}
    assert len(few) == MOST_PARTS
    calls = [graph.resolutions.count(RESOLUTIONS.index(Resolution.RECEIVER)) for graph in map(build_graph, (few, many))]
    assert calls == [149, 0]
    assert is_updated(few, many) is False
    assert is_updated(many, few) is False
