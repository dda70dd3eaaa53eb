"""A graph of Swift brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged, is_updated, is_updated_and_undone, read, reworded

from ctxcode.codegraph.resolve.graph import build_graph

LINES = (
    "class Row: Cart {\n  func two() { if a { let o = Price(); o.pay() } else { let o = Cart(); o.pay() } }\n}",
    "class Cart: Price {\n  let own = Price()\n  func add() -> Cart { own.pay(); pay(); return self }\n}",
    "public class Cart {\n  init(one: Price) { }\n  public func made(of it: Cost) -> Cost { it.more(1) }\n}",
    "struct Price: Paid {\n  var cart: Cart\n  func pay() { cart.add().pay() }\n  static func made() -> Cart { }\n}",
    "public protocol Paid {\n  func pay()\n  func total(_ one: Line) -> Cart\n}",
    "enum Line {\n  case one, two\n  class Part { func pay() { total() } }\n  func total() { made().add() }\n}",
    "extension Cart {\n  func more() -> Price { made(of: x) }\n  var sum: Price { own }\n}",
    "extension Cart: Paid {\n  func pay() { more().pay(); sum.pay() }\n}",
    "public extension Price {\n  func more(_ one: Int) -> Cart { pay(); return cart }\n}",
    "extension UIView {\n  func pay() { total() }\n  func fit() { pay() }\n}",
    "extension UIView {\n  func total() { fit() }\n  func add() -> Cart { }\n}",
    "extension UIView: Paid { }",
    "class Row: UIView {\n  func run(_ it: Cart) { pay(); fit(); it.add().pay(); it.more(); it.sum.pay() }\n}",
    "class Row: Cart, Paid {\n  func run() { pay(); total(x); super.add(); Line.Part().pay() }\n}",
    "extension Line.Part {\n  func more() { pay(); total() }\n}",
    "extension Paid {\n  func fit() { pay() }\n  func add() -> Price { }\n}",
    "func total(_ it: Cart) -> Price { it.add().pay(); it.more().cart.more(); x.pay(1); return Price.made().own }",
    "func total() { made().pay(); y.more(); y.fit(); Price.made().add(); Cart(one: x).made(of: y) }",
    "private func made() -> Cart { Cart(one: Price.made()) }",
    "func made() -> Price { }",
    "class CartTest {\n  func testAdd() { Cart(one: x).add(); it.total(x) }\n}",
    "typealias Cost = Price",
    "typealias Cost = Line",
    "let made = Price.made()",
    "let most = 3\nprivate let least = most\nvar own = Cart(one: x)",
    "public let least = most\nfunc rate() -> Int { most + least }\nfunc sum() { own.add(); [x].map(rate); f(made) }",
    "class Line {\n  let wait = most\n  func rate(it: Int = least) { let own = it; own.pay(); f(total, most) }\n}",
    "class Line {\n  var all: [Cart] = []\n  let by: [String: Price]\n  func made() -> [Line] { }\n}",
    "func total(_ it: Line) { for one in it.all { one.add() }; it.made().forEach { $0.total() }; it.by[x]?.pay() }",
    "func fit<T: Cart>(it: T, all: [T]) { it.add().pay(); all.sorted { $1.more() }.first?.pay() }",
    "extension Array {\n  func more() -> Cart { fit() }\n}",
    "class Row {\n  @Cart(1) var it: Line = .two\n  func add() { switch it { case .one: it = .two; default: x } }\n}",
    "class Row {\n  var it: Line { x ? .one : .two }\n  func add(a: Line = .two) -> Line { return .one }\n}",
    "import Shop",
    "import App",
    "import UIKit",
    "import Cart",
)
PATHS = (
    *("Sources/Shop/Cart.swift", "Sources/Shop/Price.swift", "Sources/Shop/Line.swift", "Sources/App/Cart.swift"),
    *("Sources/App/Row.swift", "Sources/App/a.swift", "App/b.swift", "App/c.swift", "Tests/AppTests/CartTest.swift"),
)
MANIFEST = 'import PackageDescription\nlet package = Package(name: "Shop", targets: [.target(name: "Shop")])\n'
WORDS = ("add", "pay", "more", "total", "made", "fit", "Cart", "Price", "Line", "UIView", "public", "private", ": Paid")


sources = st.lists(st.sampled_from(LINES), min_size=1, max_size=5).map("\n".join)
trees = st.builds(
    lambda tree, manifest: tree | ({"Package.swift": MANIFEST} if manifest else {}),
    st.dictionaries(st.sampled_from(PATHS), sources, min_size=3),
    st.booleans(),
)


def test_edited_files_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(45)
    @given(
        trees,
        st.lists(
            st.tuples(st.sampled_from(PATHS), st.sampled_from(["", *WORDS]), st.sampled_from([*LINES, *WORDS])),
            min_size=1,
            max_size=2,
        ),
    )
    def check(tree: Mapping[str, str], changes: list[tuple[str, str, str]]) -> None:
        joined.append(is_updated(read(tree), read(reworded(tree, changes))))

    check()
    assert sum(joined) * 4 > len(joined)


def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees, st.sets(st.sampled_from([*PATHS, "Package.swift"]), max_size=1), trees)
    def check(tree: Mapping[str, str], gone: set[str], come: Mapping[str, str]) -> None:
        kept = exchanged(tree, gone, come)
        joined.append(is_updated(read(tree), read(kept)))

    check()
    assert sum(joined) * 8 > len(joined)


SHOP = {
    "Sources/Shop/Cart.swift": "public class Cart {\n  func add() -> Price { }\n}\n",
    "Sources/Shop/Row.swift": "class Row: UIView {\n  func run(_ it: Cart) { it.add().spent(); fit(); it.more() }\n}\n",
    "Sources/App/User.swift": "import Shop\nclass User {\n  func run(_ it: Extra) { it.made().run(); x.odd() }\n}\n",
}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("Sources/Shop/Price.swift", "struct Price {\n  func spent() { }\n}\n"),
        ("Sources/Shop/Cart.swift", "struct Price {\n  init(one: Cart) { }\n  func spent() { }\n}\n"),
        ("Sources/Shop/Fit.swift", "extension UIView {\n  func fit() { }\n}\n"),
        ("Sources/Shop/More.swift", "import UIKit\nextension Cart: Equatable {\n  func more() { add() }\n}\n"),
        ("Sources/App/Extra.swift", "class Extra {\n  func made() -> User { }\n}\n"),
        ("Tests/AppTests/CartTests.swift", "import Shop\nclass CartTests {\n  func testAdd() { Cart().add() }\n}\n"),
    ],
)
def test_a_type_file_or_extension_more_or_less_is_joined_with_few(path: str, source: str) -> None:
    without = read(SHOP)
    having = read(SHOP | {path: SHOP.get(path, "") + source})
    assert build_graph(having).edge_count > build_graph(without).edge_count + 1
    assert is_updated_and_undone(without, having)


def test_what_makes_objects_of_a_type_that_comes_has_nobody_joined_who_makes_others() -> None:
    text = "class Row{} {{\n  init(one: Int) {{ super.init(); self.init(); }}\n}}\n"
    shop = SHOP | {f"Sources/Shop/Row{number}.swift": text.format(number) for number in range(80)}
    user = "class Extra {\n  func run(_ it: Any) { it.init(spare: 1) }\n}\n"
    price = "struct Price {\n  init(spare: Int) { }\n}\n"
    without = read(shop | {"Sources/Shop/Extra.swift": user})
    having = without | read({"Sources/Shop/Price.swift": price})
    assert build_graph(having).edge_count > build_graph(without).edge_count + 2
    assert is_updated_and_undone(without, having)
