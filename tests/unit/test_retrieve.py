"""Retrieval over a graph made by hand."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

import pytest

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_foreign_path, is_side_path
from ctxcode.model.plan import ReasonType, Relation
from ctxcode.model.retrieval import LexicalHit, Query, RetrievalSet, Retrieved
from ctxcode.model.symbol import MEMBER_KINDS, IndexStats, Symbol, SymbolKind
from ctxcode.retrieval.beside import beside
from ctxcode.retrieval.lexical import Asked
from ctxcode.retrieval.retrieve import retrieve
from ctxcode.retrieval.spread import spread

QUEUE = "shop/queue.py"
RETRY = "shop/retry.py"
TESTS = "tests/test_retry.py"


def symbol(
    path: str,
    qualname: str = "",
    kind: SymbolKind = SymbolKind.FUNCTION,
    lines: tuple[int, int] = (1, 10),
    doc: str = "",
) -> Symbol:
    """Return a symbol with the rest filled in; without a qualified name the file's module."""
    identity = SymbolId(f"{path}::{qualname}" if qualname else path)
    return Symbol(
        id=identity,
        name=qualname.rpartition(".")[2] or path,
        qualname=qualname,
        kind=kind if qualname else SymbolKind.MODULE,
        path=path,
        language="python",
        module=path.removesuffix(".py").replace("/", "."),
        start_line=lines[0],
        end_line=lines[1],
        header_line=lines[0],
        header_end_line=lines[0],
        signature=f"def {qualname.rpartition('.')[2]}()" if qualname else path,
        doc=doc,
    )


@dataclass
class MemoryGraph:
    """Symbols in a list; a node is a place in it."""

    listed: list[Symbol]
    bodies: dict[str, str] = field(default_factory=dict)
    """Symbol id to the words of its body."""
    edges: list[tuple[str, str, str, str]] = field(default_factory=list)
    """(source, target, relation of the source, relation of the target), as ids: (a, b, "calls", "called-by")."""
    meant: dict[str, str] = field(default_factory=dict)
    """Misspelt words to those that were meant."""

    def stats(self) -> IndexStats:
        return IndexStats("revision-1", 1, len(self.listed), len(self.edges), ())

    def symbols_named(self, name: str, limit: int = 50) -> tuple[Symbol, ...]:
        found = [one for one in self.listed if self._is_called(one, name)]
        return tuple(sorted(found, key=lambda one: one.id))[:limit]

    @staticmethod
    def _is_called(one: Symbol, name: str) -> bool:
        if not one.qualname:
            return one.id == name or f".{one.module}".endswith(f".{name}")
        return name in {one.name, one.id} or f".{one.dotted}".endswith(f".{name}")

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        return tuple(get_close_matches(name, [one.name for one in self.listed], limit))

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        return tuple(one for one in self.listed if one.path == path)

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        paths = sorted({one.path for one in self.listed})
        tails = [path for path in paths if f"/{path}".endswith(f"/{text}")]
        return tuple(tails or [path for path in paths if path.rpartition("/")[2] == text])[:limit]

    def search(
        self, terms: Sequence[tuple[str, float]], limit: int = 300, *, with_aside: bool = True
    ) -> tuple[LexicalHit, ...]:
        hits = []
        for node, one in enumerate(self.listed):
            if not with_aside and (is_side_path(one.path) or is_foreign_path(one.path)):
                continue
            text = f"{one.qualname} {one.path} {one.doc} {self.bodies.get(one.id, '')}"
            words = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)]
            score = sum(weight * words.count(term) for term, weight in terms)
            if score > 0 and one.kind not in MEMBER_KINDS:
                hits.append(LexicalHit(node, float(score), one.path))
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.node))[:limit])

    def nodes_of(self, ids: Collection[SymbolId]) -> dict[SymbolId, int]:
        return {one.id: node for node, one in enumerate(self.listed) if one.id in set(ids)}

    def symbols_at(self, nodes: Iterable[int]) -> dict[int, Symbol]:
        return {node: self.listed[node] for node in nodes}

    def nearest_word(self, word: str) -> str | None:
        return self.meant.get(word)

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        said = " ".join(self.texts_at(range(len(self.listed))).values()).lower()
        return frozenset(word for word in words if word not in said)

    def texts_at(self, nodes: Collection[int]) -> dict[int, str]:
        found = {node: self.listed[node] for node in nodes}
        return {
            node: f"{one.qualname}\n{one.path}\n{one.signature}\n{one.doc}\n{self.bodies.get(one.id, '')}"
            for node, one in found.items()
        }

    def width(self, node: int) -> int:
        return len(self.links(node))

    def owner(self, node: int) -> int | None:
        return next((other for other, relation, _ in self.links(node) if relation == Relation.CONTAINS), None)

    def links(self, node: int, most: int | None = None) -> Sequence[tuple[int, str, float]]:
        own = self.listed[node].id
        numbers = {one.id: place for place, one in enumerate(self.listed)}
        found: list[tuple[int, str, float]] = []
        for source, target, source_relation, target_relation in self.edges:
            if target == own:
                found.append((numbers[SymbolId(source)], source_relation, 1.0))
            if source == own:
                found.append((numbers[SymbolId(target)], target_relation, 1.0))
        return found if most is None or len(found) <= most else []


def shop() -> MemoryGraph:
    """Return a small shop: a queue, a retry policy, its tests, and a logger only the graph leads to."""
    return MemoryGraph(
        listed=[
            symbol(QUEUE),
            symbol(QUEUE, "Queue", SymbolKind.CLASS, (1, 40)),
            symbol(QUEUE, "Queue.push", SymbolKind.METHOD, (5, 12), "Add a job."),
            symbol(QUEUE, "Queue.pop", SymbolKind.METHOD, (14, 22)),
            symbol(RETRY),
            symbol(RETRY, "retry_delay", lines=(3, 9), doc="Return the backoff before the next attempt."),
            symbol(RETRY, "run_again", lines=(11, 20)),
            symbol(TESTS),
            symbol(TESTS, "test_retry_delay", lines=(1, 9), doc="The backoff grows with each attempt."),
            symbol("shop/log.py"),
            symbol("shop/log.py", "note", lines=(2, 4)),
        ],
        bodies={f"{RETRY}::run_again": "backoff sleep", f"{TESTS}::test_retry_delay": "retry backoff retry backoff"},
        edges=[
            (f"{RETRY}::run_again", f"{RETRY}::retry_delay", "calls", "called-by"),
            (f"{RETRY}::retry_delay", "shop/log.py::note", "calls", "called-by"),
        ],
    )


def ask(prompt: str, graph: MemoryGraph | None = None) -> RetrievalSet:
    return retrieve(parse_prompt(prompt), graph or shop())


def ids(found: RetrievalSet) -> list[str]:
    return [entry.symbol.id for entry in found.entries]


def entry_of(found: RetrievalSet, identity: str) -> Retrieved:
    return next(entry for entry in found.entries if entry.symbol.id == identity)


def test_the_definition_the_words_describe_comes_first() -> None:
    assert ids(ask("how long is the retry delay, what backoff?"))[0] == f"{RETRY}::retry_delay"


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


@pytest.mark.parametrize("prompt", ["`retry_dlay`", "why is retry_dleay slow", "retryDelay"])
def test_a_misspelt_name_means_the_one_most_like_it(prompt: str) -> None:
    first = ask(prompt).entries[0]
    assert f"{RETRY}::retry_delay" == first.symbol.id
    assert ReasonType.MENTIONED in {reason.type for reason in first.reasons}


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


def test_a_function_inside_another_comes_first_when_it_is_named() -> None:
    assert "shop/watch.py::watch.notify" == ids(ask("what does `watch.notify` do?", inner_shop()))[0]


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
    named = [one.symbol.id for one in found.entries if any(why.type is ReasonType.MENTIONED for why in one.reasons)]
    assert [f"{QUEUE}::Queue.push"] == named


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
