"""Tokens of C and C++; a whole directive is one of them."""

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

_TOKEN = re.compile(
    rb"(?P<skipped>(?:\s+|\\|//(?:\\\r?\n|[^\n])*+|/\*(?s:.*?)(?:\*/|\Z))*+)"
    rb"(?:(?P<word>[A-Za-z_\x80-\xff$][\w\x80-\xff$]*+(?![\"']))"
    rb"|(?P<sign>::|->|&&|\|\||[^\w\s\"'#.]|\.(?![0-9]))"
    rb"|(?P<other>\#(?:/\*(?s:.*?)(?:\*/|\Z)|//[^\n]*|\\\r?\n|[^\n])*+"
    rb'|(?:u8|[uUL])?(?:R"(?P<raw>[^()\s\\"]{0,16})\((?s:.*?)(?:\)(?P=raw)"|\Z)'
    rb"""|"(?:\\(?s:.)|[^"\\\n])*+"?|'(?:\\(?s:.)|[^'\\\n])*+'?)"""
    rb"|[A-Za-z_\x80-\xff$][\w\x80-\xff$]*+|\.?[0-9](?:[eEpP][+-]|'?[\w.])*+|\Z))"
)
OPENING = {b"(": b")", b"[": b"]", b"{": b"}"}
CLOSING = frozenset(OPENING.values())
_BRACKETS = CLOSING.union(OPENING)


class Token(NamedTuple):
    """One token and its bytes."""

    kind: str
    """``word``, ``sign``, ``directive``, ``string`` or ``number``."""
    text: bytes
    start: int
    end: int


Span = tuple[int, int]
"""A range of bytes."""
_make = partial(tuple.__new__, Token)


def tokens_of(data: bytes, span: Span) -> list[Token]:
    """Return the tokens of a part of a source, without comments, between two empty directives."""
    at, stop = span
    tokens = [Token("directive", b"", at, at)]
    add = tokens.append
    # There are many: as match objects they would take half as long again.
    for skipped, word, sign, other, _ in _TOKEN.findall(data, at, stop):
        at += len(skipped)
        end = at + len(word or sign or other)
        if word:
            add(_make(("word", word, at, end)))
        elif sign:
            add(_make(("sign", sign, at, end)))
        elif other:
            add(_make((_kind(other), other, at, end)))
        at = end
    add(Token("directive", b"", stop, stop))
    return tokens


def _kind(text: bytes) -> str:
    if text[:1] == b"#":
        return "directive"
    if text[:1].isdigit() or text[:1] == b".":
        return "number"
    return "string" if b'"' in text or b"'" in text else "word"


def merged(spans: list[Span]) -> list[Span]:
    """Return ranges in order, as one where they touch."""
    apart = list[Span]()
    for start, end in sorted(spans):
        if apart and start <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return apart


def partners(texts: Sequence[bytes]) -> list[int]:
    """Return the partner of each token that is a bracket, by what the tokens say; 0 for none."""
    found = [0] * (len(texts) + 1)
    opened: list[int] = []
    brackets = [(at, text) for at, text in enumerate(texts) if text in _BRACKETS]
    for at, text in brackets:
        if text in OPENING:
            opened.append(at)
            continue
        while opened and OPENING[texts[opened[-1]]] != text:
            opened.pop()
        if opened:
            begin = opened.pop()
            found[begin], found[at] = at, begin
    return found
