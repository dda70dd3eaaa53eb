import asyncio
from collections.abc import AsyncGenerator

import pytest
from ui.fake_door import NAVIGATOR, FakeDoor, Vault
from ui.pilot import SETUP, ask, chat_of, expect, opened, shown

from ctxcode.model.chat import DelayReason
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.errors import StoreError
from ctxcode.model.event import DurableEvent, Event, TurnCompleted
from ctxcode.model.passing.event import IndexProgressed, ReplyBegun, ReplyChunked, ReplyDelayed
from ctxcode.model.plan import ContextMode
from ctxcode.tui.state.fold import durable, folded
from ctxcode.tui.widgets.bars import Footer
from ctxcode.tui.widgets.markdown_view import MarkdownView
from ctxcode.tui.widgets.transcript import MOUNTED_TURNS


async def test_a_message_is_sent_streamed_and_shown_with_its_meter() -> None:
    async with opened(FakeDoor()) as pilot:
        await ask(pilot, "how are joins decided?")
        await expect(pilot, lambda: "12 signatures" in shown(pilot), "the loaded plan's details")
        text = shown(pilot)
        assert "how are joins decided?" in text
        assert "CTX Light · scaffold · 9 cards · 12 signatures" in text
        assert "Query.join reuses an alias" in text
        assert "" == chat_of(pilot).prompt.text


async def test_the_live_state_is_the_fold_of_the_journal() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        await ask(pilot, "how are joins decided?")
        await pilot.press("ctrl+f")
        await expect(pilot, lambda: door.mode is ContextMode.HEAVY, "the next mode")
        await ask(pilot, "and where is it undone?")
        assert folded(door.history()) == durable(chat_of(pilot).state)


async def test_a_session_reopens_where_it_was() -> None:
    door = FakeDoor(Vault())
    async with opened(door) as pilot:
        await ask(pilot, "how are joins decided?")
        before = chat_of(pilot).state.turns
    async with opened(FakeDoor(door.vault, door.id)) as pilot:
        assert before == chat_of(pilot).state.turns
        assert "JoinPromoter.update_join_types" in shown(pilot)


async def test_escape_interrupts_and_what_came_is_kept() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill("how are joins decided?")
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.last_turn and chat.state.last_turn.reply), "the first chunk")
        await pilot.press("escape")
        await expect(pilot, lambda: chat.turn is None, "the end of the turn")
        assert StoppedBy.INTERRUPTED is chat.state.turns[0].stopped_by
        assert chat.state.turns[0].reply
        await expect(pilot, lambda: "interrupted" in shown(pilot), "the line that says so")


async def test_quitting_records_the_interruption() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill("how are joins decided?")
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.last_turn and chat.state.last_turn.reply), "the first chunk")
        await pilot.press("ctrl+q")
        await expect(pilot, lambda: pilot.app._exit, "the exit")
    assert TurnCompleted(1, StoppedBy.INTERRUPTED) == door.history()[-1]


async def test_a_message_sent_meanwhile_is_queued_and_sent_after() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        for text in ("first?", "second?"):
            chat.prompt.fill(text)
            await pilot.press("enter")
            await pilot.pause()
        await expect(pilot, lambda: "1 message queued · ↑ takes it back" in shown(pilot), "the line that says so")
        await pilot.press("d")
        await expect(pilot, lambda: "takes it back" not in shown(pilot), "no such promise: there is a draft")
        assert "1 message queued" in shown(pilot)
        await pilot.press("backspace", "f2")
        await expect(pilot, lambda: chat.drawer.list.has_focus, "the overlay, where the key moves")
        assert "takes it back" not in shown(pilot)
        await pilot.press("f2")
        await expect(pilot, lambda: "1 message queued · ↑ takes it back" in shown(pilot), "the promise again")
        door.gate.set()
        await expect(pilot, lambda: len(chat.state.turns) == 2 and chat.turn is None, "both answers")
        assert ("first?", "second?") == chat.state.prompts


async def test_what_was_said_of_a_turn_goes_with_the_next_one() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        for text in ("first?", "second?"):
            chat.submit(text)
        chat.say("Not a word of this code, so it was read otherwise.")
        assert "Not a word of this code" in shown(pilot)
        door.gate.set()
        await expect(pilot, lambda: len(chat.state.turns) == 2, "the next turn")
        assert "Not a word of this code" not in shown(pilot)


async def test_an_interruption_gives_queued_messages_back() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        for text in ("first?", "second?"):
            chat.prompt.fill(text)
            await pilot.press("enter")
            await pilot.pause()
        await pilot.press("escape")
        await expect(pilot, lambda: chat.turn is None, "the end of the turn")
        assert "second?" == chat.prompt.text
        assert 1 == len(chat.state.turns)


async def test_a_short_conversation_grows_down_from_the_top() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        chat.transcript.styles.height = 60
        await ask(pilot, "why?")
        await ask(pilot, "and then?")
        await expect(pilot, lambda: 2 == len(chat.state.turns) and chat.turn is None, "the second answer")
        await expect(pilot, lambda: 0 == chat.transcript.scroll_y, "the first line")
        assert not chat.transcript.is_anchored


async def test_a_failure_is_one_sentence_and_one_action() -> None:
    door = FakeDoor()
    door.error = ("The model 'gpt-x' can't be reached.", "Check the network, or use /model navigator.")
    async with opened(door) as pilot:
        await ask(pilot, "why?")
        await expect(pilot, lambda: "✘ The model 'gpt-x' can't be reached." in shown(pilot), "the error")
        assert "Check the network, or use /model navigator." in shown(pilot)


async def test_the_footer_shows_the_estimate_then_what_the_provider_counted() -> None:
    door = FakeDoor()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill("why?")
        await pilot.press("enter")
        await expect(pilot, lambda: chat.query_one(Footer).view.used > 0, "the plan")
        assert not chat.query_one(Footer).view.is_actual
        door.gate.set()
        await expect(pilot, lambda: chat.query_one(Footer).view.is_actual, "the provider's count")


async def test_the_footer_says_which_request_its_figures_are_of() -> None:
    async with opened(FakeDoor()) as pilot:
        assert "turn" not in shown(pilot).splitlines()[-1]
        chat_of(pilot).prompt.fill("how are joins decided?")
        await expect(pilot, lambda: "CTX Light  next " in shown(pilot), "the figures of what is being typed")
        await pilot.press("enter")
        await expect(pilot, lambda: "CTX Light  turn 1 " in shown(pilot), "the figures of what was sent")
        chat_of(pilot).prompt.fill("and when are they undone?")
        await expect(pilot, lambda: "next ≈" in shown(pilot), "the forecast, above the footer")
        assert "CTX Light  turn 1 " in shown(pilot)


async def test_typing_shows_what_sending_would_come_to() -> None:
    async with opened(FakeDoor()) as pilot:
        chat_of(pilot).prompt.fill("how are joins decided?")
        await expect(pilot, lambda: "next ≈" in shown(pilot), "the forecast")
        assert "9 left out" in shown(pilot)


async def test_many_turns_stay_data() -> None:
    door = FakeDoor(reply="yes")
    for number in range(60):
        async for _ in door.turn(f"question {number}"):
            pass
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        await expect(pilot, lambda: "question 59" in shown(pilot), "the newest turn")
        await expect(pilot, lambda: MOUNTED_TURNS == len(chat.transcript.query(".user")), "the turns above it")
        for _ in range(40):
            await pilot.press("pageup")
            await pilot.pause()
        await expect(
            pilot, lambda: "question 0\n" in shown(pilot).replace(" \n", "\n").replace("  ", ""), "the first turn"
        )
        assert MOUNTED_TURNS >= len(chat.transcript.query(".user"))


async def test_turns_out_of_sight_wait_for_the_end_of_an_answer() -> None:
    door = FakeDoor(reply="yes")
    for number in range(60):
        async for _ in door.turn(f"question {number}"):
            pass
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.prompt.fill("and now?")
        await pilot.press("enter")
        await expect(pilot, lambda: chat.turn is not None, "the turn")
        door.gate.set()
        await expect(pilot, lambda: chat.turn is None, "its end")
        await expect(pilot, lambda: MOUNTED_TURNS == len(chat.transcript.query(".user")), "the turns above it")
        assert "and now?" in shown(pilot)


async def test_what_is_selected_is_copied_once_and_then_the_key_interrupts_again() -> None:
    async with opened(FakeDoor(reply="the join is **promoted** here")) as pilot:
        await ask(pilot, "how?")
        chat = chat_of(pilot)
        view = chat.transcript.query(MarkdownView).last()
        await pilot.mouse_down(view, offset=(0, 0))
        await pilot.hover(view, offset=(20, 0))
        await pilot.mouse_up(view, offset=(20, 0))
        await expect(pilot, lambda: bool(chat.get_selected_text()), "the selection")
        await pilot.press("ctrl+c")
        await expect(pilot, lambda: "characters copied to the clipboard" in shown(pilot), "the notice")
        assert pilot.app.clipboard.startswith("the join is promote")
        assert not chat.get_selected_text()
        await pilot.press("ctrl+c")
        await expect(pilot, lambda: "again quits" in shown(pilot), "the question")


async def test_another_session_opens_from_the_list() -> None:
    vault = Vault()
    old = FakeDoor(vault)
    async for _ in old.turn("where are migrations ordered?"):
        pass
    async with opened(FakeDoor(vault)) as pilot:
        await pilot.press("ctrl+s")
        await expect(pilot, lambda: "Sessions" in shown(pilot), "the dialog")
        await pilot.press("enter")
        await expect(pilot, lambda: chat_of(pilot).door.id == old.id, "the other session")
        await expect(pilot, lambda: "where are migrations ordered?" in shown(pilot), "its turns")


async def test_the_start_page_asks_an_example_with_a_digit() -> None:
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await expect(pilot, lambda: chat.prompt.examples > 0, "the examples")
        assert "2,818 files · 41,204 symbols · 120,331 edges" in shown(pilot)
        await pilot.press("1")
        await expect(pilot, lambda: bool(chat.state.turns), "the question")
        assert "how does `Query.setup_joins` reach `Join.as_sql`?" == chat.state.turns[0].prompt


async def test_without_a_model_the_start_page_says_what_answers() -> None:
    door = FakeDoor()
    door.models["gpt-x"] = NAVIGATOR
    async with opened(door) as pilot:
        await expect(pilot, lambda: "answers from the graph, not a language model" in shown(pilot), "the navigator")
        assert "/model NAME" in shown(pilot)


async def test_indexing_shows_its_progress() -> None:
    door = FakeDoor()
    hold = asyncio.Event()
    door.index_hold = hold
    from ctxcode.tui.app import CtxcodeApp

    async with CtxcodeApp(door, SETUP).run_test(size=(120, 36)) as pilot:
        await expect(pilot, lambda: "indexing 939 / 2,818 files" in shown(pilot), "the progress")
        hold.set()
        await expect(pilot, lambda: "index up to date" in shown(pilot), "the end")


async def test_a_later_refresh_counts_its_own_seconds() -> None:
    async with opened(FakeDoor()) as pilot:
        await expect(pilot, lambda: "index up to date" in shown(pilot), "the first index")
        chat = chat_of(pilot)
        chat.index_started_at -= 3_600
        chat.fold(IndexProgressed(64, 2_067, "parsing"))
        await expect(pilot, lambda: "indexing 64 / 2,067 files" in shown(pilot), "the next refresh")
        assert "60 min" not in shown(pilot)
        assert " 1 s" in shown(pilot)


async def test_it_is_told_that_another_window_indexes() -> None:
    async with opened(FakeDoor()) as pilot:
        await expect(pilot, lambda: "index up to date" in shown(pilot), "the first index")
        chat_of(pilot).fold(IndexProgressed(2_064, 2_067, "elsewhere"))
        await expect(pilot, lambda: "another ctxcode is indexing 2,064 / 2,067 files 1 s" in shown(pilot), "who does")


@pytest.mark.parametrize(
    ("phase", "told"), [("resolving", "resolving names in 2,064 files 1 s"), ("storing", "storing the index 1 s")]
)
async def test_what_follows_the_last_file_is_told_too(phase: str, told: str) -> None:
    async with opened(FakeDoor()) as pilot:
        await expect(pilot, lambda: "index up to date" in shown(pilot), "the first index")
        chat_of(pilot).fold(IndexProgressed(2_064, 2_067, phase))
        await expect(pilot, lambda: told in shown(pilot), "what is done")
        assert "/ 2,067" not in shown(pilot)


class BusyServer(FakeDoor):
    """A session whose model's server takes no more requests for now."""

    async def _steps(self, number: int, prompt: str, said: list[str]) -> AsyncGenerator[Event, None]:
        async for event in super()._steps(number, prompt, said):
            if isinstance(event, ReplyChunked) and not said[1:]:
                yield ReplyDelayed(number, DelayReason.RATE_LIMIT, 40.0, 2, 3)
                await self.gate.wait()
                yield ReplyBegun(number)
            yield event

    def _record(self, event: DurableEvent) -> None:
        if not isinstance(event, ReplyDelayed | ReplyBegun):
            super()._record(event)


async def test_a_turn_says_that_the_server_limits_requests_until_the_answer_begins() -> None:
    door = BusyServer()
    door.gate.clear()
    async with opened(door) as pilot:
        chat_of(pilot).submit("how are joins decided?")
        told = "rate limited by the server: trying again in 40 s (2 of 3) · Esc interrupts"
        await expect(pilot, lambda: told in shown(pilot), "what it waits for")
        door.gate.set()
        await expect(pilot, lambda: "Query.join reuses an alias" in shown(pilot), "the answer")
        assert "rate limited" not in shown(pilot)


async def test_a_turn_that_waits_for_the_server_is_interrupted_at_once() -> None:
    door = BusyServer()
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("how are joins decided?")
        await expect(pilot, lambda: "rate limited" in shown(pilot), "what it waits for")
        await pilot.press("escape")
        await expect(pilot, lambda: chat.turn is None, "the end of the turn")
        assert "rate limited" not in shown(pilot)


class FullDisk(FakeDoor):
    """A session whose journal can't be written for the first message."""

    is_full = True

    async def _steps(self, number: int, prompt: str, said: list[str]) -> AsyncGenerator[Event, None]:
        if self.is_full:
            raise StoreError("the disk is full", "Free some space and try again.")
        async for event in super()._steps(number, prompt, said):
            yield event


async def test_a_message_that_could_not_be_kept_stands_in_the_prompt_again() -> None:
    door = FullDisk()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("how are\njoins decided?")
        chat.submit("and undone?")
        await expect(pilot, lambda: "The disk is full" in shown(pilot), "the failure")
        assert "how are\njoins decided?\nand undone?" == chat.prompt.text
        assert [] == chat.queue
        door.is_full = False
        await pilot.press("enter")
        await expect(pilot, lambda: bool(chat.state.turns), "the turn")
        assert "" == chat.prompt.text


class FillingDisk(FakeDoor):
    """A session whose journal can't be written any more once an answer has begun."""

    is_full = True

    async def _steps(self, number: int, prompt: str, said: list[str]) -> AsyncGenerator[Event, None]:
        async for event in super()._steps(number, prompt, said):
            yield event
            if self.is_full and isinstance(event, ReplyChunked):
                raise StoreError("the disk is full", "Free some space and try again.")


async def test_an_answer_that_could_not_be_kept_stays_on_the_screen() -> None:
    door = FillingDisk()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("how are joins decided?")
        await expect(pilot, lambda: "This answer is kept with the next" in shown(pilot), "the failure")
        assert chat.state.last_turn is not None
        begun = chat.state.last_turn.reply
        assert begun
        assert begun.split()[0] in shown(pilot)
        door.is_full = False
        chat.submit("and undone?")
        await expect(pilot, lambda: len(chat.state.turns) == 2 and chat.turn is None, "the next turn")
        assert begun == chat.state.turns[0].reply
