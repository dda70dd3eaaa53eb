import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from ctxcode.tui.widgets.code import coloured
from ctxcode.tui.widgets.markdown import MarkdownText
from ctxcode.tui.widgets.text.colours import SMALL_CHARS, Colours, found_colours
from ctxcode.tui.widgets.text.portions import INDENTED_CHARS, LARGEST_CHARS, portions

PARAGRAPHS = "\n\n".join(f"Paragraph {number} says " + "what it says " * 20 for number in range(40))
LIST = "".join(f"- item **{number}**\n" for number in range(600))
TABLE = "| a | b |\n|---|---|\n" + "".join(f"| {number} | x |\n" for number in range(600))
FENCE = "```python\n" + "".join(f"\nvalue_{number} = {number}\n" for number in range(600)) + "```\n"
TEXTS = {
    "paragraphs": PARAGRAPHS,
    "list": LIST,
    "table": TABLE,
    "fence": FENCE,
    "line": "word " * 3_000,
    "unbroken": "[" * 9_000,
    "list in an item": "- top\n" + "".join(f"  - item {number} of `many`\n" for number in range(600)) + "- end\n",
    "table in an item": "- top\n\n  | a | b |\n  |---|---|\n"
    + "".join(f"  | {n} | x |\n" for n in range(900))
    + "\nend\n",
    "long items": f"- {'some words ' * 400}\n" * 5 + "end\n",
    "long quotes": f"> {'some words ' * 400}\n\n" * 5 + "end\n",
    "mixed": PARAGRAPHS + "\n\n" + FENCE + LIST + "\n" + TABLE,
}
LINES = st.sampled_from(
    [
        "",
        "text",
        "- item",
        "  inside",
        "    - deeper",
        "      ```",
        "```",
        "~~~",
        "| a | b |",
        "|---|---|",
        "# head",
        "> said",
    ]
)


def plain(lines: list[Content]) -> list[str]:
    return [line.plain.rstrip() for line in lines]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_nothing_is_lost_and_no_portion_is_large_but_a_fence(text: str) -> None:
    made = portions(text)
    assert text == "".join(portion.source for portion in made)
    large = [portion for portion in made if len(portion.source) > INDENTED_CHARS + LARGEST_CHARS]
    assert all(portion.source.startswith("```") for portion in large)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_long_text_that_grows_is_laid_out_like_the_whole(text: str) -> None:
    growing = MarkdownText()
    for end in range(0, len(text), 1_237):
        growing.text = text[:end]
    growing.text = text
    assert plain(MarkdownText(text).lines(72)) == plain(growing.lines(72))


@given(st.lists(LINES, max_size=60), st.integers(1, 60), st.integers(0, 400))
def test_a_cut_depends_only_on_what_is_before_it(lines: list[str], repeats: int, end: int) -> None:
    text = "\n".join(lines * repeats)
    whole = {portion.start for portion in portions(text)}
    assert {portion.start for portion in portions(text[: 17 * end])[:-1]} <= whole
    assert text == "".join(portion.source for portion in portions(text))


def test_a_very_long_paragraph_is_cut_behind_a_sentence() -> None:
    text = "The loop backs off, *then* it waits. (Not for v1.2 of it.) " * 120
    made = portions(text)
    assert 3 < len(made)
    assert all(portion.source.endswith((". ", ".) ")) for portion in made)


@pytest.mark.parametrize("end", ["", ".", "\n", " *so*"])
def test_a_very_long_paragraph_stays_one_at_any_width_and_while_it_grows(end: str) -> None:
    words = [f"word{number}{end if number % 9 == 0 else ''}" for number in range(3_000)]
    text = "Before it.\n\n" + " ".join(words).replace("\n ", "\n") + "\n\n- after it"
    growing = MarkdownText()
    for length in range(0, len(text), 997):
        growing.text = text[:length]
        growing.lines(50)
    growing.text = text
    for width in (100, 50, 23, 100):
        paragraph = Content(text.split("\n\n")[1].replace("\n", " ").replace("*", "")).wrap(width)
        assert ["Before it.", "", *plain(paragraph), "", " · after it"] == plain(growing.lines(width))
    growing.lay_out(30, growing.rows - 3, growing.rows)
    assert plain(MarkdownText(text).lines(30)) == plain(growing.lines(30))
    assert growing.rows == len(growing.shown)


LONG = "some words that go on and on " * 200


@pytest.mark.parametrize("mark", ["> ", "> > ", ">"])
def test_a_very_long_paragraph_that_is_quoted_is_quoted_to_its_end(mark: str) -> None:
    quote = f"{mark}{LONG}| and\n{mark}more of it\n\nanswered\n"
    lines = plain(MarkdownText(quote).lines(60))
    bars = "▌ " * mark.count(">")
    assert all(line.startswith(f"{bars}") and not line.startswith(f"{bars}▌") for line in lines[:-2])
    assert ["", "answered"] == lines[-2:]
    assert " ".join(quote.replace(">", "").split()) == " ".join(
        "".join(f"{line} " for line in lines).replace("▌", "").split()
    )


@pytest.mark.parametrize(("mark", "cells"), [("- ", 3), ("1. ", 3), ("  - ", 3)])
def test_a_very_long_item_is_set_in_to_its_end(mark: str, cells: int) -> None:
    lines = plain(MarkdownText(f"{mark}{LONG}\n{mark}next\n\nanswered\n").lines(60))
    assert 2 == sum(line.strip().startswith(("·", "1.")) for line in lines)
    assert all(line.startswith(" " * cells) for line in lines[1:-3])
    assert ["", "answered"] == lines[-2:]


def test_a_long_paragraph_is_cut_where_nothing_of_it_reads_as_a_list() -> None:
    lines = plain(MarkdownText("a 1. - # 3) " * 1_000).lines(60))
    assert " ".join(lines).split() == ["a", "1.", "-", "#", "3)"] * 1_000


def test_a_long_table_stays_a_table() -> None:
    lines = plain(MarkdownText(TABLE).lines(60))
    assert not any("|" in line for line in lines)
    assert any(line.startswith("599") for line in lines)


def test_a_long_table_in_an_item_stays_a_table_set_in() -> None:
    lines = plain(MarkdownText(TEXTS["table in an item"]).lines(60))
    assert not any("|" in line for line in lines)
    assert "   899  x" in lines
    assert "end" == lines[-1]


def test_a_long_list_in_an_item_is_one_list() -> None:
    lines = plain(MarkdownText(TEXTS["list in an item"]).lines(60))
    assert 602 == len(lines)
    assert {lines[2].index("item")} == {line.index("item") for line in lines[1:-1]}
    assert " · end" == lines[-1]


def test_a_long_list_has_no_gaps() -> None:
    assert 600 == len(MarkdownText(LIST).lines(60))


def test_what_follows_a_fence_is_no_code() -> None:
    lines = plain(MarkdownText(FENCE + "after *it*").lines(60))
    assert "after it" == lines[-1]


def test_long_code_is_plain_until_its_colours_are_found_and_its_beginning_keeps_them() -> None:
    colours = Colours()
    code = "x = 1  # one\n" * 200
    assert len(code) > SMALL_CHARS
    assert not colours.of(code, "python").spans
    colours.keep(found_colours(dict(colours.wanted)))
    assert {} == colours.wanted
    assert coloured(code, "python") == colours.of(code, "python")
    grown = colours.of(code + "y = 2\n", "python")
    assert coloured(code, "python").spans == grown.spans
    assert code + "y = 2\n" == grown.plain


def test_only_the_longest_beginning_of_code_is_wanted() -> None:
    colours = Colours()
    for end in (2_000, 2_400, 2_800):
        colours.of(("x = 1\n" * 600)[:end], "python")
    assert 1 == len(colours.wanted)


def test_short_code_is_coloured_at_once() -> None:
    assert Colours().of("x = 1\n", "python").spans


@pytest.mark.parametrize("chars", [1_900, 2_100, 9_000])
def test_a_very_long_row_of_a_table_leaves_the_rows_after_it_in_the_table(chars: int) -> None:
    cell = ("some words that go on " * 500)[:chars].strip()
    text = f"| a | b |\n|---|---|\n| 1 | x |\n| 2 | {cell} |\n| 3 | y |\n| 4 | z |\n\nend\n"
    growing = MarkdownText()
    for end in range(0, len(text), 701):
        growing.text = text[:end]
    growing.text = text
    lines = plain(growing.lines(60))
    assert lines == plain(MarkdownText(text).lines(60))
    assert ["3  y", "4  z", "", "end"] == [line for line in lines[-6:] if not line.startswith(("a ", "─"))][-4:]
    assert not [line for line in lines if "|" in line]


def test_a_very_long_row_may_follow_another_one() -> None:
    cell = ("some words that go on " * 150).strip()
    text = "| a | b |\n|---|---|\n" + f"| 1 | {cell} |\n" * 3 + "| 2 | y |\n\nend\n"
    growing = MarkdownText()
    for end in range(0, len(text), 701):
        growing.text = text[:end]
    growing.text = text
    lines = plain(growing.lines(60))
    assert [] == [line for line in lines if "|" in line]
    assert ["2  y", "", "end"] == lines[-3:]
    assert lines == plain(MarkdownText(text).lines(60))


@pytest.mark.parametrize(("mark", "indent"), [("- ", "  "), ("1. ", "   "), ("- ", "    ")])
def test_a_very_long_paragraph_below_an_item_is_set_in_to_its_end(mark: str, indent: str) -> None:
    text = f"{mark}top\n\n{indent}{LONG}\n\n{indent}second\n{mark}next\n\nend\n"
    lines = plain(MarkdownText(text).lines(60))
    assert [f"{'   ' * (len(indent) // 2)}second", "", "end"] == [lines[-4], *lines[-2:]]
    assert all(line.startswith("   ") for line in lines[2:-3] if line)
    assert lines[-3].strip().endswith("next")
