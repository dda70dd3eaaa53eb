"""What people paste when something fails points at its places."""

import tomllib
from pathlib import Path
from typing import TypedDict

import pytest

from ctxcode.intent.frame import frames


class Pasted(TypedDict):
    """A case of the file."""

    name: str
    text: str
    places: list[str]


TEXTS: list[Pasted] = tomllib.loads(Path(__file__).with_name("traces.toml").read_text("utf-8"))["text"]


@pytest.mark.parametrize("case", TEXTS, ids=[case["name"] for case in TEXTS])
def test_every_place_is_found_in_the_order_of_failing(case: Pasted) -> None:
    assert case["places"] == [f"{place.text}:{place.line}:{place.name}" for place in frames(case["text"])]


def test_a_deep_trace_is_bounded_and_keeps_what_failed() -> None:
    text = "\n".join(f'  File "m{n}.py", line {n}, in f{n}' for n in range(1, 200))
    assert (30, "m199.py") == (len(frames(text)), frames(text)[0].text)
