"""Carries out the commands of the prompt that ask or change the session."""

from collections.abc import Sequence

from ctxcode.model.errors import UsageError
from ctxcode.model.event import Event
from ctxcode.model.ids import ItemId, file_item, symbol_item
from ctxcode.model.pin import Pin, PinKind
from ctxcode.model.plan import ContextMode
from ctxcode.model.symbol import Symbol
from ctxcode.session.door import Door
from ctxcode.tui.format import bare, pin_words
from ctxcode.tui.number import thousands
from ctxcode.tui.screens.context_pane import LEASE_TURNS

MIN_BUDGET = 500
_SHOWN = 4


class CommandRunner:
    """Commands with an argument as calls of the door. Each returns the event and what there is to say."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def run(self, name: str, argument: str) -> tuple[Event, str]:
        """Carry out ``mode``, ``model``, ``budget``, ``pin``, ``unpin`` or ``drop``.

        Raises UsageError for words that are off and CtxcodeError when the session refuses.
        """
        match name:
            case "mode":
                # The footer shows the modes for a moment; a sentence would say it twice.
                return await self._door.set_mode(_mode(argument)), ""
            case "model":
                if not argument:
                    raise UsageError(f"The model is {self._door.model.name!r}.", "/model NAME uses another one.")
                changed = await self._door.set_model(argument)
                return changed, f"model {changed.model} from the next turn on"
            case "budget":
                tokens = _budget(argument)
                return await self._door.set_budget(tokens), f"limit {thousands(tokens)} tokens"
            case "pin":
                item = await self._item(argument)
                pinned = await self._door.pin(item, PinKind.LEASED, LEASE_TURNS)
                pin = Pin(pinned.item, pinned.pin, pinned.turns_left, pinned.by)
                return pinned, f"{bare(item)}: {pin_words(pin)}"
            case "unpin":
                item = self._pinned(argument)
                return await self._door.unpin(item), f"{bare(item)} is no longer pinned"
            case "drop":
                item = await self._item(argument)
                return await self._door.drop(item), f"{bare(item)} is kept out; /pin or d in the overlay lets it in"
        raise UsageError(
            f"/context knows no {name!r}.", "/context opens the overlay, /context budget 8000 sets its limit."
        )

    async def _item(self, name: str) -> ItemId:
        """Return the item a name stands for: a symbol, or a file when it is a path."""
        if not name:
            raise UsageError("Which one?", "Give a name: /pin Query.join")
        found = await self._door.find(name)
        exact = [symbol for symbol in found if name in {symbol.id, symbol.dotted, symbol.qualname, symbol.path}]
        matching = exact or [symbol for symbol in found if symbol.name == name]
        # What only sounds alike is offered, never taken.
        matching = matching or [symbol for symbol in found if name.casefold() in str(symbol.id).casefold()]
        if not matching:
            near = f"Near it: {_names(found)}." if found else "Try part of the name, or Module.name."
            raise UsageError(f"Nothing here is called {name!r}.", near)
        if len(matching) > 1:
            names = _names(matching)
            more = f" and {len(matching) - _SHOWN} more" if len(matching) > _SHOWN else ""
            raise UsageError(f"{name!r} could be {names}{more}.", "Give the one you mean in full.")
        only = matching[0]
        return symbol_item(only.id) if only.qualname else file_item(only.path)

    def _pinned(self, name: str) -> ItemId:
        pins = self._door.pins()
        matching = [pin.item for pin in pins if name and name in {str(pin.item), bare(pin.item)}]
        matching = matching or [pin.item for pin in pins if name and name.casefold() in bare(pin.item).casefold()]
        if not matching:
            names = ", ".join(bare(pin.item) for pin in pins[:_SHOWN])
            wrong = f"No pin is called {name!r}." if name else "Which one?"
            raise UsageError(wrong, f"Pinned: {names}." if names else "Nothing is pinned.")
        if len(matching) > 1:
            names = ", ".join(bare(item) for item in matching[:_SHOWN])
            raise UsageError(f"{name!r} could be {names}.", "Give the one you mean in full.")
        return matching[0]


def _names(symbols: Sequence[Symbol]) -> str:
    """Return the shortest names that tell the first symbols apart."""
    shown = symbols[:_SHOWN]
    short = [symbol.qualname or symbol.path for symbol in symbols]
    return ", ".join(
        name if name and short.count(name) == 1 else symbol.dotted or str(symbol.id)
        for symbol, name in zip(shown, short, strict=False)
    )


def _mode(argument: str) -> ContextMode:
    wanted = argument.casefold()
    for mode in ContextMode:
        if wanted and mode.value.startswith(wanted):
            return mode
    wrong = f"{argument!r} is no context mode." if argument else "Which mode?"
    raise UsageError(wrong, "/mode off, /mode light or /mode heavy")


def _budget(argument: str) -> int:
    words = argument.casefold().replace(",", "").replace("_", "")
    scale = 1000 if words.endswith("k") else 1
    digits = words.removesuffix("k")
    tokens = int(digits) * scale if digits.isdecimal() and len(digits) < 9 else 0
    if tokens < MIN_BUDGET:
        wrong = f"{argument!r} is no limit." if argument else "Which limit?"
        raise UsageError(wrong, f"Give a number of tokens from {MIN_BUDGET} on: /context budget 8000")
    return tokens
