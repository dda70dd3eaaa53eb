"""How one definition reaches another: what is sure before guesses, and nothing rather than nonsense."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.llm.navigator.lookup import find_end
from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import EdgeKind
from ctxcode.session.look.graph import Chain, chain


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    yield indexed
    indexed.close()


def told(folder: IndexedFolder, text: str, start: str, end: str) -> list[str]:
    """Return the targets of the chain in a file, what is a guess with a tilde."""
    folder.write("a.py", text)
    folder.refresh()
    made = between(folder, start, end)
    return [("~" if step.is_guess else "") + step.target.qualname for step in made.steps]


def between(folder: IndexedFolder, start: str, end: str) -> Chain:
    graph = folder.index
    return chain(graph, find_end(graph, start).ends, find_end(graph, end).ends)


def test_a_long_chain_of_calls_comes_before_a_guess(folder: IndexedFolder) -> None:
    calls = "".join(f"def step{number}(): step{number + 1}()\n" for number in range(9))
    text = f"""class Shop:
    def check(self): goal()
def begin():
    Shop()
    step0()
{calls}
def step9(): goal()
def goal(): pass
"""
    assert [f"step{number}" for number in range(10)] == told(folder, text, "begin", "goal")[:-1]


def test_what_a_made_thing_can_do_is_a_guess_that_is_made_once(folder: IndexedFolder) -> None:
    text = """class Shop:
    def check(self): Price()
class Price:
    def tax(self): goal()
def begin(): Shop()
def goal(): pass
"""
    assert ["Shop", "~Shop.check", "Price"] == told(folder, text, "begin", "Price")
    assert ["Shop", "~Shop.check"] == told(folder, text, "begin", "Shop.check")
    assert [] == told(folder, text, "begin", "goal")


def test_no_guess_leads_back(folder: IndexedFolder) -> None:
    text = "class Shop:\n    def check(self): pass\ndef begin(): Shop()\n"
    assert ["Shop", "~Shop.check"] == told(folder, text, "begin", "Shop.check")
    assert [] == told(folder, text, "Shop.check", "begin")
    assert ["Shop"] == told(folder, text, "Shop", "begin")


def test_what_a_type_inherits_is_its_own(folder: IndexedFolder) -> None:
    text = "class Base:\n    def run(self): goal()\nclass Shop(Base): pass\ndef goal(): pass\n"
    assert ["Base", "Base.run", "goal"] == told(folder, text, "Shop", "goal")


def test_a_type_is_reached_in_what_it_holds(folder: IndexedFolder) -> None:
    text = """class Shop:
    @classmethod
    def opened(cls): pass
    def inner(self): return self.opened()
def begin(): Shop.opened()
"""
    assert ["Shop.opened"] == told(folder, text, "begin", "Shop")
    assert ["Shop.inner"] == told(folder, text, "Shop.inner", "Shop")
    assert between(folder, "Shop.inner", "Shop").is_reversed


def test_a_chain_of_which_every_step_is_doubtful_tells_nothing(folder: IndexedFolder) -> None:
    steps = "".join(
        f"class {letter}:\n    def step{number}(self, one): one.step{number + 1}()\n"
        for number in range(4)
        for letter in (f"A{number}", f"B{number}", f"C{number}")
    )
    ends = "".join(f"class {letter}:\n    def step4(self): pass\n" for letter in ("A4", "B4", "C4"))
    text = f"{steps}{ends}"
    assert ["A1.step1"] == told(folder, text, "A0.step0", "A1.step1")
    assert [] == told(folder, text, "A0.step0", "A4.step4")


def test_files_and_folders_reach_one_another_in_what_they_hold(folder: IndexedFolder) -> None:
    folder.write("shop/cart.py", "from base.money import price\n\ndef pay():\n    return price()\n")
    folder.write("shop/other.py", "from shop.cart import pay\n")
    folder.write("base/money.py", "def price(): pass\n")
    folder.write("base/unused.py", "def nothing(): pass\n")
    folder.refresh()
    for start, end in (("shop/cart.py", "base/money.py"), ("shop", "base"), ("shop/", "base/"), ("shop", "price")):
        (step,) = between(folder, start, end).steps
        assert (SymbolId("shop/cart.py"), SymbolId("base/money.py::price")) == (step.edge.source, step.edge.target)
    (within,) = between(folder, "shop/", "shop/cart.py").steps
    assert SymbolId("shop/other.py") == within.edge.source
    assert () == between(folder, "base/unused.py", "shop/").steps
    assert find_end(folder.index, "shop/").is_folder
    assert not find_end(folder.index, "nowhere/").symbols


def test_of_a_name_that_a_file_and_a_function_have_the_function_is_meant(folder: IndexedFolder) -> None:
    folder.write("main.py", "def main(): pass\n\ndef other(): goal()\n\ndef goal(): pass\n")
    folder.refresh()
    assert () == between(folder, "main", "goal").steps
    assert between(folder, "main.py", "goal").steps


def test_a_call_of_a_method_may_run_what_overrides_it(folder: IndexedFolder) -> None:
    text = """class Base:
    def run(self): self.work()
    def work(self): pass
    def __init__(self): pass
class Middle(Base): pass
class Shop(Middle):
    def work(self): goal()
    def __init__(self): made()
class Other(Base):
    def work(self): super().work()
class Deep(Shop):
    def work(self): below()
def goal(): pass
def made(): pass
def below(): pass
def begin(base: Base): base.run()
"""
    assert ["Base.run", "Base.work", "~Shop.work", "goal"] == told(folder, text, "begin", "goal")
    assert ["Base.run", "Base.work", "~Deep.work", "below"] == told(folder, text, "begin", "below")
    (step,) = [one for one in between(folder, "begin", "goal").steps if one.is_guess]
    assert (EdgeKind.OVERRIDDEN, ("a.py", 7)) == (step.edge.kind, step.place)
    assert [] == told(folder, text, "Base", "made")
    # What calls the method that it overrides means that one.
    assert [] == told(folder, text, "Other.work", "goal")
    assert between(folder, "goal", "begin").steps == ()


def test_what_is_guessed_twice_or_far_away_is_no_chain_over_overriding(folder: IndexedFolder) -> None:
    steps = "".join(f"def step{number}(base: Base): step{number + 1}(base)\n" for number in range(5))
    text = f"""class Base:
    def work(self): pass
class Shop(Base):
    def work(self): goal()
def goal(): pass
def made(): Base()
{steps}def step5(base: Base): base.work()
"""
    assert [] == told(folder, text, "made", "goal")
    assert 8 == len(told(folder, text, "step0", "goal"))
    assert [] == told(folder, f"{text}def begin(base: Base): step0(base)\n", "begin", "goal")


def test_what_implements_an_interface_in_another_file_may_run(folder: IndexedFolder) -> None:
    folder.write("Pay.java", "package shop;\npublic interface Pay { void pay(); }\n")
    folder.write("Card.java", "package shop;\npublic class Card implements Pay { public void pay() { Bank.ask(); } }\n")
    folder.write("Bank.java", "package shop;\npublic class Bank { static void ask() {} }\n")
    folder.write("Till.java", "package shop;\npublic class Till { void close(Pay how) { how.pay(); } }\n")
    folder.refresh()
    steps = between(folder, "Till.close", "Bank.ask").steps
    assert ["Pay.pay", "Card.pay", "Bank.ask"] == [step.target.qualname for step in steps]


def test_nothing_runs_in_the_place_of_a_static_method(folder: IndexedFolder) -> None:
    folder.write("Base.java", "package shop;\npublic class Base { public static void make() {} }\n")
    folder.write(
        "Heir.java", "package shop;\npublic class Heir extends Base { public static void make() { Bank.ask(); } }\n"
    )
    folder.write("Bank.java", "package shop;\npublic class Bank { static void ask() {} }\n")
    folder.write("Till.java", "package shop;\npublic class Till { void close() { Base.make(); } }\n")
    folder.refresh()
    assert () == between(folder, "Till.close", "Bank.ask").steps
    assert between(folder, "Heir.make", "Bank.ask").steps


def test_of_a_name_with_many_definitions_the_outermost_ones_with_most_code_are_looked_at(folder: IndexedFolder) -> None:
    variants = "".join(f"#ifdef A{number}\nint main(void) {{ return {number}; }}\n#endif\n" for number in range(30))
    folder.write("CMake/check.c", variants)
    folder.write("contrib/tool.c", "int main(void) { return 0; }\n")
    folder.write("src/tool.c", "int run(void);\nint main(void) { return run(); }\n")
    folder.write("src/run.c", "int run(void) { return 1; }\nint other(void) { return 2; }\n")
    folder.refresh()
    found = find_end(folder.index, "main")
    assert "src/tool.c::main" == found.ends[0].id
    assert "the 24 likeliest of 32 definitions" == found.looked_at
    assert ["run"] == [step.target.qualname for step in between(folder, "main", "run").steps]
    assert ["src/run.c::other"] == [one.id for one in find_end(folder.index, "src/run.c:other").symbols]
    assert ["src/run.c::other"] == [one.id for one in find_end(folder.index, "run.c::other").symbols]
    assert not find_end(folder.index, "run.c:main").symbols


def test_a_function_in_a_table_is_named_as_a_value(folder: IndexedFolder) -> None:
    folder.write("handler.h", "struct handler { int (*run)(void); };\nextern const struct handler http;\n")
    folder.write(
        "http.c",
        '#include "handler.h"\nstatic int get(void) { return 1; }\nconst struct handler http = { .run = get };\n',
    )
    folder.write("main.c", '#include "handler.h"\nint main(void) { return http.run(); }\n')
    folder.refresh()
    steps = between(folder, "main", "get").steps
    assert [("http", False), ("get", True)] == [(step.target.qualname, step.is_value) for step in steps]
