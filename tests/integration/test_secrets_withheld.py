"""Secrets with everything real: they are in the repository, the prompt and the environment, and nowhere else."""

from contextlib import aclosing
from pathlib import Path

import pytest
from command import run_here
from made_up_keys import KEYS, RANDOM
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.event import ContextPlanned, Event, TurnStarted
from ctxcode.tui.format import withheld_words
from ctxcode.tui.state.fold import folded

pytestmark = LITELLM_WARNINGS
KEY = KEYS["GitHub"]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    repository = write_sample(tmp_path / "shop")
    (repository / ".env").write_text("SHOP_PASSWORD='tulip-mill-42'\nMODE=development\n")
    (repository / "shop/upload.py").write_text(
        f'def upload_invoice(path: str) -> str:\n    """Upload."""\n    token = "{KEY}"\n    return token + path\n'
    )
    return repository


def application(home: Path, repository: Path, server: ScriptedServer, **overrides: object) -> Application:
    wanted = {"model": "openai/script-echo", "api_base": server.base_url, "context_tokens": 32_000, "mode": "heavy"}
    environment = {**private_home(home), "SHOP_API_TOKEN": "rose-garden-1871"}
    app = open_application(repository, overrides={**wanted, **overrides}, environment=environment)
    app.adapters.indexer.refresh(lambda _done, _total, _phase: None, lambda: False)
    return app


def stored_bytes(app: Application) -> bytes:
    return b"".join(path.read_bytes() for path in app.directories.data.rglob("*.db*"))


async def turn(app: Application, prompt: str) -> list[Event]:
    async with aclosing(app.session(None).turn(prompt)) as events:
        return [event async for event in events]


async def test_a_request_and_the_journal_hold_no_secret_and_the_screen_says_so(
    tmp_path: Path, shop: Path, server: ScriptedServer
) -> None:
    app = application(tmp_path, shop, server)
    events = await turn(app, f"why does upload_invoice fail with tulip-mill-42, rose-garden-1871 and {KEYS['OpenAI']}?")
    sent = str(server.requests[-1].body)
    assert "[withheld: API key]" in sent
    stored = stored_bytes(app)
    for secret in (KEY, "tulip-mill-42", "rose-garden-1871", KEYS["OpenAI"]):
        assert secret not in sent
        assert secret.encode() not in stored
    (started,) = [event for event in events if isinstance(event, TurnStarted)]
    assert ("value of your environment", "value of your environment", "API key") == started.withheld
    (planned,) = [event for event in events if isinstance(event, ContextPlanned)]
    assert [("API key",)] == [one.kinds for one in planned.withheld]
    words = withheld_words(folded(events).turns[-1])
    assert words.startswith("withheld: value of your environment, API key in your message · API key in ")


async def test_the_user_may_turn_it_off_and_a_repository_may_not(
    tmp_path: Path, shop: Path, server: ScriptedServer
) -> None:
    await turn(application(tmp_path, shop, server, withhold_secrets=False), "how does upload_invoice work?")
    assert KEY in str(server.requests[-1].body)
    (shop / ".ctxcode.toml").write_text("withhold_secrets = false\n")
    outcome = run_here(tmp_path, "context", "upload", "--repo", str(shop))
    assert 1 <= outcome.code
    assert "can't be set by a repository" in outcome.err


def test_a_printed_plan_shows_the_mark_and_the_reason(tmp_path: Path, shop: Path) -> None:
    words = ("context", "how does upload_invoice work", "--repo", str(shop), "--mode", "heavy", "--format", "json")
    plan = run_here(tmp_path, *words, "--with-text").json()
    (item,) = [item for item in plan["items"] if item["symbol"] == "shop.upload.upload_invoice"]
    assert 'token = "[withheld: API key]"' in item["text"]
    assert {"type": "secret", "weight": 0.0, "detail": "API key"} == item["reasons"][0]
    shown = run_here(tmp_path, *words[:-1], "text").out
    assert "withheld: API key" in shown
    assert RANDOM not in shown


def test_indexing_lists_the_files_that_are_never_read(tmp_path: Path, shop: Path) -> None:
    shown = run_here(tmp_path, "index", str(shop)).out
    assert "skipped .env: secret" in shown
