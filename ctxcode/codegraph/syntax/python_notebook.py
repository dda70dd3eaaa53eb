"""Notebooks of Jupyter as sources of Python: the code of their cells, each line where it stands in the file."""

import json
import re
from collections.abc import Iterator

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.reading import plain_name

_CELL = re.compile(rb'^[ \t]*"cell_type":[ \t]*"(\w+)"')
_LANGUAGE = re.compile(rb'"(?:language|name)":[ \t]*"([^"\n]*)"')
_SOURCE = re.compile(rb'[ \t]*"source":[ \t]*(\[)?[ \t]*(".*)?')
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.]+\?\s*$|\w[\w, ]*=\s*[%!])")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*\S)")
_LONGEST_TITLE = 120

Heading = tuple[int, int, int, str]
"""(row of the file, row behind the text below it, level, title)."""


def is_notebook(path: str) -> bool:
    """Tell by its name whether a file is a notebook."""
    return path.endswith(".ipynb")


def code_of(source: bytes) -> tuple[bytes, list[Heading]]:
    """Return the code of a notebook's cells and the headings in its texts; nothing of what cells have printed.

    The code has as many lines as the file, and each stands where it does there. Of a notebook in another language
    than Python there is no code, nor of one whose lines were folded into one.
    """
    rows = source.split(b"\n")
    code, headings = [b""] * len(rows), list[Heading]()
    languages = _LANGUAGE.findall(source, max(0, source.rfind(b'"metadata"')))
    is_python = not languages or any(language.lower().startswith(b"python") for language in languages)
    cell, is_foreign = -1, False
    for begun, kind, row, said in _texts(rows):
        if begun != cell and said.strip():
            cell, is_foreign = begun, said.startswith("%%") or not is_python
        if kind == b"code" and not is_foreign:
            code[row] = b"" if _MAGIC.match(said) else said.encode("utf-8", "replace")
        elif kind == b"markdown" and (heading := _HEADING.match(said)):
            headings.append((row, row + 1, len(heading[1]), heading[2][:_LONGEST_TITLE]))
        elif kind == b"markdown" and headings and headings[-1][0] >= begun:
            headings[-1] = (headings[-1][0], row + 1, *headings[-1][2:])
    return b"\n".join(code), headings


def _texts(rows: list[bytes]) -> Iterator[tuple[int, bytes, int, str]]:
    """Yield (row where the cell's source begins, kind of the cell, row, text) of each line of source."""
    kind, begun = b"", -1
    for row, line in enumerate(rows):
        rest = line
        if begun < 0:
            cell = _CELL.match(line)
            kind = cell[1] if cell is not None else kind
            source = _SOURCE.match(line)
            if source is None:
                continue
            begun, rest = row, source[2] or b""
            if source[1] is None:
                yield row, kind, row, _said(rest)
                begun = -1
                continue
        text = _TEXT.search(rest)
        if text is not None:
            yield begun, kind, row, _said(text[0])
        if rest[text.end() if text is not None else 0 :].rstrip().endswith((b"]", b"],")):
            begun = -1


def _said(written: bytes) -> str:
    text = _TEXT.search(written)
    try:
        said = json.loads(text[0]) if text is not None else ""
    except ValueError:
        return ""
    return str(said).split("\n", 1)[0].replace("\r", "").replace("\0", "")


def add_headings(findings: Findings, headings: list[Heading], page: Page) -> None:
    """Add the sections that headings begin; the code below one is the module's, as in every source of Python."""
    starts = [0, *page.line_ends]
    for row, behind, level, title in headings:
        start = starts[row]
        findings.definitions.append(
            Definition(
                name=plain_name(title),
                kind="section",
                start=start,
                first=start,
                end=max(starts[min(behind, len(starts) - 1)], start + 1),
                header=start,
                signature=f"{'#' * level} {title}",
                header_end=start + 1,
            )
        )
