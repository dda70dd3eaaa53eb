"""Documentation texts: from docstrings and comments to one plain first paragraph."""

import re

DOC_CHARACTERS = 500

_DOCSTRING = re.compile(rb"[rRuU]{0,2}(\"\"\"|'''|\"|')")
_DOCSTRING_END = re.compile(rb"[ \t]*(?:[\r\n;#]|$)")
_BACKSLASH = ord("\\")
_LICENCE = re.compile(r"copyright|license|licence|spdx|\(c\)|all rights reserved", re.IGNORECASE)
_TAG = re.compile(r"[@\\][a-zA-Z]")
_TAG_STARTS = frozenset("@\\")
_RULE = re.compile(r"[-=*#~_/]{3,}")
_BLOCKS = (
    ("(*", "*)"),
    ("{#", "#}"),
    ("{-", "-}"),
    ("<!--", "-->"),
    ("#=", "=#"),
    ("#|", "|#"),
    ("<#", "#>"),
    ("{", "}"),
)
"""Comments of many lines, in OCaml, Haskell, HTML, Julia, Lisp, PowerShell, Pascal, Jinja."""
_LINE_MARKS = "#;%'\"!:"
_RULE_STARTS = frozenset("-=*#~_/")


def docstring(source: bytes, start: int) -> str:
    """Return the first paragraph of the Python docstring that begins at a byte, or an empty text."""
    opening = _DOCSTRING.match(source, start)
    if opening is None:
        return ""
    quote = opening[1]
    end = _closing(source, opening.end(), quote)
    if end < 0 or not _DOCSTRING_END.match(source, end + len(quote)):
        return ""
    return first_paragraph(source[opening.end() : min(end, opening.end() + 20_000)].decode("utf-8", "replace"))


def _closing(source: bytes, start: int, quote: bytes) -> int:
    end = source.find(quote, start)
    while end > 0 and _is_escaped(source, end):
        end = source.find(quote, end + 1)
    return end


def _is_escaped(source: bytes, at: int) -> bool:
    if source[at - 1] != _BACKSLASH:
        return False
    slashes = 0
    while source[at - 1 - slashes : at - slashes] == b"\\":
        slashes += 1
    return slashes % 2 == 1


def first_paragraph(text: str) -> str:
    """Return the first paragraph on one line, at most 500 characters; tags such as ``@param`` end it."""
    lines: list[str] = []
    for raw in text.split("\n"):
        line = raw.strip()
        first = line[:1]
        is_break = not line or (first in _RULE_STARTS and _RULE.fullmatch(line) is not None) or line == "<p>"
        if is_break and lines:
            break
        if first in _TAG_STARTS and _TAG.match(line):
            break
        if not is_break:
            lines.append(line)
    return " ".join(" ".join(lines).split())[:DOC_CHARACTERS]


def comment_text(comment: str) -> str:
    """Return a comment's words, line by line, without its markers."""
    comment = comment.strip()
    if comment.startswith("/*"):
        body = comment[2:].removesuffix("*/").lstrip("*!")
        return "\n".join(line.strip().removeprefix("*").strip() for line in body.split("\n"))
    for opening, closing in _BLOCKS:
        if comment.startswith(opening):
            return comment.removeprefix(opening).removesuffix(closing).strip("*|- \n")
    return "\n".join(_line_words(line) for line in comment.split("\n"))


def _line_words(line: str) -> str:
    line = line.strip()
    if line.startswith("//"):
        return line.lstrip("/").removeprefix("!").strip()
    if line.startswith("--"):
        return line.lstrip("-[").removesuffix("]]").strip().removeprefix("|").removeprefix("^").strip()
    return line.lstrip(_LINE_MARKS).strip()


def comments_doc(comments: list[str]) -> str:
    """Return the first paragraph of a run of comments."""
    return first_paragraph("\n".join(comment_text(comment) for comment in comments))


def is_licence(doc: str) -> bool:
    """Whether a file's leading comment speaks of its licence and not of its code."""
    return _LICENCE.search(doc) is not None
