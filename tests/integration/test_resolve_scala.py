"""What Scala calls without brackets, where a type is known."""

import pytest
from resolved_edges import edges_between

_CART = """
package shop
class Cart(val items: List[Int]) {
  def total: Int = 3
  def same: Cart = this
  def add(other: Cart): Cart = this
  def size(): Int = 1
  val rate = 3
}
object Cart { def most = 3; def Most = 4 }
class Other {
  def total: Int = 3
  def add(other: Int) = 3
  def same = 3
  def single = 3
}
"""


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("cart.total", {"total"}),
        ("println(cart.total + 1)", {"total"}),
        ("if (cart.total == 3) cart.same", {"total", "same"}),
        ("new Cart(Nil).total", {"total"}),
        ("this.held.total", {"total"}),
        ("val one = cart.same; one.same.total", {"same", "total"}),
        ("cart add cart", {"add"}),
        ("(cart add cart).total", {"add"}),
        ("cart.add(cart).total", {"add", "total"}),
        ("Cart.most; Cart.Most", {"most"}),
        ("cart.items; cart.rate; cart.none", set()),
        ("it.total; it.single; it add 3; it single 3", set()),
        ("all.map(_.total)", set()),
        ("cart.total = 3", set()),
    ],
)
def test_what_is_asked_of_a_known_type_without_brackets_is_called(body: str, called: set[str]) -> None:
    use = f"package shop\nclass Use {{\n  val held: Cart = x\n  def go(cart: Cart, it: T) = {{ {body} }}\n}}\n"
    drawn = edges_between({"cart.scala": _CART, "use.scala": use})
    assert {f"cart.scala::Cart.{name}" for name in called} == {
        target for origin, target, _ in drawn if origin == "use.scala::Use.go" and target != "cart.scala::Cart"
    }
