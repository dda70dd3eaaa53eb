"""What types of Go embed and are said to implement, and where that is said."""

from resolved_edges import edges_between, facts_of, node_id

from ctxcode.codegraph.edges import TIERS
from ctxcode.codegraph.resolve.graph import resolve

PAID = "package paid\n\ntype Paid interface {\n\tPay()\n}\n\ntype Rich interface {\n\t// All of it.\n\tPaid\n}\n"


def lines_of(files: dict[str, str], kind: str) -> set[tuple[str, str, int]]:
    """Return (source id, target id, line) of the edges of one kind."""
    facts = facts_of(files)
    nodes, found = resolve(facts)
    return {
        (node_id(nodes, facts, source), node_id(nodes, facts, target), line)
        for source, target, tier, line in zip(found.sources, found.targets, found.tiers, found.lines, strict=True)
        if TIERS[tier][0] == kind
    }


def test_what_is_embedded_is_told_with_the_line_it_stands_on() -> None:
    cart = """package cart

    import "m/paid"

    type base struct{}

    type Cart struct {
        name string

        *base
        paid.Paid
    }
    """
    files = {"go.mod": "module m\n", "paid/paid.go": PAID, "cart/cart.go": cart}
    assert {
        ("paid/paid.go::Rich", "paid/paid.go::Paid", 9),
        ("cart/cart.go::Cart", "cart/cart.go::base", 10),
    } == lines_of(files, "inherits")
    assert {("cart/cart.go::Cart", "paid/paid.go::Paid", 11)} == lines_of(files, "implements")


def test_what_a_variable_without_a_name_says_of_a_type_it_implements() -> None:
    cart = """package cart

    import "m/paid"

    var _ paid.Paid = (*Cart)(nil)

    var (
        _ paid.Rich = &Line{}
        _ paid.Paid = Line{}
        _ paid.Paid = new(Cost)
        _ paid.Paid = Count(0)
        _ paid.Paid = Of[int]{}
    )

    type Cart struct{}
    type Line struct{ Cart }
    type Cost struct{}
    type Count int
    type Of[T any] struct{}
    """
    files = {"go.mod": "module m\n", "paid/paid.go": PAID, "cart/cart.go": cart}
    assert {
        ("cart/cart.go::Cart", "paid/paid.go::Paid", 5),
        ("cart/cart.go::Line", "paid/paid.go::Rich", 8),
        ("cart/cart.go::Line", "paid/paid.go::Paid", 9),
        ("cart/cart.go::Cost", "paid/paid.go::Paid", 10),
        ("cart/cart.go::Count", "paid/paid.go::Paid", 11),
        ("cart/cart.go::Of", "paid/paid.go::Paid", 12),
    } == lines_of(files, "implements")


def test_variables_with_a_name_calls_and_types_from_elsewhere_say_nothing_of_the_kind() -> None:
    cart = """package cart

    import "m/paid"

    var one paid.Paid = (*Cart)(nil)
    var _, _ paid.Paid = Cart{}, Cart{}
    var _ paid.Paid = made(Cart{})
    var _ error = Cart{}
    var _ = paid.Paid(Cart{})
    var _ paid.Paid = (*paid.Other)(nil)

    type Cart struct{}

    func made(cart Cart) paid.Paid { type inner struct{}; return nil }
    """
    other = "package paid\n\ntype error interface{}\n\ntype Other struct{}\n"
    files = {"go.mod": "module m\n", "paid/paid.go": PAID, "paid/o.go": other, "cart/cart.go": cart}
    assert set() == edges_between(files, "implements")


def test_methods_of_a_type_come_before_those_of_what_it_is_said_to_implement() -> None:
    files = {
        "a.go": """package a

        var _ Paid = (*Cart)(nil)

        type Paid interface{ Pay() }
        type base struct{}
        func (base) Pay() {}
        type Cart struct{ base }
        type Line struct{}
        var _ Paid = (*Line)(nil)
        func (Line) Pay() {}
        func run(cart *Cart, line Line) { cart.Pay(); line.Pay() }
        """,
    }
    assert {
        ("a.go::run", "a.go::base.Pay", "type 0.9"),
        ("a.go::run", "a.go::Line.Pay", "type 0.9"),
    } == edges_between(files)
