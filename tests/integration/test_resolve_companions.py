"""Objects whose members are asked of types, Scala's beside and Kotlin's inside of them; types inside of others."""

import pytest
from resolved_edges import edges_between


@pytest.mark.parametrize("name", ["", "Factory "])
def test_what_stands_in_a_companion_of_kotlin_is_asked_of_its_class(name: str) -> None:
    own = f"Note.{name}".strip(" .")
    files = {
        "note.kt": f"""
        package shop
        class Note private constructor(val text: String) {{
            fun draw() {{ check(); }}
            companion object {name}{{
                fun create(): Note = Note("")
                fun check() {{}}
                const val LONGEST = 4
            }}
        }}
        class Other {{ fun draw() {{}}; fun create() {{}}; fun check() {{}} }}
        """,
        "use.kt": """
        package other
        import shop.Note
        fun use() {
            val note = Note.create()
            note.draw()
        }
        fun most() = Note.LONGEST
        """,
    }
    drawn = {edge for edge in edges_between(files) if edge[1].count(".") > 1}
    assert {
        ("note.kt::Note.draw", f"note.kt::{own}.check", "receiver 0.95"),
        ("use.kt::use", f"note.kt::{own}.create", "receiver 0.95"),
        ("use.kt::use", "note.kt::Note.draw", "type 0.85"),
    } == {edge for edge in drawn if not edge[2].startswith("scope")}
    used = {target for origin, target, _ in edges_between(files, "references") if origin == "use.kt::most"}
    assert {f"note.kt::{own}.LONGEST"} == used


def test_a_companion_may_be_said_by_its_own_name_and_an_object_inside_is_none() -> None:
    files = {
        "note.kt": """
        package shop
        class Note {
            companion object Factory { fun create(): Note = Note() }
            object Held { fun build(): Note = Note() }
        }
        """,
        "use.kt": "package shop\nfun use() { Note.Factory.create() }\nfun other() { Note.build() }\n",
    }
    drawn = {edge[:2] for edge in edges_between(files) if edge[0].startswith("use")}
    assert {("use.kt::use", "note.kt::Note.Factory.create")} == drawn


def test_a_class_of_scala_and_the_object_of_its_name_are_told_apart() -> None:
    files = {
        "cart.scala": """
        package shop
        class Cart { def pay(): Unit = {} }
        object Cart { def make(): Cart = new Cart }
        class Other { def pay(): Unit = {}; def make(): Int = 1 }
        """,
        "use.scala": "package shop\nclass Use { def go(): Unit = { Cart.make().pay() } }\n",
    }
    drawn = {edge for edge in edges_between(files) if edge[0] == "use.scala::Use.go"}
    assert {
        ("use.scala::Use.go", "cart.scala::Cart.make", "receiver 0.95"),
        ("use.scala::Use.go", "cart.scala::Cart.pay", "type 0.85"),
    } == drawn


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ('new User.Builder().Name("x");', {"Builder.Name"}),
        ('new Shop.User.Builder().Name("x").Build().Greet();', {"Builder.Name", "Builder.Build", "Greet"}),
        ("new User.Builder { X = 1 }.Build();", {"Builder.Build"}),
        ("new User.Builder.Deep().Down();", {"Builder.Deep.Down"}),
    ],
)
def test_what_is_asked_of_an_object_of_a_type_inside_another_is_that_ones(body: str, called: set[str]) -> None:
    files = {
        "User.cs": """
        namespace Shop {
          public class User {
            public class Builder {
              public int X;
              public Builder Name(string name) { return this; }
              public User Build() { return new User(); }
              public class Deep { public void Down() {} }
            }
            public void Greet() {}
          }
          public class Other {
            public void Name(string name) {}
            public void Build() {}
            public void Greet() {}
            public void Down() {}
          }
        }
        """,
        "Use.cs": f"using Shop;\nnamespace App {{ class Use {{ void Go() {{ {body} }} }} }}\n",
    }
    drawn = {(target, how) for origin, target, how in edges_between(files) if origin == "Use.cs::Use.Go"}
    assert {(f"User.cs::User.{name}", "type 0.9") for name in called} == {edge for edge in drawn if "type" in edge[1]}
    assert not any(how.startswith("ambiguous") for _, how in drawn)


def test_what_a_class_of_kotlin_extends_other_types_with_is_called_inside_of_it_and_its_heirs() -> None:
    files = {
        "Shop.kt": """
        package shop
        open class Shop {
            fun go(promise: Promise, other: Other) { promise.done(); "a".twice(1); other.done(); other.own() }
            protected fun Promise.done() {}
            private fun String.twice(count: Int) = 1
        }
        class Other { fun done() {} }
        fun Other.own() {}
        """,
        "Heir.kt": """
        package shop
        class Heir : Shop() { inner class Part { fun run(promise: Promise) = promise?.done() } }
        fun outside(promise: Promise) { promise.done() }
        """,
    }
    assert {
        ("Heir.kt::Heir", "Shop.kt::Shop", "scope 1"),
        ("Heir.kt::Heir.Part.run", "Shop.kt::Shop.done", "type 0.9"),
        ("Shop.kt::Shop.go", "Shop.kt::Other.done", "type 0.9"),
        ("Shop.kt::Shop.go", "Shop.kt::Other.own", "type 0.9"),
        ("Shop.kt::Shop.go", "Shop.kt::Shop.done", "type 0.9"),
        ("Shop.kt::Shop.go", "Shop.kt::Shop.twice", "type 0.9"),
    } == edges_between(files)
