"""What the markup of a component says: which others it shows, what it calls, and that it is one."""

import re
from collections.abc import Iterator

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.components.blocks import Component, Span

Call = tuple[int, str, str]
"""(a byte of the called name, name, receiver)."""

_NAME = rb"[A-Za-z_$][\w$]*"
_TAG = re.compile(rb"<([A-Za-z][\w$]*(?:[.-][\w$]+)*)")
_MUSTACHE = re.compile(rb"\{\{(.{1,500}?)\}\}", re.DOTALL)
_BOUND = re.compile(rb"""(?<=\s)(?:v-[\w.:-]+|[@:#][\w.:\[\]-]+)\s{0,9}=\s{0,9}(?:"([^"]{1,2000})"|'([^']{1,2000})')""")
_BRACES = re.compile(rb"\{([^{}]{1,2000})\}")
_CALLED = re.compile(rb"(?<![\w$.])(%s(?:\??\.%s){0,5})\s{0,9}\(" % (_NAME, _NAME))
_GIVEN = re.compile(rb"(?:@|\bv-on:|\bon:?)[\w.:-]+\s{0,9}=\s{0,9}[\"'{]\s{0,20}(%s)\s{0,20}[\"'}]" % _NAME)
"""What is called when something happens: ``@click="save"``, ``on:click={save}``, ``onclick={save}``."""
_LONGEST_NAME = 200


def add_markup(findings: Findings, component: Component, page: Page, path: str) -> None:
    """Add a component's symbol, what its markup calls, and the files its scripts stand in."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    name = folder.rpartition("/")[2] or stem if stem.lower() == "index" else stem
    name = name[:_LONGEST_NAME]
    for at, module in component.sources:
        for wanted in ("*", "default"):
            alias = "" if wanted == "*" else wanted
            findings.imports.append(ImportFact(module, wanted, alias, 0, page.line(at), is_reexport=True))
    default = next((one for one in findings.definitions if one.name == "default"), None)
    if default is not None:
        default.name = name
        findings.bindings.append((len(page.source), ".default", f"={name}"))
    is_told = default is not None or any(bound == ".default" for _, bound, _ in findings.bindings)
    known = {one.name for one in findings.definitions} | {fact.alias for fact in findings.imports if fact.alias}
    methods = {one.name for one in findings.definitions if one.kind == "method"} if default is not None else set()
    for span in component.markup:
        for at, called, receiver in _calls(page.source, span, is_vue=path.endswith(".vue")):
            if not receiver and called in methods:
                findings.calls.append((at, called, name))
            elif (receiver or called).partition(".")[0] in known:
                findings.calls.append((at, called, receiver))
    if component.markup:
        findings.definitions.append(_shown(component.markup[0], "template" if is_told else name, page))
    if component.markup and not is_told and not component.sources:
        findings.bindings.append((len(page.source), ".default", f"={name}"))


def _shown(span: Span, name: str, page: Page) -> Definition:
    """Return the component itself, which is its markup."""
    start, end = span
    line_end = min(end, page.line_end(start))
    return Definition(
        name=name,
        kind="function",
        start=start,
        first=start,
        end=end,
        header=start,
        signature=page.text(start, line_end).strip()[:_LONGEST_NAME],
        header_end=page.trimmed(start, line_end),
    )


def _calls(source: bytes, span: Span, *, is_vue: bool) -> Iterator[Call]:
    """Yield the components that markup shows, and what its expressions call."""
    for tag in _TAG.finditer(source, *span):
        written = tag[1].decode("utf-8", "replace")
        owner, dot, name = written.rpartition(".")
        if dot or name[:1].isupper() or "-" in name:
            yield tag.start(1), "".join(part[:1].upper() + part[1:] for part in name.split("-")), owner
    for given in _GIVEN.finditer(source, *span):
        yield given.start(1), given[1].decode("utf-8", "replace"), ""
    for pattern in (_MUSTACHE, _BOUND) if is_vue else (_BRACES,):
        for expression in pattern.finditer(source, *span):
            for called in _CALLED.finditer(source, *expression.span(expression.lastindex or 0)):
                receiver, _, name = called[1].decode("utf-8", "replace").replace("?.", ".").rpartition(".")
                yield called.end(1) - 1, name, receiver
