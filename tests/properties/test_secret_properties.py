"""What holds for withholding, whatever the text and wherever the secret stands in a request."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_keys import KEYS
from plan_inputs import requests, words

from ctxcode.context.candidate import Candidate, Exchange, Level, PlanRequest
from ctxcode.context.planner import plan
from ctxcode.model.conversation import ToolCall, ToolResult, ToolRound, ToolStatus
from ctxcode.model.plan import ReasonType
from ctxcode.model.secret.text import secrets_in, withheld

EXAMPLES = settings(max_examples=200, deadline=None)
SINGLE = [key for name, key in KEYS.items() if not name.startswith("PEM")]
pieces = st.sampled_from(
    [
        *KEYS.values(),
        "token = ",
        '"',
        "'",
        "=",
        ":",
        "\n",
        " ",
        "\\n",
        "key",
        "[withheld: API key]",
        "sk-",
        "://a:",
        "@b",
    ]
)
texts = st.lists(st.text(max_size=12) | pieces, max_size=12).map("".join)


@EXAMPLES
@given(texts, st.lists(st.sampled_from(["hunter2hunter2", "known-value-77"]), max_size=2))
def test_withholding_ends_and_twice_is_once(text: str, known: list[str]) -> None:
    once = withheld(text, known)
    assert once.text == withheld(once.text, known).text
    assert bool(once.kinds) == (once.text != text)


@EXAMPLES
@given(texts)
def test_findings_are_in_order_and_apart(text: str) -> None:
    found = secrets_in(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@EXAMPLES
@given(st.text(), st.sampled_from(SINGLE), st.text())
def test_a_key_between_blanks_never_gets_through(before: str, key: str, after: str) -> None:
    assert key not in withheld(f"{before} {key} {after}").text


def with_secret(candidate: Candidate, key: str) -> Candidate:
    levels = tuple(
        replace(one, text=f"{one.text} {key}\n", tokens=words(f"{one.text} {key}\n")) for one in candidate.levels
    )
    return replace(candidate, levels=levels)


def past_with_secret(exchange: Exchange, key: str) -> Exchange:
    rounds = (ToolRound(f"I use {key}", (ToolCall("c", "f", f'{{"a": "{key}"}}'),), (ToolResult(ToolStatus.OK, key),)),)
    tokens = exchange.candidate.richest.tokens + 40
    level = Level(exchange.candidate.richest.detail, f"{exchange.prompt} {key}", tokens)
    return replace(
        exchange,
        prompt=f"{exchange.prompt} {key}",
        rounds=rounds,
        candidate=replace(exchange.candidate, levels=(level,)),
    )


@EXAMPLES
@given(requests(), st.sampled_from(SINGLE))
def test_no_part_of_a_plan_carries_a_secret_and_rows_say_what_was_withheld(request: PlanRequest, key: str) -> None:
    request = replace(
        request,
        prompt=f"{request.prompt} {key}",
        message=with_secret(request.message, key),
        touchpoints=tuple(with_secret(one, key) for one in request.touchpoints),
        scaffold=tuple(with_secret(one, key) for one in request.scaffold),
        blocks=tuple(with_secret(one, key) for one in request.blocks),
        pins=tuple(replace(one, candidate=with_secret(one.candidate, key)) for one in request.pins),
        history=tuple(past_with_secret(one, key) for one in request.history),
    )
    planned = plan(request, words)
    made = planned.plan
    assert key not in str(planned.payload)
    assert key not in str(planned.texts)
    if planned.payload is not None:
        assert key not in made.prompt
        assert made.active_tokens <= request.limits.budget_tokens
        assert made.tokens <= request.limits.window_tokens
        held = [item for item in made.included if item.id != "system"]
        assert all(ReasonType.SECRET is item.reasons[0].type and item.reasons[0].terms for item in held)
