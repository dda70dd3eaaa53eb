"""Members that are named: an enum's values by their type, methods of an object's own as values."""

import pytest
from resolved_edges import edges_between


def members_named(files: dict[str, str]) -> set[tuple[str, str]]:
    """Return (what names it, member) of all references to something inside of a type."""
    return {
        (source.partition("::")[2], target.partition("::")[2])
        for source, target, _ in edges_between(files, "references")
        if "." in target.partition("::")[2]
    }


VALUES = {
    "rust": {
        "src/lib.rs": """
        pub mod kinds;
        use kinds::Kind;
        fn made() -> Kind { Kind::Open }
        fn matched(kind: Kind) -> bool { matches!(kind, kinds::Kind::Shut) }
        fn owned() -> bool { size_of::<Kind>() > 1 }
        """,
        "src/kinds.rs": "pub enum Kind { Open, Shut, Named }\nimpl Kind { fn own() -> Kind { Self::Open } }",
    },
    "typescript": {
        "src/kinds.ts": "export enum Kind { Open, Shut }\n",
        "src/use.ts": """
        import { Kind } from "./kinds";
        import * as kinds from "./kinds";
        export const made = () => Kind.Open;
        export function matched(kind: Kind) { return kind === kinds.Kind.Shut; }
        """,
    },
    "java": {
        "shop/Kind.java": "package shop; public enum Kind { OPEN, SHUT; boolean own() { return this == OPEN; } }",
        "shop/Use.java": """
        package shop;
        import static shop.Kind.SHUT;
        class Use {
          Kind made() { return Kind.OPEN; }
          boolean matched(Kind kind) { return kind == SHUT; }
        }
        """,
    },
    "c": {
        "kinds.h": "enum kind { OPEN_KIND, SHUT_KIND };\nenum { MOST_KINDS = 2 };\n",
        "use.c": """
        #include "kinds.h"
        int made(void) { return OPEN_KIND; }
        int matched(int kind) { switch (kind) { case SHUT_KIND: return MOST_KINDS; } return 0; }
        """,
    },
    "php": {
        "Kind.php": "<?php namespace Shop; enum Kind { case Open; case Shut; }",
        "Use.php": "<?php namespace Shop; class Using { function made() { return Kind::Open; } }",
    },
    "swift": {
        "Kind.swift": "enum Kind { case open, shut }",
        "Use.swift": "func made() -> Kind { return Kind.open }",
    },
    "kotlin": {
        "Kind.kt": "package shop\nenum class Kind { OPEN, SHUT }",
        "Use.kt": "package shop\nfun made(): Kind = Kind.OPEN",
    },
    "csharp": {
        "Kind.cs": "namespace Shop; enum Kind { Open, Shut }",
        "Use.cs": "namespace Shop; class Using { Kind Made() { return Kind.Open; } }",
    },
    "scala": {
        "Kind.scala": "package shop\nenum Kind { case Open, Shut }",
        "Use.scala": "package shop\nobject Using { def made = Kind.Open }",
    },
}
NAMED = {
    "rust": {("made", "Kind.Open"), ("matched", "Kind.Shut"), ("Kind.own", "Kind.Open")},
    "typescript": {("made", "Kind.Open"), ("matched", "Kind.Shut")},
    "java": {("Use.made", "Kind.OPEN"), ("Use.matched", "Kind.SHUT"), ("Kind.own", "Kind.OPEN")},
    "c": {("made", "kind.OPEN_KIND"), ("matched", "kind.SHUT_KIND")},
    "php": {("Using.made", "Kind.Open")},
    "swift": {("made", "Kind.open")},
    "kotlin": {("made", "Kind.OPEN")},
    "csharp": {("Using.Made", "Kind.Open")},
    "scala": {("Using.made", "Kind.Open")},
}


@pytest.mark.parametrize("language", VALUES)
def test_who_names_a_value_of_an_enum_refers_to_it_and_to_the_enum(language: str) -> None:
    files = VALUES[language]
    assert NAMED[language] == members_named(files)
    named = edges_between(files, "references")
    enums = {(source, target.rpartition(".")[0]) for source, target, _ in named if "." in target.partition("::")[2]}
    outside = {(source, target) for source, target in enums if source.partition("::")[2].partition(".")[0] != "Kind"}
    assert outside <= {(source, target) for source, target, _ in named}


def test_values_of_an_enum_without_a_name_are_known_by_their_own() -> None:
    assert ("use.c::matched", "kinds.h::MOST_KINDS", "import 1") in edges_between(VALUES["c"], "references")


def test_values_of_an_enum_that_is_a_class_have_no_name_outside_of_it() -> None:
    source = "enum class Kind { Open };\nenum Other { Shut };\nint f() { return Open; }\nint g() { return Shut; }\n"
    assert {("g", "Other.Shut")} == members_named({"a.cpp": f"{source}Kind h() {{ return Kind::Open; }}"}) - {
        ("h", "Kind.Open")
    }


def test_a_local_name_of_c_hides_a_value() -> None:
    source = "enum kind { open_kind };\nint f(int open_kind) { return open_kind; }\nint g(void) { return open_kind; }"
    assert {("g", "kind.open_kind")} == members_named({"a.c": source})


OWN = {
    "python": {
        "server.py": """
        class Server:
            def __init__(self, loop):
                loop.call_soon(self.tick)
                self.routes = {"get": self.on_get}
                self.assigned = None  # self.said
                self.text = "self.said"

            def tick(self): self.on_get()
            def on_get(self): ...
            def assigned(self): ...
            def said(self): ...

            @property
            def size(self): return 1

            def told(self): return f"{self.size}"

        class Heir(Server):
            def more(self): return sorted([self], key=lambda _: self.tick)

        def tick(self): return self.tick
        """,
    },
    "typescript": {
        "server.ts": """
        class Server {
          start(bus: Bus) { bus.on("a", this.tick); bus.on("b", this.onGet.bind(this)); this.assigned = 1 }
          tick() { this.onGet() }
          onGet() {}
          assigned() {}
          get size() { return 1 }
          other() { return function () { return this.size } }
          arrow = () => this.size
        }
        const own = { tick() { return this.tick } }
        """,
    },
    "go": {
        "server.go": """
        package server
        type Server struct{}
        func (s *Server) Tick() {}
        func (s *Server) Start() { register(s.Tick) }
        func (t Server) Other() { s := 1; register(s.Tick, t.Start) }
        func register(a ...any) {}
        """,
    },
}
OWN_NAMED = {
    "python": {
        ("Server.__init__", "Server.tick"),
        ("Server.__init__", "Server.on_get"),
        ("Server.told", "Server.size"),
        ("Heir.more", "Server.tick"),
    },
    "typescript": {("Server.start", "Server.tick"), ("Server.start", "Server.onGet"), ("Server.arrow", "Server.size")},
    "go": {("Server.Start", "Server.Tick"), ("Server.Other", "Server.Start")},
}


@pytest.mark.parametrize("language", OWN)
def test_who_names_a_method_of_the_object_itself_refers_to_it(language: str) -> None:
    assert OWN_NAMED[language] == members_named(OWN[language])


ORDERS = """
class Base:
    @property
    def label(self) -> str: ...

class Order(Base):
    @property
    def total(self) -> int: ...
    def pay(self): ...

def latest() -> Order: ...
"""


def test_what_python_reads_of_something_known_is_a_reference_to_it() -> None:
    files = {
        "orders.py": ORDERS,
        "shop.py": """
        from orders import Base, Order, latest

        class Shop(Base):
            def __init__(self, order: Order):
                self.order = order
                self.name = self.label

            def sum(self):
                return self.order.total, self.name, self.order

        def told(order: Order): return f"{order.total}" if order.label else order.other
        def made(): order = latest(); return order.total
        def each(orders: list[Order]): return [order.total for order in orders]
        def later(order: Order): return defer(order.pay)
        def more(order: Order): order.total += 1
        def called(order: Order): return order.total.real(order.pay().real)
        def behind(shop: Shop): return shop.order.total.real
        def asked(order): return order.total if isinstance(order, Order) else order.label
        """,
    }
    assert {
        ("shop.py::Shop.__init__", "orders.py::Base.label", "receiver 0.95"),
        ("shop.py::Shop.sum", "orders.py::Order.total", "receiver 0.95"),
        ("shop.py::told", "orders.py::Order.total", "receiver 0.95"),
        ("shop.py::told", "orders.py::Base.label", "receiver 0.95"),
        ("shop.py::made", "orders.py::Order.total", "receiver 0.95"),
        ("shop.py::each", "orders.py::Order.total", "receiver 0.95"),
        ("shop.py::later", "orders.py::Order.pay", "receiver 0.95"),
        ("shop.py::more", "orders.py::Order.total", "receiver 0.95"),
        ("shop.py::called", "orders.py::Order.total", "receiver 0.95"),
        ("shop.py::behind", "orders.py::Order.total", "receiver 0.95"),
        ("shop.py::asked", "orders.py::Order.total", "receiver 0.95"),
    } == {edge for edge in edges_between(files, "references") if "shop.py" not in edge[1] and "." in edge[1][10:]}


@pytest.mark.parametrize(
    "read",
    [
        "def f(orders: list[Order]):\n    for one in orders: print(one.total)",
        "def f(orders: list[Order]):\n    for (\n        place, one\n    ) in enumerate(orders): print(one.total)",
        "def f(orders: list[Order]): return {one.total for one in orders}",
        "def f(orders: list[Order]):\n    for cls in orders: print(cls.total)",
        "def f(one): return isinstance(one, Order) and one.total",
        "def f(thing):\n    match thing:\n        case Order(): return thing.total",
        "def f(thing):\n    match thing:\n        case Order() as one: return one.total",
        "def f():\n    with latest() as one: return one.total",
        "def f(): return (one := latest()) and one.total",
        "class Shop:\n    last: Order\n    def f(self): return self.last.total",
        "class Shop:\n    @property\n    def last(self): return latest()\n    def f(self): return self.last.total",
    ],
)
def test_what_is_read_of_what_alone_says_what_it_is(read: str) -> None:
    files = {"orders.py": ORDERS, "shop.py": f"from orders import Order, latest\n\n{read}\n"}
    edges = {edge[0] for edge in edges_between(files, "references") if edge[1] == "orders.py::Order.total"}
    assert edges == {f"shop.py::{'Shop.' if 'class Shop' in read else ''}f"}


def test_a_field_of_python_hides_the_method_that_its_class_inherits() -> None:
    files = {
        "orders.py": ORDERS,
        "shop.py": """
        from orders import Order

        class Gift(Order):
            total = make()
            def name(self): return self.label
            def sum(self): return self.total

        class Late(Gift):
            @property
            def own(self): return self.label, self.total

        def told(gift: Gift): return gift.total, gift.pay
        def total(order: Order): return order.total
        """,
    }
    assert {
        ("shop.py::Gift.name", "orders.py::Base.label", "receiver 0.95"),
        ("shop.py::Late.own", "orders.py::Base.label", "receiver 0.95"),
        ("shop.py::told", "shop.py::Gift", "scope 1"),
        ("shop.py::told", "orders.py::Order.pay", "receiver 0.95"),
        ("shop.py::total", "orders.py::Order", "import 1"),
        ("shop.py::total", "orders.py::Order.total", "receiver 0.95"),
        ("orders.py::latest", "orders.py::Order", "scope 1"),
    } == edges_between(files, "references")


def test_a_field_of_python_hides_the_method_that_its_class_inherits_where_that_is_called() -> None:
    files = {
        "orders.py": ORDERS,
        "shop.py": """
        from orders import Order

        def fast(): ...

        class Gift(Order):
            pay = wrap(Order.pay)
            label = fast
            def send(self):
                self.pay()
                self.label()

        class Late(Gift):
            def send(self): self.pay()

        def told(gift: Late, order: Order):
            gift.pay()
            gift.label()
            order.pay()
        """,
    }
    assert {
        ("shop.py::Gift.send", "orders.py::Order.pay", "unique-name 0.6"),
        ("shop.py::Gift.send", "shop.py::fast", "type 0.85"),
        ("shop.py::Late.send", "orders.py::Order.pay", "unique-name 0.6"),
        ("shop.py::told", "shop.py::fast", "type 0.85"),
        ("shop.py::told", "orders.py::Order.pay", "type 0.9"),
    } == {edge for edge in edges_between(files) if edge[0].startswith("shop.py")}


def test_what_python_reads_of_something_unknown_or_gives_to_it_is_no_reference() -> None:
    files = {
        "orders.py": ORDERS,
        "shop.py": """
        from orders import Order, latest
        from elsewhere import Order as Other

        order = latest()

        def hidden(order): return order.total
        def given(order: Order): order.total = 1
        def said(order: Order): return "order.total", 1  # order.total
        def outside(order: Other): return order.total
        def listed(order: list[Order]): return order.total
        def behind(): return latest.total, latest().totals
        class Shop:
            def kept(self): return self.total, self.order.total
        """,
    }
    assert not {edge for edge in edges_between(files, "references") if edge[1] == "orders.py::Order.total"}


HANDED = {
    "go": {
        "routes.go": """
        package server
        func (s *Server) Routes(r Router) { r.Get("/", s.Home); s.count = s.size }
        func mount(r Router, h *Handler) { r.Get("/list", h.List) }
        func made(r Router) { h := NewHandler(); r.Get("/show", h.Show, h.Name, other.List) }
        func own(r Router, h *Handler) { for _, h := range r.all { r.Get("/list", h.List) } }
        """,
        "handler.go": """
        package server
        type Server struct { count, size int }
        func (s *Server) Home() {}
        type Handler struct { Name string }
        func NewHandler() *Handler { return nil }
        func (h *Handler) List() {}
        func (h *Handler) Show() {}
        """,
    },
    "typescript": {
        "handler.ts": """
        export class Handler { list() {} show() {} get size() { return 1 } name = "" }
        export const kept = new Handler();
        """,
        "routes.ts": """
        import { Handler, kept } from "./handler";
        const handler = new Handler();
        export const routes = [handler.list, kept.show];
        class Routes {
          constructor(private handler: Handler) {}
          add(app: App) { app.get("/", this.handler.show, this.handler.name) }
        }
        function size(it: Handler, other: any) { it.list?.(); return it.size + other.show }
        """,
    },
    "csharp": {
        "Handler.cs": "class Handler { public string Name; public void OnAdd() {} public void OnClick() {} }",
        "Form.cs": """
        class Form {
            Handler own;
            void Add(Bus bus) { var it = new Handler(); bus.Add(it.OnAdd); bus.Add(it.Name); }
            void Click(Button button, Handler it) { button.Click += it.OnClick; }
            void Own(Button button) { button.Click += own.OnClick; }
        }
        """,
    },
}
HANDED_ON = {
    "go": {("Server.Routes", "Server.Home"), ("mount", "Handler.List"), ("made", "Handler.Show")},
    "typescript": {
        ("routes", "Handler.list"),
        ("routes", "Handler.show"),
        ("Routes.add", "Handler.show"),
        ("size", "Handler.size"),
    },
    "csharp": {("Form.Add", "Handler.OnAdd"), ("Form.Click", "Handler.OnClick"), ("Form.Own", "Handler.OnClick")},
}


@pytest.mark.parametrize("language", HANDED)
def test_who_names_a_method_of_an_object_of_a_known_type_refers_to_it(language: str) -> None:
    assert HANDED_ON[language] == members_named(HANDED[language])


def test_a_type_of_rust_implements_what_a_file_says_that_defines_methods_of_it() -> None:
    files = {
        "src/lib.rs": "pub mod cart;\npub mod paid;\n",
        "src/cart.rs": "pub struct Cart;\npub struct Line;\nimpl Cart { pub fn add(&self) {} }\n",
        "src/paid.rs": """use crate::cart::{Cart, Line};
        use std::fmt::Display;

        pub trait Paid { fn pay(&self) {} }
        impl Paid for Cart { fn pay(&self) { self.add() } }
        impl Display for Line { fn fmt(&self) {} }
        impl<T> Paid for Vec<T> { fn pay(&self) {} }
        """,
    }
    assert {("src/cart.rs::Cart", "src/paid.rs::Paid", "import 1")} == edges_between(files, "implements")
