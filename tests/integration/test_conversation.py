"""Branches, undoing, the rolling window and the state anchor, with a real database and a scripted model server."""

from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.action.limits import Limits
from ctxcode.bootstrap.application import Application, open_application
from ctxcode.feedback.calibration import calibrations
from ctxcode.model.engine.event import ModelAsked
from ctxcode.model.errors import ModelError, UsageError
from ctxcode.model.event import Event, ReplyFinished
from ctxcode.model.ids import ItemId, SymbolId, symbol_item
from ctxcode.model.passing.event import ReplyChunked
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import PlanItem, ReasonType, Section
from ctxcode.session.session import Session

pytestmark = LITELLM_WARNINGS

TOTAL = symbol_item(SymbolId("shop/price.py::total_of"))


def application(home: Path, script: str, server: ScriptedServer) -> Application:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
    overrides: dict[str, object] = {"model": f"openai/script-{script}", "api_base": server.base_url}
    return open_application(repository, overrides=overrides, environment=private_home(home))


async def ask(session: Session, prompt: str) -> list[Event]:
    async with aclosing(session.turn(prompt)) as events:
        return [event async for event in events]


def prompts(session: Session) -> list[str]:
    return [turn.prompt for turn in session.conversation.turns()]


async def test_the_state_block_is_hidden_kept_sent_back_and_undone(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, "notes", server)
    session = app.session(None)
    events = await ask(session, "one")
    (reply,) = [event.text for event in events if isinstance(event, ReplyFinished)]
    assert ("Answer 1.", "Answer 1.") == (reply, "".join(e.text for e in events if isinstance(e, ReplyChunked)))
    assert "Goal: count\nResolved: 1" == session.conversation.anchor
    assert "---END STATE---" in server.requests[0].messages[0]["content"]
    await ask(session, "two")
    assert "Goal: count\nResolved: 1" in server.requests[1].messages[0]["content"]
    assert "Answer 1." == server.requests[1].messages[2]["content"]
    assert "Goal: count\nResolved: 2" == session.conversation.anchor
    plan = await session.preview("three")
    assert ["anchor"] == [item.id for item in plan.included if item.section is Section.ANCHOR]
    await session.conversation.undo()
    assert "Goal: count\nResolved: 1" == session.conversation.anchor == app.session(session.id).conversation.anchor
    await session.conversation.set_anchor("Goal: mine")
    assert "Goal: mine" in (await session.item_text(await anchor_row(session)))
    await session.conversation.set_anchor("")
    assert "" == session.conversation.anchor


async def anchor_row(session: Session) -> PlanItem:
    plan = await session.preview("next")
    return next(item for item in plan.included if item.section is Section.ANCHOR)


async def test_the_model_writes_the_state_anew_from_the_window(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "notes", server).session(None)
    with pytest.raises(UsageError):
        await session.conversation.rebuild_anchor()
    await ask(session, "one")
    known = len(session.conversation.turns())
    await session.conversation.rebuild_anchor()
    assert ("Goal: count\nResolved: 2", known) == (session.conversation.anchor, len(session.conversation.turns()))
    assert "one" == server.requests[1].messages[1]["content"]
    await session.set_model("openai/script-fixed")
    with pytest.raises(ModelError, match="old one stays"):
        await session.conversation.rebuild_anchor()
    assert "Goal: count\nResolved: 2" == session.conversation.anchor
    drafts = [event for event in session.history() if isinstance(event, ModelAsked)]
    assert ["openai/script-notes", "openai/script-fixed"] == [event.model for event in drafts]
    assert all(event.usage is not None and event.usage.prompt for event in drafts)
    assert sum(row.requests for row in calibrations([session.history()])) == 3


async def test_a_session_that_may_spend_no_more_asks_for_no_state(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "notes", server).session(None)
    await ask(session, "one")
    capped = replace(session.conversation, _limits=Limits(max_cost=0.0))
    with pytest.raises(UsageError, match="Nothing was sent"):
        await capped.rebuild_anchor()
    assert 1 == len(server.requests)


async def test_a_reply_without_a_block_keeps_the_old_state(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "notes", server).session(None)
    await ask(session, "one")
    await session.set_model("openai/script-fixed")
    await ask(session, "two")
    assert "Goal: count\nResolved: 1" == session.conversation.anchor


async def test_the_window_bounds_the_turns_that_are_sent(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "fixed", server).session(None)
    for number in range(5):
        await ask(session, f"question {number}")
    for window, sent in ((2, 2), (0, 5), (9, 5), (1, 1)):
        await session.conversation.set_window(window)
        plan = await session.preview("next")
        shown = [item.id for item in plan.included if item.section is Section.HISTORY]
        assert [f"turn:{number}" for number in range(6 - sent, 6)] == shown
        left = [item for item in plan.excluded if item.section is Section.HISTORY]
        assert {ReasonType.OUTSIDE_WINDOW} >= {item.reasons[0].type for item in left}
        assert 5 == len(shown) + len(left)


async def test_branches_have_their_own_turns_pins_and_state(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, "notes", server)
    session = app.session(None)
    await ask(session, "one")
    await ask(session, "two")
    await session.memory.keep(TOTAL, PinKind.LEASED, 3)
    await session.conversation.fork("other", 1)
    assert (["one"], "Goal: count\nResolved: 1") == (prompts(session), session.conversation.anchor)
    await session.memory.note("only here")
    await ask(session, "two, differently")
    assert ["one", "two, differently"] == prompts(session)
    sent = [message["content"] for message in server.requests[-1].messages]
    assert "two" not in sent
    await session.conversation.switch("main")
    assert (["one", "two"], [3]) == (prompts(session), [p.turns_left for p in session.pins() if p.item == TOTAL])
    assert not any(pin.text for pin in session.pins())
    assert [("main", True), ("other", False)] == [(b.name, b.is_open) for b in session.conversation.branches()]
    again = app.session(session.id)
    assert (prompts(session), session.pins()) == (prompts(again), again.pins())
    assert session.conversation.branches() == again.conversation.branches()


async def test_removing_a_turn_on_one_branch_leaves_it_on_the_other(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "fixed", server).session(None)
    for prompt in ("one", "two", "three"):
        await ask(session, prompt)
    await session.conversation.fork("other")
    await session.conversation.remove_turn(2)
    assert ["one", "three"] == prompts(session)
    await ask(session, "four")
    assert "two" not in [message["content"] for message in server.requests[-1].messages]
    await session.conversation.switch("main")
    assert ["one", "two", "three"] == prompts(session)
    await session.conversation.rewind(1)
    assert ["one"] == prompts(session)
    await session.conversation.switch("other")
    assert ["one", "three", "four"] == prompts(session)


async def test_what_makes_no_sense_is_refused_with_what_to_do(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "fixed", server).session(None)
    talk = session.conversation
    with pytest.raises(UsageError):
        await talk.undo()
    await ask(session, "one")
    for refused in (
        talk.rewind(1), talk.rewind(7), talk.remove_turn(2), talk.switch("main"), talk.switch("nowhere"),
        talk.fork("main"), talk.fork("a b"), talk.fork("../x"), talk.fork("x", 3), talk.set_anchor("x" * 9_000),
    ):  # fmt: skip
        with pytest.raises(UsageError):
            await refused


async def test_a_branch_is_not_left_or_rewritten_while_an_answer_is_on_its_way(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, "fixed", server).session(None)
    await ask(session, "one")
    async with aclosing(session.turn("two")) as events:
        await anext(events)
        for refused in (
            session.conversation.undo(),
            session.conversation.fork("x"),
            session.conversation.remove_turn(1),
        ):
            with pytest.raises(UsageError, match="on its way"):
                await refused
    await session.conversation.undo()


async def test_a_preview_of_the_payload_is_what_is_then_sent(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "notes", server).session(None)
    await ask(session, "one")
    await session.memory.keep(ItemId("file:shop/cart.py"), PinKind.STICKY)
    await session.refresh_index().aclose()
    plan, payload = await session.conversation.payload("two")
    assert payload is not None
    await ask(session, "two")
    expected = [(message.role, message.content) for message in payload.messages]
    assert expected == [(message["role"], message["content"]) for message in server.requests[-1].messages]
    assert plan.id == (await session.plan_ids())[-1]
