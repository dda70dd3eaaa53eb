import asyncio
from pathlib import Path

import pytest
from navigable_graph import HandMadeGraph, read_text
from scripted_model import ScriptedServer, serving

from ctxcode.llm.catalogue import Catalogue
from ctxcode.llm.litellm_model import LitellmModel
from ctxcode.llm.navigator.responder import Navigator
from ctxcode.llm.price_list import Prices, facts_of
from ctxcode.model.errors import ModelUnknownError


def catalogue(
    environment: dict[str, str] | None = None, *, api_base: str | None = None, context_tokens: int | None = None
) -> Catalogue:
    return Catalogue(
        api_base=api_base,
        context_tokens=context_tokens,
        environment=environment or {},
        navigator=lambda: Navigator(HandMadeGraph(), read_text),
    )


def test_the_navigator_is_a_model_that_costs_nothing() -> None:
    info = catalogue({"OPENAI_API_KEY": "k"}).open("navigator").info
    assert (True, 128_000, 0.0, 0.0) == (
        info.is_offline,
        info.context_tokens,
        info.input_cost_per_token,
        info.output_cost_per_token,
    )


def test_a_listed_model_is_known_with_window_and_prices() -> None:
    info = catalogue().open("gpt-4o").info
    assert ("gpt-4o", 128_000, 16_384, True) == (
        info.name,
        info.context_tokens,
        info.max_output_tokens,
        info.is_known,
    )
    assert (2.5e-06, 1e-05) == (info.input_cost_per_token, info.output_cost_per_token)


def test_the_provider_in_front_of_a_listed_name_changes_nothing() -> None:
    assert facts_of("gpt-4o") == facts_of("openai/gpt-4o")
    assert facts_of("groq/gpt-4o") is None


def test_an_unlisted_model_gets_a_cautious_window_that_the_user_can_correct() -> None:
    info = catalogue(api_base="http://127.0.0.1:9/v1").open("openai/my-own").info
    assert (8_192, 4_096, False, None) == (
        info.context_tokens,
        info.max_output_tokens,
        info.is_known,
        info.input_cost_per_token,
    )
    corrected = catalogue(context_tokens=32_000).open("openai/my-own").info
    assert (32_000, True) == (corrected.context_tokens, corrected.is_known)


def test_ollama_is_asked_for_a_window_it_can_hold() -> None:
    assert 16_384 == catalogue().open("ollama_chat/llama3.1").info.context_tokens
    assert 65_536 == catalogue(context_tokens=65_536).open("ollama_chat/llama3.1").info.context_tokens


def test_output_never_exceeds_the_window() -> None:
    info = catalogue(context_tokens=1_000).open("gpt-4o").info
    assert (1_000, 1_000) == (info.context_tokens, info.max_output_tokens)


@pytest.mark.parametrize("name", ["", " ", "two words", "a\nb", "\x1b[31m", "/x", "openai/", "x" * 500])
def test_what_can_not_be_a_name_is_refused(name: str) -> None:
    with pytest.raises(ModelUnknownError, match="can't be a model's name"):
        catalogue().open(name)


def test_a_misspelt_name_gets_suggestions() -> None:
    with pytest.raises(ModelUnknownError, match="No provider is known for the model 'gpt4o'") as caught:
        catalogue().open("gpt4o")
    assert "Did you mean gpt-4o" in caught.value.hint
    assert "openai/gpt4o" in caught.value.hint


def test_every_suggested_model_can_be_opened_and_is_known() -> None:
    keys = ("OPENAI", "ANTHROPIC", "GEMINI", "OPENROUTER", "MISTRAL", "DEEPSEEK", "GROQ", "XAI")
    lines = catalogue({f"{key}_API_KEY": "k" for key in keys}).suggestions()
    names = [line.rpartition(" ")[2] for line in lines]
    assert len(keys) == len(names)
    assert all(catalogue().open(name).info.is_known for name in names)


def test_the_environment_is_copied_at_the_start() -> None:
    environment = {"OPENAI_API_KEY": "k"}
    models = catalogue(environment)
    environment["OPENAI_BASE_URL"] = "https://evil.example"
    opened = models.open("gpt-4o")
    assert isinstance(opened, LitellmModel)
    assert "https://api.openai.com/v1" == opened.endpoint.api_base


def test_cached_and_written_prompt_tokens_have_their_own_prices() -> None:
    prices = Prices(prompt=10.0, completion=20.0, cached_prompt=1.0, cache_write=12.0)
    assert 50 * 10.0 + 40 * 1.0 + 10 * 12.0 + 5 * 20.0 == prices.cost(100, 5, cached=40, written=10)


def test_long_requests_are_priced_by_their_own_row() -> None:
    facts = facts_of("claude-sonnet-4-5")
    assert facts is not None
    short, long = facts.prices_for(1_000), facts.prices_for(300_000)
    assert short is not None
    assert long is not None
    assert long.prompt > short.prompt


def test_neither_the_catalogue_nor_the_counter_names_litellm_at_import() -> None:
    folder = Path(__file__).resolve().parents[2] / "ctxcode" / "llm"
    importing = [path.name for path in folder.rglob("*.py") if "import litellm\n" in path.read_text(encoding="utf-8")]
    assert [] == [name for name in importing if name != "litellm_library.py"]


def test_models_whose_key_is_set_are_offered_before_those_that_need_one() -> None:
    offers = catalogue({"ANTHROPIC_API_KEY": "k"}).offers("sonnet", ["navigator"], 400)
    keys = [offer.missing_key for offer in offers]
    assert offers[0].info.name.startswith("claude")
    assert offers[0].info.is_known
    assert "OPENROUTER_API_KEY" in keys
    nearest = [facts_of(offer.info.name) for offer in offers[: keys.index("OPENROUTER_API_KEY")]]
    assert {"anthropic"} == {facts.provider for facts in nearest if facts is not None}


def test_the_model_in_use_is_offered_first_and_the_navigator_always() -> None:
    offers = catalogue().offers("", ["openai/my-own", "gpt-4o"], 9)
    assert [("openai/my-own", "in use"), ("gpt-4o", "used before"), ("navigator", "")] == [
        (offer.info.name, offer.origin) for offer in offers[:3]
    ]
    assert "OPENAI_API_KEY" == offers[1].missing_key


async def test_a_server_here_that_was_given_says_what_it_has() -> None:
    async with serving(ScriptedServer(models=("qwen3", "glm"))) as server:
        models = catalogue(api_base=server.base_url)
        offers = await asyncio.to_thread(models.offers, "", ["openai/qwen3"], 9)
    assert [("openai/qwen3", "in use"), ("openai/glm", "its server")] == [
        (offer.info.name, offer.origin) for offer in offers[:2]
    ]
    assert ["navigator"] == [offer.info.name for offer in offers[2:]]
    assert {server.base_url} == {offer.address for offer in offers[:2]}
    assert [] == server.requests
