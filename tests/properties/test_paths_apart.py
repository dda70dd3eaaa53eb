"""Tests and the like: the quick look at a path passes over none that the patterns find."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.naming.folder import SIDE, TEST, is_side_path, is_test_path

Told = Callable[[str], bool]
PRODUCT_OF_THE_JVM = "src/main"


@given(st.data())
@pytest.mark.parametrize(("pattern", "is_told"), [(SIDE, is_side_path), (TEST, is_test_path)])
def test_a_path_that_a_pattern_finds_is_told(pattern: re.Pattern[str], is_told: Told, data: st.DataObject) -> None:
    path = data.draw(st.from_regex(pattern).filter(lambda path: PRODUCT_OF_THE_JVM not in path))
    assert is_told(path), path
