"""What Rust files say."""

import re
from bisect import bisect_right
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.docs import comments_doc, first_paragraph
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.margin import Margin
from ctxcode.codegraph.extract.page import DECORATOR_CHARACTERS, Page, folded, ordered
from ctxcode.codegraph.extract.type_names import dotted_name, rust_type
from ctxcode.codegraph.facts import OF, ImportFact
from ctxcode.codegraph.syntax.rust.bindings import add_bindings
from ctxcode.codegraph.syntax.rust.calls import find_calls
from ctxcode.codegraph.syntax.rust.generics import Generics
from ctxcode.codegraph.syntax.rust.uses import crate_import, imports_inside, macro_uses, macros_of
from ctxcode.codegraph.syntax.rust.written_types import OwnTypes

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_KINDS = {
    "struct": "struct",
    "enum": "enum",
    "trait": "trait",
    "type": "type",
    "macro": "macro",
    "function": "function",
    "constant": "constant",
    "property": "field",
    "variant": "variant",
}
_TYPES = ("struct", "enum", "trait", "type")
_MODULES = frozenset({"source_file", "declaration_list"})
_DOCUMENTED = re.compile(r'#\[doc\s*=\s*"((?:[^"\\]|\\.)*+)')
_WITHIN = re.compile(rb"(?:\s|#!\[[^\[\]\n]*+\])*+((?:[ \t]*+//![^\n]*+\n)++)")
"""What documents a module in braces within."""
_ESCAPED = re.compile(r"\\(.)")
_MOST_CONDITIONS = 4
"""Of a block, which all of its parts repeat."""
_PATH = re.compile(r'#\[path\s*=\s*"([^"]+)"\]')
_TAKES_MACROS = re.compile(r"\bmacro_use\b")
_PUBLIC = re.compile(r"\bpub\b(\s*\()?")
_LONGEST = 200
"""Of a path that names a type, as each of its methods says it."""


def extract(captures: Captures, page: Page, path: str) -> Findings:
    """Return what a Rust file's captures say."""
    findings = Findings()
    margin = Margin(page, captures.get("comment", ()), captures.get("decorator", ()))
    impls = _Impls(captures, page)
    impls.follow_imports(captures, page, path)
    impls.conditions, impls.inner = _conditions(captures, margin), _inner_conditions(captures, page)
    for capture, kind in _KINDS.items():
        for node in captures.get(capture, ()):
            _add(findings, page, margin, node, (kind, impls))
    for node in captures.get("mod", ()):
        if node.child_by_field_name("body") is not None:
            _add(findings, page, margin, node, ("namespace", impls))
    _add_bases(findings, page, captures, impls)
    findings.imports = _imports(captures, page, margin, path)
    findings.uses = macro_uses(captures.get("used_macro", ()), page, findings)
    findings.import_spans = sorted([node.byte_range for node in captures.get("use", ()) if _is_of_module(node)])
    types = OwnTypes(findings)
    generics = Generics(captures, page, types)
    findings.calls = find_calls(captures, page, generics)
    add_bindings(findings, page, captures, (types, generics), lambda at: impls.path(at) or impls.around(at)[0])
    findings.doc = margin.leading_doc(0, _is_inner_doc)
    findings.decorators = impls.inner.get(0, ())
    return findings


def _conditions(captures: Captures, margin: Margin) -> dict[int, tuple[str, ...]]:
    """Return the conditions above blocks by where what stands directly in them begins: it exists where they do."""
    found = dict[int, tuple[str, ...]]()
    for node in (*captures.get("impl", ()), *captures.get("foreign", ())):
        above = margin.above(node.start_byte).decorators
        said = tuple(islice((said for said in above if said.startswith("#[cfg(")), _MOST_CONDITIONS))
        body = node.child_by_field_name("body") if said else None
        found.update(dict.fromkeys([each.start_byte for each in body.named_children] if body is not None else (), said))
    return found


def _inner_conditions(captures: Captures, page: Page) -> dict[int, tuple[str, ...]]:
    """Return the conditions that modules name within, ``#![cfg(unix)]``, by where these begin: 0 for the file."""
    found = dict[int, tuple[str, ...]]()
    for node in ordered(captures, "inner"):
        said, around = page.of(node)[:DECORATOR_CHARACTERS], node.parent
        if said.startswith("#![cfg(") and around is not None and around.type in _MODULES:
            at = around.start_byte if around.type == "declaration_list" else 0
            found[at] = (*found.get(at, ()), folded(said))[:_MOST_CONDITIONS]
    return found


def _is_parameter(name: str, parameters: "Node | None", page: Page) -> bool:
    return parameters is not None and re.search(rf"\b{name}\b", page.of(parameters)) is not None


def _is_doc(comment: str) -> bool:
    return (comment.startswith("///") and not comment.startswith("////")) or (
        comment.startswith("/**") and not comment.startswith(("/***", "/**/"))
    )


def _is_inner_doc(comment: str) -> bool:
    return comment.startswith(("//!", "/*!"))


class _Impls:
    """Which type each ``impl`` block is for."""

    def __init__(self, captures: Captures, page: Page) -> None:
        self.rows: list[tuple[int, int, str, str]] = []
        """(start, end, type, trait); a trait only in ``impl Trait for Type``."""
        self._paths: dict[int, str] = {}
        """What names the type with the module it is in, ``shop.Cart``, by where the block begins."""
        types = [node.child_by_field_name("name") for capture in _TYPES for node in captures.get(capture, ())]
        self._own = Counter([page.of(name) for name in types if name is not None])
        self._above = dict[int, str]()
        """What blocks call a type that stands in a module around their own, ``super.Cart``, by where they begin."""
        self.said = dict[int, str]()
        """What blocks call a type by more than a name, as it is written, by where they begin."""
        self.inner = dict[int, tuple[str, ...]]()
        """The conditions that modules name within, by where they begin."""
        self.conditions = dict[int, tuple[str, ...]]()
        """What decides whether blocks exist, ``#[cfg(unix)]``, by where their parts begin; of ``extern`` ones, too."""
        self._members = {node.start_byte for node in captures.get("member", ())}
        self._trait_members = {node.start_byte for node in captures.get("trait_member", ())}
        modules = [node.byte_range for node in captures.get("mod", ()) if node.child_by_field_name("body") is not None]
        self._modules = _Nested(sorted(modules))
        for node in captures.get("impl", ()):
            of, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
            path = rust_type(page.of(of)) if of is not None else ""
            name = path.rpartition(".")[2]
            at = node.start_byte
            depth = self._modules.depth(at)
            if name != path:
                self.said[at] = path
                path = _in_file(path, depth)
                if path == name and self.said[at].startswith("super."):
                    self._above[at] = self.said[at]
            if name != path and len(path) <= _LONGEST:
                self._paths[node.start_byte] = path
            base = _in_file(dotted_name(page.of(trait)), depth) if trait is not None else ""
            if base and (not name or _is_parameter(name, node.child_by_field_name("type_parameters"), page)):
                # A slice's, a tuple's or everybody's: what is known of it is the trait.
                name = base.rpartition(".")[2]
            self.rows.append((*node.byte_range, name, base))
        self.rows.sort()
        self._blocks = _Nested([row[:2] for row in self.rows])

    def follow_imports(self, captures: Captures, page: Page, file: str) -> None:
        """Let blocks name the types that their modules within the file import, where the file has others so called."""
        blocks = [row for row in self.rows if row[0] not in self.said and row[2] in self._own]
        paths = dict[tuple[int, str], str]()
        for node in captures.get("use", ()) if blocks else ():
            if node.parent is not None and node.parent.type == "declaration_list":
                module, is_inner = self._modules.innermost(node.start_byte), self._modules.depth(node.start_byte) > 1
                facts = [fact for fact in imports_inside(node, page, file) if fact.alias in self._own]
                # What is above a module within another may be in this file, too.
                facts = [fact for fact in facts if not (is_inner and fact.module.startswith("super"))]
                paths.update({(module, fact.alias): f"{fact.module}::{fact.name}" for fact in facts})
        for at, _, name, _ in blocks if paths else ():
            path = paths.get((self._modules.innermost(at), name), "").replace("::", ".").removeprefix("self.")
            if path not in {"", name} and len(path) <= _LONGEST:
                self._paths[at] = path

    def around(self, at: int) -> tuple[str, str]:
        """Return (type, trait) of the innermost block around a byte."""
        row = self._row(at)
        return self.rows[row][2:] if row >= 0 else ("", "")

    def path(self, at: int) -> str:
        """Return what names the type of the innermost block around a byte where that is more than a name."""
        row = self._row(at) if self._paths else -1
        return self._paths.get(self.rows[row][0], "") if row >= 0 else ""

    def written(self, at: int, name: str) -> str:
        """Return what names the type of a block around a byte: its path where the file has a type of its name."""
        row = self._row(at) if name in self._own else -1
        if row >= 0 and self._own[name] > 1 and self.rows[row][0] in self._above:
            # Which one of them that is the modules around tell.
            return self._above[self.rows[row][0]]
        return self.path(at) or name if row >= 0 else name

    def _row(self, at: int) -> int:
        return self._blocks.innermost(at)

    def of_member(self, start: int) -> tuple[str, str]:
        """Return (type, trait) for what stands directly in a block, empty texts otherwise."""
        return self.around(start) if start in self._members else ("", "")

    def is_of_trait(self, start: int) -> bool:
        """Whether a function stands directly in a trait: it is as visible as the trait."""
        return start in self._trait_members


class _Nested:
    """Spans of which each stands inside another or apart from it."""

    def __init__(self, rows: list[tuple[int, int]]) -> None:
        """Take them in order."""
        self._starts, self._ends = [start for start, _ in rows], [end for _, end in rows]
        self._in_order = sorted(self._ends)
        self._outer = list[int]()
        opened = list[int]()
        for row, (start, _) in enumerate(rows):
            while opened and rows[opened[-1]][1] <= start:
                opened.pop()
            self._outer.append(opened[-1] if opened else -1)
            opened.append(row)

    def innermost(self, at: int) -> int:
        """Return which one is around a byte, the innermost of several; -1 for none."""
        row = bisect_right(self._starts, at) - 1
        while row >= 0 and at >= self._ends[row]:
            row = self._outer[row]
        return row

    def depth(self, at: int) -> int:
        """Return how many are around a byte."""
        return bisect_right(self._starts, at) - bisect_right(self._in_order, at)


def _add(findings: Findings, page: Page, margin: Margin, node: "Node", shape: tuple[str, _Impls]) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    kind, impls = shape
    at, end = node.byte_range
    body = None if kind == "macro" else node.child_by_field_name("body")
    is_opened = body is not None and page.source[body.start_byte : body.start_byte + 1] == b"{"
    header_end = page.trimmed(at, body.start_byte) if body is not None and is_opened else end
    signature_end = header_end
    if kind in {"constant", "macro", "field", "variant"}:
        header_end = min(header_end, page.trimmed(at, page.line_end(name.start_byte)))
        signature_end = header_end if kind == "macro" else end
    above = margin.above(at)
    of, trait = impls.of_member(at)
    found = Definition(
        name=page.of(name),
        kind=kind,
        start=above.first,
        first=above.first,
        end=end,
        header=name.start_byte,
        signature=margin.signature(at, signature_end).rstrip(";{, "),
        header_end=header_end,
        decorators=(*impls.conditions.get(at, ()), *above.decorators),
        visibility=(
            "public"
            if trait or kind == "variant" or impls.is_of_trait(at) or "#[macro_export]" in above.decorators
            else _visibility(page.text(at, name.start_byte))
        ),
        container=impls.written(at, of),
        is_leaf=kind in {"field", "variant"},
    )
    margin.document(found, above, _is_doc)
    if kind == "namespace" and body is not None:
        found.decorators = (*found.decorators, *impls.inner.get(body.start_byte, ()))
        within = None if found.doc else _WITHIN.match(page.source, body.start_byte + 1, body.end_byte)
        found.doc = comments_doc(page.text(*within.span(1)).split("\n")) if within else found.doc
    _read_attributes(found)
    findings.definitions.append(found)
    if of and (path := impls.path(at)):
        findings.parameters.append((name.start_byte, OF, path))


def _read_attributes(found: Definition) -> None:
    """Take the documentation of a definition from attributes where no comment gives it: ``#[doc = "A cart."]``."""
    said = [text for one in found.decorators if (text := _DOCUMENTED.match(one))]
    if said:
        found.doc = found.doc or first_paragraph("\n".join(_ESCAPED.sub(r"\1", text[1]).strip() for text in said))
        found.decorators = tuple(one for one in found.decorators if not _DOCUMENTED.match(one))


def _in_file(path: str, depth: int) -> str:
    """Return a type's path as the file's own module says it, given how many modules within that are around it."""
    parts = path.split(".")
    while len(parts) > 1 and (parts[0] == "self" or (parts[0] == "super" and depth)):
        depth -= parts.pop(0) == "super"
    return ".".join(parts)


def _module_of(path: str) -> str:
    """Return the module's path that a file's path beside this one stands for."""
    return path.removeprefix("./").removesuffix(".rs").removesuffix("/mod").replace("/", "::")


def _visibility(modifiers: str) -> str:
    match = _PUBLIC.search(modifiers)
    if match is None:
        return "private"
    return "internal" if match[1] else "public"


def _add_bases(findings: Findings, page: Page, captures: Captures, impls: _Impls) -> None:
    findings.bases_by_name = [
        (start, (impls.said.get(start, name), impls.path(start) or name), trait)
        for start, _, name, trait in impls.rows
        if name and trait and name != trait.rpartition(".")[2]
    ]
    for node in captures.get("trait", ()):
        name, bounds = node.child_by_field_name("name"), node.child_by_field_name("bounds")
        if name is None or bounds is None:
            continue
        for bound in bounds.named_children:
            base = dotted_name(page.of(bound))
            if base:
                findings.bases.append((name.start_byte, base))


def _is_of_module(node: "Node") -> bool:
    """Whether a module takes something in; what a function takes in of a type it uses."""
    return node.parent is None or node.parent.type != "block"


def _imports(captures: Captures, page: Page, margin: Margin, file: str) -> list[ImportFact]:
    found: list[ImportFact] = []
    for node in ordered(captures, "use"):
        found.extend(imports_inside(node, page, file))
    for node in ordered(captures, "crate"):
        crate = crate_import(node, page)
        found.append(crate)
        if _TAKES_MACROS.search("".join(margin.above(node.start_byte).decorators)):
            found.append(macros_of(crate.module, crate.line))
    for node in ordered(captures, "mod"):
        name = node.child_by_field_name("name")
        if name is not None and node.child_by_field_name("body") is None:
            is_public = _visibility(page.text(node.start_byte, name.start_byte)) != "private"
            text = page.of(name)
            decorators = "".join(margin.above(node.start_byte).decorators)
            path = _PATH.search(decorators)
            module, inner = ("self", text) if path is None else (f"self::{_module_of(path[1])}", "")
            found.append(ImportFact(module, inner, text, 0, page.line(node.start_byte), is_public))
            if _TAKES_MACROS.search(decorators):
                found.append(macros_of(f"{module}::{inner}" if inner else module, page.line(node.start_byte)))
    return sorted(found, key=lambda fact: fact.line)
