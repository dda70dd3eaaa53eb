"""Thirty-two ways a model server misbehaves, streaming and not: what the user sees, what the model is told later."""

import tomllib
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, SCRIPTS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.llm.catalogue import Catalogue
from ctxcode.llm.navigator.responder import Navigator
from ctxcode.llm.retry import Deadlines, RetryPolicy
from ctxcode.model.event import TurnCompleted
from ctxcode.session.session import Session
from ctxcode.tui.state.fold import folded

pytestmark = LITELLM_WARNINGS

TABLE = tomllib.loads((Path(__file__).parents[1] / "golden" / "model_faults.toml").read_text(encoding="utf-8"))
SILENT = {"stall", "hang", "hang-after-head"}
"""Those that end at a deadline, which is a short one for them."""
TOO_LONG = {"overflow", "too-long"}
"""Those that send a shorter request: without tools, whose schemas no request can leave out."""
PATIENT = Deadlines(connect_seconds=30.0, first_token_seconds=60.0, idle_seconds=60.0, total_seconds=120.0)
SHORT = Deadlines(connect_seconds=30.0, first_token_seconds=0.6, idle_seconds=0.6, total_seconds=60.0)
KEY = "sk-canary-of-the-fault-table"


@dataclass(frozen=True)
class Fault:
    """What is expected of one fault."""

    stopped_by: str
    text: str
    says: str
    requests: int


def expected(name: str, *, streams: bool) -> Fault:
    row = {key: value for key, value in TABLE[name].items() if key not in ("what", "whole")}
    return Fault(**row) if streams else Fault(**{**row, **TABLE[name].get("whole", {})})


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("faults")
    write_sample(made / "shop")
    return made


def session_with(home: Path, server: ScriptedServer, name: str) -> Session:
    model = f"openai/script-{name}"
    wanted = {"model": model, "api_base": server.base_url, "context_tokens": 64_000}
    app = open_application(home / "shop", overrides=wanted, environment=private_home(home))
    catalogue = Catalogue(
        api_base=server.base_url,
        context_tokens=64_000,
        tools=False if name in TOO_LONG else None,
        environment={"OPENAI_API_KEY": KEY},
        navigator=lambda: Navigator(app.adapters.graph, app.adapters.workspace.read_text),
        deadlines=SHORT if name in SILENT else PATIENT,
        retry=RetryPolicy(first_pause_seconds=0.01, refused_pause_seconds=0.01),
    )
    return replace(app, adapters=replace(app.adapters, catalogue=catalogue)).session(None)


async def ended(session: Session, prompt: str) -> TurnCompleted:
    async with aclosing(session.turn(prompt)) as events:
        last = [event async for event in events][-1]
    assert isinstance(last, TurnCompleted)
    return last


def test_there_are_thirty_two_faults_and_a_script_for_each() -> None:
    assert 32 == len(TABLE)
    assert set() == set(TABLE) - set(SCRIPTS)


@pytest.mark.parametrize("streams", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("name", TABLE)
async def test_a_fault_is_told_once_and_the_conversation_goes_on(
    home: Path, server: ScriptedServer, name: str, *, streams: bool
) -> None:
    server.streams = streams
    want = expected(name, streams=streams)
    session = session_with(home, server, name)
    over = await ended(session, "where is Cart?")
    turn = folded(session.history()).turns[0]
    assert want == Fault(over.stopped_by.value, turn.reply[: len(want.text) or None], want.says, len(server.requests))
    assert want.says in over.error
    assert bool(want.says) == bool(over.error)
    assert KEY not in over.error + over.hint

    server.requests.clear()
    await session.set_model("openai/script-fixed")
    again = await ended(session, "and where is total_of?")
    assert "answer" == again.stopped_by.value
    messages = [str(message["content"]) for message in server.requests[-1].messages]
    assert not want.text or any(want.text.strip() in text for text in messages[:-1])
    assert all(message.get("tool_calls") is None or name == "long-call" for message in server.requests[-1].messages)
