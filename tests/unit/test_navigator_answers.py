import re
from dataclasses import replace

import pytest
from navigable_graph import EDGES, SYMBOLS, HandMadeGraph, edge, read_text, symbol

from ctxcode.llm.navigator.markdown import MAX_REPLY_LINES
from ctxcode.llm.navigator.responder import SIGNATURE, Navigator
from ctxcode.model.chat import FinishReason, ModelRequest, ReplyEnd, TextChunk
from ctxcode.model.errors import RepositoryError
from ctxcode.model.ids import SymbolId
from ctxcode.model.plan import PayloadMessage
from ctxcode.model.symbol import EdgeKind, ModuleEntry, OtherName, Symbol, SymbolKind


def request(question: str, content: str = "") -> ModelRequest:
    return ModelRequest((PayloadMessage("user", content or question),), 1_000, question)


def answer(question: str, content: str = "", graph: HandMadeGraph | None = None) -> str:
    navigator = Navigator(graph or HandMadeGraph(), read_text)
    return "\n".join(navigator.reply(request(question, content)))


def test_where_gives_place_signature_documentation_and_how_it_is_used() -> None:
    text = answer("where is Order.total?")
    assert "`Order.total` is a method at `shop/order.py:7`." in text
    assert "```python\ndef total(self) -> int\n```" in text
    assert "> Sum the prices." in text
    assert "called 1 time · makes 1 call" in text
    assert "Lines 7–9 of `shop.order`" in text
    assert "\nLine 10 of `shop.store`" in answer("where is unused?")


def test_callers_are_listed_with_their_lines_and_guesses_are_marked() -> None:
    text = answer("who calls Order.total")
    assert "- `tests/test_order.py:2` `test_total` (possibly)" in text
    assert "“Possibly” marks edges found by name alone." in text


def test_callers_found_by_scope_or_import_are_certain() -> None:
    text = answer("who calls write")
    assert "2 uses of `write` (`shop/store.py:6`):" in text
    assert "- `shop/order.py:12` `Order.save`\n- `shop/store.py:3` `Record.save`" in text
    assert "possibly" not in text.lower()


def test_a_definition_nobody_uses_is_said_to_be_unused_as_far_as_the_graph_sees() -> None:
    text = answer("who uses unused")
    assert "Nothing in the index uses `unused` (`shop/store.py:10`)." in text
    assert "are not in the graph" in text


def test_what_a_class_calls_includes_what_its_methods_call() -> None:
    text = answer("what does Order call?")
    assert "`def price(line: Line) -> int`" in text
    assert "`def write(record: Record) -> None`" in text


def test_what_inherits_and_what_it_inherits_from() -> None:
    assert "1 type inherits from `Record` (`shop/store.py:1`):" in answer("what inherits from Record")
    assert "- `shop/store.py:1` `class Record`" in answer("what does Order inherit from")
    assert "Nothing in the index inherits from `Order`" in answer("subclasses of Order")


def test_a_file_is_outlined_two_levels_deep() -> None:
    text = answer("what is in order.py")
    assert "`shop/order.py` (`shop/order.py:1`) defines 2 members:" in text
    assert "- 4 `class Order(Record)`\n  - 7 `def total(self) -> int`" in text


def test_a_folder_lists_its_files() -> None:
    text = answer("what is in shop")
    assert "`shop` holds 2 files with 10 symbols" in text
    assert "- `shop/store.py` 5 symbols" in text


def test_a_package_lists_its_own_definitions_and_its_files() -> None:
    package = symbol("shop/__init__.py", "", SymbolKind.MODULE, (1, 1))
    graph = HandMadeGraph((*SYMBOLS, package), EDGES)
    assert answer("what is in shop/__init__.py", graph=graph).startswith("`shop` holds 3 files with 11 symbols")


def test_a_class_is_told_by_its_uses_and_members() -> None:
    assert "used 1 time · 1 member" in answer("where is Record")


def test_show_quotes_the_source_in_a_fence_that_holds_it() -> None:
    text = answer("show write")
    assert '````python\ndef write(record: Record) -> None:\n    print("```", record)\n````' in text


def test_show_says_so_when_the_file_can_not_be_read() -> None:
    def refuse(path: str) -> str:
        raise RepositoryError(f"{path!r} is gone.")

    text = "\n".join(Navigator(HandMadeGraph(), refuse).reply(request("show price")))
    assert "Its source can't be shown: 'shop/order.py' is gone." in text


def test_show_does_not_quote_lines_that_no_longer_hold_the_definition() -> None:
    text = "\n".join(Navigator(HandMadeGraph(), lambda _: "one\ntwo\n" * 20).reply(request("show price")))
    assert "Its file has changed since it was indexed" in text
    assert "two" not in text


def test_two_names_are_connected_step_by_step_in_either_direction() -> None:
    text = answer("how do price and test_total connect?")
    assert "are 2 steps apart:" in text
    assert "1. `test_total` calls `Order.total` at `tests/test_order.py:2` (possibly)" in text
    assert "2. `Order.total` calls `price` at `shop/order.py:9`" in text


def test_of_a_name_with_several_definitions_the_connected_one_is_told_of() -> None:
    text = answer("how do test_total and save connect?", graph=with_a_save_nobody_tests())
    assert "`test_total` (`tests/test_order.py:1`) and `Order.save` (`shop/order.py:11`) are 2 steps apart:" in text
    assert "2. `Order.total` calls `Order.save` at `shop/order.py:8`" in text
    assert "`Record.save`" not in text.partition("2 other definitions of")[0]
    assert "`def save()`" in text.partition("2 other definitions of `save`")[2]


def with_a_save_nobody_tests() -> HandMadeGraph:
    """Return the small repository with one more function that comes first among its namesakes."""
    first = symbol("a.py", "save", SymbolKind.FUNCTION, (1, 1), ("def save()", ""))
    link = edge("shop/order.py::Order.total", "shop/order.py::Order.save", EdgeKind.CALLS, 8)
    return HandMadeGraph((first, *SYMBOLS), (*EDGES, link))


def test_a_step_to_a_part_of_what_is_made_is_said_to_be_a_guess() -> None:
    made = edge("shop/store.py::unused", "shop/order.py::Order", EdgeKind.CALLS, 6)
    part = edge("shop/order.py::Order", "shop/order.py::Order.save", EdgeKind.CONTAINS, 0)
    text = answer("how do unused and Order.save connect?", graph=HandMadeGraph(SYMBOLS, (made, part)))
    assert "2. `Order` contains `Order.save` at `shop/order.py:11` (perhaps used)" in text
    assert "what uses a type need not use this part of it" in text


def test_one_definition_under_two_names_is_said_to_be_one() -> None:
    assert "Both names mean the same definition: `price`" in answer("how do price and shop.order.price connect?")


def test_names_without_a_chain_are_said_to_be_unconnected() -> None:
    assert "The graph holds no chain of calls" in answer("how do unused and price connect?")
    several = answer("how do unused and save connect?")
    assert "between `unused` at `shop/store.py:10` and any of 2 definitions of `save` (first `Order.save` at" in several


def test_a_step_to_what_overrides_a_method_is_said_to_be_a_guess() -> None:
    called = edge("shop/store.py::unused", "shop/store.py::Record.save", EdgeKind.CALLS, 10)
    instead = edge("shop/store.py::Record.save", "shop/order.py::Order.save", EdgeKind.OVERRIDDEN, 0)
    text = answer("how do unused and Order.save connect?", graph=HandMadeGraph(SYMBOLS, (called, instead)))
    assert "2. `Record.save` may run `Order.save` at `shop/order.py:11`" in text
    assert "what a type overrides runs in the place of what is called only where its objects are" in text


def test_an_absent_name_is_proved_absent_with_the_nearest_names() -> None:
    text = answer("where is Ordr?")
    assert "There is no `Ordr` in this repository: it is not among the 12 symbols in 3 indexed files." in text
    assert "Nearest names: `Order`" in text


def test_what_neither_a_type_nor_its_bases_have_is_absent_though_others_have_it() -> None:
    text = answer("where is Record.total?")
    assert text.startswith("There is no `Record.total` in this repository. `Record` (`shop/store.py:1`) has no member ")
    assert "`total` by itself is:\n\n- `shop/order.py:7`" in text


def test_nothing_is_proved_absent_where_files_could_not_be_read() -> None:
    graph = HandMadeGraph(unread=2)
    gap = "2 files could not be read: `ctxcode index` says why."
    said = "No definition is called `Ordr` among the 12 symbols in 3 indexed files."
    assert answer("where is Ordr?", graph=graph).startswith(f"{said} {gap}\n\nNearest names: `Order`")
    text = answer("where is Record.total?", graph=graph)
    assert text.startswith("No definition is called `Record.total` in full, which does not prove that there is none. ")
    assert f"There is no `lib/deep/order.py` among the 3 indexed files. {gap}" in (
        answer("what is in lib/deep/order.py", graph=graph)
    )
    assert f"Not in the index: `Ordr`. {gap}" in answer("please rewrite `Ordr` for me", graph=graph)


def test_nothing_is_proved_absent_while_the_index_grows_and_every_answer_says_so() -> None:
    graph = HandMadeGraph(pending=1_997)
    gap = "The index is not complete: 1,997 files of 2,000 to go."
    text = answer("where is Ordr?", graph=graph)
    assert text.startswith(f"No definition is called `Ordr` among the 12 symbols in 3 indexed files. {gap}\n")
    for question in ("where is Ordr?", "where is Order?", "who calls Order.total?", "what can I ask"):
        assert 1 == answer(question, graph=graph).count(gap), question
        assert gap not in answer(question)


def test_a_path_that_does_not_exist_is_not_answered_with_a_namesake_elsewhere() -> None:
    text = answer("what is in lib/deep/order.py")
    assert "There is no `lib/deep/order.py` among the 3 indexed files." in text
    assert "Nearest names: `shop/order.py`" in text
    assert "Nearest names: `shop/order.py`" in answer("show ordr.py")


def test_a_file_that_is_there_without_being_indexed_is_not_said_to_be_absent() -> None:
    navigator = Navigator(HandMadeGraph(), lambda path: {"LICENSE": "MIT"}.get(path) or read_text(path))
    text = "\n".join(navigator.reply(request("what is in LICENSE?")))
    assert "`LICENSE` is there, but not among the 3 indexed files: a question that names `@LICENSE` shows it" in text
    assert "`/add LICENSE` keeps it" in text


def test_both_absent_ends_of_a_path_are_named() -> None:
    text = answer("path from Nope to Nada")
    assert "There is no `Nope`" in text
    assert "There is no `Nada`" in text


def test_an_empty_index_proves_nothing() -> None:
    assert "The index is empty" in answer("where is Order", graph=HandMadeGraph((), ()))


def test_another_spelling_of_a_name_is_found_and_said() -> None:
    assert "There is no `PRICE`; this is `price`." in answer("where is PRICE")


def test_of_several_namesakes_the_most_used_comes_first_and_the_others_are_listed() -> None:
    busy = (*EDGES, edge("shop/order.py::price", "shop/store.py::Record.save", EdgeKind.CALLS, 16))
    text = answer("where is save", graph=HandMadeGraph(SYMBOLS, busy))
    assert text.startswith("`Record.save` is a method at `shop/store.py:2`.")
    assert "1 other definition of `save`:\n\n- `shop/order.py:11` `Order: def save(self) -> None`" in text


def test_a_place_means_the_definition_that_holds_it() -> None:
    assert answer("show shop/order.py:8").startswith("`Order.total`, a method, `shop/order.py:7-9`:")


def test_a_free_question_shows_what_the_plan_found_and_what_the_graph_can_answer() -> None:
    planned = (
        "## Code that may matter here\n### shop/order.py:15-16 function price\n   15 def price(line: Line) -> int:\n"
        "#### shop/store.py\n    6 def write(record: Record) -> None\n\n## The question\nWhy is it dear?"
    )
    text = answer("Why is it dear?", planned)
    assert "An answer needs a language model. The code the plan found for it:" in text
    assert "- `shop/order.py:15` `def price(line: Line) -> int`\n- `shop/store.py:6`" in text
    assert "`who calls NAME`" in text


def test_a_question_in_another_language_is_answered_for_the_name_in_it() -> None:
    assert "`Order.total` is a method" in answer("Wo wird `Order.total` definiert?")


def test_a_word_of_prose_is_not_proved_absent_when_there_is_a_plan() -> None:
    text = answer("continue", "### shop/order.py:15-16 function price\n   15 def price\n")
    assert "There is no" not in text
    assert "`shop/order.py:15`" in text


def test_help_says_what_is_indexed_and_what_to_ask() -> None:
    text = answer("help")
    assert "The index holds 3 files, 12 symbols and 6 edges. Ask:" in text
    assert "`how do NAME and NAME connect`" in text


@pytest.mark.parametrize(
    "question", ["", "   ", "?", "``", "\x00", "a" * 50_000, "../../etc/passwd", "show `", "%s %d", "->"]
)
def test_every_text_gets_a_bounded_answer_signed_by_the_navigator(question: str) -> None:
    lines = answer(question).split("\n")
    assert SIGNATURE == lines[-1]
    assert MAX_REPLY_LINES >= len(lines)


def crowded() -> HandMadeGraph:
    many = tuple(
        symbol("big.py", f"f{number}", SymbolKind.FUNCTION, (number, number), (f"def f{number}()", ""))
        for number in range(1, 900)
    )
    module = symbol("big.py", "", SymbolKind.MODULE, (1, 900))
    edges = tuple(edge(one.id, "big.py::f1", EdgeKind.CALLS, one.start_line) for one in many)
    return HandMadeGraph((module, *many), edges)


@pytest.mark.parametrize("question", ["what is in big.py", "who calls f1", "where is f1"])
def test_a_crowded_graph_gives_a_bounded_answer(question: str) -> None:
    text = answer(question, graph=crowded())
    assert MAX_REPLY_LINES >= len(text.split("\n"))
    assert 20_000 > len(text)


def test_a_long_body_is_cut_inside_its_fence() -> None:
    body = symbol("long.py", "long", SymbolKind.FUNCTION, (1, 500), ("def long()", ""))
    graph = HandMadeGraph((symbol("long.py", "", SymbolKind.MODULE, (1, 500)), body), ())
    source = "def long():\n" + "    pass\n" * 499
    text = "\n".join(Navigator(graph, lambda _: source).reply(request("show long")))
    assert "… 420 more lines." in text
    assert 2 == len(re.findall(r"^```", text, re.MULTILINE))


def test_names_and_sources_can_not_break_the_markdown_or_the_terminal() -> None:
    hostile: Symbol = symbol(
        "a`b\x1b[31m.py", "x`\n# y", SymbolKind.FUNCTION, (1, 1), ("def `x\x1b]0;t\x07`()", "doc\n# top")
    )
    graph = HandMadeGraph((symbol("a`b\x1b[31m.py", "", SymbolKind.MODULE, (1, 1)), hostile), ())
    text = "\n".join(Navigator(graph, lambda _: "").reply(request("help")))
    assert "\x1b" not in text
    assert "\n# " not in text


async def test_the_answer_streams_line_by_line_and_costs_nothing() -> None:
    chunks = [chunk async for chunk in Navigator(HandMadeGraph(), read_text).stream(request("where is price"))]
    assert ReplyEnd(FinishReason.STOP, cost=0.0) == chunks[-1]
    texts = [chunk.text for chunk in chunks if isinstance(chunk, TextChunk)]
    assert len(chunks) - 1 == len(texts)
    assert all(text.endswith("\n") and text.count("\n") == 1 for text in texts)


async def test_the_same_question_gets_the_same_answer() -> None:
    assert answer("who calls write") == answer("who calls write")


def test_a_bare_path_is_answered_with_what_is_in_the_file() -> None:
    text = answer("shop/store.py")
    assert "`shop/store.py` (`shop/store.py:1`) defines 3 members:" in text
    assert "- 6 `def write(record: Record) -> None`" in text


@pytest.mark.parametrize("name", ["self.write", "(*Record).save", "Record<Line>.save", "Order$total"])
def test_names_are_known_as_expressions_and_traces_write_them(name: str) -> None:
    assert "There is no" not in answer(f"where is {name}")


def test_the_namesake_that_has_heirs_is_told_of_where_the_first_has_none() -> None:
    one, other = (symbol(f"shop/{file}.py", "Base", SymbolKind.CLASS, (1, 2)) for file in ("a", "b"))
    heir = symbol("shop/c.py", "Heir", SymbolKind.CLASS, (1, 2), ("class Heir(Base)", ""))
    graph = HandMadeGraph((one, other, heir), (edge("shop/c.py::Heir", "shop/b.py::Base", EdgeKind.INHERITS, 1),))
    uses = [edge(f"shop/c.py::{number}", "shop/a.py::Base", EdgeKind.REFERENCES, number) for number in (3, 4)]
    graph.edges = (*graph.edges, *uses)
    text = answer("what extends Base", graph=graph)
    assert "Nothing in the index inherits from `Base` (`shop/a.py:1`)." in text
    assert "1 type inherits from `Base` (`shop/b.py:1`):" in text
    assert "other definition" not in text


def test_who_calls_a_name_with_overloads_calls_any_of_them() -> None:
    first = symbol("List.java", "List.of", SymbolKind.METHOD, (1, 2))
    second = replace(first, id=SymbolId("List.java::List.of~2"), start_line=4, end_line=5, header_line=4)
    users = [symbol("Use.java", name, SymbolKind.FUNCTION, (at, at)) for at, name in enumerate(("one", "two"), 1)]
    edges = (edge("Use.java::one", first.id, EdgeKind.CALLS, 1), edge("Use.java::two", second.id, EdgeKind.CALLS, 2))
    text = answer("who calls List.of", graph=HandMadeGraph((first, second, *users), edges))
    assert "2 uses of `List.of` (`List.java:1` and 1 overload beside it):" in text
    assert "- `Use.java:1` `one`\n- `Use.java:2` `two`" in text


def test_what_builds_a_crate_is_not_what_its_main_function_is() -> None:
    mains = tuple(symbol(path, "main", SymbolKind.FUNCTION, (1, 2)) for path in ("build.rs", "src/main.rs"))
    assert "`main` is a function at `src/main.rs:1`." in answer("where is main", graph=HandMadeGraph(mains, ()))


def test_what_a_package_holds_is_found_by_its_name() -> None:
    path = "guava/src/com/shop/Cart.java"
    known = replace(symbol(path, "Cart", SymbolKind.CLASS, (1, 2)), module="com.shop.Cart")
    assert "`com.shop` holds 1 file with" in answer("what is in com.shop", graph=PackagedGraph((known,), ()))


class PackagedGraph(HandMadeGraph):
    """Files that declare the package they are in."""

    def modules(self) -> tuple[ModuleEntry, ...]:
        return tuple(ModuleEntry(known.path, known.module, "java", 1, 1.0, is_test=False) for known in self.known)


def barrel() -> HandMadeGraph:
    """Return a package whose files call things by other names, and one that passes on what others define."""
    modules = [symbol(path, "", SymbolKind.MODULE, (1, 9)) for path in ("shop/api.py", "shop/all.py", "use.py")]
    settings = symbol("shop/conf.py", "Settings", SymbolKind.CLASS, (1, 3), ("class Settings", ""))
    setup = symbol("shop/conf.py", "Settings.setup", SymbolKind.METHOD, (2, 3), ("def setup(self)", ""))
    debug = symbol("shop/defaults.py", "DEBUG", SymbolKind.CONSTANT, (1, 1), ("DEBUG = 1", ""))
    edges = (
        edge("shop/api.py", "shop/all.py", EdgeKind.RE_EXPORTS, 2),
        edge("shop/all.py", "shop/order.py", EdgeKind.RE_EXPORTS, 1),
        edge("shop/all.py", "shop/store.py", EdgeKind.RE_EXPORTS, 2),
        edge("use.py", "shop/api.py", EdgeKind.IMPORTS, 3),
    )
    conf = symbol("shop/conf.py", "", SymbolKind.MODULE, (1, 9))
    graph = HandMadeGraph((*SYMBOLS, *modules, conf, settings, setup, debug), (*EDGES, *edges))
    graph.others = (
        OtherName("s", "use.py", 3, "shop.api", ""),
        OtherName("np", "use.py", 4, "numpy", ""),
        OtherName("store", "shop/all.py", 2, "shop.store", ""),
        OtherName("cost", "shop/all.py", 0, "", "=costs"),
        OtherName("costs", "shop/all.py", 0, "", "=Order"),
        OtherName("settings", "shop/conf.py", 0, "", "Settings"),
        OtherName("log", "shop/conf.py", 0, "", "logging.getLogger()"),
        OtherName("log", "shop/order.py", 0, "", "logging.getLogger()"),
        OtherName("log", "use.py", 1, "shop.store", "write"),
    )
    graph.edges = (*graph.edges, edge("shop/all.py", "shop/order.py::Order", EdgeKind.IMPORTS, 1))
    return graph


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("s.Order", "`Order` is a class at `shop/order.py:4`."),
        ("s::Order#total", "`Order.total` is a method at `shop/order.py:7`."),
        ("s.store.write", "`write` is a function at `shop/store.py:6`."),
        ("s.cost.total", "`Order.total` is a method at `shop/order.py:7`."),
        ("settings.setup", "`Settings.setup` is a method at `shop/conf.py:2`."),
    ],
)
def test_a_name_leads_to_what_its_first_part_stands_for(name: str, title: str) -> None:
    text = answer(f"where is {name}", graph=barrel())
    assert title in text
    assert "There is no" not in text


def test_what_an_alias_stands_for_is_told() -> None:
    text = answer("where is s.Order", graph=barrel())
    assert text.startswith("`s` stands for `shop.api` in `use.py:3`, so `s.Order` is `shop.order.Order`.")
    text = answer("where is settings.setup", graph=barrel())
    assert text.startswith("`settings` is an object of `Settings` in `shop/conf.py`, so")


def test_what_is_passed_on_as_a_whole_is_not_what_is_passed_on_under_a_name() -> None:
    assert "No definition is called `s.write` in full" in answer("where is s.write", graph=barrel())


def test_of_a_name_from_outside_that_is_said() -> None:
    text = answer("where is np.arrays", graph=barrel())
    assert "There is no `np.arrays` in this repository" in text
    assert "`np` stands for `numpy` in `use.py:4`, which leads to nothing in the index." in text
    text = answer("where is np.total", graph=barrel())
    assert "No definition is called `np.total` in full, which does not prove that there is none." in text
    assert "`total` by itself is:\n\n- `shop/order.py:7` `Order: def total(self) -> int`" in text


def test_of_a_name_that_files_give_to_several_things_the_usual_one_is_told() -> None:
    text = answer("where is log.total", graph=barrel())
    assert "`log` is what `logging.getLogger()` returns in `shop/conf.py` and 1 more file." in text
    assert "`total` by itself is:" in text


def test_what_an_object_may_hold_is_not_proved_absent() -> None:
    text = answer("where is settings.DEBUG", graph=barrel())
    assert "There is no" not in text
    assert "`settings` is an object of `Settings` in `shop/conf.py`." in text
    assert "`DEBUG` by itself is:\n\n- `shop/defaults.py:1` `DEBUG = 1`" in text


def test_a_member_that_a_type_does_not_have_is_told_with_the_type() -> None:
    text = answer("where is Order.write")
    assert "`Order` (`shop/order.py:4`) has no member `write`, nor has any type here that it inherits from." in text
    assert "`write` by itself is:" in text


def test_a_name_that_is_only_written_is_shown_where_it_is() -> None:
    text = answer("where is amount")
    assert "No definition is called `amount` among the 12 symbols in 3 indexed files." in text
    assert "- `shop/order.py:16` `return line.amount * line.unit`" in text


def test_a_file_that_only_passes_on_is_told_by_that() -> None:
    text = answer("what is in shop/api.py", graph=barrel())
    assert "`shop/api.py` defines nothing itself, and passes on 1 thing of others:" in text
    assert "- `shop/all.py:1` `shop.all`" in text


@pytest.mark.parametrize(
    ("within", "what"), [("tests", "`tests/test_order.py`"), ("test_order.py", "`tests/test_order.py`")]
)
def test_callers_are_those_of_the_folder_or_file_that_is_asked_about(within: str, what: str) -> None:
    graph = HandMadeGraph(
        SYMBOLS, (*EDGES, edge("shop/store.py::unused", "shop/order.py::Order.total", EdgeKind.CALLS, 10))
    )
    text = answer(f"who calls Order.total in {within}", graph=graph)
    assert f"1 use of `Order.total` (`shop/order.py:7`) in {what}, 1 elsewhere:" in text
    assert "unused" not in text


def test_a_type_or_function_is_a_part_of_the_repository_too() -> None:
    assert "1 use of `write` (`shop/store.py:6`) in `Record` (`shop/store.py:1`), 1 elsewhere:" in answer(
        "who calls write in Record"
    )
    text = answer("who calls Order.total in Record")
    assert "Nothing in `Record` (`shop/store.py:1`) uses `Order.total` (`shop/order.py:7`). 1 use elsewhere." in text


def test_a_restriction_that_is_not_there_is_said_to_be_none() -> None:
    text = answer("who calls write in nowhere_at_all")
    assert "There is no folder, file or type `nowhere_at_all` here, so this is of all." in text
    assert "2 uses of `write`" in text


def test_a_definition_is_looked_for_where_it_is_asked_for() -> None:
    assert answer("where is save in store.py").startswith("`Record.save` is a method at `shop/store.py:2`.")
    assert answer("where is save in order.py").startswith("`Order.save` is a method at `shop/order.py:11`.")
    assert answer("where is price in store.py").startswith("No `price` is defined in `shop/store.py`; elsewhere:")


def family() -> HandMadeGraph:
    """Return a type with heirs of heirs, some of which define its methods anew."""
    heirs = [
        symbol("shop/kinds.py", f"{name}.{inner}".rstrip("."), kind, (at, at + 1))
        for at, (name, inner, kind) in enumerate(
            (
                ("Gift", "", SymbolKind.CLASS),
                ("Gift.total", "", SymbolKind.METHOD),
                ("Voucher", "", SymbolKind.CLASS),
                ("Voucher.save", "", SymbolKind.METHOD),
            ),
            1,
        )
    ]
    inherits = (("Gift", "shop/order.py::Order"), ("Voucher", "shop/kinds.py::Gift"))
    edges = [edge(f"shop/kinds.py::{heir}", base, EdgeKind.INHERITS, 1) for heir, base in inherits]
    known = (*SYMBOLS, *heirs)
    held = [edge(one.parent, one.id, EdgeKind.CONTAINS) for one in known if one.parent is not None]
    return HandMadeGraph(known, (*EDGES, *edges, *held))


def test_what_overrides_a_method_is_found_in_heirs_of_heirs() -> None:
    text = answer("who overrides Record.save", graph=family())
    assert (
        "2 definitions override `Record.save` (`shop/store.py:2`), among the 3 types of the index that inherit" in text
    )
    assert text.index("`shop/order.py:11`") < text.index("`shop/kinds.py:4`")
    text = answer("which classes override Order.total", graph=family())
    assert "1 definition overrides `Order.total` (`shop/order.py:7`)" in text


def test_what_a_method_overrides_is_found_in_bases_of_bases() -> None:
    text = answer("what does Voucher.save override", graph=family())
    assert "`Voucher.save` (`shop/kinds.py:4`) overrides:\n\n- `shop/order.py:11`" in text
    assert "- `shop/store.py:2`" in text
    assert "`Record.save` (`shop/store.py:2`) overrides nothing in this repository." in answer(
        "what does Record.save override", graph=family()
    )


def test_what_nothing_overrides_is_said_with_the_reason() -> None:
    assert "is a function outside of any type: nothing can override it." in answer(
        "who overrides price", graph=family()
    )
    text = answer("who overrides Voucher.save", graph=family())
    assert "nothing there inherits from `Voucher`." in text
    text = answer("who overrides Gift.total", graph=family())
    assert "the 1 type of the index that inherits from `Gift` defines no `total`." in text


def test_heirs_of_heirs_and_bases_of_bases_are_told_apart_from_the_next_ones() -> None:
    text = answer("what inherits from Record", graph=family())
    assert "1 type inherits from `Record` (`shop/store.py:1`):\n\n- `shop/order.py:4`" in text
    assert "2 more do through them:" in text
    text = answer("what does Voucher inherit from", graph=family())
    assert "and through that from:\n\n- `shop/order.py:4`" in text


def test_a_sign_of_the_question_is_no_part_of_a_name_and_one_of_a_name_may_be_left_out() -> None:
    valid = symbol("a.rb", "valid?", SymbolKind.METHOD, (1, 2), ("def valid?", ""))
    graph = HandMadeGraph((*SYMBOLS, valid), EDGES)
    assert "`valid?` is a method at `a.rb:1`." in answer("where is valid?", graph=graph)
    assert "2 uses of `write` (`shop/store.py:6`):" in answer("who calls write!", graph=graph)


@pytest.mark.parametrize(
    "place", ["/home/me/work/shop/order.py:8", 'File "/x/shop/order.py", line 8, in total', "./shop/order.py:8"]
)
def test_a_place_from_another_machine_means_the_file_here(place: str) -> None:
    assert answer(place).startswith("`Order.total` is a method at `shop/order.py:7`.")


def test_a_type_is_not_taken_for_a_function_of_its_letters() -> None:
    text = answer("what implements Price")
    assert "this is" not in text
    assert "No definition is called `Price`" in text or "There is no `Price`" in text


def test_what_an_object_holds_is_no_name_of_a_file() -> None:
    text = answer("where is $this->s->Order", graph=barrel())
    assert "stands for" not in text
    assert "`Order` by itself is:" in text


def test_a_word_of_prose_before_a_file_is_no_name() -> None:
    text = answer("find bugs in order.py")
    assert "There is no" not in text
    assert "`shop/order.py` (`shop/order.py:1`) defines 2 members:" in text
