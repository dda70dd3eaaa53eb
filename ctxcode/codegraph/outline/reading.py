"""Which reader a language has, and what the readers share."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from typing import cast

from ctxcode.codegraph.extract.docs import comments_doc, is_licence
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page

MOST_ENTRIES = 2_000
_LONGEST_NAME = 120
_MOST_COMMENTS = 200
END = 1 << 62
"""Behind every byte."""

Span = tuple[int, int]


def outline(page: Page, language: str) -> Findings:
    """Return what a file's outline holds; at most 2,000 entries. Raises KeyError for a language without a reader."""
    return _reader(language)(_with_plain_ends(page))


def entry(page: Page, name: str, kind: str, span: tuple[int, int], at: int) -> Definition:
    """Return an entry that spans some bytes and whose name stands at one; keys are parts of their file."""
    start, end = span
    line_end = page.trimmed(start, page.line_end(at))
    return Definition(
        name=plain_name(name)[:_LONGEST_NAME],
        kind=kind,
        start=start,
        first=start,
        end=end,
        header=at,
        signature=page.signature(start, min(end, line_end)),
        header_end=max(at + 1, min(end, line_end)),
        is_leaf=kind == "field",
    )


def plain_name(text: str) -> str:
    """Return a text as a name: a symbol's id is made of names, so what parts them must not stand in one."""
    return " ".join(text.replace("::", ":").replace("~", "-").split())


def _with_plain_ends(page: Page) -> Page:
    """Return a page whose lines end at line feeds only, of the same length."""
    return Page(page.source.replace(b"\r\n", b" \n")) if b"\r\n" in page.source else page


def is_in(spans: Sequence[Span], at: int) -> bool:
    """Return whether a byte stands in one of some spans, which are sorted and do not overlap."""
    row = bisect_left(spans, (at, END)) - 1
    return row >= 0 and at < spans[row][1]


def comment_above(page: Page, at: int, comments: dict[int, Span]) -> str:
    """Return what the comments right above a declaration say; they are given by their ends."""
    texts = list[str]()
    for start, end in _above(page.source, at, comments):
        texts.insert(0, page.text(start, end).strip('"'))
    return "" if is_licence("\n".join(texts)) else comments_doc(texts)


def _above(source: bytes, at: int, comments: dict[int, Span]) -> Iterator[Span]:
    for _ in range(_MOST_COMMENTS):
        before = source[:at].rstrip() if at < 2_000 else source[at - 2_000 : at].rstrip()
        end = max(0, at - 2_000) + len(before)
        span = comments.get(end)
        if span is None or source.count(b"\n", end, at) > 1:
            return
        if source[source.rfind(b"\n", 0, span[0]) + 1 : span[0]].strip():
            # It is about what stands before it.
            return
        yield span
        at = span[0]


@cache
def _reader(language: str) -> Callable[[Page], Findings]:
    module, name = _READERS.get(language, _PATTERNED)
    reader = getattr(import_module(f"ctxcode.codegraph.outline.{module}"), name)
    return cast("Callable[[Page], Findings]", reader if language in _READERS else partial(reader, language=language))


_PATTERNED = ("patterns", "patterned")
_READERS = {
    "markdown": ("markdown", "headings"),
    "toml": ("keys", "toml_tables"),
    "yaml": ("keys", "yaml_keys"),
    "json": ("keys", "json_keys"),
    "sql": ("sql", "statements"),
    "gomod": ("gomod", "directives"),
    "proto": ("blocks", "proto"),
    "graphql": ("blocks", "graphql"),
    "terraform": ("blocks", "terraform"),
    "make": ("blocks", "makefile"),
    "infrastructure": ("infrastructure", "infrastructure"),
    "rst": ("prose", "underlined"),
    "asciidoc": ("prose", "asciidoc"),
    "org": ("prose", "org"),
    "tex": ("prose", "tex"),
}
