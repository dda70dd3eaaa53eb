"""What a question points at, over a graph made by hand."""

from dataclasses import replace

import pytest
from memory_graph import QUEUE, RETRY, TESTS, ask, entry_of, ids, shop, symbol

from ctxcode.model.ids import SymbolId
from ctxcode.model.plan import ReasonType
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.model.symbol import Symbol, SymbolKind


def named(found: RetrievalSet) -> list[str]:
    """Return what a question points at, best first."""
    return [one.symbol.id for one in found.entries if any(why.type is ReasonType.MENTIONED for why in one.reasons)]


def test_an_explicit_mention_precedes_every_text_hit() -> None:
    found = ask("does the retry backoff delay touch `Queue.pop`?")
    assert ids(found)[0] == f"{QUEUE}::Queue.pop"
    assert found.entries[0].reasons[0].type is ReasonType.MENTIONED
    assert found.entries[0].reasons[0].terms == ("Queue.pop",)


def test_a_path_with_a_line_means_the_innermost_definition_there() -> None:
    assert ids(ask("what happens at shop/queue.py:15?"))[0] == f"{QUEUE}::Queue.pop"


def test_a_path_from_another_machine_is_found_by_its_tail() -> None:
    found = ask('  File "/home/ann/checkout/shop/queue.py", line 6, in push\nwhy?')
    assert ids(found)[0] == f"{QUEUE}::Queue.push"


def test_a_file_name_that_only_looks_alike_is_not_the_one_in_the_traceback() -> None:
    found = ask('  File "/usr/lib/other/queue.py", line 6, in push\nwhy?')
    assert found.entries[0].symbol.path == QUEUE
    graph = shop()
    graph.listed.append(symbol("attic/queue.py"))
    reasons = entry_of(
        ask('  File "/usr/lib/other/queue.py", line 6, in push\nwhy?', graph), f"{QUEUE}::Queue.push"
    ).reasons
    assert all(reason.terms != ("/usr/lib/other/queue.py",) for reason in reasons)


def test_of_several_files_of_a_name_a_longer_path_means_the_outermost() -> None:
    graph = shop()
    graph.listed += [symbol("main.go", "start"), symbol("scripts/fork/main.go", "begin"), symbol("scripts/main.go")]
    trace = "panic: nothing there\n\t{}:26 +0x1d"
    for root in ("/go/src/github.com/acme/shop/", "/app/"):
        assert ids(ask(trace.format(f"{root}main.go"), graph))[0] == "main.go::start"
    for root in ("/usr/local/go/src/runtime/", "/app/vendor/other/"):
        found = ask(trace.format(f"{root}main.go"), graph)
        reasons = [reason.type for entry in found.entries if entry.symbol.path == "main.go" for reason in entry.reasons]
        assert ReasonType.MENTIONED not in reasons


def test_a_sign_in_front_is_part_of_a_name_where_it_is_one() -> None:
    graph = shop()
    graph.listed += [symbol("lib/core.ts", "$Type"), symbol("lib/classic.ts", "Type")]
    assert [ids(ask(prompt, graph))[0] for prompt in ("$Type", "Type", "how does `$Type` work")] == [
        "lib/core.ts::$Type",
        "lib/classic.ts::Type",
        "lib/core.ts::$Type",
    ]
    assert ids(ask("why does `$this->run_again()` sleep", graph))[0] == f"{RETRY}::run_again"


def test_a_sign_behind_is_part_of_a_name_where_it_is_one() -> None:
    graph = shop()
    graph.listed += [symbol("lib/base.rb", "Base.save"), symbol("lib/base.rb", "Base.save!")]
    assert ["lib/base.rb::Base.save!", "lib/base.rb::Base.save"] == [
        ids(ask(prompt, graph))[0] for prompt in ("what does `Base.save!` do", "what does `Base.save` do")
    ]
    assert f"{RETRY}::run_again" == ids(ask("why does `run_again!` sleep", graph))[0]


def test_a_mentioned_file_brings_all_its_definitions_first() -> None:
    assert {entry.symbol.path for entry in ask("review @shop/queue.py please").entries[:4]} == {QUEUE}


def test_a_dotted_name_with_an_unknown_owner_finds_its_tail() -> None:
    assert ids(ask("why does `self.queue.run_again` sleep"))[0] == f"{RETRY}::run_again"


def test_a_name_that_ends_like_a_file_is_one_where_it_stands_and_no_file_is_called_so() -> None:
    graph = shop()
    graph.listed += [symbol(QUEUE, "Queue.lock"), symbol(RETRY, "json"), symbol("web/answer.py", "Response.json")]
    assert f"{QUEUE}::Queue.lock" == ids(ask("why is `queue.lock` held", graph))[0]
    assert f"{QUEUE}::Queue.lock" == ids(ask("why is `self.lock` held", graph))[0]
    assert "web/answer.py::Response.json" == ids(ask("what does response.json() return", graph))[0]
    reasons = entry_of(ask("what says `json` of the retry backoff", graph), f"{RETRY}::json").reasons
    assert ReasonType.MENTIONED is reasons[0].type
    found = ask("what says `package.json` of the retry backoff", graph)
    assert ReasonType.MENTIONED not in {reason.type for entry in found.entries for reason in entry.reasons}


def test_an_unknown_name_leaves_the_text_hits() -> None:
    assert ids(ask("retry with `no_such_name`"))[0] == f"{RETRY}::retry_delay"


def test_a_field_is_found_when_it_is_asked_for_and_nothing_else_has_its_name() -> None:
    graph = shop()
    graph.listed += [symbol(QUEUE, "Queue.limit", SymbolKind.FIELD), symbol(RETRY, "Retry.limit", SymbolKind.FIELD)]

    asked = set(ids(ask("what is `limit`", graph))) & {f"{QUEUE}::Queue.limit", f"{RETRY}::Retry.limit"}

    assert 2 == len(asked)
    assert f"{QUEUE}::Queue.limit" not in ids(ask("@shop/queue.py", graph))
    graph.listed.append(symbol(QUEUE, "limit"))
    assert f"{QUEUE}::Queue.limit" not in ids(ask("what is `limit`", graph))


def test_a_field_is_found_beside_what_else_has_a_name_that_only_code_has() -> None:
    graph = shop()
    graph.listed += [symbol(QUEUE, "Queue.most_retries", SymbolKind.FIELD), symbol(RETRY, "most_retries")]
    assert f"{QUEUE}::Queue.most_retries" in ids(ask("why is most_retries asked", graph))
    graph.listed += [symbol(RETRY, f"Retry{row}.most_retries", SymbolKind.FIELD) for row in range(9)]
    assert f"{QUEUE}::Queue.most_retries" not in ids(ask("why is most_retries asked", graph))


@pytest.mark.parametrize("prompt", ["`retry_dlay`", "why is retry_dleay slow", "retryDelay"])
def test_a_misspelt_name_means_the_one_most_like_it(prompt: str) -> None:
    first = ask(prompt).entries[0]
    assert f"{RETRY}::retry_delay" == first.symbol.id
    (reason,) = (reason for reason in first.reasons if reason.type is ReasonType.MENTIONED)
    assert ((prompt.strip("`").split()[-2] if " " in prompt else prompt.strip("`"),), "retry_delay") == (
        reason.terms,
        reason.subject,
    )


@pytest.mark.parametrize("prompt", ["`retry_dlay` or `retry_delay`", "`retry_delay`, not `retry_dlay`"])
def test_what_is_written_right_once_is_named(prompt: str) -> None:
    (reason,) = (one for one in ask(prompt).entries[0].reasons if one.type is ReasonType.MENTIONED)
    assert (("retry_delay",), "") == (reason.terms, reason.subject)


def test_a_word_that_is_like_no_name_points_nowhere() -> None:
    assert ReasonType.MENTIONED not in {r.type for entry in ask("`zebra_crossing`").entries for r in entry.reasons}


def test_a_tracebacks_function_beats_its_line() -> None:
    trace = f'File "/srv/{QUEUE}", line 6, in pop'
    assert f"{QUEUE}::Queue.pop" == ask(trace).entries[0].symbol.id
    assert f"{QUEUE}::Queue.push" == ask(f'File "/srv/{QUEUE}", line 6, in gone').entries[0].symbol.id


def test_a_hunk_points_at_the_definition_it_changes() -> None:
    diff = f"--- a/{QUEUE}\n+++ b/{QUEUE}\n@@ -15,7 +15,7 @@ class Queue:\n a\n b\n c\n-d\n+e\n f\n g\n h\n"
    assert f"{QUEUE}::Queue" == ask(diff).entries[0].symbol.id
    diff = diff.replace(" class Queue:", "")
    assert f"{QUEUE}::Queue.pop" == ask(diff).entries[0].symbol.id


def test_a_place_says_which_lines_of_a_definition_are_meant() -> None:
    def lines_of(prompt: str, name: str) -> tuple[int, ...]:
        return entry_of(ask(prompt), f"{QUEUE}::Queue.{name}").lines

    pop, push = (entry_of(ask(QUEUE), f"{QUEUE}::Queue.{name}").symbol for name in ("pop", "push"))
    first, last = pop.start_line, pop.end_line
    assert (last, first) == lines_of(f"{QUEUE}:{last} and {QUEUE}:{first} and {QUEUE}:{push.start_line}", "pop")
    # Its code has moved since: no line of it is meant.
    assert () == lines_of(f'File "/srv/{QUEUE}", line {push.start_line}, in pop', "pop")
    assert () == lines_of("`Queue.pop`", "pop")


@pytest.mark.parametrize("prompt", ["pop", "pop()", "`pop`?", "Queue.pop", QUEUE])
def test_a_prompt_of_one_word_points_at_it(prompt: str) -> None:
    first = ask(prompt).entries[0]
    assert QUEUE == first.symbol.path
    assert ReasonType.MENTIONED in {reason.type for reason in first.reasons}


def test_copies_of_other_peoples_code_do_not_come_first_by_their_name() -> None:
    graph = shop()
    graph.listed += [symbol("vendor/a.py", "__replace__"), symbol("vendor/b.py", "__replace__")]
    assert not any("vendor/" in one for one in ids(ask("the retry backoff breaks `__replace__`", graph))[:1])


def test_a_mock_does_not_come_before_what_it_stands_for() -> None:
    graph = shop()
    graph.listed += [symbol("shop/mocks/queue.py", "Queue", SymbolKind.CLASS)]
    found = ids(ask("what is in `Queue`?", graph))
    assert f"{QUEUE}::Queue" == found[0]


@pytest.mark.parametrize(
    ("prompt", "is_first"),
    [
        ("the retry backoff is wrong for `Runner` and for queues", False),
        ("what does `Runner` do?", True),
        ("`Runner`", True),
        ("the retry backoff is wrong for `FakeRunner` and for queues", True),
        ("which tests of the retry backoff use `Runner`?", True),
    ],
)
def test_a_plain_word_that_only_tests_define_comes_first_where_it_is_what_is_asked_for(
    prompt: str,
    is_first: bool,  # noqa: FBT001 - a table's column
) -> None:
    graph = shop()
    graph.listed += [symbol(TESTS, name, SymbolKind.CLASS) for name in ("Runner", "FakeRunner")]
    assert is_first == ids(ask(prompt, graph))[0].endswith("Runner")


def test_a_file_called_like_a_definition_makes_its_name_no_less_telling() -> None:
    def mention_of(*others: Symbol) -> float:
        graph = shop()
        graph.listed += [symbol("shop/relations.py", "has_many"), *others]
        found = ask("where does has_many keep the jobs of a queue", graph)
        terms = {term.name: term.value for term in entry_of(found, "shop/relations.py::has_many").terms}
        return terms["mention"] / sum(value for name, value in terms.items() if name != "mention")

    alone = mention_of()
    assert mention_of(symbol("shop/has_many.py")) == pytest.approx(alone)
    assert mention_of(symbol("shop/other.py", "has_many")) < 0.8 * alone


def test_a_file_called_like_a_name_marked_as_code_lifts_what_stands_in_it() -> None:
    graph = shop()
    graph.listed += [symbol("shop/checks.py"), symbol("shop/checks.py", "compile"), symbol("shop/other.py", "compile")]
    marked = ids(ask("why does `checks` not compile", graph))
    assert "shop/checks.py" == marked[0]
    assert marked.index("shop/checks.py::compile") < marked.index("shop/other.py::compile")
    terms = {
        prompt: {term.name for term in entry_of(ask(prompt, graph), "shop/checks.py::compile").terms}
        for prompt in ("why does `checks` not compile", "why does checks not compile")
    }
    assert ["mention" in said for said in terms.values()] == [True, False]


def test_a_field_brings_what_it_belongs_to() -> None:
    graph = shop()
    field_of = replace(symbol(QUEUE, "Queue.depth", SymbolKind.FIELD, (2, 2)), parent=SymbolId(f"{QUEUE}::Queue"))
    graph.listed.append(field_of)
    found = ids(ask("why is `depth` wrong?", graph))
    assert [f"{QUEUE}::Queue.depth", f"{QUEUE}::Queue"] == found[:2]


def test_a_misspelt_member_is_looked_for_in_its_owner_first() -> None:
    graph = shop()
    graph.listed.append(symbol(RETRY, "pushh", lines=(20, 22)))
    for at, one in enumerate(graph.listed):
        if one.qualname == "Queue.push":
            graph.listed[at] = replace(one, parent=SymbolId(f"{QUEUE}::Queue"))
    found = ask("what does `Queue.puush` do", graph)
    assert [f"{QUEUE}::Queue.push"] == named(found)


@pytest.mark.parametrize(
    "prompt", ["add `Queue.drain`", "Queue.drain() is missing", "bring shop.queue.Queue.drain back"]
)
def test_a_type_is_meant_where_it_has_no_member_of_the_name(prompt: str) -> None:
    graph = shop()
    graph.listed.append(symbol(RETRY, "drain", lines=(20, 22)))
    found = ids(ask(prompt, graph))
    assert f"{QUEUE}::Queue" in found[:2]
    assert found.index(f"{QUEUE}::Queue") < found.index(f"{QUEUE}::Queue.push")


def test_a_type_that_has_a_member_from_another_or_is_somebody_elses_is_not_meant() -> None:
    graph = shop()
    graph.listed += [
        symbol("vendor/net/url.py", "URL", SymbolKind.CLASS, (1, 90)),
        symbol("shop/jobs.py", "Jobs", SymbolKind.CLASS, (1, 30)),
    ]
    for at, one in enumerate(graph.listed):
        if one.qualname == "Queue.push":
            graph.listed[at] = replace(one, parent=SymbolId(f"{QUEUE}::Queue"))
    graph.edges.append(("shop/jobs.py::Jobs", f"{QUEUE}::Queue", "inherits", "inherited-by"))
    assert [f"{QUEUE}::Queue.push"] == named(ask("why does `Jobs.push` hang", graph))
    assert [] == named(ask("join it with `yarl.URL.joined`", graph))


def test_an_inner_class_is_found_as_java_writes_it() -> None:
    graph = shop()
    graph.listed.append(symbol("a/Cart.java", "Cart.Receipt", SymbolKind.CLASS, (3, 9)))
    assert "a/Cart.java::Cart.Receipt" == ids(ask("where is `Cart$Receipt`", graph))[0]


def test_places_of_a_trace_stand_in_its_order_whatever_its_words_say() -> None:
    trace = "goroutine 1:\n\tshop/queue.py:15\n\tshop/retry.py:3\n\tshop/queue.py:6"
    for words in ("", "add a job with push", "retry delay backoff"):
        found = ask(f"why?\n{trace}\n{words}")
        placed = [f"{QUEUE}::Queue.pop", f"{RETRY}::retry_delay", f"{QUEUE}::Queue.push"]
        assert placed == ids(found)[:3]
        scores = [entry.score for entry in found.entries[:3]]
        assert scores == sorted(scores, reverse=True)
        assert all(abs(entry.score - sum(term.value for term in entry.terms)) < 1e-9 for entry in found.entries)


def test_what_a_platform_has_by_a_common_name_is_not_taken_for_the_projects_own() -> None:
    graph = shop()
    graph.listed += [symbol("pool.py", "run"), symbol("net.py", "SocketError")]
    trace = "boom\n\tat java.base/java.lang.Thread.run(Thread.java:829)\nCaused by: java.net.SocketErrors: late"
    reasons = [reason.type for entry in ask(trace, graph).entries for reason in entry.reasons]
    assert ReasonType.MENTIONED not in reasons
    assert ids(ask("at org.acme.Thread.run(Thread.java:829)", graph))[0] == "pool.py::run"
    for own in ("sun.run", "System.run"):
        assert ids(ask(f"why does `{own}` fail?", graph))[0] == "pool.py::run"


def test_an_object_is_called_like_its_type() -> None:
    graph = shop()
    graph.listed += [
        symbol(f"shop/{name}.py", f"{name.title()}.sent") for name in ("mail", "order", "parcel", "letter")
    ]
    graph.listed.append(symbol("shop/client.py", "HttpClient.sent"))
    assert ["shop/client.py::HttpClient.sent"] == named(ask("is http_client.sent() slow", graph))
    assert ["shop/order.py::Order.sent"] == named(ask("is `self.order.sent` slow", graph))
    assert 5 == len(named(ask("is `self.sent` slow", graph)))


@pytest.mark.parametrize("spelt", ["max_size", "maxSize", "MaxSize"])
def test_an_option_is_called_otherwise_in_code(spelt: str) -> None:
    graph = shop()
    graph.listed.append(symbol("shop/options.py", spelt))
    for prompt in ("ignores `--max-size`", "ignores --max-size, why", "what reads `max-size`", "max-size"):
        assert f"shop/options.py::{spelt}" == ids(ask(prompt, graph))[0]


def test_what_tests_and_declarations_call_so_stands_behind_what_it_is_of() -> None:
    graph = shop()
    graph.listed += [
        symbol("tests/test_pop.py", "Test.drain"),
        symbol("shop/index.d.ts", "drain"),
        symbol(QUEUE, "drain"),
    ]
    graph.bodies["tests/test_pop.py::Test.drain"] = "queue drain tests"
    assert f"{QUEUE}::drain" == ids(ask("fix `drain` of the queue, with tests", graph))[0]
    del graph.listed[-1]
    assert "tests/test_pop.py::Test.drain" == ids(ask("fix `Test.drain` of the queue, with tests", graph))[0]


def test_an_option_that_is_declared_alone_does_not_come_before_what_heeds_it() -> None:
    graph = shop()
    graph.listed += [
        symbol("shop/index.d.ts", "Options", SymbolKind.INTERFACE),
        symbol("shop/index.d.ts", "Options.drain_late", SymbolKind.FIELD),
    ]
    graph.bodies[f"{QUEUE}::Queue.pop"] = "drain late"
    assert f"{QUEUE}::Queue.pop" == ids(ask("the queue does not pop with `drain_late`", graph))[0]
    assert "shop/index.d.ts::Options" == ids(ask("what is in `Options`", graph))[0]


def test_a_name_elsewhere_is_a_poor_guess_where_the_type_is_there() -> None:
    graph = shop()
    graph.listed.append(symbol("shop/lexer.py", "drain_queued"))
    assert f"{QUEUE}::Queue" == ids(ask("keep Queue.drain_queue for old code", graph))[0]
