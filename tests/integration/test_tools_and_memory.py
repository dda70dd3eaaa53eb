"""What a turn's tool calls leave behind: activation, items to pin, notes of the final reply only, branches."""

from contextlib import aclosing
from pathlib import Path

import pytest
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.engine.activation import SignalKind
from ctxcode.model.event import Event, ReplyFinished, ToolsCalled
from ctxcode.model.ids import ItemId, SymbolId, file_item, symbol_item
from ctxcode.model.passing.event import ReplyChunked
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import Section
from ctxcode.session.session import Session

pytestmark = LITELLM_WARNINGS

CHECKOUT = symbol_item(SymbolId("shop/cart.py::Cart.checkout"))
PRICE = file_item("shop/price.py")
RESULT = ItemId("tool:1.0.0")


@pytest.fixture
def session(tmp_path: Path, server: ScriptedServer) -> Session:
    repository = tmp_path / "shop"
    write_sample(repository)
    (repository / "link").symlink_to("/etc")
    wanted = {"model": "openai/script-notes-lookup", "api_base": server.base_url, "context_tokens": 64_000}
    return open_application(repository, overrides=wanted, environment=private_home(tmp_path)).session(None)


async def turn(session: Session, prompt: str) -> list[Event]:
    async with aclosing(session.turn(prompt)) as events:
        return [event async for event in events]


def signals(session: Session, item: ItemId) -> set[SignalKind]:
    found = session.memory.activation(item)
    return set(found.updates[-1].signals) if found is not None else set()


async def test_what_tools_were_asked_about_is_referenced_by_the_model(session: Session) -> None:
    await turn(session, "hello there")
    assert SignalKind.MODEL_REFERENCE in signals(session, CHECKOUT)
    assert SignalKind.MODEL_REFERENCE in signals(session, file_item("shop/price.py"))
    assert SignalKind.TOOL_ERROR not in signals(session, CHECKOUT)


async def test_only_the_final_replys_notes_are_kept_and_none_are_shown(
    session: Session, server: ScriptedServer
) -> None:
    events = await turn(session, "hello there")
    assert "Goal: late" == session.conversation.anchor
    shown = "".join(event.text for event in events if isinstance(event, ReplyChunked))
    (called,) = [event for event in events if isinstance(event, ToolsCalled)]
    (reply,) = [event.text for event in events if isinstance(event, ReplyFinished)]
    assert ("I look.", "Seen.", "I look.Seen.") == (called.said, reply, shown)
    assert "early" not in str(server.requests[1].messages)


async def test_a_tool_result_is_pinned_on_its_branch_and_goes_with_its_turn(
    session: Session, server: ScriptedServer
) -> None:
    await turn(session, "hello there")
    await session.memory.keep(RESULT, PinKind.STICKY)
    await session.conversation.fork("other")
    server.requests.clear()
    await turn(session, "and now")
    assert 'What request_code_context {"symbol": "Cart.checkout"} returned in turn 1' in str(server.requests[0].body)
    plan = await session.plan((await session.plan_ids())[-1])
    assert plan is not None
    assert [RESULT] == [item.id for item in plan.included if item.section is Section.PIN]
    await session.conversation.remove_turn(1)
    assert () == session.pins()
    await session.conversation.switch("main")
    assert [RESULT] == [pin.item for pin in session.pins()]
    assert [1] == [made.number for made in session.conversation.turns() if made.rounds]
    await session.conversation.undo()
    assert () == session.pins()


async def test_a_pinned_result_of_the_turn_that_is_going_on_is_sent_once(
    session: Session, server: ScriptedServer
) -> None:
    async with aclosing(session.turn("hello there")) as events:
        async for event in events:
            if isinstance(event, ToolsCalled):
                await session.memory.keep(RESULT, PinKind.STICKY)
    plan = await session.plan((await session.plan_ids())[-1])
    assert plan is not None
    assert [Section.TOOL_ATOM] == [item.section for item in plan.items if item.id == RESULT]
    assert "returned in turn 1" not in str(server.requests[1].body)


async def test_the_notes_are_made_anew_without_tools(session: Session, server: ScriptedServer) -> None:
    await turn(session, "hello there")
    server.requests.clear()
    server.default_script = "notes"
    await session.set_model("openai/script-notes")
    await session.conversation.rebuild_anchor()
    (request,) = server.requests
    assert "tools" not in request.body
    assert {"system", "user", "assistant"} == {message["role"] for message in request.messages}


async def test_notes_and_suggestions_by_tool_count_once_the_turn_completes_and_go_with_it(
    session: Session, server: ScriptedServer
) -> None:
    await session.set_model("openai/script-remember")
    events = await turn(session, "hello there")
    (reply,) = [event.text for event in events if isinstance(event, ReplyFinished)]
    assert "Not suggested: There is no definition 'Cart.refund_everything'." in reply
    assert "Not suggested: '.env' looks like a secret." in reply
    assert "Goal: lower the tax" == session.conversation.anchor
    assert [(CHECKOUT, "suggested by the model: what [31m to pay"), (PRICE, "suggested by the model: all prices")] == [
        (pin.item, pin.evidence) for pin in sorted(session.suggested_pins(), key=lambda pin: pin.item, reverse=True)
    ]
    assert () == session.pins()
    await session.memory.keep(PRICE, PinKind.STICKY)
    assert [CHECKOUT] == [pin.item for pin in session.suggested_pins()]
    server.requests.clear()
    await turn(session, "hello again")
    assert "Goal: lower the tax" in str(server.requests[0].messages[0]["content"])
    await session.conversation.rewind(0)
    assert ("", ()) == (session.conversation.anchor, session.suggested_pins())
