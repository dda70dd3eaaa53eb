"""What SQL files create: tables, views, types, functions, procedures and triggers."""

import re
from collections.abc import Iterator

from ctxcode.codegraph.extract.docs import comments_doc, is_licence
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.reading import MOST_ENTRIES, entry

_TOKEN = re.compile(
    rb"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|\$(\w*)\$.*?(?:\$\1\$|\Z)|;",
    re.DOTALL,
)
_CREATE = re.compile(
    rb"CREATE\s+(?:OR\s+\w+\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|MATERIALIZED|VIRTUAL|EXTERNAL|RECURSIVE"
    rb"|CONSTRAINT|DEFINER\s*=\s*\S+|AGGREGATE)\s+)*"
    rb"(TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|TYPE|DOMAIN)\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    rb"((?:[\w$]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])(?:\s*\.\s*(?:[\w$]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\]))*)",
    re.IGNORECASE,
)
_KINDS = {
    b"TABLE": "struct",
    b"VIEW": "struct",
    b"TYPE": "type",
    b"DOMAIN": "type",
    b"FUNCTION": "function",
    b"PROCEDURE": "function",
    b"TRIGGER": "function",
}
_LONGEST_BLOCK = 200
_QUOTES = re.compile(r"[\"`\[\]\s]")


def statements(page: Page) -> Findings:
    """Return what a file's statements create; comments right above one are its documentation."""
    findings = Findings()
    for start, end, comments in _split(page.source):
        created = _CREATE.match(page.source, start, end)
        if created is None or len(findings.definitions) >= MOST_ENTRIES:
            continue
        name = _QUOTES.sub("", created[2].decode("utf-8", "replace")).rpartition(".")[2]
        if not name:
            continue
        found = entry(page, name, _KINDS[created[1].upper()], (start, end), created.start(2))
        texts = [page.text(*comment) for comment in comments]
        found.doc = "" if is_licence("\n".join(texts)) else comments_doc(texts)
        findings.definitions.append(found)
    return findings


def _split(source: bytes) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Yield (start, end, comments right above) of each statement."""
    start, comments = _code(source, 0), list[tuple[int, int]]()
    for token in _TOKEN.finditer(source):
        text = token[0]
        if text == b";":
            yield start, token.end(), comments
            start, comments = _code(source, token.end()), []
        elif token.start() == start and text.startswith((b"--", b"/*")):
            start = _code(source, token.end())
            comments.append(token.span())
            if len(comments) > _LONGEST_BLOCK or source.count(b"\n", token.end(), start) > 1:
                comments = []
    if start < len(source):
        yield start, len(source), comments


def _code(source: bytes, at: int) -> int:
    """Return where something stands again."""
    while at < len(source) and source[at] in b" \t\r\n\f\v":
        at += 1
    return at
