"""What a newcomer stumbles over: early keys, names that only sound alike, plans that do not fit, long errors."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import partial

import pytest
from textual.pilot import Pilot
from ui.fake_door import JOINS, QUERY, FakeDoor, PlanInput, made_plan, symbol, symbol_id
from ui.pilot import SETUP, ask, chat_of, expect, opened, shown

from ctxcode.model.conversation import StoppedBy
from ctxcode.model.errors import IndexingError, UsageError
from ctxcode.model.event import Event
from ctxcode.model.ids import symbol_item
from ctxcode.model.passing.event import IndexRefreshed
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, ContextPlan, PlanItem, Reason, ReasonType, Section
from ctxcode.model.symbol import Symbol
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.format import forecast, unfitting
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.rows import Part, RowKind, bill
from ctxcode.tui.screens.chat import ChatScreen
from ctxcode.tui.screens.memory.commands import MemoryCommands
from ctxcode.tui.start import StartingApp
from ctxcode.tui.state.view import TurnView
from ctxcode.tui.terminal.setup import Setup
from ctxcode.tui.widgets.bars import StatusLine
from ctxcode.tui.widgets.transcript import outcome

SETUP_JOINS = symbol_item(symbol_id("Query.setup_joins", QUERY))


class SoundsAlikeDoor(FakeDoor):
    """Finds something for every name, as a fuzzy search does."""

    async def find(self, text: str, limit: int = 20) -> tuple[Symbol, ...]:
        return await super().find(text, limit) or (await super().find("", limit))[:1]


class NamesakesDoor(FakeDoor):
    """Finds two symbols of one name."""

    async def find(self, text: str, limit: int = 20) -> tuple[Symbol, ...]:
        return (symbol("Query.join", QUERY, 10), symbol(f"Join.{text}", JOINS, 20))[:limit]


class WaitingDoor(FakeDoor):
    """Plans only once the index is there."""

    async def turn(self, prompt: str) -> AsyncGenerator[Event, None]:
        async with aclosing(super().turn(prompt)) as events:
            async for event in events:
                yield event
                if self.index_hold is not None:
                    await self.index_hold.wait()


def overfull_plan() -> ContextPlan:
    door = FakeDoor()
    asyncio.run(door.memory.keep(SETUP_JOINS, PinKind.STICKY))
    plan = made_plan(PlanInput("why", ContextMode.LIGHT, "gpt-x", 500, door.pins()))
    return replace(plan, items=tuple(map(_left_out, plan.items)), over_budget=(SETUP_JOINS,))


def _left_out(item: PlanItem) -> PlanItem:
    is_extra = item.section not in {Section.SYSTEM, Section.MESSAGE}
    return replace(item, included=False) if is_extra else item


async def test_a_pin_that_does_not_fit_is_named_and_stays_among_the_pins() -> None:
    plan = await asyncio.to_thread(overfull_plan)
    pinned = [row.item.id for row in bill(plan) if row.part is Part.PINNED and row.item is not None]
    assert [SETUP_JOINS] == pinned
    assert [] == [row for row in bill(plan) if row.part is Part.PINNED and row.kind is RowKind.EMPTY]
    assert "Query.setup_joins does not fit" == unfitting(plan)
    assert forecast(plan, None).startswith("Query.setup_joins does not fit")


async def test_keys_typed_before_the_first_picture_and_across_the_takeover_are_kept_in_order() -> None:
    app = StartingApp(FakeDoor, Setup(theme="ember"))
    words = " ".join(f"w{number}" for number in range(40))
    async with app.run_test(size=(120, 36)) as pilot:
        for letter in words:
            await pilot.press("space" if letter == " " else letter)
        await expect(pilot, lambda: app.chat is not None and app.screen is app.chat, "the session's screen")
        await expect(pilot, lambda: words == chat_of(pilot).prompt.text, "every letter")
        assert words == chat_of(pilot).prompt.text


async def test_a_name_that_only_sounds_alike_is_offered_but_not_pinned() -> None:
    door = SoundsAlikeDoor()
    async with opened(door) as pilot:
        chat_of(pilot).submit("/pin nothing_like_this")
        await expect(
            pilot, lambda: "Nothing here is called 'nothing_like_this'. Near it: " in shown(pilot), "the offer"
        )
        assert () == door.pins()


def _is_refused(pilot: Pilot[None], name: str) -> bool:
    refusal = f"No pin is called '{name}'. Pinned: Query.setup_joins, Joins are lazy."
    return refusal in " ".join(shown(pilot).split())


async def test_part_of_a_pins_name_takes_nothing_away() -> None:
    door = FakeDoor()
    await door.memory.keep(SETUP_JOINS, PinKind.STICKY)
    await door.memory.note("Joins are lazy.")
    async with opened(door) as pilot:
        for part in ("query", "oins", "are lazy", "Join"):
            chat_of(pilot).submit(f"/unpin {part}")
            await expect(pilot, partial(_is_refused, pilot, part), part)
        assert 2 == len(door.pins())
        chat_of(pilot).submit("/unpin joins are")
        await expect(pilot, lambda: 1 == len(door.pins()), "the note by its first words")
        chat_of(pilot).submit("/unpin setup_joins")
        await expect(pilot, lambda: not door.pins(), "the definition by its own name")


async def test_a_name_several_pins_have_takes_none_away() -> None:
    door = FakeDoor()
    for path in (QUERY, JOINS):
        await door.memory.keep(symbol_item(symbol_id("Query.join", path)), PinKind.STICKY)
    async with opened(door) as pilot:
        chat_of(pilot).submit("/unpin join")
        await expect(pilot, lambda: "Give the one you mean in full." in shown(pilot), "the refusal")
        assert 2 == len(door.pins())


async def test_a_long_error_wraps_so_that_its_end_can_be_read_and_gives_the_lines_back() -> None:
    async with opened(FakeDoor(), (60, 20)) as pilot:
        chat = chat_of(pilot)
        chat.submit("/context colours")
        await expect(pilot, lambda: "window 5, show, rebuild" in " ".join(shown(pilot).split()), "the whole error")
        assert chat.query_one(StatusLine).size.height > 1
        chat.submit("/context budget 9000")
        await expect(pilot, lambda: chat.query_one(StatusLine).size.height == 1, "one line again")
        assert "limit 9,000 tokens" in shown(pilot)
        chat.say("The context length is not known: 8,192 tokens are assumed. Say it with context_tokens.")
        await expect(pilot, lambda: "Say it with context_tokens." in " ".join(shown(pilot).split()), "a whole notice")


async def test_words_that_are_no_limit_are_refused_with_an_example() -> None:
    async with opened(FakeDoor()) as pilot:
        for words in ("", "abc", "-5", "300", "9" * 30, "1e9"):
            chat_of(pilot).submit(f"/context budget {words}")
            await expect(pilot, lambda: "/context budget 8000" in shown(pilot), "the usage")
            assert 8_000 == chat_of(pilot).door.budget_tokens
            chat_of(pilot).say("")


async def test_a_turn_that_waits_for_the_first_index_says_so() -> None:
    hold = asyncio.Event()
    door = WaitingDoor()
    door.index_hold = hold
    async with CtxcodeApp(door, SETUP).run_test(size=(120, 36)) as pilot:
        await expect(pilot, lambda: "indexing 939 / 2,818 files" in shown(pilot), "the progress")
        chat_of(pilot).submit("who calls it?")
        await expect(pilot, lambda: "waiting for the index" in shown(pilot), "what it waits for")
        assert "Esc interrupts" in shown(pilot)
        await pilot.press("escape")
        await expect(pilot, lambda: "· interrupted" in shown(pilot), "the end of the turn")
        assert "planning" not in shown(pilot)
        assert "not sent" in shown(pilot)


def _tells_another_mode(chat: ChatScreen, before: ContextMode) -> bool:
    preview = chat.state.preview
    return preview is not None and preview.mode is chat.door.mode is before.following


async def test_the_footer_follows_the_mode_while_the_first_turn_waits() -> None:
    door = WaitingDoor()
    door.index_hold = asyncio.Event()
    async with CtxcodeApp(door, SETUP).run_test(size=(120, 36)) as pilot:
        chat = chat_of(pilot)
        chat.submit("who calls it?")
        await expect(pilot, lambda: "waiting for the index" in shown(pilot), "what it waits for")
        for _ in ContextMode:
            before = door.mode
            await pilot.press("ctrl+f")
            await expect(pilot, partial(_tells_another_mode, chat, before), "the plan of the next mode")
        await pilot.press("escape")


async def test_the_screen_follows_an_index_that_follows_the_files() -> None:
    door = FakeDoor()
    door.changes = (IndexRefreshed("5cd2", 2_819, 41_377, 120_400, 1, 0.2, 3),)
    async with opened(door) as pilot:
        await expect(pilot, lambda: chat_of(pilot).state.index == door.changes[0], "the later index")


async def test_reading_the_repository_can_be_paused_and_resumed() -> None:
    door = FakeDoor()
    door.index_hold = asyncio.Event()
    async with CtxcodeApp(door, SETUP).run_test(size=(120, 36)) as pilot:
        await expect(pilot, lambda: "indexing 939 / 2,818 files" in shown(pilot), "the progress")
        chat = chat_of(pilot)
        chat.submit("/index pause")
        await expect(pilot, lambda: "index paused" in shown(pilot), "the pause")
        assert chat.state.indexing is None
        assert door.is_resting
        door.is_resting = False
        chat.submit("/index pause")
        await expect(pilot, lambda: door.is_resting, "the rest of what went on behind a question")
        chat.submit("/index")
        await expect(pilot, lambda: "120,331 edges; paused" in shown(pilot), "how it stands")
        assert "indexing has stopped" in shown(pilot)
        assert "index up to date" not in shown(pilot)
        door.index_hold.set()
        chat.submit("/index resume")
        await expect(pilot, lambda: chat.state.index is not None, "the whole index")
        chat.submit("/index stop")
        await expect(pilot, lambda: "/index knows no 'stop'" in shown(pilot), "the refusal")


async def test_an_index_that_can_not_be_read_is_told_and_can_be_resumed() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("/index pause")
        door.index_failure = IndexingError("the process ended (signal 9)", "/index resume tries again.")
        chat.submit("/index resume")
        told = "The process ended (signal 9). /index resume tries again."
        await expect(pilot, lambda: told in shown(pilot), "the failure")
        assert chat.state.indexing is None
        door.index_failure = None
        chat.submit("/index resume")
        await expect(pilot, lambda: "index resumed" in shown(pilot), "another try")


async def test_edits_are_followed_again_when_a_question_finds_what_was_gone() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("/index pause")
        door.index_failure = IndexingError("the folder is gone", "Put it back.")
        chat.submit("/index resume")
        await expect(pilot, lambda: "The folder is gone. Put it back." in shown(pilot), "the failure")
        chat.submit("/index")
        await expect(pilot, lambda: "stopped by an error" in shown(pilot), "how it stands")
        door.index_failure = None
        chat.submit("why?")
        await expect(pilot, lambda: bool(chat.state.turns) and chat.turn is None, "the answer")
        chat.submit("/index")
        await expect(pilot, lambda: "120,331 edges; follows your edits" in shown(pilot), "how it stands now")


async def test_page_up_on_a_short_answer_does_not_stop_following_it() -> None:
    door = FakeDoor(reply="a line\n\n" * 60)
    door.gate.clear()
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("why?")
        await expect(pilot, lambda: "a line" in shown(pilot), "the first words")
        await pilot.press("pageup")
        door.gate.set()
        await expect(pilot, lambda: chat.turn is None and chat.transcript.max_scroll_y > 0, "the whole answer")
        await expect(pilot, lambda: chat.transcript.scroll_y >= chat.transcript.max_scroll_y, "its last line")
        await pilot.press("pageup")
        assert chat.transcript.scroll_y < chat.transcript.max_scroll_y


async def test_a_connection_that_broke_off_says_what_to_do() -> None:
    turn = TurnView(1, "why?", reply="half", stopped_by=StoppedBy.INTERRUPTED, error="The connection ended.")
    line = outcome(turn, UNICODE, is_running=False)
    assert line is not None
    assert "· The connection ended.\n  Send it again to get a whole reply." == line.plain
    own = outcome(replace(turn, error=""), UNICODE, is_running=False)
    assert own is not None
    assert "· interrupted" == own.plain


async def test_an_ambiguous_name_is_answered_with_the_shortest_names_that_differ() -> None:
    with pytest.raises(UsageError, match=r"'join' could be Query\.join, Join\.join\.") as refused:
        await MemoryCommands(NamesakesDoor(), UNICODE).run("pin", "join")
    assert "Give the one you mean in full." == refused.value.hint


async def test_reasons_are_wrapped_and_not_cut() -> None:
    async with opened(FakeDoor(), (60, 20)) as pilot:
        await ask(pilot, "how are joins decided?")
        await pilot.press("f2")
        rows = chat_of(pilot).drawer.list
        await expect(pilot, lambda: bool(rows.rows), "the plan's rows")
        reason = Reason(ReasonType.LEXICAL, 0.4, terms=tuple(f"term{number}" for number in range(20)))
        row = next(row for row in rows.rows if row.item is not None and row.part is Part.RETRIEVED)
        assert row.item is not None
        rows.show((replace(row, item=replace(row.item, reasons=(reason,))),), {}, row.key)
        await pilot.press("w")
        await expect(pilot, lambda: "term19" in shown(pilot), "the last word")
        assert "0.400  matches" in shown(pilot)


async def test_the_last_row_shows_what_lies_below_it() -> None:
    async with opened(FakeDoor(), (80, 24)) as pilot:
        await ask(pilot, "how are joins decided?")
        await pilot.press("f2")
        rows = chat_of(pilot).drawer.list
        await expect(pilot, lambda: bool(rows.rows), "the plan's rows")
        await pilot.press("G")
        await expect(pilot, lambda: "suggested pins" in shown(pilot), "the section at the end")
        assert "none yet" in shown(pilot)


async def test_plain_glyphs_reach_the_overlays_keys() -> None:
    async with opened(FakeDoor(), (120, 36), plain=True) as pilot:
        await ask(pilot, "how are joins decided?")
        await pilot.press("f2")
        await expect(pilot, lambda: "Enter text" in shown(pilot), "the keys")
        keys = next(line for line in shown(pilot).splitlines() if "Enter text" in line)
        assert "w why" in keys
        assert keys.isascii()
