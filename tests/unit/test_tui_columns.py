"""Pages made of columns: no line is wider than there is room, and none falls out of its column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from unit.test_tui_format import PLANNED

from ctxcode.tui.bill.place import fitting_place
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.screens.help import help_lines
from ctxcode.tui.screens.palette import Offer, found_offers, offer_row, offers
from ctxcode.tui.state.view import TurnView
from ctxcode.tui.terminal.keyboard import TABLE
from ctxcode.tui.widgets.turn.user import Said, user_lines

OFFERS = offers(TABLE)


@given(st.integers(40, 120))
def test_help_stays_in_its_columns(width: int) -> None:
    lines = help_lines(UNICODE, "", width)
    assert width >= max(line.cell_length for line in lines)
    heads = {"Everywhere", "Conversation", "Prompt", "Context overlay", "Proposed edits", "A command asks", "Commands"}
    assert heads == {line.plain for line in lines if line.plain and not line.plain.startswith(" ")}


@given(st.integers(40, 120), st.sampled_from(OFFERS))
def test_a_command_of_the_palette_is_one_line(cells: int, offer: Offer) -> None:
    assert cells == offer_row(offer, cells // 3, cells, "mode").cell_length


def test_the_palette_finds_commands_by_name_first_and_by_what_they_do() -> None:
    assert "/theme" == found_offers(OFFERS, "theme")[0].command
    assert "/theme" in {offer.command for offer in found_offers(OFFERS, "colours")}
    assert OFFERS == found_offers(OFFERS, " ")
    assert () == found_offers(OFFERS, "zzzzqq")


def test_the_palette_names_only_what_has_to_follow_a_command() -> None:
    arguments = {offer.command: offer.argument for offer in OFFERS}
    assert ("NAME", "TEXT", "", "N") == tuple(arguments[name] for name in ("/pin", "/preview", "/task", "/rewind"))


@given(st.integers(30, 110))
def test_the_meter_below_a_message_is_one_line_at_any_width(width: int) -> None:
    lines = user_lines(Said(TurnView(1, "why", plan=PLANNED)), width, UNICODE)
    assert 2 == len(lines)
    assert width >= lines[1].cell_length
    assert "2,512 / 8,000 tok" in lines[1].plain


def test_a_narrow_meter_keeps_the_amount_and_the_key() -> None:
    wide = user_lines(Said(TurnView(1, "why", plan=PLANNED)), 110, UNICODE)[1].plain
    assert wide.endswith("CTX Light · scaffold · 23 symbols · 2 pins · ~2,512 / 8,000 tok · $0.004 · F2")
    assert user_lines(Said(TurnView(1, "why", plan=PLANNED)), 60, UNICODE)[1].plain.endswith(
        "· CTX Light · ~2,512 / 8,000 tok · F2"
    )


@pytest.mark.parametrize(
    ("where", "cells", "shown"),
    [
        ("org/ant/tasks/Javadoc.java:12", 29, "org/ant/tasks/Javadoc.java:12"),
        ("org/ant/tasks/Javadoc.java:12", 28, "…/ant/tasks/Javadoc.java:12"),
        ("org/ant/tasks/Javadoc.java:12", 20, "Javadoc.java:12"),
        ("org/ant/tasks/Javadoc.java:12", 12, "…doc.java:12"),
        ("org/ant/tasks/Javadoc.java:12", 8, ":12"),
        ("org/ant/tasks/Javadoc.java:12", 1, ""),
        ("rules/no-vendor-prefix/index.js:15", 24, "…ndor-prefix/index.js:15"),
        ("rules/no-vendor-prefix/index.js:15", 14, "index.js:15"),
        ("rules/日本語/index.ts:4", 19, "…/日本語/index.ts:4"),
    ],
)
def test_a_place_keeps_as_many_folders_as_fit(where: str, cells: int, shown: str) -> None:
    assert shown == fitting_place(where, cells, UNICODE)


@given(st.text("ab/日.:1"), st.integers(-3, 40))
def test_a_place_never_takes_more_room_than_there_is(where: str, cells: int) -> None:
    assert cell_len(fitting_place(where, cells, UNICODE)) <= max(cells, 0)
