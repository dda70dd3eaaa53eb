"""The words in names: one way of splitting, for the index, for prompts and for scores."""

import re
import unicodedata
from functools import cache, lru_cache
from itertools import pairwise
from operator import add

_HUMP = re.compile(r"([A-Z])(?:(?<=[a-z0-9].)|(?<=[A-Z].)(?=[a-z]))")
"""The capital that begins a word inside a camelCase name; capital first, as most letters are none."""
_SHAPES = bytes(
    [ord("a" if chr(at).islower() or chr(at).isdigit() else "A" if chr(at).isupper() else " ") for at in range(128)]
).ljust(256)
"""Small letters and digits as ``a``, capitals as ``A``."""
_COMPOUND = re.compile(r"`([^`\n]{2,80})`|[\w$]{1,80}+(?:(?:\.|::|->|-)[\w$]{1,80}+)+")
_MOST_COMPOUND_WORDS = 6
_WORD = re.compile(r"[^\W_]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
"""The same in a lower-case text without other letters, found in half the time."""
_SHORTEST_STEM = 3
_HISSING_PLURALS = ("sses", "shes", "ches", "xes", "zzes")
_ATE_ENDINGS = ("ate", "ated", "ating", "ation", "ator", "ater", "ately")
_VERB_ENDINGS = ("ing", "ed", "er", "ly")
_DOER_ENDINGS = ("tor", "sor")
_SHORTEST_DOER = 7
"""Shorter words of these endings are no doers: vector, factor, sensor."""


def with_seams(text: str) -> str:
    """Return a text with a blank before each word of its camelCase names: ``HTTPServer`` gives ``HTTP Server``."""
    if text.islower():
        return text
    if text.isascii():
        seams = _seams(text)
        return " ".join([text[start:end] for start, end in pairwise([0, *seams, len(text)])]) if seams else text
    # Python fills a substitution's template in Python, match by match; splitting and joining stay in C.
    pieces = _HUMP.split(text)
    if len(pieces) == 1:
        return text
    return " ".join([pieces[0], *map(add, pieces[1::2], pieces[2::2])])


def _seams(text: str) -> list[int]:
    """Return where words begin inside the camelCase names of a text without other letters, in order.

    Two letters in a row are found quicker than each capital is looked at: of these constants have many.
    """
    found, find = list[int](), text.encode().translate(_SHAPES).find
    at = find(b"aA")
    while at >= 0:
        found.append(at + 1)
        at = find(b"aA", at + 1)
    at = find(b"AAa")
    while at >= 0:
        if not text[at + 2].isdigit():
            found.append(at + 1)
        at = find(b"AAa", at + 1)
    found.sort()
    return found


def composed(text: str) -> str:
    """Return a text with an accented letter as one, letters and digits in their usual width, Arabic without vowels."""
    if text.isascii():
        return text
    text = _arabic_marks().sub("", unicodedata.normalize("NFC", text))
    return _odd_width().sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


@cache
def _odd_width() -> re.Pattern[str]:
    """Return full-width letters, digits and underscores, and half-width kana, as Asian keyboards give them."""
    return re.compile("[\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a\uff66-\uff9f]+")


@cache
def _arabic_marks() -> re.Pattern[str]:
    """Return the vowels that hardly anybody writes, and what makes words longer."""
    return re.compile("[\u0640\u064b-\u0652\u0670]+")


def words_in(text: str) -> list[str]:
    """Return the lower-case words of a text, names split at humps and underscores."""
    return lower_words(with_seams(text).lower())


def lower_words(text: str) -> list[str]:
    """Return the words of a lower-case text, names split at underscores."""
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text)


def compounds(text: str) -> list[str]:
    """Return what stands together in a text, in lower case with its words joined by underscores.

    That is ``builtins.Any``, ``--no-verify`` and anything short in back-ticks: a phrase to the full-text index.
    """
    found = (words_in(match[1] or match[0]) for match in _COMPOUND.finditer(text))
    return ["_".join(words) for words in found if 1 < len(words) <= _MOST_COMPOUND_WORDS]


_IRREGULAR_TEXT = """
begin began begun; bind bound; break broke broken; build built; catch caught; choose chose chosen; draw drew drawn;
drive drove driven; fall fell fallen; feed fed; forget forgot forgotten; freeze froze frozen; give gave given;
grow grew grown; hide hid hidden; hold held; keep kept; know knew known; lose lost; override overrode overridden;
overwrite overwrote overwritten; pay paid; rebuild rebuilt; rewrite rewrote rewritten; seek sought; send sent;
shake shook shaken; show shown; shrink shrank shrunk; sleep slept; spend spent; sweep swept; take took taken;
throw threw thrown; undo undid undone; unwind unwound; wake woke woken; win won; withdraw withdrew withdrawn;
write wrote written
"""
_IRREGULAR = {
    form: verb for verb, *forms in map(str.split, _IRREGULAR_TEXT.replace("\n", " ").split(";")) for form in forms
}
"""Past forms of verbs that code is called after which end like no others. *Found* and *left* are words of their own."""


def base_form(word: str) -> str | None:
    """Return the verb a lower-case word is an irregular past form of: *write* of *written*."""
    return _IRREGULAR.get(word)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a lower-case English word without its inflection, roughly: words of one family share it."""
    if not word.isascii() or len(word) <= _SHORTEST_STEM:
        return word
    word = _IRREGULAR.get(word, word)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(_HISSING_PLURALS) else f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
    word = _without_ending(word)
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "slz":
        word = word[:-1]
    if word.endswith(_DOER_ENDINGS) and len(word) >= _SHORTEST_DOER:
        return word[:-2]
    if len(word) > _SHORTEST_STEM and word[-1] == "i":
        return f"{word[:-1]}y"
    return word[:-1] if len(word) > _SHORTEST_STEM and word.endswith("e") else word


def _without_ending(word: str) -> str:
    """Return a word without what verbs, and nouns of them, end in; *repeated* and *created* are no *-ate* of *repe*."""
    for ending in _ATE_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            rest = word[: -len(ending)]
            return f"{rest}at" if rest[-1] in "eo" else rest
    for ending in _VERB_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("eed"):
            return word[: -len(ending)]
    return word


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of a text's words, names split at humps and underscores."""
    return frozenset(map(stem, words_in(text)))
