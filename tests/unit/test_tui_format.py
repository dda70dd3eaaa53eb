import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ui.fake_door import FakeDoor, PlanInput, made_plan

from ctxcode.model.conversation import Usage
from ctxcode.model.event import ContextPlanned, SectionTokens
from ctxcode.model.ids import ItemId, PlanId
from ctxcode.model.pin import Pin, PinKind
from ctxcode.model.plan import ContextMode, Detail, Limit, PlanItem, Reason, ReasonType, Relation, Section
from ctxcode.tui.format import (
    bare,
    forecast,
    heading,
    longest,
    pin_words,
    place,
    plan_lines,
    reason_words,
    reasons_words,
    turn_meter,
    used_tokens,
)
from ctxcode.tui.glyphs import ASCII, meter
from ctxcode.tui.number import adding_up, ago, dollars, filled_cells, percent, short_count
from ctxcode.tui.state.view import TurnView

PLANNED = ContextPlanned(
    turn=1,
    plan_id=PlanId("7f3a"),
    mode=ContextMode.LIGHT,
    model="gpt-x",
    active_tokens=2_512,
    budget_tokens=8_000,
    total_tokens=2_812,
    sections=(SectionTokens("pin", 2, 612), SectionTokens("scaffold", 1, 588), SectionTokens("touchpoint", 23, 871)),
    excluded=9,
    cost_estimate=0.004,
)


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit.BUDGET, "the budget is full"),
        (Limit.MODE, "Light's share for code is full"),
        (Limit.LEASES, "the share of leases is full"),
        (Limit.WINDOW, "the model's window of 8,192 is full"),
    ],
)
async def test_the_forecast_tells_which_limit_keeps_more_out(limit: Limit, words: str) -> None:
    made = await FakeDoor().preview("joins")
    reason = Reason(ReasonType.BUDGET, subject=limit)
    items = tuple(item if item.included else replace(item, reasons=(reason,)) for item in made.items)
    plan = replace(made, items=items, limits=replace(made.limits, window_tokens=8_192))
    assert f"left out, {words}" in forecast(plan, None)
    assert "full" not in forecast(replace(plan, items=plan.included), None)


async def test_a_tree_is_said_to_be_a_map_and_not_central_itself() -> None:
    plan = await FakeDoor().preview("joins")
    tree = replace(plan.items[0], kind="tree", section=Section.SCAFFOLD, reasons=(Reason(ReasonType.CENTRAL),))
    assert "where things are, opened where files are most central" == reasons_words(tree)
    assert "central in the graph" == reasons_words(replace(tree, kind="class"))


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason(ReasonType.LEXICAL, 0.5, terms=("retry", "backoff")), "matches “retry”, “backoff”"),
        (Reason(ReasonType.LEXICAL, 0.5, subject="body"), "your words in its body"),
        (Reason(ReasonType.GRAPH, relation=Relation.CALLED_BY, subject="a.py::Query.join"), "called by Query.join"),
        (Reason(ReasonType.GRAPH, relation=Relation.CALLS, subject="Query.join"), "calls Query.join"),
        (Reason(ReasonType.MENTIONED, terms=("join",)), "you named “join”"),
        (Reason(ReasonType.DUPLICATE, subject="symbol:a.py::Join"), "already there in Join"),
        (Reason(ReasonType.MENTIONED, terms=("skip_dir",), subject="skip"), "nearest name to “skip_dir”"),
        (Reason(ReasonType.BUDGET), "did not fit the budget"),
        (Reason(ReasonType.BUDGET, subject=Limit.MODE), "did not fit this mode's share for code"),
        (Reason(ReasonType.BUDGET, subject="window"), "did not fit the model's window"),
        (Reason(ReasonType.BUDGET, subject="of a later version"), "did not fit the budget"),
        (Reason(ReasonType.LEXICAL, terms=("\x1b[2J",)), "matches “␛[2J”"),
    ],
)
def test_a_reason_is_put_in_words(reason: Reason, words: str) -> None:
    assert words == reason_words(reason)


@pytest.mark.parametrize(
    ("terms", "kept"),
    [
        (("url", "resolver", "resolve"), ["url", "resolver"]),
        (("resolver", "resolve", "url resolver"), ["url resolver"]),
        (("join", "setup_joins", "setup"), ["setup_joins"]),
        (("Join", "join", "join"), ["Join"]),
        (("test", "latest"), ["test", "latest"]),
        (("a+", "a"), ["a+"]),
        ((), []),
    ],
)
def test_a_word_is_told_once_and_at_its_longest(terms: tuple[str, ...], kept: list[str]) -> None:
    assert kept == longest(terms)


@pytest.mark.parametrize(
    ("parts", "total", "shown"),
    [
        ([0.6834, 0.0014], 0.6848, [0.684, 0.001]),
        ([0.5, 0.25, 0.25], 1.0, [0.5, 0.25, 0.25]),
        ([0.5], 0.9, [0.5]),
        ([], 0.0, []),
    ],
)
def test_terms_add_up_as_they_are_shown(parts: list[float], total: float, shown: list[float]) -> None:
    assert shown == pytest.approx(adding_up(parts, total))


def test_every_reason_and_relation_has_words() -> None:
    for kind in ReasonType:
        assert reason_words(Reason(kind))
    for relation in Relation:
        assert reason_words(Reason(ReasonType.GRAPH, relation=relation, subject="f")).endswith(" f")


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0"), (940, "940"), (2_512, "2.5k"), (8_000, "8k"), (12_345, "12.3k"), (128_000, "128k"), (2_000_000, "2M")],
)
def test_a_count_is_shortened(number: int, shown: str) -> None:
    assert shown == short_count(number)


@pytest.mark.parametrize(
    ("cost", "shown"), [(None, ""), (0.0, ""), (0.0004, "<$0.001"), (0.004, "$0.004"), (1.2, "$1.20")]
)
def test_a_price_has_its_unit(cost: float | None, shown: str) -> None:
    assert shown == dollars(cost)


@given(st.integers(0, 20_000), st.integers(1, 20_000), st.integers(2, 40))
def test_a_meter_is_never_empty_when_used_and_never_full_when_free(used: int, limit: int, cells: int) -> None:
    filled = filled_cells(used, limit, cells)
    assert (filled == 0) == (used == 0)
    assert (filled == cells) == (used >= limit)
    assert cells == len(meter(used, limit, cells))


@given(st.integers(0, 20_000), st.integers(1, 20_000))
def test_a_share_is_never_nothing_when_used_and_never_all_when_free(used: int, limit: int) -> None:
    assert (percent(used, limit) == "0%") == (used == 0)
    assert percent(used, limit) != "100%" or used >= limit


def test_an_item_is_called_by_its_name_without_its_kind() -> None:
    named = ["symbol:a.py::Cart.add", "file:a.py", "lines:src/lib.rs:1-10", "turn 3"]
    assert ["Cart.add", "a.py", "src/lib.rs:1-10", "turn 3"] == [bare(item) for item in named]


def test_instructions_that_were_dropped_are_not_said_to_be_in_every_request() -> None:
    reasons = (Reason(ReasonType.DROPPED_BY_USER), Reason(ReasonType.STRATEGY))
    item = ItemId("file:AGENTS.md")
    dropped = PlanItem(item, Section.SCAFFOLD, "instructions", "AGENTS.md", False, Detail.BODY, 31, 0.0, reasons)
    assert "dropped by you · how this repository asks to be worked on" == reasons_words(dropped)


def test_a_row_shows_every_space_of_a_path() -> None:
    path, reasons = "a\nb  c.py", (Reason(ReasonType.PINNED),)
    item = PlanItem(ItemId(f"file:{path}"), Section.PIN, "file", path, True, Detail.BODY, 31, 0.0, reasons, path=path)
    assert ("a␊b  c.py", "") == (heading(item), place(item))
    named = replace(item, title="Cart.add", start_line=3)
    assert ("Cart.add", "a␊b  c.py:3") == (heading(named), place(named))


def test_a_meter_has_an_ascii_form() -> None:
    assert "###......." == meter(2_500, 8_000, 10, ASCII)


def test_a_turns_meter_says_what_was_sent() -> None:
    turn = TurnView(1, "why", plan=PLANNED)
    assert "CTX Light · scaffold · 23 symbols · 2 pins · ~2,512 / 8,000 tok · $0.004 · F2" == turn_meter(turn)


def test_the_providers_count_replaces_the_estimate() -> None:
    usage = Usage(2_812, prompt=2_900, completion=10, cost=0.01)
    turn = TurnView(1, "why", plan=PLANNED, usage=usage, spent=usage)
    assert (2_591, True) == used_tokens(turn)
    assert "2,591 / 8,000 tok (+79 to the estimate) · $0.010" in turn_meter(turn)
    assert "~" not in turn_meter(turn)


def test_the_gap_to_the_estimate_stays_when_there_is_little_room() -> None:
    usage = Usage(2_812, prompt=2_900, completion=10, cost=0.01)
    turn = TurnView(1, "why", plan=PLANNED, usage=usage, spent=usage)
    line = turn_meter(turn, fits=lambda line: len(line) < 70)
    assert "2,591 / 8,000 tok (+79) · $" in line


def test_a_count_below_what_the_system_prompt_was_estimated_at_is_not_nothing() -> None:
    usage = Usage(2_812, prompt=100, completion=10)
    assert (89, True) == used_tokens(TurnView(1, "why", plan=PLANNED, usage=usage, spent=usage))


def test_a_pin_says_how_long_it_lives() -> None:
    item = ItemId("symbol:a.py::f")
    assert "sticky, by you" == pin_words(Pin(item, PinKind.STICKY))
    assert "leased, 1 turn left" == pin_words(Pin(item, PinKind.LEASED, 1))


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "just now"), (300, "5 min ago"), (7_200, "2 h ago"), (90_000, "yesterday")]
)
def test_an_age_is_put_in_words(seconds: float, words: str) -> None:
    assert words == ago(seconds)


def test_a_plan_as_text_names_every_item_and_fits_the_width() -> None:
    plan = made_plan(PlanInput("how are joins decided?", ContextMode.LIGHT, "gpt-x", 8_000))
    lines = plan_lines(plan, 90)
    text = "\n".join(lines)
    assert [] == [item.title for item in plan.items if item.title not in text]
    assert 90 >= max(map(len, lines[:1]))
    assert f"{plan.tokens:,}" == lines[-1].split()[-1]


def test_a_plan_as_text_names_no_key() -> None:
    plan = made_plan(PlanInput("how are joins decided?", ContextMode.LIGHT, "gpt-x", 8_000))
    assert ["  nothing pinned yet"] == [line for line in plan_lines(plan) if "pinned" in line]


def test_a_plan_as_text_says_once_how_the_question_was_read() -> None:
    plan = made_plan(PlanInput("how are joins decided?", ContextMode.LIGHT, "gpt-x", 8_000))
    lines = plan_lines(replace(plan, search_notice="Read otherwise.", goes_on_from="why?"))
    assert ["Read otherwise."] == [line for line in lines if "otherwise" in line]
    assert ["goes on from “why?”"] == [line for line in lines if "goes on" in line]


def test_wording_needs_no_terminal_library() -> None:
    script = "import sys, ctxcode.tui.format; print([m for m in sys.modules if m.split('.')[0] in ('textual', 'rich')])"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "[]" == said.stdout.strip()
