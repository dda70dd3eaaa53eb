"""The definitions of a JavaScript or TypeScript file, one by one: heads, documentation, visibility, types."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.margin import Margin
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import typescript_type
from ctxcode.codegraph.facts import RETURNED, TELLING
from ctxcode.codegraph.syntax.ecmascript.modules import exported_names
from ctxcode.codegraph.syntax.ecmascript.objects import bases, export_prefix, value_of
from ctxcode.codegraph.syntax.ecmascript.parts import fields
from ctxcode.codegraph.syntax.typescript.generics import Generics

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_EXPORTS = re.compile(rb"^[ \t\f\v]*+export\b", re.MULTILINE)
_KEYWORDS = (b"const", b"let", b"var")
"""What the first of several names stands behind."""
_RESTRICTED = re.compile(r"\b(private|protected)\b")
_PREDICATE = "type_predicate_annotation"
_ANSWERS = frozenset({_PREDICATE, "asserts_annotation"})
"""What stands in the place of a type and says what a function tells of what it is given."""
_PROMISE = re.compile(r":\s*Promise<(.*)>", re.DOTALL)
_GETTER = re.compile(r"\bget\s+\Z")
_DIRECTIVE = re.compile(r"//\s*+(?:eslint|@ts-|prettier|istanbul|c8|biome|#region|#endregion|/?\s*+<)")


def is_doc(comment: str) -> bool:
    """Whether a comment can be documentation and is no instruction to a tool."""
    return not _DIRECTIVE.match(comment)


def field_name(node: "Node", page: Page) -> "Node | None":
    """Return the name of a field; of ``static accessor total`` the grammar takes the keyword for it."""
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    unread = name.next_sibling if name is not None else None
    if name is not None and unread is not None and unread.type == "ERROR" and page.of(name) == "accessor":
        return unread.named_children[0] if unread.named_child_count == 1 else name
    return name


def is_constant(node: "Node", name: "Node", page: Page) -> bool:
    """Whether a field is its class's own and keeps what it is given."""
    modifiers = page.source[node.start_byte : name.start_byte]
    return b"static" in modifiers and (b"readonly" in modifiers or node.child_by_field_name("value") is not None)


class Definitions:
    """What a file defines, found one by one."""

    def __init__(self, captures: Captures, page: Page) -> None:
        self.findings = Findings()
        self.margin = Margin(page, captures.get("comment", ()), captures.get("decorator", ()))
        self.generics = Generics(captures, page)
        self.declared: set[int] = set()
        """Where the names stand of what is defined."""
        self.bodies: set[int] = set()
        """Where functions and classes begin that have a name."""
        self.holders: dict[int, int] = {}
        """Where functions begin that don't say what they return, to where their names stand."""
        self.functions: dict[int, Node] = {}
        """What has a body, by where its name stands."""
        self.signatures: set[int] = set()
        """Where declarations without a body end."""
        self._page = page
        self._exported = exported_names(captures, page)
        self._has_exports = _EXPORTS.search(page.source) is not None

    def add_signature(self, node: "Node", kind: str) -> None:
        """Add a function without a body; more of them, or the body, may follow."""
        self.add_named(node, kind)
        self.signatures.add(node.end_byte)

    def add_named(self, node: "Node", kind: str) -> None:
        """Add what has a name and a body of its own."""
        name = node.child_by_field_name("name")
        if name is not None:
            self.add(node, name, kind, node)

    def add(
        self, node: "Node", name: "Node", kind: str, holder: "Node | None", text: str = "", container: str = ""
    ) -> None:
        """Add the definition ``node``, whose body is in ``holder`` when it has one."""
        page, at, end = self._page, *node.byte_range
        if name.start_byte in self.declared:
            return
        self.declared.add(name.start_byte)
        prefix = export_prefix(at, page)
        above = self.margin.above(at - len(prefix))
        body = holder.child_by_field_name("body") if holder is not None else None
        header_end = page.trimmed(at, body.start_byte if body is not None else page.line_end(name.start_byte))
        header_end = min(header_end, end) if body is None else header_end
        signature_end = end if body is None else min(end, header_end)
        signature_start = at - len(prefix) if prefix else self.margin.behind_decorators(at, name.start_byte)
        text = text or page.of(name).strip("\"'`")
        text = " ".join(text.split()) if "\n" in text else text
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
            visibility=self._visibility(
                prefix or self._prefix_of_first(node), text, page.text(at, name.start_byte), kind
            ),
            container=container,
            is_leaf=kind in {"field", "variant"},
        )
        self.margin.document(found, above, is_doc)
        self.findings.definitions.append(found)
        self._add_returned(name, holder, page.text(at, name.start_byte))
        if holder is not None and holder is not node and holder.type == "class":
            # A name of its own means it inside of itself alone.
            self.findings.bases += [(name.start_byte, base) for base in bases(holder, page)]

    def _prefix_of_first(self, node: "Node") -> bytes:
        """Return what stands before the statement of a later declarator: ``export const a = 1, b = 2``."""
        at = node.start_byte
        if node.type != "variable_declarator" or self._page.source[max(0, at - 200) : at].rstrip().endswith(_KEYWORDS):
            return b""
        return export_prefix(node.parent.start_byte, self._page) if node.parent is not None else b""

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

    def add_bases(self, node: "Node") -> None:
        """Add what a class or interface extends."""
        at = (node.child_by_field_name("name") or node).start_byte
        self.findings.bases += [(at, base) for base in bases(node, self._page)]

    def bind_typed(self, node: "Node", name: str, value: "Node | None") -> None:
        """Bind a name to the type that its declaration or its value tells."""
        if type_name := self.type_of(node, value):
            self.findings.bindings.append((node.start_byte, name, type_name))

    def type_of(self, node: "Node", value: "Node | None") -> str:
        """Return the type that a declaration or its value tells; empty where neither does."""
        annotation = node.child_by_field_name("type")
        if annotation is not None:
            return self.generics.typed(node.start_byte, self._page.of(annotation))
        made = value.child_by_field_name("constructor") if value is not None else None
        given = value.child_by_field_name("type_arguments") if value is not None and made is not None else None
        if made is None or given is None:
            return value_of(value, self._page)
        return self.generics.typed(node.start_byte, f"{self._page.of(made)}{self._page.of(given)}")

    def _told_of_first(self, holder: "Node", annotation: "Node") -> str:
        """Return the type that a function tells its first argument to be; empty where it tells of another one."""
        taken = holder.child_by_field_name("parameters")
        if taken is None or not taken.named_children or not annotation.named_children:
            return ""
        first = taken.named_children[0].child_by_field_name("pattern")
        said, told = map(annotation.named_children[0].child_by_field_name, ("name", "type"))
        if first is None or said is None or told is None or self._page.of(first) != self._page.of(said):
            return ""
        return typescript_type(self._page.of(told))

    def _add_returned(self, name: "Node", holder: "Node | None", modifiers: str) -> None:
        """Bind what a function says that it returns; a getter's field is bound to it."""
        annotation = holder.child_by_field_name("return_type") if holder is not None else None
        is_type = annotation is not None and annotation.type not in _ANSWERS
        if holder is not None and annotation is not None and annotation.type == _PREDICATE:
            type_name = self._told_of_first(holder, annotation)
            if type_name.replace(".", "").isidentifier():
                self.findings.parameters.append((name.start_byte, TELLING, type_name))
        written = self._page.of(annotation) if annotation is not None and is_type else ""
        promised = _PROMISE.fullmatch(written)
        said = promised[1] if promised else written
        type_name = self.generics.typed(name.start_byte, said, name.parent)
        if holder is not None:
            self.bodies.add(holder.start_byte)
            self.functions[name.start_byte] = holder
        if holder is not None and annotation is None:
            self.holders[holder.start_byte] = name.start_byte
        elif type_name == "this":
            type_name = "Self"
        if not _GETTER.search(modifiers):
            self.findings.add_returned(name.start_byte, type_name)
            self._add_members_returned(name, annotation)
        elif type_name:
            self.findings.attributes.append((name.start_byte, f"self.{self._page.of(name)}", type_name))

    def _add_members_returned(self, name: "Node", annotation: "Node | None") -> None:
        """Bind what the object has whose type a function writes down: ``(): { cart: Cart }``, promised as well."""
        written = annotation.named_children[0] if annotation is not None and annotation.named_children else None
        if written is not None and written.type == "generic_type" and written.named_child_count > 1:
            is_promise = self._page.of(written.named_children[0]) == "Promise"
            given = written.named_children[1].named_children
            written = given[0] if is_promise and given else None
        if written is None or written.type != "object_type":
            return
        held = fields(written, self._page)
        self.findings.parameters += [(name.start_byte, f"{RETURNED}.{key}", said) for key, said in held if said]
