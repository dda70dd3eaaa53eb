from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.errors import UsageError
from ctxcode.tui.prompt.editor import command_at, editor_words
from ctxcode.tui.prompt.folding import MIN_LINES, FoldedPastes
from ctxcode.tui.prompt.recall import Recall, matching


def test_a_small_paste_stays_as_it_is() -> None:
    assert "one\ntwo" == FoldedPastes().fold("one\ntwo")


def test_a_large_paste_becomes_one_word_and_back() -> None:
    pastes = FoldedPastes()
    text = "line\n" * 40
    assert "[paste 1: 40 lines]" == pastes.fold(text)
    assert "[paste 2: 1,200 characters]" == pastes.fold("x" * 1_200)
    assert f"see {text} there" == pastes.unfold("see [paste 1: 40 lines] there")
    assert "[paste 1: 40 lines]" == pastes.word_before("see [paste 1: 40 lines]")
    assert "[paste 1: 40 line" == pastes.unfold("[paste 1: 40 line")


@given(st.lists(st.sampled_from(["[paste 1: 8 lines]\n" * 8, "a\n" * 9, "short", "[paste 2: 9 lines]" * 60])))
def test_what_was_pasted_is_what_is_sent(texts: list[str]) -> None:
    pastes = FoldedPastes()
    shown = "|".join(pastes.fold(text) for text in texts if text.count("\n") >= MIN_LINES - 1)
    assert "|".join(text for text in texts if text.count("\n") >= MIN_LINES - 1) == pastes.unfold(shown)


def test_recall_goes_through_earlier_prompts_and_back_to_the_draft() -> None:
    recall = Recall()
    recall.use(("one", "two", "one"))
    assert ["one", "two", None] == [recall.step(-1, "draft") for _ in range(3)]
    assert ["one", "draft", None] == [recall.step(1, "") for _ in range(3)]


def test_earlier_prompts_are_found_by_their_words_in_any_order() -> None:
    asked = ("why is JOIN outer", "where is it joined", "why is JOIN outer", "other")
    assert ("why is JOIN outer",) == matching(asked, "outer join", 9)
    assert asked[:2] == matching(asked, "", 2)


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vim", ["vim", "+7", "/r/a.py"]),
        ("/usr/bin/hx", ["/usr/bin/hx", "/r/a.py:7"]),
        ("code --wait", ["code", "--wait", "--goto", "/r/a.py:7"]),
        ("mine", ["mine", "/r/a.py"]),
    ],
)
def test_editors_are_told_the_line_in_their_own_way(editor: str, words: list[str]) -> None:
    assert words == command_at(editor_words({"EDITOR": editor}), Path("/r/a.py"), 7)


def test_visual_comes_before_editor_and_a_broken_one_is_said_so() -> None:
    assert ["one"] == editor_words({"VISUAL": "one", "EDITOR": "other"})
    with pytest.raises(UsageError, match="EDITOR"):
        editor_words({"EDITOR": "vim 'unclosed"})
