from dataclasses import replace

import pytest
from textual.content import Content
from ui.fake_door import PlanInput, made_plan

from ctxcode.model.ids import ItemId
from ctxcode.model.pin import SuggestedPin
from ctxcode.model.plan import ContextMode, ReasonType
from ctxcode.tui.glyphs import ASCII, UNICODE, Glyphs
from ctxcode.tui.rows import Part, RowKind, bill, excluding_reason
from ctxcode.tui.widgets.plan_list import _parts
from ctxcode.tui.widgets.plan_row import RowLook, row_lines

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


READ = replace(PLAN, search_notice="Read in words of code too: “log in” as “auth”.", goes_on_from="why?\nand before?")


def test_how_a_question_was_read_stands_below_what_was_found_for_it() -> None:
    rows = bill(READ)
    heading = next(at for at, row in enumerate(rows) if row.key == "section:retrieved")
    assert [(row.kind, row.label) for row in rows[heading + 1 : heading + 3]] == [
        (RowKind.NOTE, "Read in words of code too: “log in” as “auth”."),
        (RowKind.NOTE, "goes on from “why?”"),
    ]
    assert bill(PLAN) == tuple(row for row in rows if row.kind is not RowKind.NOTE)


def test_a_closed_section_says_nothing_of_how_it_was_found() -> None:
    assert RowKind.NOTE not in {row.kind for row in bill(READ, toggled=frozenset({"section:retrieved"}))}


@pytest.mark.parametrize(("glyphs", "said"), [(UNICODE, "“log in”"), (ASCII, '"log in"')])
def test_a_note_is_wrapped_and_quotes_as_the_terminal_can(glyphs: Glyphs, said: str) -> None:
    note = next(row for row in bill(READ) if row.kind is RowKind.NOTE)
    look = RowLook(width=30, glyphs=glyphs, pins={}, max_score=0.0, level_width=4, shows_reasons=True)
    lines = [line.plain for line in row_lines(note, look, is_selected=False)]
    assert [
        f" {'Read in words of code too:':<28} ",
        f" {said + ' as ' + said[0] + 'auth' + said[-1] + '.':<28} ",
    ] == lines


def test_a_note_of_a_hostile_length_takes_three_lines() -> None:
    note = replace(next(row for row in bill(READ) if row.kind is RowKind.NOTE), label="\x1b[2J" + "words " * 10_000)
    look = RowLook(width=30, glyphs=UNICODE, pins={}, max_score=0.0, level_width=4, shows_reasons=True)
    lines = [line.plain for line in row_lines(note, look, is_selected=False)]
    assert 3 == len(lines)
    assert "\x1b" not in "".join(lines)
