"""Python names, tier by tier."""

from resolved_edges import edges_between, facts_of

from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.resolve.graph import resolve


def test_a_bare_name_is_the_definition_in_the_same_file() -> None:
    calls = edges_between({"a.py": "def f(): pass\ndef g(): f()\n"})
    assert {("a.py::g", "a.py::f", "scope 1")} == calls


def test_a_local_definition_hides_the_one_of_the_module() -> None:
    calls = edges_between(
        {
            "a.py": """
            def f(): pass
            def g():
                def f(): pass
                f()
            """
        }
    )
    assert {("a.py::g", "a.py::g.f", "scope 1")} == calls


def test_an_imported_name_is_followed_through_re_exports() -> None:
    files = {
        "pkg/__init__.py": "from .deep import thing as renamed\n",
        "pkg/deep.py": "def thing(): pass\n",
        "use.py": "from pkg import renamed\ndef g(): renamed()\n",
    }
    assert {("use.py::g", "pkg/deep.py::thing", "import 1")} == edges_between(files)


def test_star_imports_bind_and_circles_of_them_end() -> None:
    files = {
        "pkg/__init__.py": "from pkg.a import *\n",
        "pkg/a.py": "from pkg import *\ndef f(): pass\n",
        "use.py": "from pkg import *\nf()\nmissing()\n",
    }
    assert {("use.py", "pkg/a.py::f", "import 1")} == edges_between(files)


def test_a_folder_without_init_inside_a_package_belongs_to_it() -> None:
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/inner/app.py": "class App:\n    def run(self): pass\n",
        "src/pkg/use.py": "from pkg.inner.app import App\nfrom .inner import app\ndef g(): App(); app.App()\n",
    }
    assert {
        ("src/pkg/use.py::g", "src/pkg/inner/app.py::App", "import 1"),
        ("src/pkg/use.py::g", "src/pkg/inner/app.py::App", "receiver 0.95"),
    } == edges_between(files)


def test_methods_of_self_come_from_the_nearest_class_and_super_skips_the_own_one() -> None:
    files = {
        "base.py": "class Base:\n    def run(self): pass\n    def stop(self): pass\n",
        "own.py": """
        from base import Base
        class Own(Base):
            def run(self):
                self.stop()
                super().run()
            def again(self):
                self.run()
        """,
    }
    assert {
        ("own.py::Own.run", "base.py::Base.stop", "receiver 0.95"),
        ("own.py::Own.run", "base.py::Base.run", "receiver 0.95"),
        ("own.py::Own.again", "own.py::Own.run", "receiver 0.95"),
    } == edges_between(files)


def test_a_class_that_inherits_from_an_import_of_its_own_name_is_not_its_own_base() -> None:
    files = {"a.py": "class Form: pass\n", "b.py": "from a import Form\nclass Form(Form): pass\n"}
    assert {("b.py::Form", "a.py::Form", "import 1")} == edges_between(files, "inherits")


def test_local_types_lead_to_methods() -> None:
    files = {
        "a.py": """
        class Cart:
            def pay(self): pass
        class Shop:
            def __init__(self):
                self.cart = Cart()
        """,
        "b.py": """
        from a import Cart, Shop
        def made():
            cart = Cart()
            cart.pay()
        def typed(cart: Cart, shop: Shop):
            cart.pay()
            shop.cart.pay()
        """,
    }
    calls = {edge for edge in edges_between(files) if edge[1].endswith("pay")}
    assert {
        ("b.py::made", "a.py::Cart.pay", "type 0.9"),
        ("b.py::typed", "a.py::Cart.pay", "type 0.9"),
        ("b.py::typed", "a.py::Cart.pay", "type 0.85"),
    } == calls


def test_a_method_name_that_is_unique_is_guessed_and_a_few_share_the_confidence() -> None:
    files = {
        "a.py": "class A:\n    def settle(self): pass\n    def both(self): pass\n",
        "b.py": "class B:\n    def both(self): pass\n",
        "c.py": "def g(x):\n    x.settle()\n    x.both()\n",
    }
    assert {
        ("c.py::g", "a.py::A.settle", "unique-name 0.6"),
        ("c.py::g", "a.py::A.both", "ambiguous 0.25"),
        ("c.py::g", "b.py::B.both", "ambiguous 0.25"),
    } == edges_between(files)


def test_six_namesakes_are_too_many() -> None:
    files = {f"m{number}.py": "class A:\n    def both(self): pass\n" for number in range(6)}
    assert set() == edges_between({**files, "use.py": "def g(x): x.both()\n"})


def test_names_every_builtin_type_has_are_never_guessed() -> None:
    files = {"a.py": "class A:\n    def append(self, x): pass\n", "b.py": "def g(x): x.append(1)\n"}
    assert set() == edges_between(files)


def test_nothing_leads_to_a_name_bound_outside() -> None:
    files = {
        "a.py": "class A:\n    def settle(self): pass\ndef load(): pass\n",
        "b.py": """
        import json, outside
        from outside.deep import load, Thing
        def g(t: Thing):
            load()
            outside.settle()
            t.settle()
            Thing().settle()
            json.load()
        """,
    }
    assert set() == edges_between(files)


def test_methods_of_tests_are_no_candidates_for_the_product() -> None:
    files = {
        "app.py": "def g(x): x.settle()\n",
        "tests/test_app.py": "class Fake:\n    def settle(self): pass\ndef test(x): x.settle()\n",
    }
    assert {("tests/test_app.py::test", "tests/test_app.py::Fake.settle", "unique-name 0.6")} == edges_between(files)


def test_imports_lead_to_modules_and_symbols() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "def f(): pass\n",
        "use.py": "import pkg.a\nfrom pkg import a\nfrom pkg.a import f\nimport os\n",
    }
    assert {
        ("use.py", "pkg/__init__.py", "import 1"),
        ("use.py", "pkg/a.py", "import 1"),
        ("use.py", "pkg/a.py::f", "import 1"),
    } == edges_between(files, "imports")


def test_a_call_through_the_whole_module_path_is_found() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "class K:\n    @classmethod\n    def make(cls): return cls()\n",
        "use.py": "import pkg.a\ndef g(): pkg.a.K.make()\n",
    }
    assert {
        ("use.py::g", "pkg/a.py::K.make", "receiver 0.95"),
        ("pkg/a.py::K.make", "pkg/a.py::K", "receiver 0.95"),
    } == edges_between(files)


def test_the_order_of_files_and_the_texts_left_out_change_nothing() -> None:
    files = {
        "b.py": "from a import f\ndef g(): f()\n",
        "a.py": 'def f():\n    """Doc."""\n    return g()\n',
    }
    facts = facts_of(files)
    slim = {path: skeleton(facts[path]) for path in reversed(list(facts))}
    assert resolve(facts) == resolve(slim)


def test_endless_re_exports_end() -> None:
    files = {f"m{number}.py": f"from m{number + 1} import f\n" for number in range(500)}
    assert set() == edges_between({**files, "m500.py": "def f(): pass\n", "use.py": "from m0 import f\nf()\n"})


def test_inheritance_in_a_circle_ends() -> None:
    files = {
        "a.py": "from b import B\nclass A(B):\n    def g(self): self.missing()\n",
        "b.py": "from a import A\nclass B(A): pass\n",
    }
    inherits = {("a.py::A", "b.py::B", "import 1"), ("b.py::B", "a.py::A", "import 1")}
    assert inherits == edges_between(files, "inherits")


def test_dense_circles_of_heirs_end_alike_whatever_is_asked_first() -> None:
    count = 600

    def heir(number: int) -> str:
        bases = f"H{number * 7 % count}, H{number * 13 % count}, H{number * 29 % count}"
        return f"class H{number}({bases}):\n    def m{number}(self):\n        return self.m{number * 7 % count}()\n"

    files = {f"{name}.py": "".join(map(heir, range(start, count, 2))) for start, name in enumerate("ab")}
    imports = {"a.py": "from b import *\n", "b.py": "from a import *\n"}
    files = {path: imports[path] + text for path, text in files.items()}
    edges = edges_between(files)
    assert ("a.py::H2.m2", "a.py::H14.m14", "receiver 0.95") in edges
    assert edges == edges_between(dict(reversed(files.items())))


def test_files_that_import_everything_of_one_another_know_what_any_of_them_defines() -> None:
    count = 400
    files = {
        f"m{number}.py": "".join(f"from m{(number + step) % count} import *\n" for step in (1, 7, 11))
        + f"def user{number}():\n    wanted(); unknown{number}()\n"
        for number in range(count)
    }
    files["m399.py"] += "def wanted(): pass\n"
    assert {(f"m{number}.py::user{number}", "m399.py::wanted") for number in range(count)} == {
        edge[:2] for edge in edges_between(files)
    }


def test_of_modules_whose_paths_end_alike_the_one_below_the_nearest_folder_is_meant() -> None:
    made = "def make(): ...\n"
    asked = "from src.const import make\nmake()\n"
    files = {
        "src/const.py": made,
        "docs/shop/src/const.py": made,
        "tests/test_const.py": asked,
        "docs/shop/run.py": asked,
    }
    assert {
        ("tests/test_const.py", "src/const.py::make", "import 1"),
        ("docs/shop/run.py", "docs/shop/src/const.py::make", "import 1"),
    } == edges_between(files)


def test_pythons_own_library_comes_before_what_stands_beside_a_file_of_a_package() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/json.py": "def dumps(): pass\n",
        "pkg/use.py": "import json\nfrom json import dumps\ndef g(): json.dumps(); dumps()\n",
        "pkg/tools.py": "def run(): pass\n",
        "pkg/more.py": "import tools\ndef g(): tools.run()\n",
        "scripts/types.py": "def run(): pass\n",
        "scripts/use.py": "import types\ndef g(): types.run()\n",
    }
    assert {
        ("pkg/more.py::g", "pkg/tools.py::run", "receiver 0.95"),
        ("scripts/use.py::g", "scripts/types.py::run", "receiver 0.95"),
    } == edges_between(files)


def test_a_class_that_is_given_its_own_name_again_is_still_that_class() -> None:
    files = {
        "a.py": "class Box:\n    def go(self): pass\nBox = decorated(Box)\ndef g(): Box().go()\n",
        "b.py": "from a import Box\ndef h(): Box()\n",
    }
    assert {
        ("a.py::g", "a.py::Box", "scope 1"),
        ("a.py::g", "a.py::Box.go", "type 0.9"),
        ("b.py::h", "a.py::Box", "import 1"),
    } == edges_between(files)
