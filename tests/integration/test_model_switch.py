"""Another model in the middle of a conversation: pins that no longer fit are named, estimates are kept by model."""

import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer, serving
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.llm.litellm_library import close_clients
from ctxcode.model.errors import ModelUnknownError
from ctxcode.model.ids import file_item
from ctxcode.model.pin import PinKind
from ctxcode.session.session import Session
from ctxcode.tui.screens.memory.model_commands import ModelCommands

pytestmark = LITELLM_WARNINGS

LARGE, SMALL = "openai/gpt-4o", "openai/gpt-4"
"""Both in the price list, with windows of 128,000 and 8,192 tokens; the server plays ``fixed`` for them."""


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with serving(ScriptedServer(default_script="fixed")) as running:
        yield running
        await close_clients()


def opened(home: Path, server: ScriptedServer) -> Session:
    repository = home / "shop"
    write_sample(repository)
    (repository / "shop/table.py").write_text("".join(f"ROW_{n} = 'some text'\n" for n in range(900)))
    overrides: dict[str, object] = {
        "model": LARGE,
        "api_base": server.base_url,
        "budget_tokens": 20_000,
        "output_reserve_tokens": 1_000,
    }
    return open_application(repository, overrides=overrides, environment=private_home(home)).session(None)


async def ask(session: Session, prompt: str) -> None:
    async with aclosing(session.turn(prompt)) as events:
        async for _ in events:
            continue


async def test_a_switch_says_which_pins_no_longer_fit_and_plans_anew(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server)
    await ask(session, "hello")
    commands = ModelCommands(session, print)
    assert "model openai/gpt-4o-mini from the next turn on" == (await commands.run("model", "openai/gpt-4o-mini")).said
    await session.memory.keep(file_item("shop/table.py"), PinKind.STICKY)
    assert "but" not in (await commands.run("model", LARGE)).said
    said = (await commands.run("model", SMALL)).said
    assert ("shop/table.py does not fit" in said, "nothing can be sent" in said) == (True, True)
    plan = await session.preview("next")
    assert (SMALL, (file_item("shop/table.py"),)) == (plan.model, plan.over_budget)
    await session.memory.keep(file_item("shop/table.py"), PinKind.LEASED, 3)
    await session.set_model(LARGE)
    await session.set_budget(2_000)
    assert "1 pin no longer fits: shop/table.py" in (await commands.run("model", SMALL)).said
    with pytest.raises(ModelUnknownError):
        await commands.run("model", "no/such/model/at all")
    with pytest.raises(ModelUnknownError, match="No provider is known"):
        await commands.run("model", "nosuch/foo")
    assert SMALL == session.model.name


async def test_estimates_and_counts_are_kept_by_model_over_all_sessions(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server)
    text = (await ModelCommands(session, print).run("model", "")).text
    assert "no request to it has been counted" in text
    await ask(session, "hello")
    await ask(session, "and again")
    other = session.open(None)
    await other.set_model(SMALL)
    await ask(other, "hello")
    fixed, small = await session.archive.calibrations()
    assert (LARGE, 2, SMALL, 1) == (fixed.model, fixed.requests, small.model, small.requests)
    assert fixed.factor == fixed.counted / fixed.estimated
    text = (await ModelCommands(other, print).run("model", "")).text
    assert f"estimates  1 request, {small.estimated:,} tokens estimated" in text
    assert ("window     8,192 tokens" in text, "other models openai/gpt-4o: 2 requests" in text) == (True, True)


async def test_a_session_that_goes_on_asks_where_it_asked_before(tmp_path: Path, server: ScriptedServer) -> None:
    first = opened(tmp_path, server)
    await ask(first, "hello")
    environment = {**private_home(tmp_path), "OPENAI_API_KEY": "sk-of-somebody"}
    application = open_application(tmp_path / "shop", overrides={"model": LARGE}, environment=environment)
    again = application.session(first.id)
    assert server.base_url == application.models.endpoint(LARGE).api_base
    await ask(again, "and again")
    assert 2 == len(server.requests)
    application.models.open("openai/gpt-4o-mini")
    assert server.base_url == application.models.endpoint("openai/gpt-4o-mini").api_base
    await again.set_model(SMALL)
    assert server.base_url == application.models.endpoint(SMALL).api_base
    other = open_application(tmp_path / "shop", overrides={"model": LARGE}, environment=environment)
    assert LARGE == other.session(first.id).model.name
    assert server.base_url != other.models.endpoint(LARGE).api_base


async def test_calls_of_another_provider_go_on_with_ids_that_the_new_one_takes(
    tmp_path: Path, server: ScriptedServer
) -> None:
    write_sample(tmp_path / "shop")
    wanted = {"model": "openai/script-lookup", "api_base": server.base_url, "context_tokens": 64_000}
    environment = {**private_home(tmp_path), "MISTRAL_API_KEY": "none"}
    session = open_application(tmp_path / "shop", overrides=wanted, environment=environment).session(None)
    await ask(session, "how does total_of add up what the cart has to pay")
    await session.set_model("mistral/script-fixed")
    await ask(session, "and the tax?")
    before, after = server.requests[-2].messages, server.requests[-1].messages
    made = [call["id"] for message in before for call in message.get("tool_calls") or ()]
    calls = [call["id"] for message in after for call in message.get("tool_calls") or ()]
    assert (3, 3) == (len(made), len(set(calls)))
    assert all(re.fullmatch("[A-Za-z0-9]{9}", one) for one in calls)
    assert calls == [message["tool_call_id"] for message in after if message["role"] == "tool"]
    assert not set(made) & set(calls)
