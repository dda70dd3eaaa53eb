"""Where a text says some names, as whole words that go on nothing."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

_WORD = re.compile(rb"([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)", re.ASCII)
_INNER = frozenset((*b"_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *range(128, 256)))
_DOT = ord(".")
_COLON = ord(":")
_MOST_SEARCHES = 50
"""With more names than this, one look at every word is quicker than a search for each."""


def without(source: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """Return a text with blanks in the place of some of its bytes."""
    pieces, at = list[bytes](), 0
    for start, end in spans:
        # In broken code one may stand in another.
        if start >= at:
            pieces += (source[at:start], b" " * (end - start))
            at = end
    return b"".join([*pieces, source[at:]]) if pieces else source


def occurrences(
    source: bytes, names: Mapping[bytes, str], *, has_types: bool = False, going_on: frozenset[int] = frozenset()
) -> list[tuple[int, bytes]]:
    """Return (byte, name) of the names that follow no dot, in source order; those of capitalised words too if asked.

    Names that a byte of ``going_on`` follows are left out.
    """
    is_few = len(names) <= _MOST_SEARCHES and not has_types
    inner = _INNER | going_on
    return _searched(source, names, inner) if is_few else _all_words(source, names, inner, has_types=has_types)


def _all_words(
    source: bytes, known: Container[bytes], inner: frozenset[int], *, has_types: bool
) -> list[tuple[int, bytes]]:
    """Return (byte, name) of the words to look for that follow no dot, in source order."""
    starts, words = _words_of(source)
    # [ follows Z.
    found = [
        (at, name)
        for at, name in zip(starts, words, strict=True)
        if name in known or (has_types and b"A" <= name < b"[")
    ]
    return [(at, name) for at, name in found if _is_whole(source, at, at + len(name), inner)]


@lru_cache(maxsize=1)
def _words_of(source: bytes) -> tuple[list[int], list[bytes]]:
    """Return where the words of a text begin, and the words; of one file several questions are asked."""
    # Splitting and counting stay in C; a match for each word would take three times as long.
    pieces = _WORD.split(source)
    return list(accumulate(map(len, pieces)))[:-1:2], pieces[1::2]


def _searched(source: bytes, known: Iterable[bytes], inner: frozenset[int]) -> list[tuple[int, bytes]]:
    """Return the same for a few names: a search for each is quicker than a look at every word."""
    found = list[tuple[int, bytes]]()
    source += b" "
    search = source.find
    for name in known:
        end = -1
        while (at := search(name, end + 1)) >= 0:
            end = at + len(name)
            # Most are parts of longer words.
            if source[end] not in inner and not (at and _is_inside(source, at)):
                found.append((at, name))
    return sorted(found)


def _is_whole(source: bytes, start: int, end: int, inner: frozenset[int]) -> bool:
    """Whether a text begins and ends a word, by the bytes that go on with one, and goes on nothing before it."""
    return (end == len(source) or source[end] not in inner) and not (start and _is_inside(source, start))


def _is_inside(source: bytes, at: int) -> bool:
    """Whether a text goes on what stands before it: a longer word, a dot, two colons."""
    before = source[at - 1]
    if before == _DOT:
        return source[max(0, at - 3) : at] != b"..."
    return before in _INNER or (before == _COLON and source[at - 2 : at] == b"::")
