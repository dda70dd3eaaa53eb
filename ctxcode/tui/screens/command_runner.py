"""Carries out the commands of the prompt that ask or change the session."""

from ctxcode.model.errors import UsageError
from ctxcode.model.event import Event
from ctxcode.model.plan import ContextMode
from ctxcode.session.door import Door
from ctxcode.tui.number import thousands

MIN_BUDGET = 500


class CommandRunner:
    """Commands with an argument as calls of the door. Each returns the event and what there is to say."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def run(self, name: str, argument: str) -> tuple[Event, str]:
        """Carry out ``mode`` or ``context budget``.

        Raises UsageError for words that are off and CtxcodeError when the session refuses.
        """
        match name:
            case "mode":
                # The footer shows the modes for a moment; a sentence would say it twice.
                return await self._door.set_mode(_mode(argument)), ""
            case "context budget":
                tokens = _budget(argument)
                return await self._door.set_budget(tokens), f"limit {thousands(tokens)} tokens"
        raise UsageError(
            f"/context knows no {name.removeprefix('context ')!r}.",
            "/context opens the overlay; /context budget 8000, window 5, show, rebuild",
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
