import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from ui.fake_door import QUERY, FakeDoor, symbol_id
from ui.pilot import WIDE, ask, chat_of, expect, opened, shown

from ctxcode.model.errors import StoreError
from ctxcode.model.event import ItemDropped, ItemPinned, ItemRestored, ItemUnpinned
from ctxcode.model.ids import ItemId, PlanId, symbol_item
from ctxcode.model.passing.event import IndexRefreshed
from ctxcode.model.pin import PinKind, SuggestedPin
from ctxcode.model.plan import ContextMode, ContextPlan, Section
from ctxcode.model.symbol import IndexStats
from ctxcode.tui.rows import Part, Row
from ctxcode.tui.screens.overlay.pane import is_changed_since
from ctxcode.tui.widgets.plan_list import PlanList

FIXED = {Section.SYSTEM, Section.TOOLS, Section.MESSAGE}
SETUP_JOINS = symbol_item(symbol_id("Query.setup_joins", QUERY))


def rows_of(pilot: Pilot[None]) -> PlanList:
    return chat_of(pilot).drawer.list


def selected(pilot: Pilot[None]) -> Row:
    row = rows_of(pilot).selected
    assert row is not None
    return row


async def select(pilot: Pilot[None], key: str) -> None:
    await pilot.press("home")
    for _ in range(len(rows_of(pilot).rows)):
        if selected(pilot).key == key:
            return
        await pilot.press("j")
    raise AssertionError(key)


@asynccontextmanager
async def overlay(door: FakeDoor, size: tuple[int, int] = WIDE) -> AsyncGenerator[Pilot[None], None]:
    """Open the app, ask once, open the overlay."""
    async with opened(door, size) as pilot:
        await ask(pilot, "how are joins decided?")
        await pilot.press("f2")
        await expect(pilot, lambda: bool(rows_of(pilot).rows), "the plan's rows")
        yield pilot


async def test_the_overlay_shows_what_was_sent_and_what_was_left_out() -> None:
    async with overlay(FakeDoor(), (120, 50)) as pilot:
        await expect(pilot, lambda: "turn 1 ·" in shown(pilot), "the last plan")
        text = shown(pilot)
        for words in ("PINNED", "SCAFFOLD", "RETRIEVED", "REQUEST", "EXCLUDED", "suggested pins", "did not fit"):
            assert words in text
        assert "+12 signatures in 4 files" in text
        assert "none yet" in text


@pytest.mark.parametrize("command", ["/add db/models.py", "/context budget 4000", "/mode heavy"])
async def test_what_has_changed_since_the_last_request_opens_the_next_ones_plan(command: str) -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        await ask(pilot, "how are joins decided?")
        door.record(ItemPinned(SETUP_JOINS, PinKind.LEASED, 2, by="engine"))
        assert not is_changed_since(door.history()), "that was not the user"
        chat_of(pilot).submit(command)
        await expect(pilot, lambda: is_changed_since(door.history()), "the change")
        await pilot.press("f2")
        await expect(pilot, lambda: "next request" in shown(pilot), "the next request's plan")
        await pilot.press("H")
        await expect(pilot, lambda: "turn 1 ·" in shown(pilot), "the last request's plan, one key away")
        await pilot.press("escape")
        await ask(pilot, "and where is it undone?")
        await pilot.press("f2")
        await expect(pilot, lambda: "turn 2 ·" in shown(pilot), "the plan with it")


async def test_another_plan_is_read_from_its_top_and_the_same_one_where_it_was_left() -> None:
    door = FakeDoor()
    async with overlay(door, (80, 24)) as pilot:
        await pilot.press("end")
        left = selected(pilot).key
        await pilot.press("f2", "f2")
        await expect(pilot, lambda: rows_of(pilot).has_focus, "the overlay again")
        assert left == selected(pilot).key
        await pilot.press("f2")
        for name in ("setup_joins", "promote_joins", "demote_joins"):
            await door.memory.keep(symbol_item(symbol_id(f"Query.{name}", QUERY)), PinKind.STICKY)
        await pilot.press("f2")
        await expect(pilot, lambda: SETUP_JOINS == selected(pilot).key, "the first pin")
        await expect(pilot, lambda: "PINNED" in shown(pilot), "its heading")


class SparseDoor(FakeDoor):
    """Has a plan without any code until its index is there."""

    is_sparse = True

    async def preview(self, prompt: str, mode: ContextMode | None = None) -> ContextPlan:
        plan = await super().preview(prompt, mode)
        if not self.is_sparse:
            return plan
        return replace(plan, id=PlanId("sparse"), items=tuple(item for item in plan.items if item.section in FIXED))


@pytest.mark.parametrize("keys", [(), ("home",)])
async def test_a_plan_that_fills_is_shown_from_its_top_unless_a_row_was_chosen(keys: tuple[str, ...]) -> None:
    is_touched = bool(keys)
    door = SparseDoor()
    async with opened(door) as pilot:
        await pilot.press("f2")
        await expect(pilot, lambda: bool(rows_of(pilot).rows), "the plan's rows")
        assert Part.REQUEST is selected(pilot).part
        await pilot.press(*keys)
        before, door.is_sparse = selected(pilot).key, False
        chat_of(pilot).submit("/preview how are joins decided?")
        await expect(pilot, lambda: rows_of(pilot).row(SETUP_JOINS) is not None, "the code")
        assert is_touched is (before == selected(pilot).key)
        first = next(row for row in rows_of(pilot).rows if row.item is not None)
        assert is_touched is not (first.key == selected(pilot).key)


async def test_what_the_footer_says_of_a_request_is_so_after_a_command_too() -> None:
    def footer() -> str:
        return shown(pilot).splitlines()[-1]

    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("w")
        await expect(pilot, lambda: "20% 1.6k/8k" in footer(), "the forecast")
        await pilot.press("backspace")
        chat.submit("/pin Query.setup_joins")
        await expect(pilot, lambda: "next" in footer() and "23% 1.8k/8k" in footer(), "what the pin makes of it")
        await ask(pilot, "how are joins decided?")
        await expect(pilot, lambda: "turn 1" in footer() and "23% 1.8k/8k" in footer(), "the first turn's figures")
        chat.submit("/context budget 4000")
        await expect(pilot, lambda: "limit 4,000 tokens" in shown(pilot), "another limit")
        assert "23% 1.8k/8k" in footer(), "those of the turn stay"


async def test_pinning_keeps_the_selection_on_the_item() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await select(pilot, SETUP_JOINS)
        await pilot.press("p")
        await expect(pilot, lambda: selected(pilot).part is Part.PINNED, "the item among the pins")
        assert SETUP_JOINS == selected(pilot).key
        assert ItemPinned(SETUP_JOINS, PinKind.LEASED, 5) == door.history()[-1]
        await pilot.press("p")
        await expect(pilot, lambda: selected(pilot).part is Part.RETRIEVED, "the item unpinned")
        assert SETUP_JOINS == selected(pilot).key
        assert ItemUnpinned(SETUP_JOINS) == door.history()[-1]


async def test_sticky_replaces_a_lease() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await select(pilot, SETUP_JOINS)
        await pilot.press("p", "s")
        await expect(pilot, lambda: "sticky, by you" in shown(pilot), "the reason in words")
        assert [PinKind.STICKY] == [pin.kind for pin in door.pins()]


async def test_dropping_moves_the_item_to_the_excluded_and_back() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await select(pilot, SETUP_JOINS)
        await pilot.press("d")
        await expect(pilot, lambda: selected(pilot).part is Part.EXCLUDED, "the item among the excluded")
        assert SETUP_JOINS == selected(pilot).key
        assert ItemDropped(SETUP_JOINS) == door.history()[-1]
        await pilot.press("d")
        await expect(pilot, lambda: selected(pilot).part is Part.RETRIEVED, "the item back")
        assert ItemRestored(SETUP_JOINS) == door.history()[-1]


async def test_enter_shows_exactly_the_text_the_model_gets() -> None:
    async with overlay(FakeDoor()) as pilot:
        await select(pilot, SETUP_JOINS)
        await pilot.press("enter")
        await expect(pilot, lambda: "def setup_joins(self, names, opts, alias):" in shown(pilot), "the text")
        await pilot.press("enter")
        await expect(pilot, lambda: "def setup_joins(self, names, opts, alias):" not in shown(pilot), "the row alone")


async def test_why_shows_every_reason_with_its_weight() -> None:
    async with overlay(FakeDoor()) as pilot:
        await select(pilot, SETUP_JOINS)
        await pilot.press("w")
        await expect(pilot, lambda: "0.170  calls Query.join" in shown(pilot), "the weights")
        assert "0.930  score" in shown(pilot)


async def test_groups_open_and_close() -> None:
    async with overlay(FakeDoor()) as pilot:
        await select(pilot, "fold:signatures")
        await pilot.press("right", "down")
        await expect(pilot, lambda: selected(pilot).item is not None, "the first signature")
        await pilot.press("left")
        await expect(pilot, lambda: selected(pilot).key == "fold:signatures", "the closed group")
        assert not selected(pilot).is_open


async def test_earlier_and_later_plans_can_be_looked_at() -> None:
    async with opened(FakeDoor()) as pilot:
        await ask(pilot, "first?")
        await ask(pilot, "second?")
        await pilot.press("f2")
        await expect(pilot, lambda: "turn 2 ·" in shown(pilot), "the last plan")
        await pilot.press("H")
        await expect(pilot, lambda: "turn 1 ·" in shown(pilot), "the plan before")
        await pilot.press("L", "L")
        await expect(pilot, lambda: "next request" in shown(pilot), "the next request")


async def test_typing_beside_the_overlay_changes_the_next_plan() -> None:
    async with overlay(FakeDoor()) as pilot:
        await pilot.press("L")
        await expect(pilot, lambda: "next request" in shown(pilot), "the next request")
        await pilot.press("tab")
        chat = chat_of(pilot)
        await expect(pilot, lambda: pilot.app.focused is chat.prompt, "the focus in the prompt")
        chat.prompt.fill("and where is it undone?")
        view = chat.drawer
        await expect(pilot, lambda: bool(view.view and view.view.plan.prompt.endswith("undone?")), "its plan")


async def test_a_suggestion_can_be_pinned() -> None:
    door = FakeDoor()
    item = ItemId("symbol:a.py::promote")
    door.suggestions = (SuggestedPin(item, "promote", "named by the model in 3 of 4 turns"),)
    async with overlay(door, (120, 60)) as pilot:
        assert "named by the model in 3 of 4 turns" in shown(pilot)
        await select(pilot, f"suggested:{item}")
        await pilot.press("p")
        await expect(pilot, lambda: bool(door.pins()), "the pin")
        assert item == door.pins()[0].item


async def test_escape_closes_the_overlay_and_goes_back_to_the_prompt() -> None:
    async with overlay(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await pilot.press("escape")
        assert not chat.drawer.display
        assert chat.prompt is pilot.app.focused


async def test_in_a_narrow_terminal_the_overlay_covers_the_conversation() -> None:
    async with overlay(FakeDoor(), (80, 24)) as pilot:
        await expect(pilot, lambda: "RETRIEVED" in shown(pilot), "the plan")
        assert "how are joins decided?" not in "\n".join(shown(pilot).splitlines()[1:])


async def test_what_belongs_to_every_request_can_not_be_pinned() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await select(pilot, "message")
        await pilot.press("p")
        await expect(pilot, lambda: "part of every request" in shown(pilot), "the sentence")
        assert () == door.pins()


async def test_three_hundred_rows_are_drawn_only_where_they_are_seen() -> None:
    async with overlay(FakeDoor()) as pilot:
        rows = rows_of(pilot)
        many = tuple(
            Row(f"r{number}", row.kind, row.part, row.tokens, row.item, row.items)
            for number, row in enumerate([row for row in rows.rows if row.item is not None] * 30)
        )
        rows.show(many, {})
        await pilot.press("end", "home", "pagedown", "pagedown")
        assert len(many) > 300
        assert 0 < int(selected(pilot).key.removeprefix("r")) < len(many)


def previewed(pilot: Pilot[None]) -> str:
    view = chat_of(pilot).drawer.view
    return view.plan.prompt if view is not None else ""


async def test_a_message_is_previewed_without_being_sent_also_in_another_mode() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        known = door.history()
        chat_of(pilot).submit("/preview heavy where is promotion undone?")
        await expect(pilot, lambda: previewed(pilot) == "where is promotion undone?", "the plan of the message")
        view = chat_of(pilot).drawer.view
        assert view is not None
        assert (ContextMode.HEAVY, "preview") == (view.plan.mode, view.label)
        assert known == door.history()
        await select(pilot, SETUP_JOINS)
        await pilot.press("d")
        await expect(pilot, lambda: ItemDropped(SETUP_JOINS) == door.history()[-1], "the dropped row")
        await expect(pilot, lambda: selected(pilot).part is Part.EXCLUDED, "the row among the excluded")
        assert "where is promotion undone?" == previewed(pilot)


async def test_what_is_pinned_now_is_told_apart_from_what_was_pinned_then() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await expect(pilot, lambda: "nothing pinned yet; p on a row pins it" in shown(pilot), "how to pin")
        await door.memory.keep(SETUP_JOINS, PinKind.STICKY)
        chat_of(pilot).pane.refresh()
        await expect(pilot, lambda: "nothing in this request; new pins" in shown(pilot), "what was")


class PausedDoor(FakeDoor):
    """Makes a plan when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may_plan = asyncio.Event()
        self.may_plan.set()

    async def preview(self, prompt: str, mode: ContextMode | None = None) -> ContextPlan:
        await self.may_plan.wait()
        return await super().preview(prompt, mode)


@asynccontextmanager
async def without_plans() -> AsyncGenerator[tuple[Pilot[None], PausedDoor], None]:
    """Open the overlay at a row, and let no new plan come until the door may plan."""
    door = PausedDoor()
    async with overlay(door) as pilot:
        await select(pilot, SETUP_JOINS)
        door.may_plan.clear()
        yield pilot, door


async def test_who_moves_on_before_the_new_plan_is_there_stays_where_they_went() -> None:
    async with without_plans() as (pilot, door):
        await pilot.press("d", "j")
        there = selected(pilot).key
        assert SETUP_JOINS != there
        door.may_plan.set()
        await expect(pilot, lambda: rows_of(pilot).row(SETUP_JOINS) is None, "the item gone to the excluded")
        assert there == selected(pilot).key


async def test_a_key_pressed_twice_before_the_new_plan_is_there_undoes_itself() -> None:
    async with without_plans() as (pilot, door):
        await pilot.press("d", "d")
        door.may_plan.set()
        await expect(pilot, lambda: ItemRestored(SETUP_JOINS) == door.history()[-1], "the item restored")
        await expect(pilot, lambda: selected(pilot).part is Part.RETRIEVED, "the item back")
        assert SETUP_JOINS == selected(pilot).key


async def test_a_pin_shows_its_sign_also_while_the_new_plan_takes_long() -> None:
    async with without_plans() as (pilot, door):
        await pilot.press("p")
        await expect(pilot, lambda: "5 turns left" in shown(pilot), "the lease")
        assert Part.RETRIEVED is selected(pilot).part
        door.may_plan.set()
        await expect(pilot, lambda: selected(pilot).part is Part.PINNED, "the item among the pins")


async def test_a_stored_plan_is_said_to_be_older_than_an_index_that_has_moved_on() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await expect(pilot, lambda: "turn 1 ·" in shown(pilot), "the last plan")
        assert "older than the index" not in shown(pilot)
        door.revision = "5cd2"
        chat_of(pilot).fold(IndexRefreshed("5cd2", 2_819, 41_377, 120_400, 1, 0.2, 3))
        await expect(pilot, lambda: "△ older than the index" in shown(pilot), "that the index is newer")
        assert "turn 1 ·" in shown(pilot)
        await pilot.press("L")
        await expect(pilot, lambda: "next request" in shown(pilot), "the next request")
        assert "older than the index" not in shown(pilot)
        await pilot.press("H")
        await expect(pilot, lambda: "△ older than the index" in shown(pilot), "that the index is newer")


class UntellingIndex(FakeDoor):
    """A session of whose index nothing can be told for now."""

    is_locked = False

    async def stats(self) -> IndexStats:
        if self.is_locked:
            raise StoreError("another process keeps the index locked", "Wait and try again.")
        return await super().stats()


async def test_a_stored_plan_is_shown_also_where_nothing_can_be_told_of_the_index() -> None:
    door = UntellingIndex()
    async with opened(door, WIDE) as pilot:
        await ask(pilot, "how are joins decided?")
        door.is_locked = True
        await pilot.press("f2")
        await expect(pilot, lambda: "turn 1 ·" in shown(pilot), "the last plan")
        assert "older than the index" not in shown(pilot)
