"""What sessions came to, from real turns against a scripted model."""

from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from command import run_here
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.engine.activation import UseKind
from ctxcode.model.errors import UsageError
from ctxcode.model.event import Mark
from ctxcode.session.session import Session
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.screens.pages.stats import stats_text

pytestmark = LITELLM_WARNINGS


def session(home: Path, server: ScriptedServer, script: str) -> Session:
    if not (home / "shop").exists():
        write_sample(home / "shop")
    wanted = {"model": f"openai/script-{script}", "api_base": server.base_url, "context_tokens": 64_000}
    app = open_application(home / "shop", overrides=wanted, environment=private_home(home))
    app.adapters.indexer.refresh(lambda *_: None, lambda: False)
    return replace(app, edits=EditPolicy.ALLOW).session(None)


async def ask(session: Session, prompt: str = "how does total_of add up what the cart has to pay") -> None:
    async with aclosing(session.turn(prompt)) as events:
        async for _ in events:
            pass


async def test_a_lookup_counts_tools_sections_and_what_was_used(tmp_path: Path, server: ScriptedServer) -> None:
    talk = session(tmp_path, server, "lookup")
    await ask(talk)
    stats = await talk.outcomes.stats()
    assert (1, 1, (("answer", 1),)) == (stats.sessions, stats.turns, stats.outcomes)
    (model,) = stats.models
    assert ("openai/script-lookup", 1, 3, 3, 3) == (
        model.model,
        model.turns,
        model.requests,
        model.measured,
        model.unpriced,
    )
    calls = {tool.tool: (tool.calls, tool.errors) for tool in stats.tools}
    assert {"request_code_context": (1, 0), "read_file": (1, 0), "search_code": (1, 0)} == calls
    assert {"system", "tools", "touchpoint", "message", "tool-atom"} <= {row.section for row in stats.sections}
    shown = stats_text(stats, UNICODE)
    assert not any(inner in shown for inner in ("touchpoint", "tool-atom"))
    assert all(f"  {said}\n" in shown for said in ("system prompt", "retrieved", "your message", "tool results"))
    assert len(server.requests) == model.requests
    assert model.estimated == sum(row.tokens for row in stats.sections)
    assert 0 < stats.used_items <= stats.shown_items
    used = {str(row.item): dict(row.ways) for row in stats.used}
    assert UseKind.NAMED in used["symbol:shop/price.py::total_of"]
    assert any(UseKind.READ in ways for item, ways in used.items() if "Cart" in item)
    assert any("total_of" in row.promotion.item and not row.is_leased for row in stats.promotions)


async def test_an_edit_counts_as_the_use_of_what_it_changed(tmp_path: Path, server: ScriptedServer) -> None:
    talk = session(tmp_path, server, "edit")
    await ask(talk)
    stats = await talk.outcomes.stats()
    assert (("applied", 2),) == stats.edits
    used = {str(row.item): dict(row.ways) for row in stats.used}
    assert 1 == used["symbol:shop/price.py::total_of"][UseKind.EDITED]
    await talk.edits.undo(of_last_turn=False)
    assert (("undone", 2),) == (await talk.outcomes.stats()).edits


async def test_marks_count_once_and_can_be_taken_back(tmp_path: Path, server: ScriptedServer) -> None:
    talk = session(tmp_path, server, "fixed")
    with pytest.raises(UsageError, match="no reply to mark"):
        await talk.outcomes.mark(Mark.GOOD)
    await ask(talk)
    await talk.outcomes.mark(Mark.GOOD)
    await talk.outcomes.mark(Mark.BAD, "wrong file")
    stats = await talk.outcomes.stats()
    assert (0, 1, 1) == (stats.good, stats.bad, stats.models[0].bad)
    await talk.outcomes.mark(Mark.NONE)
    stats = await talk.outcomes.stats(everything=True)
    assert (0, 0) == (stats.good, stats.bad)


async def test_the_command_prints_all_sessions_or_one(tmp_path: Path, server: ScriptedServer) -> None:
    first, second = session(tmp_path, server, "lookup"), session(tmp_path, server, "fixed")
    for talk in (first, second):
        await ask(talk)
    repository = str(tmp_path / "shop")
    made = run_here(tmp_path, "stats", "--repo", repository, "--format", "json").json()
    assert (2, 2) == (made["sessions"], made["turns"])
    one = run_here(tmp_path, "stats", first.id, "--repo", repository, "--format", "json").json()
    assert ["openai/script-lookup"] == [row["model"] for row in one["models"]]
    text = run_here(tmp_path, "stats", "--repo", repository)
    assert 0 == text.code
    assert text.out.startswith("2 turns in 2 sessions: 2 answered")
    assert "code shown, then used" in text.out


def test_without_a_session_there_is_one_sentence(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    assert run_here(tmp_path, "stats", "--repo", str(tmp_path / "shop")).out.startswith("Nothing was asked yet.")
