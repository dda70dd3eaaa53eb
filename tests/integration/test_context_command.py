"""``ctxcode context``, ``index``, ``plan`` and ``ask`` as processes on a real folder."""

import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command import run_here
from sample_repository import write_sample, write_sample_of_four_languages

ITEM_KEYS = {
    "id", "section", "kind", "symbol", "path", "start_line", "end_line", "lines", "detail", "tokens", "score",
    "included", "reasons",
}  # fmt: skip
PLAN_KEYS = {
    "plan_id",
    "retrieval_id",
    "mode",
    "model",
    "tokenizer",
    "index_revision",
    "budget",
    "tokens",
    "elapsed_ms",
    "items",
}
PREPARED = ("tokenizers", "words") if find_spec("wordllama") else ("tokenizers",)
QUESTION = "how does the cart compute what to pay with tax"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("home")
    return home, write_sample_of_four_languages(tmp_path_factory.mktemp("shop"))


def context(shop: tuple[Path, Path], *words: str, query: str = QUESTION, **extra: str) -> Any:
    home, repository = shop
    outcome = run_here(home, "context", query, "--repo", str(repository), "--format", "json", *words, extra=extra)
    assert (0, "") == (outcome.code, outcome.err)
    return outcome.json()


def prepared(cache: Path) -> dict[str, int]:
    files = [path for name in PREPARED for path in (cache / "ctxcode" / name).iterdir()]
    return {str(path.relative_to(cache)): path.stat().st_mtime_ns for path in files}


def test_the_first_question_on_a_machine_prepares_what_the_tests_homes_hold(tmp_path: Path) -> None:
    shop, new, used = (tmp_path, write_sample(tmp_path / "shop")), tmp_path / "new", tmp_path / "cache"
    first = context(shop, XDG_CACHE_HOME=str(new))
    assert "shop.cart.Cart.checkout" in [item["symbol"] for item in first["items"]]
    made, given = prepared(new), prepared(used)
    assert given.keys() == made.keys()
    for cache in (new, used):
        assert first["items"] == context(shop, XDG_CACHE_HOME=str(cache))["items"]
    assert (made, given) == (prepared(new), prepared(used))


def test_the_plan_is_one_object_of_the_agreed_shape(shop: tuple[Path, Path]) -> None:
    plan = context(shop)
    assert set() == PLAN_KEYS - set(plan)
    assert all(ITEM_KEYS == set(item) for item in plan["items"])
    assert all(item["reasons"] for item in plan["items"])
    assert {"type", "weight", "detail"} == set(plan["items"][0]["reasons"][0])


def test_items_and_overhead_add_up(shop: tuple[Path, Path]) -> None:
    plan = context(shop)
    spent = sum(item["tokens"] for item in plan["items"] if item["included"])
    assert plan["tokens"] == spent + plan["overhead_tokens"]


def test_what_the_question_is_about_is_found_with_reasons(shop: tuple[Path, Path]) -> None:
    items = {item["symbol"]: item for item in context(shop)["items"]}
    assert items["shop.cart.Cart.checkout"]["included"]
    assert "lexical" in {reason["type"] for reason in items["shop.price.Price.with_tax"]["reasons"]}


def test_lines_are_really_those_of_the_file(shop: tuple[Path, Path]) -> None:
    _, repository = shop
    plan = context(shop, "--mode", "heavy", "--with-text")
    checked = 0
    for item in plan["items"]:
        if not item["included"] or not item["path"] or item["detail"] == "signature":
            continue
        lines = (repository / item["path"]).read_text().split("\n")
        rows = {re.sub(r"^\d+(?=\s)", "", row).strip() for row in item["text"].split("\n")}
        for start, end in item["lines"]:
            for number in range(start, end + 1):
                assert lines[number - 1].strip() in rows
                checked += 1
    assert checked > 10


def test_the_scaffold_takes_less_of_a_budget_that_is_given_for_one_request(shop: tuple[Path, Path]) -> None:
    given = context(shop, "--mode", "heavy", "--budget", "1000")
    usual = context(shop, "--mode", "heavy", CTXCODE_BUDGET="1000")
    taken = [
        sum(item["tokens"] for item in plan["items"] if item["included"] and item["section"] == "scaffold")
        for plan in (given, usual)
    ]
    assert [1000, 1000] == [given["budget"], usual["budget"]]
    assert taken[0] < taken[1] <= 0.09 * 1000


def test_the_same_question_gives_the_same_plan_anywhere(shop: tuple[Path, Path], tmp_path: Path) -> None:
    _, repository = shop
    elsewhere = tmp_path / "copy"
    shutil.copytree(repository, elsewhere)
    (tmp_path / "home").mkdir()
    first, again = context(shop), context((tmp_path / "home", elsewhere))
    assert first["plan_id"] == context(shop)["plan_id"]
    assert (first["plan_id"], first["retrieval_id"]) == (again["plan_id"], again["retrieval_id"])


def test_off_retrieves_nothing_and_heavy_shows_bodies(shop: tuple[Path, Path]) -> None:
    off = [item for item in context(shop, "--mode", "off")["items"] if item["included"]]
    assert {"system", "message"} == {item["section"] for item in off}
    heavy = [item for item in context(shop, "--mode", "heavy")["items"] if item["included"]]
    assert "body" in {item["detail"] for item in heavy if item["section"] == "touchpoint"}


@pytest.mark.parametrize("budget", [100, 200, 1000, 4000])
def test_a_budget_bounds_the_included_items(shop: tuple[Path, Path], budget: int) -> None:
    plan = context(shop, "--budget", str(budget))
    assert sum(item["tokens"] for item in plan["items"] if item["included"]) <= budget


def test_a_budget_too_small_for_the_question_is_said_and_nothing_is_sent(shop: tuple[Path, Path]) -> None:
    home, repository = shop
    outcome = run_here(home, "context", QUESTION, "--repo", str(repository), "--format", "json", "--budget", "5")
    assert (1, ["system", "message"]) == (outcome.code, outcome.json()["over_budget"])


def test_an_edit_is_seen_by_the_next_plan(shop: tuple[Path, Path]) -> None:
    _, repository = shop
    before = context(shop)
    (repository / "shop/voucher.py").write_text("def redeem_voucher(code):\n    return code\n")
    plan = context(shop, query="redeem_voucher")
    (repository / "shop/voucher.py").unlink()
    assert "shop.voucher.redeem_voucher" in {item["symbol"] for item in plan["items"] if item["included"]}
    assert before["index_revision"] == context(shop)["index_revision"]


def test_a_plan_is_stored_and_shown_by_the_beginning_of_its_id(shop: tuple[Path, Path]) -> None:
    home, repository = shop
    plan = context(shop)
    listed = run_here(home, "plan", "list", "--repo", str(repository))
    assert plan["plan_id"][:8] in listed.out
    shown = run_here(home, "plan", "show", plan["plan_id"][:8], "--repo", str(repository), "--format", "json").json()
    assert plan["items"] == shown["items"]


def test_text_and_markdown_are_for_people(shop: tuple[Path, Path]) -> None:
    home, repository = shop
    for chosen in ("text", "markdown"):
        outcome = run_here(home, "context", QUESTION, "--repo", str(repository), "--format", chosen)
        assert (0, "") == (outcome.code, outcome.err)
        assert "Cart.checkout" in outcome.out


def test_the_index_says_what_it_holds_and_what_it_skipped(shop: tuple[Path, Path]) -> None:
    home, repository = shop
    (repository / "shop/blob.py").write_bytes(b"\0\0\0")
    report = run_here(home, "index", str(repository), "--format", "json").json()
    (repository / "shop/blob.py").unlink()
    assert {"shop/blob.py": "binary"} == {row["path"]: row["reason"] for row in report["skipped"]}
    assert {"python", "typescript", "rust", "go"} == set(report["languages"])
    assert report["symbols"] > 20


def test_the_navigator_answers_without_a_model(shop: tuple[Path, Path]) -> None:
    home, repository = shop
    answer = run_here(home, "ask", "where is total_of?", "--repo", str(repository), "--format", "json").json()
    assert "shop/price.py:" in answer["text"]
    assert ("answer", "navigator", "main", 1) == (
        answer["stopped_by"], answer["model"], answer["branch"], answer["turn"],
    )  # fmt: skip
    assert [1] == [len(answer["plan_ids"])]
    assert {"estimated", "prompt", "completion", "cost"} == set(answer["usage"])


def test_ask_continues_the_last_session(shop: tuple[Path, Path]) -> None:
    home, repository = shop
    first = run_here(home, "ask", "where is Cart?", "--repo", str(repository), "--format", "json").json()
    second = run_here(home, "ask", "who calls it?", "--repo", str(repository), "--format", "json", "--continue").json()
    assert (first["session"], first["turn"] + 1) == (second["session"], second["turn"])
