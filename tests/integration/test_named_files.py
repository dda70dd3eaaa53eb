"""Files no parser takes, named in a question: they are shown as they are."""

from pathlib import Path
from typing import Any

import pytest
from command import run_here
from sample_repository import write_sample

DATA = "".join(f"row {number}\n" for number in range(1, 101))
BIG = "x" * 99 + "\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    root = write_sample(tmp_path_factory.mktemp("shop"))
    (root / "data" / "deep").mkdir(parents=True)
    (root / "data/deep/rates.json").write_text('{"vat": 19}\n')
    (root / "data/deep/rows.dat").write_text(DATA)
    (root / "data/deep/long.dat").write_text(BIG * 5_000)
    (root / "data/deep/rows.bin").write_bytes(b"a\0b")
    (root / "data/deep/huge.dat").write_bytes(b"x" * 11_000_000)
    (root / "data/.env").write_text("KEY=1\n")
    (root / ".env").write_text("KEY=1\n")
    (root.parent / "outside.dat").write_text("no\n")
    return tmp_path_factory.mktemp("home"), root


def items(shop: tuple[Path, Path], question: str, *words: str, **extra: str) -> dict[str, dict[str, Any]]:
    home, root = shop
    outcome = run_here(home, "context", question, "--repo", str(root), "--format", "json", *words, extra=extra)
    assert (0, "") == (outcome.code, outcome.err)
    kept = ("file:", "lines:")
    return {item["id"]: item for item in outcome.json()["items"] if item["id"].startswith(kept)}


def test_a_file_that_is_named_is_shown_whole(shop: tuple[Path, Path]) -> None:
    for name in ("@data/deep/rates.json", "data/deep/rates.json", "`data/deep/rates.json`", "./data/deep/rates.json"):
        found = items(shop, f"why does {name} not hold the tax of the cart?")
        assert ["file:data/deep/rates.json"] == list(found)
        assert found["file:data/deep/rates.json"]["included"]
        reason = found["file:data/deep/rates.json"]["reasons"][0]
        assert ("mentioned", "data/deep/rates.json") == (reason["type"], reason["detail"])


def test_a_file_without_an_ending_is_shown_where_nothing_else_is_called_so(shop: tuple[Path, Path]) -> None:
    assert ["file:LICENSE"] == list(items(shop, "what does @LICENSE say?"))
    assert {} == items(shop, "what does LICENSE say?")
    assert {} == items(shop, "what does @Cart do?")


def test_of_a_line_that_is_named_the_lines_around_are_shown(shop: tuple[Path, Path]) -> None:
    assert ["lines:data/deep/rows.dat:38-62"] == list(items(shop, "what is wrong at @data/deep/rows.dat:50"))
    assert ["lines:data/deep/rows.dat:88-100"] == list(items(shop, "what is wrong at @data/deep/rows.dat:100"))


def test_of_what_is_far_too_long_the_beginning_is_shown(shop: tuple[Path, Path]) -> None:
    found = items(shop, "what is in @data/deep/long.dat", "--budget", "4000")
    assert ["lines:data/deep/long.dat:1-40"] == list(found)
    (only,) = found.values()
    assert (True, [[1, 40]]) == (only["included"], only["lines"])
    assert 4_000 > only["tokens"]


def test_the_beginning_fits_what_the_model_reads_whatever_the_budget(shop: tuple[Path, Path]) -> None:
    small = {"CTXCODE_CONTEXT": "4096", "CTXCODE_MODEL": "openai/none", "OPENAI_API_KEY": "x"}
    (only,) = items(shop, "what is in @data/deep/long.dat", "--budget", "64000", **small).values()
    assert only["included"]


def test_what_does_not_fit_is_said_to_be_left_out(shop: tuple[Path, Path]) -> None:
    found = items(shop, "what is in @data/deep/rows.dat", "--budget", "300")["file:data/deep/rows.dat"]
    assert (False, "budget") == (found["included"], found["reasons"][0]["type"])


@pytest.mark.parametrize("name", [".env", "../outside.dat", "/etc/hostname", "data/deep", "shop/cart.py"])
def test_nothing_else_is_shown_so(shop: tuple[Path, Path], name: str) -> None:
    assert {} == items(shop, f"what is in @{name} and in {name}?")


@pytest.mark.parametrize(
    ("name", "type_", "why"),
    [
        ("data/deep/rows.bin", "unreadable", "is a binary file"),
        ("data/deep/huge.dat", "unreadable", "is 11 MB; files over 10 MB are not read"),
        ("data/deep/none.dat", "unreadable", "does not exist"),
        ("data/.env", "secret", ""),
    ],
)
def test_what_can_not_be_shown_is_left_out_with_why(shop: tuple[Path, Path], name: str, type_: str, why: str) -> None:
    found = items(shop, f"what is in @{name}?")[f"file:{name}"]
    assert (False, 0) == (found["included"], found["tokens"])
    assert [(type_, why), ("mentioned", name)] == [(one["type"], one["detail"]) for one in found["reasons"]]
    assert sum(one["weight"] for one in found["reasons"]) == found["score"]


def test_what_is_not_there_is_not_told_of_where_nobody_says_it_is(shop: tuple[Path, Path]) -> None:
    assert {} == items(shop, "write data/deep/none.dat for me, with @angular/core")


def test_with_no_context_nothing_is_shown(shop: tuple[Path, Path]) -> None:
    assert {} == items(shop, "what is in @data/deep/rates.json", "--mode", "off")
