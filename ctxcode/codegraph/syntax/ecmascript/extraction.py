"""What JavaScript and TypeScript files say."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings, OutermostSpans
from ctxcode.codegraph.extract.margin import Margin
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.references import called
from ctxcode.codegraph.extract.shadows import bind_elements
from ctxcode.codegraph.extract.type_names import behind_signs, typescript_type
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.ecmascript.callbacks import declared, elements, given
from ctxcode.codegraph.syntax.ecmascript.modules import add_imports, exported_names, is_require, is_required
from ctxcode.codegraph.syntax.ecmascript.objects import (
    bases,
    export_prefix,
    follows_const,
    head_end,
    is_unnamed,
    literal,
    made_of,
    members,
    object_bindings,
    offered,
    returned,
    type_parameters,
    unpacked,
    value_of,
)
from ctxcode.codegraph.syntax.ecmascript.jsdoc import add_documented
from ctxcode.codegraph.syntax.narrowed.tests import narrow
from ctxcode.codegraph.syntax.overloads import merge_overloads

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_EXPORTS = re.compile(rb"^[ \t\f\v]*+export\b", re.MULTILINE)
_RESTRICTED = re.compile(r"\b(private|protected)\b")
_PROMISE = re.compile(r":\s*Promise<(.*)>", re.DOTALL)
_GETTER = re.compile(r"\bget\s+\Z")
_DIRECTIVE = re.compile(r"//\s*+(?:eslint|@ts-|prettier|istanbul|c8|biome|#region|#endregion|/?\s*+<)")
_GLOBALS = frozenset({"exports", "module.exports", "window", "globalThis", "global", "self"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})


def extract(captures: Captures, page: Page, path: str) -> Findings:
    """Return what a JavaScript or TypeScript file's captures say; documentation tells the types of JavaScript."""
    script = _Script(captures, page)
    script.add_declarations()
    script.add_members()
    script.add_values()
    script.add_object_members()
    overloads = merge_overloads(script.findings.definitions, script.signatures, page)
    script.add_references()
    script.add_bindings(OutermostSpans(overloads))
    findings = script.findings
    add_imports(findings, captures, page, path)
    add_documented(findings, captures, page, path)
    first_code = page.line_end(0) if page.source.startswith(b"#!") else 0
    findings.doc = script.margin.leading_doc(first_code, is_doc)
    return findings


def is_doc(comment: str) -> bool:
    """Whether a comment can be documentation and is no instruction to a tool."""
    return not _DIRECTIVE.match(comment)


class _Script:
    """One file on its way from captures to findings."""

    def __init__(self, captures: Captures, page: Page) -> None:
        self.findings = Findings()
        self.margin = Margin(page, captures.get("comment", ()), captures.get("decorator", ()))
        self._captures = captures
        self._page = page
        self._exported = exported_names(captures, page)
        self._has_exports = _EXPORTS.search(page.source) is not None
        self._type_parameters = type_parameters(captures, page)
        self._declared: set[int] = set()
        # Where functions and classes begin that have a name.
        self._bodies: set[int] = set()
        self._made: list[tuple[int, Node]] = []
        """(where its name stands, object literal) of functions that return one."""
        self._holders: dict[int, int] = {}
        """Where functions begin that don't say what they return, to where their names stand."""
        self.signatures: set[int] = set()
        """Where declarations without a body end."""

    def add_declarations(self) -> None:
        """Add what is declared by its own keyword."""
        kinds = {"function": "function", "class": "class", "interface": "interface", "type": "type", "enum": "enum"}
        for capture, kind in kinds.items():
            for node in self._captures.get(capture, ()):
                self._add_named(node, kind)
                if kind in {"class", "interface"}:
                    self._add_bases(node, node)
                elif kind == "type":
                    self.findings.bases += made_of(node, self._page)
        for node in self._captures.get("namespace", ()):
            self._add_named(node, "namespace")
        for node in self._captures.get("function_signature", ()):
            self._add_signature(node, "function")

    def add_members(self) -> None:
        """Add what class and interface bodies hold."""
        for node in self._captures.get("method", ()):
            self._add_named(node, "method")
        for node in self._captures.get("method_signature", ()):
            self._add_signature(node, "method")
        for node in self._captures.get("field", ()):
            name = node.child_by_field_name("name") or node.child_by_field_name("property")
            value = node.child_by_field_name("value")
            if name is None:
                continue
            if value is not None and value.type in _FUNCTIONS:
                self._add(node, name, "method", value)
            elif b"static" in self._page.source[node.start_byte : name.start_byte]:
                self._add(node, name, "constant", None)
            else:
                self._add(node, name, "field", None)
            self._bind_typed(node, f"self.{self._page.of(name)}", value)

        for node in self._captures.get("parameter_field", ()):
            name = node.child_by_field_name("pattern")
            if name is not None:
                self._add(node, name, "field", None)
        for name in self._captures.get("variant", ()):
            whole = name.parent if name.parent is not None and name.parent.type == "enum_assignment" else name
            self._add(whole, name, "variant", None)

    def add_values(self) -> None:
        """Add what is declared by giving a name a value."""
        for node in self._captures.get("declared_function", ()):
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None:
                self._add(node, name, "class" if value.type == "class" else "function", value)
        named = [node.byte_range for node in self._captures.get("named_expression", ())]
        functions = OutermostSpans(self.findings.definitions, named)
        required = {node.start_byte for node in self._captures.get("required", ()) if is_require(node, self._page)}
        for node in self._captures.get("declared", ()):
            if node.start_byte not in required:
                self._add_declared(node)
        for node in self._captures.get("default", ()):
            value = node.child_by_field_name("value")
            if value is not None:
                name = value.child_by_field_name("name")
                kind = {"class": "class", "object": "constant"}.get(value.type, "function")
                self._add(node, name or value, kind, value, "" if name else "default")
                self._add_members(value)
        for node in self._captures.get("assigned_function", ()):
            self._add_assigned(node, functions)
        for node in self._captures.get("assigned_value", ()):
            self._add_assigned(node, functions)
        for node in self._captures.get("assigned_member", ()):
            self._add_prototype(node)
        self._add_held_functions()
        for node in self._captures.get("named_expression", ()):
            self._add_named(node, "function")

    def _add_declared(self, node: "Node") -> None:
        name = node.child_by_field_name("name")
        if name is not None and name.type.endswith("_pattern"):
            self._add_unpacked(node, name)
        if name is None or name.type != "identifier" or name.start_byte in self._declared:
            return
        prefix = export_prefix(node.start_byte, self._page)
        is_const = b"const" in prefix or (not prefix and follows_const(node))
        self._add(node, name, "constant" if is_const else "variable", None)
        self._add_members(node.child_by_field_name("value"))
        at = head_end(node)
        if at is not None:
            head = self.margin.signature(node.start_byte - len(prefix), at)
            self.findings.definitions[-1].signature = head

    def _add_unpacked(self, node: "Node", pattern: "Node") -> None:
        """Add the names that a value is taken apart into: ``const { a, b: c } = d``."""
        prefix = export_prefix(node.start_byte, self._page)
        kind = "constant" if b"const" in prefix or follows_const(node) else "variable"
        signature = self.margin.signature(node.start_byte - len(prefix), node.end_byte)
        for name in unpacked(pattern):
            self._add(name, name, kind, None)
            found = self.findings.definitions[-1]
            found.signature = signature
            found.visibility = "public" if b"export" in prefix else found.visibility

    def _add_assigned(self, node: "Node", functions: OutermostSpans) -> None:
        left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or value is None:
            return
        target = "".join(self._page.of(left).split())
        owner, _, name = target.rpartition(".")
        header = left.child_by_field_name("property")
        if header is None or (owner != "this" and functions.enclose(node.start_byte) and not is_unnamed(value)):
            return
        kind = "class" if value.type == "class" else "function"
        if value.type not in _FUNCTIONS and kind == "function":
            if is_required(value, self._page):
                return
            kind = "constant" if owner in _GLOBALS or target == "module.exports" else "variable"
        if target == "module.exports":
            own = value.child_by_field_name("name")
            owner, name, header = "", "default" if own is None else self._page.of(own), own or header
            if own is not None:
                self.findings.bindings.append((len(self._page.source), ".default", f"={name}"))
        container = "" if owner in _GLOBALS or owner == "this" else owner.removesuffix(".prototype")
        self._add(node, header, kind, value, name, container.rpartition(".")[2])
        self._add_members(value)

    def _add_members(self, value: "Node | None") -> None:
        """Bind what the object literal that is given to a name holds by other names."""
        self.findings.bindings += object_bindings(literal(value), self._page)

    def _add_prototype(self, node: "Node") -> None:
        """Add what gets a method of a prototype by another name: ``Type.prototype.get = getOne``."""
        left = node.child_by_field_name("left")
        owner = left.child_by_field_name("object") if left is not None else None
        header = left.child_by_field_name("property") if left is not None else None
        container = "".join(self._page.of(owner).split()) if owner is not None else ""
        if header is not None and container.endswith(".prototype"):
            name = container.removesuffix(".prototype").rpartition(".")[2]
            self._add(node, header, "function", None, "", name)
            # What the same function is called too stands beside it, not in it.
            self.findings.definitions[-1].is_leaf = True

    def _add_held_functions(self) -> None:
        """Add functions given to names that exist already, and what functions called on the spot make."""
        for node in self._captures.get("named_function", ()):
            name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            if name is not None and value is not None:
                self._add(node, name, "function", value)
        for node in self._captures.get("made_function", ()):
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None:
                is_function = value.named_children[0].type == "function_expression"
                self._add(node, name, "function" if is_function else "variable", None)
        for node in self._captures.get("named_member", ()):
            # Nobody around it knows it by its name.
            if node.start_byte not in self._bodies:
                self._add_named(node, "method")

    def add_object_members(self) -> None:
        """Add functions inside object literals that belong to something with a name."""
        values = {"constant", "variable"}
        constants = OutermostSpans([found for found in self.findings.definitions if found.kind in values])
        everything = OutermostSpans(self.findings.definitions)
        for node in self._captures.get("object_method", ()):
            if everything.enclose(node.start_byte):
                self._add_named(node, "method")
        for node in self._captures.get("object_function", ()):
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is not None and value is not None and constants.enclose(node.start_byte):
                self._add(node, key, "method", value)
        objects = [made for value in self._captures.get("returned", ()) if (made := literal(value)) is not None]
        self._made = list(returned(objects, self._holders))
        for _, made in self._made:
            for node in made.named_children:
                key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
                if key is not None and value is not None and value.type in _FUNCTIONS:
                    self._add(node, key, "method", value)

    def _add_signature(self, node: "Node", kind: str) -> None:
        """Add a function without a body; more of them, or the body, may follow."""
        self._add_named(node, kind)
        self.signatures.add(node.end_byte)

    def _add_named(self, node: "Node", kind: str) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self._add(node, name, kind, node)

    def _add(
        self, node: "Node", name: "Node", kind: str, holder: "Node | None", text: str = "", container: str = ""
    ) -> None:
        """Add the definition ``node``, whose body is in ``holder`` when it has one."""
        page, at, end = self._page, *node.byte_range
        if name.start_byte in self._declared:
            return
        self._declared.add(name.start_byte)
        prefix = export_prefix(at, page)
        above = self.margin.above(at - len(prefix))
        body = holder.child_by_field_name("body") if holder is not None else None
        header_end = page.trimmed(at, body.start_byte if body is not None else page.line_end(name.start_byte))
        header_end = min(header_end, end) if body is None else header_end
        signature_end = end if body is None else min(end, header_end)
        signature_start = at - len(prefix) if prefix else self.margin.behind_decorators(at, name.start_byte)
        text = text or page.of(name).strip("\"'`")
        found = Definition(
            name=text[:200],
            kind=kind,
            start=above.first,
            first=above.first,
            end=end,
            header=name.start_byte,
            signature=self.margin.signature(signature_start, signature_end).rstrip(";"),
            header_end=header_end,
            decorators=(*above.decorators, *self.margin.decorators_within(at, name.start_byte)),
            visibility=self._visibility(prefix, text, page.text(at, name.start_byte), kind),
            container=container,
            is_leaf=kind in {"field", "variant"},
        )
        self.margin.document(found, above, is_doc)
        self.findings.definitions.append(found)
        self._add_returned(name, holder, page.text(at, name.start_byte))
        if holder is not None and holder is not node and holder.type == "class":
            self._add_bases(holder, name)

    def _visibility(self, prefix: bytes, name: str, modifiers: str, kind: str) -> str:
        restricted = _RESTRICTED.search(modifiers)
        if restricted:
            return restricted[1]
        if name.startswith("#"):
            return "private"
        is_member = kind in {"method", "field", "variant"} or "static" in modifiers
        if is_member or b"export" in prefix or not self._has_exports or name in self._exported or "export" in modifiers:
            return "public"
        return "internal"

    def _add_bases(self, holder: "Node", name: "Node") -> None:
        at = (holder.child_by_field_name("name") or name).start_byte
        self.findings.bases += [(at, base) for base in bases(holder, self._page)]

    def add_references(self) -> None:
        """Add calls, constructions and the use of components."""
        page = self._page
        calls = called(page, self._captures.get("callee", ()))
        components = called(page, self._captures.get("component", ()))
        calls += [call for call in components if call[2] or call[1][:1].isupper()]
        calls += [(node.start_byte, "constructor", "super") for node in self._captures.get("super", ())]
        self.findings.calls = [call for call in calls if call[1] != "require" or call[2]]

    def add_bindings(self, overloads: OutermostSpans) -> None:
        """Add the local types of variables, parameters and ``this.x``."""
        for node in self._captures.get("bound", ()):
            name = node.child_by_field_name("name")
            if name is not None:
                self._bind_typed(node, self._page.of(name), node.child_by_field_name("value"))
        fields = {node.start_byte for node in self._captures.get("parameter_field", ())}
        for node in self._captures.get("parameter", ()):
            pattern = node.child_by_field_name("pattern")
            if pattern is None or overloads.enclose(node.start_byte):
                continue
            text = self._page.of(pattern)
            type_name = self._type_of(node, None)
            if type_name:
                self.findings.parameters.append((node.start_byte, text, type_name))
            if node.start_byte in fields:
                self._bind_typed(node, f"self.{text}", None)
        for node in self._captures.get("this_bound", ()):
            left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None:
                self._bind_typed(node, f"self.{self._page.of(left).removeprefix('this.')}", value)
        self.findings.bindings += offered(self._captures, self._page)
        self._bind_returned()
        receivers = {call[2].partition(".")[0].rstrip("?!") for call in self.findings.calls}
        self.findings.parameters += declared(self._captures, self._page, self._type_parameters)
        self.findings.parameters += given(self._captures, self._page, receivers)
        narrow(self.findings, self._captures.get("tested", ()), self._page, type_name=typescript_type)
        bind_elements(self.findings, elements(self._captures, self._page))

    def _bind_returned(self) -> None:
        """Bind what functions return that don't say it."""
        parameters, known = self.findings.parameters, {name for _, name, _ in self.findings.bindings}
        for at, made in self._made:
            parameters += [(at, f"().{name}", said) for name, said in members(made, self._page)]
        values = [value for value in self._captures.get("returned", ()) if literal(value) is None]
        named = [value for value in values if value.type != "identifier" or self._page.of(value) in known]
        for at, value in returned(named, self._holders):
            if said := value_of(value, self._page):
                parameters.append((at, RETURNED, "Self" if said == "=this" else said))

    def _bind_typed(self, node: "Node", name: str, value: "Node | None") -> None:
        if type_name := self._type_of(node, value):
            self.findings.bindings.append((node.start_byte, name, type_name))

    def _type_of(self, node: "Node", value: "Node | None") -> str:
        annotation = node.child_by_field_name("type")
        if annotation is not None:
            return behind_signs(typescript_type(self._page.of(annotation)), self._type_parameters)
        return value_of(value, self._page)

    def _add_returned(self, name: "Node", holder: "Node | None", modifiers: str) -> None:
        """Bind what a function says that it returns; a getter's field is bound to it."""
        annotation = holder.child_by_field_name("return_type") if holder is not None else None
        written = self._page.of(annotation) if annotation is not None else ""
        promised = _PROMISE.fullmatch(written)
        type_name = behind_signs(typescript_type(promised[1] if promised else written), self._type_parameters)
        if holder is not None:
            self._bodies.add(holder.start_byte)
        if holder is not None and annotation is None:
            self._holders[holder.start_byte] = name.start_byte
        elif type_name == "this":
            type_name = "Self"
        if not _GETTER.search(modifiers):
            self.findings.add_returned(name.start_byte, type_name)
        elif type_name:
            self.findings.attributes.append((name.start_byte, f"self.{self._page.of(name)}", type_name))
