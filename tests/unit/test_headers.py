"""A header counts as what the sources around it are written in."""

import pytest

from ctxcode.model.naming.header import counted_languages


@pytest.mark.parametrize(
    ("files", "counted"),
    [
        ({"a.c": "c", "a.h": "cpp", "b.py": "python"}, ["c", "c", "python"]),
        ({"a.c": "c", "a.h": "cpp", "b.cc": "cpp"}, ["c", "cpp", "cpp"]),
        ({"a.c": "c", "a.hpp": "cpp", "a.h": "cpp"}, ["c", "cpp", "cpp"]),
        ({"a.h": "cpp", "b.py": "python"}, ["cpp", "python"]),
        ({"a.h": "objc", "a.m": "objc", "b.c": "c"}, ["objc", "objc", "c"]),
        ({}, []),
    ],
)
def test_headers_are_of_c_beside_c_alone(files: dict[str, str], counted: list[str]) -> None:
    assert counted == list(counted_languages(list(files.items())))
