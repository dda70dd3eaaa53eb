from dataclasses import replace

from ctxcode.model.check import SettingRow
from ctxcode.model.conversation import Usage
from ctxcode.model.event import ContextPlanned
from ctxcode.model.ids import PlanId
from ctxcode.model.plan import ContextMode
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.screens.pages.settings import settings_text
from ctxcode.tui.screens.pages.words import Said, messages_text, usage_text
from ctxcode.tui.state.view import TurnView


def turn(number: int, usage: Usage | None) -> TurnView:
    plan = ContextPlanned(number, PlanId("p"), ContextMode.LIGHT, "gpt-x", 2_000, 8_000, 2_400, (), 0)
    asked = TurnView(number, "why?", plan, reply="because", model="gpt-x\x1b[31m", usage=usage)
    return replace(asked, spent=usage, is_answered=True)


def test_usage_lists_turns_and_adds_them_up() -> None:
    turns = [turn(1, Usage(2_400, 2_450, 300, 0.004)), turn(2, Usage(2_400, 2_500, 100, 0.005)), turn(3, None)]
    text = usage_text(turns, 2, UNICODE)
    assert "   1      2,400      2,450       300     $0.004  gpt-x" in text
    assert " all      7,200      4,950       400     $0.009" in text
    assert "1 turn without a price" in text
    assert "2 turns on other branches" in text
    assert "\x1b" not in text


def test_a_turn_takes_what_all_its_requests_took() -> None:
    whole = replace(turn(1, Usage(2_400, 2_500, 100, 0.005)), spent=Usage(7_000, 7_200, 300, 0.015))
    assert "   1      7,000      7,200       300     $0.015  gpt-x" in usage_text([whole], 0, UNICODE)
    waiting = replace(whole, usage=None)
    assert "   1      9,400      7,200       300     $0.015  gpt-x" in usage_text([waiting], 0, UNICODE)


def test_long_conversations_show_the_newest_turns_and_count_them_all() -> None:
    text = usage_text([turn(number, None) for number in range(1, 101)], 0, UNICODE)
    assert "60 earlier turns" in text
    assert " all    240,000" in text


def test_nothing_sent_says_what_will_be_there() -> None:
    assert "Nothing was sent yet" in usage_text((), 0, UNICODE)


def test_settings_show_where_each_was_set() -> None:
    text = settings_text((SettingRow("theme", "moss", "/home/you/settings.toml"), SettingRow("plain", "", "")), "/f")
    assert (
        "theme  moss                        /home/you/settings.toml\nplain  -                           default\n"
        in text
    )


def test_messages_are_newest_first_with_errors_marked() -> None:
    said = (Said("10:00:00", "pinned", is_error=False), Said("10:00:05", "no such file", is_error=True))
    assert "10:00:05  ! no such file\n10:00:00    pinned" == messages_text(said)
