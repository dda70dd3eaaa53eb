"""A graph brought in step with changed bodies equals the graph of all files joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from updated_graph import BODIES, CALLS, assert_as_anew, facts_from, facts_of, is_updated_and_undone, update

from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.resolve.graph import build_graph


def some_of(kinds: Mapping[str, tuple[str, ...]]) -> st.SearchStrategy[Mapping[str, str]]:
    return st.fixed_dictionaries({path: st.sampled_from(kinds[path.rpartition(".")[2]]) for path in BODIES})


changes = st.lists(st.sampled_from(list(BODIES)), min_size=1, max_size=4)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(some_of(CALLS), some_of(CALLS), changes)
def test_changed_bodies_give_the_graph_of_all_files_joined_anew(
    old: Mapping[str, str], new: Mapping[str, str], changed: list[str]
) -> None:
    before = {path: facts_of(path, body) for path, body in old.items()}
    after = before | {path: facts_of(path, new[path]) for path in changed}
    assert build_graph(after) == update(before, after)


EXTRAS = {
    "py": (
        "",
        "def with_tax(): pass\n",
        "def total(items):\n    return make()\n",
        "def send() -> Price: ...\n",
        "def make():\n    def add(): add()\n    add()\n",
        "spare = Price()\n",
        "spare = make()\nspare.add(1)\n",
        "same = spare\n",
        "LIMIT = 3\nCost = Cart\n",
        "from shop.price import total as make\n",
        "from .price import Price as Spare\nspare = Spare()\n",
        "from shop.cart import make, spare\n",
        "def price(): pass\ndef Price(): pass\n",
        "class Extra(Price):\n    def add(self): self.with_tax()\n",
        "class Row(Price):\n    def more(self): send(self.with_tax, self.add)\n    def add(self): ...\n",
        "class Price(Extra):\n    def with_tax(self): return [self.add, self.with_tax, self.send]\n",
        "import shop.price as cart\n",
        "from shop import *\n",
        "_hidden = 1\ndef _add(): pass\n",
        "send = total\nspare: Price = make()\ncost, price = 1, 2\nadd = partial(send)\nadd(); send()\n",
        "class Price(Enum):\n    add = 1\n    TAX = make\n    def rate(self): return self.TAX, Price.add, self.TAX()\n",
        "class Extra(Price):\n    add = make()\n    with_tax: int\ndef send(it: Extra):\n    return it.add, it.tax()\n",
        "class Row(Extra):\n    def with_tax(self): return self.add()\n    def more(self): return self.with_tax\n",
        "class Extra(Price):\n    TAX = total\n    def send(self):\n        self.TAX()\n        return self.TAX\n",
        "def send():\n    Price.TAX()\n    return Price.add, spare, Cart.TAX, Extra.TAX\n",
        "def total(of: list[Price]):\n    one = max(of)\n    one.add()\n    two, *rest = of\n    two.send()\n",
        "T = TypeVar('T', bound=Price)\ndef price(it: T):\n    it.add()\n",
        "class Extra(Price, Generic[T]):\n    send: T\n    def make(self) -> T: ...\nT = TypeVar('T', bound=Price)\n",
        "class Row(Extra[Cart]):\n    def more(self): self.send.add(), self.make().with_tax()\n",
        "class Cart(Row):\n    def add(self): self.send.with_tax()\ndef total(of: Row): of.make().add()\n",
        "spare: Extra[Price] = make()\ndef total(of: Extra[Cart]): of.make().add(), spare.send.with_tax()\n",
        "class Extra(Price):\n    def make(self):\n        it = self.send()\n        return it\n    add = 1\n",
        "class Price(Cart):\n    def send(self):\n        it = self.__class__()\n        return it\n",
        "def price(of: Extra):\n    of.make().add(), of.send().with_tax(), Extra().make().send().add()\n",
        "def send():\n    of = [x for x in make() if x]\n    of[0].add()\n",
        "def make() -> list[Cart]: ...\nspare = next(x for x in make() if x)\nspare.add()\n",
        "spare = {}\nspare['a'] = Price()\ndef make(it: Cart):\n    of = []\n    of.append(it)\n    return of\n",
        "def send(of):\n    of = []\n    of.append(make())\n    of[0].add(), spare['a'].add(), make(1)[0].with_tax()\n",
        "def make():\n    for it in (Price(), Cart()):\n        yield it\ndef total(of=None):\n    yield Price()\n",
        "def send():\n    for it in make():\n        it.add()\n    for it in total():\n        it.with_tax()\n",
        "class Extra(Price):\n    def make(self):\n        self.of = []\n    def more(self): self.of[0].add()\n",
        "class Row:\n    of = []\n    def send(self, it: Cart): self.of.append(it)\n    def x(it): Row.of[0].add()\n",
        "def lazy(it):\n    @wraps(it)\n    def inner(): ...\n    return inner\nspare = lazy(make)\nspare().add()\n",
        "def lazy(it):\n    return it\ndef make(): return Price()\nfrom shop.cart import spare\nspare().add()\n",
        "spare = list[Price]\nSpare = dict[str, Cart]\nRow = list[Price]\ndef send(it: Row, of: Spare): it[0].add()\n",
        "def send(it):\n    if isinstance(it, (Price, Cart)): it.add()\n    cls = make()\n    cls().add()\n",
        "spare = {'a': Price, 'b': Cart}\nmake = [total, send]\ndef price(it): spare[it]().add(), make[0]().add()\n",
        "class Price(Cart):\n    one = None\n    @classmethod\n    def make(cls): cls.one = cls(); return cls.one\n",
        "def send(): Extra.make().add(), Price.make().add()\n",
        "spare = None\ndef make(it):\n    global spare\n    spare = Price() if it else Cart()\n    of = it = total()\n",
        "spare = None\ndef send():\n    global spare\n    spare = total()\ndef price(): spare.add()\n",
        "def send():\n    try: make()\n    except (Price, Cart) as it: it.add()\n    except Extra as it: it.tax()\n",
        "def total():\n    it: Price\n    it = make()\n    return it\n",
        "class Extra:\n    def __getattr__(self, name): ...\nclass Row(Extra): ...\n",
        "def price(of: Row, it: Extra): of.with_tax(), it.add(), Extra().make(), of.more()\n",
        "class Row(Price):\n    def __getattr__(self, name): ...\n",
        "class Row:\n    def __init__(self, it: Price): self.of, self.kept = 1, it.add; self.send = it.add\n",
        "class Row(Price):\n    add = send = None\n    def more(self): self.add(), self.send(), self.make()\n",
        "class Extra:\n    class Price:\n        def add(self): 1\n    of = Price()\n    def more(it): it.of.add()\n",
        "class Row(Extra):\n    def make(): return Price\n    one = make()\n    def add(self): self.one(), self.of()\n",
        "try: from shop.price import Price, make\nexcept OSError: Price = make = None\nPrice().add(), make()\n",
        "class Extra(Price):\n    def __call__(self): return Price()\nspare = Extra()\nmake = Price()\n",
        "class Price(Cart):\n    def __call__(self) -> Cart: ...\n",
        "def price(of: Extra, it: Cart): of(), it(), spare(), make()\n",
        "class Row(Extra):\n    one: Extra\n    def add(self): self.one(), self.send(), self()\n    send = Price()\n",
        "def price(it): of = partial(it, 1); one = partial(make); Row(1).send(), Row(1).make().add(), one().add()\n",
    ),
    "ts": (
        "",
        "export function post() { run(); }\n",
        "export function make(): Cart { return x; }\nmake().add();\n",
        "export const spare = new Cart();\nspare.pay();\n",
        "import { Cart as Web } from './cart';\nexport const send = Web;\n",
        "function Cart() {}\nCart.prototype.pay = function () { this.add(); };\n",
        "export { run as post } from './index';\n",
        "function hidden() { run(); }\nexport { hidden as send, hidden as default };\n",
        "export default function whole() { post(); }\n",
        "import { Cart } from './cart';\nexport default connect(run)(memo(Cart));\n",
        (
            "import Web from './index';\nWeb();\n"
            "async function send() { const { run, pay: web } = await import('./cart'); run(); web();\\n"
            "  (await import('./client')).post(); import('./cart').then((it) => it.make()); }\\n"
        ),
        (
            "export const spare = defineStore('a', () => { function add() { run(); } return { add, pay: add }; });\n"
            "spare().pay(); const { add: make } = spare(); make();\n"
        ),
        (
            "import { spare } from './cart';\n"
            "export const web = defineStore('b', { actions: { pay() { spare().pay(); } } });\nweb().pay();\n"
            "function send() { import('./client').then(({ post, spare: of }) => { post(); of().add() }) }\n"
        ),
        "export const { pay, add: make } = web;\nweb.on = function () { pay(); };\nweb.go = function send() {};\n",
        "module.exports = class Cart { constructor(private cart: Cart) { this.cart.pay(); } pay() {} };\n",
        "module.exports = run;\nfunction run() {}\nrun.pay = function () { this.send(); };\nrun.send = () => 1;\n",
        "var run = module.exports;\nrun.pay = function () { run.send(); new (Cart)().pay(); };\nrun.send = () => 1;\n",
        "function run(it) { /** @type {Cart} */ (it).pay(); const one = /** @type {Cart} */ (it); one.pay(); }\n",
        "export const api = { post, pay: make, add() { this.send(); }, send() {} };\napi.pay(); api.add();\n",
        "export function make() { return { pay: run, add() {} }; }\nmake().pay(); make().add();\n",
        (
            "const web = require('./client');\nconst shop = require('./cart');\n"
            "web(); shop(); shop.pay(); web.api.pay();\n"
        ),
        (
            "export interface send { pay(): void }\ntype Both = send;\n"
            "function paid(a: send, b: Both) { a.pay(); b.add(); }\n"
        ),
        "import { Cart } from './cart';\nCart.prototype.more = function () { this.pay(); };\nnew Cart().more();\n",
        "export class Extra extends Cart { more() { this.pay(); } }\nexport enum send { pay }\nnew Extra().add();\n",
        "export class Row extends Cart { more() { post(this.pay, this.more, this.add); } add() {} }\n",
        "import { send } from './client';\nexport enum run { pay, add }\nexport const kinds = [send.pay, run.add];\n",
        "export class Box<T> { kept: T; make(): T { return x; } add(): Box<T> { return this; } }\n",
        "import { Box, Cart } from './cart';\nfunction own(it: Box<Cart>) { it.kept.pay(); it.add().make().add(); }\n",
        "export class Box<T> { kept: Row<T>; }\nexport class Row<T> { post(): T { return x } }\n",
        "class Own extends Box<Cart> { send() { this.kept.pay(); this.make().add(); this.kept.post().pay(); } }\n",
        "function bound(this: Cart) { this.pay(); const self = this; self.add(); const post = make(); post(); }\n",
        "export class Extra extends Cart { static add() {} more() { this.constructor.pay(); Extra.pay(); } }\n",
        "export class Row extends Cart { static pay() {} add() {} }\nnew Row().pay(); Row.add(); Extra.add();\n",
        "function Row() {}\nRow.add = Extra.add;\nRow.prototype.add = make;\nRow.add();\nmodule.exports = Row;\n",
    ),
    "rs": (
        "",
        "fn add() { make().pay() }\n",
        "impl Cart { fn total(&self) -> Cart { self.pay() } }\n",
        "pub fn cart() {}\nuse crate::make as pay;\n",
        "pub const SPARE: Cart = make();\n",
        "pub struct Price;\nimpl Price { fn add(&self) {} }\n",
        "pub enum Kind { Paid, Free }\nimpl Kind { fn own() { Self::Paid; Kind::Free; crate::Kind::Free; } }\n",
        "pub type Basket = Cart;\nfn total(basket: &Basket) -> Option<Cart> { basket.pay() }\n",
        "trait More: Paid { fn total(&self); }\nimpl<T: Paid> More for T { fn total(&self) { self.pay() } }\n",
        "struct Own(Cart);\nimpl Deref for Own { type Target = Cart; }\nfn run(own: Own) { own.pay(); own.0.add() }\n",
    ),
    "go": (
        "",
        "func Add() { Total() }\n",
        "func (c Cart) Total() { c.Add() }\n",
        "func Make() Cart { return x }\nfunc run() { Make().Pay() }\n",
        "var Spare Cart\n",
        "type Price struct{}\n",
    ),
    "java": (
        "",
        "class Extra { void add() { total(); } }\n",
        "class Tax { Cart pay() { return null; } }\n",
        "class Extra extends Price { Extra() { super(); } void add(int one) { add(); add(one); add(price); } }\n",
        "class Other { Cart price; void run(Price one) { price.add(one); one.add(price); one.made(one).pay(); } }\n",
        "import static shop.Price.add;\nclass Late { void run() { add(1); total(); } }\n",
    ),
    "c": ("", "int pay() { return total(1); }\n"),
}
"""What stands at the end of a file, or does not."""


@examples(60)
@given(some_of(CALLS), some_of(EXTRAS), some_of(CALLS), some_of(EXTRAS), changes)
def test_definitions_that_come_and_go_give_the_graph_of_all_files_joined_anew(
    old: Mapping[str, str], had: Mapping[str, str], new: Mapping[str, str], has: Mapping[str, str], changed: list[str]
) -> None:
    before = {path: facts_of(path, body, had[path]) for path, body in old.items()}
    after = before | {path: facts_of(path, new[path], has[path]) for path in changed}
    assert_as_anew(before, after)


@pytest.mark.parametrize(
    ("path", "had", "has"),
    [
        ("shop/price.py", "", "def more(): pass\n"),
        ("shop/price.py", "def with_tax(): pass\n", ""),
        ("shop/cart.py", "spare = Cart()\n", "def send() -> Price: ...\n"),
        ("shop/cart.py", "", "from shop.price import total as make\n"),
        ("shop/price.py", "", "class Extra(Price): pass\n"),
        ("shop/price.py", "class Extra(Cart):\n    def add(self): pass\n", ""),
        ("web/client.ts", "", "export function post() { run(); }\n"),
        (
            "web/client.ts",
            "",
            "export interface Told { tell(): void }\nexport class Post implements Told { tell() {} }\n",
        ),
        ("src/cart.rs", "fn add() { make().pay() }\n", ""),
        (
            "src/cart.rs",
            "",
            "pub struct Extra;\nimpl Paid for Extra {}\nimpl Extra { fn add(&self) { make().pay() } }\n",
        ),
        ("shop/price.py", "", "from shop import *\n"),
        ("go/price.go", "", "func Add() { Total() }\n"),
        ("go/price.go", "", "func Make() Cart { return x }\n"),
        ("go/price.go", "func (c Cart) More() { c.Pay() }\n", ""),
        ("go/price.go", "", "type Line struct { one Cart }\n\nfunc (l *Line) Pay() { l.one.Pay() }\n"),
    ],
)
def test_a_definition_more_or_less_is_joined_with_who_speaks_of_it(path: str, had: str, has: str) -> None:
    before = {each: facts_of(each, CALLS[each.rpartition(".")[2]][1]) for each in BODIES}
    before[path] = facts_of(path, CALLS[path.rpartition(".")[2]][1], had)
    after = before | {path: facts_of(path, CALLS[path.rpartition(".")[2]][1], has)}
    assert build_graph(after) == update(before, after)


@pytest.mark.parametrize(
    ("path", "has"),
    [
        ("web/client.ts", "export * from './cart';\n"),
        ("go/cart.go", "type Cart struct{ again int }\n"),
    ],
)
def test_what_more_hangs_on_than_names_has_all_files_joined_anew(path: str, has: str) -> None:
    before = {each: facts_of(each, CALLS[each.rpartition(".")[2]][1]) for each in BODIES}
    assert update(before, before | {path: facts_of(path, CALLS[path.rpartition(".")[2]][1], has)}) is None


TWO_TYPES = "class Alpha:\n    def go(self): pass\nclass Beta:\n    def go(self): pass\n"


@pytest.mark.parametrize(
    ("files", "path", "now"),
    [
        (
            {
                "a.py": "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\nspare = A()\n",
                "b.py": "from a import spare\ndef run(): spare.go()\n",
            },
            "a.py",
            "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\nspare = B()\n",
        ),
        (
            {
                "a.go": "package p\n",
                "cart.go": "package p\ntype Cart struct{}\nfunc Run(c Cart) { c.Pay() }\n",
                "pay.go": "package p\nfunc (c Cart) Pay() {}\n",
            },
            "a.go",
            "package p\nfunc Cart() {}\n",
        ),
        (
            {
                "p/__init__.py": "",
                "p/one.py": "class Price: pass\n",
                "p/two.py": "class Price: pass\n",
                "tests/test_p.py": "from p import *\nclass TestPrice:\n    def test_it(self): pass\n",
            },
            "p/__init__.py",
            "from .one import Price\n",
        ),
        (
            {
                "p/__init__.py": "from .one import Price\n",
                "p/one.py": "class Price:\n    def tax(self): pass\n",
                "heir.py": "from p import *\nclass Heir(Price): pass\n",
                "user.py": "from heir import Heir\ndef run(heir: Heir): heir.tax()\n",
            },
            "p/__init__.py",
            "",
        ),
        (
            {
                "a.py": f"def f() -> Beta: ...\n{TWO_TYPES}",
                "b.py": "from a import f\nmade = f()\n",
                "c.py": "import b\ndef run(): b.made.go()\n",
            },
            "a.py",
            f"def f() -> Alpha: ...\n{TWO_TYPES}",
        ),
        (
            {
                "a.py": "class Alpha:\n    def go(self): pass\n",
                "b.py": "from a import A as First\n",
                "c.py": "from b import First\ndef run(): First().go()\n",
            },
            "a.py",
            "",
        ),
    ],
    ids=["bound", "orphan", "tested", "inherited", "bound by a call", "renamed"],
)
def test_what_is_said_under_other_names_is_joined_again_too(files: dict[str, str], path: str, now: str) -> None:
    before = {each: facts_from(each, text) for each, text in files.items()}
    after = before | {path: facts_from(path, now)}
    assert build_graph(after) != build_graph(before)
    assert update(before, after) in {None, build_graph(after)}


def test_another_returned_type_is_joined_with_who_asks_for_it() -> None:
    before = {path: facts_of(path, CALLS[path.rpartition(".")[2]][7]) for path in BODIES if path.endswith(".py")}
    source = BODIES["shop/cart.py"].replace("BODY", "pass").replace("-> Price", "-> Cart")
    after = before | {"shop/cart.py": skeleton(parse_source(source.encode(), "python", "shop/cart.py"))}
    assert build_graph(after) == update(before, after)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/cart.py", "Cart(Price)", "Cart"),
        ("shop/cart.py", "Cart(Price)", "Cart(Price, Cost)"),
        ("shop/price.py", "class Price", "class Price(Exception)"),
        ("tests/test_shop.py", "TestPrice", "TestPrice(Cost)"),
    ],
)
@pytest.mark.parametrize("body", CALLS["py"])
def test_another_base_in_python_is_joined_with_who_means_the_type(path: str, old: str, new: str, body: str) -> None:
    before = {each: facts_of(each, body) for each in BODIES if each.endswith(".py")}
    after = before | {path: facts_from(path, BODIES[path].replace(old, new).replace("BODY", body))}
    assert is_updated_and_undone(before, after)


def test_another_base_elsewhere_has_all_files_joined_anew() -> None:
    before = {path: facts_of(path, CALLS[path.rpartition(".")[2]][0]) for path in BODIES}
    source = BODIES["web/cart.ts"].replace("BODY", "").replace("Cart implements Paid", "Cart")
    after = before | {"web/cart.ts": facts_from("web/cart.ts", source)}
    assert update(before, after) is None


def test_languages_whose_files_know_all_functions_are_joined_in_part_too() -> None:
    before = {path: facts_of(path, CALLS[path.rpartition(".")[2]][0]) for path in BODIES}
    before["cart.swift"] = facts_from("cart.swift", "func total() {}\n")
    after = before | {"cart.swift": facts_from("cart.swift", "func total() { total() }\n")}
    assert build_graph(after) == update(before, after)


@pytest.mark.parametrize("path", BODIES)
def test_files_that_say_the_same_leave_the_graph_as_it_was(path: str) -> None:
    before = {path: facts_of(path, CALLS[path.rpartition(".")[2]][1]) for path in BODIES}
    assert build_graph(before) == update(before, before, rewritten=[path])


def test_moved_lines_change_lines_only() -> None:
    before = {path: facts_of(path, CALLS[path.rpartition(".")[2]][1]) for path in BODIES}
    source = "# moved\n\n" + BODIES["shop/price.py"].replace("BODY", CALLS["py"][1])
    after = before | {"shop/price.py": skeleton(parse_source(source.encode(), "python", "shop/price.py"))}
    updated = update(before, after)
    assert build_graph(after) == updated
    assert updated is not None
    assert build_graph(before).lines != updated.lines
    assert build_graph(before).targets == updated.targets
