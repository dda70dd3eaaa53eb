"""Caps on a session with everything real: what would go over is not sent."""

from contextlib import aclosing
from pathlib import Path

from command import run_here
from model_thread import model_server
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.feedback.usage import spent_dollars
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.event import TurnCompleted
from ctxcode.session.session import Session

pytestmark = LITELLM_WARNINGS


def application(home: Path, server: ScriptedServer, **overrides: object) -> Application:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
    wanted = {"model": "openai/gpt-4o-mini", "api_base": server.base_url, "tools": False, **overrides}
    environment = {**private_home(home), "OPENAI_API_KEY": "sk-none"}
    return open_application(repository, overrides=wanted, environment=environment)


async def ended(session: Session, prompt: str = "how does the cart compute what to pay") -> TurnCompleted:
    async with aclosing(session.turn(prompt)) as events:
        all_events = [event async for event in events]
    last = all_events[-1]
    assert isinstance(last, TurnCompleted)
    return last


async def test_a_session_stops_at_its_cost_and_says_what_was_spent(tmp_path: Path, server: ScriptedServer) -> None:
    first = application(tmp_path, server).session(None)
    assert StoppedBy.ANSWER == (await ended(first)).stopped_by
    spent = spent_dollars(first.history())
    assert spent > 0
    capped = application(tmp_path, server, max_cost=str(spent * 1.1)).session(first.id)
    sent = len(server.requests)
    refused = await ended(capped)
    assert (StoppedBy.LIMIT, sent) == (refused.stopped_by, len(server.requests))
    assert refused.error.startswith(f"Nothing was sent: ${spent:,.4f} are spent")
    assert "--max-cost" in refused.hint
    again = application(tmp_path, server, max_cost="5").session(first.id)
    assert StoppedBy.ANSWER == (await ended(again)).stopped_by


async def test_a_session_stops_after_its_turns(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, max_turns="1").session(None)
    assert StoppedBy.ANSWER == (await ended(session)).stopped_by
    sent = len(server.requests)
    assert (StoppedBy.LIMIT, sent) == ((await ended(session)).stopped_by, len(server.requests))


async def test_a_question_that_does_not_fit_counts_as_no_turn(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, max_turns="1").session(None)
    assert StoppedBy.LIMIT == (await ended(session, "too long " * 60_000)).stopped_by
    stats, (row,) = await session.outcomes.stats(), await session.archive.sessions()
    assert (0, 0, (("not sent", 1),)) == (row.turns, stats.turns, stats.outcomes)
    assert StoppedBy.ANSWER == (await ended(session)).stopped_by
    stats, (row,) = await session.outcomes.stats(), await session.archive.sessions()
    assert (1, 1, 1) == (row.turns, stats.turns, len(server.requests))


async def test_a_cap_that_cannot_be_kept_is_said(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, model="openai/script-echo", max_cost="1").session(None)
    assert any("max_cost can't be kept" in notice for notice in await session.warm_up())


def test_a_headless_turn_says_that_its_cap_cannot_be_kept(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    with model_server() as server:
        words = ("--model", "openai/script-fixed", "--api-base", server.base_url, "--max-cost", "1")
        outcome = run_here(tmp_path, "ask", "x", "--repo", str(tmp_path / "shop"), *words)
    assert (0, True) == (outcome.code, "max_cost can't be kept" in outcome.err)


def test_a_cap_that_is_no_amount_is_refused(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    for words in (("--max-cost", "none"), ("--max-cost", "0"), ("--max-turns", "0")):
        assert 2 == run_here(tmp_path, "ask", "x", "--repo", str(tmp_path / "shop"), *words).code
