"""What Java files say."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.arguments import ANY_ARGUMENTS, NO_ARGUMENTS, argument_shapes
from ctxcode.codegraph.extract.expressions import EACH, call_of
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.margin import Margin
from ctxcode.codegraph.extract.page import Page, ordered, shallow
from ctxcode.codegraph.extract.references import LONGEST_CALLEE, called, receiver_of
from ctxcode.codegraph.extract.type_names import dotted_name, java_parameters, java_type
from ctxcode.codegraph.facts import HELD, PARAMETER, ImportFact
from ctxcode.codegraph.syntax.java.accessors import accessors
from ctxcode.codegraph.syntax.java.blocks import set_apart
from ctxcode.codegraph.syntax.java.bounds import Bounds
from ctxcode.codegraph.syntax.java.callbacks import contracts, given, promised
from ctxcode.codegraph.syntax.java.elements import expression, java_collection, java_generic, lambda_elements
from ctxcode.codegraph.syntax.java.labels import add_labels, take_labels
from ctxcode.codegraph.syntax.java.parameters import TypeParameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_IMPORTED = re.compile(r"([\w.]+?)(\.\*)?", re.ASCII)
_ACCESS = re.compile(r"\b(public|protected|private)\b")
_LONGEST_ARGUMENTS = 1_000
"""Of longer ones only their number is told."""
_SAYING_TYPE = frozenset({"cast_expression", "object_creation_expression"})
_LONGEST_PARAMETERS = 4_000
_BASES = frozenset({"superclass", "super_interfaces", "extends_interfaces"})


def extract(captures: Captures, page: Page, path: str) -> Findings:
    """Return what a Java file's captures say; ``path`` is not needed."""
    del path
    findings = Findings()
    margin = Margin(page, captures.get("comment", ()), captures.get("decorator", ()))
    for node in ordered(captures, "package")[:1]:
        findings.package = "".join(page.of(node).rstrip(";").split()[1:])
    file = _File(findings, page, margin, {node.start_byte for node in captures.get("public", ())})
    file.add_definitions(captures)
    file.add_calls(captures)
    file.add_bindings(captures)
    add_labels(findings, captures.get("label", ()), page)
    set_apart(findings, [node.byte_range for node in captures.get("method", ())], file.declared)
    take_labels(findings)
    findings.imports = [fact for node in ordered(captures, "import") for fact in _import(node, page)]
    findings.doc = margin.leading_doc(0, _is_doc)
    return findings


def _is_doc(comment: str) -> bool:
    return comment.startswith("/**") and not comment.startswith("/**/")


class _File:
    """One file on its way from captures to findings."""

    def __init__(self, findings: Findings, page: Page, margin: Margin, public: set[int]) -> None:
        self._findings = findings
        self._page = page
        self._margin = margin
        self._public = public
        self._bounds, self._parameters = Bounds((), page), TypeParameters(page)
        self.declared: dict[int, Node] = {}
        """Which node binds the local name on a byte."""

    def add_definitions(self, captures: Captures) -> None:
        """Add types with their bases, methods, constructors and constants."""
        for kind in ("class", "interface", "enum", "method"):
            for node in captures.get(kind, ()):
                name = node.child_by_field_name("name")
                if name is not None:
                    self._add(node, node.byte_range, name, kind)
                    self._add_bases(node, name)
        for node in captures.get("field", ()):
            self._add_fields(node)
        for kind, capture in (("variant", "variant"), ("field", "component")):
            for node in captures.get(capture, ()):
                name = node.child_by_field_name("name")
                if name is not None:
                    self._add(node, node.byte_range, name, kind)

    def _add_bases(self, node: "Node", name: "Node") -> None:
        for clause in node.named_children:
            if clause.type not in _BASES:
                continue
            for child in clause.named_children:
                for base in child.named_children if child.type == "type_list" else (child,):
                    written = self._page.of(base)
                    base_name = dotted_name(written)
                    if base_name:
                        self._findings.bases.append((name.start_byte, base_name))
                    arguments = self._parameters.arguments(node, written) if written != base_name else ()
                    self._findings.attributes += [(name.start_byte, *row) for row in arguments]
                    held = java_collection(written) if written != base_name else ""
                    if held[-1:] == ">":
                        self._findings.attributes.append((name.start_byte, HELD, held))

    def _add_fields(self, node: "Node") -> None:
        of = node.child_by_field_name("type")
        modifiers = self._page.text(node.start_byte, of.start_byte) if of is not None else ""
        is_constant = node.type == "constant_declaration" or ("static" in modifiers and "final" in modifiers)
        declarators = node.children_by_field_name("declarator")
        for row, declarator in enumerate(declarators):
            name = declarator.child_by_field_name("name")
            is_only = len(declarators) == 1
            span = (
                node.start_byte if row == 0 else declarator.start_byte,
                node.end_byte if is_only else declarator.end_byte,
            )
            if name is not None:
                self._add(node, span, name, "constant" if is_constant else "field")

    def _add(self, node: "Node", span: tuple[int, int], name: "Node", kind: str) -> None:
        page, (at, end) = self._page, span
        body = node.child_by_field_name("body")
        header_end = page.trimmed(at, body.start_byte) if body is not None else end
        is_value = kind in {"constant", "field", "variant"}
        if is_value:
            header_end = min(end, page.trimmed(at, page.line_end(name.start_byte)))
        above = self._margin.above(at)
        found = Definition(
            name=page.of(name),
            kind=kind,
            start=at,
            first=at,
            end=end,
            header=name.start_byte,
            signature=self._margin.signature(
                self._margin.behind_decorators(at, name.start_byte), end if is_value else header_end
            ).rstrip(";"),
            header_end=header_end,
            decorators=self._margin.decorators_within(at, name.start_byte),
            visibility=self._visibility(node, name),
            is_leaf=kind == "field" or (kind == "variant" and body is None),
        )
        self._margin.document(found, above, _is_doc)
        self._findings.definitions.append(found)

    def _visibility(self, node: "Node", name: "Node") -> str:
        at = self._margin.behind_decorators(node.start_byte, name.start_byte)
        access = _ACCESS.search(self._page.text(at, name.start_byte))
        if access:
            return access[1]
        is_public = node.start_byte in self._public or node.type in {
            "constant_declaration",
            "enum_constant",
            "formal_parameter",
        }
        return "public" if is_public else "internal"

    def add_calls(self, captures: Captures) -> None:
        """Add calls of methods, constructions and method references."""
        page, calls = self._page, self._findings.calls
        for node in captures.get("invocation", ()):
            name = node.child_by_field_name("name")
            if name is None:
                continue
            start, (at, end) = node.start_byte, name.byte_range
            receiver = page.text(start, min(at, start + LONGEST_CALLEE)) if start < at else ""
            receiver = receiver_of(receiver).rstrip(".") if receiver else ""
            if receiver[-1:] == ">":
                receiver = _without_type_arguments(receiver)
            calls.append((end - 1, page.text(at, end), receiver))
            self._add_arguments(node, end - 1, end)
        for node in captures.get("explicit", ()):
            called_node = node.child_by_field_name("constructor")
            if called_node is not None and called_node.start_byte == node.start_byte:
                at, end = called_node.byte_range
                calls.append((end - 1, page.text(at, end), ""))
                self._add_arguments(node, end - 1, end)
        for node in captures.get("created", ()):
            at, end = node.byte_range
            made = dotted_name(page.text(at, end))
            receiver, _, text = made.rpartition(".")
            if text:
                calls.append((at, text, receiver))
        for at, text, receiver in called(page, captures.get("method_reference", ()), "::"):
            if text == "new":
                owner, _, made = dotted_name(receiver).rpartition(".")
                calls.append((at, made, owner))
            else:
                calls.append((at, text.rpartition(">")[2], receiver))
                self._findings.arguments[at] = ANY_ARGUMENTS

    def _add_arguments(self, node: "Node", at: int, start: int) -> None:
        """Note what the arguments that begin at a byte of a call look like."""
        end = node.end_byte
        if end - start == len(NO_ARGUMENTS):
            shapes = NO_ARGUMENTS
        elif end - start > _LONGEST_ARGUMENTS:
            arguments = node.child_by_field_name("arguments")
            given = arguments.named_children if arguments is not None else []
            shapes = ",".join(["?" for each in given if not each.type.endswith("comment")]) or NO_ARGUMENTS
        else:
            shapes = argument_shapes(self._page.text(start, end))
        self._findings.arguments[at] = shapes

    def add_bindings(self, captures: Captures) -> None:
        """Add the types of fields, variables, parameters and record components."""
        self._bounds = Bounds(captures.get("parameterized", ()), self._page)
        self._findings.calls = self._bounds.called(self._findings.calls)
        self._bind_fields(captures)
        for node in captures.get("local", ()):
            self._bind_declarators(node, "")
        for node in captures.get("method", ()):
            name, of = node.child_by_field_name("name"), node.child_by_field_name("type")
            type_name = java_generic(self._page.of(of)) if of is not None else ""
            if name is not None:
                if of is not None and of.type == "generic_type":
                    type_name = self._parameters.applied(node, self._page.of(of), type_name)
                self._findings.add_returned(name.start_byte, self._bounds.of(name.start_byte, type_name))
                place = self._parameters.place(node, self._page.of(of)) if of is not None else ""
                if place:
                    self._findings.parameters.append((name.start_byte, PARAMETER, place))
                parameters = node.child_by_field_name("parameters")
                if parameters is not None and 2 < parameters.end_byte - parameters.start_byte <= _LONGEST_PARAMETERS:
                    self._findings.add_parameters(name.start_byte, java_parameters(self._page.of(parameters)))
                    self._findings.parameters += [
                        (name.start_byte, *row) for row in promised(node, parameters, type_name, self._page)
                    ]
        bound = self._findings.bindings
        written = ((node, node.child_by_field_name("parameters")) for node in captures.get("lambda", ()))
        lambdas = {each.start_byte: node for node, of in written if of is not None for each in of.named_children}
        for capture, prefix, rows in (
            ("parameter", "", self._findings.parameters),
            ("component", "self.", bound),
            ("typed", "", bound),
        ):
            for node in captures.get(capture, ()):
                name, type_name = node.child_by_field_name("name"), self._type_of(node, node)
                if name is not None and type_name:
                    rows.append((name.start_byte, f"{prefix}{self._page.of(name)}", type_name))
                    if not prefix:
                        self.declared[name.start_byte] = lambdas.get(node.start_byte, node)
        self._bind_patterns(captures)
        self._findings.attributes += accessors((*captures.get("class", ()), *captures.get("enum", ())), self._page)
        self._findings.attributes += contracts(captures.get("public", ()), self._page)
        self._bind_lambdas(captures.get("lambda", ()))

    def _bind_lambdas(self, lambdas: "Sequence[Node]") -> None:
        """Bind what lambdas get without saying its type."""
        near = {node.start_byte for node in shallow(lambdas)}
        for node, names, elements in lambda_elements(lambdas, self._findings.calls, self._page):
            types = elements or [""] * len(names)
            if not elements and node.start_byte in near:
                types = given(node, names, self._page)
            for name, type_name in zip(names, types, strict=True):
                self._findings.bindings.append((name.start_byte, self._page.of(name), type_name))
                self.declared[name.start_byte] = node

    def _bind_patterns(self, captures: Captures) -> None:
        """Add what ``T... x``, ``catch (T x)``, ``instanceof T x`` and the patterns of a switch bind."""
        page, bound = self._page, self._findings.bindings
        for node in captures.get("spread", ()):
            named = [child for child in node.named_children if child.type != "modifiers"]
            if len(named) > 1:
                at = named[-1].start_byte
                said = self._bounds.of(at, java_type(page.of(named[0])))
                self._findings.parameters.append((at, page.of(named[-1]), f"{said}[]"))
        for node in captures.get("unnamed", ()):
            name, body = node.child_by_field_name("name"), node.parent
            of = body.parent.child_by_field_name("type") if body is not None and body.parent is not None else None
            type_name = dotted_name(page.of(of)) if of is not None else ""
            if name is not None and type_name:
                # Its class has no name: what it inherits from is told by its methods.
                self._findings.parameters.append((name.start_byte, "super", type_name))
        for node in captures.get("caught", ()):
            name, of = node.child_by_field_name("name"), node.named_children[-2] if node.named_child_count > 1 else None
            if name is not None:
                bound.append((name.start_byte, page.of(name), dotted_name(page.of(of)) if of is not None else ""))
                self.declared[name.start_byte] = node
        for node in captures.get("tested", ()):
            name, of = node.child_by_field_name("name"), node.child_by_field_name("right")
            self._bind_pattern(node, name, of)
        for node in captures.get("pattern", ()):
            of, name = (node.named_children[0], node.named_children[-1]) if node.named_child_count > 1 else (None, None)
            self._bind_pattern(node, name if name is not None and name.type == "identifier" else None, of)

    def _bind_pattern(self, node: "Node", name: "Node | None", of: "Node | None") -> None:
        type_name = java_collection(self._page.of(of)) if of is not None else ""
        if name is not None and type_name:
            self._findings.bindings.append((name.start_byte, self._page.of(name), type_name))
            self.declared[name.start_byte] = node

    def _bind_declarators(self, node: "Node", prefix: str) -> None:
        rows, page = self._findings.bindings, self._page
        for declarator in node.children_by_field_name("declarator"):
            name, type_name = declarator.child_by_field_name("name"), self._type_of(node, declarator)
            if name is not None and type_name:
                at = name.start_byte
                rows.append((at, f"{prefix}{page.of(name)}", type_name))
                if not prefix:
                    self.declared[at] = node

    def _bind_fields(self, captures: Captures) -> None:
        for node in captures.get("field", ()):
            self._bind_declarators(node, "self.")
            self._bind_of_parameter(node, [each.child_by_field_name("name") for each in _declarators(node)])
        for node in captures.get("component", ()):
            self._bind_of_parameter(node, [node.child_by_field_name("name")])

    def _bind_of_parameter(self, field: "Node", names: "list[Node | None]") -> None:
        """Note which type parameter of its class a field is of, or what a record is made of."""
        of = field.child_by_field_name("type")
        place = self._parameters.place(field, self._page.of(of)) if of is not None else ""
        rows = [name for name in names if name is not None] if place else []
        self._findings.bindings += [
            (name.start_byte, f"self.{PARAMETER}.{self._page.of(name)}", place) for name in rows
        ]

    def _type_of(self, node: "Node", declarator: "Node") -> str:
        of = node.child_by_field_name("type")
        type_name = java_generic(self._page.of(of)) if of is not None else ""
        if type_name != "var":
            dimensions = declarator.child_by_field_name("dimensions") if type_name else None
            type_name = self._bounds.of(declarator.start_byte, type_name)
            return type_name if dimensions is None else f"{type_name}{'[]' * self._page.of(dimensions).count('[')}"
        value = declarator.child_by_field_name("value")
        if node.type == "enhanced_for_statement":
            over = expression(value, self._page) if value is not None else ""
            return f"{over}.{EACH}" if over else ""
        if value is not None and value.type == "method_invocation":
            arguments = value.child_by_field_name("arguments")
            end = arguments.start_byte if arguments is not None else value.end_byte
            if written := expression(value, self._page):
                return f"={written}"
            return call_of(self._page.text(value.start_byte, end))
        if value is not None and value.type == "identifier":
            return f"={self._page.of(value)}"
        if value is not None and value.type == "ternary_expression":
            branches = (value.child_by_field_name("consequence"), value.child_by_field_name("alternative"))
            kept = [one for one in branches if one is not None and one.type != "null_literal"]
            value = kept[0] if len(kept) == 1 else None
        made = value.child_by_field_name("type") if value is not None and value.type in _SAYING_TYPE else None
        return java_generic(self._page.of(made)) if made is not None else ""


def _declarators(node: "Node") -> "list[Node]":
    return node.children_by_field_name("declarator")


def _without_type_arguments(receiver: str) -> str:
    """Return a receiver without the type arguments it ends in: ``Lists.<A>``."""
    start = receiver.find("<", max(receiver.rfind("("), receiver.rfind(")")) + 1)
    return receiver[:start].removesuffix(".") if start >= 0 else receiver


def _import(node: "Node", page: Page) -> list[ImportFact]:
    words = page.of(node).strip().removesuffix(";").split()
    is_static = words[1:2] == ["static"]
    match = _IMPORTED.fullmatch("".join(words[2 if is_static else 1 :])) if words[:1] == ["import"] else None
    if match is None:
        return []
    line, dotted = page.line(node.start_byte), match[1]
    if match[2]:
        return [ImportFact(dotted, "*", "", 0, line, is_reexport=False)]
    module, _, name = dotted.rpartition(".")
    return [ImportFact(module, name, name, 0, line, is_reexport=False)]
