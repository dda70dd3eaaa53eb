"""Questions in other languages find what is written in English."""

import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import pytest
from indexed_folder import IndexedFolder

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.plan import ReasonType
from ctxcode.retrieval.retrieve import retrieve
from ctxcode.store.index.reader import SqliteIndex


class Asked(TypedDict):
    """A question of the file."""

    text: str
    answer: str


CASES = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
QUESTIONS: list[Asked] = CASES["question"]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteIndex]:
    root = tmp_path_factory.mktemp("languages")
    folder = IndexedFolder(root / "app", root / "cache")
    for path, text in CASES["files"].items():
        folder.write(path, text)
    folder.refresh()
    yield folder.index
    folder.close()


def first_of(index: SqliteIndex, question: str) -> str:
    return retrieve(parse_prompt(question), index).entries[0].symbol.qualname


@pytest.mark.parametrize("case", QUESTIONS, ids=[case["text"] for case in QUESTIONS])
def test_the_definition_that_answers_comes_first(index: SqliteIndex, case: Asked) -> None:
    assert case["answer"] == first_of(index, case["text"])


@pytest.mark.parametrize("case", QUESTIONS, ids=[case["text"] for case in QUESTIONS])
def test_letters_may_be_typed_in_parts(index: SqliteIndex, case: Asked) -> None:
    assert case["answer"] == first_of(index, unicodedata.normalize("NFD", case["text"]))


def test_letters_and_digits_may_be_wide(index: SqliteIndex) -> None:
    assert "clear_cache" == first_of(index, "ｃｌｅａｒ＿ｃａｃｈｅ はどこ")
    assert "upload_file" == first_of(index, "ﾌｧｲﾙ の ｱｯﾌﾟﾛｰﾄﾞ")


def test_what_was_read_is_told(index: SqliteIndex) -> None:
    found = retrieve(parse_prompt("Wo werden die Sitzungen gespeichert?"), index)
    told = "Read in English too: “sitzungen” as “session”, “gespeichert” as “save store”."
    lexical = [reason for reason in found.entries[0].reasons if reason.type is ReasonType.LEXICAL]
    assert told == found.notice
    assert ("sitzungen = session", "gespeichert = save") == lexical[0].terms[:2]
    assert all(abs(sum(term.value for term in entry.terms) - entry.score) < 1e-9 for entry in found.entries)


@pytest.mark.parametrize(
    "question",
    ["where are sessions saved", "Fix the cache", "upload_file fails", "wher is the sesion saved", "café au lait"],
)
def test_english_is_read_as_before(index: SqliteIndex, question: str) -> None:
    assert "Read in English" not in retrieve(parse_prompt(question), index).notice
