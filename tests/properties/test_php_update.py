"""A graph of PHP brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping
from functools import cache

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged, facts_from, is_updated, is_updated_and_undone, reworded

from ctxcode.codegraph.facts import FileFacts

LINES = (
    "/** @template T */\nclass Price { /** @return T */ function made() {}\n/** @var T */ public $own; }",
    "/** @template T of Cart */\nclass Price { /** @return T */ function made() {}\n/** @var T */ public $own; }",
    "/** @extends Price<Cost> */\nclass Line extends Price { function b() { $this->made()->pay(); $this->own->b(); } }",
    "/** @template T\n@extends Price<T> */\nclass Cart extends Price { function add() { $this->made()->total(); } }",
    "",
    "class Cart extends Price { private Price $own; function add() { $this->own->pay(); $this->pay(); total(); } }",
    "class Cart { use Paid; public ?Cost $cost; function add(Cost $one): Cart { $one->pay(); return $this; } }",
    "class Price { function pay() { (new Cart())->add()->add(); Cart::made()->pay(); } static function made() {} }",
    "class Price extends Line implements Payable { const LIMIT = 3; function pay(): Line { return self::made(); } }",
    "class Cart extends Price { const MAX = 1; function made() { return self::MAX + static::LIMIT + parent::PAID; } }",
    "class Price { const LIMIT = 2; const PAID = self::MAX; function add() { return self::PAID; } }",
    "interface Payable { function pay(); }",
    "trait Paid { function pay() { $this->add(); total(); } private function hidden() {} }",
    "class Line { /** @var Cart */ public $cart; function total() { $this->cart->add(); $x->total(); } }",
    "abstract class Cost { abstract function made(): Price; function add() { $this->made()->pay(); } }",
    "function total(Cart $cart) { $cart->add(); \\Shop\\total(); return new Price(); }",
    "function total() { $one = total(); $one->pay(); foreach ($all as $line) { $line->total(); } }",
    "function made(): Cart { return new \\Shop\\Cart(); }",
    "made()->add(); $x = new Line(); $x->cart->add(); Price::made();",
    "$cart->add(); $x->hidden(); (new Shop\\Price())->pay(); Line::class;",
    "class CartTest { function testAdd() { (new Cart())->add(); } }",
    "class Cart extends Line { use Paid; function add() { $this->total(); parent::pay(); made([$this, 'pay']); } }",
    "trait Paid { abstract function total(); function made() { $this->total(); made([Price::class, 'made']); } }",
    "trait Paid { use Cost; function total() {} function pay() { return parent::made(); } }",
    "trait Cost { function made() {} abstract function pay(); }",
    "const LIMIT = 4;",
    "function made($it) { if ($it) { $x = new Cart(); } else { $x = new Price(); } $x->pay(); return $x; }",
    "class Line { private $own; function made() { return $this->own ??= new Cart(); } }",
    "function total(?Cart $it) { $one = $it ?? new Price(); $one->pay(); $two = $it; $two->add()->add(); }",
    "function made($it) { $one = $it ? new Line() : null; $one->made()->add(); return new Line(); }",
    "class Cart { use Paid, Cost { pay as made; Cost::made as protected add; } function total() { $this->made(); } }",
    "enum Cost { case One; case Two; function pay() { return self::Two; } static function made() {} }",
    "function made() { Cost::One->pay(); $one = \\Shop\\Cost::Two; $one->add(); usort($one, 'Shop\\Cart::made'); }",
    "add_action('made', 'total'); array_map(['Shop\\Price', 'made'], $x); call_user_func('made');",
    "use Shop\\Cart;",
    "use Shop\\Price as Cost;",
    "use Other\\{Cart, Line as Price};",
    "use Shop\\Price;",
    "use function Shop\\total;",
    "use Shop\\Deep;",
    "function made() { Deep\\total(); return new Deep\\Line(); }",
    'require "total.php";',
    'require_once __DIR__ . "/Cart.php";',
)
PATHS = (
    *("src/Cart.php", "src/Price.php", "src/Line.php", "src/total.php", "src/Other/Cart.php", "src/Other/Line.php"),
    *("src/a.php", "src/b.php", "src/Deep/Cart.php", "src/Deep/Line.php", "tests/CartTest.php", "tests/a.php"),
)


@cache
def facts_in(path: str, source: str) -> FileFacts:
    lines = source.split("\n")
    uses = [line for line in lines if line.startswith("use ")]
    rest = [line for line in lines if not line.startswith("use ")]
    inside = "Shop\\Deep" if "/Deep/" in path else "Shop"
    namespace = "Other" if "/Other/" in path else "" if path.endswith("a.php") else inside
    head = [f"namespace {namespace};"] if namespace else []
    return facts_from(path, "\n".join(["<?php", *head, *uses, *rest]))


trees = st.dictionaries(
    st.sampled_from(PATHS), st.lists(st.sampled_from(LINES), min_size=1, max_size=6).map("\n".join), min_size=3
)
WORDS = ("add", "total", "pay", "made", "Cart", "Price", "Line", "Cost", "private", "extends Price", "$this->")


def facts_of_all(tree: Mapping[str, str]) -> dict[str, FileFacts]:
    return {path: facts_in(path, source) for path, source in tree.items()}


def test_edited_files_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(
        trees,
        st.lists(
            st.tuples(st.sampled_from(PATHS), st.sampled_from(["", *WORDS]), st.sampled_from([*LINES, *WORDS])),
            min_size=1,
            max_size=2,
        ),
    )
    def check(tree: Mapping[str, str], changes: list[tuple[str, str, str]]) -> None:
        joined.append(is_updated(facts_of_all(tree), facts_of_all(reworded(tree, changes))))

    check()
    assert sum(joined) * 3 > len(joined)


def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees, st.sets(st.sampled_from(PATHS), max_size=1), trees)
    def check(tree: Mapping[str, str], gone: set[str], come: Mapping[str, str]) -> None:
        kept = exchanged(tree, gone, come)
        joined.append(is_updated(facts_of_all(tree), facts_of_all(kept)))

    check()
    assert sum(joined) * 8 > len(joined)


def test_who_imports_a_namespace_is_joined_again_when_another_file_stands_for_it() -> None:
    tree = {"src/Deep/Line.php": "", "src/a.php": "use Shop\\Deep;"}
    more = tree | {"src/Deep/Cart.php": ""}
    assert is_updated_and_undone(facts_of_all(tree), facts_of_all(more))
