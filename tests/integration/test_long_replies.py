"""Replies that are longer than the model may write at once, with everything real."""

from contextlib import aclosing
from pathlib import Path

from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.event import ContextPlanned, Event, ReplyContinued, ReplyFinished, ToolAnswered, TurnCompleted
from ctxcode.model.passing.event import ReplyChunked
from ctxcode.session.session import Session
from ctxcode.session.told import answer_object
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.state.fold import durable, folded
from ctxcode.tui.widgets.turn.tool_lines import tool_lines

pytestmark = LITELLM_WARNINGS

WHOLE = "The cart adds up the prices of its lines:\n\n```python\ntotal = 0\nreturn total\n```"


def session(home: Path, server: ScriptedServer, script: str, **overrides: object) -> Session:
    if not (home / "shop").exists():
        write_sample(home / "shop")
    wanted = {"model": f"openai/script-{script}", "api_base": server.base_url, "context_tokens": 64_000, **overrides}
    environment = {**private_home(home), "OPENAI_API_KEY": "sk-none"}
    return open_application(home / "shop", overrides=wanted, environment=environment).session(None)


async def turn(session: Session, prompt: str = "how does the cart compute what to pay") -> list[Event]:
    async with aclosing(session.turn(prompt)) as events:
        return [event async for event in events]


def over(events: list[Event]) -> TurnCompleted:
    last = events[-1]
    assert isinstance(last, TurnCompleted)
    return last


async def test_a_cut_reply_goes_on_without_a_seam(tmp_path: Path, server: ScriptedServer) -> None:
    talk = session(tmp_path, server, "chapters")
    events = await turn(talk)
    assert (StoppedBy.ANSWER, "") == (over(events).stopped_by, over(events).error)
    (reply,) = (event.text for event in events if isinstance(event, ReplyFinished))
    assert WHOLE == reply
    assert WHOLE == "".join(event.text for event in events if isinstance(event, ReplyChunked))
    assert "Goal: add up" == talk.conversation.anchor
    assert durable(folded(events)).turns == folded(talk.history()).turns


async def test_each_continuation_is_a_request_that_shows_the_reply_so_far(
    tmp_path: Path, server: ScriptedServer
) -> None:
    talk = session(tmp_path, server, "chapters")
    events = await turn(talk)
    assert 3 == len(server.requests) == len(await talk.plan_ids())
    last = server.requests[-1]
    assert ["user", "assistant", "user"] == [message["role"] for message in last.messages[-3:]]
    assert "The cart adds up the prices of its lines:\n\n```python\ntotal = 0\n" == last.messages[-2]["content"]
    assert str(last.messages[-1]["content"]).startswith("[ctxcode] Your reply above was cut")
    assert "none" == last.body["tool_choice"]
    plan = await talk.plan((await talk.plan_ids())[-1])
    assert plan is not None
    assert ["reply", "note"] == [item.id for item in plan.included][-2:]
    view = folded(events).turns[0]
    lines = tool_lines(view.rounds, view.notices, UNICODE).plain.split("\n")
    assert [f"· cut at the output limit, asked for the rest · {times} of 3" for times in (1, 2)] == lines


async def test_what_the_pieces_took_is_summed(tmp_path: Path, server: ScriptedServer) -> None:
    talk = session(tmp_path, server, "chapters")
    events = await turn(talk)
    used = [event.usage for event in events if isinstance(event, ReplyContinued | ReplyFinished)]
    made = answer_object(talk.id, talk.model.name, "main", talk.history())
    assert made["text"] == WHOLE
    assert isinstance(made["usage"], dict)
    assert sum(one.completion or 0 for one in used if one) == made["usage"]["completion"]
    assert used[0] is not None
    assert 0 < (used[0].completion or 0) < made["usage"]["completion"]


async def test_a_cap_ends_a_reply_where_it_is(tmp_path: Path, server: ScriptedServer) -> None:
    server.default_script = "length"
    first = session(tmp_path, server, "", model="openai/gpt-4o-mini")
    planned = next(event for event in await turn(first) if isinstance(event, ContextPlanned))
    assert planned.cost_estimate
    server.requests.clear()
    capped = session(tmp_path, server, "", model="openai/gpt-4o-mini", max_cost=str(planned.cost_estimate))
    events = await turn(capped)
    assert (StoppedBy.LIMIT, 1) == (over(events).stopped_by, len(server.requests))
    assert over(events).error.startswith("The rest of the reply was not asked for: $")
    assert "This goes on and" == folded(capped.history()).turns[0].reply


async def test_calls_that_were_cut_are_answered_and_never_run(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(session(tmp_path, server, "long-edit"))
    results = [event.result for event in events if isinstance(event, ToolAnswered)]
    assert ["invalid", "invalid"] == [result.status.value for result in results]
    assert all("output limit" in result.text for result in results)
    assert not (tmp_path / "shop/shop/new.py").exists()
    assert StoppedBy.ANSWER == over(events).stopped_by
    assert 2 == len(server.requests)
