import asyncio

import pytest
from textual import events
from textual.app import App, ComposeResult
from ui.fake_door import GPT, MODELS, FakeDoor
from ui.pilot import ask, chat_of, expect, opened, shown

from ctxcode.model.event import ItemPinned
from ctxcode.model.passing.event import IndexRefreshed
from ctxcode.model.plan import ContextMode
from ctxcode.model.symbol import Symbol
from ctxcode.tui.widgets.menu import Menu, MenuEntry


async def test_an_at_sign_offers_symbols_with_a_card_and_tab_takes_one() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press(*"see", "space", "at", *"promote")
        await expect(pilot, lambda: "Query.promote_joins" in shown(pilot), "the menu")
        assert "def Query.promote_joins(self)" in shown(pilot)
        await pilot.press("tab")
        await expect(pilot, lambda: "see @Query.promote_joins " == chat.prompt.text, "the mention")
        assert not chat.prompt.is_menu_open
        assert () == chat.state.turns


async def test_a_name_nothing_has_is_said_so_and_enter_still_sends() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("at", *"zzz")
        await expect(pilot, lambda: "no file or symbol is called 'zzz'" in shown(pilot), "the sentence")
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.turns), "the turn")


async def test_a_name_is_looked_up_again_when_more_of_the_repository_has_been_read() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat, complete, is_read = chat_of(pilot), door.complete, asyncio.Event()

        async def known(text: str, limit: int = 8) -> tuple[Symbol, ...]:
            return await complete(text, limit) if is_read.is_set() else ()

        door.complete = known  # type: ignore[method-assign]  # the same door before it has read everything
        await pilot.press("at", *"promote")
        await expect(pilot, lambda: "no file or symbol is called 'promote'" in shown(pilot), "the sentence")
        is_read.set()
        chat.fold(IndexRefreshed("4be2", 2_818, 41_204, 120_331, 1, 0.1, 0))
        await expect(pilot, lambda: "Query.promote_joins" in shown(pilot), "the menu")


@pytest.mark.parametrize(("typed", "last"), [("/con", "ctrl+c"), ("/context ", "ctrl+c"), ("/", "backspace")])
async def test_an_emptied_prompt_offers_nothing(typed: str, last: str) -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill(typed)
        await expect(pilot, lambda: chat.menu.display, "the menu")
        await pilot.press(last)
        await expect(pilot, lambda: not chat.prompt.text and not chat.menu.display, "no menu")
        assert not chat.prompt.is_menu_open


async def test_escape_closes_the_menu_until_something_is_typed() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("at", *"join")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the menu")
        await pilot.press("escape")
        await expect(pilot, lambda: not chat.prompt.is_menu_open, "no menu")
        assert "@join" == chat.prompt.text
        await pilot.press("_")
        await expect(pilot, lambda: chat.menu.display, "the menu again")


async def test_the_argument_of_pin_is_completed_and_enter_pins_it() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        await pilot.press("/", *"pin", "space", *"setup_j")
        await expect(pilot, lambda: chat_of(pilot).prompt.is_menu_open, "the menu")
        await pilot.press("enter")
        await expect(pilot, lambda: any(isinstance(event, ItemPinned) for event in door.history()), "the pin")


async def test_models_are_offered_with_what_they_cost_and_need_and_enter_uses_one() -> None:
    door = FakeDoor()
    door.models |= {offer.info.name: offer.info for offer in MODELS}
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        await pilot.press("/", *"model", "space")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the menu")
        assert "128k tokens · $1.60 in, $6.40 out" in shown(pilot)
        assert "window not known · at http://127.0.0.1:11434" in shown(pilot)
        assert "OPENAI_API_KEY is not set" in shown(pilot)
        await pilot.press(*"qwen", "enter")
        await expect(pilot, lambda: "ollama_chat/qwen3" == chat.state.model, "the model")
        assert "" == chat.prompt.text


@pytest.mark.parametrize(
    ("typed", "shown_alone"), [("/model ", "tokenizer"), ("/strategy ", "What rolling-summary does")]
)
async def test_with_nothing_typed_and_nothing_selected_enter_means_the_command_alone(
    typed: str, shown_alone: str
) -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill(typed)
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the menu")
        await pilot.press("enter")
        await expect(pilot, lambda: shown_alone in shown(pilot) and not chat.prompt.text, "the page")
        assert ["SessionStarted"] == [type(event).__name__ for event in door.history()]


async def test_index_and_a_space_stop_nothing() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill("/index ")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the menu")
        await pilot.press("enter")
        await expect(pilot, lambda: "41,204 symbols" in shown(pilot), "the page")


async def test_pins_branches_and_strategies_are_offered_by_name() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        await ask(pilot, "where are joins made?")
        for text, kept in (("/pin Query.join", 1), ("/note keep it short", 2)):
            chat.submit(text)
            await expect(pilot, lambda kept=kept: kept == len(door.pins()), text)  # type: ignore[misc]  # a lambda's default
        chat.submit("/branch other")
        await expect(pilot, lambda: "other" == door.conversation.branch, "the branch")
        chat.prompt.fill("/unpin ")
        await expect(pilot, lambda: "sticky, by you" in shown(pilot), "the pins")
        await pilot.press(*"keep")
        await expect(pilot, lambda: "Query.join" not in shown(pilot).split("/unpin")[-2], "the note")
        await pilot.press("enter")
        await expect(pilot, lambda: 1 == len(door.pins()), "the other pin")
        chat.prompt.fill("/switch ")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the branches")
        await pilot.press("tab")
        await expect(pilot, lambda: "/switch main" == chat.prompt.text, "the branch")
        chat.prompt.fill("/strategy rol")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the strategies")
        await pilot.press("enter")
        await expect(pilot, lambda: "rolling-summary" == door.strategies.name, "the strategy")


async def test_a_model_that_nothing_lists_can_still_be_named() -> None:
    door = FakeDoor()
    door.models["openai/mine"] = GPT
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        await pilot.press("/", *"model", "space", *"openai/mine", "enter")
        await expect(pilot, lambda: "openai/mine" == chat.state.model, "the model")


async def test_enter_takes_no_name_that_was_offered_for_fewer_letters() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        await pilot.press("/", *"pin", "space", *"setup_j")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the menu")
        chat.prompt.post_message(events.Key("x", "x"))
        chat.prompt.post_message(events.Key("enter", "\r"))
        await expect(pilot, lambda: not chat.prompt.text, "the command")
        await pilot.pause()
        assert not any("setup_joins" in str(event) for event in door.history())


async def test_enter_behind_the_letter_that_closes_the_menu_still_sends() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("/", *"mode", "space", *"heav")
        await expect(pilot, lambda: chat.prompt.is_menu_open, "the menu")
        chat.prompt.post_message(events.Key("y", "y"))
        chat.prompt.post_message(events.Key("enter", "\r"))
        await expect(pilot, lambda: ContextMode.HEAVY is chat.state.mode, "the mode")
        assert "" == chat.prompt.text


async def test_a_large_paste_is_one_word_and_is_sent_in_full() -> None:
    text = "\n".join(f"line {number}" for number in range(30))
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        chat.prompt.post_message(events.Paste(text))
        await expect(pilot, lambda: "[paste 1: 30 lines]" == chat.prompt.text, "the word")
        await pilot.press("backspace")
        assert "" == chat.prompt.text
        chat.prompt.post_message(events.Paste(text))
        await expect(pilot, lambda: "[paste 2: 30 lines]" == chat.prompt.text, "the word again")
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.turns), "the turn")
        assert text == chat.state.turns[0].prompt


async def test_ctrl_r_finds_an_earlier_prompt_and_escape_brings_the_draft_back() -> None:
    async with opened(FakeDoor(reply="yes")) as pilot:
        chat = chat_of(pilot)
        await ask(pilot, "where are joins made?")
        await ask(pilot, "what is a lookup?")
        await pilot.press(*"made", "ctrl+r")
        await expect(pilot, lambda: "earlier prompts" in shown(pilot), "the search")
        await pilot.press("enter")
        assert "where are joins made?" == chat.prompt.text
        await pilot.press("ctrl+c", *"draft", "ctrl+r", "escape")
        await expect(pilot, lambda: "draft" == chat.prompt.text, "the draft")
        assert 2 == len(chat.state.turns)


async def test_a_message_that_waits_is_shown_and_can_be_taken_back() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        for words in ("first?", "second?"):
            chat.prompt.fill(words)
            await pilot.press("enter")
        await expect(pilot, lambda: "second?" in shown(pilot) and "1 message queued" in shown(pilot), "the queue")
        await pilot.press("up")
        await expect(pilot, lambda: "second?" == chat.prompt.text, "the message back")
        assert [] == chat.queue
        door.gate.set()


async def test_of_a_very_long_message_the_beginning_is_shown() -> None:
    async with opened(FakeDoor(reply="yes")) as pilot:
        await ask(pilot, "\n".join(f"line {number}" for number in range(40)))
        await expect(pilot, lambda: "24 more lines" in shown(pilot), "the count")
        assert "line 39" not in shown(pilot)


async def test_an_image_is_refused_also_when_the_message_goes_at_once() -> None:
    async with opened(FakeDoor()) as pilot:
        chat_of(pilot).submit("what is on @docs/shot.png?")
        await expect(pilot, lambda: "shot.png is an image, which is not sent" in shown(pilot), "the refusal")
        await expect(pilot, lambda: bool(chat_of(pilot).state.turns), "the message, sent as text")


async def test_what_the_start_found_out_does_not_cover_a_refusal() -> None:
    door, is_found = FakeDoor(), asyncio.Event()

    async def warm_up() -> tuple[str, ...]:
        await is_found.wait()
        return ("The window is a guess.",)

    door.warm_up = warm_up  # type: ignore[method-assign]  # the same door with something to say
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("what is on @docs/shot.png?")
        await expect(pilot, lambda: bool(chat.state.turns), "the message, sent as text")
        is_found.set()
        await expect(pilot, lambda: bool(chat.start_view.notices), "the end of the start")
        await pilot.pause()
        assert "shot.png is an image, which is not sent" in shown(pilot)


async def test_an_image_is_refused_where_it_is_named() -> None:
    async with opened(FakeDoor()) as pilot:
        chat_of(pilot).prompt.post_message(events.Paste("/home/you/shot.png"))
        await expect(pilot, lambda: "shot.png is an image, which is not sent" in shown(pilot), "the refusal")
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat_of(pilot).state.turns), "the message, sent as text")


async def test_names_in_wide_letters_are_not_cut_where_there_is_room() -> None:
    class Listing(App[None]):
        def compose(self) -> ComposeResult:
            yield Menu()

    app = Listing()
    async with app.run_test(size=(50, 24)) as pilot:
        place = "文書/" * 12 + "端"
        app.query_one(Menu).show((MenuEntry("@ファイル.py", "ファイル.py", place, is_place=True),))
        await expect(pilot, lambda: "ファイル.py" in shown(pilot), "the whole name")
        assert "文書/文書/端" in shown(pilot)


async def test_folders_are_offered_behind_an_at_sign_with_a_slash() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press(*"in", "space", "at", *"db/models/")
        await expect(
            pilot, lambda: chat.menu.chosen is not None and chat.menu.chosen.value.endswith("/"), "the folder first"
        )
        await pilot.press("tab")
        await expect(pilot, lambda: chat.prompt.text.endswith("/ "), "the folder")
        assert chat.prompt.text.startswith("in @")
