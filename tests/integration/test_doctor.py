"""The doctor in odd surroundings: every line is there, and a key is never shown."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command import run, run_here
from sample_repository import write_sample

ALWAYS = ["terminal", "colours", "encoding", "grammars", "sqlite", "git", "litellm", "tokens", "meaning"]


def checks(home: Path, *words: str, **extra: str) -> dict[str, dict[str, Any]]:
    outcome = run_here(home, "doctor", *words, "--format", "json", extra=extra)
    assert ("", False) == (outcome.err, "canary" in outcome.out)
    rows = outcome.json()
    assert ALWAYS == [row["name"] for row in rows][: len(ALWAYS)]
    assert (1 if any(row["status"] == "failed" for row in rows) else 0) == outcome.code
    return {row["name"]: row for row in rows}


def test_piped_it_still_tells_terminal_and_colours(tmp_path: Path) -> None:
    rows = checks(tmp_path, str(write_sample(tmp_path / "shop")))
    assert ("note", "note") == (rows["terminal"]["status"], rows["colours"]["status"])
    assert rows["terminal"]["action"]
    assert {"repository", "conversations", "model", "key", "local servers"} <= set(rows)


def test_the_keys_that_are_set_are_named_for_the_navigator_too(tmp_path: Path) -> None:
    rows = checks(tmp_path, str(tmp_path), OPENAI_API_KEY="sk-canary", ANTHROPIC_API_KEY="canary")
    assert "OPENAI_API_KEY, ANTHROPIC_API_KEY set (not shown), not used by the navigator" == rows["key"]["detail"]
    assert "none set" in checks(tmp_path, str(tmp_path))["key"]["detail"]


@pytest.mark.parametrize(
    ("words", "failed"), [(("nowhere",), "repository"), ((".", "--model", "no-such-model"), "model")]
)
def test_what_fails_is_named_and_the_rest_is_told(tmp_path: Path, words: tuple[str, ...], failed: str) -> None:
    rows = checks(tmp_path, *words)
    assert [failed] == [name for name, row in rows.items() if row["status"] == "failed"]
    assert {"repository", "model", "local servers"} <= set(rows)
    assert rows[failed]["action"]


def test_comparing_by_meaning_is_tried_and_its_setting_told(tmp_path: Path) -> None:
    row = checks(tmp_path, str(tmp_path), CTXCODE_SEMANTIC="off")["meaning"]
    if find_spec("wordllama") is None:
        assert ("note", True) == (row["status"], "by words only" in row["detail"])
    else:
        assert ("ok", True) == (row["status"], row["detail"].startswith("wordllama "))
        assert row["detail"].endswith("not used (semantic = false)")


def test_an_embedding_model_is_named_with_its_address_and_not_asked(tmp_path: Path) -> None:
    settings = {"CTXCODE_EMBEDDING_MODEL": "openai/text-embedding-3-small", "CTXCODE_API_BASE": "http://127.0.0.1:9/v1"}
    row = checks(tmp_path, str(tmp_path), **settings)["meaning"]
    assert ("ok", True) == (row["status"], "text-embedding-3-small at http://127.0.0.1:9/v1" in row["detail"])
    bare = checks(tmp_path, str(tmp_path), CTXCODE_EMBEDDING_MODEL="openai/text-embedding-3-small")["meaning"]
    assert ("note", True) == (bare["status"], "its key is missing" in bare["detail"])
    wrong = checks(tmp_path, str(tmp_path), CTXCODE_EMBEDDING_MODEL="no-such-model")["meaning"]
    assert ("failed", True) == (wrong["status"], "no-such-model" in wrong["detail"])


def test_conversations_that_cant_be_kept_are_told_as_such(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    run_here(tmp_path, "context", "cart", "--repo", str(root))
    (kept,) = tmp_path.rglob("ctxcode.db")
    for place in kept.parent.glob("ctxcode.db*"):
        place.unlink()
    kept.mkdir()
    rows = checks(tmp_path, str(root))
    assert ["conversations"] == [name for name, row in rows.items() if row["status"] == "failed"]
    assert rows["conversations"]["action"]


def test_broken_settings_are_named_once(tmp_path: Path) -> None:
    (tmp_path / ".ctxcode.toml").write_text("mode = 3")
    rows = checks(tmp_path, str(tmp_path))
    assert ["settings"] == [name for name, row in rows.items() if row["status"] == "failed"]


def test_without_git_colour_or_utf8_it_prints_plain_letters(tmp_path: Path) -> None:
    surroundings = {"PATH": "/nowhere", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    outcome = run(tmp_path, "doctor", str(tmp_path), extra=surroundings)
    assert (0, "", True) == (outcome.code, outcome.err, outcome.out.isascii())
    assert "git            not found" in outcome.out
    assert "\\u" not in outcome.out


PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}


def odd(home: Path) -> Path:
    """Return a repository with a name that is not all ASCII."""
    root = write_sample(home / "shop")
    (root / "odd.py").write_text("def größe_des_Warenkorbs():\n    pass\n", encoding="utf-8")
    return root


@pytest.mark.parametrize(
    "words", [("context", "how is the cart priced?"), ("map",), ("symbol", "Cart"), ("refs", "Cart")]
)
def test_the_signs_have_plain_ones_where_the_output_is_ascii(tmp_path: Path, words: tuple[str, ...]) -> None:
    outcome = run(tmp_path, *words, "--repo", str(odd(tmp_path)), extra=PLAIN)
    assert (0, "", True) == (outcome.code, outcome.err, outcome.out.isascii())
    assert "\\u" not in outcome.out
    assert ("context" in words) == ("#...." in outcome.out)


def test_names_have_plain_signs_where_the_output_is_ascii(tmp_path: Path) -> None:
    root = odd(tmp_path)
    found = run(tmp_path, "symbol", "größe_des_Warenkorbs", "--repo", str(root), extra=PLAIN)
    assert (0, True) == (found.code, "gr\\xf6\\xdfe_des_Warenkorbs" in found.out)
    absent = run(tmp_path, "symbol", "größe_der_Tasche", "--repo", str(root), extra=PLAIN)
    assert (1, True) == (absent.code, "There is no 'gr\\xf6\\xdfe_der_Tasche'" in absent.out)
