from hypothesis import given
from hypothesis import strategies as st
from ui.fake_door import PlanInput, made_plan

from ctxcode.model.plan import ContextMode
from ctxcode.tui.bill.arrange import Arrangement, Order, Shows, arranged
from ctxcode.tui.glyphs import ASCII, UNICODE
from ctxcode.tui.rows import Part, RowKind
from ctxcode.tui.widgets.overlay.meter import cells_of, kinds_bar, plan_parts

PLAN = made_plan(PlanInput("how are joins decided?", ContextMode.LIGHT, "gpt-x", 8_000, turns=((1, "before"),)))
PARTS = (Part.PINNED, Part.SCAFFOLD, Part.HISTORY, Part.RETRIEVED, Part.REQUEST)
amounts = st.dictionaries(st.sampled_from(PARTS), st.integers(0, 50_000))


@given(amounts, st.integers(0, 60))
def test_the_stretches_add_up_and_each_kind_has_one_while_there_are_enough(parts: dict[Part, int], filled: int) -> None:
    used = [part for part in parts if parts[part]]
    cells = cells_of(parts, filled)
    assert (filled if used else 0) == sum(cells.values())
    assert filled < len(used) or all(cells[part] >= 1 for part in used)


@given(amounts, st.integers(1, 90_000), st.integers(2, 60))
def test_a_bar_is_never_empty_when_used_nor_full_when_not(parts: dict[Part, int], limit: int, cells: int) -> None:
    used = sum(parts.values())
    bar = kinds_bar(parts, used=used, limit=limit, cells=cells, glyphs=ASCII).plain
    assert cells == len(bar)
    assert (used == 0) == (bar == "." * cells)
    assert used < limit or "." not in bar
    assert used >= limit or "." in bar


def test_without_colour_the_kinds_differ_by_their_fill() -> None:
    bar = kinds_bar(plan_parts(PLAN), used=PLAN.active_tokens, limit=2_000, cells=20, glyphs=ASCII).plain
    assert ["#", "=", "+", "~", "."] == list(dict.fromkeys(bar))
    assert 20 == kinds_bar({}, used=5, limit=10, cells=20, glyphs=UNICODE).cell_length


def test_rows_can_be_those_sent_or_those_left_out() -> None:
    sent = arranged(PLAN, (), Arrangement(shows=Shows.INCLUDED))
    assert not {Part.EXCLUDED, Part.SUGGESTED} & {row.part for row in sent}
    left_out = arranged(PLAN, (), Arrangement(shows=Shows.EXCLUDED))
    assert {Part.EXCLUDED} == {row.part for row in left_out}
    assert len(PLAN.excluded) == sum(row.kind is RowKind.ITEM for row in left_out)


def test_rows_can_be_ordered_and_turns_stay_as_they_were() -> None:
    rows = arranged(PLAN, (), Arrangement(order=Order.TOKENS))
    tokens = [row.tokens for row in rows if row.kind is RowKind.ITEM and row.part is Part.RETRIEVED]
    assert sorted(tokens, reverse=True) == tokens
    assert any(row.part is Part.HISTORY and row.kind is RowKind.ITEM for row in rows)
    whole = arranged(PLAN, (), Arrangement())
    assert {row.key for row in whole} == {row.key for row in rows}


def test_what_is_not_as_by_default_is_said() -> None:
    assert "" == Arrangement().words
    assert "what is sent, by tokens" == Arrangement(shows=Shows.INCLUDED, order=Order.TOKENS).words
    assert [Shows.INCLUDED, Shows.EXCLUDED, Shows.ALL] == [show.following for show in Shows]
