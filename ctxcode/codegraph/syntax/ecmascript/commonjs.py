"""What modules of CommonJS offer: ``exports.a = b``, ``module.exports = c``, and what goes by another name of these."""

import re
from operator import attrgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import WHOLE, ImportFact
from ctxcode.codegraph.syntax.ecmascript.objects import (
    NAMED_VALUES,
    WHOLE_MODULE,
    Binding,
    Captures,
    given_at_once,
    literal,
    object_bindings,
    value_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

BOUND_KINDS = frozenset({"function", "class", "constant", "variable", "enum"})
"""What is known by its name where it stands only; what is said behind a dot belongs to an object."""
_WORD = re.compile(rb"[\w$]+")
_DECLARING = frozenset({
    "class_declaration", "function_declaration", "generator_function_declaration", "lexical_declaration",
    "variable_declaration",
})  # fmt: skip
_SAYING_ALL = frozenset({"arrow_function", "class", "function_expression", "generator_function", "object"})
"""Values of which all that they offer by other names is known."""
_MADE_HERE = frozenset({"class", "function_expression", "generator_function"})
_REQUIRED = re.compile(r"(?:import|require)\(([\"'])([^\"'\\]{1,150})\1\)(?=[.\[]|\Z)")
_OF_PROMISES = frozenset({"catch", "finally", "then"})
_ODD = re.compile(r"\W")
_NAMES = frozenset({"identifier", "nested_identifier"})
_DOTTED = re.compile(r"[\w$]++(?:\.[\w$]++)*+")


def assigned_exports(captures: Captures, page: Page) -> list[Binding]:
    """Return what is offered by giving it to a name behind a dot."""
    found: list[Binding] = []
    wholes = whole_names(captures, page)
    for node in (*captures.get("assigned_name", ()), *captures.get("assigned_again", ())):
        found += _assigned(node, "", page, wholes)
    for node in captures.get("assigned_value", ()):
        left, said = node.child_by_field_name("left"), value_of(node.child_by_field_name("right"), page)
        if said and left is not None and page.of(left) == "module.exports":
            found.append((node.start_byte, "default", said))
    for node in captures.get("declared", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None and value.type == "assignment_expression":
            # All of the statement is the variable's own; the end of the file is the module's.
            given = _assigned(value, f"={page.of(name)}", page, wholes)
            found += [(len(page.source), offer, said) for _, offer, said in given]
    return found + _typed(captures, page)


def _typed(captures: Captures, page: Page) -> list[Binding]:
    """Return the same in words of TypeScript, ``export = a``, and names of its own: ``import b = a.b``."""
    found: list[Binding] = []
    for node in captures.get("whole", ()):
        said = value_of(node, page)
        found += [(len(page.source), f".{name}", said) for name in ("default", WHOLE) if said]
        found += object_bindings(literal(node), page)
    for node in captures.get("import_alias", ()):
        names = [child for child in node.named_children if child.type in _NAMES]
        said = "".join(page.of(names[-1]).split()) if len(names) == 2 else ""
        if _DOTTED.fullmatch(said):
            found.append((node.start_byte, page.of(names[0]), f"={said}"))
            if node.parent is not None and node.parent.type == "export_statement":
                found.append((node.parent.start_byte, f".{page.of(names[0])}", f"={said}"))
    return found


def exported_whole(captures: Captures, page: Page) -> list[Binding]:
    """Return what stands for all that a file exports: ``var Cart = module.exports``; nothing for what no name does."""
    for node in captures.get("declared", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        is_whole = value is not None and value.end_byte - value.start_byte <= len("module.exports")
        if name is not None and value is not None and is_whole and page.of(value) in WHOLE_MODULE:
            at, said = len(page.source), f"={page.of(name)}"
            return [(at, ".default", said), (at, f".{WHOLE}", said)]
    return []


def hide_own(findings: Findings, captures: Captures, statements: "Sequence[Node]", page: Page) -> None:
    """Make what a module keeps to itself its own, given its statements: all that stands behind no dot and is not given.

    What a statement speaks of that exports in any other way than by giving something a name counts as given.
    """
    given = {said.lstrip("=").partition(".")[0] for _, name, said in findings.bindings if name[:1] in {".", "d"}}
    given |= whole_names(captures, page)
    for statement in statements:
        if statement.type not in _DECLARING and not _is_plain(statement):
            written = page.source[statement.start_byte : statement.end_byte]
            given.update([word.decode() for word in _WORD.findall(written)] if b"exports" in written else ())
    for found in findings.definitions:
        is_member = page.source[found.header - 1 : found.header] == b"." or found.signature.startswith("static ")
        is_bound = found.kind in BOUND_KINDS and not found.container and not found.is_kept and not is_member
        if is_bound and found.visibility == "public" and found.name not in given:
            found.visibility = "internal"


def _is_plain(statement: "Node") -> bool:
    """Whether a statement gives a name something of which is known what it offers: ``exports.a = function () {}``."""
    node = statement.named_children[0] if statement.named_child_count == 1 else statement
    if node.type != "assignment_expression":
        return False
    while node.type == "assignment_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type == "subscript_expression":
            return False
        node = right
    return node.type in _SAYING_ALL | NAMED_VALUES


def is_unset(value: "Node") -> bool:
    """Whether a value stands for none yet: what a compiler writes for names it exports further down."""
    return value.type == "undefined" or (value.type == "unary_expression" and value.child(0).type == "void")


def whole_names(captures: Captures, page: Page) -> frozenset[str]:
    """Return what a file calls all that it exports: ``var shop = exports = module.exports = {}``."""
    names = set(WHOLE_MODULE)
    for node in captures.get("declared", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None or name.type != "identifier":
            continue
        while value is not None and value.type == "assignment_expression":
            left = value.child_by_field_name("left")
            if left is not None and page.of(left) in WHOLE_MODULE:
                names.add(page.of(name))
            value = value.child_by_field_name("right")
        if value is not None and value.type in NAMED_VALUES and page.of(value) in WHOLE_MODULE:
            names.add(page.of(name))
    for node in captures.get("assigned_name", ()):
        left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and value is not None and value.type == "identifier" and page.of(left) == "module.exports":
            names.add(page.of(value))
    return frozenset(names)


def _assigned(node: "Node", said: str, page: Page, wholes: frozenset[str]) -> list[Binding]:
    """Return what ``exports.a = module.exports.b = c`` offers; ``said`` is another name of the value."""
    targets, value = given_at_once(node, page)
    if value is None:
        return []
    said = said or value_of(value, page)
    owner, name = targets[-1]
    if value.type in _MADE_HERE and owner not in wholes | {"", "module"}:
        said = f"={owner}.{name}"
    names = list[str]()
    for target in targets:
        if target == ("module", "exports"):
            names += ["default", WHOLE]
        elif target[0] in wholes:
            names.append(target[1])
    return [(node.start_byte, f".{name}", said) for name in names if said[:1] == "="]


def name_modules(findings: Findings, page: Page) -> None:
    """Give names to modules that calls are said to: ``require("./log").create()``, ``module.exports.open()``."""
    calls, known = list[tuple[int, str, str]](), set[str]()
    for at, name, receiver in findings.calls:
        said = receiver
        if receiver.startswith("module.exports"):
            said = receiver.removeprefix("module.")
        elif receiver.startswith(("require(", "import(")) and name not in _OF_PROMISES:
            match = _REQUIRED.match(receiver)
            if match is not None:
                alias = module_alias(match[2])
                said = f"{alias}{receiver[match.end() :]}"
                if alias not in known:
                    known.add(alias)
                    findings.imports.append(ImportFact(match[2], "", alias, 0, page.line(at), is_reexport=False))
        calls.append((at, name, said))
    findings.calls = calls
    if known:
        findings.imports.sort(key=attrgetter("line"))


def module_alias(module: str) -> str:
    """Return what a module goes by that a file takes in without giving it a name."""
    return f"require${_ODD.sub(_spelled, module)}"


def _spelled(sign: re.Match[str]) -> str:
    return f"${ord(sign[0]):x}$"
