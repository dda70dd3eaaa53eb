"""Hostile characters become visible ones before a text enters the screen."""

import re

_CONTROL_PICTURES = 0x2400
_SUBSTITUTE = "␦"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_HOSTILE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners and fillers nobody sees
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line separators, bidi embeddings and isolates
    "\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors, tags
    "\U0001d173-\U0001d17a"
    "\ud800-\udfff"
    "]"
)
_WIDE_EMOJI_SELECTOR = re.compile("(?<=[\u2000-\u2bff\u3030-\u32ff\U0001f000-\U0001faff0-9#*])\ufe0f")


def _visible(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code <= 0xDFFF:
        return _REPLACEMENT
    return _SUBSTITUTE


def clean(text: str) -> str:
    """Return ``text`` with control, bidirectional, invisible and tag characters made visible.

    Tab and line feed stay; CR LF becomes a line feed. An emoji's own variation selector is left out, because cells
    are counted without it. Lone surrogates become U+FFFD, which a terminal can be sent.
    """
    text = text.replace("\r\n", "\n")
    if _HOSTILE.search(text) is None:
        return text
    return _HOSTILE.sub(_visible, _WIDE_EMOJI_SELECTOR.sub("", text))


def clean_line(text: str, limit: int = 2_000) -> str:
    """Return ``text`` clean and on one line: white space folded, at most ``limit`` characters."""
    return clean(" ".join(text[: 4 * limit].split()))[:limit]


def clean_name(text: str) -> str:
    """Return a name or path clean and on its line: line feeds and tabs are a part of it and made visible too."""
    return clean(text).replace("\n", "␊").replace("\t", "␉")
