"""What is read stays where it is when the conversation gets another width, and what is seen is laid out for it."""

import random

from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import chat_of, expect, opened, shown

from ctxcode.model.conversation import StoppedBy
from ctxcode.model.event import ReplyFinished, TurnCompleted, TurnStarted
from ctxcode.tui.widgets.markdown import MarkdownText
from ctxcode.tui.widgets.markdown_view import MarkdownView
from ctxcode.tui.widgets.transcript import MOUNTED_TURNS, Transcript
from ctxcode.tui.widgets.turn.user import UserTurn

TURNS = 10
PARAGRAPHS = 6
SIZES = ((120, 36), (60, 20), (200, 60), (80, 24))


def answer(turn: int) -> str:
    """Return an answer; each of its words tells where it stands."""
    paragraphs = [f"turn{turn}par{number} " * (30 + 7 * number) for number in range(PARAGRAPHS)]
    # Blocks of code end a portion, so that an answer has several.
    return f"\n\n```\ncode{turn}\n```\n\n".join(paragraphs)


def long_session(turns: int = TURNS) -> FakeDoor:
    door = FakeDoor()
    for turn in range(1, turns + 1):
        door.record(TurnStarted(turn, f"question {turn}"))
        door.record(ReplyFinished(turn, answer(turn), "gpt-x"))
        door.record(TurnCompleted(turn, StoppedBy.ANSWER))
    return door


def transcript_of(pilot: Pilot[None]) -> Transcript:
    return chat_of(pilot).transcript


async def mounted(pilot: Pilot[None]) -> Transcript:
    """Wait until all turns are mounted that are kept so."""
    transcript = transcript_of(pilot)
    turns = min(MOUNTED_TURNS, len(chat_of(pilot).state.turns))
    await expect(pilot, lambda: turns == len(transcript.query(".user")), "the turns above")
    await laid_out(pilot)
    return transcript


def waits(transcript: Transcript) -> bool:
    return any(not view.is_laid_out(view.size.width) for view in transcript.query(MarkdownView) if view.size)


async def beside_overlay(pilot: Pilot[None], transcript: Transcript) -> None:
    """Open the overlay and wait until the conversation is narrower by it."""
    await pilot.press("f2")
    await expect(pilot, lambda: transcript.size.width < 70, "the overlay beside the conversation")


async def laid_out(pilot: Pilot[None]) -> None:
    """Wait until every answer is laid out for the width there is."""
    transcript = transcript_of(pilot)
    await pilot.pause()
    await expect(pilot, lambda: not waits(transcript), "the layout of all answers")
    await pilot.pause()


def chat_rows(pilot: Pilot[None]) -> list[str]:
    """Return the conversation's rows on the screen, without the scroll bar."""
    transcript = transcript_of(pilot)
    region = transcript.scrollable_content_region
    rows = shown(pilot).split("\n")[region.y : region.bottom]
    return [row[region.x : region.right].rstrip() for row in rows]


def first_word(pilot: Pilot[None]) -> str:
    return next(row.split()[0] for row in chat_rows(pilot) if row.strip())


async def scrolled_up(pilot: Pilot[None]) -> Transcript:
    """Scroll into the midst of an answer's paragraph."""
    transcript = await mounted(pilot)
    transcript.scroll_to(y=transcript.max_scroll_y - 143, animate=False, immediate=True)
    await pilot.pause()
    while not all(row.lstrip().startswith("turn") for row in chat_rows(pilot)[:2]):
        transcript.scroll_relative(y=-1, animate=False, immediate=True)
        await pilot.pause()
    return transcript


async def test_the_overlay_leaves_the_reader_where_they_are_and_so_does_its_end() -> None:
    async with opened(long_session()) as pilot:
        transcript = await scrolled_up(pilot)
        before, word = chat_rows(pilot), first_word(pilot)
        await beside_overlay(pilot, transcript)
        assert word == first_word(pilot)
        await laid_out(pilot)
        assert word == first_word(pilot)
        await pilot.press("greater_than_sign")
        await expect(pilot, lambda: transcript.size.width < 45, "the wider overlay")
        await laid_out(pilot)
        assert word == first_word(pilot)
        await pilot.press("f2")
        await expect(pilot, lambda: transcript.size.width > 110, "the conversation alone")
        await laid_out(pilot)
        assert before == chat_rows(pilot)


async def test_the_newest_line_is_followed_through_every_width() -> None:
    async with opened(long_session()) as pilot:
        transcript = await mounted(pilot)
        last = f"turn{TURNS}par{PARAGRAPHS - 1}"
        for key in ("f2", "greater_than_sign", "less_than_sign", "f2"):
            width = transcript.size.width
            await pilot.press(key)
            await expect(pilot, lambda before=width: transcript.size.width != before, "another width")  # type: ignore[misc]
            assert chat_rows(pilot)[-1].split()[-1] == last
            await laid_out(pilot)
            assert chat_rows(pilot)[-1].split()[-1] == last
            assert transcript.max_scroll_y == transcript.scroll_y


async def test_what_is_seen_first_is_what_is_seen_when_all_is_laid_out() -> None:
    async with opened(long_session()) as pilot:
        transcript = await scrolled_up(pilot)
        await beside_overlay(pilot, transcript)
        before = chat_rows(pilot)
        transcript.page(-1)
        await expect(pilot, lambda: before != chat_rows(pilot), "the page above")
        at_once = chat_rows(pilot)
        await laid_out(pilot)
        assert at_once == chat_rows(pilot)


async def test_every_answer_gets_the_rows_it_needs() -> None:
    async with opened(long_session()) as pilot:
        transcript = await mounted(pilot)
        await beside_overlay(pilot, transcript)
        await laid_out(pilot)
        width = transcript.query(MarkdownView).last().size.width
        for number, view in enumerate(transcript.query(MarkdownView), 1):
            assert (width, len(MarkdownText(answer(number)).lines(width))) == view.size


async def test_many_sizes_later_the_reader_is_where_they_were() -> None:
    async with opened(long_session()) as pilot:
        await scrolled_up(pilot)
        before, word = chat_rows(pilot), first_word(pilot)
        choose = random.Random(1)  # noqa: S311 - nothing secret
        for width, height in (
            *SIZES,
            *((choose.randint(40, 220), choose.randint(10, 70)) for _ in range(12)),
            SIZES[0],
        ):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert word == first_word(pilot), f"at {width}x{height}"
        await laid_out(pilot)
        assert before == chat_rows(pilot)


async def test_earlier_turns_come_in_above_what_is_read() -> None:
    async with opened(long_session(MOUNTED_TURNS + 10)) as pilot:
        transcript = await mounted(pilot)
        oldest = 11
        first = transcript.query(UserTurn).first()
        transcript.scroll_to(y=0, animate=False, immediate=True)
        await expect(pilot, lambda: transcript.query(UserTurn).first() is not first, "earlier turns")
        await laid_out(pilot)
        assert f"question {oldest}" in chat_rows(pilot)[3]
        assert transcript.scroll_y > 100


async def test_a_selection_in_an_old_answer_is_copied_beside_the_overlay() -> None:
    async with opened(long_session()) as pilot:
        transcript = await scrolled_up(pilot)
        await beside_overlay(pilot, transcript)
        await laid_out(pilot)
        region, rows = transcript.content_region, [row.strip() for row in chat_rows(pilot)]
        await pilot.mouse_down(offset=(region.x + 3, region.y))
        await pilot.hover(offset=(region.x + 3, region.y + 1))
        await pilot.hover(offset=(region.right - 4, region.y + 1))
        await pilot.mouse_up(offset=(region.right - 4, region.y + 1))
        chat = chat_of(pilot)
        await expect(pilot, lambda: bool(chat.get_selected_text()), "the selection")
        assert "\n".join(rows[:2]) == chat.get_selected_text()
