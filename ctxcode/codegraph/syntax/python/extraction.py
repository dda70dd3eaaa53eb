"""What Python files say."""

import re
from operator import attrgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.docs import docstring
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.objects.reads import add_reads
from ctxcode.codegraph.extract.page import Page, decorator_texts, ordered
from ctxcode.codegraph.extract.references import called
from ctxcode.codegraph.extract.type_names import dotted_name, python_type
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.narrowed.own_bodies import say_own
from ctxcode.codegraph.syntax.narrowed.scoped import bind_bounds
from ctxcode.codegraph.syntax.narrowed.tests import narrow
from ctxcode.codegraph.syntax.python.assigned import add_alias, add_assigned, add_members, comments_in, visibility
from ctxcode.codegraph.syntax.python.bindings import add_bindings, add_returned, limits, own_class
from ctxcode.codegraph.syntax.python.fixtures import add_fixtures, fixtures_in
from ctxcode.codegraph.syntax.python.flow import Meanings, add_globals, hide_classes, join_nonlocals
from ctxcode.codegraph.syntax.python.gathered import add_gathered
from ctxcode.codegraph.syntax.python.generics import add_places, is_generic
from ctxcode.codegraph.syntax.python.loops import add_elements
from ctxcode.codegraph.syntax.python.offered import ALL, add_offered
from ctxcode.codegraph.syntax.python.returns import add_inferred
from ctxcode.codegraph.syntax.python.values import given_values
from ctxcode.model.naming.folder import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_PLAIN_FROM = re.compile(
    r"from[ \t]+(\.*[^\W\d][\w.]*|\.+)[ \t]+import"
    r"(?:[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)|[ \t]*\(\s*(\w+(?:\s*,\s*\w+)*)\s*(?:,\s*)?\))"
)
"""``from a.b import c, d``, the names in brackets or not, none renamed, no comments."""
_CLASS_OF_SELF = (b"self.__class__", b"type(self)")
_LINE = attrgetter("line")
_LINE_FEED = ord("\n")
_NO_DECORATORS: tuple[str, ...] = ()


def extract(captures: Captures, page: Page, path: str) -> Findings:
    """Return what a Python file's captures say."""
    findings = Findings(doc=_module_doc(page))
    decorated = {}
    for node in captures.get("decorated", ()):
        definition = node.child_by_field_name("definition")
        if definition is not None:
            decorated[definition.start_byte] = node
    generic = []
    for node in captures.get("class", ()):
        _add_class(findings, page, node, decorated)
        if is_generic(page, node):
            generic.append(node)
    for node in captures.get("function", ()):
        _add_function(findings, page, node, decorated)
    for node in captures.get("alias", ()):
        add_alias(findings, page, node)
    findings.calls = _called(page, captures)
    findings.uses = [(node.start_byte, "".join(page.of(node).split())) for node in captures.get("matched", ())]
    _add_imports(findings, page, captures, is_package=path.rpartition("/")[2] in {"__init__.py", "__init__.pyi"})
    add_assigned(findings, page, captures)
    add_members(findings, page, captures)
    findings.bindings += given_values(captures, page)
    add_bindings(findings, page, captures)
    add_gathered(findings, page, captures)
    add_globals(findings, page, captures)
    join_nonlocals(findings, page, captures)
    if generic:
        add_places(findings, page, captures, generic)
    bind_bounds(findings, limits(captures, page))
    fixtures, tested = fixtures_in(findings), captures.get("tested", ())
    if not is_test_path(path):
        # Patterns bind names of their own, and fixtures give theirs to parameters.
        is_any_told = bool(fixtures) or any(node.type == "case_clause" for node in tested)
        add_reads(findings, page, tested, is_any_told=is_any_told)
    narrow(findings, tested, page, type_name=python_type, language="python")
    meanings = Meanings(findings, page, captures)
    meanings.rename(findings)
    meant = add_elements(findings, page, captures, meanings.meant)
    hide_classes(findings, page, captures)
    add_inferred(findings, page, captures, meant, fixtures)
    findings.parameters += meanings.bound()
    add_fixtures(findings, page, captures, path, fixtures)
    say_own(findings)
    if ALL in page.source:
        add_offered(findings, page, captures.get("module", ()))
    return findings


def _called(page: Page, captures: Captures) -> list[tuple[int, str, str]]:
    """Return what is called; by whatever name a class says itself, ``cls``."""
    calls = called(page, captures.get("callee", ()))
    if not any(word in page.source for word in _CLASS_OF_SELF):
        return calls
    return [
        (at, "cls", "") if name == "__class__" and of == "self" else (at, name, own_class(of)) for at, name, of in calls
    ]


def _module_doc(page: Page) -> str:
    """Return the module docstring; comments and blank lines may stand above it."""
    source, at = page.source, 0
    while at < len(source):
        end = page.line_end(at)
        line = source[at:end].strip()
        if line and not line.startswith(b"#"):
            return docstring(source, at + len(source[at:end]) - len(source[at:end].lstrip()))
        at = end
    return ""


def _add_function(findings: Findings, page: Page, node: "Node", decorated: dict[int, "Node"]) -> None:
    parameters = node.child_by_field_name("parameters")
    returned = node.child_by_field_name("return_type")
    end = (returned or parameters or node).end_byte
    comments = comments_in(page, parameters) if parameters is not None else []
    decorators = _add(findings, page, node, decorated, ("function", end, comments))
    if returned is not None or decorators:
        add_returned(findings, page, node, decorators)


def _add_class(findings: Findings, page: Page, node: "Node", decorated: dict[int, "Node"]) -> None:
    name = node.child_by_field_name("name")
    bases = node.child_by_field_name("superclasses")
    header = bases or node.child_by_field_name("type_parameters") or name or node
    _add(findings, page, node, decorated, ("class", header.end_byte, comments_in(page, header)))
    if bases is None or name is None:
        return
    for base in bases.named_children:
        base_name = dotted_name(page.of(base)) if base.type in {"identifier", "attribute", "subscript"} else ""
        if base_name:
            findings.bases.append((name.start_byte, base_name))


def _add(
    findings: Findings,
    page: Page,
    node: "Node",
    decorated: dict[int, "Node"],
    header: tuple[str, int, list[tuple[int, int]]],
) -> tuple[str, ...]:
    """Add a definition; return its decorators."""
    name = node.child_by_field_name("name")
    if name is None:
        return ()
    kind, header_end, comments = header
    start, end = node.byte_range
    first, decorators = start, _NO_DECORATORS
    if start in decorated:
        wrapper = decorated[start]
        first = wrapper.start_byte
        decorators = decorator_texts(page, (child for child in wrapper.named_children if child.type == "decorator"))
    body = node.child_by_field_name("body")
    text = page.of(name)
    findings.definitions.append(
        Definition(
            name=text,
            kind=kind,
            start=first,
            first=first,
            end=end,
            header=name.start_byte,
            signature=page.signature(start, header_end, comments),
            header_end=header_end,
            doc=docstring(page.source, body.start_byte) if body is not None else "",
            decorators=decorators,
            visibility=visibility(text),
        )
    )
    return decorators


def _add_imports(findings: Findings, page: Page, captures: Captures, *, is_package: bool) -> None:
    for node in ordered(captures, "import"):
        line = page.line(node.start_byte)
        for name in node.children_by_field_name("name"):
            module, alias = _imported(page, name)
            alias = alias.partition(".")[0]
            findings.imports.append(ImportFact(module, "", alias, 0, line, is_reexport=False))
    for node in ordered(captures, "import_from"):
        findings.imports.extend(_from_import(page, node, is_package=is_package))
    findings.imports.sort(key=_LINE)
    nodes = (*captures.get("import", ()), *captures.get("import_from", ()))
    findings.import_spans = sorted([node.byte_range for node in nodes])


def _from_import(page: Page, node: "Node", *, is_package: bool) -> list[ImportFact]:
    start, end = node.byte_range
    plain = _PLAIN_FROM.fullmatch(page.text(start, end))
    if plain and not node.has_error:
        is_reexport = is_package and (start == 0 or page.source[start - 1] == _LINE_FEED)
        return _plain_names(plain, page.line(start), is_reexport=is_reexport)
    source = node.child_by_field_name("module_name")
    if source is None:
        return []
    written = "".join(page.of(source).split())
    module = written.lstrip(".")
    level, line = len(written) - len(module), page.line(node.start_byte)
    names = node.children_by_field_name("name")
    if not names and any(child.type == "wildcard_import" for child in node.named_children):
        return [ImportFact(module, "*", "", level, line, is_reexport=is_package)]
    facts = []
    for child in names:
        name, alias = _imported(page, child)
        is_reexport = (is_package and node.start_point.column == 0) or (
            child.type == "aliased_import" and name == alias
        )
        facts.append(ImportFact(module, name, alias, level, page.line(child.start_byte), is_reexport=is_reexport))
    return facts


def _plain_names(statement: re.Match[str], line: int, *, is_reexport: bool) -> list[ImportFact]:
    """Return the imports of a statement that renames nothing: nine of ten, and a node for each name takes long."""
    written, at = statement[1], statement.lastindex or 0
    module = written.lstrip(".")
    level = len(written) - len(module)
    facts = []
    line += statement.string.count("\n", 0, statement.start(at))
    for piece in statement[at].split(","):
        name = piece.strip()
        line += piece.count("\n", 0, len(piece) - len(piece.lstrip()))
        facts.append(ImportFact(module, name, name, level, line, is_reexport=is_reexport))
        line += piece.count("\n", len(piece.rstrip()))
    return facts


def _imported(page: Page, node: "Node") -> tuple[str, str]:
    """Return (imported name, local name)."""
    if node.type != "aliased_import":
        name = "".join(page.of(node).split())
        return name, name
    written, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    name = "".join(page.of(written).split()) if written is not None else ""
    return name, page.of(alias) if alias is not None else name
