"""pytest's fixtures: what the parameters of tests, and of other fixtures, get that are called like one.

A fixture is a function with a decorator of that name. A parameter means the one in its class, its module, or in the
nearest ``conftest.py`` of the folders around, which each file that asks for one is said to import; so does a text that
asks for one without a parameter. Who asks for one is said to use it. What a file calls its plugins it takes in as a
whole.
"""

import re
import sys
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import FIXTURE, RETURNED, ImportFact
from ctxcode.model.naming.folder import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_IS_FIXTURE = re.compile(r"@(?:[\w.]+\.)?(?:yield_)?fixture\b")
_RENAMED = re.compile(r"""\bname\s*=\s*["'](\w+)["']""")
_VALUES = re.compile(r"""parametrize\(\s*[\[(]?((?:\s*["'][\w\s,]*["']\s*,?)+)""")
_NAMED = r"""\(\s*((?:["']\w+["']\s*,?\s*)+)\)"""
_MARKED = re.compile(rf"@(?:pytest\.)?mark\.usefixtures{_NAMED}")
_ASKING = re.compile(
    rf"""(?:getfixturevalue|^[ \t]*pytestmark\b[^\n#"']*\busefixtures){_NAMED}""".encode(), re.MULTILINE
)
_PLUGINS = re.compile(rb"""^pytest_plugins\b[^=\n]*=\s*[\[(]?((?:\s*["'][\w.]+["']\s*,?)+)""", re.MULTILINE)
_WORD = re.compile(r"\w+")
_DOTTED = re.compile(r"[\w.]+")
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
    """Add which fixtures tests and fixtures ask for, what parameters without a type get, and what fixtures go by.

    Parameters that nothing is called on get nothing.
    """
    is_test = is_test_path(path)
    if not (is_test or fixtures or path.rpartition("/")[2] == f"{_CONFTEST}.py"):
        return
    findings.told_imports += _plugins(page)
    by_header = {found.header: found for found in findings.definitions}
    said, yielding, asked = _said(findings), set[int](), _asked_by_texts(findings, page)
    given_around = _given_by_classes(findings)
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
            given = _parametrized(found.decorators).union(_BUILT_IN, _OWN, given_around(found.start))
            for parameter in parameters.named_children:
                text = page.of(parameter) if parameter.type == "identifier" else _typed(parameter, page)
                if not text or text in given:
                    continue
                asked.append((parameter.start_byte, text))
                is_told = parameter.type == "identifier" and text in said
                if is_told and not any(found.start <= at < found.end for at in bound.get(text, ())):
                    findings.parameters.append((parameter.start_byte, text, f"={FIXTURE}.{text}"))
    _mark(findings, fixtures, yielding)
    _add_renamed(findings, fixtures, by_header)
    if asked:
        findings.uses += [(at, f"{FIXTURE}.{text}") for at, text in asked]
        findings.told_imports += _conftests(path)


def _typed(parameter: "Node", page: Page) -> str:
    """Return the name of a parameter that says its type and no value; empty for all others."""
    name = parameter.named_child(0) if parameter.type == "typed_parameter" else None
    return page.of(name) if name is not None and name.type == "identifier" else ""


def _asked_by_texts(findings: Findings, page: Page) -> list[tuple[int, str]]:
    """Return the fixtures that a file asks for in texts, as (byte, name): ``usefixtures("client")``."""
    source, asked = page.source, list[tuple[int, str]]()
    for found in findings.definitions:
        for names in [names for text in found.decorators for names in _MARKED.findall(text)]:
            marked = max(found.start, source.find(b"usefixtures", found.start, found.header))
            for name in _WORD.findall(names):
                asked.append((max(marked, source.find(name.encode(), marked, found.header)), name))
    for match in _ASKING.finditer(source):
        asked += [(match.start(), name) for name in _WORD.findall(match[1].decode("utf-8", "replace"))]
    return asked


def _plugins(page: Page) -> Iterable[ImportFact]:
    """Yield the imports of the modules whose fixtures a file says to be known everywhere: ``pytest_plugins``."""
    match = _PLUGINS.search(page.source)
    if match is None:
        return
    for module in _DOTTED.findall(match[1].decode("utf-8", "replace")):
        yield ImportFact(module, "*", "", 0, page.line(match.start()), is_reexport=False)


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


def _given_by_classes(findings: Findings) -> Callable[[int], frozenset[str]]:
    """Return what tells the parameters that the decorators of the classes around a byte give values to."""
    regions, every = list[tuple[int, int, str]](), [frozenset[str]()]
    open_ends = [(sys.maxsize, 0)]
    classes = [found for found in findings.definitions if found.kind == "class" and found.decorators]
    for found in sorted(classes, key=lambda one: (one.start, -one.end)):
        while open_ends[-1][0] <= found.start:
            open_ends.pop()
        every.append(every[open_ends[-1][1]] | _parametrized(found.decorators))
        regions.append((found.start, found.end, str(len(regions) + 1)))
        open_ends.append((found.end, len(regions)))
    around = Regions(regions)
    return lambda at: every[int(around.name(at) or 0)]


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
