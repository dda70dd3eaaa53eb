"""Retrieval over a graph made by hand."""

from dataclasses import replace

import pytest
from memory_graph import QUEUE, RETRY, TESTS, MemoryGraph, ask, entry_of, ids, shop, symbol

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.plan import ReasonType, Relation
from ctxcode.model.retrieval import Query
from ctxcode.model.symbol import SymbolKind
from ctxcode.retrieval.beside import beside
from ctxcode.retrieval.lexical import Asked
from ctxcode.retrieval.retrieve import retrieve
from ctxcode.retrieval.spread import spread


def test_the_definition_the_words_describe_comes_first() -> None:
    assert ids(ask("how long is the retry delay, what backoff?"))[0] == f"{RETRY}::retry_delay"


def test_tests_stand_back_unless_the_question_is_about_tests() -> None:
    plain, about_tests = ids(ask("retry backoff")), ids(ask("tests of the retry backoff"))
    test = f"{TESTS}::test_retry_delay"
    assert test not in plain[: plain.index(f"{RETRY}::retry_delay")]
    assert about_tests.index(test) < about_tests.index(f"{RETRY}::run_again")


def test_a_neighbour_no_word_led_to_follows_the_text_hits_and_says_why_it_is_there() -> None:
    found = ask("retry backoff")
    note = entry_of(found, "shop/log.py::note")
    assert [reason.type for reason in note.reasons] == [ReasonType.GRAPH]
    assert note.reasons[0].relation is Relation.CALLED_BY
    assert note.reasons[0].subject == "retry_delay"
    assert note.score < entry_of(found, f"{RETRY}::run_again").score < entry_of(found, f"{RETRY}::retry_delay").score


def test_of_two_neighbours_the_one_in_the_file_that_was_hit_comes_first() -> None:
    graph = shop()
    graph.listed.append(symbol(RETRY, "pause", lines=(40, 49)))
    graph.edges.append((f"{RETRY}::retry_delay", f"{RETRY}::pause", "calls", "called-by"))
    found = ids(ask("retry backoff", graph))
    assert found.index(f"{RETRY}::pause") < found.index("shop/log.py::note")


def test_a_text_hit_beside_the_best_one_gains_and_says_so() -> None:
    entry = entry_of(ask("retry backoff"), f"{RETRY}::run_again")
    graph = next(reason for reason in entry.reasons if reason.type is ReasonType.GRAPH)
    assert (graph.relation, graph.subject) == (Relation.CALLS, "retry_delay")


def test_a_lexical_reason_names_only_words_a_reader_can_see() -> None:
    found = ask("retry backoff sleep")
    assert entry_of(found, f"{RETRY}::retry_delay").reasons[0].terms == ("retry", "backoff")
    assert entry_of(found, f"{RETRY}::run_again").reasons[0].terms == ("retry",)


def test_a_hit_in_the_body_alone_says_body() -> None:
    found = ask("sleep")
    reason = entry_of(found, f"{RETRY}::run_again").reasons[0]
    assert (reason.terms, reason.subject) == ((), "body")


def test_the_parts_of_every_score_add_up_to_it_and_no_score_leaves_its_range() -> None:
    for entry in ask("retry backoff in `Queue` of shop/queue.py:15").entries:
        assert abs(sum(term.value for term in entry.terms) - entry.score) < 1e-9
        assert 0.0 < entry.score <= 1.0


def test_the_weights_of_the_reasons_add_up_to_the_score_too() -> None:
    for entry in ask("retry backoff in `Queue` of shop/queue.py:15").entries:
        assert entry.score == pytest.approx(sum(reason.weight for reason in entry.reasons))


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Retries the connections", 1.0),
        ("def reconnection_retry(): ...", 0.5),
        ("a retriever", 0.0),
        ("", 0.0),
        ("connection " * 3 + "retried", 1.0),
    ],
)
def test_a_text_holds_a_word_in_any_of_its_forms_and_no_part_of_another(text: str, share: float) -> None:
    asked = Asked(Query("retry connection", (("retry", 1.0), ("connection", 1.0))))
    assert share == asked.share_in(text)


def test_a_stem_that_lost_its_ending_is_found_and_a_lone_letter_only_as_a_word() -> None:
    asked = Asked(Query("fly y_axis", (("fly", 1.0), ("y_axis", 1.0))))
    assert (0.5, 0.5, 0.0) == (asked.share_in("it flies"), asked.share_in("the y axis"), asked.share_in("any axis"))


def test_scores_never_rise_along_the_set() -> None:
    scores = [entry.score for entry in ask("retry backoff in `Queue` of shop/queue.py:15").entries]
    assert sorted(scores, reverse=True) == scores


def test_equal_questions_give_equal_sets_and_another_revision_another_id() -> None:
    class Later(MemoryGraph):
        def stats(self):  # type: ignore[no-untyped-def]  # noqa: ANN202 - only the revision differs
            return replace(super().stats(), revision="revision-2")

    graph = shop()
    first = ask("retry backoff")
    assert first == ask("retry backoff")
    assert first.id != ask("retry backoff", Later(graph.listed, graph.bodies, graph.edges)).id


def test_a_limit_cuts_the_end_of_the_set() -> None:
    query = parse_prompt("retry backoff")
    whole, cut = retrieve(query, shop()), retrieve(query, shop(), limit=2)
    assert ids(whole)[:2] == ids(cut)


def test_a_query_without_words_finds_nothing() -> None:
    assert retrieve(Query(""), shop()).entries == ()


def test_of_what_stands_in_several_files_word_for_word_one_counts() -> None:
    copy, other = "build/retry.py", "shop/slow/retry.py"
    graph = shop()
    graph.listed += [
        symbol(copy, "retry_delay", lines=(3, 9), doc="Return the backoff before the next attempt."),
        symbol(other, "retry_delay", lines=(3, 9), doc="Return the backoff before the next attempt, twice."),
    ]
    found = ask("which backoff before the next attempt", graph)
    first, second = (entry_of(found, f"{path}::retry_delay") for path in (RETRY, copy))
    terms = {term.name: term.value for term in second.terms}
    assert second.score < 0.2 * first.score
    assert terms["copy"] < 0 < second.score == pytest.approx(sum(terms.values()))
    assert entry_of(found, f"{other}::retry_delay").score > 0.5 * first.score
    named = ask(f"is the backoff in {copy}:5 right", graph)
    assert ids(named)[0] == f"{copy}::retry_delay"
    assert "copy" not in {term.name for term in named.entries[0].terms}


def typed_shop() -> MemoryGraph:
    """Return a module of JavaScript whose comments are in its declarations, and one declared in another folder."""
    cart, declared = "shop/cart.js", "shop/cart.d.ts"
    documented = [
        symbol(declared, "addCoupon", lines=(4, 6), doc="Take the discount of a coupon off the total."),
        symbol(declared, "Coupon", SymbolKind.INTERFACE, (8, 12), "What a coupon takes off."),
        symbol("types/order.d.ts", "Order.cancel", SymbolKind.METHOD, (2, 3), "Give the money back."),
    ]
    order = [symbol("lib/order.js", name) for name in ("Order", "Order.cancel")]
    return MemoryGraph([symbol(cart), symbol(cart, "addCoupon"), *order, *documented])


def test_what_declarations_say_counts_for_the_script_that_defines_it() -> None:
    found = ask("how is the discount of a coupon taken off?", typed_shop())
    definition, declaration = (entry_of(found, f"shop/cart{end}::addCoupon") for end in (".js", ".d.ts"))
    assert ids(found)[0] == definition.symbol.id
    assert declaration.score < 0.3 * definition.score
    assert entry_of(found, "shop/cart.d.ts::Coupon").score > declaration.score


def test_a_script_in_another_folder_is_meant_where_it_alone_has_the_name() -> None:
    graph, prompt = typed_shop(), "who gives the money back?"
    assert ids(ask(prompt, graph))[0] == "lib/order.js::Order.cancel"
    graph.listed.append(symbol("old/order.js", "Order"))
    assert ids(ask(prompt, graph))[0] == "types/order.d.ts::Order.cancel"


def test_a_name_means_the_definition_and_a_place_the_declaration_that_stands_there() -> None:
    assert ids(ask("what does `addCoupon` do?", typed_shop()))[0] == "shop/cart.js::addCoupon"
    named = ask("what does `addCoupon` do?", typed_shop())
    assert "mention" not in {term.name for term in entry_of(named, "shop/cart.d.ts::addCoupon").terms}
    assert ids(ask("is shop/cart.d.ts:5 right?", typed_shop()))[0] == "shop/cart.d.ts::addCoupon"


@pytest.mark.parametrize(
    "prompt",
    [
        "why do `shop/cart.js` and `shop/cart.d.ts` differ?",
        "is shop/cart.d.ts:5 in step with `addCoupon`?",
        "which type declarations are there of `addCoupon`?",
    ],
)
def test_who_asks_for_declarations_gets_them_beside_what_they_declare(prompt: str) -> None:
    found = ask(prompt, typed_shop())
    for identity in ("shop/cart.js::addCoupon", "shop/cart.d.ts::addCoupon"):
        assert {"mention"} == {term.name for term in entry_of(found, identity).terms} & {"mention", "copy"}


def test_what_is_declared_of_another_package_is_no_script_that_is_called_alike() -> None:
    graph, prompt = typed_shop(), "who gives the money back?"
    graph.listed.append(symbol("types/package.json"))
    assert ids(ask(prompt, graph))[0] == "types/order.d.ts::Order.cancel"
    graph.listed += [symbol("package.json"), symbol("lib/package.json")]
    assert ids(ask(prompt, graph))[0] == "types/order.d.ts::Order.cancel"
    graph.listed = [one for one in graph.listed if one.path not in {"types/package.json", "lib/package.json"}]
    assert ids(ask(prompt, graph))[0] == "lib/order.js::Order.cancel"


@pytest.mark.parametrize("others", [["src/order.ts"], [f"test/order{number:02}.js" for number in range(60)]])
def test_a_script_is_not_the_only_one_beside_a_source_or_among_more_than_are_looked_at(others: list[str]) -> None:
    graph = typed_shop()
    graph.listed += [symbol(path, "Order") for path in others]
    assert ids(ask("who gives the money back?", graph))[0] == "types/order.d.ts::Order.cancel"


def test_where_only_tests_or_examples_answer_they_do() -> None:
    graph = shop()
    graph.listed.append(symbol("examples/cart.py", "checkout_basket"))
    assert ["examples/cart.py::checkout_basket"] == ids(ask("basket checkout", graph))[:1]


@pytest.mark.parametrize(
    ("question", "is_found"),
    [
        ("fix the retry backoff, and its docs", False),
        ("which changelog entry and which docs say retry backoff", True),
    ],
)
def test_who_asks_for_docs_does_not_ask_for_the_change_log(question: str, is_found: bool) -> None:  # noqa: FBT001 - a table's column
    graph = shop()
    for path in ("CHANGELOG.md", "docs/retry.md"):
        graph.listed.append(symbol(path, "Retry", SymbolKind.SECTION))
        graph.bodies[f"{path}::Retry"] = "retry backoff fix docs entry " * 3
    found = ids(ask(question, graph))
    assert "docs/retry.md::Retry" in found
    assert ("CHANGELOG.md::Retry" in found) is is_found


def test_a_change_log_answers_where_nothing_else_does() -> None:
    graph = MemoryGraph([symbol("CHANGELOG.md", "Fixes", SymbolKind.SECTION)], {"CHANGELOG.md::Fixes": "basket"})
    assert ["CHANGELOG.md::Fixes"] == ids(ask("basket docs", graph))


def test_rust_tests_inside_a_file_stand_back() -> None:
    graph = MemoryGraph(
        [replace(symbol("src/a.rs", name), language="rust") for name in ("tests.parses_date", "parses_date")]
    )
    assert ["src/a.rs::parses_date", "src/a.rs::tests.parses_date"] == ids(ask("date parses wrongly", graph))


def inner_shop() -> MemoryGraph:
    graph = shop()
    graph.listed += [
        symbol("shop/watch.py", "watch", lines=(1, 40)),
        symbol("shop/watch.py", "watch.notify", lines=(5, 30)),
        symbol("shop/mail.py", "send", lines=(1, 9)),
    ]
    graph.bodies |= {"shop/watch.py::watch.notify": "customer customer refund", "shop/mail.py::send": "customer"}
    graph.edges.append(("shop/watch.py::watch", "shop/watch.py::watch.notify", "contains", "contained-in"))
    return graph


def test_what_is_said_inside_a_function_speaks_for_that_function() -> None:
    found = ask("refund the customer", inner_shop())
    assert "shop/watch.py::watch" == ids(found)[0]
    inner = entry_of(found, "shop/watch.py::watch.notify")
    assert any(term.name == "inner" and term.value < 0 for term in inner.terms)


def test_what_is_said_inside_a_long_function_speaks_for_itself() -> None:
    graph = inner_shop()
    graph.listed = [replace(one, end_line=400) if one.qualname == "watch" else one for one in graph.listed]
    found = ask("refund the customer", graph)
    assert ids(found)[0] == "shop/watch.py::watch.notify"
    assert all(term.name != "inner" for term in entry_of(found, "shop/watch.py::watch.notify").terms)


def test_a_function_inside_another_comes_first_when_it_is_named() -> None:
    assert "shop/watch.py::watch.notify" == ids(ask("what does `watch.notify` do?", inner_shop()))[0]


def test_a_slip_of_the_keyboard_is_read_as_the_word_that_was_meant_and_told() -> None:
    graph = replace(shop(), meant={"bakcoff": "backoff"})
    found = ask("how long is the bakcoff", graph)
    assert f"{RETRY}::retry_delay" in ids(found)
    assert "Not a word of this code, so it was read otherwise: “bakcoff” as “backoff”." == found.notice
    assert ids(found) == ids(ask("how long is the backoff"))


def test_a_word_that_is_common_elsewhere_is_no_slip() -> None:
    graph = replace(shop(), meant={"crash": "class"})
    asked = parse_prompt("what happens to the backoff in a crash")
    assert "“crash” as “class”" in retrieve(asked, graph).notice
    assert not retrieve(asked, graph, is_common={"crash"}.__contains__).notice


def test_many_strange_words_are_another_language_and_no_slips() -> None:
    meant = dict.fromkeys(("wie", "lange", "dauert", "abstand", "versuche"), "backoff")
    found = ask("wie lange dauert der abstand der versuche", replace(shop(), meant=meant))
    assert ([], "") == (ids(found), found.notice)


def test_many_slips_of_a_question_in_english_are_read() -> None:
    meant = {"bakcoff": "backoff", "dleay": "delay", "rertied": "retry", "quueue": "queue"}
    found = ask("how long is the bakcoff and the dleay when it is rertied by a quueue", replace(shop(), meant=meant))
    assert all(f"“{word}” as “{other}”" in found.notice for word, other in meant.items())
    assert f"{RETRY}::retry_delay" in ids(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("who calls retry_frobnicated?", "“retry_frobnicated” stands"),
        ("`frobnicate`", "“frobnicate” stands"),
        ("rename retry_delay to Retry.zorp or Retry.zarp", "“Retry.zorp” and “Retry.zarp” stand"),
        ("what does retry_delay frobnicate?", ""),
        (f"Zorp.zarp failed {'and nothing else happened ' * 12}", ""),
        (f"`zorp{'x' * 80}`", ""),
    ],
)
def test_a_name_that_no_code_can_have_is_told(text: str, told: str) -> None:
    assert (f"{told} nowhere in the indexed code." if told else "") == ask(text).notice


def called_by(*callers: int) -> MemoryGraph:
    """Return functions of which the first ones are each called by so many others."""
    names = [f"f{number}" for number in range(len(callers) + max(callers))]
    edges = [
        (f"{QUEUE}::{caller}", f"{QUEUE}::f{called}", "calls", "called-by")
        for called, count in enumerate(callers)
        for caller in names[len(callers) : len(callers) + count]
    ]
    return MemoryGraph([symbol(QUEUE, name) for name in names], edges=edges)


def test_what_more_than_four_hundred_call_says_nothing_of_them() -> None:
    busy, too_busy = called_by(400), called_by(401)
    assert beside(0, {1: 1.0}, busy) > 0.0 == beside(0, {1: 1.0}, too_busy)
    assert set(range(1, 401)) <= spread({0: 1.0}, busy).keys()
    assert {} == spread({0: 1.0}, too_busy)


def test_links_that_are_not_followed_count_among_those_looked_at() -> None:
    graph = called_by(2_600, 2_600, 3)
    assert {} == spread({0: 3.0, 1: 2.0, 2: 1.0}, graph)
    assert {3, 4, 5} <= spread({0: 3.0, 2: 1.0}, graph).keys()
