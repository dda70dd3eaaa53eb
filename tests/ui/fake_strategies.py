"""The strategies part of the fake door, over the same fold a real session uses."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from ctxcode.model.engine.difference import PlanDifference, SettingChange
from ctxcode.model.engine.event import StrategyChosen, StrategyRemembered, StrategyReverted
from ctxcode.model.engine.strategy import StrategyMemory, StrategyRow
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import PlanId
from ctxcode.model.passing.event import StrategyFailed
from ctxcode.model.plan import ContextMode
from ctxcode.session.state import SessionState, folded

if TYPE_CHECKING:
    from ui.fake_door import FakeDoor

NAMES = ("sliding-window", "rolling-summary")


class FakeStrategies:
    """Strategies, as far as the screens ask; ``next_memory`` is what the next turn leaves behind."""

    def __init__(self, door: "FakeDoor") -> None:
        self._door = door
        self.next_memory: StrategyRemembered | StrategyFailed | None = None

    @property
    def _state(self) -> SessionState:
        return folded(SessionState(ContextMode.LIGHT, "gpt-x", 8_000), self._door.history())

    @property
    def name(self) -> str:
        return self._state.strategy

    @property
    def memory(self) -> StrategyMemory | None:
        return self._state.branch.memory(self.name)

    async def rows(self) -> tuple[StrategyRow, ...]:
        rows = [StrategyRow(name, f"What {name} does.", name == self.name, settings="folds 5") for name in NAMES]
        return (*rows, StrategyRow("broken", "it has no docstring", is_usable=False))

    async def choose(self, name: str) -> StrategyChosen:
        if name not in NAMES:
            raise UsageError(f"There is no strategy {name!r}.", "/strategy lists them.")
        event = StrategyChosen(name)
        self._door.record(event)
        return event

    async def preview(self, name: str, prompt: str) -> PlanDifference:
        plan = await self._door.preview(prompt)
        setting = SettingChange("strategy", self.name, name)
        return PlanDifference(plan.id, PlanId("other"), (plan.tokens, 99), (0, 0), (setting,), (), 3, 0)

    async def revert(self) -> StrategyReverted:
        event = StrategyReverted(self.name)
        self._door.record(event)
        return event

    async def compact(self, focus: str) -> AsyncGenerator[StrategyRemembered | StrategyChosen, None]:
        turns = self._state.branch.turns
        if len(turns) < 2:
            raise UsageError("There is nothing to fold yet.", "/compact folds all turns but the newest.")
        note = f"turns 1–{len(turns) - 1} folded into a summary"
        event = StrategyRemembered("rolling-summary", "main", len(turns), focus or "all", len(turns) - 1, note)
        self._door.record(event)
        yield event
        yield await self.choose("rolling-summary")

    async def settle(self) -> AsyncGenerator[StrategyRemembered | StrategyFailed, None]:
        event, self.next_memory = self.next_memory, None
        if isinstance(event, StrategyRemembered):
            self._door.record(event)
        if event is not None:
            yield event
