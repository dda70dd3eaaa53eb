"""The overlay stays open beside the conversation and shows what is newest."""

from textual.pilot import Pilot
from textual.widgets import OptionList
from ui.fake_door import FakeDoor
from ui.pilot import ask, chat_of, expect, opened, shown
from ui.test_overlay import overlay

from ctxcode.tui.screens.help import HelpPage
from ctxcode.tui.widgets.plan_list import PlanList
from ctxcode.tui.widgets.prompt import Prompt


async def test_tab_goes_to_the_prompt_and_back_while_the_overlay_stays_open() -> None:
    async with overlay(FakeDoor()) as pilot:
        await pilot.press("tab")
        assert isinstance(pilot.app.focused, Prompt)
        assert chat_of(pilot).drawer.display
        await pilot.press(*"joins")
        assert "joins" == chat_of(pilot).prompt.text
        await pilot.press("tab")
        assert isinstance(pilot.app.focused, PlanList)


async def test_where_the_overlay_covers_the_prompt_tab_closes_it() -> None:
    async with overlay(FakeDoor(), (80, 24)) as pilot:
        await pilot.press("tab")
        assert not chat_of(pilot).drawer.display
        assert isinstance(pilot.app.focused, Prompt)
        await pilot.press("tab")
        assert isinstance(pilot.app.focused, Prompt)


async def test_beside_the_prompt_the_overlay_shows_what_typing_would_send_and_then_what_was_sent() -> None:
    async with overlay(FakeDoor()) as pilot:
        await pilot.press("tab", *"where is Q")
        await expect(pilot, lambda: "next request" in shown(pilot), "the plan for what is typed")
        await pilot.press("ctrl+c")
        await expect(pilot, lambda: "turn 1 ·" in shown(pilot), "the last plan, with nothing typed")
        await ask(pilot, "where is Q?")
        await expect(pilot, lambda: "turn 2 ·" in shown(pilot), "the new turn's plan")


async def test_the_new_plan_is_shown_before_the_answer_ends() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        door.gate.clear()
        await pilot.press("tab", *"where is Q", "enter")
        await expect(pilot, lambda: "turn 2 ·" in shown(pilot), "the running turn's plan")
        assert chat_of(pilot).turn is not None
        door.gate.set()


async def test_an_earlier_plan_stays_while_it_is_looked_at() -> None:
    async with overlay(FakeDoor()) as pilot:
        await pilot.press("tab")
        await ask(pilot, "where is Q?")
        await expect(pilot, lambda: "turn 2 ·" in shown(pilot), "the newest plan")
        await pilot.press("tab", "H")
        await expect(pilot, lambda: "turn 1 · plan 1 of 2" in shown(pilot), "the plan before")
        await pilot.press("tab")
        await ask(pilot, "and where is it undone?")
        await expect(pilot, lambda: len(chat_of(pilot).state.turns) == 3, "the turn")
        assert "turn 1 · plan 1 of" in shown(pilot)
        await pilot.press("tab", "L", "L")
        await expect(pilot, lambda: "turn 3 ·" in shown(pilot), "the newest plan again")


async def test_escape_in_the_prompt_leaves_the_overlay_beside_it_and_interrupts() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        door.gate.clear()
        await pilot.press("tab", *"where is Q", "enter")
        await expect(pilot, lambda: chat_of(pilot).turn is not None, "the turn")
        await pilot.press("escape")
        await expect(pilot, lambda: chat_of(pilot).turn is None, "its end")
        assert chat_of(pilot).drawer.display
        await pilot.press("escape")
        await expect(pilot, lambda: not chat_of(pilot).drawer.display, "the overlay closed, with nothing to interrupt")
        assert "Esc again" not in shown(pilot)


async def test_the_first_row_of_a_section_is_shown_with_its_heading() -> None:
    async with overlay(FakeDoor(), (120, 20)) as pilot:
        await pilot.press("G", "g")
        for _ in range(12):
            await pilot.press("j")
        for _ in range(12):
            await pilot.press("k")
        await expect(pilot, lambda: "SCAFFOLD" in shown(pilot), "the heading")


async def test_one_key_opens_and_closes_what_tools_answered() -> None:
    async with opened(FakeDoor()) as pilot:
        await pilot.press("ctrl+o")
        await expect(pilot, lambda: "with what they answered" in shown(pilot), "the details")
        await pilot.press("ctrl+o")
        await expect(pilot, lambda: "in one line each" in shown(pilot), "the calm lines")


def selected(pilot: Pilot[None]) -> str:
    """Return the selected row of what is open."""
    if (rows := next(iter(pilot.app.screen.query(OptionList)), None)) is not None:
        assert rows.highlighted is not None
        return str(rows.get_option_at_index(rows.highlighted).prompt).split("  ")[0]
    row = chat_of(pilot).drawer.list.selected
    assert row is not None
    assert row.item is not None
    return row.item.title


async def test_what_is_selected_stays_selected_and_in_view_when_the_terminal_gets_another_size() -> None:
    async with overlay(FakeDoor()) as pilot:
        await pilot.press("end", *["up"] * 5)
        chosen = selected(pilot)
        await pilot.resize_terminal(40, 12)
        await expect(pilot, lambda: chosen in shown(pilot), "the selected row of the overlay")
        assert chosen == selected(pilot)
        await pilot.press("ctrl+p", "pagedown", "pagedown", "pagedown")
        taken = selected(pilot)
        await pilot.resize_terminal(60, 14)
        await expect(pilot, lambda: taken[:7] in shown(pilot), "the selected row of the palette")
        assert taken[:7] == selected(pilot)[:7]
        await pilot.press("escape", "f1", "pagedown", "pagedown", "up", "up")
        page = pilot.app.screen.query_one(HelpPage)
        await expect(pilot, lambda: 18 == page.scroll_y, "the place in the help")
        top = page.drawn(18).plain.split("  ")[1]
        await pilot.resize_terminal(120, 14)
        await expect(pilot, lambda: 18 > page.scroll_y, "the same place among fewer lines")
        assert page.drawn(int(page.scroll_y)).plain.split("  ")[1] == top


async def test_a_prompt_without_room_for_a_single_cell_is_no_crash() -> None:
    async with opened(FakeDoor()) as pilot:
        prompt = chat_of(pilot).prompt
        prompt.styles.width = 4
        await expect(pilot, lambda: not prompt.content_size.width, "a prompt of border and padding alone")
        await pilot.pause()
        prompt.styles.width = 60
        await expect(pilot, lambda: "Ask about this code" in shown(pilot), "the prompt again")
