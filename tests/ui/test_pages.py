from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input
from ui.fake_door import FakeDoor
from ui.pilot import ask, chat_of, expect, opened, shown

from ctxcode.model.check import SettingRow
from ctxcode.model.plan import ContextMode
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.screens.help import HelpScreen
from ctxcode.tui.screens.memory.dialog import TextDialog
from ctxcode.tui.terminal.keyboard import keyboard
from ctxcode.tui.terminal.setup import SettingsPage, Setup
from ctxcode.tui.widgets.bars import Footer


async def page(pilot: Pilot[None], command: str) -> str:
    """Give a command that opens a page, and return the page's text."""
    chat_of(pilot).submit(command)
    await expect(pilot, lambda: isinstance(pilot.app.screen, TextDialog), command)
    dialog = pilot.app.screen
    assert isinstance(dialog, TextDialog)
    text = dialog.text
    await pilot.press("escape")
    await expect(pilot, lambda: pilot.app.screen is chat_of(pilot), "the conversation")
    return text


async def test_every_spelling_of_cost_shows_what_turns_took() -> None:
    async with opened(FakeDoor()) as pilot:
        assert "Nothing was sent yet" in await page(pilot, "/cost")
        await ask(pilot, "how are joins decided?")
        for command in ("/tokens", "/usage"):
            assert "$0.006" in await page(pilot, command)


async def test_statistics_count_turns_and_marks_and_a_mark_is_taken_back_with_the_same_key() -> None:
    async with opened(FakeDoor()) as pilot:
        assert "Nothing was asked yet" in await page(pilot, "/stats")
        await ask(pilot, "how are joins decided?")
        await pilot.press("alt+up")
        await expect(pilot, lambda: "is marked good" in shown(pilot), "the sentence")
        await expect(pilot, lambda: "· marked good" in shown(pilot), "the mark below the answer")
        assert "answers you marked: 1 good, 0 bad" in await page(pilot, "/stats all")
        chat_of(pilot).submit("/bad it is about filters")
        await expect(pilot, lambda: "marked bad: it is about filters" in shown(pilot), "the reason")
        assert "1 turn in 1 session: 1 answered" in await page(pilot, "/stats")
        await pilot.press("alt+up", "alt+up")
        await expect(pilot, lambda: "is not marked any more" in shown(pilot), "the sentence")


async def test_messages_keep_what_the_status_line_said() -> None:
    async with opened(FakeDoor()) as pilot:
        chat_of(pilot).submit("/nonsense")
        await expect(pilot, lambda: "no command /nonsense" in shown(pilot), "the error")
        assert "! There is no command /nonsense" in await page(pilot, "/messages")


async def test_clear_begins_anew_and_the_conversation_can_be_had_back() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await ask(pilot, "how are joins decided?")
        chat.submit("/clear")
        await expect(pilot, lambda: not chat.state.turns, "an empty conversation")
        await expect(pilot, lambda: "/switch main brings the conversation back" in shown(pilot), "the sentence")
        chat.submit("/switch main")
        await expect(pilot, lambda: len(chat.state.turns) == 1, "the conversation")


async def test_settings_say_where_they_were_set() -> None:
    settings = SettingsPage(lambda: (SettingRow("theme", "moss", "the command line"),), Path("/home/you/settings.toml"))
    app = CtxcodeApp(FakeDoor(), Setup(theme="ember", settings=settings))
    async with app.run_test(size=(120, 36)) as pilot:
        text = await page(pilot, "/settings")
        assert "moss" in text
        assert "/settings edit opens /home/you/settings.toml" in text


async def test_settings_show_what_the_session_was_given_and_what_a_new_one_starts_with() -> None:
    rows = (SettingRow("mode", "light", ""), SettingRow("budget_tokens", "8000", "your settings.toml"))
    settings = SettingsPage(lambda: rows, Path("/home/you/settings.toml"))
    async with CtxcodeApp(FakeDoor(), Setup(theme="ember", settings=settings)).run_test(size=(120, 36)) as pilot:
        chat = chat_of(pilot)
        assert "light                       default\n" in await page(pilot, "/settings")
        await pilot.press("ctrl+f")
        chat.submit("/context budget 12000")
        await expect(pilot, lambda: (chat.door.mode, chat.door.budget_tokens) == (ContextMode.HEAVY, 12_000), "both")
        text = await page(pilot, "/settings")
        assert "heavy                       this session; a new one: light (default)" in text
        assert "12000                       this session; a new one: 8000 (your settings.toml)" in text


async def test_a_long_page_leaves_room_for_its_keys_in_twenty_rows() -> None:
    rows = tuple(SettingRow(f"setting_{number}", "1", "") for number in range(30))
    app = CtxcodeApp(FakeDoor(), Setup(theme="ember", settings=SettingsPage(lambda: rows, Path("/home/you/settings"))))
    async with app.run_test(size=(60, 20)) as pilot:
        chat_of(pilot).submit("/settings")
        await expect(pilot, lambda: "setting_7" in shown(pilot), "the page")
        assert "Esc closes" in shown(pilot)


async def test_a_rebound_key_works_and_every_hint_names_it() -> None:
    app = CtxcodeApp(FakeDoor(), Setup(theme="ember", keyboard=keyboard({"chat.context": "f4", "context.why": "?"})))
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot, "how are joins decided?")
        await expect(pilot, lambda: "tok" in shown(pilot), "the meter line")
        assert "F2" not in shown(pilot)
        await pilot.press("f2")
        assert not chat_of(pilot).drawer.display
        await pilot.press("f4")
        await expect(pilot, lambda: "? why" in shown(pilot), "the overlay's keys")
        await pilot.press("f1")
        await expect(pilot, lambda: "F4" in shown(pilot), "the help")


async def test_help_is_searched_by_what_is_typed() -> None:
    async with opened(FakeDoor()) as pilot:
        await pilot.press("f1")
        await expect(pilot, lambda: isinstance(pilot.app.screen, HelpScreen), "the help")
        await pilot.press(*"sticky")
        await expect(pilot, lambda: "Pin until unpinned" in shown(pilot), "the key")
        assert "Scroll the conversation up" not in shown(pilot)
        pilot.app.screen.query_one(Input).value = "zzzz"
        await expect(pilot, lambda: "no key or command is about 'zzzz'" in shown(pilot), "the empty state")
        await pilot.press("escape")
        await expect(pilot, lambda: pilot.app.screen is chat_of(pilot), "the conversation")


async def test_home_and_end_go_to_the_ends_of_the_help() -> None:
    async with opened(FakeDoor()) as pilot:
        await pilot.press("f1")
        await expect(pilot, lambda: isinstance(pilot.app.screen, HelpScreen), "the help")
        await pilot.press("end")
        await expect(pilot, lambda: "/exit" in shown(pilot), "the last command")
        await pilot.press("home")
        await expect(pilot, lambda: "/exit" not in shown(pilot), "the first keys")


async def test_a_click_on_a_key_in_the_footer_does_what_the_key_does() -> None:
    async with opened(FakeDoor()) as pilot:
        line = shown(pilot).splitlines()[-1]
        await pilot.click(Footer, offset=(line.index("F2 context"), 0))
        await expect(pilot, lambda: chat_of(pilot).drawer.display, "the overlay")
        await pilot.click(Footer, offset=(line.index("^F mode") + 3, 0))
        await expect(pilot, lambda: chat_of(pilot).door.mode is ContextMode.HEAVY, "the next mode")
        await pilot.click(Footer, offset=(line.index("F1 help") + 4, 0))
        await expect(pilot, lambda: isinstance(pilot.app.screen, HelpScreen), "the help")
        await pilot.press("escape")
        await pilot.click(Footer, offset=(2, 0))
        await expect(pilot, lambda: not chat_of(pilot).drawer.display, "no overlay: the meter is its key too")


async def test_help_with_words_is_about_them() -> None:
    async with opened(FakeDoor()) as pilot:
        chat_of(pilot).submit("/help 'sticky'")
        await expect(pilot, lambda: "no key or command is about" in shown(pilot), "the empty state")
        await pilot.press("escape")
        chat_of(pilot).submit("/help pin sticky")
        await expect(pilot, lambda: "Pin until unpinned" in shown(pilot), "the key")
        assert "Scroll the conversation up" not in shown(pilot)


async def test_escape_twice_on_an_empty_prompt_goes_back_before_a_message() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        for question in ("where is Q?", "how are joins decided?", "and where is it undone?"):
            await ask(pilot, question)
        await pilot.press("escape")
        await expect(pilot, lambda: "Esc again goes back" in shown(pilot), "the hint")
        await pilot.press("escape")
        await expect(pilot, lambda: "Go back before which message?" in shown(pilot), "the turns")
        await pilot.press("down", "enter")
        await expect(pilot, lambda: len(chat.state.turns) == 1, "the turns before")
        await expect(pilot, lambda: chat.prompt.text == "how are joins decided?", "the message")


async def test_escape_does_not_go_back_while_something_is_typed() -> None:
    async with opened(FakeDoor()) as pilot:
        await ask(pilot, "where is Q?")
        await pilot.press("x", "escape", "escape")
        assert pilot.app.screen is chat_of(pilot)
        assert "x" == chat_of(pilot).prompt.text


@pytest.mark.parametrize("between", [("x", "backspace"), (*"/mode heavy", "enter"), ("ctrl+f",)])
async def test_any_key_between_makes_an_escape_the_first_again(between: tuple[str, ...]) -> None:
    async with opened(FakeDoor()) as pilot:
        await ask(pilot, "where is Q?")
        await pilot.press("escape")
        await expect(pilot, lambda: "Esc again goes back" in shown(pilot), "the hint")
        await pilot.press(*between)
        await expect(pilot, lambda: "Esc again goes back" not in shown(pilot), "no hint")
        await pilot.press("escape")
        await expect(pilot, lambda: "Esc again goes back" in shown(pilot), "the hint again")
        assert pilot.app.screen is chat_of(pilot)


async def test_the_bell_rings_for_a_long_answer_when_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[str] = []
    monkeypatch.setattr("ctxcode.tui.app.LONG_SECONDS", 0.0)
    monkeypatch.setattr(CtxcodeApp, "bell", lambda _app: rung.append("bell"))
    for rings, expected in ((False, []), (True, ["bell"])):
        app = CtxcodeApp(FakeDoor(), Setup(theme="ember", rings=rings))
        async with app.run_test(size=(100, 30)) as pilot:
            await ask(pilot, "how are joins decided?")
            assert expected == rung
