"""Uses that are no calls, what tests test, re-exports and what is implemented."""

import pytest
from resolved_edges import edges_between

BOOKS = {
    "app/models.py": """
    class Book:
        pass

    def check(x: Book) -> "Book": ...
    """,
}


def test_annotations_values_and_what_stands_before_a_dot_are_references() -> None:
    files = {
        **BOOKS,
        "app/views.py": """
        from . import models
        from .models import Book, check

        def show(book: dict[str, models.Book], title=None):
            return isinstance(book, Book)

        def rows():
            return Book.objects.all(), map(check, [])

        urls = [show]
        """,
    }
    assert {
        ("app/models.py::check", "app/models.py::Book", "scope 1"),
        ("app/views.py::show", "app/models.py::Book", "receiver 0.95"),
        ("app/views.py::show", "app/models.py::Book", "import 1"),
        ("app/views.py::rows", "app/models.py::Book", "import 1"),
        ("app/views.py::rows", "app/models.py::check", "import 1"),
        ("app/views.py", "app/views.py::show", "scope 1"),
    } == edges_between(files, "references")


def test_texts_comments_parameters_and_local_variables_are_no_references() -> None:
    files = {
        **BOOKS,
        "app/views.py": """
        from .models import Book, check
        import os

        def show(check, Box=None):
            \"\"\"Book\"\"\"
            return check, "Book", os.path  # Book

        def other(items):
            for check in items:
                print(check)
            return dict(check=1)

        def third(items):
            check = items
            return [check for item in items]
        """,
    }
    files["app/views.py"] = files["app/views.py"].replace('\\"', '"')
    assert {("app/models.py::check", "app/models.py::Book", "scope 1")} == edges_between(files, "references")


def test_a_place_that_calls_or_inherits_is_no_reference_too() -> None:
    files = {
        **BOOKS,
        "app/more.py": """
        from .models import Book, check

        class Novel(Book):
            pass

        @check
        def make():
            return Book()
        """,
    }
    assert {("app/models.py::check", "app/models.py::Book", "scope 1")} == edges_between(files, "references")
    assert 2 == len(edges_between(files))


def test_types_components_and_values_of_typescript_are_references() -> None:
    files = {
        "cart.tsx": """
        import { Priced, send } from './price';
        import type { Props } from './price';
        export class Cart { go(one: Priced): Props[] { return [send]; } }
        export const kept = <T extends Priced>(one: T) => one;
        export const view = ({ send }: Props) => <button onClick={send} />;
        """,
        "price.ts": "export interface Priced {}\nexport type Props = {}\nexport function send() {}\n",
    }
    assert {
        ("cart.tsx::Cart.go", "price.ts::Priced", "import 1"),
        ("cart.tsx::Cart.go", "price.ts::Props", "import 1"),
        ("cart.tsx::Cart.go", "price.ts::send", "import 1"),
        ("cart.tsx::kept", "price.ts::Priced", "import 1"),
        ("cart.tsx::view", "price.ts::Props", "import 1"),
    } == edges_between(files, "references")


def test_types_of_rust_go_and_java_are_references() -> None:
    files = {
        "src/lib.rs": "pub mod cart;\nuse cart::Run;\nfn a(x: &cart::Cart) -> Option<u8> { map(cut) }\nfn cut() {}\n",
        "src/cart.rs": "pub trait Run {}\npub struct Cart;\n",
        "go/cart.go": "package shop\ntype Cart struct{}\nfunc Make() *Cart { return nil }\n",
        "go/more.go": "package shop\nvar all = []Cart{}\nfunc Kept(c *Cart) {}\n",
        "s/A.java": "package s; interface A {}\n",
        "s/B.java": "package s; class B { A f(A a) { return a; } }\n",
    }
    assert {
        ("src/lib.rs::a", "src/cart.rs::Cart", "receiver 0.95"),
        ("src/lib.rs::a", "src/lib.rs::cut", "scope 1"),
        ("go/cart.go::Make", "go/cart.go::Cart", "scope 1"),
        ("go/more.go::all", "go/cart.go::Cart", "scope 1"),
        ("go/more.go::Kept", "go/cart.go::Cart", "scope 1"),
        ("s/B.java::B.f", "s/A.java::A", "scope 1"),
    } == edges_between(files, "references")


def test_annotations_of_java_with_arguments_are_references() -> None:
    files = {
        "a/Shop.java": """
        package a;
        class Shop {
            @Audited("x") int field;
            @Audited(value = "y") int method() { return 1; }
            int given(@Audited("z") int one) { return one; }
            @b.Sold(1) int sold() { return 1; }
            @Outer.Inner(of = @Mark("m")) int inner() { return 1; }
        }
        """,
        "a/Audited.java": "package a;\npublic @interface Audited { String value(); }\n",
        "a/Mark.java": "package a;\npublic @interface Mark { String value(); }\n",
        "a/Outer.java": "package a;\nclass Outer { @interface Inner { Mark of(); } }\n",
        "b/Sold.java": "package b;\npublic @interface Sold { int value(); }\n",
    }
    assert {
        ("a/Shop.java::Shop", "a/Audited.java::Audited", "scope 1"),
        ("a/Shop.java::Shop.method", "a/Audited.java::Audited", "scope 1"),
        ("a/Shop.java::Shop.given", "a/Audited.java::Audited", "scope 1"),
        ("a/Shop.java::Shop.sold", "b/Sold.java::Sold", "receiver 0.95"),
        ("a/Shop.java::Shop.inner", "a/Outer.java::Outer.Inner", "receiver 0.95"),
        ("a/Shop.java::Shop.inner", "a/Mark.java::Mark", "scope 1"),
        ("a/Outer.java::Outer.Inner.of", "a/Mark.java::Mark", "scope 1"),
    } == edges_between(files, "references")


def test_types_and_constants_of_rust_are_known_by_imports_of_everything() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "pub mod cart;\npub mod store;\npub mod till;\npub fn given() {}\n",
        "src/cart.rs": "pub struct Cart;\npub const MOST: u32 = 1;\npub enum State { Open }\n",
        "src/store.rs": "use super::cart::*;\npub fn one(of: &Cart) {}\npub fn two() -> u32 { MOST }\n",
        "src/till.rs": """
        use crate::cart::*;
        use crate::cart::State::*;
        use std::fmt::*;
        pub struct Till<Cart> { of: Cart }
        pub fn three(of: Vec<Cart>, by: Display) {}
        pub fn four<MOST>(of: MOST) -> u8 { Open }
        """,
        "tests/till.rs": "use outside::*;\nfn five() { Other::given(); }\n",
    }
    assert {
        ("src/store.rs::one", "src/cart.rs::Cart", "import 1"),
        ("src/store.rs::two", "src/cart.rs::MOST", "import 1"),
        ("src/till.rs::three", "src/cart.rs::Cart", "import 1"),
        ("src/till.rs::four", "src/cart.rs::State", "import 1"),
        ("src/till.rs::four", "src/cart.rs::State.Open", "import 1"),
    } == edges_between(files, "references")
    assert set() == edges_between(files)


def test_what_comes_from_outside_is_never_referred_to() -> None:
    files = {
        "a.py": "from elsewhere import Book\n\ndef f(x: Book): return Book.name\n",
        "b.py": "class Book: pass\n",
        "A.java": "package p; import other.Book; class A { Book b; }\n",
        "Book.java": "package p; class Book {}\n",
    }
    assert set() == edges_between(files, "references")


def test_a_test_leads_to_what_its_name_says_and_to_the_few_things_it_uses() -> None:
    files = {
        **BOOKS,
        "tests/test_models.py": """
        from app.models import Book, check
        from app.views import show

        class TestBook:
            def test_other(self):
                show(check(1))
            def helper(self):
                show(2)

        def test_check_of_all():
            show(check(3))
        """,
        "app/views.py": "def show(x): ...\n",
    }
    assert {
        ("tests/test_models.py", "app/models.py", "naming 0.9"),
        ("tests/test_models.py::TestBook", "app/models.py::Book", "naming 0.9"),
        ("tests/test_models.py::TestBook.test_other", "app/models.py::check", "use 0.35"),
        ("tests/test_models.py::TestBook.test_other", "app/views.py::show", "use 0.35"),
        ("tests/test_models.py::test_check_of_all", "app/models.py::check", "naming 0.9"),
    } == edges_between(files, "tests")


def test_tests_of_other_languages_lead_to_the_files_they_are_called_after() -> None:
    files = {
        "cart.ts": "export class Cart {}\n",
        "cart.test.ts": "import { Cart } from './cart';\nit('x', () => { new Cart(); });\n",
        "go/cart.go": "package shop\nfunc Make() {}\n",
        "go/cart_test.go": "package shop\nfunc TestMake(t *T) { Make() }\n",
        "B.java": "package s; class B { void f() {} }\n",
        "src/test/BTest.java": "package s; class BTest {}\n",
        "src/lib.rs": "fn b() {}\n#[cfg(test)]\nmod tests { use super::*; #[test] fn b_works() { b(); } }\n",
    }
    assert {
        ("cart.test.ts", "cart.ts", "naming 0.9"),
        ("go/cart_test.go", "go/cart.go", "naming 0.6"),
        ("go/cart_test.go::TestMake", "go/cart.go::Make", "naming 0.9"),
        ("src/test/BTest.java", "B.java", "naming 0.6"),
        ("src/test/BTest.java::BTest", "B.java::B", "naming 0.9"),
        ("src/lib.rs::tests.b_works", "src/lib.rs::b", "naming 0.9"),
    } == edges_between(files, "tests")


def test_a_test_is_about_the_file_of_its_name_that_stands_like_it() -> None:
    files = {
        "web/cart.ts": "export function pay() {}\n",
        "web/__tests__/cart.test.ts": "test('x', () => {})\n",
        "shop/cart.ts": "export function pay() {}\n",
        "lib/models/user.rb": "class User\nend\n",
        "lib/admin/user.rb": "module Admin\n  class User\n  end\nend\n",
        "spec/models/user_spec.rb": "describe 'x' do\nend\n",
        "spec/support/user.rb": "puts 1\n",
        "spec/user_spec.rb": "describe 'y' do\nend\n",
    }
    assert {
        ("web/__tests__/cart.test.ts", "web/cart.ts", "naming 0.6"),
        ("spec/models/user_spec.rb", "lib/models/user.rb", "naming 0.6"),
    } == edges_between(files, "tests")


def test_tests_of_a_django_application_test_what_they_use() -> None:
    files = {
        "shop/models.py": "class Cart:\n    def pay(self): pass\n",
        "shop/tests.py": """
            from .models import Cart
            class CartTests:
                def test_pay(self): Cart().pay()
            """,
    }
    assert {
        ("shop/tests.py::CartTests", "shop/models.py::Cart", "naming 0.9"),
        ("shop/tests.py::CartTests.test_pay", "shop/models.py::Cart.pay", "naming 0.9"),
    } == {edge for edge in edges_between(files, "tests") if "::" in edge[0]}


def test_a_test_that_uses_many_things_tests_none_of_them() -> None:
    files = {
        "lib.py": "def a(): ...\ndef b(): ...\ndef c(): ...\ndef d(): ...\n",
        "tests/test_all.py": "from lib import a, b, c, d\n\ndef test_everything():\n    a(b(c(d())))\n",
    }
    assert set() == edges_between(files, "tests")


def test_what_is_offered_again_is_a_re_export_and_no_import() -> None:
    files = {
        "app/__init__.py": "from .models import Book\n",
        **BOOKS,
        "web/index.ts": "export * from './cart';\nexport { send as post } from './cart';\n",
        "web/cart.ts": "export function send() {}\n",
        "src/lib.rs": "pub mod cart;\npub use crate::cart::Cart;\n",
        "src/cart.rs": "pub struct Cart;\n",
    }
    assert {
        ("app/__init__.py", "app/models.py::Book", "import 1"),
        ("web/index.ts", "web/cart.ts", "import 1"),
        ("web/index.ts", "web/cart.ts::send", "import 1"),
        ("src/lib.rs", "src/cart.rs::Cart", "import 1"),
    } == edges_between(files, "re-exports")
    assert {("src/lib.rs", "src/cart.rs", "import 1")} == edges_between(files, "imports")


def test_contracts_are_implemented_and_extended_by_contracts() -> None:
    files = {
        "p.py": """
        from typing import Protocol

        class Runs(Protocol): ...
        class RunsFast(Runs, Protocol): ...
        class Runner(Runs): ...
        """,
        "t.ts": "interface A {}\ninterface B extends A {}\nclass C implements A {}\nclass D extends C {}\n",
        "r.rs": "trait Run {}\ntrait Fast: Run {}\nstruct Car;\nimpl Run for Car {}\n",
    }
    assert {
        ("p.py::Runner", "p.py::Runs", "scope 1"),
        ("t.ts::C", "t.ts::A", "scope 1"),
        ("r.rs::Car", "r.rs::Run", "scope 1"),
    } == edges_between(files, "implements")
    assert {
        ("p.py::RunsFast", "p.py::Runs", "scope 1"),
        ("t.ts::B", "t.ts::A", "scope 1"),
        ("t.ts::D", "t.ts::C", "scope 1"),
        ("r.rs::Fast", "r.rs::Run", "scope 1"),
    } == edges_between(files, "inherits")


MACROS = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": """
    #[macro_use]
    mod macros;
    mod cart;
    mod other;
    mod timing;
    pub fn top() -> u8 { price!(2) }
    pub fn kept() { run() }
    """,
    "src/macros.rs": """
    macro_rules! price { ($x:expr) => { $x } }
    #[macro_export]
    macro_rules! shared { () => { 3 } }
    macro_rules! vec { () => { 4 } }
    pub fn run() {}
    """,
    "src/cart.rs": """
    #[macro_use]
    mod inner;
    fn named() -> u8 { assert_eq!(1, price!(1)); 1 }
    fn pathed() -> u8 { crate::shared!() }
    fn within() -> u8 { deep!() }
    fn standard() { vec![1]; println!("{}", away!()); if price != (1) {} }
    """,
    "src/cart/inner.rs": "macro_rules! deep { () => { 1 } }\nmacro_rules! price { () => { 2 } }\n",
    "src/other.rs": "fn outside() { deep!(); away!(); crate::hidden!() }\nfn timed() { crate::time!() }\n",
    "src/timing.rs": """
    #[macro_export]
    macro_rules! time { () => { 5 } }
    #[macro_export]
    macro_rules! twice { () => { 6 } }
    macro_rules! hidden { () => { 7 } }
    """,
    "src/main.rs": "#[macro_use]\nextern crate shop;\nfn main() { shared!() }\nfn pathed() { shop::shared!() }\n"
    "use shop::{time, away};\nfn taken() { time!(); away!() }\nfn elsewhere() { shop::twice!() }\n",
}


def test_macros_of_rust_are_known_where_macro_use_or_a_path_brings_them() -> None:
    assert {
        ("src/lib.rs::top", "src/macros.rs::price", "import 1"),
        ("src/cart.rs::named", "src/cart/inner.rs::price", "import 1"),
        ("src/cart.rs::pathed", "src/macros.rs::shared", "receiver 0.95"),
        ("src/cart.rs::within", "src/cart/inner.rs::deep", "import 1"),
        ("src/main.rs::main", "src/macros.rs::shared", "import 1"),
        ("src/main.rs::pathed", "src/macros.rs::shared", "receiver 0.95"),
        ("src/main.rs::taken", "src/timing.rs::time", "receiver 0.95"),
        ("src/main.rs::elsewhere", "src/timing.rs::twice", "receiver 0.95"),
        ("src/other.rs::timed", "src/timing.rs::time", "receiver 0.95"),
    } == edges_between(MACROS, "references")


def test_nothing_but_macros_comes_with_macro_use() -> None:
    assert {
        ("src/cart.rs", "src/cart/inner.rs", "import 1"),
        ("src/lib.rs", "src/cart.rs", "import 1"),
        ("src/lib.rs", "src/macros.rs", "import 1"),
        ("src/lib.rs", "src/other.rs", "import 1"),
        ("src/lib.rs", "src/timing.rs", "import 1"),
        ("src/main.rs", "src/lib.rs", "import 1"),
    } == edges_between(MACROS, "imports")
    assert set() == edges_between(MACROS, "re-exports")
    assert set() == edges_between(MACROS, "calls")


def test_what_modules_and_classes_of_python_give_names_to_is_used_by_them() -> None:
    files = {
        "shop.py": """
            from enum import Enum
            LIMIT = 3
            spare = object()
            class Colour(Enum):
                RED = 1
                dark = 2
                def stop(self):
                    return self.RED
            class Row:
                MOST = LIMIT
                name: str = ""
            """,
        "use.py": """
            import shop
            from shop import Colour, Row, spare
            def named():
                return spare, Colour.RED, shop.Colour.dark, Row.MOST, Row.name
            class Own(Row):
                MOST = 4
                def go(self):
                    return self.MOST
            def hidden(spare, Colour):
                return spare, Colour.RED
            """,
    }
    assert {
        ("shop.py::Colour.stop", "shop.py::Colour.RED", "receiver 0.95"),
        ("shop.py::Row", "shop.py::LIMIT", "scope 1"),
        ("use.py::Own.go", "use.py::Own.MOST", "receiver 0.95"),
        ("use.py::named", "shop.py::spare", "import 1"),
        ("use.py::named", "shop.py::Colour", "import 1"),
        ("use.py::named", "shop.py::Colour", "receiver 0.95"),
        ("use.py::named", "shop.py::Colour.RED", "import 1"),
        ("use.py::named", "shop.py::Colour.dark", "receiver 0.95"),
        ("use.py::named", "shop.py::Row", "import 1"),
        ("use.py::named", "shop.py::Row.MOST", "receiver 0.95"),
    } == edges_between(files, "references")


def test_methods_that_csharp_hands_on_of_the_object_itself_are_referred_to_in_whatever_part_they_stand() -> None:
    files = {
        "Form.Designer.cs": """
        partial class Form {
          void Init() {
            save.Click += new System.EventHandler(this.OnSave);
            open.Click += new EventHandler( open_Click );
            this.Load += this.load_Form;
            Run(this.OnBase, this.Name);
            var run = busy ? this.OnRun : null;
            this.OnQuiet();
          }
        }
        """,
        "Form.cs": """
        partial class Form : Base {
          string Name { get; set; }
          void OnSave(object sender, EventArgs e) {}
          void open_Click(object sender, EventArgs e) {}
          void load_Form(object sender, EventArgs e) {}
          void OnQuiet() {}
        }
        class Base { protected void OnBase() {} }
        """,
    }
    assert {
        ("Form.Designer.cs::Form.Init", "Form.cs::Base.OnBase", "receiver 0.95"),
        ("Form.Designer.cs::Form.Init", "Form.cs::Form.OnSave", "receiver 0.95"),
        ("Form.Designer.cs::Form.Init", "Form.cs::Form.load_Form", "receiver 0.95"),
        ("Form.Designer.cs::Form.Init", "Form.cs::Form.open_Click", "receiver 0.95"),
    } == edges_between(files, "references")


@pytest.mark.parametrize(
    "body",
    [
        "void Init() { void on_save(object sender) {} save.Click += new EventHandler(on_save); }",
        "void Init() { var on_save = Made(); save.Click += new EventHandler(on_save); }",
        "void Init(EventHandler on_save) { save.Click += new EventHandler(on_save); }",
        "void Init() { Each(on_save => new EventHandler(on_save)); All((a, on_save) => new EventHandler(on_save)); }",
        "void Init() { foreach (var on_save in all) Add(new EventHandler(on_save)); }",
        "void Init() { save.Click += this.Both; Run(this.Both); }",
    ],
)
def test_no_method_of_csharp_is_meant_by_what_hides_it_or_by_a_name_of_several(body: str) -> None:
    files = {
        "Form.Designer.cs": f"partial class Form {{ {body} }}",
        "Form.cs": "partial class Form { void on_save(object sender) {} void Both(int a) {} void Both(string a) {} }",
    }
    assert not edges_between(files, "references")
