import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import tiktoken

from ctxcode.llm.counting.tokens import (
    ByteCounter,
    TiktokenCounter,
    open_counter,
    tokenizer_for,
    vocabulary_folder,
)
from ctxcode.model.errors import CtxcodeError

TEXTS = (
    "",
    "def f(x: int) -> str:\n    return 'it''s' + str(x)  # don't\n\n\n",
    Path(__file__).read_text(encoding="utf-8"),
    "Grüße aus 世界 🏳️‍🌈 \r\n\t 1234567 HTTPServer snake_case",
)


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"])
def test_counts_equal_those_of_the_published_encoding(tokenizer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(vocabulary_folder()))
    published = tiktoken.get_encoding(tokenizer)
    counter = TiktokenCounter(tokenizer)
    assert [len(published.encode_ordinary(text)) for text in TEXTS] == [counter.count(text) for text in TEXTS]


def test_special_tokens_count_as_plain_text() -> None:
    assert 1 < TiktokenCounter().count("<|endoftext|>")


@pytest.mark.parametrize("letter", ["a", " ", "\n", "世", "=", "\ud800"])
def test_a_megabyte_without_a_break_is_counted(letter: str) -> None:
    assert 0 < TiktokenCounter().count(letter * 1_000_000) <= 3_000_000


def test_loading_leaves_the_environment_alone() -> None:
    before = dict(os.environ)
    TiktokenCounter().count("")
    assert before == dict(os.environ)


def test_many_threads_may_load_at_once() -> None:
    counter = TiktokenCounter("cl100k_base")
    with ThreadPoolExecutor(8) as pool:
        assert {2} == set(pool.map(counter.count, ["hello world"] * 32))


def test_a_damaged_vocabulary_is_an_error_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").write_bytes(b"IQ== 0\n")
    with pytest.raises(CtxcodeError, match="is damaged") as caught:
        TiktokenCounter("o200k_base", folder=tmp_path).count("")
    assert "Install ctxcode again" in caught.value.hint
    assert (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").exists()


def test_a_missing_vocabulary_is_an_error_or_the_fallback(tmp_path: Path) -> None:
    with pytest.raises(CtxcodeError, match="can't be read"):
        TiktokenCounter("o200k_base", folder=tmp_path).count("x")
    assert "bytes/3" == open_counter("o200k_base", folder=tmp_path).id
    assert "bytes/3" == open_counter("bytes/3").id
    assert "o200k_base" == open_counter("o200k_base").id


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(CtxcodeError, match="no tokenizer 'p50k'"):
        TiktokenCounter("p50k")


def test_the_fallback_counts_a_third_of_the_bytes_rounded_up() -> None:
    assert [0, 1, 1, 2, 1] == [ByteCounter().count(text) for text in ("", "a", "abc", "abcd", "世")]


@pytest.mark.parametrize(
    ("model", "tokenizer"),
    [
        (None, "o200k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4.1", "o200k_base"),
        ("openai/gpt-5.1", "o200k_base"),
        ("anthropic/claude-sonnet-4-5", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("openai/gpt-4-1106-preview", "cl100k_base"),
        ("azure/gpt-35-turbo", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
    ],
)
def test_each_model_has_a_tokenizer(model: str | None, tokenizer: str) -> None:
    assert tokenizer == tokenizer_for(model)
