"""Carries out ``/model``: what the model in use is like and how well its tokens are estimated, or another one."""

import asyncio
from collections.abc import Callable, Sequence

from ctxcode.model.conversation import ModelInfo
from ctxcode.model.engine.calibration import Calibration
from ctxcode.model.event import ModelChanged
from ctxcode.model.naming.number import counted
from ctxcode.model.pin import Pin
from ctxcode.model.plan import ContextPlan, ReasonType
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import bare, unfitting
from ctxcode.tui.number import thousands
from ctxcode.tui.screens.memory.commands import Answer

_SHOWN = 3
_SILENT_SECONDS = 0.5


class ModelCommands:
    """``/model`` as calls of the door. Raises CtxcodeError when the session refuses."""

    def __init__(self, door: Door, say: Callable[[str], object]) -> None:
        """Take the session, and what shows a sentence while something takes long."""
        self._door = door
        self._say = say

    @property
    def names(self) -> frozenset[str]:
        """The commands that are carried out here."""
        return frozenset({"model"})

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        del name
        door = self._door
        if not argument:
            return Answer(title="Model", text=model_text(door.model, await door.archive.calibrations()))
        changed = await self._changed(argument)
        said = f"model {clean_line(changed.model, 80)} from the next turn on"
        warning = pins_warning(await door.preview(""), door.pins())
        return Answer(f"{said}; {warning}" if warning else said, (changed,))

    async def _changed(self, name: str) -> ModelChanged:
        """Change the model; that litellm has to be asked about its provider, which may take seconds, is said."""
        changing = asyncio.ensure_future(self._door.set_model(name))
        try:
            await asyncio.wait({changing}, timeout=_SILENT_SECONDS)
            if not changing.done():
                self._say(f"asking litellm what {clean_line(name, 80)} is")
            return await changing
        finally:
            changing.cancel()


def pins_warning(plan: ContextPlan, pins: Sequence[Pin]) -> str:
    """Return which pins no longer fit; empty when all do."""
    if plan.over_budget:
        return f"but {unfitting(plan)}: nothing can be sent before it is unpinned or the model changed"
    pinned = {pin.item for pin in pins}
    out = [item for item in plan.excluded if item.id in pinned and item.reasons[0].type is ReasonType.BUDGET]
    if not out:
        return ""
    names = ", ".join(bare(item.title) for item in out[:_SHOWN]) + (" and more" if len(out) > _SHOWN else "")
    return f"but {counted(len(out), 'pin')} no longer {'fits' if len(out) == 1 else 'fit'}: {names}"


def model_text(model: ModelInfo, known: Sequence[Calibration]) -> str:
    """Return what is known of a model, and how its tokens were estimated and counted."""
    window = f"{thousands(model.context_tokens)} tokens, answers up to {thousands(model.max_output_tokens)}"
    if not model.is_known:
        window += " (a cautious guess: context_tokens in the settings says what it is)"
    lines = [clean_line(model.name, 120), f"window     {window}", f"tokenizer  {clean_line(model.tokenizer, 60)}"]
    prices = (model.input_cost_per_token, model.output_cost_per_token)
    if prices[0] is not None and prices[1] is not None:
        lines.append(f"price      ${prices[0] * 1e6:.2f} in, ${prices[1] * 1e6:.2f} out for a million tokens")
    own = next((row for row in known if row.model == model.name), None)
    said = "no request to it has been counted by its provider yet" if own is None else _calibration(own)
    lines.append(f"estimates  {said}")
    others = [row for row in known if row.model != model.name]
    lines += [
        f"{'other models' if not at else '':12} {row.model}: {_calibration(row)}" for at, row in enumerate(others)
    ]
    return "\n".join([*lines, "", "/model NAME uses another one; limits are never stretched by the factor"])


def _calibration(row: Calibration) -> str:
    figures = f"{thousands(row.estimated)} tokens estimated, {thousands(row.counted)} counted"
    return f"{counted(row.requests, 'request')}, {figures}: factor {row.factor:.3f}"
