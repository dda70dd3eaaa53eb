import pytest

from ctxcode.model.naming.written import Place, as_written, bare_name, is_from_outside, place_of


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Cart.add()", "Cart.add"),
        ("Cart::add(int, Item<A>) const", "Cart::add"),
        ("add(f: (x) => void): void", "add"),
        ("int total(Cart cart)", "total"),
        ("def total(self) -> int:", "total"),
        ("pub(crate) fn add(&mut self, n: u32) -> u32 {", "add"),
        ("func (e *Engine) Run(a string) error", "(*Engine).Run"),
        ("func (e *Engine) Run(a string) (int, error) {", "(*Engine).Run"),
        ("func Map[T any](a []T) []T {", "Map"),
        ("fn open<T: Iterator<Item = u8>>(x: T) -> Self where T: Copy", "open"),
        ("fun <T> List<T>.pay(x: T)", "List.pay"),
        ("const char *name(void)", "name"),
        ("(*Engine).Run(1)", "(*Engine).Run"),
        ("export default class Cart", "Cart"),
        ("class Cart extends Base {", "Cart"),
        ("class Cart<T> implements A<T>, B", "Cart"),
        ("class Shop::Cart < Base", "Shop::Cart"),
        ("public sealed class Cart : Base(1)", "Cart"),
        ("data class Cart(val size: Int) : Base(size)", "Cart"),
        ("type Cart struct {", "Cart"),
        ("type Cart = string", "Cart"),
        ("new Cart", "Cart"),
        ("await Cart.add(1)?", "Cart.add"),
        ("cart?.add", "cart.add"),
        ("<Cart size={1} />", "Cart"),
        ("[Cart]", "Cart"),
        ('  "Cart", ', "Cart"),
        ("`Cart`", "Cart"),
        ("@Cart", "Cart"),
        ("<Conn<T> as my::Draw>::draw", "Conn::draw"),
        ("Conn::<u8>::open", "Conn::open"),
        ("shop::pay::{{closure}}::h0123456789abcdef", "shop::pay"),
        ("pay::{closure#0}", "pay"),
        ("Store.lambda$run$0", "Store.run"),
        ("Cart.add.<locals>.inner", "Cart.add.inner"),
        ("Engine.Run.func1.2", "Engine.Run"),
        ("Order`1.Pay", "Order.Pay"),
        ("Shop.Order+Line", "Shop.Order.Line"),
        ("Shop.Order.<Pay>d__5.MoveNext", "Shop.Order.Pay"),
        ("Store.Companion.of", "Store.of"),
        ("StoreKt.helper", "Store.helper"),
        ("Registry$.find", "Registry.find"),
        ("User::$name", "User::name"),
        ("Menu.prototype.open", "Menu.open"),
        ("test_one[a-1]", "test_one"),
    ],
)
def test_a_name_is_taken_out_of_what_stands_around_it(written: str, name: str) -> None:
    assert name == bare_name(written)


@pytest.mark.parametrize(
    "name",
    [
        "operator()",
        "Cart::operator()",
        "Cart::operator<",
        "operator new",
        "operator+",
        "$el",
        "$",
        "class",
        "()",
        "été",
    ],
)
def test_what_is_a_name_already_stays(name: str) -> None:
    assert name == bare_name(name)


@pytest.mark.parametrize("text", ["Cart::operator()(int)", "operator()(int a)"])
def test_an_operator_that_is_called_keeps_its_sign(text: str) -> None:
    assert text.partition("(int")[0] == bare_name(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.py:12", ("a.py", 12)),
        ("a.py:12:4", ("a.py", 12)),
        ("a.py:6-8", ("a.py", 6)),
        ("a.ts#L12-L20", ("a.ts", 12)),
        ("a.rb:6:in `pay'", ("a.rb", 6)),
        ('File "a b.py", line 12, in pay', ("a b.py", 12)),
        (r"C:\x\a.py:6", ("C:/x/a.py", 6)),
        ("cart:6", ("cart", 6)),
    ],
)
def test_a_place_is_a_file_and_a_line(text: str, place: tuple[str, int]) -> None:
    assert Place(*place) == place_of(text)


@pytest.mark.parametrize("text", ["a::b", "a:b", "Cart#L3", "::12", ":12", "Cart", "", "http://a.example/b:80"])
def test_what_points_at_no_line_is_no_place(text: str) -> None:
    assert place_of(text) is None


@pytest.mark.parametrize(("path", "said"), [("/x/a.py", True), ("C:\\a", True), ("b/a.py", True), ("src/a.py", False)])
def test_a_path_from_the_top_of_a_disk_or_a_diff_is_from_outside(path: str, *, said: bool) -> None:
    assert said == is_from_outside(path)


def test_traces_of_csharp_name_methods_as_they_are_written() -> None:
    trace = "at Shop.Box`1.<Pay>d__5.MoveNext()\nat Shop.Till.<>c.<Open>b__0_1(Int32 a)"
    assert "at Shop.Box.Pay()\nat Shop.Till.<>c.Open(Int32 a)" == as_written(trace)
    assert "`1` and `Box`1" == as_written("`1` and `Box`1")
