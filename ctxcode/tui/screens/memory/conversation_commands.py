"""Carries out the commands about branches, undoing, the rolling window, single turns and the state anchor."""

from itertools import count
from typing import TYPE_CHECKING

from ctxcode.model.errors import UsageError
from ctxcode.model.naming.number import counted
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.screens.edit.words import some_paths, undone_words
from ctxcode.tui.screens.memory.commands import Answer
from ctxcode.tui.screens.memory.words import branches_text, payload_text, turn_text, turns_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_WINDOW_USAGE = "/context window N sends at most N turns; 0 sends all that fit"
_LISTED = 10


class ConversationCommands:
    """Commands as calls of the door.

    They raise UsageError for words that are off and CtxcodeError when the session refuses.
    """

    def __init__(self, door: Door) -> None:
        self._door = door
        self._runs: dict[str, Callable[[str], Awaitable[Answer]]] = {
            "branch": self._branch,
            "switch": self._switch,
            "branches": self._branches,
            "clear": self._clear,
            "rewind": self._rewind,
            "undo": self._undo,
            "diff": self._diff,
            "message": self._message,
            "state": self._state,
            "context window": self._window,
            "context show": self._show,
            "context rebuild": self._rebuild,
        }

    @property
    def names(self) -> frozenset[str]:
        """The commands that are carried out here; those of ``/context`` with their first word."""
        return frozenset(self._runs)

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        return await self._runs[name](argument)

    async def _branch(self, argument: str) -> Answer:
        words = argument.split()
        if not words or len(words) > 2:
            raise UsageError("Which name?", "/branch NAME forks here, /branch NAME 3 after turn 3")
        turn = _number(words[1], "/branch NAME TURN") if len(words) == 2 else None
        events = await self._door.conversation.fork(words[0], turn)
        return Answer(
            f"on branch {words[0]}, after turn {events[0].turn}; /switch {events[0].parent} goes back", events
        )

    async def _clear(self, argument: str) -> Answer:
        if argument:
            raise UsageError(f"/clear takes no {clean_line(argument, 40)!r}.", "/message remove N takes out one turn")
        conversation = self._door.conversation
        if not conversation.turns():
            return Answer("there is nothing to clear")
        known = {branch.name for branch in conversation.branches()}
        name = next(f"clear-{number}" for number in count(1) if f"clear-{number}" not in known)
        events = await conversation.fork(name, 0)
        return Answer(f"cleared; pins stay, and /switch {events[0].parent} brings the conversation back", events)

    async def _switch(self, argument: str) -> Answer:
        event = await self._door.conversation.switch(argument)
        turns = len(self._door.conversation.turns())
        return Answer(f"on branch {event.name}, {counted(turns, 'turn')}", (event,))

    async def _branches(self, argument: str) -> Answer:
        if argument:
            raise UsageError(f"/branches takes no {argument!r}.", f"/switch {argument} opens that branch.")
        return Answer(title="Branches", text=branches_text(self._door.conversation.branches()))

    async def _rewind(self, argument: str) -> Answer:
        conversation = self._door.conversation
        last = conversation.turns()[-1].number if conversation.turns() else 0
        if not argument:
            raise UsageError("Back to which turn?", f"/rewind N makes turn N the last one; the last one is {last}.")
        number = _number(argument, "/rewind N")
        event = await conversation.rewind(number)
        gone = counted(last - event.first + 1, "turn")
        return Answer(f"back after turn {number}: {gone} taken back", (event,))

    async def _undo(self, argument: str) -> Answer:
        edits = self._door.edits
        files = edits.undoable(of_last_turn=True)
        match argument:
            case "" if files:
                return Answer(
                    f"it changed {some_paths(files)}: /undo yes takes turn and edits back, /undo files the edits"
                )
            case "files":
                events = await edits.undo(of_last_turn=False)
                return Answer(undone_words(events), events)
            case "" | "yes":
                events = await edits.undo(of_last_turn=True) if files else ()
                if any(event.refused for event in events):
                    return Answer(f"{undone_words(events)}; the turn stays", events)
                taken = await self._door.conversation.undo()
                said = f"turn {taken.first} is taken back"
                return Answer(f"{said}; {undone_words(events)}" if events else said, (*events, taken))
        raise UsageError(
            f"/undo takes no {argument!r}.", "/undo, /undo yes, /undo files; /rewind N goes back to a turn"
        )

    async def _diff(self, argument: str) -> Answer:
        if argument:
            raise UsageError(f"/diff takes no {argument!r}.", "/diff shows all that this session has changed.")
        changes = await self._door.edits.changes()
        if not changes:
            return Answer("this session has changed no file")
        return Answer(title="Changes of this session", changes=changes)

    async def _message(self, argument: str) -> Answer:
        word, _, rest = argument.partition(" ")
        conversation = self._door.conversation
        match word or "list":
            case "list":
                limit = _number(rest, "/message list N") if rest.strip() else _LISTED
                return Answer(title="Turns", text=turns_text(conversation.turns(), limit))
            case "show":
                number = _number(rest, "/message show N")
                found = next((turn for turn in conversation.turns() if turn.number == number), None)
                if found is None:
                    raise UsageError(f"There is no turn {number} here.", "/message list shows the turns.")
                return Answer(title=f"Turn {number}", text=turn_text(found))
            case "remove":
                event = await conversation.remove_turn(_number(rest, "/message remove N"))
                return Answer(f"turn {event.turn} is no longer part of this branch", (event,))
        raise UsageError(
            f"/message knows no {clean_line(word, 40)!r}.", "/message list, /message show N, /message remove N"
        )

    async def _state(self, argument: str) -> Answer:
        conversation = self._door.conversation
        match argument.strip():
            case "":
                empty = "The model has noted nothing yet. /state edit writes it, /context rebuild asks the model to."
                return Answer(title="State", text=conversation.anchor or empty)
            case "edit":
                return Answer(title="State", text=conversation.anchor, save=self._save_state)
            case "clear":
                return Answer("the state is cleared", (await conversation.set_anchor(""),))
        raise UsageError(f"/state knows no {clean_line(argument, 40)!r}.", "/state, /state edit, /state clear")

    async def _save_state(self, text: str) -> Answer:
        event = await self._door.conversation.set_anchor(text)
        return Answer("the state is saved" if event.text else "the state is cleared", (event,))

    async def _window(self, argument: str) -> Answer:
        if not argument.isdecimal() or len(argument) > 6:
            raise UsageError(f"{argument!r} is no number of turns." if argument else "How many turns?", _WINDOW_USAGE)
        event = await self._door.conversation.set_window(int(argument))
        said = f"at most {counted(event.turns, 'turn')} of history" if event.turns else "all the history that fits"
        return Answer(f"{said} from the next message on", (event,))

    async def _show(self, argument: str) -> Answer:
        turns = self._door.conversation.turns()
        prompt = argument or (turns[-1].prompt if turns else "")
        plan, payload = await self._door.conversation.payload(prompt)
        return Answer(title=f"What would be sent: plan {plan.id[:8]}", text=payload_text(plan, payload))

    async def _rebuild(self, argument: str) -> Answer:
        if argument == "clear":
            return await self._state("clear")
        if argument:
            raise UsageError(f"/context rebuild takes no {argument!r}.", "/context rebuild, /context rebuild clear")
        event = await self._door.conversation.rebuild_anchor()
        return Answer("the model wrote the state anew; /state shows it", (event,))


def _number(text: str, usage: str) -> int:
    text = text.strip()
    if not text.isdecimal() or len(text) > 7:
        raise UsageError(f"{clean_line(text, 40)!r} is no number of a turn." if text else "Which turn?", usage)
    return int(text)
