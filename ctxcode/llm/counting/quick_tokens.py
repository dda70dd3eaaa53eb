"""The same counts as tiktoken's, ready at once, and ready without holding up who types meanwhile.

Starting tiktoken's engine takes longer than all else a short command does, whatever it then counts, and no other thread
runs while it does: a screen stands still for a fifth of a second. Here the vocabulary is a file of the user's in which
tokens are looked up, and each distinct word is merged only when it is met. Plain text, ASCII and the signs this program
writes, does not need the engine for Unicode's classes.
"""

import re
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ctxcode.llm.cache_file import keep
from ctxcode.llm.counting.kept_ranks import NO_TOKEN, KeptRanks, prepared, read_kept
from ctxcode.llm.counting.line_counts import LONGEST_RUN, LineCounts
from ctxcode.llm.counting.tokens import VOCABULARIES, TiktokenCounter, bounded_pieces, read_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

    Rank = Callable[[bytes], int]
    """A token's rank, ``NO_TOKEN`` for what is none."""

_NOT_PLAIN = re.compile("[^\x00-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u25ff]")
"""Plain are ASCII and, of general punctuation, arrows, operators and boxes, what is no letter, digit or space."""
_LONG_WORD_BYTES = 96
"""Longer words are merged in another way: the simple one takes time that grows with the square of the length."""
_MOST_WORDS = 60_000
"""Words that are known again; a screen may stay open for days."""


class _WordCounts(dict[str, int]):
    """Token counts by word, filled when a word is met."""

    def __init__(self, ranks: KeptRanks) -> None:
        super().__init__()
        self._rank = ranks.__getitem__
        self._has = ranks.has

    def __missing__(self, word: str) -> int:
        data = word.encode()
        if self._has(data):
            count = 1
        else:
            count = (merged_count if len(data) <= _LONG_WORD_BYTES else long_merged_count)(data, self._rank)
        if len(self) >= _MOST_WORDS:
            self.clear()
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
        self._folder = cache_folder
        self._lock = Lock()
        self._counts: _WordCounts | None = None
        self._plain: _Splitter | None = None
        self._any: _Splitter | None = None
        self._lines = LineCounts(self._counted)

    @property
    def id(self) -> str:
        """The tokenizer's name."""
        return self._exact.id

    def count(self, text: str) -> int:
        """Return the number of tokens; special tokens count as plain text.

        The first call ever prepares the vocabulary (half a second of CPU). Raises CtxcodeError when its file is missing
        or damaged.
        """
        return self._lines.of(text)

    def _counted(self, text: str) -> int:
        if text.isascii() or not _NOT_PLAIN.search(text):
            return (self._plain or self._plain_splitter()).count(text)
        return (self._any or self._any_splitter()).count(_whole(text))

    def _plain_splitter(self) -> _Splitter:
        with self._lock:
            if self._plain is None:
                words = re.compile(VOCABULARIES[self.id].plain_split, re.ASCII).findall
                self._plain = _Splitter(words, self._word_counts())
            return self._plain

    def _any_splitter(self) -> _Splitter:
        import regex  # noqa: PLC0415 - what tiktoken itself splits with; source in English does without

        with self._lock:
            if self._any is None:
                self._any = _Splitter(regex.compile(VOCABULARIES[self.id].split).findall, self._word_counts())
            return self._any

    def _word_counts(self) -> _WordCounts:
        """Return what each word counts; the file of the vocabulary is made on first use and when it can't be used."""
        if self._counts is None:
            path = self._folder / f"{self.id}-{VOCABULARIES[self.id].sha256[:12]}.ranks"
            ranks = read_kept(path)
            if ranks is None:
                data = prepared(read_ranks(self._exact))
                keep(path, data, outdated=f"{self.id}-*")
                ranks = KeptRanks(data)
            self._counts = _WordCounts(ranks)
        return self._counts


def _whole(text: str) -> str:
    """Return a text with lone surrogates replaced, as tiktoken does; anything else as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def merged_count(word: bytes, rank: "Rank") -> int:
    """Return how many tokens byte-pair encoding leaves of a word: the pair of lowest rank is joined first."""
    parts = [word[index : index + 1] for index in range(len(word))]
    pairs = [rank(first + second) for first, second in pairwise(parts)]
    while pairs and (lowest := min(pairs)) < NO_TOKEN:
        at = pairs.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        # Only the pairs on both sides of the new part are others than before.
        if at > 0:
            pairs[at - 1] = rank(parts[at - 1] + parts[at])
        if at < len(pairs):
            pairs[at] = rank(parts[at] + parts[at + 1])
    return len(parts)


def long_merged_count(word: bytes, rank: "Rank") -> int:
    """Return what ``merged_count`` does, in time that hardly grows faster than the word."""
    size = len(word)
    ends = list(range(1, size + 1))
    """Where the part that begins at a byte ends; 0 where none begins any more."""
    starts = list(range(-1, size))
    """Where the part begins that ends before a byte."""
    pairs = [(joined, at, at + 2) for at in range(size - 1) if (joined := rank(word[at : at + 2])) != NO_TOKEN]
    heapify(pairs)
    left = size

    def offer(start: int, end: int) -> None:
        if (joined := rank(word[start:end])) != NO_TOKEN:
            heappush(pairs, (joined, start, end))

    while pairs:
        _, start, end = heappop(pairs)
        middle = ends[start]
        if not middle or middle >= size or ends[middle] != end:
            # One of the two has been joined with another part meanwhile.
            continue
        ends[start], ends[middle], starts[end] = end, 0, start
        left -= 1
        if start > 0:
            offer(starts[start], end)
        if end < size:
            offer(start, ends[end])
    return left
