"""A repository that was never indexed: what is on the screen before it is, and that the overlay keeps step."""

import asyncio

from ui.fake_door import FakeDoor
from ui.pilot import SETUP, expect, shown

from ctxcode.model.event import IndexRefreshed
from ctxcode.tui.app import CtxcodeApp

BEING_READ = "the code is still being read"


async def test_files_and_folders_are_shown_while_the_code_is_still_being_read() -> None:
    door = FakeDoor()
    door.is_unread, door.index_hold = True, asyncio.Event()
    async with CtxcodeApp(door, SETUP).run_test(size=(200, 50)) as pilot:
        await expect(pilot, lambda: "2,818 files · reading them" in shown(pilot), "the number of files")
        await pilot.press("f2")
        await expect(pilot, lambda: "module tree" in shown(pilot), "the scaffold")
        assert BEING_READ in shown(pilot)
        assert "nothing was retrieved" not in shown(pilot)


async def test_an_open_overlay_shows_what_is_found_once_the_index_is_there() -> None:
    door = FakeDoor()
    door.is_unread, door.index_hold = True, asyncio.Event()
    async with CtxcodeApp(door, SETUP).run_test(size=(200, 50)) as pilot:
        await expect(pilot, lambda: "reading them" in shown(pilot), "the number of files")
        await pilot.press("f2")
        await expect(pilot, lambda: BEING_READ in shown(pilot), "the first look")
        door.index_hold.set()
        await expect(pilot, lambda: BEING_READ not in shown(pilot), "the plan of the whole index")
        assert "RETRIEVED" in shown(pilot)
        assert "index up to date" in shown(pilot)


async def test_an_open_overlay_follows_what_changes_in_the_work_tree() -> None:
    door = FakeDoor()
    door.is_unread = True
    door.changes = (IndexRefreshed("5cf2", 2_818, 41_205, 120_332, 1, 0.1, 3),)
    async with CtxcodeApp(door, SETUP).run_test(size=(200, 50)) as pilot:
        await pilot.press("f2")
        await expect(pilot, lambda: "RETRIEVED" in shown(pilot), "the overlay")
        await expect(pilot, lambda: BEING_READ not in shown(pilot), "the plan of the newest index")


async def test_a_name_that_is_not_found_yet_is_not_said_to_be_absent() -> None:
    door = FakeDoor()
    door.is_unread, door.index_hold = True, asyncio.Event()
    async with CtxcodeApp(door, SETUP).run_test(size=(200, 50)) as pilot:
        await expect(pilot, lambda: "reading them" in shown(pilot), "the number of files")
        await pilot.press(*"@zzz")
        await expect(pilot, lambda: BEING_READ in shown(pilot), "why nothing is found")
        assert "no file or symbol is called" not in shown(pilot)
        door.index_hold.set()
        await expect(pilot, lambda: "no file or symbol is called 'zzz'" in shown(pilot), "the proof")
