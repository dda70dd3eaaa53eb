"""What typed letters become, asked of a real index and a real journal."""

from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from indexed_folder import IndexedFolder
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.session.lookup.completion import completed
from ctxcode.store.index.reader import SqliteIndex

CODE = '''
class Query:
    """A query."""

    def join(self): ...

    def trim_joins(self): ...

    def percent_x(self): ...


class SafeParseError: ...


def safeParse(): ...
'''


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteIndex]:
    folder = IndexedFolder(tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("cache"))
    folder.write("sql/query.py", CODE)
    folder.write("sql/compiler.py", "def compile_query(): ...\n")
    folder.write("tests/test_query.py", "def join(): ...\n\n\ndef test_query(): ...\n")
    folder.refresh()
    yield folder.index
    folder.close()


def names(index: SqliteIndex, text: str, limit: int = 8) -> list[str]:
    return [symbol.qualname or symbol.path for symbol in completed(index, text, limit)]


def test_a_name_that_begins_so_comes_before_one_that_holds_it_and_code_before_tests(index: SqliteIndex) -> None:
    assert ["Query.join", "join", "Query.trim_joins"] == names(index, "join")


def test_letters_may_be_left_out_and_case_does_not_matter(index: SqliteIndex) -> None:
    assert "Query.trim_joins" in names(index, "QTRIMJ")
    assert "Query.join" == names(index, "query.jo")[0]


def test_among_names_that_begin_so_typed_capitals_tell_which_are_meant(index: SqliteIndex) -> None:
    assert ["safeParse", "SafeParseError"] == names(index, "safeP")
    assert "SafeParseError" == names(index, "SafeP")[0]


def test_a_slash_means_a_path(index: SqliteIndex) -> None:
    assert ["sql/query.py"] == names(index, "sq/que")
    assert ["sql/query.py"] == names(index, "./sql/query")


def test_several_words_are_parts_of_one_name_or_path(index: SqliteIndex) -> None:
    assert "Query.join" == names(index, "query join")[0]
    assert "sql/compiler.py" in names(index, "compiler sql")


def test_files_stand_beside_symbols(index: SqliteIndex) -> None:
    assert {"Query", "sql/query.py", "tests/test_query.py"} <= set(names(index, "query"))
    assert "sql/query.py" == names(index, "query.py")[0]


def test_no_letters_offer_what_is_central(index: SqliteIndex) -> None:
    assert names(index, "")
    assert [] == names(index, "zzzz")


def test_a_percent_sign_and_an_underscore_are_letters(index: SqliteIndex) -> None:
    assert [] == names(index, "%")
    assert "Query.percent_x" == names(index, "t_x")[0]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80), st.integers(0, 9))
def test_any_text_can_be_typed(index: SqliteIndex, text: str, limit: int) -> None:
    assert len(completed(index, text, limit)) <= limit


async def test_a_path_may_lead_to_a_file_that_no_parser_takes(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    (root / "shop" / "rates.dat").write_text("19\n")
    (root / "shop" / "rates.bin").write_bytes(b"\0")
    (root / ".env").write_text("KEY=1\n")
    session = open_application(root, overrides={}, environment=private_home(tmp_path)).session(None)
    async for _ in session.refresh_index():
        pass
    for typed, offered in (
        ("shop/rat", ["shop/rates.dat"]),
        ("rates.d", ["shop/rates.dat"]),
        ("rates", []),
        (".env", []),
    ):
        assert offered == [found.path for found in await session.complete(typed)]
    assert "shop/cart.py" == (await session.complete("shop/ca"))[0].path
    (root / "car").write_text("a file without an ending\n")
    assert ["car", "Cart"] == [found.name for found in await session.complete("car")][:2]
    assert "Cart" == (await session.complete("ca"))[0].name


async def test_earlier_prompts_of_all_sessions_are_remembered_newest_first(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    app = open_application(tmp_path / "shop", overrides={}, environment=private_home(tmp_path))
    for prompt in ("what is Cart?", "where is Price?", "what is Cart?"):
        session = app.session(None)
        async with aclosing(session.turn(prompt)) as events:
            async for _ in events:
                pass
    assert ("what is Cart?", "where is Price?") == await app.session(None).archive.prompts()
