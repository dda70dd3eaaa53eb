"""Messages that a question quotes, and the definitions that give them."""

import pytest
from memory_graph import MemoryGraph, ask, entry_of, ids, symbol

from ctxcode.retrieval.message import message_shares, with_quoted_lines


def shares(question: str, *texts: str) -> list[float]:
    found = message_shares(question, {node: f"names\nplace\n{text}" for node, text in enumerate(texts)})
    return [found.get(node, 0.0) for node in range(len(texts))]


SAID = 'raise Full("Merged cart totals differ from stored order totals in this shop.")'


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("Merged cart totals differ from stored order totals in this shop.", 1.0),
        ('I get "merged cart totals differ from stored" when I pay', 0.75),
        ("error: Merged cart totals differ", 0.25),
        ("`stored order totals in` says the log", 0.25),
        ("totals in this shop are wrong", 0.25),
        ("cart totals differ", 0.0),
        ("in this", 0.0),
        ("from stored and order totals", 0.0),
        ("merged carts totals differ", 0.0),
        ("merged cart\ntotals differ", 0.0),
        ("", 0.0),
    ],
)
def test_runs_of_four_words_count_as_they_are_written(question: str, share: float) -> None:
    assert [share, 0.0] == shares(question, SAID, "raise Full('The cart totals differ.')")


def test_words_that_are_in_every_text_count_for_nothing() -> None:
    assert [0.0] == shares("what is it that this is of", "what is it that this is of")


def test_who_says_all_of_a_long_message_says_more_than_who_says_its_beginning() -> None:
    message = "no stock of the goods in this order is left to be sent before the end of the week"
    whole, beginning = shares(message, f"warn('{message}')", "warn('no stock of the goods in this order')")
    assert whole == 1.0 > beginning > 0.0


def test_a_message_leads_to_where_it_is_given_and_the_score_says_so() -> None:
    path = "shop/till.py"
    graph = MemoryGraph(
        listed=[symbol(path, "close_cart_order"), symbol(path, "step")],
        bodies={
            f"{path}::close_cart_order": "merged cart, stored cart, merged order totals of the shop differ",
            f"{path}::step": f"{SAID}\n" + "count the goods of the shop again\n" * 40,
        },
    )
    found = ask("Merged cart totals differ from stored order totals in this shop.", graph)
    assert ids(found)[0] == f"{path}::step"
    terms = {term.name: term.value for term in entry_of(found, f"{path}::step").terms}
    assert terms["message"] > 0
    assert sum(terms.values()) == pytest.approx(1.0)


def test_the_lines_that_hold_a_message_are_pointed_at_where_none_are() -> None:
    path, question = "shop/till.py", "Merged cart totals differ from stored order totals in this shop."
    lines = [*["pass"] * 9, f"    {SAID}", *["pass"] * 30]
    graph = MemoryGraph(
        listed=[symbol(path, "step", lines=(3, 40)), symbol(path, "rest", lines=(12, 20))],
        bodies={f"{path}::step": "\n".join(lines[2:]), f"{path}::rest": "merged cart totals"},
    )
    found = ask(question, graph).entries
    told = {entry.symbol.name: entry.lines for entry in with_quoted_lines(found, question, {path: lines})}
    assert told["step"] == (10,)
    assert told["rest"] == ()
    assert not any(entry.lines for entry in with_quoted_lines(found, question, {}))
    pointed = ask(f"{path}:5 {question}", graph).entries
    assert with_quoted_lines(pointed, question, {path: lines})[0].lines == (5,)


@pytest.mark.parametrize("piece", ["a b c d ", "cart ", "`", "\n", "cart order total goods\n", "“”", "x" * 50 + " "])
def test_of_a_long_paste_the_beginning_is_looked_at(piece: str) -> None:
    message = "\nMerged cart totals differ from stored order totals in this shop.\n"
    assert [1.0] * 9 == shares(f"{message}{piece * 50_000}", *[SAID] * 9)
    assert [0.0] * 9 == shares(f"{piece * 50_000}{message}", *[SAID] * 9)
