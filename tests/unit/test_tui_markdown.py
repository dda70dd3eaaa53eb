import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.content import Content
from ui.fake_door import REPLY

from ctxcode.tui.widgets.code import code_lines
from ctxcode.tui.widgets.markdown import MAX_CHARS, MarkdownText
from ctxcode.tui.widgets.text.parser import markdown_parser


def plain(lines: list[Content]) -> list[str]:
    return [line.plain.rstrip() for line in lines]


def test_a_reply_is_laid_out() -> None:
    lines = plain(MarkdownText("# Title\n\nsome **bold** text\n\n- one\n- two\n\n> said").lines(40))
    assert ["Title", "", "some bold text", "", " · one", " · two", "", "▌ said"] == lines


@pytest.mark.parametrize("marker", ["-", "1."])
def test_of_a_tree_as_deep_as_that_each_item_has_a_line(marker: str) -> None:
    names = [f"folder{number}" for number in range(24)]
    source = "".join(f"{' ' * (3 * at)}{marker} {name}\n" for at, name in enumerate(names)) + f"{marker} last\n"
    lines = plain(MarkdownText(source).lines(100))
    assert [*names, "last"] == [line.split()[-1] for line in lines]
    assert {marker.replace("-", "·")} == {line.split()[0] for line in lines[:-1]}


def test_a_quote_within_quotes_is_shown_however_deep() -> None:
    assert "said" in plain(MarkdownText(f"{'> ' * 30}said").lines(100))[0]


@pytest.mark.parametrize("levels", [49, 50, 98, 99, 100, 101, 500, 5_000])
@pytest.mark.parametrize("marker", ["> ", "- ", "> - ", "1. "])
def test_what_is_nested_too_deep_to_be_read_is_shown_and_so_is_what_follows(marker: str, levels: int) -> None:
    source = f"{marker * levels}said\n\nafter **all**\n"
    lines = plain(MarkdownText(source).lines(100))
    assert ["said", "after all"] == [lines[-3].split()[-1], lines[-1]]
    page = markdown_parser().render(source)
    assert ["said", "<p>after <strong>all</strong></p>"] == re.findall(r"said|<p>after.*", page)


def test_lines_of_a_quote_that_is_too_deep_end_with_it() -> None:
    page = markdown_parser().render(f"{'> ' * 102}one\n{'> ' * 102}two\nand so on\n\nafter\n")
    (kept,) = re.findall("<code>(.*?)</code>", page, re.DOTALL)
    assert "&gt; &gt; one\n&gt; &gt; two\nand so on\n" == kept
    assert page.endswith("</blockquote>\n<p>after</p>\n")


@pytest.mark.parametrize("source", [f"{'*' * 2_001}said{'*' * 2_001}", f"![{'*_' * 900}said{'_*' * 900}](a.png)"])
def test_emphasis_within_emphasis_is_shown_however_deep(source: str) -> None:
    assert 1 == " ".join(plain(MarkdownText(source).lines(100))).count("said")


def test_a_growing_text_is_laid_out_like_the_whole() -> None:
    growing = MarkdownText()
    for end in range(0, len(REPLY), 7):
        growing.text = REPLY[:end]
        growing.lines(60)
    growing.text = REPLY
    assert plain(MarkdownText(REPLY).lines(60)) == plain(growing.lines(60))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab*_`#>-|[]()<>!\n 1.", max_size=120), st.integers(8, 50))
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    assert all(line.cell_length <= width for line in MarkdownText(text).lines(width))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="ab*_`#>-|[]\n 1.", max_size=20), max_size=8))
def test_pieces_and_whole_come_out_alike(pieces: list[str]) -> None:
    growing, shown = MarkdownText(), ""
    for piece in pieces:
        shown += piece
        growing.text = shown
    assert plain(MarkdownText(shown).lines(40)) == plain(growing.lines(40))


def test_markup_and_html_are_shown_as_they_are() -> None:
    lines = plain(MarkdownText("[/b] [@click=app.quit]x[/] <script>alert(1)</script>").lines(80))
    assert ["[/b] [@click=app.quit]x[/] <script>alert(1)</script>"] == lines


def test_a_link_shows_where_it_leads_and_can_not_be_clicked() -> None:
    lines = MarkdownText("[here](http://evil.example/x)").lines(80)
    assert ["here (http://evil.example/x)"] == plain(lines)
    assert not any("click" in str(span.style) or "link" in str(span.style) for line in lines for span in line.spans)


def test_a_very_long_code_block_keeps_its_beginning_and_its_end_and_says_so() -> None:
    lines = [line.strip() for line in plain(code_lines("".join(f"x = {at}\n" for at in range(500)), "python", 60))]
    [cut] = [at for at, line in enumerate(lines) if "300 more lines" in line]
    shown = [*range(cut), *range(500 - (200 - cut), 500)]
    assert [f"x = {at}" for at in shown] == [*lines[:cut], *lines[cut + 1 :]]
    assert 0 < cut < 200


def test_a_very_long_answer_is_cut_and_says_so() -> None:
    lines = plain(MarkdownText("word " * MAX_CHARS).lines(80))
    assert "more characters" in lines[-1]


def test_an_unknown_language_is_shown_plain() -> None:
    assert [" a <- 1"] == plain(code_lines("a <- 1", "no-such-language", 20))


PARTS = "\n\n".join(f"{'word ' * 300}\n\n```\ncode {number}\n```" for number in range(6))
"""A text of several portions."""


def test_what_was_laid_out_in_parts_is_what_is_laid_out_at_once() -> None:
    text = MarkdownText(PARTS)
    text.lines(90)
    assert text.is_laid_out(90)
    assert not text.is_laid_out(40)
    while text.lay_out(40, most=2):
        assert plain(text.shown) == [text.line(row).plain.rstrip() for row in range(text.rows)]
    assert text.is_laid_out(40)
    assert plain(MarkdownText(PARTS).lines(40)) == plain(text.shown)


def test_only_the_rows_that_are_asked_for_are_laid_out() -> None:
    text = MarkdownText(PARTS)
    before = text.lines(90)
    assert 1 == text.lay_out(40, 0, 1)
    assert all(line.cell_length <= 40 for line in text.shown[:20])
    assert plain(before[-20:]) == plain(text.shown[-20:])
    assert 0 == text.lay_out(40, 0, 1)


def test_a_row_is_found_again_at_another_width_and_back() -> None:
    text = MarkdownText(PARTS)
    rows = len(text.lines(90))
    spots = [text.spot(row) for row in range(rows)]
    text.lines(40)
    places = [text.row_of(spot) for spot in spots]
    assert sorted(places) == places
    assert places[-1] < text.rows
    text.lines(90)
    assert list(range(rows)) == [text.row_of(spot) for spot in spots]


def test_what_is_new_is_laid_out_though_the_rest_waits() -> None:
    text = MarkdownText(PARTS)
    text.lines(90)
    text.text += "\n\nand an end"
    text.lay_out(40, 0, 0)
    assert "and an end" == text.line(text.rows - 1).plain.rstrip()
    assert "" == text.line(text.rows).plain


def test_the_last_line_of_a_change_has_its_colour_too() -> None:
    removed, added = code_lines("-old\n+new", "diff", 20)
    assert "$diff-remove" in {span.style for span in removed.spans}
    assert "$diff-add" in {span.style for span in added.spans}
