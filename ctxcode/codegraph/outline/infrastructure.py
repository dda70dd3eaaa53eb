"""What YAML says of machines: tasks of Ansible, objects of Kubernetes, steps of whatever runs them."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.keys import yaml_keys
from ctxcode.codegraph.outline.reading import MOST_ENTRIES, comment_above, entry, plain_name

_PARTED = re.compile(rb"^---[^\n]*\n|^---[^\n]*\Z", re.MULTILINE)
_KIND = re.compile(rb"^kind:[ \t]*[\"']?([A-Za-z]\w*)", re.MULTILINE)
_OBJECT = re.compile(
    rb"^metadata:[^\n]*\n(?:(?:[ \t]+[^\n]*|#[^\n]*)?\n){0,40}?[ \t]+(?:generateN|n)ame:[ \t]*([^\n#]+)", re.MULTILINE
)
_ITEM = re.compile(
    rb"^([ \t]*)-[ \t]+(name|hosts|role|id|alert|record|job_name|import_playbook):[ \t]*([^\n]*\S)", re.MULTILINE
)
_TOLD = re.compile(
    rb"^[ \t]*(?:-[ \t]+)?(?:notify|serviceName|serviceAccountName|claimName|secretName|configMapName):[ \t]*"
    rb"([^\s#{\[][^\n#]*)?((?:\n[ \t]+-[ \t]+[^\n:#]+$)*)",
    re.MULTILINE,
)
_REFERRED = re.compile(
    rb"^[ \t]*(?:-[ \t]+)?(?:configMap(?:Key)?Ref|secret(?:Key)?Ref|scaleTargetRef|roleRef|serviceRef|configMap|secret"
    rb"|service|backendRefs|persistentVolumeClaim|subjects):[ \t]*\n(?:[ \t]+[^\n]*\n){0,4}?[ \t]+(?:-[ \t]+)?name:"
    rb"[ \t]*([^\n#]+)",
    re.MULTILINE,
)
"""What names tasks, roles and objects that stand elsewhere."""
_LISTED = re.compile(rb"-[ \t]+([^\n:#]+)$", re.MULTILINE)
_LINE = re.compile(rb"^([ \t]*+)(?=[^\s#])", re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*+(#[^\n]*+)", re.MULTILINE)
_LONGEST_LINE = 1_000

Item = tuple[int, int, int, str]
"""(where its line begins, column of its dash, where its name stands, name)."""


def infrastructure(page: Page) -> Findings:
    """Return the objects, plays, tasks and steps of a file; of one without any its top-level keys."""
    findings = Findings()
    bounds = [0, *(match.end() for match in _PARTED.finditer(page.source)), len(page.source)]
    for start, end in pairwise(bounds):
        kind, named = _KIND.search(page.source, start, end), _OBJECT.search(page.source, start, end)
        if kind is not None and len(findings.definitions) < MOST_ENTRIES:
            told = named if named is not None and named[1].strip(b" \t\"'") else kind
            text = page.source[start:end]
            first = start + len(text) - len(text.lstrip())
            stop = start + len(text.rstrip().removesuffix(b"---").rstrip())
            name = told[1].decode("utf-8", "replace").strip(" \t\"'")
            found = entry(page, name, "struct", (first, max(stop, told.end())), told.start(1))
            findings.definitions.append(found)
    findings.calls = [call for call in _named(page) if call[1]]
    comments = {page.trimmed(*match.span(1)): match.span(1) for match in _COMMENT.finditer(page.source)}
    is_play, items = not findings.definitions, _items(page)
    for (start, _, at, name), end in zip(items, _ends(page, items), strict=True):
        found = entry(page, name, "function" if is_play else "section", (start, max(end, at + 1)), at)
        found.doc = comment_above(page, start, comments)
        findings.definitions.append(found)
    return findings if findings.definitions else yaml_keys(page)


def _named(page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield what is named that stands elsewhere, as calls."""
    for match in _TOLD.finditer(page.source):
        if match[1] is not None:
            yield match.start(1), _plain(match[1]), ""
        for one in _LISTED.finditer(page.source, match.start(2), match.end(2)):
            yield one.start(1), _plain(one[1]), ""
    for match in _REFERRED.finditer(page.source):
        yield match.start(1), _plain(match[1]), ""


def _plain(written: bytes) -> str:
    return plain_name(written.decode("utf-8", "replace").strip(" \t\"'"))


def _items(page: Page) -> list[Item]:
    found = list[Item]()
    for match in _ITEM.finditer(page.source):
        if len(match[0]) <= _LONGEST_LINE and len(found) < MOST_ENTRIES:
            said = match[3].decode("utf-8", "replace").strip(" \t\"'")
            name = said if match[2] == b"name" else f"{match[2].decode()} {said}"
            start = match.start() + len(match[1])
            found.append((start, len(match[1].expandtabs()), match.start(3), name))
    return [item for item in found if item[3]]


def _ends(page: Page, items: list[Item]) -> list[int]:
    """Return where each item ends: before the next line that stands no further in than its dash."""
    ends, opened, row, last = [0] * len(items), list[tuple[int, int]](), 0, 0
    for match in _LINE.finditer(page.source):
        column = len(match[1].expandtabs())
        while opened and opened[-1][0] >= column:
            ends[opened.pop()[1]] = last
        if row < len(items) and items[row][0] == match.end(1):
            opened.append((column, row))
            row += 1
        last = page.line_end(match.start())
    for _, place in opened:
        ends[place] = last
    return [page.trimmed(items[place][0], end) for place, end in enumerate(ends)]
