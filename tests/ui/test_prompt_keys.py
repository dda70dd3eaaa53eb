import pytest
from textual import events
from textual.scrollbar import ScrollBarRender
from ui.fake_door import FakeDoor
from ui.pilot import ask, chat_of, expect, opened, shown

from ctxcode.model.event import BudgetChanged, ItemPinned
from ctxcode.model.plan import ContextMode
from ctxcode.tui.widgets.bars import Footer


async def test_enter_sends_and_ctrl_j_begins_a_line() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("a", "ctrl+j", "b")
        assert "a\nb" == chat.prompt.text
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.turns), "the turn")
        assert "a\nb" == chat.state.turns[0].prompt


async def test_a_paste_of_many_lines_never_sends() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        chat.prompt.post_message(events.Paste("one\r\ntwo\x1b[31m\n"))
        await expect(pilot, lambda: bool(chat.prompt.text), "the pasted text")
        assert "one\ntwo␛[31m\n" == chat.prompt.text
        assert () == chat.state.turns


async def test_the_prompt_grows_up_to_eight_lines() -> None:
    async with opened(FakeDoor()) as pilot:
        prompt = chat_of(pilot).prompt
        await expect(pilot, lambda: prompt.size.height == 1, "one line")
        prompt.fill("\n".join("abc"))
        await expect(pilot, lambda: prompt.size.height == 3, "three lines")
        prompt.fill("\n" * 20)
        await expect(pilot, lambda: prompt.size.height == 8, "eight lines")


async def test_up_and_down_recall_earlier_prompts_and_the_draft() -> None:
    async with opened(FakeDoor(reply="yes")) as pilot:
        chat = chat_of(pilot)
        await ask(pilot, "first?")
        await ask(pilot, "second?")
        chat.prompt.fill("draft")
        await pilot.press("up", "up")
        assert "first?" == chat.prompt.text
        await pilot.press("down", "down")
        assert "draft" == chat.prompt.text


@pytest.mark.parametrize("key", ["ctrl+f", "shift+tab"])
async def test_the_mode_cycles_while_typing(key: str) -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        await pilot.press("w", "h", "y", key)
        await expect(pilot, lambda: door.mode is ContextMode.HEAVY, "Heavy")
        await expect(pilot, lambda: "[Heavy" in shown(pilot), "the chooser")
        await expect(pilot, lambda: not chat.query_one(Footer).view.is_choosing, "the meter back in its place")
        await pilot.press(key)
        await expect(pilot, lambda: door.mode is ContextMode.OFF, "Off")
        assert "why" == chat.prompt.text


async def test_ctrl_c_clears_then_asks_then_quits() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill("something")
        await pilot.press("ctrl+c")
        assert "" == chat.prompt.text
        await pilot.press("ctrl+c")
        await expect(pilot, lambda: "Ctrl+C again quits" in shown(pilot), "the warning")
        await pilot.press("ctrl+c")
        await expect(pilot, lambda: pilot.app._exit, "the exit")
    assert 0 == (pilot.app.return_code or 0)


async def test_ctrl_c_interrupts_first() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill("why?")
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.last_turn and chat.state.last_turn.reply), "the first chunk")
        await pilot.press("ctrl+c")
        await expect(pilot, lambda: chat.turn is None, "the end of the turn")
        assert not pilot.app._exit


async def test_ctrl_d_quits_only_when_nothing_is_typed() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("a", "b", "left", "ctrl+d")
        assert "a" == chat.prompt.text
        await pilot.press("backspace", "ctrl+d")
        await expect(pilot, lambda: pilot.app._exit, "the exit")


async def test_a_slash_offers_commands_and_enter_takes_one() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("/", "h", "e")
        await expect(pilot, lambda: "Keys and commands" in shown(pilot), "the menu")
        await pilot.press("escape")
        assert not chat.prompt.is_menu_open
        chat.prompt.fill("/hel")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the menu again")
        await pilot.press("enter")
        await expect(pilot, lambda: "Everywhere" in shown(pilot), "the help")


async def test_commands_change_the_session() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("/context budget 4k")
        await expect(pilot, lambda: BudgetChanged(4_000) in door.history(), "the limit")
        chat.submit("/pin Query.setup_joins")
        await expect(pilot, lambda: any(isinstance(event, ItemPinned) for event in door.history()), "the pin")
        chat.submit("/unpin setup_joins")
        await expect(pilot, lambda: not door.pins(), "no pin")
        chat.submit("/model navigator")
        await expect(pilot, lambda: door.model.is_offline, "the navigator")
        chat.submit("/theme paper")
        await expect(pilot, lambda: pilot.app.theme == "paper", "the theme")
        chat.submit("/context")
        await expect(pilot, lambda: bool(chat.drawer.display), "the overlay")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/contxt", "Did you mean /context?"),
        ("/pin nowhere", "Nothing here is called 'nowhere'."),
        ("/pin as_sql", "could be"),
        ("/mode warp", "/mode off, /mode light or /mode heavy"),
        ("/context budget much", "/context budget 8000"),
        ("/model none", "There is no model 'none'."),
        ("/unpin x", "Nothing is pinned."),
        ("/theme nope", "There is no theme 'nope'"),
        ("/copy", "there is no answer yet"),
    ],
)
async def test_a_command_that_is_off_says_what_to_do(command: str, said: str) -> None:
    async with opened(FakeDoor(), (140, 36)) as pilot:
        chat_of(pilot).submit(command)
        await expect(pilot, lambda: said in shown(pilot), said)


async def test_the_palette_lists_the_commands() -> None:
    async with opened(FakeDoor()) as pilot:
        await pilot.press("ctrl+p")
        await expect(pilot, lambda: "/mode heavy" in shown(pilot), "the palette")
        await pilot.press(*"heavy")
        await expect(pilot, lambda: "/mode off" not in shown(pilot) and "/mode heavy" in shown(pilot), "the hit")
        await pilot.press("enter")
        await expect(pilot, lambda: chat_of(pilot).door.mode is ContextMode.HEAVY, "Heavy")


async def test_a_new_session_starts_empty() -> None:
    async with opened(FakeDoor(reply="yes")) as pilot:
        before = chat_of(pilot).door.id
        await ask(pilot, "first?")
        chat_of(pilot).submit("/new")
        await expect(pilot, lambda: chat_of(pilot).door.id != before, "another session")
        assert () == chat_of(pilot).state.turns


@pytest.mark.parametrize("before", ["old", ""])
async def test_what_is_typed_right_behind_ctrl_c_is_kept(before: str) -> None:
    async with opened(FakeDoor()) as pilot:
        prompt = chat_of(pilot).prompt
        prompt.fill(before)
        for key in ("ctrl+c", *"new"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await expect(pilot, lambda: prompt.text == "new", "only what was typed since")
        await pilot.pause()
        assert "new" == prompt.text
        await pilot.press("ctrl+c")
        assert "" == prompt.text


async def test_ctrl_c_clears_on_both_sides_of_the_cursor() -> None:
    async with opened(FakeDoor()) as pilot:
        prompt = chat_of(pilot).prompt
        prompt.fill("one\ntwo")
        await pilot.press("left", "left")
        for key in ("ctrl+c", "x"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await expect(pilot, lambda: prompt.text == "x", "only what was typed since")


async def test_ctrl_z_brings_back_what_was_cleared_but_nothing_that_was_sent() -> None:
    async with opened(FakeDoor()) as pilot:
        prompt = chat_of(pilot).prompt
        await pilot.press(*"word", "ctrl+c")
        assert "" == prompt.text
        await pilot.press("ctrl+z")
        assert "word" == prompt.text
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat_of(pilot).state.turns), "the turn")
        await pilot.press("ctrl+z")
        assert "" == prompt.text


async def test_only_a_prompt_that_was_empty_before_suspends(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(FakeDoor()) as pilot:
        suspended: list[str] = []
        monkeypatch.setattr(pilot.app, "action_suspend_process", lambda: suspended.append(chat_of(pilot).prompt.text))
        await pilot.press(*"word", "ctrl+z")
        assert ("", []) == (chat_of(pilot).prompt.text, suspended)
        await pilot.press("ctrl+z")
        assert [""] == suspended


@pytest.mark.parametrize("key", ["ctrl+p", "f1", "ctrl+s"])
async def test_dialogs_have_plain_borders_where_glyphs_are_plain(key: str) -> None:
    async with opened(FakeDoor(), plain=True) as pilot:
        await pilot.press(key)
        await expect(pilot, lambda: pilot.app.screen is not chat_of(pilot), "the dialog")
        await expect(pilot, lambda: "+---" in shown(pilot), "its border")
        assert not set("╭╮╰╯│") & set(shown(pilot))


LONG = "where is it decided which of the many joins a query makes are inner and which are outer ones, and why?"
PLACES = ("f2", "f1", "ctrl+p", "ctrl+s", "/theme", "/stats", "/strategy", "/index", "/message list", "/message show 1")


@pytest.mark.parametrize("place", PLACES)
async def test_plain_glyphs_are_ascii_where_words_are_cut_and_keys_are_named(place: str) -> None:
    door = FakeDoor()
    async with opened(door, (80, 24), plain=True) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill(LONG)
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.turns) and chat.turn is None, "the turn")
        before = shown(pilot)
        if place.startswith("/"):
            chat.submit(place)
        else:
            await pilot.press(place)
        await expect(pilot, lambda: shown(pilot) != before, "the place")
        await pilot.pause()
        # A terminal's own start sees to the scroll bars.
        assert set() == {sign for sign in shown(pilot) if not sign.isascii()} - {*ScrollBarRender.VERTICAL_BARS}
