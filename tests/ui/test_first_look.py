"""A repository that was never indexed: what is on the screen before it is, and that the overlay keeps step."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import SETUP, chat_of, expect, opened, shown

from ctxcode.model.passing.event import IndexProgressed, IndexRefreshed
from ctxcode.model.symbol import IndexStats, LanguageCount
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.widgets.start import StartView, start_lines

NOT_READ = "the code is not read yet"


@asynccontextmanager
async def unread() -> AsyncGenerator[tuple[Pilot[None], asyncio.Event], None]:
    """Open the app on files that are listed only; setting the event ends that."""
    door = FakeDoor()
    door.is_unread, door.index_hold = True, asyncio.Event()
    async with CtxcodeApp(door, SETUP).run_test(size=(200, 50)) as pilot:
        await expect(pilot, lambda: "2,818 files · reading them" in shown(pilot), "the number of files")
        yield pilot, door.index_hold


async def test_files_and_folders_are_shown_while_the_code_is_still_being_read() -> None:
    async with unread() as (pilot, _):
        await pilot.press("f2")
        await expect(pilot, lambda: "module tree" in shown(pilot), "the scaffold")
        assert NOT_READ in shown(pilot)
        assert "nothing was retrieved" not in shown(pilot)


async def test_an_open_overlay_shows_what_is_found_once_the_index_is_there() -> None:
    async with unread() as (pilot, hold):
        await pilot.press("f2")
        await expect(pilot, lambda: NOT_READ in shown(pilot), "the first look")
        hold.set()
        await expect(pilot, lambda: NOT_READ not in shown(pilot), "the plan of the whole index")
        assert "RETRIEVED" in shown(pilot)
        assert "index up to date" in shown(pilot)


async def test_an_open_overlay_follows_what_changes_in_the_work_tree() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        await pilot.press("f2")
        await expect(pilot, lambda: "RETRIEVED" in shown(pilot), "the overlay")
        assert NOT_READ not in shown(pilot)
        door.is_unread = True
        chat = chat_of(pilot)
        chat.post_message(chat.Happened(IndexRefreshed("5cf2", 2_818, 41_205, 120_332, 1, 0.1, 3)))
        await expect(pilot, lambda: NOT_READ in shown(pilot), "the plan of the newest index")


async def test_a_name_that_is_not_found_yet_is_not_said_to_be_absent() -> None:
    async with unread() as (pilot, hold):
        await pilot.press(*"@zzz")
        await expect(pilot, lambda: NOT_READ in shown(pilot), "why nothing is found")
        assert "no file or symbol is called" not in shown(pilot)
        hold.set()
        await expect(pilot, lambda: "no file or symbol is called 'zzz'" in shown(pilot), "the proof")


def test_languages_stand_in_the_order_of_the_shares_that_are_shown() -> None:
    door = FakeDoor()
    counts = (LanguageCount("cpp", 1_761, 15_000), LanguageCount("swift", 1_113, 30_000))
    legends = [
        str(start_lines(StartView(door.repository, door.model, stats=stats), 80, UNICODE)[4])
        for stats in (IndexStats("4be1", 2_874, 45_000, 9, counts), IndexStats("", 2_874, 0, 0, counts))
    ]
    assert [True, False] == [legend.index("swift") < legend.index("cpp") for legend in legends]


async def test_a_name_that_is_not_in_the_beginning_of_an_index_is_not_said_to_be_absent() -> None:
    door = FakeDoor()
    door.pending = 1_000
    async with opened(door) as pilot:
        await pilot.press(*"@zzz")
        await expect(pilot, lambda: "not all of the code is read yet" in shown(pilot), "why nothing is found")
        assert "no file or symbol is called" not in shown(pilot)


def test_the_beginning_of_an_index_says_how_much_is_missing() -> None:
    stats = IndexStats("4be1", 2_874, 45_000, 9, (LanguageCount("cpp", 2_874, 45_000),), pending=1_000)
    view = StartView(FakeDoor().repository, stats=stats)
    assert "2,874 files · 45,000 symbols · 9 edges · 1,000 more files to read" == str(start_lines(view, 80, UNICODE)[5])
    halted = replace(view, is_indexing=False, is_halted=True)
    assert str(start_lines(halted, 90, UNICODE)[5]).endswith("indexing has stopped, 1,000 more files to read")


@pytest.mark.parametrize("typed", ["", "joins"])
async def test_the_page_and_the_overlay_show_more_of_a_first_index_as_soon_as_it_is_there(typed: str) -> None:
    async with unread() as (pilot, _):
        chat = chat_of(pilot)
        await pilot.press(*typed)
        await pilot.press("f2")
        await expect(pilot, lambda: NOT_READ in shown(pilot), "the first look")
        await pilot.press("down", "down")
        assert chat.drawer.list.selected is not None
        before = chat.drawer.list.selected.key
        assert isinstance(chat.door, FakeDoor)
        chat.door.is_unread, chat.door.pending = False, 400
        for phase in ("resolving", "parsing"):
            chat.post_message(chat.Happened(IndexProgressed(1_800, 2_818, phase)))
        await expect(pilot, lambda: "400 more files to read" in shown(pilot), "the figures")
        await expect(pilot, lambda: "RETRIEVED" in shown(pilot), "what is found in the beginning")
        assert before == chat.drawer.list.selected.key


def test_a_repository_that_could_not_be_read_is_not_said_to_hold_nothing() -> None:
    view = StartView(FakeDoor().repository, is_indexing=False)
    told = [str(start_lines(replace(view, is_halted=halted), 80, UNICODE)[3]) for halted in (True, False)]
    assert ["not read yet", "nothing here that can be indexed"] == told
