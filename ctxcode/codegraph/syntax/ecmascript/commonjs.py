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
    value_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_MADE_HERE = frozenset({"class", "function_expression", "generator_function"})
_REQUIRED = re.compile(r"(?:import|require)\(([\"'])([^\"'\\]{1,150})\1\)(?=[.\[]|\Z)")
_OF_PROMISES = frozenset({"catch", "finally", "then"})
_ODD = re.compile(r"\W")


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
