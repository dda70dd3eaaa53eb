"""Which words are common: a vocabulary for counting tokens lists what it was made from, the commonest first."""

import re
from binascii import b2a_base64
from collections.abc import Iterator
from functools import lru_cache

from ctxcode.llm.counting.tokens import DEFAULT_TOKENIZER, VOCABULARIES, vocabulary_folder

_COMMON_RANKS = 65_000
"""Tokens before this one are words people know; among later ones are slips that many make, like ``recieve``."""
_LINE_BYTES = 24
"""More than such a token takes in the file, on average."""
_SHORTEST_BASE = 4
_ENDINGS = (("s", ("",)), ("es", ("",)), ("ed", ("", "e")), ("ing", ("", "e")), ("ly", ("",)))
"""Endings, and what may have stood in their place."""
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnprt]\Z")
_NEVER_BEFORE = {"s": re.compile(r"s\Z"), "ed": _DOUBLED, "ing": _DOUBLED}
"""What an ending never follows: not ``adress``, and of ``stop`` comes ``stopping``."""


@lru_cache(maxsize=4_096)
def is_common_word(word: str) -> bool:
    """Return whether a word in small letters, or what it is a form of, is common in texts; no when that is unknown."""
    tokens = _common_tokens()
    return any(b"\n" + b2a_base64(f" {form}".encode(), newline=False) + b" " in tokens for form in _forms(word))


def _forms(word: str) -> Iterator[str]:
    yield word
    for ending, before in _ENDINGS:
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST_BASE:
            never = _NEVER_BEFORE.get(ending)
            yield from (base + letter for letter in before if letter or never is None or not never.search(base))


@lru_cache(maxsize=1)
def _common_tokens() -> bytes:
    """Return the lines of the commonest tokens in the vocabulary's file; nothing when there is none."""
    folder = vocabulary_folder()
    if folder is None:
        return b""
    try:
        with (folder / VOCABULARIES[DEFAULT_TOKENIZER].file_name).open("rb") as file:
            lines = file.read(_COMMON_RANKS * _LINE_BYTES)
    except OSError:
        return b""
    return lines.partition(f" {_COMMON_RANKS}\n".encode())[0]
