"""The same counts as tiktoken's, ready three times sooner: for commands that end before tiktoken has started.

Starting tiktoken's engine takes longer than all else a short command does, whatever it then counts. Here the vocabulary
comes from a cache that loads at once, and each distinct word is merged only when it is met. Plain text, ASCII and the
signs this program writes, needs neither the engine for Unicode's classes nor the tokens of other scripts.
"""

import marshal
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.llm.tokens import LONGEST_RUN, VOCABULARIES, TiktokenCounter, bounded_pieces, read_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

_NOT_PLAIN = re.compile("[^\x00-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u25ff]")
"""Plain are ASCII and, of general punctuation, arrows, operators and boxes, what is no letter, digit or space."""
_PLAIN_BYTES = bytes([*range(0xC0), 0xE2])
"""Those of plain text in UTF-8: every sign above begins with E2."""
LONGEST_WORD_BYTES = 96
"""Longer words are left to tiktoken: merging here takes time that grows with the square of the length."""


class _WordCounts(dict[str, int]):
    """Token counts by word, filled when a word is met."""

    def __init__(self, ranks: dict[bytes, int], count_long: "Callable[[str], int]") -> None:
        super().__init__()
        self._ranks = ranks
        self._count_long = count_long

    def __missing__(self, word: str) -> int:
        data = word.encode()
        if data in self._ranks:
            count = 1
        elif len(data) > LONGEST_WORD_BYTES:
            count = self._count_long(word)
        else:
            count = merged_count(data, self._ranks)
        self[word] = count
        return count


@dataclass(slots=True)
class _Splitter:
    """Words of one kind of text, and what each counts."""

    words: "Callable[[str], list[str]]"
    counts: _WordCounts

    def count(self, text: str) -> int:
        words, count = self.words, self.counts.__getitem__
        if len(text) <= LONGEST_RUN:
            return sum(map(count, words(text)))
        return sum(sum(map(count, words(piece))) for piece in bounded_pieces(text))


class QuickCounter:
    """Counts like the ``TiktokenCounter`` of the same tokenizer."""

    def __init__(self, exact: TiktokenCounter, cache_folder: Path) -> None:
        """Take the counter to agree with, and a folder of the user's for the prepared vocabulary."""
        self._exact = exact
        self._cache = _Cache(exact, cache_folder)
        self._plain: _Splitter | None = None
        self._any: _Splitter | None = None

    @property
    def id(self) -> str:
        """The tokenizer's name."""
        return self._exact.id

    def count(self, text: str) -> int:
        """Return the number of tokens; special tokens count as plain text.

        The first call loads the vocabulary (0.03 s of CPU, the first text in another script 0.03 s more; more the first
        time ever). Raises CtxcodeError when its file is missing or damaged.
        """
        if text.isascii() or not _NOT_PLAIN.search(text):
            self._plain = self._plain or self._plain_splitter()
            return self._plain.count(text)
        self._any = self._any or self._any_splitter()
        return self._any.count(_whole(text))

    def _plain_splitter(self) -> _Splitter:
        words = re.compile(VOCABULARIES[self._exact.id].plain_split, re.ASCII).findall
        return _Splitter(words, _WordCounts(self._cache.ranks(is_plain=True), self._exact.count))

    def _any_splitter(self) -> _Splitter:
        import regex  # noqa: PLC0415 - what tiktoken itself splits with; source in English does without

        ranks = {**self._cache.ranks(is_plain=True), **self._cache.ranks(is_plain=False)}
        words = regex.compile(VOCABULARIES[self._exact.id].split).findall
        return _Splitter(words, _WordCounts(ranks, self._exact.count))


def _whole(text: str) -> str:
    """Return a text with lone surrogates replaced, as tiktoken does; anything else as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def merged_count(word: bytes, ranks: dict[bytes, int]) -> int:
    """Return how many tokens byte-pair encoding leaves of a word: the pair of lowest rank is joined first."""
    parts = [word[index : index + 1] for index in range(len(word))]
    rank = ranks.get
    pairs = [rank(first + second, sys.maxsize) for first, second in pairwise(parts)]
    while pairs and (lowest := min(pairs)) < sys.maxsize:
        at = pairs.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        # Only the pairs on both sides of the new part are others than before.
        if at > 0:
            pairs[at - 1] = rank(parts[at - 1] + parts[at], sys.maxsize)
        if at < len(pairs):
            pairs[at] = rank(parts[at] + parts[at + 1], sys.maxsize)
    return len(parts)


@dataclass(frozen=True, slots=True)
class _Cache:
    """The vocabulary in two prepared files: the tokens that plain text can have, and all others."""

    exact: TiktokenCounter
    folder: Path

    def ranks(self, *, is_plain: bool) -> dict[bytes, int]:
        """Return a part's ranks; the files are made on first use and whenever one can't be used."""
        vocabulary = VOCABULARIES[self.exact.id]
        try:
            ranks = marshal.loads(self._file(is_plain=is_plain).read_bytes())  # noqa: S302 - the user's own cache
        except (OSError, EOFError, ValueError, TypeError):
            ranks = None
        size = vocabulary.plain_size if is_plain else vocabulary.size - vocabulary.plain_size
        if isinstance(ranks, dict) and len(ranks) == size:
            return ranks
        plain, others = _parted(read_ranks(self.exact))
        _keep(self._file(is_plain=True), marshal.dumps(plain))
        _keep(self._file(is_plain=False), marshal.dumps(others))
        return plain if is_plain else others

    def _file(self, *, is_plain: bool) -> Path:
        digest = VOCABULARIES[self.exact.id].sha256[:12]
        part = "plain" if is_plain else "others"
        return self.folder / f"{self.exact.id}-{digest}-{marshal.version}-{sys.version_info.minor}.{part}"


def _parted(ranks: dict[bytes, int]) -> tuple[dict[bytes, int], dict[bytes, int]]:
    """Return the tokens made of plain text's bytes, which no merge of such bytes leaves, and the others."""
    plain: dict[bytes, int] = {}
    others: dict[bytes, int] = {}
    for token, rank in ranks.items():
        (others if token.translate(None, _PLAIN_BYTES) else plain)[token] = rank
    return plain, others


def _keep(path: Path, data: bytes) -> None:
    """Write the prepared vocabulary at once or not at all; without it the next start is slower and that is all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
