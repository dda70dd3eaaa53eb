"""The commands about pins, branches, turns and the state, at the keyboard."""

import asyncio

import pytest
from textual.pilot import Pilot
from textual.widgets import TextArea
from ui.fake_door import QUERY, FakeDoor, symbol_id
from ui.pilot import ask, chat_of, expect, opened, shown

from ctxcode.model.engine.event import AnchorChanged, StrategyChosen, StrategyRemembered, TaskStarted, WindowChanged
from ctxcode.model.errors import UsageError
from ctxcode.model.event import ItemPinned, ItemUnpinned, ModelChanged
from ctxcode.model.ids import file_item, symbol_item
from ctxcode.model.passing.event import StrategyFailed
from ctxcode.model.pin import PinKind, SuggestedPin
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.screens.memory.commands import MemoryCommands
from ctxcode.tui.screens.memory.conversation_commands import ConversationCommands
from ctxcode.tui.screens.memory.dialog import EditDialog, TextDialog
from ctxcode.tui.screens.memory.model_commands import ModelCommands
from ctxcode.tui.screens.memory.strategy_commands import StrategyCommands

JOIN = symbol_item(symbol_id("Query.join", QUERY))


def dialog_text(pilot: Pilot[None]) -> str:
    screen = pilot.app.screen
    return screen.text if isinstance(screen, TextDialog) else ""


@pytest.mark.parametrize(
    ("argument", "kind", "turns"),
    [
        ("Query.join", PinKind.LEASED, 5),
        ("Query.join 3", PinKind.LEASED, 3),
        ("Query.join 2 turns", PinKind.LEASED, 2),
        ("Query.join sticky", PinKind.STICKY, None),
        ("Query.join once", PinKind.EPHEMERAL, None),
        ("Query.join task", PinKind.LEASED, None),
    ],
)
async def test_a_pin_lives_as_long_as_was_asked(argument: str, kind: PinKind, turns: int | None) -> None:
    door = FakeDoor()
    await MemoryCommands(door, UNICODE).run("pin", argument)
    assert ItemPinned(JOIN, kind, turns) == door.history()[-1]


async def test_files_are_added_read_only_and_dropped() -> None:
    door = FakeDoor()
    commands = MemoryCommands(door, UNICODE)
    await commands.run("add", "a.py")
    await commands.run("read-only", "b.py")
    assert ItemPinned(file_item("b.py"), PinKind.STICKY, is_read_only=True) == door.history()[-1]
    await commands.run("drop", "a.py")
    assert ItemUnpinned(file_item("a.py")) == door.history()[-1]
    answer = await commands.run("pins", "")
    assert "b.py" in answer.text


@pytest.mark.parametrize(
    "words",
    ["pin", "pin Query.join 0", "pins now", "add", "add Query.join", "why", "task wait", "unpin", "unpin nothing"],
)
async def test_words_that_are_off_are_refused_with_what_to_do(words: str) -> None:
    name, _, argument = words.partition(" ")
    with pytest.raises(UsageError) as refused:
        await MemoryCommands(FakeDoor(), UNICODE).run(name, argument)
    assert refused.value.hint


@pytest.mark.parametrize("argument", ["Query.join 5x", "Query.join 3turns", "Query.join forever"])
async def test_a_lifetime_that_is_none_is_told_from_a_name_that_is_none(argument: str) -> None:
    with pytest.raises(UsageError, match="is no lifetime") as refused:
        await MemoryCommands(FakeDoor(), UNICODE).run("pin", argument)
    assert "/pin Query.join 3 keeps it for 3 turns" in refused.value.hint


@pytest.mark.parametrize("argument", ["", "abc", "-1", "-2", "1.5", "1000000000"])
async def test_a_window_that_is_no_number_is_refused_with_the_usage(argument: str) -> None:
    door = FakeDoor()
    with pytest.raises(UsageError) as refused:
        await ConversationCommands(door).run("context window", argument)
    assert "/context window N" in refused.value.hint
    await ConversationCommands(door).run("context window", "0")
    assert WindowChanged(0) == door.history()[-1]


WRONG = """
rewind|rewind x|message show|message show 7|message eat|branch|branch a b c|state what|undo 3|branches x
|context rebuild now
"""


@pytest.mark.parametrize("words", "".join(WRONG.split("\n")).split("|"))
async def test_a_conversation_command_with_wrong_words_is_refused(words: str) -> None:
    names = sorted((n for n in ConversationCommands(FakeDoor()).names if words.startswith(n)), key=len)
    with pytest.raises(UsageError) as refused:
        await ConversationCommands(FakeDoor()).run(names[-1], words.removeprefix(names[-1]).strip())
    assert refused.value.hint


async def test_why_shows_pin_decision_and_every_term() -> None:
    door = FakeDoor()
    door.suggestions = (SuggestedPin(JOIN, "Query.join", "named in 3 of the last 5 turns"),)
    async with opened(door) as pilot:
        await ask(pilot, "how are joins decided?")
        chat_of(pilot).submit("/why Query.setup_joins")
        await expect(pilot, lambda: "1.0 you named it" in dialog_text(pilot), "the terms")
        assert "calls Query.join" in dialog_text(pilot)
        await pilot.press("escape")
        chat_of(pilot).submit("/pins")
        await expect(pilot, lambda: "named in 3 of the last 5 turns" in dialog_text(pilot), "the suggestion")


async def test_a_branch_shows_its_own_turns() -> None:
    door = FakeDoor(reply="Fine.")
    async with opened(door) as pilot:
        await ask(pilot, "first question")
        await ask(pilot, "second question")
        chat = chat_of(pilot)
        chat.submit("/branch other 1")
        await expect(pilot, lambda: "second question" not in shown(pilot), "the branch without the second turn")
        assert ["first question"] == [turn.prompt for turn in chat.state.turns]
        chat.submit("/branches")
        await expect(
            pilot, lambda: "* " in dialog_text(pilot) and "from turn 1 of main" in dialog_text(pilot), "a tree"
        )
        await pilot.press("escape")
        chat.submit("/switch main")
        await expect(pilot, lambda: "second question" in shown(pilot), "the second turn again")
        chat.submit("/undo")
        await expect(pilot, lambda: "second question" not in shown(pilot), "the turn taken back")


async def test_the_state_is_edited_and_saved() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat_of(pilot).submit("/state edit")
        await expect(pilot, lambda: isinstance(pilot.app.screen, EditDialog), "the editor")
        pilot.app.screen.query_one(TextArea).text = "Goal: mine"
        await pilot.press("ctrl+s")
        await expect(pilot, lambda: AnchorChanged("Goal: mine") == door.history()[-1], "the saved state")
        chat_of(pilot).submit("/task start joins")
        await expect(pilot, lambda: TaskStarted("joins") == door.history()[-1], "the task")
        chat_of(pilot).submit("/context show")
        await expect(pilot, lambda: "-- user --" in dialog_text(pilot), "the payload")


async def test_strategies_are_listed_previewed_chosen_and_marked_in_the_conversation() -> None:
    door = FakeDoor(reply="Fine.")
    async with opened(door) as pilot:
        chat = chat_of(pilot)
        chat.submit("/strategy")
        await expect(pilot, lambda: "* sliding-window" in dialog_text(pilot), "the list")
        assert "✘ broken\n    it has no docstring" in dialog_text(pilot)
        await pilot.press("escape")
        chat.submit("/strategy preview rolling-summary how are joins decided?")
        await expect(pilot, lambda: "sliding-window → rolling-summary" in dialog_text(pilot), "the preview")
        await pilot.press("escape")
        chat.submit("/strategy rolling-summary")
        await expect(pilot, lambda: StrategyChosen("rolling-summary") == door.history()[-1], "the choice")
        folded = StrategyRemembered("rolling-summary", "main", 1, "the summary", 1, "turn 1 folded", "gpt-small")
        door.strategies.next_memory = folded
        await ask(pilot, "how are joins decided?")
        await expect(pilot, lambda: "turn 1 folded by gpt-small" in shown(pilot), "the mark")
        chat.submit("/strategy memory")
        await expect(pilot, lambda: "the summary" in dialog_text(pilot), "the memory")
        await pilot.press("escape")
        chat.submit("/strategy revert")
        await expect(pilot, lambda: "turn 1 folded by" not in shown(pilot), "no mark")
        door.strategies.next_memory = StrategyFailed("rolling-summary", "No model is there.")
        await ask(pilot, "and now?")
        await expect(pilot, lambda: "No model is there." in shown(pilot), "the failure")


@pytest.mark.parametrize("argument", ["preview", "memory now", "nonsense", "rolling-summary x", "revert all"])
async def test_a_strategy_command_with_wrong_words_is_refused(argument: str) -> None:
    with pytest.raises(UsageError) as refused:
        await StrategyCommands(FakeDoor(), UNICODE).run("strategy", argument)
    assert refused.value.hint


async def test_the_conversation_is_folded_at_once_when_asked_for() -> None:
    async with opened(FakeDoor(reply="yes")) as pilot:
        chat = chat_of(pilot)
        chat.submit("/compact")
        await expect(pilot, lambda: "There is nothing to fold yet." in shown(pilot), "the refusal")
        assert 1 == len(chat.said)
        for question in ("one?", "two?", "three?"):
            await ask(pilot, question)
        chat.submit("/smol the second")
        await expect(pilot, lambda: "turns 1–2 folded into a summary. /strategy memory" in shown(pilot), "the answer")
        assert "rolling-summary" == chat.door.strategies.name


class SlowModelDoor(FakeDoor):
    """Changes the model once that takes long has been said."""

    def __init__(self) -> None:
        super().__init__()
        self.was_said = asyncio.Event()

    async def set_model(self, name: str) -> ModelChanged:
        await self.was_said.wait()
        return await super().set_model(name)


async def test_a_model_that_has_to_be_asked_about_is_told_while_it_takes_long() -> None:
    door, said = SlowModelDoor(), list[str]()

    def say(words: str) -> None:
        said.append(words)
        door.was_said.set()

    commands = ModelCommands(door, say)
    assert "model navigator from the next turn on" == (await commands.run("model", "navigator")).said
    assert ["asking litellm what navigator is"] == said
    assert "navigator from" in (await commands.run("model", "navigator")).said
    assert 1 == len(said)
