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


def test_methods_that_scala_asks_for_by_their_bare_names_are_those_of_the_classes_around() -> None:
    files = {
        "Base.scala": """
        package shop
        trait Base { def info: String = ""; def plain() = 2; def run(a: Int) = 1; def two(a: Int) = 1
          def two(a: String) = 2; def one(a: Int) = 1; def one = 2 }
        """,
        "Cart.scala": """
        package shop
        class Cart(size: Int) extends Base {
          def size2 = 1
          def use(o: Any) = { xs.foreach(run); s"$info ${plain}"; two; one; size; this }
          class Inner { def deep = take(size2) }
        }
        """,
        "Held.scala": """
        package shop
        class Held(info: Int) extends Base {
          val plain = 1
          def all(run: Int) = { take(info, plain, run, o.size2, size2 = 1); xs map { one => one } }
          def each(o: Any) = o match { case one => one; case Some(run) => run; case List(run, _*) => run }
          private[shop] def loop = for (run <- xs; one = run) yield one
        }
        """,
    }
    assert {
        ("Cart.scala::Cart.Inner.deep", "Cart.scala::Cart.size2", "scope 1"),
        ("Cart.scala::Cart.use", "Base.scala::Base.info", "receiver 0.95"),
        ("Cart.scala::Cart.use", "Base.scala::Base.one", "receiver 0.95"),
        ("Cart.scala::Cart.use", "Base.scala::Base.plain", "receiver 0.95"),
        ("Cart.scala::Cart.use", "Base.scala::Base.run", "receiver 0.95"),
    } == edges_between(files, "references")


@pytest.mark.parametrize(
    "body",
    [
        "def all = xs.map { implicit info => take(info) }",
        "def all = { val info, plain = 1; take(info, plain) }",
        "def all = { val `info` = 1; take(info) }",
        "val (info, Some(plain)) = x; def all = take(info, plain)",
        "val info, plain = x; def all = take(info, plain)",
        "extension (info: Int) def all = take(info)",
        "def all = x match { case Foo(plain = info) => take(info); case a :: plain => plain; case (info, _) => info }",
        "def all[info](it: Int) = x info it; def most = x.plain. info",
    ],
)
def test_nothing_inherited_is_meant_by_a_name_that_scala_gives_to_something_else(body: str) -> None:
    files = {
        "Base.scala": "package shop\ntrait Base { def info = 1; def plain = 2 }\n",
        "Use.scala": f"package shop\nclass Use extends Base {{ {body} }}\n",
    }
    assert not edges_between(files, "references")
