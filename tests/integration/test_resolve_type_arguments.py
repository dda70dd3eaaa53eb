"""What type arguments say of Java's variables, fields, parameters and of what methods give."""

import pytest
from resolved_edges import edges_between

BOX = """
package shop;
public class Box<T> {
    T kept;
    T get() { return kept; }
    java.util.List<T> all() { return null; }
    Box<T> same() { return this; }
}
"""
OTHERS = {
    "shop/Box.java": BOX,
    "shop/Order.java": "package shop;\npublic class Order { void ship() {} }",
    "shop/Other.java": "package shop;\npublic class Other { void ship() {} }",
    "shop/Pair.java": """
    package shop;
    public class Pair<A, B> {
        A first() { return null; }
        B second() { return null; }
        Pair<B, A> turned() { return null; }
        Box<B> boxed() { return null; }
    }
    """,
}


def shipping(source: str) -> set[str]:
    """Return whose ``ship`` a class of the package calls, for sure."""
    edges = edges_between({**OTHERS, "shop/User.java": f"package shop;\n{source}"})
    return {target for _, target, tier in edges if target.endswith(".ship") and not tier.startswith("ambiguous")}


@pytest.mark.parametrize(
    "source",
    [
        "class User { void run(Box<Order> it) { it.get().ship(); } }",
        "class User { void run() { Box<Order> it = new Box<>(); it.get().ship(); } }",
        "class User { void run() { var it = new Box<Order>(); it.get().ship(); } }",
        "class User { Box<Order> it; void run() { it.get().ship(); } }",
        "class User { Box<Order> it; void run() { this.it.kept.ship(); } }",
        "class User { Box<? extends Order> it() { return null; } void run() { it().get().ship(); } }",
        "class User { void run(Box<Order> it) { it.same().same().get().ship(); } }",
        "class User { void run(Box<Order> it) { for (Order each : it.all()) each.ship(); } }",
        "class User { void run(Box<Order> it) { it.all().get(0).ship(); } }",
        "class User { void run(Pair<Other, Order> it) { it.second().ship(); } }",
        "class User { void run(Pair<Order, Other> it) { it.turned().second().ship(); } }",
        "class User { void run(Pair<Other, Order> it) { it.boxed().get().ship(); } }",
        "class Own extends Box<Order> {} class User { void run(Own it) { it.same().get().ship(); } }",
        "class Own<X> extends Box<X> {} class User { void run(Own<Order> it) { it.get().ship(); } }",
    ],
)
def test_a_type_argument_stands_for_the_type_parameter(source: str) -> None:
    assert {"shop/Order.java::Order.ship"} == shipping(source)


@pytest.mark.parametrize(
    "source",
    [
        "class User { void run(Box it) { it.get().ship(); } }",
        "class User { void run(Box<?> it) { it.get().ship(); } }",
        "class User<T> { void run(Box<T> it) { it.get().ship(); } }",
        "import java.util.Foreign; class User { void run(Foreign<Order> it) { it.get().ship(); } }",
        "class User { void run(Pair<Order, Other> it) { it.third().ship(); } }",
    ],
)
def test_what_no_argument_says_is_nobodys_for_sure(source: str) -> None:
    assert set() == shipping(source)


def test_a_builder_makes_what_its_heir_says_it_builds() -> None:
    files = {
        "shop/Loader.java": """
        package shop;
        abstract class Loader {
            void load() {}
            abstract static class Builder<T extends Loader> {
                Builder<T> path(String it) { return this; }
                abstract T build();
            }
        }
        """,
        "shop/Quick.java": """
        package shop;
        class Quick extends Loader {
            void load() {}
            static class Builder extends Loader.Builder<Quick> { Quick build() { return new Quick(); } }
        }
        """,
        "shop/User.java": """
        package shop;
        class User { void run() { new Quick.Builder().path("a").build().load(); } }
        """,
    }
    found = {edge[1:] for edge in edges_between(files) if edge[1].endswith("load")}
    assert {("shop/Quick.java::Quick.load", "type 0.9")} == found
