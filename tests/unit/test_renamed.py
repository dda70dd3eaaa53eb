"""Names that something is to have."""

import pytest

from ctxcode.model.naming.renamed import new_names, renames_it


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("rename it to skip_dir_entry", {"skip_dir_entry"}),
        ("Rename `Walk.skip_entry` to `skip_dir_entry`.", {"skip_dir_entry"}),
        ("rename save to save!", {"save!"}),
        ("call it skip_dir instead", {"skip_dir"}),
        ("rename a.b into a.c and then rename it as d2", {"a.c", "d2"}),
        ("how does rename work?", set()),
        ("who calls it to close?", set()),
        ("does the call to save return?", set()),
    ],
)
def test_a_request_says_what_something_is_to_be_called(text: str, names: set[str]) -> None:
    assert names == new_names(text)


def test_it_gets_another_name_where_nothing_else_does() -> None:
    assert renames_it("rename it to skip_dir_entry")
    assert renames_it("Call that skip_dir instead")
    assert not renames_it("rename skip_entry to skip_dir_entry")
    assert not renames_it("should we rename it?")
