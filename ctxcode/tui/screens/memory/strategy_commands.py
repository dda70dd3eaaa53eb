"""Carries out the commands about strategies."""

from contextlib import aclosing
from typing import TYPE_CHECKING

from ctxcode.model.engine.event import StrategyRemembered
from ctxcode.model.errors import UsageError
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.memory.commands import Answer
from ctxcode.tui.screens.memory.strategy_words import difference_text, strategies_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_USAGE = "/strategy, /strategy NAME, /strategy preview NAME, /strategy memory, /strategy revert"


class StrategyCommands:
    """Commands as calls of the door.

    They raise UsageError for words that are off and CtxcodeError when the session refuses.
    """

    def __init__(self, door: Door, glyphs: Glyphs) -> None:
        self._door = door
        self._glyphs = glyphs
        self._runs: dict[str, Callable[[str], Awaitable[Answer]]] = {
            "strategy": self._strategy,
            "compact": self._compact,
        }

    @property
    def names(self) -> frozenset[str]:
        """The commands that are carried out here."""
        return frozenset(self._runs)

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        return await self._runs[name](argument)

    async def _strategy(self, argument: str) -> Answer:
        strategies = self._door.strategies
        word, _, rest = argument.partition(" ")
        match word:
            case "":
                return Answer(title="Strategies", text=strategies_text(await strategies.rows(), self._glyphs))
            case "preview":
                return await self._preview(rest.strip())
            case "memory" if not rest:
                return self._memory()
            case "revert" if not rest:
                event = await strategies.revert()
                return Answer("taken back; the turns it stood for are sent whole again", (event,))
        if rest:
            raise UsageError(f"/strategy knows no {clean_line(argument, 40)!r}.", _USAGE)
        chosen = await strategies.choose(word)
        return Answer(f"{chosen.name} from the next message on", (chosen,))

    async def _compact(self, focus: str) -> Answer:
        async with aclosing(self._door.strategies.compact(focus)) as events:
            made = [event async for event in events]
        notes = [event.note for event in made if isinstance(event, StrategyRemembered)]
        words = "; ".join(clean_line(note, 80) for note in notes)
        return Answer(f"{words}. /strategy memory shows it, /strategy revert takes it back", tuple(made))

    def _memory(self) -> Answer:
        strategies = self._door.strategies
        known = strategies.memory
        if known is None:
            return Answer(f"{strategies.name} remembers nothing of this branch yet")
        head = f"After turn {known.turn}" + (f", standing for the turns up to {known.through}" if known.through else "")
        return Answer(title=f"What {strategies.name} remembers", text=f"{head}:\n\n{known.text}")

    async def _preview(self, argument: str) -> Answer:
        name, _, typed = argument.partition(" ")
        turns = self._door.conversation.turns()
        prompt = typed.strip() or (turns[-1].prompt if turns else "")
        if not name:
            raise UsageError("Which strategy?", "/strategy preview NAME shows what it would change.")
        made = await self._door.strategies.preview(name, prompt)
        title = f"{self._door.strategies.name} {self._glyphs.arrow} {name}"
        return Answer(title=title, text=difference_text(made, self._glyphs))
