"""Tests and the like: the quick look at a path passes over none that the patterns find."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.model.naming.folder import SIDE, TEST, is_side_path, is_test_path

Told = Callable[[str], bool]
PRODUCT_OF_THE_JVM = "src/main"


def found_by(pattern: re.Pattern[str]) -> st.SearchStrategy[str]:
    return st.from_regex(pattern).filter(lambda path: PRODUCT_OF_THE_JVM not in path)


# To take such a pattern apart for each example anew costs twenty times what the example does.
@settings(max_examples=400)
@given(st.data())
@pytest.mark.parametrize(
    ("paths", "is_told"), [(found_by(SIDE), is_side_path), (found_by(TEST), is_test_path)], ids=["side", "test"]
)
def test_a_path_that_a_pattern_finds_is_told(paths: st.SearchStrategy[str], is_told: Told, data: st.DataObject) -> None:
    path = data.draw(paths)
    assert is_told(path), path
