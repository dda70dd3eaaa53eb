from pathlib import Path

import pytest

from ctxcode.llm.counting import common_words
from ctxcode.llm.counting.common_words import is_common_word


@pytest.mark.parametrize("word", ["decide", "older", "print", "rotation", "upcoming", "suitable", "spent", "sending"])
def test_words_people_know_are_common(word: str) -> None:
    assert is_common_word(word)


@pytest.mark.parametrize("word", ["crashing", "introduces", "rejects", "ignores", "leaked", "ignoring", "partly"])
def test_so_are_forms_of_them(word: str) -> None:
    assert is_common_word(word)


@pytest.mark.parametrize("word", ["recieve", "occured", "adress", "seperate", "funciton", "begining", "bakcoff"])
def test_slips_are_not_though_many_make_them(word: str) -> None:
    assert not is_common_word(word)


def test_without_the_vocabulary_no_word_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for folder in (None, tmp_path):
        monkeypatch.setattr(common_words, "vocabulary_folder", lambda folder=folder: folder)
        common_words._common_tokens.cache_clear()
        is_common_word.cache_clear()
        assert not is_common_word("decide")
    monkeypatch.undo()
    common_words._common_tokens.cache_clear()
    is_common_word.cache_clear()
