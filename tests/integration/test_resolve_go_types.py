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


def test_types_implement_what_other_files_of_their_package_say_of_them() -> None:
    checks = """package cart

    import "m/paid"

    var _ paid.Paid = (*Cart)(nil)
    var _ own = Line{}
    var _ paid.Gone = Line{}
    var _ paid.Paid = made(nil)
    """
    files = {
        "go.mod": "module m\n",
        "paid/paid.go": PAID,
        "paid/cart.go": "package paid\n\ntype Cart struct{}\n",
        "cart/cart.go": "package cart\n\ntype Cart struct{}\ntype Line struct{}\nfunc made(any) {}\n",
        "cart/own.go": "package cart\n\ntype own interface{}\n",
        "cart/checks.go": checks,
    }
    assert {
        ("cart/cart.go::Cart", "paid/paid.go::Paid", 3),
        ("cart/cart.go::Line", "cart/own.go::own", 4),
    } == lines_of(files, "implements")


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


def test_what_is_written_with_types_gives_what_those_say() -> None:
    files = {
        "a.go": """package a

        import "sync/atomic"

        type Cart struct{ last atomic.Pointer[Line] }
        func (*Cart) Pay() {}
        type Line struct{}
        func (*Line) Pay() {}
        type Kept[T any] struct{}
        func (*Kept[T]) Put(one T) {}
        func NewKept[T any]() *Kept[T] { return nil }

        func instances() { kept := NewKept[*Cart](); kept.Put(nil) }
        func instance() { NewKept[Line]().Put(nil) }
        func atomics(cart *Cart) { cart.last.Load().Pay(); if old := cart.last.Swap(nil); old != nil { old.Pay() } }
        func expressions(line *Line) { (*Cart).Pay(nil); (*line).Pay() }
        func received(carts chan *Cart) { (<-carts).Pay() }
        func appended(lines []*Line) {
            some := append([]*Cart{}, nil)
            some[len(some)-1].Pay()
        }
        func converted(given any, lines []*Line) {
            line := (*Line)(given)
            line.Pay()
            some := append([]*Line(nil), lines...)
            some[0].Pay()
        }
        func indexed(all []func() Cart) { one := all[0](); one.Pay() }
        """,
    }
    named = {(source, target) for source, target, _ in edges_between(files) if not target.endswith(("New", "Kept"))}
    assert {
        ("a.go::instances", "a.go::Kept.Put"),
        ("a.go::instance", "a.go::Kept.Put"),
        ("a.go::atomics", "a.go::Line.Pay"),
        ("a.go::expressions", "a.go::Cart.Pay"),
        ("a.go::expressions", "a.go::Line.Pay"),
        ("a.go::received", "a.go::Cart.Pay"),
        ("a.go::appended", "a.go::Cart.Pay"),
        ("a.go::converted", "a.go::Line.Pay"),
        ("a.go::indexed", "a.go::Cart.Pay"),
        ("a.go::indexed", "a.go::Line.Pay"),
    } == named


def test_type_parameters_are_the_interface_they_have_to_have_inside_of_what_declares_them() -> None:
    files = {
        "a.go": """package a

        type Paid interface { Pay() }
        type Cart struct{}
        func (*Cart) Pay() {}
        type Other struct{}
        func (*Other) Pay() {}
        type Kept[K comparable, T Paid] struct{ last T }

        func one[T Paid](given T, more ...T) { given.Pay() }
        func all[T Paid](given []T) { given[0].Pay() }
        func (k *Kept[_, P]) each(given P) { given.Pay() }
        func (k *Kept[K, T]) own() { k.last.Pay() }
        func any_of[T any](given T) { given.Pay() }
        """,
        "b.go": """package a

        func pointed(carts []Cart, cart *Cart) {
            one := &carts[0]
            one.Pay()
        }
        func copied(cart *Cart) {
            one := *cart
            one.Pay()
        }
        """,
    }
    assert {
        ("a.go::one", "a.go::Paid.Pay", "type 0.9"),
        ("a.go::all", "a.go::Paid.Pay", "type 0.85"),
        ("a.go::Kept.each", "a.go::Paid.Pay", "type 0.9"),
        ("a.go::Kept.own", "a.go::Paid.Pay", "type 0.85"),
        ("b.go::pointed", "a.go::Cart.Pay", "type 0.85"),
        ("b.go::copied", "a.go::Cart.Pay", "type 0.85"),
    } == edges_between(files)


def test_what_functions_inside_of_functions_give_has_its_type() -> None:
    files = {
        "a.go": """package a

        type Cart struct{}
        func (c *Cart) Pay() {}
        type Line struct{}
        func (l *Line) Pay() {}

        var shared = func() *Line { return nil }

        func local() {
            make := func() (*Cart, *Line) { return nil, nil }
            cart, line := make()
            cart.Pay()
            line.Pay()
        }
        func global() { shared().Pay() }
        """,
    }
    assert {
        ("a.go::local", "a.go::local.make", "scope 1"),
        ("a.go::local", "a.go::Cart.Pay", "type 0.85"),
        ("a.go::local", "a.go::Line.Pay", "type 0.85"),
        ("a.go::global", "a.go::shared", "scope 1"),
        ("a.go::global", "a.go::Line.Pay", "type 0.85"),
    } == edges_between(files)


def test_of_inner_functions_that_blocks_call_alike_none_tells_what_it_gives_unless_all_give_the_same() -> None:
    files = {
        "a.go": """package a

        type Cart struct{}
        func (c *Cart) Pay() {}
        type Line struct{}
        func (l *Line) Pay() {}

        func apart() {
            { make := func() *Cart { return nil }; make().Pay() }
            { make := func() *Line { return nil }; make().Pay() }
        }
        func alike() {
            { make := func() *Cart { return nil }; make().Pay() }
            { make := func() *Cart { return nil }; make().Pay() }
        }
        """,
    }
    assert {
        ("a.go::apart", "a.go::Cart.Pay", "ambiguous 0.25"),
        ("a.go::apart", "a.go::Line.Pay", "ambiguous 0.25"),
        ("a.go::alike", "a.go::Cart.Pay", "type 0.85"),
    } == {edge for edge in edges_between(files) if edge[1].endswith(".Pay")}


def test_what_something_holds_that_is_no_name_has_its_type() -> None:
    files = {
        "a.go": """package a

        type Cart struct{ line *Line }
        func (c *Cart) Pay() {}
        type Line struct{}
        func (l *Line) Pay() {}

        func behind_index(carts []Cart) {
            line := carts[0].line
            line.Pay()
        }
        func behind_call(find func() Cart) {
            line := made().line
            line.Pay()
        }
        func behind_type(given any) {
            line := given.(*Cart).line
            line.Pay()
        }
        func made() *Cart { return nil }
        """,
    }
    assert {
        ("a.go::behind_index", "a.go::Line.Pay", "type 0.85"),
        ("a.go::behind_call", "a.go::made", "scope 1"),
        ("a.go::behind_call", "a.go::Line.Pay", "type 0.85"),
        ("a.go::behind_type", "a.go::Line.Pay", "type 0.85"),
    } == edges_between(files)


def test_constants_without_a_value_are_of_the_type_that_the_one_before_is_made_of() -> None:
    files = {
        "a.go": """package a

        type State int
        func (s State) String() string { return "" }
        type Other int
        func (o Other) String() string { return "" }

        const (
            First = State(iota + 1)
            Second
            Third = 3
            Fourth
        )

        func tell() { println(Second.String()) }
        func none() { println(Fourth.String()) }
        """,
    }
    assert ("a.go::tell", "a.go::State.String", "type 0.85") in (found := edges_between(files))
    assert not {edge for edge in found if edge[0] == "a.go::none" and edge[2].startswith("type")}


def test_a_name_that_a_block_declares_twice_is_known_from_the_first_time_on() -> None:
    files = {
        "a.go": """package a

        type Cart struct{ cart int }
        func (c *Cart) Pay() {}
        type Line struct{ cart int }
        func (l *Line) Pay() {}

        func made() (*Cart, error) { return nil, nil }
        func twice() {
            cart, _ := made()
            cart.Pay()
            cart, err := made()
            println(err)
        }
        """,
    }
    assert ("a.go::twice", "a.go::Cart.Pay", "type 0.85") in edges_between(files)
