"""Tokens of C and C++; a whole directive is one of them."""

import re
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


def partners(tokens: list[Token]) -> list[int]:
    """Return each bracket's partner; 0 for none."""
    found = [0] * (len(tokens) + 1)
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text in OPENING:
            opened.append(at)
        elif token.text in CLOSING:
            while opened and OPENING[tokens[opened[-1]].text] != token.text:
                opened.pop()
            if opened:
                begin = opened.pop()
                found[begin], found[at] = at, begin
    return found
