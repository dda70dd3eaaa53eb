"""Stored plans as artefacts: replayed after the files changed, compared, exported; previews that change nothing."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command import run_here
from model_thread import model_server
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.canonical import canonical_json, text_digest
from ctxcode.model.ids import SymbolId, symbol_item
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode

pytestmark = LITELLM_WARNINGS

QUESTION = "how does the cart compute what to pay with tax"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_sample(tmp_path / "shop")


def context(home: Path, shop: Path, *words: str, query: str = QUESTION) -> str:
    outcome = run_here(home, "context", query, "--repo", str(shop), "--format", "json", *words)
    assert 0 == outcome.code
    return str(outcome.json()["plan_id"])


def test_a_replay_is_byte_for_byte_what_was_planned_though_the_files_changed(tmp_path: Path, shop: Path) -> None:
    plan_id = context(tmp_path, shop, "--mode", "heavy")
    before = run_here(tmp_path, "plan", "replay", plan_id[:8], "--repo", str(shop), "--format", "json").json()
    (shop / "shop/price.py").write_text("VAT_PERCENT = 7\n")
    (shop / "shop/cart.py").unlink()
    outcome = run_here(tmp_path, "plan", "replay", plan_id[:8], "--repo", str(shop), "--format", "json")
    after = outcome.json()
    assert 0 == outcome.code
    assert (True, before["messages"]) == (after["verified"], after["messages"])
    assert text_digest(canonical_json({"messages": after["messages"]})) == after["payload_hash"]
    states = {row["path"]: row["state"] for row in after["files"]}
    assert {"same"} == {row["state"] for row in before["files"]}
    assert ("changed", "gone") == (states["shop/price.py"], states["shop/cart.py"])


def test_a_replay_in_text_prints_the_messages_and_says_what_changed(tmp_path: Path, shop: Path) -> None:
    context(tmp_path, shop)
    source = shop / "shop/price.py"
    source.write_text(source.read_text() + "\n# more\n")
    outcome = run_here(tmp_path, "plan", "replay", "--repo", str(shop))
    assert (0, True) == (outcome.code, outcome.out.startswith("── system ──\n"))
    assert QUESTION in outcome.out
    assert "verified" in outcome.err
    assert "shop/price.py (changed)" in outcome.err


def test_a_replay_of_a_damaged_payload_fails_and_says_so(tmp_path: Path, shop: Path) -> None:
    plan_id = context(tmp_path, shop)
    (database,) = tmp_path.rglob("ctxcode.db")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "UPDATE text SET body = x'00', is_compressed = 0 WHERE hash NOT IN (SELECT payload_hash FROM plan)"
        )
    outcome = run_here(tmp_path, "plan", "replay", plan_id, "--repo", str(shop))
    assert 1 == outcome.code
    assert "digest" in outcome.err


def test_a_replay_can_be_sent_again(tmp_path: Path, shop: Path) -> None:
    context(tmp_path, shop, query="where is Cart.checkout?")
    outcome = run_here(tmp_path, "plan", "replay", "--send", "--repo", str(shop), "--format", "json")
    assert 0 == outcome.code
    assert "shop/cart.py" in outcome.json()["reply"]


def test_a_replay_is_sent_where_the_request_went(tmp_path: Path, shop: Path) -> None:
    key = {"OPENAI_API_KEY": "sk-of-somebody"}
    with model_server() as server:
        model = ("--model", "openai/script-fixed", "--api-base", server.base_url)
        assert 0 == run_here(tmp_path, "ask", QUESTION, "--repo", str(shop), *model).code
        assert 0 == run_here(tmp_path, "plan", "replay", "--send", "--repo", str(shop), extra=key).code
        assert 2 == len(server.requests)


def test_a_difference_tells_what_entered_and_why(tmp_path: Path, shop: Path) -> None:
    first = context(tmp_path, shop, "--mode", "off")
    second = context(tmp_path, shop)
    outcome = run_here(tmp_path, "plan", "diff", "--repo", str(shop), "--format", "json")
    made = outcome.json()
    assert [first, second] == [made["from"], made["to"]]
    assert ["off", "light"] == made["settings"]["mode"]
    assert {"entered"} == {change["change"] for change in made["changes"]}
    assert all(change["reasons"] for change in made["changes"])
    text = run_here(tmp_path, "plan", "diff", first[:8], second[:8], "--repo", str(shop))
    assert (0, True) == (text.code, "+ Cart.checkout" in text.out)


def test_an_export_holds_plan_payload_candidates_and_what_came_of_it(tmp_path: Path, shop: Path) -> None:
    answer = run_here(tmp_path, "ask", "where is Cart.checkout?", "--repo", str(shop), "--format", "json").json()
    target = tmp_path / "plan.json"
    outcome = run_here(tmp_path, "plan", "export", answer["plan_ids"][0], "--repo", str(shop), "-o", str(target))
    assert 0 == outcome.code
    made = json.loads(target.read_text())
    assert ("ctxcode-plan/1", True) == (made["format"], made["verified"])
    assert made["plan"]["retrieval_id"] == made["retrieval"]["id"]
    kinds = [event["type"] for event in made["events"]]
    assert ["context-planned", "turn-completed"] == [kinds[0], kinds[-1]]
    reply = next(event for event in made["events"] if event["type"] == "reply-finished")
    assert answer["usage"]["estimated"] == reply["usage"]["estimated"]


@pytest.mark.parametrize("words", [("diff", "a"), ("replay", "a", "b"), ("list", "a"), ("show", "nothing")])
def test_a_wrong_number_of_ids_is_refused_with_what_to_do(tmp_path: Path, shop: Path, words: tuple[str, ...]) -> None:
    outcome = run_here(tmp_path, "plan", *words, "--repo", str(shop))
    assert (2, "") == (outcome.code, outcome.out)
    assert "See: ctxcode plan" in outcome.err


def test_comparing_needs_two_plans(tmp_path: Path, shop: Path) -> None:
    context(tmp_path, shop)
    outcome = run_here(tmp_path, "plan", "diff", "--repo", str(shop))
    assert (2, True) == (outcome.code, "Only one plan" in outcome.err)


def dump(home: Path) -> str:
    """Return a digest of everything in the conversation database."""
    (path,) = home.rglob("ctxcode.db")
    with closing(sqlite3.connect(path)) as connection:
        return hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()


async def test_a_preview_changes_nothing_in_the_whole_database(tmp_path: Path, shop: Path) -> None:
    environment = private_home(tmp_path)
    session = open_application(shop, overrides={}, environment=environment).session(None)
    async for _ in session.turn(QUESTION):
        pass
    await session.memory.keep(symbol_item(SymbolId("shop/cart.py::Cart")), PinKind.LEASED, 2)
    before, state = dump(tmp_path), (session.history(), session.pins(), await session.plan_ids(), session.mode)
    for prompt in ("", "continue", "where is `Price.with_tax`?", QUESTION, "x " * 20_000):
        for mode in (None, *ContextMode):
            made = await session.preview(prompt, mode)
            assert made.mode is (mode or session.mode)
    assert before == dump(tmp_path)
    assert state == (session.history(), session.pins(), await session.plan_ids(), session.mode)
    again = open_application(shop, overrides={}, environment=environment).session(session.id)
    assert session.pins() == again.pins()
