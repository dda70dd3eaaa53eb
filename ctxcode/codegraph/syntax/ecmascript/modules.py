"""Imports and exports of JavaScript and TypeScript, ES modules and CommonJS alike, and scripts, which have none."""

import re
from bisect import bisect_right
from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page, ordered
from ctxcode.codegraph.facts import SCRIPT, ImportFact
from ctxcode.codegraph.syntax.components.blocks import SUFFIXES
from ctxcode.codegraph.syntax.ecmascript.commonjs import BOUND_KINDS, hide_own, module_alias, whole_names
from ctxcode.codegraph.syntax.ecmascript.objects import unwrapped
from ctxcode.codegraph.syntax.react.calls import imported_lazily

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_TAKING_IN = frozenset({"import", "require"})
_QUOTES = "\"'`"
_OFFERED = re.compile(rb"\b(module)\s*\.\s*exports\b|(?<![\w$.])(exports)\s*[.\[=]")
_MOST_LOOKED_AT = 50
_END = 1 << 62
_OF_MODULES = frozenset({"import_statement", "export_statement"})
_EVERYBODYS = frozenset({"global", "globalThis", "window"})
_OPEN = frozenset({"internal_module", "module", "string"})
"""Expressions that keep nothing to themselves: namespaces, instructions such as ``"use strict"``."""
_GLOBAL_TYPES_TEXT = """
AbortController AbortSignal Array ArrayBuffer Atomics AudioContext BigInt Blob Boolean CSSStyleDeclaration Cache
CacheStorage CallableFunction CanvasRenderingContext2D ClipboardEvent Console Crypto CustomElementRegistry CustomEvent
DOMRect DOMTokenList DataTransfer DataView Date Document DocumentFragment DragEvent Element Error Event EventSource
EventTarget File FileList FileReader FileSystemDirectoryHandle FileSystemFileHandle FileSystemHandle Float32Array
Float64Array FocusEvent FormData Function Headers History ImportMeta InputEvent Int16Array Int32Array Int8Array Intl
Iterator JSON KeyboardEvent Location Map Math MediaDevices MediaStream MediaStreamTrack MessageEvent MouseEvent
MutationObserver Navigator NewableFunction Node NodeList NodeListOf Notification Number Object Performance
PerformanceEntry PointerEvent ProgressEvent Promise Proxy Range RangeError ReadableStream ReadonlyArray ReadonlyMap
ReadonlySet ReferenceError Reflect RegExp Request ResizeObserver Response Screen ScreenOrientation Selection
ServiceWorker ServiceWorkerGlobalScope Set ShadowRoot SharedArrayBuffer Storage String StyleSheet SubtleCrypto Symbol
SyntaxError Text TextDecoder TextEncoder Touch TouchEvent TransformStream TypeError UIEvent URIError URL
URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebSocket WheelEvent
Window Worker WorkerGlobalScope WorkerNavigator WritableStream XMLHttpRequest
"""
_GLOBAL_TYPES = frozenset(_GLOBAL_TYPES_TEXT.split())
"""What the language and its surroundings bring: an interface of that name which everybody knows adds to it."""
_MARKUP = re.compile(r"(?:HTML|SVG)\w*Element")
_DECLARING = re.compile(r"\.d\.[cm]?ts\Z")
_ROLE = re.compile(r"(?:Constructor|EventMap|TagNameMap)\Z")
"""How types end that say more of the type named before it."""
_LISTING = ("default_value", "exported", "reexport", "whole")
"""What is found where a file of declarations says what it offers, beside what it marks one by one."""
_TYPES_ALONE = frozenset({"interface", "type", "extension"})


def add_imports(findings: Findings, captures: Captures, page: Page, path: str) -> None:
    """Add what the file imports and re-exports, in source order; say so where it is no module, or adds to others."""
    lazy = imported_lazily(captures, page)
    _mark_ambient(findings, captures, path)
    findings.imports = _imports(captures, page, lazy)
    findings.uses += lazy.items()
    if not path.endswith(SUFFIXES):
        _mark_script(findings, captures, page)
    # A script that is run may as well have a type of its own by a name that elsewhere everybody knows.
    _mark_extensions(
        findings, captures, page, is_script=findings.package == SCRIPT and _DECLARING.search(path) is not None
    )


def _mark_extensions(findings: Findings, captures: Captures, page: Page, *, is_script: bool) -> None:
    """Tell the interfaces that add to what everybody knows from those that are the file's own.

    Those are in ``declare global``, or at the top of a script that declares what is elsewhere. Where a file gives a
    name a value too, it defines it. What is in ``declare module`` nobody outside takes for the type that it adds to.
    """
    added = set[int]()
    values = [(found.header, found.name) for found in findings.definitions if found.kind not in _TYPES_ALONE]
    for node in captures.get("interface", ()):
        name, around = node.child_by_field_name("name"), _shared_by_all(node, is_script=is_script)
        if name is None or around is None or not _is_known(page.of(name)) or not _adds(node, page):
            continue
        text, (start, end) = _ROLE.sub("", page.of(name)), around.byte_range
        if not any(start <= at < end and text == value for at, value in values):
            added.add(name.start_byte)
    for found in findings.definitions:
        if found.header in added:
            found.kind = "extension"


def _shared_by_all(node: "Node", *, is_script: bool) -> "Node | None":
    """Return what a declaration is in, if that is everybody's: ``declare global``, or the top of a script."""
    around = node.parent
    while around is not None and around.type in {"ambient_declaration", "export_statement"}:
        around = around.parent
    if around is None or around.type == "program":
        return around if is_script else None
    outer = around.parent
    is_global = outer is not None and any(child.type == "global" for child in outer.children)
    return around if is_global else None


def _adds(node: "Node", page: Page) -> bool:
    """Whether an interface says anything new: one that is empty stands in for what is not there."""
    body = node.child_by_field_name("body")
    bases = [
        base for child in node.named_children if child.type == "extends_type_clause" for base in child.named_children
    ]
    return (body is not None and body.named_child_count > 0) or any(not _is_known(page.of(base)) for base in bases)


def _is_known(name: str) -> bool:
    """Whether everybody knows a type."""
    of = _ROLE.sub("", name)
    return of in _GLOBAL_TYPES or _MARKUP.fullmatch(of) is not None


def _mark_script(findings: Findings, captures: Captures, page: Page) -> None:
    """Say so where a file is no module, so that what it declares at its top is known to all other scripts.

    What a function keeps to itself that is called where it stands is not, nor what a namespace does not export; what
    it gives to ``window`` is.
    """
    spaces = captures.get("namespace", [])
    node = next(chain.from_iterable(captures.values()), None)
    if node is None:
        return
    while node.parent is not None:
        node = node.parent
    statements = node.named_children
    is_module = any(statement.type in _OF_MODULES for statement in statements)
    if not is_module and not spaces and _is_common_module(node, page):
        hide_own(findings, captures, statements, page)
        return
    # What a namespace requires makes its file no module.
    if is_module or (findings.imports and not spaces):
        return
    findings.package = SCRIPT
    closed = [_closed(statement) for statement in statements if statement.type == "expression_statement"]
    shared = _given_to_all(captures, page)
    bodies = _outermost([space.child_by_field_name("body") or space for space in spaces])
    for definition in findings.definitions:
        at = definition.header
        if definition.visibility == "public" and definition.kind in BOUND_KINDS and not definition.container:
            definition.visibility = "internal" if at not in shared and _is_in(closed, at) else "public"
        elif definition.visibility == "internal" and not _is_in(bodies, at):
            definition.visibility = "public"


def _mark_ambient(findings: Findings, captures: Captures, path: str) -> None:
    """Make known what is only declared in a namespace, all of which is offered without a word, or in a file of such.

    A file that lists what it offers, or offers what others do, keeps the rest.
    """
    bodies = [node.child_by_field_name("body") for node in captures.get("namespace", ()) if _is_ambient(node)]
    spans = _outermost([body for body in bodies if body is not None])
    if _DECLARING.search(path) and not any(captures.get(name) for name in _LISTING):
        spans = [(0, _END)]
    for definition in findings.definitions if spans else ():
        if definition.visibility == "internal" and _is_in(spans, definition.header):
            definition.visibility = "public"


def _is_ambient(node: "Node") -> bool:
    return node.parent is not None and node.parent.type == "ambient_declaration"


def _given_to_all(captures: Captures, page: Page) -> frozenset[int]:
    """Return where the names stand that a script gives something for all others: ``window.menu = …``."""
    found = set[int]()
    for node in chain(captures.get("assigned_function", ()), captures.get("assigned_value", ())):
        left = node.child_by_field_name("left")
        owner = left.child_by_field_name("object") if left is not None else None
        name = left.child_by_field_name("property") if left is not None else None
        if owner is not None and name is not None and owner.type == "identifier" and page.of(owner) in _EVERYBODYS:
            found.add(name.start_byte)
    return frozenset(found)


def _is_common_module(root: "Node", page: Page) -> bool:
    """Whether a file says ``module.exports`` or ``exports.name`` in its code."""
    said = islice(_OFFERED.finditer(page.source), _MOST_LOOKED_AT)
    nodes = (root.descendant_for_byte_range(*found.span(found.lastindex or 0)) for found in said)
    return any(node is not None and node.type == "identifier" for node in nodes)


def _outermost(nodes: "Iterable[Node]") -> list[tuple[int, int]]:
    """Return the bytes of nodes that stand in no other of them, in order."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted([node.byte_range for node in nodes]):
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return spans


def _is_in(spans: list[tuple[int, int]], at: int) -> bool:
    """Whether a byte stands in one of some spans that don't overlap, in order."""
    place = bisect_right(spans, (at, _END)) - 1
    return place >= 0 and at < spans[place][1]


def _closed(statement: "Node") -> tuple[int, int]:
    """Return the bytes of an expression in which what is declared is its own."""
    expression = statement.named_children[0] if statement.named_children else statement
    if expression.type in _OPEN:
        return statement.start_byte, statement.start_byte
    target = expression.child_by_field_name("left") if expression.type == "assignment_expression" else None
    return statement.start_byte if target is None else target.end_byte, statement.end_byte


def exported_names(captures: Captures, page: Page) -> frozenset[str]:
    """Return the local names that a file offers by an ``export { … }`` without a source, as a default or as a whole."""
    wholes = (*captures.get("default_value", ()), *captures.get("whole", ()))
    names = {page.of(node) for node in wholes if node.type == "identifier"}
    for node in captures.get("exported", ()):
        if node.child_by_field_name("source") is None:
            for clause in node.named_children:
                names.update(name for name, _ in _specifiers(clause, page))
    return frozenset(names)


def _imports(captures: Captures, page: Page, lazy: "Mapping[int, str]") -> list[ImportFact]:
    found: list[ImportFact] = []
    for node in ordered(captures, "import"):
        found.extend(_import(node, page))
    for node in ordered(captures, "reexport"):
        found.extend(_reexport(node, page))
    for node in ordered(captures, "required"):
        found.extend(_required(node, page))
    wholes = whole_names(captures, page)
    for node in ordered(captures, "required_export"):
        found.extend(_required_export(node, page, wholes))
    bare = zip(ordered(captures, "bare"), ordered(captures, "bare_module"), strict=True)
    alone = [module for name, module in bare if page.of(name) == "require"]
    found += [_fact(_unquoted(node, page), "", "", page.line(node.start_byte)) for node in alone]
    for node in ordered(captures, "dynamic"):
        module, line = _unquoted(node, page), page.line(node.start_byte)
        if node.start_byte in lazy:
            found.append(_fact(module, "default", lazy[node.start_byte], line))
            continue
        alias = module_alias(module) if _is_waited_for(node, page) else ""
        found.append(_fact(module, "", alias, line))
    exported = exported_names(captures, page)
    marked = [fact._replace(is_reexport=True) if fact.alias in exported else fact for fact in found]
    return sorted(marked, key=lambda fact: fact.line)


def _fact(module: str, name: str, alias: str, line: int, *, is_reexport: bool = False) -> ImportFact:
    return ImportFact(module, name, alias, 0, line, is_reexport)


def _unquoted(node: "Node", page: Page) -> str:
    return page.of(node).strip(_QUOTES)


def _specifiers(clause: "Node", page: Page) -> list[tuple[str, str]]:
    """Return (name there, name here) of ``{ a as b }``."""
    found = []
    for child in clause.named_children:
        name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
        if name is not None:
            found.append((_unquoted(name, page), _unquoted(alias or name, page)))
    return found


def _import(node: "Node", page: Page) -> list[ImportFact]:
    source, line = node.child_by_field_name("source"), page.line(node.start_byte)
    clauses = node.named_children
    for clause in clauses:
        if clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
            return [_fact(_unquoted(source, page), "", page.of(clause.named_children[0]), line)] if source else []
    if source is None:
        return []
    module = _unquoted(source, page)
    found = []
    for clause in clauses:
        if clause.type != "import_clause":
            continue
        for child in clause.named_children:
            if child.type == "identifier":
                found.append(_fact(module, "default", page.of(child), line))
            elif child.type == "namespace_import":
                found += [_fact(module, "", page.of(name), line) for name in child.named_children]
            elif child.type == "named_imports":
                found += [_fact(module, name, alias, line) for name, alias in _specifiers(child, page)]
    return found or [_fact(module, "", "", line)]


def _reexport(node: "Node", page: Page) -> list[ImportFact]:
    source, line = node.child_by_field_name("source"), page.line(node.start_byte)
    if source is None:
        return []
    module = _unquoted(source, page)
    for child in node.named_children:
        if child.type == "export_clause":
            return [_fact(module, name, alias, line, is_reexport=True) for name, alias in _specifiers(child, page)]
        if child.type == "namespace_export":
            return [_fact(module, "", _unquoted(name, page), line, is_reexport=True) for name in child.named_children]
    return [_fact(module, "*", "", line, is_reexport=True)]


def _required(node: "Node", page: Page) -> list[ImportFact]:
    """Return what ``const x = require("m")`` binds, or ``await import("m")``, patterns and ``.name`` behind it, too."""
    target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if target is None or value is None:
        return []
    member = value.child_by_field_name("property")
    call = unwrapped(value.child_by_field_name("object") if member is not None else value)
    function = call.child_by_field_name("function") if call is not None else None
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if function is None or arguments is None or page.of(function) not in _TAKING_IN:
        return []
    module, line = _unquoted(arguments.named_children[0], page), page.line(node.start_byte)
    if target.type == "identifier":
        return [_fact(module, page.of(member) if member is not None else "", page.of(target), line)]
    return [_fact(module, name, alias, line) for name, alias in _pattern(target, page)] if member is None else []


def _is_waited_for(module: "Node", page: Page) -> bool:
    """Whether a function is given what is imported: ``import("m").then(m => …)``."""
    call = module.parent.parent if module.parent is not None else None
    around = call.parent if call is not None else None
    method = around.child_by_field_name("property") if around is not None else None
    return method is not None and page.of(method) == "then"


def is_require(node: "Node", page: Page) -> bool:
    """Whether a declarator's value is a ``require``."""
    return bool(_required(node, page))


def _required_export(node: "Node", page: Page, wholes: frozenset[str]) -> list[ImportFact]:
    """Return what ``exports.x = require("m").y`` and ``module.exports = require("m")`` offer."""
    target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    member = value.child_by_field_name("property") if value is not None else None
    call = value.child_by_field_name("object") if value is not None and member is not None else value
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if target is None or call is None or arguments is None or not is_required(call, page):
        return []
    module, line = _unquoted(arguments.named_children[0], page), page.line(node.start_byte)
    owner, _, name = page.of(target).rpartition(".")
    if (owner, name) == ("module", "exports"):
        return [_fact(module, "*", "", line, is_reexport=True)] if member is None else []
    there = page.of(member) if member is not None else ""
    return [_fact(module, there, name, line, is_reexport=True)] if owner in wholes else []


def own_name(owner: str, name: str, value: "Node") -> "Node | None":
    """Return the name of its own that something has which CommonJS exports: ``exports.a = class Cart {}``."""
    is_class = value.type == "class" and owner in {"exports", "module.exports"}
    return value.child_by_field_name("name") if is_class or (owner, name) == ("module", "exports") else None


def name_own(findings: Findings, own_named: "Sequence[tuple[Definition, str]]", page: Page) -> None:
    """Call what has a name of its own as it is exported where the file calls something else by that name.

    It is given as (definition, what it is exported as). Its own name holds inside of it alone.
    """
    taken = Counter([found.name for found in findings.definitions if found.kind in BOUND_KINDS])
    taken.update([fact.alias for fact in findings.imports])
    bound = set[tuple[int, str, str]]()
    for found, known in own_named:
        if taken[found.name] > 1:
            bound.add((len(page.source), f".{known}", f"={found.name}"))
            found.name = known
    if bound:
        findings.bindings = [binding for binding in findings.bindings if binding not in bound]


def is_required(value: "Node", page: Page) -> bool:
    """Whether a value is ``require("m")``."""
    function = value.child_by_field_name("function")
    return value.type == "call_expression" and function is not None and page.of(function) == "require"


def _pattern(target: "Node", page: Page) -> list[tuple[str, str]]:
    found = []
    for child in target.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            found.append((page.of(child), page.of(child)))
        elif child.type == "pair_pattern":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None and value.type == "identifier":
                found.append((page.of(key), page.of(value)))
    return found
