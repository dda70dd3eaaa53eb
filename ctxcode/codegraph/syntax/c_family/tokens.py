"""Tokens of C and C++; a whole directive is one of them."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    rb"(?P<skip>\s+|\\|//(?:\\\r?\n|[^\n])*+|/\*(?s:.*?)(?:\*/|\Z))"
    rb"|(?P<directive>\#(?:/\*(?s:.*?)(?:\*/|\Z)|//[^\n]*|\\\r?\n|[^\n])*+)"
    rb'|(?P<string>(?:u8|[uUL])?(?:R"(?P<raw>[^()\s\\"]{0,16})\((?s:.*?)(?:\)(?P=raw)"|\Z)'
    rb"""|"(?:\\(?s:.)|[^"\\\n])*+"?|'(?:\\(?s:.)|[^'\\\n])*+'?))"""
    rb"|(?P<word>[A-Za-z_\x80-\xff$][\w\x80-\xff$]*+)"
    rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|'?[\w.])*+)"
    rb"|(?P<sign>::|->|&&|\|\||[^\w\s])"
)


class Token(NamedTuple):
    """One token and its bytes."""

    kind: str
    text: bytes
    start: int
    end: int


Span = tuple[int, int]
"""A range of bytes."""


def tokens_of(data: bytes) -> list[Token]:
    """Return the tokens of a source, without comments."""
    return [
        Token(found.lastgroup, found[0], *found.span())  # type: ignore[arg-type] # every alternative has a name
        for found in _TOKEN.finditer(data)
        if found.lastgroup != "skip"
    ]
