"""Called names and what stands before them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import POINTED_AT
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

RECEIVER_CHARACTERS = 200
LONGEST_CALLEE = 600
"""Bytes of a receiver that are looked at."""
_LONGEST_NAME = 150
_MOST_NESTED = 20
_COMMENT = re.compile(
    r"(\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.){0,80}+'|`[^`]*+`?)|//[^\n]*+|/\*.*?(?:\*/|\Z)|(?<!\S)#\s[^\n]*+",
    re.DOTALL,
)
_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*+\"?|'(?:[^'\\]|\\.){1,80}+'|`[^`]*+`?", re.DOTALL)
_BRACES = re.compile(r"\{[^{}]*+\}")
_BRACKETS = re.compile(r"(\.)?\(([^()]*+)\)")
_AWAITED = re.compile(r"^\(\s*await\s((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
_GROUP = re.compile(
    r"\(\s*+((new\s++)?+(?!(?:await|new|not|yield)\b)(?:[^\W\d]|\$)[\w$]*+(?:\.[^\W\d][\w$]*+)*+(?:<[^<>()]*+>)?+"
    r"(?:\([^()]*+\))?+)\s*+\)(?=\s*+(?:\.|\Z))"
)
"""Brackets around a name, what a call gives or an object that is made: ``(cart)``, ``(new Cart())``."""
_INNER = re.compile(r"\x01[^\x01\x02]*+\x02|<[^<>]*+>")
_MADE = str.maketrans("\1\2\3\4", "(){}")

Call = tuple[int, str, str]
"""(a byte of the called name, name, receiver)."""


def called(page: Page, nodes: Iterable["Node"], separator: str = ".") -> list[Call]:
    """Return the calls that callees such as ``a.b.f`` stand for.

    A receiver is cut at 200 characters: no resolver can use a longer one, and chains of calls would grow it for ever.
    """
    text, whole = page.text, page.ascii
    calls = []
    # A file calls the same things over and over.
    known: dict[str, tuple[str, str]] = {}
    for node in nodes:
        start, end = node.byte_range
        if end - start > LONGEST_CALLEE:
            calls.append(_of_long_chain(page, start, end, separator))
            continue
        written = text(start, end) if whole is None else whole[start:end]
        parts = known.get(written)
        if parts is None:
            parts = known[written] = _parts(written, separator)
        name, receiver = parts
        calls.append((end - 1, name, receiver))
    return calls


def _parts(written: str, separator: str) -> tuple[str, str]:
    """Return (name, receiver) of what is called."""
    if separator not in written:
        return written, ""
    receiver, _, name = written.rpartition(separator)
    if receiver.isidentifier():
        return name, receiver
    return name.strip(), receiver_of(receiver)


def receiver_of(written: str) -> str:
    """Return what stands before a called name without white space and comments, of at most 200 characters.

    Of one that is longer the arguments are left out, but for their number, and what stands in braces.
    """
    if "\n" in written and ("//" in written or "/*" in written or "#" in written):
        written = _COMMENT.sub(r"\1", written)
    group = _GROUP.match(written) if written[:1] == "(" else None
    # What is made is a pointer in C++, whatever arrow its class has.
    if group is not None and not (group[2] and POINTED_AT in written):
        written = f"{group[1]}{'()' if group[2] and group[1][-1] != ')' else ''}{written[group.end() :]}"
    written = "".join((_AWAITED.sub(r"\1", written) if "await" in written else written).split())
    if len(written) > RECEIVER_CHARACTERS:
        written = _without_arguments(written)
    return written[:RECEIVER_CHARACTERS]


@lru_cache(maxsize=100)
def _without_arguments(written: str) -> str:
    # Of a long chain every call has the same beginning.
    text = _TEXT.sub('""', written)
    for pattern, made in ((_BRACES, "\3\4"), (_BRACKETS, _counted)):
        for _ in range(_MOST_NESTED):
            shorter = pattern.sub(made, text)
            if shorter == text:
                break
            text = shorter
    return text.translate(_MADE)


def _counted(brackets: re.Match[str]) -> str:
    """Return brackets with as many names as there are arguments; the type of Go's ``x.(T)`` is none."""
    behind_dot, inside = brackets[1] or "", brackets[2]
    if behind_dot:
        return f".\1{inside}\2"
    commas = _INNER.sub("", inside).count(",")
    return f"\1{','.join('_' * (commas + 1)) if inside else ''}\2"


def _of_long_chain(page: Page, start: int, end: int, separator: str) -> Call:
    name = page.text(end - _LONGEST_NAME, end).rpartition(separator)[2].strip()
    receiver = "".join(page.text(start, start + 2 * RECEIVER_CHARACTERS).split())
    return end - 1, name, receiver[:RECEIVER_CHARACTERS]
