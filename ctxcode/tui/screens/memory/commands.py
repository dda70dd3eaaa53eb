"""Carries out the commands about pins, activation and tasks."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.model.edit.change import FileChange
from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.model.event import Event
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import Pin, PinKind
from ctxcode.session.door import Door
from ctxcode.tui.format import bare, quoted
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.memory.words import (
    Life,
    Lifetime,
    is_called,
    kept_words,
    mistaken_lifetime,
    named_lifetime,
    pin_name,
    pins_text,
    why_text,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command came to."""

    said: str = ""
    """One sentence for the status line."""
    events: tuple[Event, ...] = ()
    title: str = ""
    text: str = ""
    """A long text, to be shown in a dialog."""
    changes: tuple[FileChange, ...] = ()
    """A diff, to be shown in a dialog."""
    edit: Path | None = None
    """A file to open in the user's editor."""
    save: "Callable[[str], Awaitable[Answer]] | None" = None
    """Takes the text after the user has edited it in the dialog; None for a text that is only shown."""


class MemoryCommands:
    """Commands as calls of the door.

    They raise UsageError for words that are off and CtxcodeError when the session refuses.
    """

    def __init__(self, door: Door, glyphs: Glyphs) -> None:
        self._door = door
        self._glyphs = glyphs
        self._runs: dict[str, Callable[[str], Awaitable[Answer]]] = {
            "pin": self._pin,
            "unpin": self._unpin,
            "pins": self._pins,
            "add": self._add,
            "read-only": self._read_only,
            "drop": self._drop,
            "note": self._note,
            "why": self._why,
            "task": self._task,
        }

    @property
    def names(self) -> frozenset[str]:
        """The commands that are carried out here."""
        return frozenset(self._runs)

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        return await self._runs[name](argument)

    async def _pin(self, argument: str) -> Answer:
        name, lifetime = named_lifetime(argument)
        if not name:
            raise UsageError("Pin what?", "/pin Query.join, /pin path/to/file.py:10-20 sticky, /pin turn 3 task")
        try:
            item = await self._door.memory.item_named(name)
        except CtxcodeError as error:
            if wrong := mistaken_lifetime(name):
                raise wrong from error
            raise
        return await self._kept(item, lifetime)

    async def _add(self, argument: str) -> Answer:
        return await self._kept(await self._file(argument, "/add"), Lifetime(PinKind.STICKY))

    async def _read_only(self, argument: str) -> Answer:
        item = await self._file(argument, "/read-only")
        return await self._kept(item, Lifetime(PinKind.STICKY), is_read_only=True)

    async def _file(self, argument: str, command: str) -> ItemId:
        if not argument:
            raise UsageError("Which file?", f"{command} path/to/file.py")
        item = await self._door.memory.item_named(argument)
        if not item.startswith(("file:", "lines:")):
            raise UsageError(f"{argument!r} is no file.", f"/pin {argument} keeps a symbol.")
        return item

    async def _kept(self, item: ItemId, lifetime: Lifetime, *, is_read_only: bool = False) -> Answer:
        event = await self._door.memory.keep(
            item, lifetime.kind, lifetime.turns, for_task=lifetime.for_task, is_read_only=is_read_only
        )
        return Answer(kept_words(event), (event,))

    async def _unpin(self, argument: str) -> Answer:
        pin = self._pinned(argument)
        return Answer(f"{pin_name(pin)} is no longer pinned", (await self._door.unpin(pin.item),))

    async def _pins(self, argument: str) -> Answer:
        if argument:
            raise UsageError(f"/pins takes no {argument!r}.", "/pin NAME pins, /unpin NAME takes a pin away.")
        door = self._door
        return Answer(title="Pins", text=pins_text(door.pins(), door.suggested_pins(), door.memory.task, self._glyphs))

    async def _drop(self, argument: str) -> Answer:
        item = await self._door.memory.item_named(argument)
        if any(pin.item == item for pin in self._door.pins()):
            return Answer(f"{bare(item)} is no longer pinned", (await self._door.unpin(item),))
        said = f"{bare(item)} is kept out; /pin or d in the overlay lets it in"
        return Answer(said, (await self._door.drop(item),))

    async def _note(self, argument: str) -> Answer:
        event = await self._door.memory.note(argument)
        return Answer("noted: it is part of every request until you /unpin it", (event,))

    async def _why(self, argument: str) -> Answer:
        door = self._door
        if not argument:
            raise UsageError("Why what?", "/why Query.join tells what speaks for it")
        item = await door.memory.item_named(argument)
        plan_ids = await door.plan_ids()
        plan = await door.plan(plan_ids[-1]) if plan_ids else None
        pin = next((pin for pin in door.pins() if pin.item == item), None)
        life = Life(door.memory.activation(item), door.memory.cluster)
        return Answer(title="Why", text=why_text(item, pin, life, plan))

    async def _task(self, argument: str) -> Answer:
        memory = self._door.memory
        word, _, title = argument.partition(" ")
        match word:
            case "start":
                event = await memory.start_task(title)
                return Answer(f"task {quoted([event.title], self._glyphs)} began; /task done ends it", (event,))
            case "done":
                return Answer("the task is done; what was pinned for it is released", (await memory.finish_task(),))
            case "":
                return Answer(
                    f"task: {memory.task}" if memory.task else "no task is marked; /task start TITLE begins one"
                )
        raise UsageError(f"/task knows no {word!r}.", "/task start TITLE, /task done")

    def _pinned(self, name: str) -> Pin:
        pins = self._door.pins()
        matching = [pin for pin in pins if name and name in {str(pin.item), bare(pin.item), pin_name(pin)}]
        matching = matching or [pin for pin in pins if name and is_called(pin, name)]
        if not matching:
            names = ", ".join(pin_name(pin) for pin in pins[:_SHOWN])
            wrong = f"No pin is called {name!r}." if name else "Which one?"
            raise UsageError(wrong, f"Pinned: {names}." if names else "Nothing is pinned.")
        if len(matching) > 1:
            names = ", ".join(pin_name(pin) for pin in matching[:_SHOWN])
            raise UsageError(f"{name!r} could be {names}.", "Give the one you mean in full.")
        return matching[0]
