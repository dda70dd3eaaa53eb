"""Overloads: declarations of one name, one after the other, are one definition."""

import re
from operator import attrgetter

from ctxcode.codegraph.extract.findings import Definition
from ctxcode.codegraph.extract.page import Page

_BETWEEN = re.compile(
    rb"(?>[\s;,]++|//[^\n]*+\n|/\*.*?\*/|\b(?:export|declare|default|public|protected|private|static)\b)*+", re.DOTALL
)


def merge_overloads(definitions: list[Definition], signatures: set[int], page: Page) -> list[Definition]:
    """Join declarations without a body to the next one of their name; ``signatures`` says where the former end.

    The body keeps its header and signature and begins with its first overload; without one the first overload's stay.
    Returns those that were joined: what their parameters are called says nothing of the body.
    """
    if not signatures:
        return []
    before: Definition | None = None
    merged: dict[int, Definition] = {}
    for found in sorted(definitions, key=attrgetter("start", "header")):
        if found.kind not in {"function", "method"}:
            continue
        if (
            before is not None
            and before.name == found.name
            and before.end in signatures
            and _follows(before, found, page)
        ):
            if found.end in signatures:
                before.end = found.end
                merged[id(found)] = found
                continue
            found.start, found.first = before.start, before.first
            found.doc = before.doc or found.doc
            merged[id(before)] = before
        before = found
    definitions[:] = [found for found in definitions if id(found) not in merged]
    return list(merged.values())


def _follows(before: Definition, found: Definition, page: Page) -> bool:
    """Whether nothing but comments and modifiers stands between two definitions."""
    return _BETWEEN.fullmatch(page.source, before.end, max(before.end, found.first)) is not None
