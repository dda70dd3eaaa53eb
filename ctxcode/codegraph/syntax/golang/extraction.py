"""What Go files say."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.docs import comments_doc
from ctxcode.codegraph.extract.expressions import EACH, RECEIVED, plain_expression
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.margin import Margin
from ctxcode.codegraph.extract.names.shadows import Shadows
from ctxcode.codegraph.extract.objects.handed import handed, top_of
from ctxcode.codegraph.extract.page import Page, first_named, ordered
from ctxcode.codegraph.extract.references import called
from ctxcode.codegraph.extract.type_names import go_collection, go_type
from ctxcode.codegraph.syntax.golang.anonymous import WrittenTypes, is_of_named_struct
from ctxcode.codegraph.syntax.golang.asserted import add_asserted
from ctxcode.codegraph.syntax.golang.bounds import Bounds
from ctxcode.codegraph.syntax.golang.called import given_by
from ctxcode.codegraph.syntax.golang.generics import base_arguments, kept_places
from ctxcode.codegraph.syntax.golang.imports import imports_of
from ctxcode.codegraph.syntax.golang.keys import field_keys
from ctxcode.codegraph.syntax.golang.results import PREDECLARED, add_inner_results, add_results

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_PREFIX = re.compile(rb"\b(?:type|const|var)[ \t]+\Z")
_DIRECTIVE = re.compile(r"//(?:go:|nolint|\s*\+build|export )")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*){0,5}")
_BLOCKS = frozenset({
    "block", "func_literal", "if_statement", "for_statement", "expression_switch_statement", "type_switch_statement",
    "select_statement", "communication_case", "expression_case", "type_case", "default_case",
})  # fmt: skip
"""Nodes at whose end what is bound inside ends."""
_PAIR = 2
_NAMED_TYPES = frozenset({"generic_type", "pointer_type", "qualified_type", "type_identifier"})
_HOLDING = frozenset({"array_type", "channel_type", "map_type", "slice_type"})
_TYPE_KINDS = {"struct_type": "struct", "interface_type": "interface"}


def extract(captures: Captures, page: Page, path: str) -> Findings:
    """Return what a Go file's captures say."""
    findings = Findings()
    margin = Margin(page, captures.get("comment", ()))
    for node in ordered(captures, "package")[:1]:
        findings.package = page.of(node).removeprefix("package").strip()
        block = margin.above(node.start_byte).comments
        findings.doc = comments_doc([text for row in block if _is_doc(text := page.text(*row))])
    file = _File(findings, page, margin, Bounds(captures, page))
    file.add_definitions(captures)
    add_asserted(findings, captures, page)
    findings.calls = file.bounds.in_calls(called(page, captures.get("callee", ())))
    findings.imports = imports_of(ordered(captures, "import"), page)
    file.add_bindings(captures)
    findings.fields = field_keys(captures.get("literal", ()), captures.get("type", ()), page)
    findings.calls += handed(findings, page, top_of(captures), "go", path)
    functions = [node.byte_range for kind in ("function", "method") for node in captures.get(kind, ())]
    Shadows(functions, _BLOCKS).set_apart(findings, file.declared)
    return findings


def _is_doc(comment: str) -> bool:
    return not _DIRECTIVE.match(comment)


class _File:
    """One file on its way from captures to findings."""

    def __init__(self, findings: Findings, page: Page, margin: Margin, bounds: Bounds) -> None:
        self._findings = findings
        self._page = page
        self._margin = margin
        self.bounds = bounds
        self._types = WrittenTypes(page, bounds)
        self.declared: dict[int, Node] = {}
        """Where local names are bound, by the byte they stand on."""

    def add_definitions(self, captures: Captures) -> None:
        """Add functions, methods, types, constants and variables."""
        for node in captures.get("function", ()):
            self._add(node, node.child_by_field_name("name"), "function")
            add_results(self._findings, node, node.child_by_field_name("name"), self._page, self.bounds)
        for node in captures.get("interface_method", ()):
            self._add(node, node.child_by_field_name("name"), "method")
            add_results(self._findings, node, node.child_by_field_name("name"), self._page, self.bounds)
        for node in captures.get("method", ()):
            parameter = first_named(node.child_by_field_name("receiver"))
            of = parameter.child_by_field_name("type") if parameter is not None else None
            container = go_type(self._page.of(of)) if of is not None else ""
            self._add(node, node.child_by_field_name("name"), "method", container)
            add_results(self._findings, node, node.child_by_field_name("name"), self._page, self.bounds)
        for node in captures.get("type", ()):
            self._add_type(node)
        for kind, capture in (("constant", "constant"), ("variable", "variable"), ("field", "member")):
            for node in captures.get(capture, ()):
                self._add_spec(node, kind)
        inner: list[tuple[Node, Node]] = []
        for node in captures.get("closure", ()):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None:
                name, function = left.named_children[0], right.named_children[0]
                self._add_ranged(node.byte_range, name, "function", body=function.child_by_field_name("body"))
                inner.append((name, function))
        around = [*captures.get("function", ()), *captures.get("method", ())]
        add_inner_results(self._findings, inner, around, self._page, self.bounds)

    def _add_type(self, node: "Node") -> None:
        name, of = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None or of is None:
            return
        kind = _TYPE_KINDS.get(of.type, "type")
        self._add(node, name, kind)
        self._add_meant(node, name, of)
        fields = of.named_children if kind == "interface" else ()
        if kind == "struct":
            fields = [field for body in of.named_children for field in body.named_children]
            self._findings.bindings += kept_places(node, self._page)
        for field in fields:
            base = None
            if field.type == "field_declaration" and field.child_by_field_name("name") is None:
                base = field.child_by_field_name("type")
            elif field.type == "type_elem" and field.named_child_count == 1:
                base = field.named_child(0)
            base_name = go_type(self._page.of(base)) if base is not None else ""
            if base_name:
                self._findings.bases.append((name.start_byte, base_name))
                self._findings.base_lines.setdefault((name.start_byte, base_name), self._page.line(field.start_byte))
                if base is not None:
                    self._findings.bindings += base_arguments(node, base, base_name, self._page)

    def _add_meant(self, node: "Node", name: "Node", of: "Node") -> None:
        """Add what a type stands for that is but a name of something."""
        if of.type in _HOLDING:
            # What it stands for has elements, and no methods.
            held = go_collection(self._page.of(of))
            if held[:1] in {"?", "%", "@"}:
                self._findings.add_returned(name.start_byte, held)
        elif of.type == "function_type":
            # What a call of it gives.
            if given := self._types.of(of, name.start_byte):
                self._findings.add_returned(name.start_byte, given)
        elif node.type == "type_alias" and of.type in _NAMED_TYPES:
            # It has the methods of the other.
            self._findings.add_returned(name.start_byte, go_type(self._page.of(of)))

    def _add_spec(self, node: "Node", kind: str) -> None:
        """Add each name of ``A, B = 1, 2``; the last one holds the values."""
        names = node.children_by_field_name("name")
        names = [name for name in names if name.type.endswith("identifier") and self._page.of(name) != "_"]
        values = node.child_by_field_name("value")
        made = values.named_children if values is not None else []
        function = made[0] if [value.type for value in made] == ["func_literal"] else None
        for row, name in enumerate(names):
            is_last = row == len(names) - 1
            span = node.start_byte if row == 0 else name.start_byte, node.end_byte if is_last else name.end_byte
            if function is None or not is_last:
                self._add_ranged(span, name, kind, body=None)
            else:
                self._add_ranged(span, name, "function", body=function.child_by_field_name("body"))
                add_results(self._findings, function, name, self._page, self.bounds)

    def _add(self, node: "Node", name: "Node | None", kind: str, container: str = "") -> None:
        if name is None:
            return
        body = node.child_by_field_name("body")
        if kind in {"struct", "interface"}:
            body = node.child_by_field_name("type")
        self._add_ranged(node.byte_range, name, kind, body=body, container=container)

    def _add_ranged(
        self, span: tuple[int, int], name: "Node", kind: str, *, body: "Node | None", container: str = ""
    ) -> None:
        page, (at, end) = self._page, span
        prefix = _PREFIX.search(page.source, max(0, at - 20), at)
        at -= len(prefix[0]) if prefix else 0
        text = page.of(name)
        above = self._margin.above(at)
        header_end = end if body is None else page.trimmed(at, body.start_byte)
        if kind in {"struct", "interface"} and body is not None:
            header_end = min(end, body.start_byte + len(kind))
        if kind in {"constant", "variable", "type", "field"}:
            header_end = min(end, page.trimmed(at, page.line_end(name.start_byte)))
        found = Definition(
            name=text,
            kind=kind,
            start=at,
            first=at,
            end=end,
            header=name.start_byte,
            signature=self._margin.signature(at, header_end if body is not None else end).rstrip("{ "),
            header_end=header_end,
            visibility="public" if text[:1].isupper() else "internal",
            container=container,
            is_leaf=kind == "field",
        )
        self._margin.document(found, above, _is_doc)
        self._findings.definitions.append(found)

    def add_bindings(self, captures: Captures) -> None:
        """Add the types of receivers, parameters, fields and variables."""
        for capture, prefix in (("parameter", ""), ("bound", ""), ("field", "self.")):
            for node in captures.get(capture, ()):
                of = node.child_by_field_name("type")
                if capture == "field" and not is_of_named_struct(node):
                    continue
                type_name = self._types.of(of, node.start_byte) if of is not None else ""
                rows = [
                    (name.start_byte, f"{prefix}{self._page.of(name)}", type_name)
                    for name in (node.children_by_field_name("name") if type_name else ())
                ]
                (self._findings.parameters if capture == "parameter" else self._findings.bindings).extend(rows)
                if capture != "field":
                    self.declared.update(dict.fromkeys([row[0] for row in rows], node))
                if capture == "bound" and not type_name:
                    self._bind_values(node, node.children_by_field_name("name"), node.child_by_field_name("value"))
        self._bind_constants(ordered(captures, "constant"))
        for node in captures.get("short", ()):
            left = node.child_by_field_name("left")
            if left is not None:
                self._bind_values(node, left.named_children, node.child_by_field_name("right"))
        for node in captures.get("received", ()):
            self._bind_received(node)
        for node in captures.get("switch", ()):
            self._bind_cases(node)
        for node in captures.get("range", ()):
            self._bind_element(node)
        for node in captures.get("variadic", ()):
            self._bind_several(node)
        self._findings.bindings += self._types.fields

    def _bind_several(self, node: "Node") -> None:
        """Bind a parameter that holds several things: ``xs ...T``."""
        name, of = node.child_by_field_name("name"), node.child_by_field_name("type")
        type_name = go_type(self._page.of(of)) if of is not None else ""
        if name is not None and type_name:
            self._findings.parameters.append((name.start_byte, self._page.of(name), f"?{type_name}"))
            self.declared[name.start_byte] = node

    def _bind_received(self, node: "Node") -> None:
        """Bind what a ``select`` takes out of a channel: ``case x := <-c:``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            self._bind_value(node, left.named_children[0], right)

    def _bind_constants(self, nodes: list["Node"]) -> None:
        """Bind constants; what says neither type nor value has those of the one before: ``A State = iota``, ``B``."""
        said, repeated = "", None
        for node in nodes:
            of, value = node.child_by_field_name("type"), node.child_by_field_name("value")
            names = node.children_by_field_name("name")
            if of is not None or value is not None:
                said = self._types.of(of, node.start_byte) if of is not None else ""
                repeated = value if of is None else None
            if said and said not in PREDECLARED:
                self._findings.bindings += [(name.start_byte, self._page.of(name), said) for name in names]
            elif repeated is not None:
                self._bind_values(node, names, repeated)

    def _bind_element(self, node: "Node") -> None:
        """Bind the second name of ``for _, x := range xs``, and the only one of what goes over a channel."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.named_child_count not in {1, _PAIR}:
            return
        name = left.named_children[-1]
        is_short = right.end_byte - right.start_byte < 200
        over = plain_expression("".join(self._page.of(right).split())) if is_short else ""
        held = self._made(right, name.start_byte) if right.type == "composite_literal" else ""
        if left.named_child_count == 1:
            bound = f"{over}.{RECEIVED}" if over else ""
        else:
            bound = held[1:] if held[:1] in {"?", "%"} else f"{over or '_'}.{EACH}"
        if not bound:
            return
        if name.type == "identifier":
            self._findings.bindings.append((name.start_byte, self._page.of(name), bound))
            self.declared[name.start_byte] = node

    def _bind_cases(self, node: "Node") -> None:
        """Bind the name of ``switch x := y.(type)`` in the cases of one type."""
        alias = node.child_by_field_name("alias")
        name = self._page.of(alias) if alias is not None else ""
        for case in node.named_children if name else ():
            of = case.children_by_field_name("type")
            type_name = self.bounds.of(case.start_byte, go_type(self._page.of(of[0]))) if len(of) == 1 else ""
            if type_name:
                self._findings.bindings.append((case.start_byte, name, type_name))
                self.declared[case.start_byte] = case

    def _bind_values(self, node: "Node", names: list["Node"], values: "Node | None") -> None:
        made = values.named_children if values is not None else []
        if len(made) != len(names) and len(made) != 1:
            return
        if len(names) > len(made) == 1 and made[0].type == "call_expression":
            called = self._made(made[0], names[0].start_byte)
            # What a function gives second, it has in that place.
            rows = enumerate(names[1:], start=1) if called.endswith("()") else ()
            found = [(name, f"={called.removesuffix('()')}.{row}") for row, name in rows]
            for name, bound in found:
                if name.type == "identifier" and (text := self._page.of(name)) != "_":
                    self._findings.bindings.append((name.start_byte, text, bound))
                    self.declared[name.start_byte] = node
        for name, value in zip(names, made, strict=False):
            self._bind_value(node, name, value)

    def _bind_value(self, node: "Node", name: "Node", value: "Node") -> None:
        type_name = self._made(value, name.start_byte)
        # What a loop's name is given again means the same.
        if type_name and name.type == "identifier" and type_name != f"={self._page.of(name)}":
            self._findings.bindings.append((name.start_byte, self._page.of(name), type_name))
            self.declared[name.start_byte] = node

    def _made(self, value: "Node", at: int) -> str:
        """Return the type of ``T{}``, ``&T{}``, ``new(T)``, ``x.(T)``; ``f()`` for what a call gives first; ``=x``.

        It is bound on a byte.
        """
        literal: Node | None = value
        if value.type == "parenthesized_expression":
            literal = first_named(value)
        if literal is not None and literal.type == "unary_expression":
            literal = literal.child_by_field_name("operand")
        if literal is not None and literal.type == "composite_literal":
            of = literal.child_by_field_name("type")
            return self._types.of(of, at) if of is not None else ""
        if value.type == "call_expression":
            text = self._page.of(value) if value.end_byte - value.start_byte < 200 else ""
            if text.startswith("new("):
                return self.bounds.of(at, go_type(text[4:-1]))
            if text.startswith("append("):
                return self._appended(value.child_by_field_name("arguments"), at)
            function, given = value.child_by_field_name("function"), value.child_by_field_name("arguments")
            if text.startswith("make(") and given is not None and given.named_child_count:
                return self.bounds.of(at, go_collection(self._page.of(given.named_children[0])))
            return self.bounds.of(at, given_by(self._page.of(function))) if function is not None else ""
        if value.type in {"type_assertion_expression", "type_conversion_expression"}:
            of = value.child_by_field_name("type")
            said = self._types.of(of, at) if of is not None else ""
            return said if value.type == "type_conversion_expression" else said.lstrip("?%")
        return self._taken(value)

    def _taken(self, value: "Node") -> str:
        """Return the same of what is taken out of something, ``x[1]``, ``x[1:]``, ``<-x``, ``*x``, and of names."""
        while value.type == "unary_expression" and value.children[0].type in {"&", "*"}:
            if (pointed := first_named(value)) is None:
                return ""
            value = pointed
        if value.type == "unary_expression" and value.children[0].type == "<-":
            channel = self._same(value).removeprefix("=")
            return f"{channel}.{RECEIVED}" if channel else ""
        if value.type == "slice_expression":
            return self._same(value)
        if value.type == "index_expression" and value.end_byte - value.start_byte < 200:
            return plain_expression("".join(self._page.of(value).split()))
        if value.type in {"identifier", "selector_expression"} and value.end_byte - value.start_byte < 200:
            text = self._page.of(value)
            return f"={text}" if _DOTTED.fullmatch(text) else self._selected(value)
        return ""

    def _selected(self, value: "Node") -> str:
        """Return the same of what something holds that is no name: ``x[1].a``, ``f().a``, ``x.(T).a``."""
        operand, field = value.child_by_field_name("operand"), value.child_by_field_name("field")
        if operand is None or field is None:
            return ""
        if operand.type == "type_assertion_expression":
            of = operand.child_by_field_name("type")
            said = go_type(self._page.of(of)) if of is not None else ""
            return f"={said}().{self._page.of(field)}" if said else ""
        text = plain_expression("".join(self._page.of(value).split()))
        return f"={text}" if text else ""

    def _appended(self, given: "Node | None", at: int) -> str:
        """Return what ``append`` gives: what it is given first."""
        first = first_named(given)
        is_made = first is not None and first.type in {"composite_literal", "type_conversion_expression"}
        return self._made(first, at) if first is not None and is_made else self._same(given)

    def _same(self, holder: "Node | None") -> str:
        """Return what the first part of something says that is a name: ``=x`` of ``x[1:]``, ``<-x``, ``(x, y)``."""
        first = first_named(holder)
        text = self._page.of(first) if first is not None and first.end_byte - first.start_byte < 200 else ""
        return f"={text}" if _DOTTED.fullmatch(text) else ""
