"""The tool loop with everything real: files, index, database, HTTP to a scripted model that behaves or not."""

import asyncio
import json
from contextlib import aclosing
from pathlib import Path

import pytest
from sample_repository import write_sample, write_sample_of_four_languages
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from scripted_tools import BROKEN_CALLS
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.chat import DelayReason
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    Event,
    LoopNoticed,
    ReplyContinued,
    ReplyFinished,
    ToolAnswered,
    ToolsCalled,
)
from ctxcode.model.event import TurnCompleted as Completed
from ctxcode.model.passing.event import IndexAwaited, ReplyBegun, ReplyChunked, ReplyDelayed
from ctxcode.model.plan import Section
from ctxcode.session.plans.replay import replayed
from ctxcode.session.session import Session
from ctxcode.session.told import answer_object
from ctxcode.tui.state.fold import durable, folded

pytestmark = LITELLM_WARNINGS


def application(home: Path, server: ScriptedServer, script: str, **overrides: object) -> Application:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
        (home / "outside.txt").write_text("root:x:0:0\n")
        (repository / ".env").write_text("TOKEN=root:\n")
        (repository / "link").symlink_to("/etc")
        (repository / "shop/long.py").write_text("".join(f"x{n} = 'line of code'\n" for n in range(1000)))
    wanted = {"model": f"openai/script-{script}", "api_base": server.base_url, "context_tokens": 64_000, **overrides}
    return open_application(repository, overrides=wanted, environment=private_home(home))


async def turn(session: Session, prompt: str = "how does the cart compute what to pay") -> list[Event]:
    async with aclosing(session.turn(prompt)) as events:
        return [event async for event in events]


def statuses(events: list[Event]) -> list[str]:
    return [event.result.status.value for event in events if isinstance(event, ToolAnswered)]


def completed(events: list[Event]) -> Completed:
    last = events[-1]
    assert isinstance(last, Completed)
    return last


def assert_pairs(server: ScriptedServer) -> None:
    """Every request the server got answers each call right after it."""
    for request in server.requests:
        waiting: list[str] = []
        for message in request.messages:
            if message["role"] == "tool":
                assert message["tool_call_id"] == waiting.pop(0)
                continue
            assert [] == waiting
            waiting = [call["id"] for call in message.get("tool_calls", [])]
            assert all(isinstance(json.loads(c["function"]["arguments"]), dict) for c in message.get("tool_calls", []))
        assert [] == waiting


async def test_a_turn_looks_things_up_and_answers(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, server, "lookup")
    session = app.session(None)
    events = await turn(session)
    assert (StoppedBy.ANSWER, ["ok", "ok", "ok"]) == (completed(events).stopped_by, statuses(events))
    lasting = [event for event in events if isinstance(event, DurableEvent)]
    kinds = [type(event).__name__ for event in lasting]
    one, two = ["ContextPlanned", "ToolsCalled", "ToolAnswered"], ["ContextPlanned", "ToolsCalled", "ToolAnswered"]
    ending = ["ContextPlanned", "ReplyFinished", "TurnReflected", "TurnCompleted"]
    assert ["TurnStarted", "SessionRenamed", *one, *two, "ToolAnswered", *ending] == kinds
    assert tuple(lasting) == app.adapters.journal.events(session.id)[1:]
    assert 3 == len(server.requests)
    assert "Let me look at the cart." == server.requests[2].messages[2]["content"]
    assert_pairs(server)


async def test_every_request_has_its_plan_and_the_plan_its_bytes(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, server, "lookup")
    session = app.session(None)
    await turn(session)
    plan_ids = await session.plan_ids()
    assert 3 == len(set(plan_ids)) == len(server.requests)
    for plan_id, request in zip(plan_ids, server.requests, strict=True):
        plan = await session.plan(plan_id)
        assert plan is not None
        stored = json.loads(app.adapters.journal.text(plan.payload_hash) or "") if plan.payload_hash else {}
        assert (request.messages, request.body["tools"]) == (stored["messages"], stored["tools"])
        replay = replayed(plan, app.adapters.journal, app.adapters.workspace)
        assert (True, stored) == (replay.is_intact, replay.payload.wire)
        assert Section.TOOLS in {item.section for item in plan.included}
    assert plan is not None
    assert ["tool:1.0.0", "tool:1.1.0", "tool:1.1.1"] == [
        item.id for item in plan.included if item.section is Section.TOOL_ATOM
    ]
    assert "read_file" in next(item.title for item in plan.included if item.id == "tool:1.1.0")


async def test_calls_and_results_survive_a_reopen_and_go_on_as_history(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "lookup").session(None)
    events = await turn(session)
    again = application(tmp_path, server, "lookup").session(session.id)
    assert session.history() == again.history()
    assert durable(folded(events)).turns[0].rounds == folded(again.history()).turns[0].rounds
    server.requests.clear()
    await turn(again, "and now?")
    roles = [message["role"] for message in server.requests[0].messages]
    assert ["system", "user", "assistant", "tool", "assistant", "tool", "tool", "assistant", "user"] == roles
    assert all(len(m["content"]) <= 300 for m in server.requests[0].messages if m["role"] == "tool")
    assert_pairs(server)


async def test_the_answer_object_tells_the_calls(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "lookup").session(None)
    await turn(session)
    made = answer_object(session.id, session.model.name, session.conversation.branch, session.history())
    calls = made["tool_calls"]
    assert isinstance(calls, list)
    assert {"name": "request_code_context", "arguments": {"symbol": "Cart.checkout"}, "status": "ok"} == calls[0]
    assert (3, "answer") == (len(calls), made["stopped_by"])
    usage = made["usage"]
    assert isinstance(usage, dict)
    finished = [event for event in session.history() if isinstance(event, ToolsCalled | ReplyFinished)]
    assert usage["prompt"] == sum(event.usage.prompt or 0 for event in finished if event.usage)


async def test_a_model_that_never_stops_has_to_answer_at_the_limit(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "wander").session(None)
    events = await turn(session)
    assert 30 == len(server.requests)
    assert StoppedBy.LIMIT == completed(events).stopped_by
    assert "This is all I know." == next(e.text for e in events if isinstance(e, ReplyFinished))
    assert "[ctxcode] This is the last request" in server.requests[-1].messages[-1]["content"]
    assert all("[ctxcode]" not in str(r.messages[0]["content"]) for r in server.requests)
    assert 1 == len({json.dumps(r.messages[0]) for r in server.requests})
    assert_pairs(server)


async def test_a_model_that_calls_on_where_it_may_not_is_stopped(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(application(tmp_path, server, "stubborn").session(None))
    assert (30, StoppedBy.LIMIT) == (len(server.requests), completed(events).stopped_by)


async def test_a_model_in_circles_is_nudged_asked_and_stopped(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "loop").session(None)
    events = await turn(session)
    noticed = [event for event in events if isinstance(event, LoopNoticed)]
    assert [(3, "nudge", 3), (4, "ask", 4), (5, "stop", 5)] == [(e.iteration, e.stage.value, e.times) for e in noticed]
    assert (6, StoppedBy.LOOP_GUARD) == (len(server.requests), completed(events).stopped_by)
    assert "This is all I know." == next(e.text for e in events if isinstance(e, ReplyFinished))
    told = [str(request.messages[-1]["content"]) for request in server.requests]
    assert "[ctxcode] You made the same call 3 times and got the same: read_file" in told[3]
    assert "No tool can be called any more" in told[5]
    assert 1 == len({json.dumps(request.messages[0]) for request in server.requests})
    assert tuple(noticed) == tuple(event for event in session.history() if isinstance(event, LoopNoticed))
    assert tuple(noticed) == folded(session.history()).turns[0].circles
    assert_pairs(server)


async def test_a_model_that_finds_nothing_new_is_stopped(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(application(tmp_path, server, "search-in-vain").session(None))
    assert ["no-news"] * 3 == [event.pattern.value for event in events if isinstance(event, LoopNoticed)]
    assert (8, StoppedBy.LOOP_GUARD) == (len(server.requests), completed(events).stopped_by)


async def test_a_model_that_asks_when_told_to_hands_control_back(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(application(tmp_path, server, "obedient").session(None))
    assert "Which price do you mean?" == next(e.text for e in events if isinstance(e, ReplyFinished))
    assert (StoppedBy.LOOP_GUARD, 5) == (completed(events).stopped_by, len(server.requests))


async def test_thresholds_follow_the_models_name(tmp_path: Path, server: ScriptedServer) -> None:
    loops = {"*nothing*": {"same_call": 9}, "openai/script-*": {"same_call": 2, "most_requests": 4}}
    session = application(tmp_path, server, "loop", loops=loops).session(None)
    events = await turn(session)
    assert ["nudge", "ask"] == [event.stage.value for event in events if isinstance(event, LoopNoticed)]
    assert 4 == len(server.requests)


async def test_a_long_turn_sends_less_and_less(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "wander", budget_tokens=40_000).session(None)
    await turn(session, "question 0")
    requests = server.requests
    tools = [sum(message["role"] == "tool" for message in request.messages) for request in requests]
    assert [*range(20), *[3] * 10] == tools
    assert "[ctxcode]" not in str(requests[4].messages[-1]["content"])
    assert "25 requests are left" in str(requests[5].messages[-1]["content"])
    assert "answer soon" not in str(requests[14].messages[-1]["content"])
    assert all("answer soon" in str(request.messages[-1]["content"]) for request in requests[15:])
    assert all("question 0" in str(request.messages) for request in requests)
    plan = await session.plan((await session.plan_ids())[29])
    assert plan is not None
    out = [item for item in plan.excluded if item.section is Section.TOOL_ATOM]
    assert (26, {"outside-window"}) == (len(out), {item.reasons[0].type.value for item in out})


async def test_a_lie_finds_no_support(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(application(tmp_path, server, "lie").session(None))
    assert ["absent", "absent", "absent"] == statuses(events)


async def test_no_path_escapes(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, server, "escape")
    events = await turn(app.session(None))
    assert {"refused", "absent"} == set(statuses(events))
    sent = json.dumps([request.body for request in server.requests])
    assert "root:x" not in sent
    assert "TOKEN=" not in sent


async def test_a_file_of_two_megabytes_becomes_a_page(tmp_path: Path, server: ScriptedServer) -> None:
    app = application(tmp_path, server, "huge")
    (tmp_path / "shop/shop/huge.py").write_text("".join(f"x{n} = 'line of code'\n" for n in range(90_000)))
    events = await turn(app.session(None))
    results = [event.result for event in events if isinstance(event, ToolAnswered)]
    assert ["ok", "ok"] == [result.status.value for result in results]
    assert max(len(result.text) for result in results) <= 5_000
    assert "more of these lines: read_file" in results[0].text


async def test_forty_calls_at_once_are_all_answered_and_sixteen_run(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(application(tmp_path, server, "many").session(None))
    assert (16, 24) == (statuses(events).count("absent"), statuses(events).count("skipped"))
    assert StoppedBy.ANSWER == completed(events).stopped_by
    assert_pairs(server)


@pytest.mark.parametrize("script", sorted(BROKEN_CALLS))
async def test_broken_calls_run_nothing_and_end_the_turn_after_two_repairs(
    tmp_path: Path, server: ScriptedServer, script: str
) -> None:
    events = await turn(application(tmp_path, server, script).session(None))
    assert (3, StoppedBy.ERROR) == (len(server.requests), completed(events).stopped_by)
    assert ["invalid", "skipped"] * 3 == statuses(events)
    assert "that can't be run 3 times in a row" in completed(events).error
    assert_pairs(server)


async def test_a_model_that_mends_its_calls_goes_on(tmp_path: Path, server: ScriptedServer) -> None:
    events = await turn(application(tmp_path, server, "mend").session(None))
    assert ["invalid", "invalid", "skipped", "ok"] == statuses(events)
    assert StoppedBy.ANSWER == completed(events).stopped_by


@pytest.mark.parametrize("script", ["twin-ids", "null-ids"])
async def test_two_calls_whose_server_gives_them_no_ids_of_their_own_both_run(
    tmp_path: Path, server: ScriptedServer, script: str
) -> None:
    write_sample_of_four_languages(tmp_path / "shop")
    events = await turn(application(tmp_path, server, script).session(None))
    assert ["ok", "ok"] == statuses(events)
    assert_pairs(server)


async def test_a_call_that_the_connection_cut_is_dropped_and_the_text_kept(
    tmp_path: Path, server: ScriptedServer
) -> None:
    events = await turn(application(tmp_path, server, "cut-call").session(None))
    assert ([], StoppedBy.INTERRUPTED) == (statuses(events), completed(events).stopped_by)
    assert next(event.text for event in events if isinstance(event, ReplyFinished))


async def test_a_model_that_only_sends_calls_cut_at_the_limit_is_stopped(
    tmp_path: Path, server: ScriptedServer
) -> None:
    events = await turn(application(tmp_path, server, "long-call").session(None))
    assert (["invalid"] * 3, StoppedBy.ERROR) == (statuses(events), completed(events).stopped_by)
    assert ["Reading."] * 3 == [event.said for event in events if isinstance(event, ToolsCalled)]


async def test_a_request_that_is_too_long_is_sent_again_with_less(tmp_path: Path, server: ScriptedServer) -> None:
    write_sample_of_four_languages(tmp_path / "shop")
    session = application(tmp_path, server, "overflow-once", tools=False).session(None)
    events = await turn(session)
    planned = [event for event in events if isinstance(event, ContextPlanned)]
    assert [False, True] == [event.is_shrunk for event in planned]
    assert planned[1].total_tokens <= planned[0].total_tokens * 0.6
    assert (StoppedBy.ANSWER, 2) == (completed(events).stopped_by, len(server.requests))
    assert "It fits now." == next(event.text for event in events if isinstance(event, ReplyFinished))


async def test_a_request_that_stays_too_long_is_explained_after_one_more_try(
    tmp_path: Path, server: ScriptedServer
) -> None:
    events = await turn(application(tmp_path, server, "overflow", tools=False).session(None))
    assert (StoppedBy.ERROR, 2) == (completed(events).stopped_by, len(server.requests))
    assert "can read" in completed(events).error
    assert "/context budget N" in completed(events).hint


async def test_a_pause_before_a_request_is_sent_again_is_told_and_its_end_too(
    tmp_path: Path, server: ScriptedServer
) -> None:
    events = await turn(application(tmp_path, server, "busy").session(None))
    # On a busy machine what is waited for may be told of before.
    passing = [event for event in events if not isinstance(event, DurableEvent | IndexAwaited)]
    assert [ReplyDelayed(1, DelayReason.RATE_LIMIT, 0.0, 2, 3), ReplyBegun(1)] == passing[:2]
    assert all(isinstance(event, ReplyChunked) for event in passing[2:])


async def test_a_model_without_tools_gets_none(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "lookup").session(None)
    await turn(session)
    server.requests.clear()
    without = application(tmp_path, server, "fixed", tools=False).session(session.id)
    await turn(without)
    assert "tools" not in server.requests[0].body
    assert {"system", "user", "assistant"} == {message["role"] for message in server.requests[0].messages}
    assert "request_code_context" not in str(server.requests[0].messages[0])


async def test_the_scaffold_names_the_tool_where_there_are_tools(tmp_path: Path, server: ScriptedServer) -> None:
    await turn(application(tmp_path, server, "fixed").session(None))
    assert "call request_code_context" in server.requests[0].messages[0]["content"]


async def test_an_interrupted_turn_leaves_no_call_without_a_result(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "lookup").session(None)
    called = asyncio.Event()

    async def run() -> None:
        async with aclosing(session.turn("look")) as events:
            async for event in events:
                if isinstance(event, ToolsCalled):
                    called.set()
                    await asyncio.Event().wait()

    task = asyncio.create_task(run())
    await asyncio.wait_for(called.wait(), 120)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert StoppedBy.INTERRUPTED == completed(list(session.history())).stopped_by
    server.requests.clear()
    await turn(session, "go on then, what is the price")
    assert_pairs(server)
    results = [m["content"] for m in server.requests[0].messages if m["role"] == "tool"]
    assert ["Interrupted before it was answered."] == results


@pytest.mark.parametrize(
    ("script", "kind", "replies"),
    [
        ("lookup", ToolsCalled, []),
        ("lookup", ReplyFinished, ["I got 3 results"]),
        ("chapters", ReplyContinued, ["The"]),
    ],
)
async def test_a_turn_that_is_closed_right_after_its_reply_was_recorded_tells_and_counts_it_once(
    tmp_path: Path, server: ScriptedServer, script: str, kind: type[Event], replies: list[str]
) -> None:
    session = application(tmp_path, server, script).session(None)
    async with aclosing(session.turn("look")) as events:
        async for event in events:
            if isinstance(event, kind):
                break
    history = session.history()
    ended = [event for event in history if isinstance(event, ReplyFinished)]
    assert StoppedBy.INTERRUPTED == completed(list(history)).stopped_by
    assert replies == [event.text[: len(told)] for event, told in zip(ended, replies, strict=True)]
    recorded = [event for event in history if isinstance(event, ToolsCalled | ReplyContinued | ReplyFinished)]
    assert len(server.requests) == sum(event.usage is not None for event in recorded)


async def test_the_plan_counts_the_tool_schemas(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, "fixed").session(None)
    events = await turn(session)
    planned = next(event for event in events if isinstance(event, ContextPlanned))
    tools = next(section for section in planned.sections if section.section == "tools")
    assert 200 < tools.tokens < 1_000
    assert planned.active_tokens + tools.tokens < planned.total_tokens
