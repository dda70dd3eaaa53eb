"""A pasted diff points at what it changes, whatever program wrote it."""

import tomllib
from pathlib import Path
from typing import TypedDict

import pytest

from ctxcode.intent.diff import diff_places


class Pasted(TypedDict):
    """A case of the file."""

    name: str
    text: str
    places: list[str]


DIFFS: list[Pasted] = tomllib.loads(Path(__file__).with_name("diffs.toml").read_text("utf-8"))["diff"]


@pytest.mark.parametrize("case", DIFFS, ids=[case["name"] for case in DIFFS])
def test_a_diff_points_at_the_lines_it_changes(case: Pasted) -> None:
    assert case["places"] == [f"{place.text}:{place.line}:{place.name}" for place in diff_places(case["text"])]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_change_no_place(end: str) -> None:
    whole = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -4,2 +4,2 @@ def pay():\n a\n-b\n"
    (place,) = diff_places(whole.replace("\n", end))
    assert ("x.py", 5, "pay") == (place.text, place.line, place.name)
