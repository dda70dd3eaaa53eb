"""Ids of tool calls, as the provider takes them that a request goes to."""

import re

import pytest

from ctxcode.llm.wire.call_ids import fitted, shape_of
from ctxcode.model.conversation import ToolCall
from ctxcode.model.plan import PayloadMessage

OPENAI, MISTRAL, CLAUDE = "call_1234567890abcdefABCDEFGH", "aB3dE6gH9", "toolu_01A09q90qw90lq917835lq9"
KIMI, GEMINI = "functions.read_file:0", f"call_{'a' * 28}__thought__{'Eu+/' * 500}=="
ALL = [OPENAI, MISTRAL, CLAUDE, KIMI, GEMINI]


@pytest.mark.parametrize(
    ("model", "provider", "api_base", "fitting"),
    [
        ("mistral/mistral-large-latest", "mistral", "https://api.mistral.ai/v1", [MISTRAL]),
        ("openai/Devstral-Small-2507", "openai", "http://127.0.0.1:8000/v1", [MISTRAL]),
        ("openrouter/mistralai/mixtral-8x22b", "openrouter", None, [MISTRAL]),
        ("anthropic/claude-opus-4", "anthropic", None, [OPENAI, MISTRAL, CLAUDE]),
        ("bedrock/us.amazon.nova-pro", "bedrock", None, [OPENAI, MISTRAL, CLAUDE]),
        ("vertex_ai/claude-sonnet-4", "vertex_ai", None, [OPENAI, MISTRAL, CLAUDE]),
        ("gpt-5", "openai", None, [OPENAI, MISTRAL, CLAUDE, KIMI]),
        ("gpt-5", "openai", "https://api.openai.com/v1", [OPENAI, MISTRAL, CLAUDE, KIMI]),
        ("azure/my-deployment", "azure", "https://me.openai.azure.com", [OPENAI, MISTRAL, CLAUDE, KIMI]),
        ("gemini/gemini-3-pro", "gemini", None, ALL),
        ("openai/gemini-behind-a-proxy", "openai", "http://127.0.0.1:4000", ALL),
        ("moonshot/kimi-k2", "moonshot", None, ALL),
    ],
)
def test_ids_that_fit_stay(model: str, provider: str, api_base: str | None, fitting: list[str]) -> None:
    shape = shape_of(model, provider, api_base)
    assert fitting == [one for one in ALL if shape is None or shape.fullmatch(one)]


def conversation(*ids: str) -> list[PayloadMessage]:
    calls = tuple(ToolCall(one, "read_file", "{}") for one in ids)
    results = [PayloadMessage("tool", f"result of {one}", call_id=one) for one in ids]
    return [PayloadMessage("user", "why"), PayloadMessage("assistant", "", calls), *results]


def ids_of(messages: tuple[PayloadMessage, ...]) -> tuple[list[str], list[str]]:
    return [call.id for one in messages for call in one.calls], [one.call_id for one in messages if one.call_id]


def test_a_call_and_its_result_get_the_same_id_and_the_same_one_in_the_next_request() -> None:
    shape = shape_of("mistral/m", "mistral", None)
    assert shape is not None
    first, later = fitted(conversation(*ALL), shape), fitted([*conversation(*ALL), *conversation("call_9")], shape)
    calls, results = ids_of(first)
    assert (calls, len(ALL)) == (results, len(set(calls)))
    assert MISTRAL == calls[1]
    assert all(re.fullmatch("[A-Za-z0-9]{9}", one) for one in calls)
    assert first == later[: len(first)]
    assert [f"result of {one}" for one in ALL] == [one.content for one in first if one.call_id]


def test_a_made_up_id_is_never_another_calls() -> None:
    shape = shape_of("mistral/m", "mistral", None)
    assert shape is not None
    (made,), _ = ids_of(fitted(conversation("call_1"), shape))
    calls, results = ids_of(fitted(conversation("call_1", made), shape))
    assert (2, made, calls) == (len(set(calls)), calls[1], results)


def test_messages_whose_ids_fit_are_left_as_they_are() -> None:
    shape = shape_of("gpt-5", "openai", None)
    assert shape is not None
    assert tuple(conversation(OPENAI, KIMI)) == fitted(conversation(OPENAI, KIMI), shape)
