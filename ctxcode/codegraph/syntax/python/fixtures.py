"""pytest's fixtures: what the parameters of tests, and of other fixtures, get that are called like one.

A fixture is a function with a decorator of that name. A parameter means the one in its class, its module, or in the
nearest ``conftest.py`` of the folders around, which each file that asks for one is said to import.
"""

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import FIXTURE, RETURNED, ImportFact
from ctxcode.model.naming.folder import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_IS_FIXTURE = re.compile(r"@(?:[\w.]+\.)?(?:yield_)?fixture\b")
_RENAMED = re.compile(r"""\bname\s*=\s*["'](\w+)["']""")
_VALUES = re.compile(r"""parametrize\(\s*[\[(]?((?:\s*["'][\w\s,]*["']\s*,?)+)""")
_WORD = re.compile(r"\w+")
_OWN = frozenset({"self", "cls"})
_BUILT_IN = frozenset({
    "cache", "capfd", "capfdbinary", "caplog", "capsys", "capsysbinary", "doctest_namespace", "event_loop", "mocker",
    "monkeypatch", "pytestconfig", "pytester", "record_property", "record_testsuite_property", "record_xml_attribute",
    "recwarn", "request", "testdir", "tmp_path", "tmp_path_factory", "tmpdir", "tmpdir_factory",
})  # fmt: skip
"""Fixtures of pytest's own, and of plugins that everybody has."""
_MOST_FOLDERS = 8
_CONFTEST = "conftest"


def fixtures_in(findings: Findings) -> frozenset[int]:
    """Return where the names of a file's fixtures stand."""
    return frozenset([found.header for found in findings.definitions if any(map(_IS_FIXTURE.match, found.decorators))])


def add_fixtures(findings: Findings, page: Page, captures: Captures, path: str, fixtures: frozenset[int]) -> None:
    """Add what parameters without a type get, and what fixtures go by; no parameters that nothing is called on."""
    is_test = is_test_path(path)
    if not is_test and not fixtures:
        return
    by_header = {found.header: found for found in findings.definitions}
    asked, said, yielding = set[str](), _said(findings), set[int]()
    given_by_class = [
        (found.start, found.end, _parametrized(found.decorators))
        for found in findings.definitions
        if found.kind == "class" and found.decorators
    ]
    bound: dict[str, list[int]] = {}
    for at, text, _ in findings.bindings:
        bound.setdefault(text, []).append(at)
    for node in captures.get("function", ()):
        name, parameters = node.child_by_field_name("name"), node.child_by_field_name("parameters")
        found = by_header.get(name.start_byte) if name is not None else None
        if found is None or parameters is None:
            continue
        is_fixture = found.header in fixtures
        if is_fixture and page.source.find(b"yield", found.header_end, found.end) >= 0:
            yielding.add(found.header)
        if is_fixture or (is_test and found.name.startswith("test")):
            around = [names for start, end, names in given_by_class if start <= found.start < end]
            given = _parametrized(found.decorators).union(_BUILT_IN, *around)
            for parameter in parameters.named_children:
                text = page.of(parameter) if parameter.type == "identifier" else ""
                is_asked = text in said and text not in given
                if is_asked and not any(found.start <= at < found.end for at in bound.get(text, ())):
                    findings.parameters.append((parameter.start_byte, text, f"={FIXTURE}.{text}"))
                    asked.add(text)
    _mark(findings, fixtures, yielding)
    _add_renamed(findings, fixtures, by_header)
    if asked:
        findings.told_imports += _conftests(path)


def _mark(findings: Findings, fixtures: Collection[int], yielding: Collection[int]) -> None:
    """Say of what fixtures give that only who asks for them gets it; generators give what they yield."""
    told = {at: said for at, name, said in findings.parameters if name == RETURNED}
    kept = [row for row in findings.parameters if row[1] != RETURNED or row[0] not in fixtures]
    for header in sorted(fixtures):
        given = told.get(header, "")
        kept.append((header, RETURNED, f"{FIXTURE}{given.removeprefix('?') if header in yielding else given}"))
    findings.parameters = kept


def _said(findings: Findings) -> set[str]:
    """Return the names that code of a file begins with."""
    rows = (*findings.bindings, *findings.parameters, *findings.attributes)
    written = [receiver or name for _, name, receiver in findings.calls] + [bound for _, _, bound in rows]
    return {word[0] for text in written if (word := _WORD.search(text)) is not None} - _OWN


def _parametrized(decorators: Iterable[str]) -> set[str]:
    """Return the parameters that decorators give values to."""
    return {word for text in decorators for given in _VALUES.findall(text) for word in _WORD.findall(given)}


def _add_renamed(findings: Findings, fixtures: Iterable[int], by_header: dict[int, Definition]) -> None:
    """Add what a fixture is called that has another name than its function: ``@fixture(name="client")``."""
    for header in fixtures:
        found = by_header[header]
        renamed = next((name for text in found.decorators for name in _RENAMED.findall(text)), "")
        if renamed and renamed != found.name:
            # Where it stands, not in it.
            findings.bindings.append((max(0, found.start - 1), renamed, f"={found.name}"))


def _conftests(path: str) -> Iterable[ImportFact]:
    """Yield the imports of what stands in the ``conftest.py`` of a file's folder and of those around, nearest first."""
    *folders, name = path.split("/")
    first = 2 if name == f"{_CONFTEST}.py" else 1
    for level in range(first, min(len(folders) + 1, _MOST_FOLDERS) + 1):
        yield ImportFact("", _CONFTEST, f"{FIXTURE}{level}", level, 1, is_reexport=False)
