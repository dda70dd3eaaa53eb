"""The quick counter agrees with tiktoken's own engine, whatever the text."""

import sys
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.llm.counting.kept_ranks import NO_TOKEN, KeptRanks, prepared
from ctxcode.llm.counting.line_counts import LONGEST_RUN, MOST_REMEMBERED, LineCounts
from ctxcode.llm.counting.quick_tokens import _NOT_PLAIN, QuickCounter, long_merged_count, merged_count
from ctxcode.llm.counting.tokens import VOCABULARIES, TiktokenCounter, bounded_pieces, read_ranks

EXACT = {name: TiktokenCounter(name) for name in VOCABULARIES}
CODE = st.sampled_from(
    ["def f(self):\n", "    return x\t\n", "self._encode", "//", "'re", "HTTPServer", "\r\n", "ÀÉ", "世界"]
)
KNOWN = st.characters(exclude_categories=["Cn", "Cs"])
"""What every version of Unicode in use agrees on: the engines' tables are of different years."""
SIGNS = st.sampled_from(
    ["…", "⋯ ", "│", "└── ", "—", "’s", "“", "→\n", "\x1c", "\x0b", "\t", "\r\n", "'LL", "A", "b", "9"]
)
TEXTS = st.one_of(
    st.lists(st.one_of(SIGNS, st.characters(max_codepoint=0x7F)), max_size=200).map("".join),
    st.text(KNOWN, max_size=300),
    st.lists(CODE, max_size=40).map("".join),
    st.text(st.one_of(KNOWN, st.characters(categories=["Cs"])), max_size=80),
)


@cache
def ranks() -> dict[bytes, int]:
    return read_ranks(EXACT["o200k_base"])


@cache
def kept_form() -> bytes:
    return prepared(ranks())


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> dict[str, QuickCounter]:
    folder = tmp_path_factory.mktemp("vocabulary")
    return {name: QuickCounter(exact, folder) for name, exact in EXACT.items()}


@pytest.mark.parametrize("name", sorted(VOCABULARIES))
def test_any_text_is_counted_alike(quick: dict[str, QuickCounter], name: str) -> None:
    @settings(max_examples=400, deadline=None)
    @given(TEXTS)
    def check(text: str) -> None:
        assert EXACT[name].count(text) == quick[name].count(text)

    check()


@pytest.mark.parametrize("name", sorted(VOCABULARIES))
def test_real_source_is_counted_alike(quick: dict[str, QuickCounter], name: str) -> None:
    for path in sorted(Path(__file__).parents[2].rglob("*.py"))[:40]:
        text = path.read_text(encoding="utf-8")
        assert EXACT[name].count(text) == quick[name].count(text), path


def test_long_words_are_counted_alike(quick: dict[str, QuickCounter]) -> None:
    for text in ("x" * 5000, "世界" * 700, "ab" * 300 + " " * 2000 + "\n", "=-" * 60 + "\n" + "a1" * 200, "é" * 99):
        assert EXACT["o200k_base"].count(text) == quick["o200k_base"].count(text)


@given(
    st.lists(st.sampled_from([b"a", b"b", b"ab", b"-", b"--", b"the", b" ", b"\xc3\xa9"]), max_size=80).map(b"".join)
)
def test_both_ways_to_merge_leave_as_many_tokens(word: bytes) -> None:
    def rank(token: bytes) -> int:
        return ranks().get(token, NO_TOKEN)

    assert merged_count(word, rank) == long_merged_count(word, rank)


def test_a_vocabulary_knows_its_size() -> None:
    for name, exact in EXACT.items():
        assert VOCABULARIES[name].size == len(read_ranks(exact))


def test_a_vocabulary_is_kept_alike_in_whatever_order_its_tokens_come() -> None:
    # So many that some share a place.
    tokens = {f"{number**7}".encode(): number for number in range(5_000)}
    assert prepared(tokens) == prepared(dict(reversed(tokens.items())))


def test_a_kept_vocabulary_has_each_token_and_nothing_else() -> None:
    kept = KeptRanks(kept_form())
    known = ranks()
    others = {token[:-1] for token in known if len(token) > 1} | {token + b"!" for token in known}
    assert known == {token: kept[token] for token in known}
    assert {NO_TOKEN} == {kept[token] for token in others - known.keys()}


@pytest.mark.parametrize("cut", [0, 3, 524_291, 524_292, 600_000, -1])
def test_a_cut_vocabulary_is_none(cut: int) -> None:
    with pytest.raises(ValueError, match="vocabulary"):
        KeptRanks(kept_form()[:cut])


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    QuickCounter(EXACT["cl100k_base"], folder).count("")
    (file,) = folder.iterdir()
    return file


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x04\x00\x08\x00" * 200_000])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, kept: Path, content: bytes) -> None:
    file, whole = tmp_path / kept.name, kept.read_bytes()
    file.write_bytes(content)
    assert 2 == QuickCounter(EXACT["cl100k_base"], tmp_path).count("hello world")
    assert whole == file.read_bytes()
    file.write_bytes(content)
    assert 3 == QuickCounter(EXACT["cl100k_base"], tmp_path).count("世界")
    assert whole == file.read_bytes()


def test_plain_signs_are_neither_letters_nor_digits_nor_spaces() -> None:
    signs = [sign for sign in map(chr, range(0x80, sys.maxunicode + 1)) if not _NOT_PLAIN.search(sign)]
    assert "…" in signs
    assert [] == [sign for sign in signs if sign.isspace() or unicodedata.category(sign)[0] in "LMNZC"]


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert 2 == QuickCounter(EXACT["cl100k_base"], tmp_path / "file" / "below").count("hello world")


BREAKS = st.sampled_from(
    ["\n", "\n\n", "\r\n", "\n ", " \n", "\n\t\n", "\n/", "\n  /", ")\n", "x", "  y", "\x0b", "\x1c", "\u2028", "…"]
)
RUNS = st.sampled_from(["\n" * 499, " " * 501, "x" * 480, "-" * 520, "\n", " ", "/", "a"])


@pytest.mark.parametrize("name", sorted(VOCABULARIES))
def test_the_tokens_of_lines_are_those_of_the_text(quick: dict[str, QuickCounter], name: str) -> None:
    def whole(text: str) -> int:
        encoding = EXACT[name]._loaded()
        return sum(len(encoding.encode_ordinary(piece)) for piece in bounded_pieces(text))

    @settings(max_examples=400, deadline=None)
    @given(st.one_of(TEXTS, st.lists(BREAKS, max_size=30).map("".join), st.lists(RUNS, max_size=8).map("".join)))
    def check(text: str) -> None:
        for counter in (EXACT[name], quick[name]):
            assert whole(text) == counter.count(text) == counter.count(text)

    check()


def test_the_whole_of_a_text_with_long_lines_is_counted_once() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text)

    lines = LineCounts(count)
    texts = ["x" * (LONGEST_RUN + number) for number in (1, 2)]
    assert [LONGEST_RUN + 1, LONGEST_RUN + 2] * 2 == [lines.of(text) for text in texts * 2]
    assert texts == counted


def test_no_more_lines_are_remembered_than_allowed() -> None:
    lines = LineCounts(len)
    for number in range(MOST_REMEMBERED + 10):
        assert len(f"{number}\n") == lines.of(f"{number}\n")
    lines.of("x" * (LONGEST_RUN + 1))
    assert len(lines) <= MOST_REMEMBERED
    assert max(map(len, lines)) <= LONGEST_RUN
