"""Sixty turns against the scripted model server: tools, pins, branches, models, all strategies; each request checked.

The conversation is held twice, in two places: the same plans, under the same ids.
"""

from collections import Counter
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sample_repository import write_sample
from scripted_exchange import Received
from scripted_model import LITELLM_WARNINGS, ScriptedServer, serving
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.llm.litellm_library import close_clients
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.event import ContextPlanned, TurnCompleted
from ctxcode.model.ids import ItemId, PlanId, SymbolId, file_item, symbol_item
from ctxcode.model.pin import PinKind
from ctxcode.session.session import Session

pytestmark = LITELLM_WARNINGS

LARGE, SMALL = "openai/script-companion", "openai/gpt-4"
"""The second one is in the price list, with a window of 8,192 tokens; the server plays ``companion`` for it too."""
QUESTIONS = (
    "look at how the cart adds up",
    "where is the tax",
    "look once more at Price.with_tax",
    "should cents be integers",
    "what does checkout return",
)


@dataclass
class Talk:
    """A conversation and all that was sent in it."""

    app: Application
    session: Session
    server: ScriptedServer
    asked: int = 0
    plan_ids: list[PlanId] = field(default_factory=list)
    checked: int = 0
    seen: Counter[str] = field(default_factory=Counter)

    async def turns(self, count: int) -> None:
        for _ in range(count):
            self.asked += 1
            await self.turn(f"{QUESTIONS[self.asked % len(QUESTIONS)]}, question {self.asked}?")

    async def turn(self, prompt: str) -> None:
        planned: list[ContextPlanned] = []
        async with aclosing(self.session.turn(prompt)) as events:
            async for event in events:
                if isinstance(event, ContextPlanned):
                    planned.append(event)
                if isinstance(event, TurnCompleted):
                    assert (StoppedBy.ANSWER, "") == (event.stopped_by, event.error)
        requests = self.server.requests[-len(planned) :]
        for event, request in zip(planned, requests, strict=True):
            await self.check(event, request, prompt)
        async with aclosing(self.session.strategies.settle()) as made:
            async for _ in made:
                self.seen["memories"] += 1
        self.seen["turns"] += 1

    async def check(self, planned: ContextPlanned, request: Received, prompt: str) -> None:
        """Check one request as the server got it against its plan and against what holds for every request."""
        plan = await self.session.plan(planned.plan_id)
        assert plan is not None
        assert ("", ()) == (plan.notice, plan.over_budget)
        count = self.app.adapters.counter_for(plan.tokenizer).count
        spent = sum(count(str(message.get("content") or "")) for message in request.messages)
        assert spent <= plan.tokens <= plan.limits.window_tokens
        assert plan.active_tokens <= plan.limits.budget_tokens <= 4 * self.session.budget_tokens
        assert "system" == request.messages[0]["role"]
        assert "system" not in [message["role"] for message in request.messages[1:]]
        newest = max(place for place, message in enumerate(request.messages) if message["role"] == "user")
        assert request.messages[newest]["content"].endswith(prompt)
        assert_no_orphans(request.messages)
        stored = self.app.adapters.journal.payload(plan.payload_hash) if plan.payload_hash else None
        assert stored is not None
        assert [m.content for m in stored.messages] == [str(m.get("content") or "") for m in request.messages]
        self.plan_ids.append(plan.id)
        self.seen[plan.strategy] += 1
        self.seen[plan.model] += 1
        self.checked += 1


def assert_no_orphans(messages: list[dict[str, Any]]) -> None:
    waiting: list[str] = []
    for before, message in zip([{"role": ""}, *messages], messages, strict=False):
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        assert [] == waiting
        assert (before["role"], message["role"]) not in {("user", "user"), ("system", "assistant")}
        waiting = [call["id"] for call in message.get("tool_calls", [])]
    assert [] == waiting


async def held(home: Path, server: ScriptedServer) -> Talk:
    """Hold the whole conversation."""
    write_sample(home / "shop")
    overrides: dict[str, object] = {"model": LARGE, "api_base": server.base_url}
    environment = private_home(home) | {"CTXCODE_STRATEGY": "sliding-window", "CTXCODE_TOOLS": "true"}
    app = open_application(home / "shop", overrides=overrides, environment=environment)
    talk = Talk(app, app.session(None), server)
    session = talk.session
    await talk.turns(6)
    await session.memory.keep(file_item("shop/price.py"), PinKind.STICKY)
    await session.memory.keep(symbol_item(SymbolId("shop/cart.py::Cart")), PinKind.LEASED, 3)
    await session.memory.note("Keep cents as integers.")
    await talk.turns(8)
    await session.conversation.set_window(4)
    await talk.turns(2)
    await session.conversation.set_window(0)
    await session.strategies.choose("rolling-summary")
    await talk.turns(10)
    assert session.strategies.memory is not None
    await session.conversation.fork("other", 20)
    await session.set_budget(1_200)
    await talk.turns(5)
    await session.conversation.undo()
    await session.conversation.switch("main")
    await session.set_budget(4_000)
    await session.set_model(SMALL)
    await talk.turns(6)
    await session.strategies.choose("entity-state")
    await talk.turns(6)
    await session.set_model(LARGE)
    await session.conversation.remove_turn(session.conversation.turns()[-3].number)
    await session.strategies.choose("dual-track")
    await talk.turns(6)
    await session.memory.keep(ItemId("turn:2"), PinKind.LEASED, 2)
    await session.strategies.choose("semantic-window")
    await talk.turns(6)
    talk.session = session = app.session(session.id)
    await talk.turns(5)
    return talk


async def test_sixty_turns_in_which_every_request_keeps_the_rules_twice_with_the_same_ids(tmp_path: Path) -> None:
    talks = []
    for name in ("first", "second"):
        async with serving(ScriptedServer(default_script="companion")) as server:
            try:
                talks.append(await held(tmp_path / name, server))
            finally:
                await close_clients()
    first, second = talks
    assert 60 == first.seen["turns"]
    assert first.checked > 75
    strategies = ("sliding-window", "rolling-summary", "entity-state", "dual-track", "semantic-window")
    assert all(first.seen[name] >= 6 for name in strategies), first.seen
    assert first.seen[SMALL] >= 12
    assert first.plan_ids == second.plan_ids
    assert len(set(first.plan_ids)) == len(first.plan_ids)
