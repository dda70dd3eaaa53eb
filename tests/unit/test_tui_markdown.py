from hypothesis import given, settings
from hypothesis import strategies as st
from textual.content import Content
from ui.fake_door import REPLY

from ctxcode.tui.widgets.code import code_lines
from ctxcode.tui.widgets.markdown import MAX_CHARS, MarkdownText


def plain(lines: list[Content]) -> list[str]:
    return [line.plain.rstrip() for line in lines]


def test_a_reply_is_laid_out() -> None:
    lines = plain(MarkdownText("# Title\n\nsome **bold** text\n\n- one\n- two\n\n> said").lines(40))
    assert ["Title", "", "some bold text", "", " · one", " · two", "", "▌ said"] == lines


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
