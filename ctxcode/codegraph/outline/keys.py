"""Top-level keys of YAML and JSON, tables and top-level keys of TOML: parts of their file, found by name."""

import re
from collections.abc import Iterable, Iterator

from ctxcode.codegraph.extract.docs import comments_doc
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.reading import MOST_ENTRIES, entry

_TABLE = re.compile(rb"\s*+(\[\[?)([^\[\]\r\n]++)\]\]?\s*+(?:#.*)?\Z", re.DOTALL)
_TOML_KEY = re.compile(rb"[ \t]*+((?:[\w.-]++|\"[^\"\r\n]*+\"|'[^'\r\n]*+')++)[ \t]*+=", re.ASCII)
_LONG_TEXT = re.compile(rb"\"\"\"|'''")
_YAML_KEY = re.compile(
    rb"(?:\"([^\"\r\n]{1,200})\"|'([^'\r\n]{1,200})'|([^\s#&*!|>%@`\"'\[\]{},:-][^:#\r\n]{0,200}?))[ \t]*:"
    rb"(?=[ \t\r\n]|\Z)"
)
_JSON_TOKEN = re.compile(rb"\"(?:[^\"\\\n]|\\.)*+\"?|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}\[\]:,]", re.DOTALL)

_Row = tuple[int, str]
"""(where an entry begins, its name)."""


def toml_tables(page: Page) -> Findings:
    """Return the tables of a TOML file and the keys above the first one."""
    return _made(page, _toml_rows(page))


def yaml_keys(page: Page) -> Findings:
    """Return the keys that stand at the beginning of a line of a YAML file."""
    found = []
    for at in _line_starts(page):
        match = _YAML_KEY.match(page.source, at)
        if match:
            found.append((at, (match[1] or match[2] or match[3]).decode("utf-8", "replace").strip()))
    return _made(page, found)


def json_keys(page: Page) -> Findings:
    """Return the keys of the object that a JSON file is; comments may stand in it."""
    return _made(page, _json_rows(page))


def _toml_rows(page: Page) -> Iterator[_Row]:
    source, is_above, quote = page.source, True, b""
    for at in _line_starts(page):
        line = source[at : page.line_end(at)]
        if not quote:
            table = _TABLE.match(line)
            key = _TOML_KEY.match(line) if is_above and table is None else None
            if table:
                is_above = False
                yield at + table.start(1), table[2].strip().decode("utf-8", "replace").replace('"', "")
            elif key:
                yield at + key.start(1), key[1].decode("utf-8", "replace").strip("\"'")
        for mark in _LONG_TEXT.findall(line):
            quote = b"" if quote == mark else quote or mark


def _json_rows(page: Page) -> Iterator[_Row]:
    depth, last = 0, (0, b"")
    for token in _JSON_TOKEN.finditer(page.source):
        text = token[0]
        if text in b"{[":
            depth += 1
            if depth == 1 and text == b"[":
                return
        elif text in b"}]":
            depth -= 1
        elif text[:1] == b'"':
            last = token.start(), text.removesuffix(b'"')
        elif text == b":" and depth == 1 and last[1]:
            yield last[0], last[1][1:].decode("utf-8", "replace")
            last = 0, b""


def _line_starts(page: Page) -> Iterator[int]:
    at = 0
    for end in page.line_ends:
        yield at
        at = end


def _made(page: Page, rows: Iterable[_Row]) -> Findings:
    """Return entries that each end where the next one begins."""
    found = [row for _, row in zip(range(MOST_ENTRIES), (row for row in rows if row[1].strip()), strict=False)]
    ends = [*[start for start, _ in found[1:]], len(page.source)][: len(found)]
    entries = [
        entry(page, name, "field", (start, page.trimmed(start, max(end, start + 1))), start)
        for (start, name), end in zip(found, ends, strict=True)
    ]
    return Findings(definitions=entries, doc=_leading_comment(page))


def _leading_comment(page: Page) -> str:
    lines = []
    for at in _line_starts(page):
        line = page.text(at, page.line_end(at)).strip()
        if not line.startswith(("#", "//")):
            break
        lines.append(line)
    return comments_doc(lines)
