"""Whatever people paste as a question is answered within bounds and without a traceback."""

import subprocess
from pathlib import Path

import pytest
from command import run_here
from sample_repository import write_sample
from tmux_terminal import CTXCODE, private_home

LOG = "\n".join(f"2024-01-01 12:00:{n % 60:02d} ERROR shop.cart in checkout_{n} at 0x{n:x}" for n in range(400))
FORMS = {
    "full-text syntax": 'foo-bar "C++" a.b NEAR(x, y) * ^ {col}: (AND OR NOT) \' ; --',
    "operators only": "AND OR NOT",
    "one quote": '"',
    "punctuation": ". ? !",
    "emoji": "👩‍👩‍👧‍👦 🔥",
    "japanese": "データベースの接続はどこですか",
    "right to left": "\u202eabc",
    "stop words": "the of and to a in",
    "contentless": "continue",
    "javascript trace": "TypeError: x is undefined\n    at sendCart (/app/web/client.ts:4:3)",
    "rust trace": "thread 'main' panicked at core/src/lib.rs:12:5:\nindex out of bounds",
    "go trace": "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x/server/main.go:4 +0x1d",
    "java trace": 'Exception in thread "main" java.lang.NullPointerException\n\tat com.example.Foo.bar(Foo.java:12)',
    "missing file": "@../../etc/passwd",
    "12 kB of log": LOG[:12_000],
    "brackets": "(" * 20_000,
    "slashes": "/" * 5_000 + "x",
}
POINTED = {
    "bare path": ("shop/price.py", "shop/price.py"),
    "path and line": ("shop/price.py:19", "shop/price.py"),
    "at path": ("@shop/price.py what is it", "shop/price.py"),
    "identifier": ("total_of", "shop/price.py"),
    "dotted": ("shop.cart.Cart.checkout", "shop/cart.py"),
    "python trace": (
        'Traceback (most recent call last):\n  File "/srv/shop/shop/cart.py", line 18, in checkout\nTypeError: no',
        "shop/cart.py",
    ),
    "diff": (
        "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -19,3 +19,3 @@ def total_of\n-    return 1\n+    return 2\n",
        "shop/price.py",
    ),
}


JAVA = {
    "Price.java": "package com.example;\nclass Price {\n    int row() {\n        return 1 / 0;\n    }\n}\n",
    "Cart.java": "package com.example;\nclass Cart {\n    /** Checkout of all prices in the cart. */\n"
    "    int checkout() {\n        return new Price().row();\n    }\n}\n",
}
PYTHON_TRACE = """Traceback (most recent call last):
  File "/srv/shop/cart.py", line 18, in checkout
    return total_of()
  File "/srv/shop/price.py", line 27, in total_of
TypeError: cart checkout prices
"""
JAVA_TRACE = """\tat com.example.Price.row(Price.java:4)
\tat com.example.Cart.checkout(Cart.java:5)
checking out a cart's prices
"""
LINTER = "/w/Price.java\n  4:1  error  cart checkout\n\n/w/Cart.java\n  5:1  error  checkout cart prices\n"
PACKAGE = "java/com/example"
TRACES = {
    "python": (PYTHON_TRACE, ["shop/price.py", "shop/cart.py"]),
    "java": (JAVA_TRACE, [f"{PACKAGE}/Price.java", f"{PACKAGE}/Cart.java"]),
    "linter": (LINTER, [f"{PACKAGE}/Price.java", f"{PACKAGE}/Cart.java"]),
}


@pytest.mark.parametrize(("query", "paths"), TRACES.values(), ids=TRACES.keys())
def test_what_failed_first_comes_first(shop: tuple[Path, Path], query: str, paths: list[str]) -> None:
    plan = run_here(shop[0], "context", query, "--repo", str(shop[1]), "--format", "json").json()
    touched = sorted((i for i in plan["items"] if i["path"] and i["score"]), key=lambda i: -i["score"])
    assert paths == [item["path"] for item in touched[: len(paths)]]
    assert all(item["included"] for item in touched[: len(paths)])


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("home")
    root = write_sample(home / "shop")
    for name, text in JAVA.items():
        (root / PACKAGE).mkdir(parents=True, exist_ok=True)
        (root / PACKAGE / name).write_text(text)
    return home, root


@pytest.mark.parametrize("query", FORMS.values(), ids=FORMS.keys())
def test_any_form_of_question_gets_a_plan(shop: tuple[Path, Path], query: str) -> None:
    outcome = run_here(shop[0], "context", query, "--repo", str(shop[1]), "--format", "json")
    assert "Traceback" not in outcome.err
    plan = outcome.json()
    assert 0 == outcome.code
    assert ("its middle is not shown" in outcome.err) == (len(query) > 10_000)
    assert "message" in {item["id"] for item in plan["items"] if item["included"]}


@pytest.mark.parametrize(("query", "path"), POINTED.values(), ids=POINTED.keys())
def test_what_points_at_code_finds_it_first(shop: tuple[Path, Path], query: str, path: str) -> None:
    plan = run_here(shop[0], "context", query, "--repo", str(shop[1]), "--format", "json").json()
    touched = sorted((i for i in plan["items"] if i["path"] and i["score"]), key=lambda i: -i["score"])
    assert path == touched[0]["path"]


@pytest.mark.parametrize("mode", ["light", "heavy"])
def test_the_line_of_a_trace_is_shown_with_those_around_it(tmp_path: Path, mode: str) -> None:
    home = write_sample(tmp_path)
    body = "".join(f"    total = weigh(total, {number})\n" for number in range(2, 400))
    (home / "shop" / "scales.py").write_text(f"def weighed(total):\n{body}    return total\n", encoding="utf-8")
    trace = 'File "/srv/shop/scales.py", line 321, in weighed\nValueError: too heavy'
    words = ("--mode", mode, "--repo", str(home), "--format", "json", "--with-text", "--budget", "2000")
    outcome = run_here(tmp_path, "context", trace, *words)
    (row,) = [item for item in outcome.json()["items"] if item["id"].endswith("::weighed")]
    assert all(f"weigh(total, {line})" in row["text"] for line in range(319, 324))
    assert any(start <= 321 <= end for start, end in row["lines"])


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (b"", 2, "empty"),
        (b" \n\t ", 2, "empty"),
        (b"where\0is total_of\0", 0, ""),
        (b"\xff\xfe\xfa total_of", 0, ""),
        ((LOG * 40)[:1_000_000].encode(), 0, "its middle is not shown"),
        (bytes(range(256)) * 2_000, 0, "its middle is not shown"),
    ],
    ids=["nothing", "white space", "NUL", "not UTF-8", "1 MB of log", "noise"],
)
def test_standard_input_may_hold_anything(shop: tuple[Path, Path], data: bytes, code: int, says: str) -> None:
    words = [str(CTXCODE), "context", "-", "--repo", str(shop[1]), "--format", "json"]
    made = subprocess.run(words, input=data, capture_output=True, check=False, timeout=60, env=private_home(shop[0]))
    assert code == made.returncode
    assert says in made.stderr.decode()
    assert b"Traceback" not in made.stderr


def test_an_argument_that_is_no_utf8_is_taken(shop: tuple[Path, Path]) -> None:
    words: list[bytes] = [bytes(CTXCODE), b"context", b"find \xff total_of", b"--repo", bytes(shop[1])]
    made = subprocess.run(words, capture_output=True, check=False, timeout=60, env=private_home(shop[0]))
    assert (0, b"") == (made.returncode, made.stderr)
    assert b"total_of" in made.stdout


def test_a_log_over_the_budget_is_searched_for_and_shown_in_part(shop: tuple[Path, Path]) -> None:
    trace = 'File "/srv/shop/price.py", line 27, in total_of'
    query = f"why?\n{LOG[:20_000]}\n{trace}\nValueError: no price"
    words = ("--repo", str(shop[1]), "--format", "json", "--budget", "4000", "--with-text")
    outcome = run_here(shop[0], "context", query, *words)
    rows = {item["id"]: item for item in outcome.json()["items"] if item["included"]}
    assert 0 == outcome.code
    assert ("excerpt", True) == (rows["message"]["detail"], rows["message"]["tokens"] <= 2000)
    assert "characters left out" in rows["message"]["text"]
    assert "shop/price.py::total_of" in {name.removeprefix("symbol:") for name in rows}


def test_of_a_long_function_the_line_is_shown_that_gives_a_quoted_message(tmp_path: Path) -> None:
    path, said = tmp_path / "repository" / "till.py", "Merged cart totals differ from stored order totals"
    path.parent.mkdir()
    steps = [f"    total += prices[{number}] * rates[{number}]" for number in range(200)]
    steps[150] = f'    check(total, "{said}")'
    path.write_text("def close(prices, rates, total=0):\n" + "\n".join(steps) + "\n")
    words = ("--repo", str(path.parent), "--format", "json", "--budget", "2000", "--mode")
    for mode in ("heavy", "light"):
        outcome = run_here(tmp_path, "context", f"error: {said}", *words, mode, "--with-text")
        (shown,) = [item for item in outcome.json()["items"] if item["id"] == "symbol:till.py::close"]
        assert said in shown["text"]
        assert any(first <= 152 <= last for first, last in shown["lines"])


def test_explaining_lists_every_candidate_with_terms_that_sum_to_its_score(shop: tuple[Path, Path]) -> None:
    words = ("context", "how is the price with tax computed", "--repo", str(shop[1]), "--explain")
    candidates = run_here(shop[0], *words, "--format", "json").json()["candidates"]
    assert candidates
    for candidate in candidates:
        assert abs(candidate["score"] - sum(candidate["terms"].values())) < 1e-9
        assert 0 < candidate["score"] <= 1
    text = run_here(shop[0], *words).out
    assert f"All {len(candidates)} candidates" in text
    assert " = lexical +" in text
