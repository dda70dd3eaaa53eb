"""Which reader a language has, and what the readers share."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import cast

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page

MOST_ENTRIES = 2_000
_LONGEST_NAME = 120


def outline(page: Page, language: str) -> Findings:
    """Return what a file's outline holds; at most 2,000 entries. Raises KeyError for a language without a reader."""
    return _reader(language)(page)


def entry(page: Page, name: str, kind: str, span: tuple[int, int], at: int) -> Definition:
    """Return an entry that spans some bytes and whose name stands at one; keys are parts of their file."""
    start, end = span
    line_end = page.trimmed(start, page.line_end(at))
    return Definition(
        # A symbol's id is made of names: what parts them must not stand in one.
        name=" ".join(name.replace("::", ":").replace("~", "-").split())[:_LONGEST_NAME],
        kind=kind,
        start=start,
        first=start,
        end=end,
        header=at,
        signature=page.signature(start, min(end, line_end)),
        header_end=max(at + 1, min(end, line_end)),
        is_leaf=kind == "field",
    )


@cache
def _reader(language: str) -> Callable[[Page], Findings]:
    module, name = _READERS[language]
    return cast("Callable[[Page], Findings]", getattr(import_module(f"ctxcode.codegraph.outline.{module}"), name))


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
}
