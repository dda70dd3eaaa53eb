from textual.content import Content
from ui.fake_door import PlanInput, made_plan

from ctxcode.model.ids import ItemId
from ctxcode.model.pin import SuggestedPin
from ctxcode.model.plan import ContextMode, ReasonType
from ctxcode.tui.rows import Part, RowKind, bill, excluding_reason
from ctxcode.tui.widgets.plan_list import _parts

PLAN = made_plan(PlanInput("how are joins decided?", ContextMode.LIGHT, "gpt-x", 8_000))


def test_the_sections_sum_up_to_the_whole_request() -> None:
    rows = bill(PLAN)
    totals = [row.tokens for row in rows if row.kind is RowKind.SECTION and row.part is not Part.EXCLUDED]
    assert PLAN.tokens == sum(totals)


def test_every_item_is_on_the_bill_once_when_all_is_open() -> None:
    folds = frozenset(row.key for row in bill(PLAN) if row.kind is RowKind.FOLD)
    items = [row.item.id for row in bill(PLAN, toggled=folds) if row.item is not None]
    assert sorted(item.id for item in PLAN.items) == sorted(items)


def test_signatures_are_folded_until_opened() -> None:
    fold = next(row for row in bill(PLAN) if row.key == "fold:signatures")
    assert not fold.is_open
    assert 12 == len(fold.items)


def test_what_was_left_out_is_grouped_by_reason() -> None:
    folds = [row for row in bill(PLAN) if row.kind is RowKind.FOLD and row.part is Part.EXCLUDED]
    counts = {row.reason: len(row.items) for row in folds}
    assert 4 == counts[ReasonType.BUDGET]
    assert len(PLAN.excluded) == sum(counts.values())
    assert all(excluding_reason(item) is row.reason for row in folds for item in row.items)


def test_a_closed_section_keeps_its_total() -> None:
    rows = bill(PLAN, toggled=frozenset({"section:retrieved"}))
    heading = next(row for row in rows if row.key == "section:retrieved")
    assert not heading.is_open
    assert heading.tokens > 0
    assert [] == [row for row in rows if row.part is Part.RETRIEVED and row.kind is RowKind.ITEM]


def test_empty_sections_say_what_would_fill_them() -> None:
    off = made_plan(PlanInput("why", ContextMode.OFF, "gpt-x", 8_000))
    empty = {row.part for row in bill(off) if row.kind is RowKind.EMPTY}
    assert {Part.PINNED, Part.RETRIEVED, Part.SUGGESTED} == empty


def test_suggestions_stand_last() -> None:
    pin = SuggestedPin(ItemId("symbol:a.py::f"), "f", "named twice")
    assert RowKind.SUGGESTION is bill(PLAN, (pin,))[-1].kind


def test_documentation_is_wrapped_between_words_and_code_anywhere() -> None:
    doc = _parts(Content("      doc: Return a copy that's ready for another operation."), 30)
    lines = ["      doc: Return a copy", "      that's ready for another", "      operation."]
    assert lines == [part.plain.rstrip() for part in doc]
    assert ["abcd", "ef"] == [part.plain for part in _parts(Content("abcdef"), 4)]
