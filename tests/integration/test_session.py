"""A session with everything real: files, index, database, HTTP to a scripted model server."""

import asyncio
import json
import threading
from contextlib import aclosing
from pathlib import Path

import pytest
from sample_repository import write_sample, write_sample_of_four_languages
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.errors import UsageError
from ctxcode.model.event import ContextPlanned, DurableEvent, Event, ReplyFinished, TurnCompleted, TurnStarted
from ctxcode.model.ids import ItemId, SessionId, SymbolId, symbol_item
from ctxcode.model.passing.event import IndexRefreshed, ReplyChunked
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Section
from ctxcode.session.session import Session
from ctxcode.store.journal import SqliteJournal

pytestmark = LITELLM_WARNINGS

QUESTION = "how does the cart compute what to pay with tax"
CHECKOUT = symbol_item(SymbolId("shop/cart.py::Cart.checkout"))


def application(home: Path, model: str = "navigator", server: ScriptedServer | None = None) -> Application:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
    overrides: dict[str, object] = {"model": model}
    if server is not None:
        overrides["api_base"] = server.base_url
    return open_application(repository, overrides=overrides, environment=private_home(home))


async def turn(session: Session, prompt: str = QUESTION) -> list[Event]:
    async with aclosing(session.turn(prompt)) as events:
        return [event async for event in events]


def completed(events: list[Event]) -> TurnCompleted:
    last = events[-1]
    assert isinstance(last, TurnCompleted)
    return last


async def test_a_turn_tells_its_events_in_order_and_journals_them_first(tmp_path: Path) -> None:
    app = application(tmp_path)
    session = app.session(None)
    events = await turn(session)
    durable = [event for event in events if isinstance(event, DurableEvent)]
    kinds = [type(event).__name__ for event in durable]
    opening = ["TurnStarted", "SessionRenamed", "ContextPlanned"]
    assert [*opening, "ReplyFinished", "TurnReflected", "TurnCompleted"] == kinds
    assert tuple(durable) == app.adapters.journal.events(session.id)[1:]


async def test_the_model_gets_the_plans_payload_byte_for_byte(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, "openai/script-echo", server)
    session = app.session(None)
    events = await turn(session)
    assert (StoppedBy.ANSWER, "") == (completed(events).stopped_by, completed(events).error)
    planned = next(event for event in events if isinstance(event, ContextPlanned))
    plan = await session.plan(planned.plan_id)
    assert plan is not None
    assert plan.payload_hash is not None
    stored = app.adapters.journal.text(plan.payload_hash)
    assert json.loads(stored or "")["messages"] == server.requests[0].messages


async def test_the_reply_is_what_was_streamed_with_the_providers_usage(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "openai/script-markdown", server).session(None)
    events = await turn(session)
    streamed = "".join(event.text for event in events if isinstance(event, ReplyChunked))
    reply = next(event for event in events if isinstance(event, ReplyFinished))
    assert streamed == reply.text
    assert reply.usage is not None
    assert reply.usage.prompt is not None


async def test_the_next_turn_sends_the_turns_before_it(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "openai/script-markdown", server).session(None)
    await turn(session, "first question about the cart")
    await turn(session, "second question about prices")
    roles = [message["role"] for message in server.requests[1].messages]
    assert ["system", "user", "assistant", "user"] == roles
    assert "first question about the cart" == server.requests[1].messages[1]["content"]


async def test_a_cut_stream_keeps_the_text_and_is_marked(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "openai/script-cut", server).session(None)
    events = await turn(session)
    reply = next(event for event in events if isinstance(event, ReplyFinished))
    assert (StoppedBy.INTERRUPTED, True) == (completed(events).stopped_by, bool(reply.text))


async def test_a_failing_model_ends_the_turn_with_a_sentence(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, "openai/script-bad-key", server).session(None)
    outcome = completed(await turn(session))
    assert (StoppedBy.ERROR, True, True) == (outcome.stopped_by, bool(outcome.error), bool(outcome.hint))


async def test_closing_a_turn_interrupts_it_and_ends_the_request(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, "openai/script-drip", server)
    session = app.session(None)

    async def run() -> None:
        await turn(session)

    task = asyncio.create_task(run())
    await asyncio.wait_for(server.opened.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.hung_up.wait(), 5)
    last = app.adapters.journal.events(session.id)[-1]
    assert TurnCompleted(1, StoppedBy.INTERRUPTED) == last


class SlowDisk(SqliteJournal):
    """Writes the kind of event that is given once it is let."""

    def __init__(self, path: Path, slow: str) -> None:
        super().__init__(path)
        self.slow, self.reached, self.let = slow, threading.Event(), threading.Event()

    def append(self, session: SessionId, event: DurableEvent, at: float) -> None:
        if event.kind == self.slow:
            self.reached.set()
            self.let.wait(30)
        super().append(session, event, at)


@pytest.mark.parametrize("kind", [TurnStarted.kind, ReplyFinished.kind, TurnCompleted.kind])
async def test_a_turn_that_is_cancelled_twice_while_the_disk_is_slow_ends_in_order(tmp_path: Path, kind: str) -> None:
    session = application(tmp_path).session(None)
    with SlowDisk(next((tmp_path / "data").rglob("ctxcode.db")), kind) as journal:
        session._turns.ledger.journal = journal
        task = asyncio.create_task(turn(session))
        await asyncio.to_thread(journal.reached.wait, 60)
        for _ in range(2):
            task.cancel()
            await asyncio.sleep(0)
        journal.let.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        recorded = journal.events(session.id)
    assert session.history() == recorded
    ended = [
        type(event).__name__ for event in recorded if isinstance(event, TurnStarted | ReplyFinished | TurnCompleted)
    ]
    assert ["TurnStarted", *(["ReplyFinished"] if kind != TurnStarted.kind else []), "TurnCompleted"] == ended


@pytest.mark.parametrize("is_tool", [False, True])
async def test_closing_a_turn_ends_what_an_embedding_model_is_asked_for_it(
    tmp_path: Path, server: ScriptedServer, *, is_tool: bool
) -> None:
    write_sample(tmp_path / "shop")
    overrides: dict[str, object] = {
        "model": "openai/script-ask-in-words" if is_tool else "openai/script-echo",
        "api_base": server.base_url,
        "embedding_model": "openai/script-hang",
    }
    app = open_application(tmp_path / "shop", overrides=overrides, environment=private_home(tmp_path))
    session = app.session(None)
    # A question that names code is told by its words: there the model asks.
    task = asyncio.create_task(turn(session, "look at `Cart`" if is_tool else "how are sums rounded"))
    await asyncio.wait_for(server.embedding.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.hung_up.wait(), 10)
    assert TurnCompleted(1, StoppedBy.INTERRUPTED) == app.adapters.journal.events(session.id)[-1]


async def test_a_session_reopens_where_it_was(tmp_path: Path) -> None:
    first = application(tmp_path).session(None)
    await turn(first)
    await first.set_mode(ContextMode.HEAVY)
    await first.memory.keep(CHECKOUT, PinKind.STICKY)
    await first.set_budget(5000)
    again = application(tmp_path).session(first.id)
    assert (first.history(), first.pins()) == (again.history(), again.pins())
    assert (ContextMode.HEAVY, 5000) == (again.mode, again.budget_tokens)
    assert [first.id] == [row.id for row in await again.archive.sessions()]


async def test_a_preview_changes_nothing(tmp_path: Path) -> None:
    app = application(tmp_path)
    session = app.session(None)
    await turn(session)
    before = (session.history(), app.adapters.journal.plans())
    first, second = await session.preview(QUESTION), await session.preview(QUESTION)
    assert first == second
    assert before == (session.history(), app.adapters.journal.plans())


async def test_a_pin_leads_the_plan_and_a_drop_leaves_it(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    await turn(session)
    await session.memory.keep(CHECKOUT, PinKind.STICKY)
    plan = await session.preview("something about stock")
    assert [CHECKOUT] == [item.id for item in plan.included if item.section is Section.PIN]
    await session.drop(CHECKOUT)
    plan = await session.preview(QUESTION)
    assert CHECKOUT not in {item.id for item in plan.included}


async def test_a_pinned_symbol_that_is_gone_is_listed_as_stale(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    await turn(session)
    await session.memory.keep(CHECKOUT, PinKind.STICKY)
    (tmp_path / "shop/shop/cart.py").write_text("class Cart:\n    pass\n")
    await turn(session)
    plan = await session.plan((await session.plan_ids())[-1])
    assert plan is not None
    row = next(item for item in plan.items if item.id == CHECKOUT)
    assert (False, "stale") == (row.included, row.reasons[0].type.value)


async def test_a_pin_that_does_not_fit_stops_the_request_and_says_which(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    (tmp_path / "shop/shop/big.py").write_text("def big():\n" + "    x = 1\n" * 4000)
    await turn(session)
    await session.memory.keep(symbol_item(SymbolId("shop/big.py::big")), PinKind.STICKY)
    events = await turn(session)
    assert StoppedBy.LIMIT == completed(events).stopped_by
    assert "'big'" in completed(events).error
    assert not [event for event in events if isinstance(event, ReplyChunked)]


async def test_the_text_of_an_item_is_what_the_model_got(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    await turn(session)
    plan = await session.plan((await session.plan_ids())[-1])
    assert plan is not None
    item = next(item for item in plan.included if item.id == CHECKOUT)
    assert "def checkout(self) -> int:" in await session.item_text(item)
    left_out = [item for item in plan.excluded if item.path]
    assert all([await session.item_text(item) for item in left_out])


async def test_only_code_can_be_pinned_and_the_message_cannot_be_dropped(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    with pytest.raises(UsageError):
        await session.memory.keep(ItemId("message"), PinKind.STICKY)
    with pytest.raises(UsageError):
        await session.drop(ItemId("message"))
    with pytest.raises(UsageError):
        await session.set_budget(3)


async def test_refreshing_tells_how_far_it_is_and_what_it_found(tmp_path: Path) -> None:
    write_sample_of_four_languages(tmp_path / "shop")
    session = application(tmp_path).session(None)
    async with aclosing(session.refresh_index()) as events:
        told = [event async for event in events]
    last = told[-1]
    assert isinstance(last, IndexRefreshed)
    assert last.symbols > 20
    assert ["Cart"] == [symbol.name for symbol in await session.find("Cart")][:1]


async def test_go_on_reuses_what_was_found_for_the_question_before(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    first = next(event for event in await turn(session) if isinstance(event, ContextPlanned))
    second = next(event for event in await turn(session, "continue") if isinstance(event, ContextPlanned))
    plans = [await session.plan(event.plan_id) for event in (first, second)]
    assert plans[0] is not None
    assert plans[1] is not None
    assert plans[0].retrieval_id == plans[1].retrieval_id


async def test_turns_are_numbered_on(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    await turn(session)
    events = await turn(session)
    assert 2 == next(event.turn for event in events if isinstance(event, TurnStarted))
