"""What a name that the user types stands for."""

from dataclasses import replace

import pytest
from navigable_graph import symbol

from ctxcode.model.errors import UsageError
from ctxcode.model.ids import SymbolId, symbol_item
from ctxcode.model.symbol import SymbolKind
from ctxcode.session.memory.pins import named_item

FIRST = symbol("src/text.py", "Text", SymbolKind.CLASS, (1, 9))
SECOND = replace(FIRST, id=SymbolId("src/text.py::Text~2"))
OTHER = symbol("old/text.py", "Text", SymbolKind.CLASS, (1, 9))
NAMESAKES = (FIRST, SECOND, OTHER)


def test_namesakes_are_told_apart_by_names_that_can_be_typed() -> None:
    with pytest.raises(UsageError) as refused:
        named_item("Text", NAMESAKES)
    for offered in str(refused.value).split(" could be ")[1].rstrip(".").split(", "):
        assert named_item(offered, NAMESAKES)


def test_of_namesakes_the_only_one_that_was_shown_is_meant() -> None:
    assert symbol_item(OTHER.id) == named_item("Text", NAMESAKES, shown=lambda: {symbol_item(OTHER.id)})


def test_of_namesakes_that_were_shown_together_none_is_taken() -> None:
    with pytest.raises(UsageError):
        named_item("Text", NAMESAKES, shown=lambda: {symbol_item(each.id) for each in NAMESAKES})


def test_what_is_only_near_is_offered_and_not_taken_even_when_it_is_the_only_one() -> None:
    with pytest.raises(UsageError, match="Nothing here is called 'ext'") as refused:
        named_item("ext", (), (OTHER,))
    assert "Near it: Text." == refused.value.hint
