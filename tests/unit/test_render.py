from collections.abc import Sequence
from dataclasses import replace

import pytest
from plan_inputs import words

from ctxcode.context.mode import HEAVY, LIGHT
from ctxcode.context.render import (
    body_level,
    card_level,
    excerpt_level,
    file_level,
    heading,
    impl_block,
    impl_level,
    is_stale,
    located,
    numbered,
    numbered_line,
    signature_level,
    symbol_levels,
)
from ctxcode.model.ids import SymbolId
from ctxcode.model.plan import Detail
from ctxcode.model.symbol import Symbol, SymbolKind

SOURCE = [
    "import os",
    "",
    "@cache",
    "def retry(attempts, backoff):",
    '    """Call again after a failure.',
    "",
    "    More words.",
    '    """',
    *[f"    step({number})" for number in range(40)],
    "",
]


def symbol(start: int = 3, end: int = 48, header: int = 4, name: str = "retry") -> Symbol:
    return Symbol(
        id=SymbolId(f"net.py::{name}"),
        name=name,
        qualname=name,
        kind=SymbolKind.FUNCTION,
        path="net.py",
        language="python",
        module="net",
        start_line=start,
        end_line=end,
        header_line=header,
        header_end_line=header,
        signature="def retry(attempts, backoff):",
        doc="Call again after a failure.",
        decorators=("@cache",),
    )


def shown(lines: Sequence[tuple[int, int]]) -> set[int]:
    return {number for start, end in lines for number in range(start, end + 1)}


def test_a_card_shows_attributes_signature_docs_and_five_lines_of_body() -> None:
    level = card_level(symbol(), SOURCE, words, snippet_lines=5)
    assert ((3, 4), (9, 13)) == level.lines
    assert "@cache" in level.text
    assert "doc: Call again after a failure." in level.text
    assert "step(4)" in level.text
    assert "step(5)" not in level.text
    assert "35 more lines" in level.text


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ((30,), ((3, 4), (28, 32))),
        ((48,), ((3, 4), (44, 48))),
        ((10,), ((3, 4), (9, 13))),
        ((6,), ((3, 4), (6, 10))),
        ((40, 20), ((3, 4), (19, 20), (39, 40))),
        ((4,), ((3, 4), (9, 13))),
        ((700,), ((3, 4), (9, 13))),
    ],
)
def test_a_card_of_what_is_pointed_into_shows_the_lines_there(
    at: tuple[int, ...], expected: tuple[tuple[int, int], ...]
) -> None:
    level = card_level(symbol(), SOURCE, words, snippet_lines=5, at=at)
    assert expected == level.lines
    plain = card_level(symbol(), SOURCE, words, snippet_lines=5)
    assert level.tokens <= plain.tokens + 8


def test_a_card_marks_what_it_leaves_out_on_both_sides_of_the_lines_pointed_at() -> None:
    text = card_level(symbol(), SOURCE, words, snippet_lines=5, at=(30,)).text
    assert ["⋯ 19 lines", "⋯ 16 more lines"] == [row.strip() for row in text.splitlines() if "⋯" in row]


def test_an_excerpt_shows_the_lines_pointed_at_and_the_header() -> None:
    level = excerpt_level(symbol(), SOURCE, words, excerpt_lines=10, at=(30,))
    assert ((3, 4), (26, 33)) == level.lines
    assert 10 == len(shown(level.lines))
    assert excerpt_level(symbol(), SOURCE, words, excerpt_lines=10) == excerpt_level(
        symbol(), SOURCE, words, excerpt_lines=10, at=(12,)
    )


def test_a_card_that_would_cost_nearly_as_much_is_the_whole() -> None:
    lines = ["def delay(interval):", "    at = now()", *["    at = at + interval * scale(at)"] * 8, ""]
    short = replace(symbol(1, 7, 1, "delay"), doc="")
    longer = replace(short, end_line=10)
    assert body_level(short, lines, words).text == card_level(short, lines, words, snippet_lines=5).text
    assert ((1, 7),) == card_level(short, lines, words, snippet_lines=5).lines
    assert ((1, 6),) == card_level(longer, lines, words, snippet_lines=5).lines


def test_every_level_says_exactly_which_lines_it_holds() -> None:
    pointed = symbol_levels(symbol(), SOURCE, words, limits=HEAVY, with_body=True, at=(45,))
    for level in (*symbol_levels(symbol(), SOURCE, words, limits=HEAVY, with_body=True)[1:], *pointed[1:]):
        rows = level.text.splitlines()
        assert all(SOURCE[number - 1].strip() in level.text for number in shown(level.lines))
        numbers = {int(row.split()[0]): row for row in rows if row[:1].isdigit()}
        assert all(row.endswith(SOURCE[number - 1].strip()) for number, row in numbers.items())
        tenths = {number for number in shown(level.lines) if number % 10 == 0}
        assert set(numbers) == tenths | {start for start, _ in level.lines}, level.detail


def test_levels_grow_richer_and_dearer() -> None:
    levels = symbol_levels(symbol(), SOURCE, words, limits=HEAVY, with_body=True)
    assert [Detail.SIGNATURE, Detail.CARD, Detail.EXCERPT, Detail.BODY] == [level.detail for level in levels]
    assert sorted(level.tokens for level in levels) == [level.tokens for level in levels]


def test_a_level_is_rendered_once_and_only_when_it_is_looked_at() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return words(text)

    levels = symbol_levels(symbol(), SOURCE, count, limits=HEAVY, with_body=True)
    assert [Detail.SIGNATURE] == [levels[0].detail]
    assert [levels[0].text] == counted
    assert levels[-1] is levels[3]
    assert [levels[0].text, levels[3].text] == counted
    assert (levels[0], levels[1]) == levels[:2]
    assert [Detail.BODY, Detail.EXCERPT, Detail.CARD, Detail.SIGNATURE] == [one.detail for one in reversed(levels)]
    assert 4 == len(counted)
    again = symbol_levels(symbol(), SOURCE, words, limits=HEAVY, with_body=True)
    assert (True, False) == (again == levels, again == levels[:3])
    assert hash(again) == hash(levels)


def test_light_renders_no_bodies() -> None:
    levels = symbol_levels(symbol(), SOURCE, words, limits=LIGHT, with_body=False)
    assert [Detail.SIGNATURE, Detail.CARD] == [level.detail for level in levels]


def test_tokens_are_those_of_the_text() -> None:
    made = [
        signature_level(symbol(), words),
        excerpt_level(symbol(), SOURCE, words, excerpt_lines=30),
        body_level(symbol(), SOURCE, words),
        file_level("net.py", SOURCE, words),
    ]
    assert [words(level.text) for level in made] == [level.tokens for level in made]


def test_an_excerpt_says_how_much_it_leaves_out() -> None:
    level = excerpt_level(symbol(), SOURCE, words, excerpt_lines=30)
    assert ((3, 32),) == level.lines
    assert "16 more lines" in level.text


def test_over_long_lines_are_cut_with_a_mark() -> None:
    assert "⋯ 600 characters" in numbered(["x" * 1000], 1, 1)


def test_a_number_stands_in_the_place_of_blanks_so_that_columns_stay() -> None:
    lines = ["class A:", *["    x = 1"] * 8, "        y = 2", "", "z = 3"]
    assert "1 class A:\n    x = 1\n" == numbered(lines, 1, 2)
    assert "9   x = 1\n10      y = 2\n\nz = 3\n" == numbered(lines, 9, 12)
    assert "12 z = 3\n" == numbered(lines, 12, 12)
    assert "1\treturn\n" == numbered(["\treturn"], 1, 1)


def test_a_number_waits_for_a_line_with_room() -> None:
    lines = ["if a:", *["  b()"] * 9, "", "  b()", "    c()", "    c()"]
    assert "9 b()\n  b()\n\n  b()\n13  c()\n    c()\n" == numbered(lines, 9, 14)


def test_a_single_line_stands_beside_its_number() -> None:
    assert "   12     x = 1\n" == numbered_line(12, "    x = 1  ")


def test_a_definition_that_moved_away_is_stale() -> None:
    assert not is_stale(symbol(), SOURCE)
    assert is_stale(symbol(), ["", *SOURCE][:30])
    assert is_stale(replace(symbol(name="other"), signature="def other():"), SOURCE)


def test_a_definition_whose_name_is_not_written_is_known_by_how_it_begins() -> None:
    made = replace(symbol(1, 2, 1, "default"), signature="module.exports = function (count)", language="javascript")
    schema = replace(made, signature="module.exports = { meta: { default: 1 } }")
    assert not is_stale(schema, ["module.exports = {", "meta: { default: 1 } }"])
    assert not is_stale(made, ["module.exports = function (count) {", "}"])
    assert is_stale(made, ["module.exports = other;", "}"])
    assert is_stale(made, SOURCE)


def test_a_file_counts_its_last_line_break_as_no_line() -> None:
    assert ((1, 2),) == file_level("a", ["x", "y", ""], words).lines
    assert () == file_level("a", [""], words).lines


def test_of_a_long_signature_one_short_line_is_shown() -> None:
    long = replace(symbol(), signature="def retry(" + "attempt, " * 30 + ")", header_end_line=6)
    level = signature_level(long, words)
    assert ((4, 4),) == level.lines
    assert 1 == level.text.count("\n")
    assert level.text.startswith("4 def retry(attempt,")
    assert level.text.endswith(" …\n")
    assert len(level.text) < 90


def test_a_signature_that_stands_alone_says_where_it_is() -> None:
    level = signature_level(symbol(), words)
    alone = located(symbol(), level, words)
    assert (heading(symbol()) + level.text, level.lines) == (alone.text, alone.lines)


def method(language: str, header: int, signature: str = "def push(self)") -> Symbol:
    return replace(
        symbol(header, header + 2, header, "push"),
        qualname="Queue.push",
        kind=SymbolKind.METHOD,
        language=language,
        signature=signature,
        parent=SymbolId("queue::Queue"),
    )


def test_a_signature_below_its_class_does_not_name_the_class() -> None:
    pushed = method("python", 5)
    assert "5 Queue: def push(self)\n" == signature_level(pushed, words).text
    assert "5   def push(self)\n" == signature_level(pushed, words, is_below_owner=True).text


def test_a_receiver_in_a_signature_is_name_enough() -> None:
    assert "5 func (q *Queue) Push()\n" == signature_level(method("go", 5, "func (q *Queue) Push()"), words).text


def test_the_impl_block_of_a_rust_method_is_found() -> None:
    source = [
        "struct Queue;",
        "impl<T> Push for Queue<T>",
        "where",
        "    T: Clone,",
        "{",
        "    // Adds a job.",
        "    fn push(&self) {",
        "    }",
        "}",
    ]
    pushed = method("rust", 7, "fn push(&self)")
    assert (2, 9) == impl_block(pushed, source)
    assert "2 impl<T> Push for Queue<T>\n" == impl_level(2, source, words).text
    assert impl_block(pushed, ["fn main() {"]) is None
    assert impl_block(pushed, ["trait Push {", *[""] * 5, "    fn push(&self);", "}"]) is None
