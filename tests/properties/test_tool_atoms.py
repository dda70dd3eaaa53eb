"""A tool call is never separated from its result, however tight the budget and however old the call."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from plan_inputs import requests, words

from ctxcode.context.candidate import PlanRequest
from ctxcode.context.candidates import exchange
from ctxcode.context.planner import plan
from ctxcode.context.turn.atom import FRESH_CHARS, NEWEST, OLD_CHARS, aged, note_candidate, tool_atoms, tool_offer
from ctxcode.context.turn.window import KEPT_EXCHANGES, KEPT_RESULTS
from ctxcode.model.conversation import StoppedBy, ToolCall, ToolResult, ToolRound, ToolSpec, ToolStatus, Turn
from ctxcode.model.plan import Payload, Section

EXAMPLES = settings(max_examples=200, deadline=None)
SPECS = (ToolSpec("read_file", "Read a file.", '{"type":"object"}'),)


SIZES = st.lists(st.integers(0, 2_000), min_size=1, max_size=4)
SAID = st.sampled_from(["", "let me look"])
NOTES = st.sampled_from(["", "answer now"])
ITERATIONS = st.sampled_from([0, 9, 10, 14, 15, 19, 20, 29])


@st.composite
def rounds(draw: st.DrawFn) -> tuple[ToolRound, ...]:
    made = []
    for iteration in range(draw(st.integers(0, 8))):
        sizes = draw(SIZES)
        calls = tuple(ToolCall(f"c{iteration}_{n}", "read_file", f'{{"path": "{n}.py"}}') for n in range(len(sizes)))
        results = tuple(ToolResult(ToolStatus.OK, f"{n} word " * size) for n, size in enumerate(sizes))
        made.append(ToolRound(draw(SAID), calls, results))
    return tuple(made)


ROUNDS, REQUESTS = rounds(), requests()


@st.composite
def turns_with_tools(draw: st.DrawFn) -> PlanRequest:
    request = draw(REQUESTS)
    past = Turn(1, "before", "said", None, StoppedBy.ANSWER, "m", rounds=draw(ROUNDS))
    return replace(
        request,
        history=(*request.history, exchange(replace(past, number=900), words)),
        tools=tool_offer(SPECS, words) if draw(st.booleans()) else None,
        atoms=tool_atoms(request.turn, draw(ROUNDS), words),
        note=note_candidate(draw(NOTES), words),
        iteration=draw(ITERATIONS),
    )


def assert_pairs(payload: Payload) -> None:
    waiting: list[str] = []
    for message in payload.messages:
        if message.role == "tool":
            assert message.call_id == waiting.pop(0)
            continue
        assert [] == waiting
        waiting = [call.id for call in message.calls]
    assert [] == waiting


@EXAMPLES
@given(turns_with_tools())
def test_every_call_is_answered_right_after_it_and_nothing_is_over_budget(request: PlanRequest) -> None:
    planned = plan(request, words)
    shown = [item.id for item in planned.plan.items]
    assert len(shown) == len(set(shown))
    assert {atom.candidate.id for atom in request.atoms} <= set(shown)
    if planned.payload is None:
        assert planned.plan.over_budget
        return
    assert_pairs(planned.payload)
    shown_atoms = [item.id for item in planned.plan.included if item.id.startswith("tool:")]
    kept = KEPT_RESULTS if request.iteration >= 20 else len(request.atoms)
    assert [atom.candidate.id for atom in request.atoms][-kept:][: kept or None] == shown_atoms
    past = [item for item in planned.plan.included if item.section is Section.HISTORY]
    if request.iteration >= 10:
        assert len(past) <= (KEPT_EXCHANGES if request.iteration < 15 else 0)
    assert planned.plan.active_tokens <= request.limits.budget_tokens
    assert planned.plan.tokens <= request.limits.window_tokens
    assert (request.tools is not None) == bool(planned.payload.tools)
    assert (request.tools is not None) == any(item.section is Section.TOOLS for item in planned.plan.included)


@EXAMPLES
@given(turns_with_tools())
def test_old_results_are_short_and_the_note_stands_last(request: PlanRequest) -> None:
    planned = plan(request, words)
    if planned.payload is None:
        return
    asked = len(planned.payload.messages) - 1 - [m.role for m in reversed(planned.payload.messages)].index("user")
    own = planned.payload.messages
    if request.note is not None:
        assert ("user", "answer now") == (own[-1].role, own[-1].content)
        asked = max(n for n, m in enumerate(own[:-1]) if m.role == "user")
    results = [m.content for m in own[asked:] if m.role == "tool"]
    assert all(len(text) <= FRESH_CHARS for text in results)
    assert all(len(text) <= OLD_CHARS for text in results[:-NEWEST])


@EXAMPLES
@given(st.text(max_size=3_000), st.integers(60, 2_500))
def test_an_aged_text_is_whole_or_its_head_and_tail_and_names_the_call(text: str, limit: int) -> None:
    call = ToolCall("c", "read_file", '{"path": "a.py"}')
    short = aged(text, limit, call)
    assert short == text if len(text) <= limit else len(short) <= limit
    if len(text) > limit > 400:
        head, _, tail = short.partition("\n⋯ ")
        assert text.startswith(head)
        assert text.endswith(tail.partition("\n")[2][-100:])
        assert 'read_file {"path": "a.py"}' in short
