import asyncio

from ui.fake_door import QUERY, FakeDoor, symbol_id
from ui.pilot import ask, chat_of, expect, shown
from ui.test_overlay import SETUP_JOINS, overlay, rows_of, select, selected

from ctxcode.model.engine.event import SuggestionDismissed
from ctxcode.model.event import DetailChosen, ItemPinned, TurnStarted
from ctxcode.model.ids import ItemId, symbol_item
from ctxcode.model.passing.event import ReplyChunked
from ctxcode.model.pin import PinKind, SuggestedPin
from ctxcode.model.plan import ContextMode, ContextPlan, Detail
from ctxcode.tui.rows import Part


async def test_plus_and_minus_choose_how_much_is_shown_and_say_what_it_costs() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await select(pilot, SETUP_JOINS)
        await pilot.press("plus")
        await expect(pilot, lambda: "card → body, +766 tok" in shown(pilot), "the difference")
        assert DetailChosen(SETUP_JOINS, Detail.BODY) == door.history()[-1]
        row = selected(pilot)
        assert (SETUP_JOINS, Detail.BODY) == (row.key, row.item.detail if row.item else None)
        await pilot.press("plus")
        await expect(pilot, lambda: "body is the fullest there is" in shown(pilot), "the end")
        await pilot.press("minus")
        await expect(pilot, lambda: "body → card, -766 tok" in shown(pilot), "the way back")
        await pilot.press("0")
        await expect(pilot, lambda: DetailChosen(SETUP_JOINS, None) == door.history()[-1], "the planner's choice")


async def test_what_has_one_form_only_is_said_so() -> None:
    async with overlay(FakeDoor()) as pilot:
        await select(pilot, "scaffold")
        await pilot.press("plus")
        await expect(pilot, lambda: "only one way to show that" in shown(pilot), "the sentence")


async def test_why_also_shows_what_each_level_costs() -> None:
    async with overlay(FakeDoor()) as pilot:
        await select(pilot, SETUP_JOINS)
        await pilot.press("w")
        await expect(pilot, lambda: "signature 14 · card 74 · body 840" in shown(pilot), "the levels")


async def test_a_lease_gets_longer_step_by_step() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await select(pilot, SETUP_JOINS)
        for turns in (1, 3, 5, 10, None, 1):
            await pilot.press("l")
            words = f"{turns} turn{'' if turns == 1 else 's'} left" if turns else "leased for the task"
            await expect(pilot, lambda words=words: words in shown(pilot), words)  # type: ignore[misc]  # bound now
            assert SETUP_JOINS == selected(pilot).key
        assert [PinKind.LEASED] == [pin.kind for pin in door.pins()]


async def test_the_longest_lease_is_for_the_task_and_keeps_a_file_read_only() -> None:
    door = FakeDoor()
    async with overlay(door) as pilot:
        await door.memory.keep(SETUP_JOINS, PinKind.LEASED, 10, is_read_only=True)
        await select(pilot, SETUP_JOINS)
        await pilot.press("l")
        await expect(pilot, lambda: "leased for the task" in shown(pilot), "the lease")
        event = door.history()[-1]
        assert isinstance(event, ItemPinned)
        assert event.is_read_only


async def test_any_symbol_can_be_found_and_pinned() -> None:
    door = FakeDoor()
    wanted = symbol_item(symbol_id("Query.trim_joins", QUERY))
    async with overlay(door) as pilot:
        await pilot.press("slash", *"trim")
        await expect(pilot, lambda: chat_of(pilot).drawer.finder.menu.chosen is not None, "what was found")
        await pilot.press("enter")
        await expect(pilot, lambda: selected(pilot).key == wanted, "the selection on it")
        assert wanted == door.pins()[0].item
        assert rows_of(pilot) is pilot.app.focused
        assert not chat_of(pilot).drawer.finder.display


async def test_escape_leaves_the_finder_and_not_the_overlay() -> None:
    async with overlay(FakeDoor()) as pilot:
        await pilot.press("slash", *"zzz")
        await expect(pilot, lambda: "nothing here is called so" in shown(pilot), "the empty state")
        await pilot.press("escape")
        await expect(pilot, lambda: not chat_of(pilot).drawer.finder.display, "no finder")
        assert chat_of(pilot).drawer.display


async def test_filter_sort_and_width() -> None:
    async with overlay(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        await select(pilot, SETUP_JOINS)
        await pilot.press("o")
        await expect(pilot, lambda: "by tokens" in shown(pilot), "the order")
        assert SETUP_JOINS == selected(pilot).key
        await pilot.press("f", "f")
        await expect(pilot, lambda: "what is left out" in shown(pilot), "the filter")
        assert {Part.EXCLUDED} == {row.part for row in rows_of(pilot).rows}
        before = chat.drawer.size.width
        await pilot.press("greater_than_sign")
        await expect(pilot, lambda: chat.drawer.size.width > before, "more room")
        await pilot.press("less_than_sign")
        await expect(pilot, lambda: chat.drawer.size.width == before, "the room as before")


async def test_a_suggestion_is_accepted_as_a_sticky_pin() -> None:
    door = FakeDoor()
    item = ItemId("symbol:a.py::promote")
    door.suggestions = (SuggestedPin(item, "promote", "named by the model in 3 of 4 turns"),)
    async with overlay(door, (120, 60)) as pilot:
        await select(pilot, f"suggested:{item}")
        await pilot.press("a")
        await expect(pilot, lambda: bool(door.pins()), "the pin")
        assert PinKind.STICKY is door.pins()[0].kind


async def test_a_suggestion_says_why_and_can_be_dismissed() -> None:
    door = FakeDoor()
    item = ItemId("symbol:a.py::promote")
    door.suggestions = (SuggestedPin(item, "promote", "named by the model in 3 of 4 turns"),)
    async with overlay(door, (120, 60)) as pilot:
        await select(pilot, f"suggested:{item}")
        await pilot.press("w")
        await expect(pilot, lambda: "1.70 of 3" in shown(pilot), "how alive it is")
        await pilot.press("x")
        await expect(pilot, lambda: SuggestionDismissed(item) == door.history()[-1], "the dismissal")
        await expect(pilot, lambda: "is not suggested again" in shown(pilot), "the sentence")


async def test_a_new_answer_leaves_an_earlier_plan_on_the_screen() -> None:
    door = FakeDoor(reply="yes")
    async with overlay(door) as pilot:
        chat = chat_of(pilot)
        for number in (2, 3):
            chat.submit(f"question {number}?")
            await expect(pilot, lambda number=number: f"turn {number} ·" in shown(pilot), "the newest plan")  # type: ignore[misc]
        await pilot.press("H")
        await expect(pilot, lambda: "turn 2 ·" in shown(pilot), "the plan before")
        chat.submit("question 4?")
        await expect(pilot, lambda: len(chat.state.turns) == 4 and chat.turn is None, "the answer")
        await expect(pilot, lambda: not any(w.group == "overlay" and not w.is_finished for w in chat.workers), "rest")
        assert "turn 2 ·" in shown(pilot)


async def test_the_plan_before_is_compared_with_the_one_that_is_shown() -> None:
    door = FakeDoor(reply="yes")
    async with overlay(door) as pilot:
        chat = chat_of(pilot)
        await pilot.press("equals_sign")
        await expect(pilot, lambda: "There is no plan before this one." in shown(pilot), "the refusal")
        chat.say("asking for a capsule", seconds=120.0)
        await pilot.press("j")
        assert "asking for a capsule" in shown(pilot), "that goes on"
        chat.say("Join: how much is shown is left to the planner")
        await pilot.press("k")
        await expect(pilot, lambda: "left to the planner" not in shown(pilot), "nothing said of another key")
        await door.memory.keep(SETUP_JOINS, PinKind.STICKY)
        chat.submit("question 2?")
        await expect(pilot, lambda: "turn 2 ·" in shown(pilot), "the second plan")
        await pilot.press("equals_sign")
        await expect(pilot, lambda: "What changed since the plan before" in shown(pilot), "the difference")
        assert "unchanged" in shown(pilot)
        await pilot.press("escape")
        await expect(pilot, lambda: rows_of(pilot) is pilot.app.focused, "the rows")


async def test_rows_are_grouped_and_the_selection_stays_on_its_item() -> None:
    async with overlay(FakeDoor(), (120, 60)) as pilot:
        await select(pilot, SETUP_JOINS)
        for words in ("grouped by file", "grouped by reason", "grouped by kind"):
            await pilot.press("b")
            await expect(pilot, lambda words=words: words in shown(pilot), words)  # type: ignore[misc]  # bound now
            assert SETUP_JOINS == selected(pilot).key
        await pilot.press("b")
        await expect(pilot, lambda: "grouped" not in shown(pilot), "no groups")
        assert SETUP_JOINS == selected(pilot).key


async def test_any_two_plans_can_be_compared() -> None:
    async with overlay(FakeDoor()) as pilot:
        for question in ("what calls it?", "and who tests it?"):
            chat_of(pilot).close_context()
            await ask(pilot, question)
        await pilot.press("f2")
        await expect(pilot, lambda: "turn 3" in shown(pilot), "the newest plan")
        await pilot.press("m")
        await expect(pilot, lambda: "Compare with which plan?" in shown(pilot), "the plans")
        await pilot.press("down", "enter")
        await expect(pilot, lambda: "What differs between the two plans" in shown(pilot), "the difference")


async def test_a_lone_plan_has_none_to_be_compared_with() -> None:
    async with overlay(FakeDoor()) as pilot:
        await pilot.press("m")
        await expect(pilot, lambda: "There is no other plan yet" in shown(pilot), "the empty state")


async def test_an_answer_goes_on_while_a_key_on_a_row_takes_long() -> None:
    door = FakeDoor()
    async with overlay(door, (160, 40)) as pilot:
        await select(pilot, SETUP_JOINS)
        chat, planned = chat_of(pilot), asyncio.Event()
        preview = door.preview

        async def late(prompt: str, mode: ContextMode | None = None) -> ContextPlan:
            await planned.wait()
            return await preview(prompt, mode)

        door.preview = late  # type: ignore[method-assign]  # the same door, slower
        await pilot.press("p")
        await expect(pilot, lambda: bool(door.pins()), "the pin")
        chat.fold(TurnStarted(2, "and then?"))
        chat.fold(ReplyChunked(2, "Something new."))
        await expect(pilot, lambda: "Something new." in shown(pilot), "the answer")
        planned.set()
        await expect(pilot, lambda: "5 turns left" in shown(pilot), "the words of the key")
