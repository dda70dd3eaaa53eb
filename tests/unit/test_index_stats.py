"""What the numbers of an index say of what is not known."""

from ctxcode.llm.navigator.absence import gaps
from ctxcode.model.symbol import IndexStats


def test_an_index_that_nobody_has_published_proves_no_name_absent() -> None:
    begun = IndexStats("", 215, 0, 0, ())
    assert not begun.is_whole
    assert ["The index is not complete: nothing of 215 files is there yet."] == gaps(begun, str)


def test_an_index_without_files_to_come_and_unread_ones_is_whole() -> None:
    assert IndexStats("r1", 2, 5, 4, ()).is_whole
    assert [] == gaps(IndexStats("r1", 2, 5, 4, ()), str)
    assert not IndexStats("r1", 2, 5, 4, (), 0, 1).is_whole
    assert not IndexStats("r1", 2, 5, 4, (), 1).is_whole
