"""Capsules with everything real: the index, the journal, a scripted model; told in plans while the code is the same."""

import asyncio
import shutil
import sqlite3
from contextlib import aclosing, closing
from pathlib import Path

import pytest
from command import run_here
from sample_repository import write_sample
from scripted_capsules import KEY, SUMMARY
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, conversation_file, open_application
from ctxcode.feedback.usage import spent_dollars
from ctxcode.model.engine.capsule import Capsule, CapsuleSubject, Freshness, SubjectKind
from ctxcode.model.engine.event import CapsuleWritten, ModelAsked
from ctxcode.model.errors import ModelReplyError, UsageError
from ctxcode.model.event import ContextPlanned
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import ContextMode, PlanItem, ReasonType, Section
from ctxcode.session.session import Session

pytestmark = LITELLM_WARNINGS
SHOP = ItemId("capsule:folder:shop")


def application(home: Path, server: ScriptedServer, script: str = "summary", **overrides: object) -> Application:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
    wanted = {"model": f"openai/script-{script}", "api_base": server.base_url, **overrides}
    return open_application(repository, overrides=wanted, environment=private_home(home))


async def drafted(session: Session, words: str) -> Capsule:
    subject, focus = await session.capsules.subject(words)
    return await (await session.capsules.request(subject, focus)).send()


async def kept(session: Session, words: str) -> Capsule:
    draft = await drafted(session, words)
    return (await session.capsules.keep(draft, draft.text)).capsule


async def by_hand(session: Session, words: str, text: str) -> Capsule:
    subject, _ = await session.capsules.subject(words)
    return (await session.capsules.write(subject, text)).capsule


async def row(session: Session, item: ItemId = SHOP) -> PlanItem:
    """Return the capsule's row of the next plan, the files re-indexed as a turn does it."""
    await session.capsules.rows()
    return next(one for one in (await session.preview("how is tax added")).items if one.id == item)


async def sent(session: Session) -> str:
    _, payload = await session.conversation.payload("how is tax added")
    assert payload is not None
    return payload.messages[0].content


async def test_a_model_writes_a_capsule_from_the_outline_and_plans_tell_it(
    tmp_path: Path, server: ScriptedServer
) -> None:
    app = application(tmp_path, server)
    session = app.session(None)
    capsule = await kept(session, "shop mostly taxes")
    assert (SUMMARY, "openai/script-summary", 0.7) == (capsule.text, capsule.source, capsule.confidence)
    assert "mostly taxes" == capsule.focus
    assert ("shop/__init__.py", "shop/cart.py", "shop/price.py") == capsule.covered
    asked = server.requests[-1].messages
    assert "Confidence: " in asked[0]["content"]
    assert "Outline of shop/\nOf most interest: mostly taxes" in asked[1]["content"]
    assert "def checkout(self) -> int  Return what the customer has to pay, in cents." in asked[1]["content"]
    assert "Sends the cart to the server" not in asked[1]["content"]
    found = await row(session)
    assert (True, Section.SCAFFOLD, "capsule", "summary of shop/") == (
        found.included,
        found.section,
        found.kind,
        found.title,
    )
    assert "### Summary of shop/ by openai/script-summary, sure to 0.70" in await sent(session)
    assert f"> {SUMMARY}" in await sent(session)
    assert SUMMARY in await session.item_text(found)


async def test_every_session_and_the_command_line_tell_it_and_equal_questions_give_equal_plans(
    tmp_path: Path, server: ScriptedServer
) -> None:
    app = application(tmp_path, server)
    first = app.session(None)
    await kept(first, "shop")
    other = application(tmp_path, server).session(None)
    assert (await first.preview("how is tax added")).id == (await other.preview("how is tax added")).id
    assert (await row(other)).included
    app.adapters.journal.delete_session(first.id)
    assert (await row(other)).included
    repository = str(tmp_path / "shop")
    assert "summary of shop/" in run_here(tmp_path, "context", "how is tax added", "--repo", repository).out
    assert f"> {SUMMARY}" in run_here(tmp_path, "map", "--repo", repository).out


async def test_a_changed_file_makes_it_stale_at_once_and_renewing_it_fresh(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, server).session(None)
    await kept(session, "shop")
    path = tmp_path / "shop" / "shop" / "price.py"
    path.write_text(path.read_text(encoding="utf-8").replace("19", "7"), encoding="utf-8")
    found = await row(session)
    assert (False, ReasonType.STALE) == (found.included, found.reasons[0].type)
    assert SUMMARY not in await sent(session)
    assert SUMMARY == await session.item_text(found)
    await kept(session, "shop")
    assert (await row(session)).included
    (tmp_path / "shop" / "shop" / "new.py").write_text("NEW = 1\n", encoding="utf-8")
    assert Freshness.STALE is (await session.capsules.rows())[0].freshness
    shutil.rmtree(tmp_path / "shop" / "shop")
    (gone,) = await session.capsules.rows()
    assert Freshness.GONE is gone.freshness
    assert "its files are gone" == (await row(session)).reasons[0].subject
    with pytest.raises(UsageError, match="No file of 'shop/'"):
        await session.capsules.request(gone.capsule.subject, "")


async def test_a_capsule_row_is_dropped_and_restored_as_any_other(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server).session(None)
    await by_hand(session, "shop", "Carts and prices.")
    await session.drop(SHOP)
    found = await row(session)
    assert (False, ReasonType.DROPPED_BY_USER) == (found.included, found.reasons[0].type)
    assert "Carts and prices." not in await sent(session)
    await session.restore(SHOP)
    assert (await row(session)).included
    await session.set_mode(ContextMode.OFF)
    assert SHOP not in {item.id for item in (await session.preview("how is tax added")).items}


async def test_without_a_model_one_is_written_by_hand_and_removed(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, model="navigator").session(None)
    subject, _ = await session.capsules.subject("shop")
    with pytest.raises(UsageError, match="writes no summaries") as refused:
        await session.capsules.request(subject, "")
    assert "/capsule shop/ = TEXT" in refused.value.hint
    capsule = await by_hand(session, "paying: shop/cart.py total_of", f"Cart asks total_of. The key is {KEY}.")
    assert (SubjectKind.PROCESS, "paying") == (capsule.subject.kind, capsule.subject.name)
    assert ("shop/cart.py", "shop/price.py::total_of") == capsule.subject.parts
    assert ("shop/cart.py", "shop/price.py") == capsule.covered
    assert KEY not in capsule.text
    assert "### Summary of paying by the user" in await sent(session)
    await session.capsules.remove(capsule.item)
    assert () == await session.capsules.rows()
    with pytest.raises(UsageError, match="no such capsule"):
        await session.capsules.remove(capsule.item)


@pytest.mark.parametrize(
    ("words", "subject"),
    [
        ("shop", CapsuleSubject(SubjectKind.FOLDER, "shop")),
        ("./shop/", CapsuleSubject(SubjectKind.FOLDER, "shop")),
        (".", CapsuleSubject(SubjectKind.FOLDER, "")),
        ("tests/test_cart.py", CapsuleSubject(SubjectKind.FILE, "tests/test_cart.py")),
        ("price.py", CapsuleSubject(SubjectKind.FILE, "shop/price.py")),
        ("Cart.checkout", CapsuleSubject(SubjectKind.PROCESS, "Cart.checkout", ("shop/cart.py::Cart.checkout",))),
    ],
)
async def test_words_name_a_folder_a_file_or_a_symbol(
    tmp_path: Path, server: ScriptedServer, words: str, subject: CapsuleSubject
) -> None:
    session = application(tmp_path, server).session(None)
    assert (subject, "how it fails") == await session.capsules.subject(f"{words} how it fails")


@pytest.mark.parametrize(
    "words", ["", "nowhere", "shop/nowhere.py", "paying: ", "paying: shop", "paying: nothing", "x" * 90 + ": price.py"]
)
async def test_words_that_name_nothing_are_refused_with_what_to_do(
    tmp_path: Path, server: ScriptedServer, words: str
) -> None:
    session = application(tmp_path, server).session(None)
    with pytest.raises(UsageError) as refused:
        await session.capsules.subject(words)
    assert refused.value.hint


async def test_a_hostile_answer_becomes_a_short_quotation_without_secrets(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, server, "hostile-summary").session(None)
    capsule = await kept(session, "shop")
    assert ("openai/script-hostile-summary", 0.3) == (capsule.source, capsule.confidence)
    assert KEY not in capsule.text
    assert len(capsule.text) <= 900
    assert "---" not in capsule.text
    text = await sent(session)
    assert [0, 0, 1] == [text.count(one) for one in ("\x1b", "## Pinned", "### Summary of shop/")]
    assert "\n> Pinned" in text


async def test_an_answer_without_a_summary_is_refused_and_still_paid_for(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, server, "no-summary").session(None)
    with pytest.raises(ModelReplyError, match="no summary"):
        await drafted(session, "shop")
    assert () == await session.capsules.rows()
    (made,) = [event for event in session.history() if isinstance(event, ModelAsked)]
    assert made.usage is not None
    assert made.usage.prompt
    plan = await session.plan(made.plan_ids[0])
    assert plan is not None
    assert plan.payload_hash is not None


async def test_what_a_capsule_costs_is_known_before_and_counts_against_the_cap(
    tmp_path: Path, server: ScriptedServer
) -> None:
    environment = {**private_home(tmp_path), "OPENAI_API_KEY": "sk-none"}
    write_sample(tmp_path / "shop")
    wanted: dict[str, object] = {"model": "openai/gpt-4o-mini", "api_base": server.base_url}
    server.default_script = "summary"
    app = open_application(tmp_path / "shop", overrides=wanted, environment=environment)
    session = app.session(None)
    subject, _ = await session.capsules.subject("shop")
    request = await session.capsules.request(subject, "")
    assert request.bill.cost
    assert ("openai/gpt-4o-mini", 3) == (request.bill.model, request.bill.files)
    assert 0 == len(server.requests)
    await request.send()
    assert spent_dollars(session.history()) > 0
    capped = open_application(
        tmp_path / "shop", overrides={**wanted, "max_cost": str(request.bill.cost / 2)}, environment=environment
    )
    with pytest.raises(UsageError, match="Nothing was sent"):
        await capped.session(None).capsules.request(subject, "")
    assert 1 == len(server.requests)


async def test_a_request_that_is_cancelled_is_recorded_and_the_next_one_may_begin(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, server, "stall").session(None)
    subject, _ = await session.capsules.subject("shop")
    request = await session.capsules.request(subject, "")
    asking = asyncio.ensure_future(request.send())
    await server.opened.wait()
    with pytest.raises(UsageError, match="being written already"):
        await request.send()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await server.hung_up.wait()
    assert isinstance(session.history()[-1], ModelAsked)
    await session.set_model("openai/script-summary")
    assert (await kept(session, "shop")).text == SUMMARY


async def test_a_text_that_was_changed_before_it_was_kept_is_the_users(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server).session(None)
    draft = await drafted(session, "shop")
    event = await session.capsules.keep(draft, "# Prices\nand carts.")
    assert ("Prices and carts.", "user", 1.0) == (event.capsule.text, event.capsule.source, event.capsule.confidence)
    for wrong in ("", "x" * 901):
        with pytest.raises(UsageError):
            await session.capsules.keep(draft, wrong)
    again = session.open(session.id)
    assert [event.capsule] == [found.capsule for found in await again.capsules.rows()]


async def test_a_turn_after_it_is_told_and_replays_when_it_was_removed(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, server)
    session = app.session(None)
    await kept(session, "shop")
    async with aclosing(session.turn("how is tax added")) as events:
        happened = [event async for event in events]
    planned = next(event for event in happened if isinstance(event, ContextPlanned))
    await session.capsules.remove(SHOP)
    plan = app.adapters.journal.plan(planned.plan_id)
    assert plan is not None
    assert plan.payload_hash is not None
    payload = app.adapters.journal.payload(plan.payload_hash)
    assert payload is not None
    assert SUMMARY in payload.messages[0].content


async def test_without_capsules_no_event_is_read(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, server)
    session = app.session(None)
    await session.set_mode(ContextMode.HEAVY)
    assert () == app.adapters.journal.capsules()
    path = conversation_file(app.directories, tmp_path / "shop")
    query = "SELECT body FROM event WHERE kind IN ('capsule-written', 'capsule-removed') ORDER BY id"
    with closing(sqlite3.connect(path)) as connection:
        steps = " ".join(str(row[-1]) for row in connection.execute(f"EXPLAIN QUERY PLAN {query}"))
    assert "event_of_capsules" in steps
    assert "SCAN event\n" not in f"{steps}\n"
    assert not any(isinstance(event, CapsuleWritten) for event in session.history())
