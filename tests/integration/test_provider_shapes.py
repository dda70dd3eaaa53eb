"""Whole turns with models as they are: providers with protocols of their own, and servers that say things otherwise."""

from contextlib import aclosing
from pathlib import Path

import pytest
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from scripted_providers import SIGNATURE
from tmux_terminal import private_home

from ctxcode.action.reply import spoken
from ctxcode.bootstrap.application import open_application
from ctxcode.model.conversation import LoopPattern, LoopStage, StoppedBy
from ctxcode.model.event import Event, LoopNoticed, ReplyFinished, ToolAnswered, ToolsCalled, TurnCompleted
from ctxcode.model.passing.event import ReplyChunked
from ctxcode.session.session import Session

pytestmark = LITELLM_WARNINGS


def opened(home: Path, server: ScriptedServer, model: str, path: str = "/v1") -> Session:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
    wanted = {"model": model, "api_base": f"http://127.0.0.1:{server.port}{path}", "context_tokens": 64_000}
    return open_application(repository, overrides=wanted, environment=private_home(home)).session(None)


async def turn(session: Session) -> list[Event]:
    async with aclosing(session.turn("how does the cart compute what to pay")) as events:
        return [event async for event in events]


def statuses(events: list[Event]) -> list[str]:
    return [event.result.status.value for event in events if isinstance(event, ToolAnswered)]


def ended(events: list[Event]) -> TurnCompleted:
    last = events[-1]
    assert isinstance(last, TurnCompleted)
    return last


def replied(events: list[Event]) -> str:
    return next((event.text for event in events if isinstance(event, ReplyFinished)), "")


async def test_gemini_looks_things_up_and_gets_its_signature_back(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(opened(tmp_path, server, "gemini/gemini-3-pro-preview", "/v1beta"))
    assert (["ok"], StoppedBy.ANSWER) == (statuses(events), ended(events).stopped_by)
    assert replied(events).startswith("It is signed: ")
    assert "Prices" in replied(events)
    assert SIGNATURE in str(server.requests[1].body)


@pytest.mark.parametrize(
    ("name", "stopped_by", "said"),
    [
        ("gemini-safety", StoppedBy.ERROR, "I would"),
        ("gemini-blocked", StoppedBy.ERROR, ""),
        ("gemini-cut", StoppedBy.INTERRUPTED, "I would"),
    ],
)
async def test_gemini_says_why_a_reply_ended(
    tmp_path: Path, server: ScriptedServer, name: str, stopped_by: StoppedBy, said: str
) -> None:
    events = await turn(opened(tmp_path, server, f"gemini/{name}", "/v1beta"))
    assert (stopped_by, said) == (ended(events).stopped_by, replied(events))
    assert ("content filter" in ended(events).error) == (stopped_by is StoppedBy.ERROR)


async def test_a_call_gemini_could_not_read_itself_is_asked_for_again(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(opened(tmp_path, server, "gemini/gemini-malformed", "/v1beta"))
    assert (["invalid"], StoppedBy.ANSWER) == (statuses(events), ended(events).stopped_by)


async def test_anthropic_thinks_looks_things_up_and_answers(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(opened(tmp_path, server, "anthropic/claude-script", ""))
    assert (["ok"], StoppedBy.ANSWER) == (statuses(events), ended(events).stopped_by)
    assert replied(events).startswith("It says: ### shop/price.py")


async def test_thoughts_alone_are_asked_about_again(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "openai/script-hesitant")
    events = await turn(session)
    assert (StoppedBy.ANSWER, "Here it is.") == (ended(events).stopped_by, replied(events))
    assert [()] == [event.calls for event in events if isinstance(event, ToolsCalled)]
    assert "thoughts and nothing else" in server.requests[1].messages[-1]["content"]
    await turn(session)
    assert ["system", "user", "assistant", "user"] == [m["role"] for m in server.requests[2].messages]


async def test_thoughts_alone_end_the_turn_after_two_repairs(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(opened(tmp_path, server, "openai/script-thinker"))
    assert (StoppedBy.ERROR, 3) == (ended(events).stopped_by, len(server.requests))
    assert "thought" in ended(events).error
    assert not any(isinstance(event, LoopNoticed) for event in events)


async def test_thoughts_alone_after_a_tool_has_run_are_a_circle(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(opened(tmp_path, server, "openai/script-brooder"))
    noticed = [(event.pattern, event.stage, event.times) for event in events if isinstance(event, LoopNoticed)]
    idle = LoopPattern.IDLE
    assert [(idle, LoopStage.NUDGE, 3), (idle, LoopStage.ASK, 4), (idle, LoopStage.STOP, 5)] == noticed
    assert "none" == server.requests[-1].body["tool_choice"]
    assert (StoppedBy.ERROR, 7) == (ended(events).stopped_by, len(server.requests))


async def test_a_server_that_wants_thoughts_back_gets_the_field(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "openai/script-strict-thinker")
    events = await turn(session)
    assert (["ok"], StoppedBy.ANSWER) == (statuses(events), ended(events).stopped_by)
    assert 3 == len(server.requests)
    await turn(session)
    assert 5 == len(server.requests), "it is asked so at once from then on"


async def test_a_call_in_the_text_is_made_and_not_shown(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(opened(tmp_path, server, "openai/script-writes-calls"))
    assert (["ok", "repeated"], StoppedBy.ANSWER) == (statuses(events), ended(events).stopped_by)
    assert ["I look.\n\n"] * 2 == [event.said for event in events if isinstance(event, ToolsCalled)]
    assert "tool_call>" not in "".join(event.text for event in events if isinstance(event, ReplyChunked))
    called = [message["tool_call_id"] for message in server.requests[2].messages if message["role"] == "tool"]
    assert ["text00000", "text00001"] == called


async def test_a_thought_without_a_beginning_is_no_part_of_the_reply(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "openai/script-half-thinker")
    events = await turn(session)
    assert (StoppedBy.ANSWER, "It is in the cart.") == (ended(events).stopped_by, replied(events))
    await turn(session)
    assert "they want to know" not in str(server.requests[1].messages)


@pytest.mark.parametrize(
    "text", ["Write `</think>` at the end.", "```\n</think>\n```", "<think>\nx\n</think>\ny", "a </think> b"]
)
def test_a_reply_about_thoughts_stays_whole(text: str) -> None:
    assert text == spoken(text)


async def test_an_error_told_as_json_is_told_in_words(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(opened(tmp_path, server, "anthropic/claude-busy", ""))
    assert f'http://127.0.0.1:{server.port} failed with status 529: "Overloaded".' == ended(events).error
