"""``context --format json``: one object, true to the source, bounded, and the same wherever it is made."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from command import run_here
from sample_repository import write_sample

QUESTION = "where is the price with tax calculated?"
TOP_LEVEL = {
    "plan_id": str,
    "retrieval_id": str,
    "mode": str,
    "model": str,
    "tokenizer": str,
    "index_revision": str,
    "budget": int,
    "tokens": int,
    "elapsed_ms": float,
    "items": list,
}
ITEM = {
    "id": str,
    "section": str,
    "kind": str,
    "symbol": str,
    "path": str | None,
    "start_line": int | None,
    "end_line": int | None,
    "lines": list,
    "detail": str,
    "tokens": int,
    "score": float,
    "included": bool,
    "reasons": list,
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("home")
    return home, write_sample(home / "shop")


def planned(home: Path, repository: Path, *words: str, **extra: str) -> dict[str, Any]:
    outcome = run_here(home, "context", QUESTION, "--repo", str(repository), "--format", "json", *words, extra=extra)
    assert (0, "") == (outcome.code, outcome.err)
    plan: dict[str, Any] = outcome.json()
    return plan


def test_the_first_answer_has_every_key_with_its_type_and_nothing_else_is_printed(tmp_path: Path) -> None:
    plan = planned(tmp_path, write_sample(tmp_path / "shop"))
    assert {} == {name: plan[name] for name, kind in TOP_LEVEL.items() if not isinstance(plan[name], kind)}
    for item in plan["items"]:
        assert set(ITEM) == set(item)
        assert {} == {name: item[name] for name, kind in ITEM.items() if not isinstance(item[name], kind)}
        assert item["reasons"]
        assert all({"type", "weight", "detail"} == set(reason) for reason in item["reasons"])


def declared(line: str, detail: str) -> str:
    """Return a line without what a signature leaves out: what follows the definition, and the end of a long one."""
    text = line.strip().removeprefix("export ").rstrip(":{ ")
    return text[:34] if detail == "signature" else text


@pytest.mark.parametrize("mode", ["light", "heavy"])
@pytest.mark.parametrize("budget", ["100", "300", "100000"])
def test_the_lines_are_those_whose_text_is_shown(shop: tuple[Path, Path], mode: str, budget: str) -> None:
    plan = planned(*shop, "--mode", mode, "--budget", budget, "--with-text")
    shown = [item for item in plan["items"] if item["included"]]
    assert sum(item["tokens"] for item in shown) <= int(budget)
    assert plan["tokens"] == sum(item["tokens"] for item in shown) + plan["overhead_tokens"]
    for item in shown:
        source = (shop[1] / item["path"]).read_text().splitlines() if item["lines"] else []
        for start, end in item["lines"]:
            assert item["start_line"] <= start <= end <= item["end_line"]
            missing = [line for line in source[start - 1 : end] if declared(line, item["detail"]) not in item["text"]]
            assert [] == missing


def test_an_id_stands_in_the_items_once(shop: tuple[Path, Path]) -> None:
    for mode in ("light", "heavy"):
        ids = [item["id"] for item in planned(*shop, "--mode", mode)["items"]]
        assert len(set(ids)) == len(ids)


def test_heavy_shows_the_best_match_whole_even_when_it_is_central(shop: tuple[Path, Path]) -> None:
    rows = {item["symbol"]: item for item in planned(*shop, "--mode", "heavy")["items"]}
    assert ("touchpoint", "body") == (rows["shop.price.total_of"]["section"], rows["shop.price.total_of"]["detail"])


def test_what_can_not_fit_is_told_on_standard_error_and_by_the_exit_code(shop: tuple[Path, Path]) -> None:
    home, repository = shop
    for budget in ("1", "5", "50"):
        outcome = run_here(home, "context", QUESTION, "--repo", str(repository), "--format", "json", "--budget", budget)
        assert 1 == outcome.code
        assert "fit into" in outcome.err
        assert "--budget" in outcome.err
        assert sum(item["tokens"] for item in outcome.json()["items"] if item["included"]) <= int(budget)


def test_the_plan_does_not_depend_on_the_machine(shop: tuple[Path, Path], tmp_path: Path) -> None:
    expected = planned(*shop)
    del expected["elapsed_ms"]
    copy = tmp_path / "some where else é"
    for file in sorted((path for path in shop[1].rglob("*") if path.is_file()), reverse=True):
        target = copy / file.relative_to(shop[1])
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    elsewhere = planned(
        tmp_path, copy, PYTHONHASHSEED="7", TZ="Asia/Tokyo", LANG="C", LC_ALL="C", CTXCODE_WORKERS="1", COLUMNS="20"
    )
    del elsewhere["elapsed_ms"]
    assert expected == elsewhere


def test_the_plan_id_follows_prompt_mode_budget_and_content_only(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    first = planned(tmp_path, repository)["plan_id"]
    source = repository / "shop/price.py"
    os.utime(source, (1, 1))
    (repository / "notes.dat").write_text("# Another\n")
    assert first == planned(tmp_path, repository)["plan_id"]
    assert first != planned(tmp_path, repository, "--mode", "heavy")["plan_id"]
    assert first != planned(tmp_path, repository, "--budget", "7999")["plan_id"]
    text, stamp = source.read_text(), source.stat()
    source.write_text(text.replace("before tax", "BEFORE tax"))
    os.utime(source, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert first != planned(tmp_path, repository)["plan_id"]
    source.write_text(text)
    assert first == planned(tmp_path, repository)["plan_id"]
