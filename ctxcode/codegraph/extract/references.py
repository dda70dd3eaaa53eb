"""Called names and what stands before them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

RECEIVER_CHARACTERS = 200
_LONGEST_CALLEE = 600
_LONGEST_NAME = 150

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
        if end - start > _LONGEST_CALLEE:
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
    return name.strip(), "".join(receiver.split())[:RECEIVER_CHARACTERS]


def _of_long_chain(page: Page, start: int, end: int, separator: str) -> Call:
    name = page.text(end - _LONGEST_NAME, end).rpartition(separator)[2].strip()
    receiver = "".join(page.text(start, start + 2 * RECEIVER_CHARACTERS).split())
    return end - 1, name, receiver[:RECEIVER_CHARACTERS]
