"""Imports of whole packages: they lead to the files of these whose definitions are used."""

import pytest
from resolved_edges import edges_between

PRICE = {
    "go.mod": "module a.b\n",
    "price/a.go": "package price\n\ntype Unit int\n",
    "price/price.go": "package price\n\ntype Price struct{}\n\nfunc New() *Price { return nil }\n",
    "price/tax.go": "package price\n\nconst Rate = 3\n\nfunc Taxed() {}\n",
    "price/total.go": "package price\n\nfunc (p *Price) Total() {}\n",
}


def imported(user: str, path: str = "shop/cart.go") -> set[tuple[str, str]]:
    edges = edges_between(PRICE | {path: user}, "imports")
    return {(target, told) for source, target, told in edges if source == path}


def test_an_import_of_go_leads_to_the_files_of_the_package_whose_definitions_are_named() -> None:
    user = 'package shop\n\nimport "a.b/price"\n\nfunc run() { price.New().Total(); price.Taxed(); _ = price.Rate }\n'
    assert {("price/price.go", "import 1"), ("price/tax.go", "import 1")} == imported(user)


def test_types_that_are_named_count_too_under_another_name_and_in_tests_outside_the_package() -> None:
    user = 'package shop\n\nimport money "a.b/price"\n\ntype Cart struct{ unit money.Unit }\n'
    assert {("price/a.go", "import 1")} == imported(user)
    test = 'package price_test\n\nimport "a.b/price"\n\nfunc TestTaxed() { price.Taxed() }\n'
    assert {("price/tax.go", "import 1")} == imported(test, "price/tax_test.go")


def test_where_nothing_is_used_the_file_that_stands_for_the_package_is_perhaps_meant() -> None:
    user = 'package shop\n\nimport _ "a.b/price"\n'
    assert {("price/price.go", "ambiguous 0.5")} == imported(user)
    files = {path: text for path, text in PRICE.items() if path != "price/price.go"} | {"shop/cart.go": user}
    standing = {"price/doc.go": "package price\n", "price/a_test.go": "package price\n"}
    assert {("shop/cart.go", "price/doc.go", "ambiguous 0.5")} == edges_between(files | standing, "imports")


def test_a_package_of_one_file_and_its_tests_is_meant_for_sure() -> None:
    files = {
        "go.mod": "module a.b\n",
        "price/tax.go": "package price\n",
        "price/a_test.go": "package price\n",
        "shop/cart.go": 'package shop\n\nimport _ "a.b/price"\n',
    }
    assert {("shop/cart.go", "price/tax.go", "import 1")} == edges_between(files, "imports")


def test_an_import_leads_to_the_five_files_that_are_used_most() -> None:
    files = {
        f"p/{name}.go": f"package p\n\nfunc {name.upper()}() {{}}\n\nfunc {name.upper()}2() {{}}\n"
        for name in "abcdefg"
    }
    calls = "".join(f"p.{name}(); " for name in ("A", "B", "C", "D", "E", "F", "F2", "G", "G2"))
    user = {"go.mod": "module m\n", "u/u.go": f'package u\n\nimport "m/p"\n\nfunc run() {{ {calls}}}\n'}
    expected = {("u/u.go", f"p/{name}.go", "import 1") for name in "abcfg"}
    assert expected == edges_between(files | user, "imports")


JAVA = {
    "a/Base.java": "package a;\n\npublic class Base { public void pay() {} }\n",
    "a/Cart.java": "package a;\n\npublic class Cart extends Base { public Cart(int one) {} }\n",
    "a/Zero.java": "package a;\n\npublic class Zero {}\n",
    "a/package-info.java": "package a;\n",
}


@pytest.mark.parametrize(
    ("path", "user", "expected"),
    [
        ("b/U.java", "package b;\n\nimport a.*;\n\nclass U { void run(Cart it) { it.pay(); } }\n", {"a/Cart.java"}),
        ("b/U.java", "package b;\n\nimport a.*;\n\nclass U { Object o = new Cart(1); }\n", {"a/Cart.java"}),
        (
            "b/UTest.java",
            "package b;\n\nimport a.*;\n\nclass UTest { Cart c; void r() { c.pay(); } }\n",
            {"a/Base.java"},
        ),
        (
            "b/U.kt",
            "package b\n\nimport a.*\n\nclass U : Zero() { fun run(it: Cart) {} }\n",
            {"a/Cart.java", "a/Zero.java"},
        ),
        ("b/U.scala", "package b\n\nimport a._\n\nclass U extends Zero\n", {"a/Zero.java"}),
    ],
)
def test_an_import_of_everything_leads_to_the_types_that_are_named(path: str, user: str, expected: set[str]) -> None:
    assert {(path, target, "import 1") for target in expected} == edges_between(JAVA | {path: user}, "imports")


def test_an_import_of_everything_of_which_nothing_is_used_leads_to_what_describes_the_package() -> None:
    user = {"b/U.java": "package b;\n\nimport a.*;\n\nclass U {}\n"}
    assert {("b/U.java", "a/package-info.java", "ambiguous 0.5")} == edges_between(JAVA | user, "imports")


def test_namespaces_of_csharp_and_php_are_imported_like_packages() -> None:
    files = {
        "Cart.cs": "namespace Shop;\n\npublic class Cart {}\n",
        "Price.cs": "namespace Shop;\n\npublic class Price {}\n",
        "User.cs": "using Shop;\n\nnamespace Web;\n\nclass User { Price price; }\n",
        "cart.php": "<?php\nnamespace Shop\\Deep;\n\nclass Cart {}\n",
        "price.php": "<?php\nnamespace Shop\\Deep;\n\nclass Price {}\n",
        "user.php": "<?php\nnamespace Web;\n\nuse Shop\\Deep;\n\nfunction run() { new Deep\\Price(); }\n",
    }
    assert {
        ("User.cs", "Price.cs", "import 1"),
        ("user.php", "price.php", "import 1"),
    } == edges_between(files, "imports")


def test_what_a_test_of_a_package_is_called_after_stands_beside_it_before_what_it_imports() -> None:
    files = PRICE | {
        "shop/tax.go": "package shop\n\nfunc Sum() {}\n",
        "shop/tax_test.go": 'package shop\n\nimport "a.b/price"\n\nfunc TestSum() { price.Taxed() }\n',
    }
    edges = {edge for edge in edges_between(files, "tests") if edge[0] == "shop/tax_test.go"}
    assert {("shop/tax_test.go", "shop/tax.go", "naming 0.6")} == edges


def test_names_in_a_namespace_of_very_many_parts_are_looked_for_in_few_of_them() -> None:
    """What is wrong here shows as a test that does not end."""
    space, calls = ".".join(f"P{at}" for at in range(400)), " ".join(f"B{at}.C.Go();" for at in range(400))
    files = {
        "Deep.cs": f"namespace {space} {{ class Deep {{ void Go() {{ {calls} Tools.Cart.Add(); }} }} }}\n",
        "Cart.cs": "namespace P0.Tools { public class Cart { public static void Add() {} } }\n",
    }
    assert {("Deep.cs::Deep.Go", "Cart.cs::Cart.Add", "receiver 0.95")} == edges_between(files)
