"""The directives of a ``go.mod``, and the path by which others import what stands in its folder."""

import re

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.reading import MOST_ENTRIES, entry

_DIRECTIVE = re.compile(rb"^(module|go|toolchain|godebug|require|exclude|replace|retract|tool|ignore)\b", re.MULTILINE)
_MODULE = re.compile(r"^[ \t]*module[ \t]+[\"`]?([\w.~+/-]{1,300})", re.ASCII | re.MULTILINE)


def directives(page: Page) -> Findings:
    """Return the directives, blocks of them too, each up to the next one."""
    found = [match for _, match in zip(range(MOST_ENTRIES), _DIRECTIVE.finditer(page.source), strict=False)]
    ends = [*[match.start() for match in found[1:]], len(page.source)][: len(found)]
    entries = [
        entry(page, match[1].decode(), "field", (match.start(), page.trimmed(match.start(), end)), match.start())
        for match, end in zip(found, ends, strict=True)
    ]
    return Findings(definitions=entries)


def module_path(source: bytes) -> str:
    """Return the path that a ``go.mod`` gives its module; an empty one where there is none."""
    found = _MODULE.search(source.decode("utf-8", "replace"))
    return found[1].strip("/") if found else ""
