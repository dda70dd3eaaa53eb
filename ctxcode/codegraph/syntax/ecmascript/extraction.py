"""What JavaScript and TypeScript files say."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings, OutermostSpans
from ctxcode.codegraph.extract.names.shadows import bind_elements
from ctxcode.codegraph.extract.objects.handed import handed, top_of
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.references import called
from ctxcode.codegraph.extract.type_names import is_capitalised, typescript_type
from ctxcode.codegraph.syntax.ecmascript.callbacks import declared, elements, given, is_of_type
from ctxcode.codegraph.syntax.ecmascript.commonjs import assigned_exports, exported_whole, is_unset, name_modules
from ctxcode.codegraph.syntax.ecmascript.definitions import Definitions, field_name, is_constant, is_doc
from ctxcode.codegraph.syntax.ecmascript.jsdoc import add_documented
from ctxcode.codegraph.syntax.ecmascript.modules import add_imports, is_require, is_required, name_own, own_name
from ctxcode.codegraph.syntax.ecmascript.objects import (
    export_prefix,
    follows_const,
    given_at_once,
    head_end,
    holder_of,
    is_unnamed,
    literal,
    made_of,
    members,
    names_of_this,
    object_bindings,
    offered,
    unpacked,
    unwrapped,
)
from ctxcode.codegraph.syntax.ecmascript.parts import bind_returned, objects_returned, parameters_apart, taken_apart
from ctxcode.codegraph.syntax.ecmascript.prototypes import calls_on_others, held_by_name, tell_classes
from ctxcode.codegraph.syntax.ecmascript.spot import join_given, made_on_the_spot
from ctxcode.codegraph.syntax.ecmascript.wrapped import mixed, registered, with_wrapped
from ctxcode.codegraph.syntax.narrowed.tests import narrow
from ctxcode.codegraph.syntax.overloads import merge_overloads
from ctxcode.codegraph.syntax.react.components import add_handed_on, bind_given, bind_untyped
from ctxcode.codegraph.syntax.react.slices import add_slices
from ctxcode.codegraph.syntax.scripts.own import tell_own

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_GLOBALS = frozenset({"exports", "module.exports", "window", "globalThis", "global", "self"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_PROTOTYPES = frozenset({"call_expression", "new_expression", "object", "parenthesized_expression"})
_MADE = frozenset({"call_expression", "new_expression"})
_BODIED = _FUNCTIONS | {"class"}
_METHODS = _FUNCTIONS | {"method_definition"}


def extract(captures: Captures, page: Page, path: str) -> Findings:
    """Return what a JavaScript or TypeScript file's captures say; documentation tells the types of JavaScript."""
    captures = with_wrapped(captures, page)
    script = _Script(captures, page)
    script.add_declarations()
    script.add_members()
    script.add_values()
    script.add_object_members()
    overloads = merge_overloads(script.findings.definitions, script.definitions.signatures, page)
    script.add_references()
    script.add_bindings(OutermostSpans(overloads), path)
    findings = script.findings
    add_imports(findings, captures, page, path)
    name_own(findings, script.own_named, page)
    add_documented(findings, captures, page, path)
    tell_own(findings, page, top_of(captures), captures)
    findings.parameters += bind_untyped(captures, page)
    tell_classes(findings, script.definitions.functions, page)
    name_modules(findings, page)
    findings.bindings += held_by_name(findings, captures, page)
    findings.calls += list(calls_on_others(findings))
    first_code = page.line_end(0) if page.source.startswith(b"#!") else 0
    findings.doc = script.definitions.margin.leading_doc(first_code, is_doc)
    return findings


class _Script:
    """One file on its way from captures to findings."""

    def __init__(self, captures: Captures, page: Page) -> None:
        self.definitions = Definitions(captures, page)
        self.findings = self.definitions.findings
        self._captures = captures
        self._page = page
        self._own_names = names_of_this(captures, page)
        self.own_named: list[tuple[Definition, str]] = []
        """(definition, what it is exported as) of what has another name of its own."""
        self._made: list[tuple[int, Node]] = []
        """(where its name stands, object literal) of functions that return one."""

    def add_declarations(self) -> None:
        """Add what is declared by its own keyword."""
        kinds = {"function": "function", "class": "class", "interface": "interface", "type": "type", "enum": "enum"}
        for capture, kind in kinds.items():
            for node in self._captures.get(capture, ()):
                self.definitions.add_named(node, kind)
                if kind in {"class", "interface"}:
                    self.definitions.add_bases(node)
                elif kind == "type":
                    self.findings.bases += made_of(node, self._page)
        for node in self._captures.get("namespace", ()):
            self.definitions.add_named(node, "namespace")
        for node in self._captures.get("function_signature", ()):
            self.definitions.add_signature(node, "function")

    def add_members(self) -> None:
        """Add what class and interface bodies hold."""
        for node in self._captures.get("method", ()):
            self.definitions.add_named(node, "method")
        for node in self._captures.get("method_signature", ()):
            self.definitions.add_signature(node, "method")
        for node in self._captures.get("field", ()):
            name, value = field_name(node, self._page), node.child_by_field_name("value")
            if name is None:
                continue
            if value is not None and value.type in _FUNCTIONS:
                self.definitions.add(node, name, "method", value)
            else:
                kind = "constant" if is_constant(node, name, self._page) else "field"
                self.definitions.add(node, name, kind, None)
            self.definitions.bind_typed(node, f"self.{self._page.of(name)}", value)
        for node in self._captures.get("parameter_field", ()):
            name = node.child_by_field_name("pattern")
            if name is not None:
                self.definitions.add(node, name, "field", None)
        for name in self._captures.get("variant", ()):
            whole = name.parent if name.parent is not None and name.parent.type == "enum_assignment" else name
            self.definitions.add(whole, name, "variant", None)

    def add_values(self) -> None:
        """Add what is declared by giving a name a value."""
        for node in self._captures.get("declared_function", ()):
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None:
                self.definitions.add(node, name, "class" if value.type == "class" else "function", value)
        add_handed_on(self.definitions, self._captures, self._page)
        named = [node.byte_range for node in self._captures.get("named_expression", ())]
        functions = OutermostSpans(self.findings.definitions, named)
        required = {node.start_byte for node in self._captures.get("required", ()) if is_require(node, self._page)}
        for node in self._captures.get("declared", ()):
            if node.start_byte not in required:
                self._add_declared(node)
        for node in self._captures.get("default", ()):
            value = unwrapped(node.child_by_field_name("value"))
            if value is not None:
                name = value.child_by_field_name("name")
                kind = {"class": "class", "object": "constant"}.get(value.type, "function")
                self.definitions.add(node, name or value, kind, value, "" if name else "default")
                self._add_members(value)
        for node in (*self._captures.get("assigned_function", ()), *self._captures.get("assigned_value", ())):
            self._add_assigned(node, functions)
        for node in self._captures.get("assigned_member", ()):
            self._add_prototype(node)
        for node in self._captures.get("assigned_again", ()):
            self._add_again(node, functions)
        self._add_held_functions()
        self._add_called()
        for node in self._captures.get("named_expression", ()):
            self.definitions.add_named(node, "function")

    def _add_declared(self, node: "Node") -> None:
        name = node.child_by_field_name("name")
        if name is not None and name.type.endswith("_pattern"):
            self._add_unpacked(node, name)
        if name is None or name.type != "identifier" or name.start_byte in self.definitions.declared:
            return
        prefix = export_prefix(node.start_byte, self._page)
        is_const = b"const" in prefix or (not prefix and follows_const(node))
        if self._add_named_at_once(node, name):
            return
        self.definitions.add(node, name, "constant" if is_const else "variable", None)
        self._add_members(node.child_by_field_name("value"))
        at = head_end(node)
        if at is not None:
            head = self.definitions.margin.signature(node.start_byte - len(prefix), at)
            self.findings.definitions[-1].signature = head

    def _add_named_at_once(self, node: "Node", name: "Node") -> bool:
        """Add a function that has a name behind a dot as well, if it is one: ``var Menu = exports.Menu = function``."""
        inner = node.child_by_field_name("value")
        targets, value = given_at_once(inner, self._page) if inner is not None else ([], None)
        header = self._property_of(inner)
        if inner is None or header is None or value is None or len(targets) != 1 or value.type not in _BODIED:
            return False
        owner, kind = targets[0][0], "class" if value.type == "class" else "function"
        self.definitions.add(node, name, kind, value)
        if owner in _GLOBALS or targets[0] == ("module", "exports"):
            self.definitions.declared.add(header.start_byte)
        else:
            self.definitions.add(inner, header, kind, None, "", owner.removesuffix(".prototype").rpartition(".")[2])
            self.findings.definitions[-1].is_leaf = True
        return True

    def _add_unpacked(self, node: "Node", pattern: "Node") -> None:
        """Add the names that a value is taken apart into: ``const { a, b: c } = d``."""
        prefix = export_prefix(node.start_byte, self._page)
        kind = "constant" if b"const" in prefix or follows_const(node) else "variable"
        signature = self.definitions.margin.signature(node.start_byte - len(prefix), node.end_byte)
        for name in unpacked(pattern):
            self.definitions.add(name, name, kind, None)
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
        is_own = owner == "this" or owner in self._own_names
        if header is None or (not is_own and functions.enclose(node.start_byte) and not is_unnamed(value)):
            return
        if name == "prototype" and value.type in _PROTOTYPES:
            made = literal(value)
            self._add_methods(made, owner.rpartition(".")[2]) if made is not None else None
            return
        kind = "class" if value.type == "class" else "function"
        if value.type not in _FUNCTIONS and kind == "function":
            if is_required(value, self._page) or (owner in _GLOBALS and is_unset(value)):
                return
            kind = "constant" if owner in _GLOBALS or target == "module.exports" else "variable"
        own, known = own_name(owner, name, value), "default" if target == "module.exports" else name
        name, header = (known, header) if own is None else (self._page.of(own), own)
        container = "" if is_own or {owner, target} & _GLOBALS else owner.removesuffix(".prototype")
        self.definitions.add(node, header, kind, value, name, container.rpartition(".")[2])
        self.findings.definitions[-1].is_kept = is_own and value.type in _BODIED
        if name != known:
            self.findings.bindings.append((len(self._page.source), f".{known}", f"={name}"))
            self.own_named.append((self.findings.definitions[-1], known))
        self._add_members(value)

    def _add_again(self, node: "Node", functions: OutermostSpans) -> None:
        """Add what a function is called beside its first name: ``Menu.open = Menu.show = function () {}``.

        An object that is a prototype is one whatever else it is called.
        """
        (targets, value), header = given_at_once(node, self._page), self._property_of(node)
        if value is None or header is None or functions.enclose(node.start_byte):
            return
        (owner, name), (first_owner, first) = targets[0], targets[-1]
        if name == "prototype" or (first == "prototype" and len(targets) == 2):
            held, prototyped = literal(value), owner if name == "prototype" else first_owner
            if held is not None:
                self._add_methods(held, prototyped.rpartition(".")[2])
        elif value.type in _FUNCTIONS and owner in _GLOBALS:
            own = value.child_by_field_name("name")
            known = self._page.of(own) if own is not None and first == "exports" else first
            self.findings.bindings.append((len(self._page.source), f".{name}", f"={known}"))
        elif value.type in _FUNCTIONS and not owner.endswith(".prototype") and owner != "this" and name != "exports":
            self.definitions.add(node, header, "function", None, "", owner.rpartition(".")[2])
            self.findings.definitions[-1].is_leaf = True

    def _property_of(self, assignment: "Node | None") -> "Node | None":
        left = assignment.child_by_field_name("left") if assignment is not None else None
        return left.child_by_field_name("property") if left is not None else None

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
            self.definitions.add(node, header, "function", None, "", name)
            # What the same function is called too stands beside it, not in it.
            self.findings.definitions[-1].is_leaf = True

    def _add_held_functions(self) -> None:
        """Add functions given to names that exist already, and what functions called on the spot make."""
        for node in self._captures.get("named_function", ()):
            name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            if name is not None and value is not None:
                self.definitions.add(node, name, "function", value)
        for node in self._captures.get("made_function", ()):
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None:
                is_function = value.named_children[0].type == "function_expression"
                self.definitions.add(node, name, "function" if is_function else "variable", None)
        for node in self._captures.get("named_member", ()):
            # Nobody around it knows it by its name.
            if node.start_byte not in self.definitions.bodies:
                self.definitions.add_named(node, "method")

    def _add_called(self) -> None:
        """Add names that are given something without being declared, and what calls define."""
        known = {found.name for found in self.findings.definitions}
        for node in self._captures.get("assigned_global", ()):
            name, value = node.child_by_field_name("left"), given_at_once(node, self._page)[1]
            held = literal(value)
            if name is None or (held is None and value is not node.child_by_field_name("right")):
                continue
            if self._page.of(name) not in known:
                self.definitions.add(node, name, "variable", None)
                self._add_members(value)
            elif held is not None:
                self._add_methods(held, self._page.of(name))
        for call, written, registered_name in registered(self._captures, self._page):
            self.definitions.add(call, written, "constant", None, registered_name)
        for owner, held in mixed(self._captures, self._page):
            self._add_methods(held, "" if owner in _GLOBALS else owner.rpartition(".")[2])

    def _add_methods(self, held: "Node", container: str) -> None:
        """Add the functions in an object literal as another's."""
        for node in held.named_children:
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if node.type == "method_definition":
                key, value = node.child_by_field_name("name"), node
            if key is not None and value is not None and value.type in _METHODS:
                self.definitions.add(node, key, "function", value, "", container)

    def add_object_members(self) -> None:
        """Add functions inside object literals that belong to something with a name."""
        add_slices(self.definitions, self._captures, self._page)
        values = {"constant", "variable"}
        constants = OutermostSpans([found for found in self.findings.definitions if found.kind in values])
        everything = OutermostSpans(self.findings.definitions)
        for node in self._captures.get("object_method", ()):
            if everything.enclose(node.start_byte):
                self.definitions.add_named(node, "method")
        for node in self._captures.get("object_function", ()):
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is None or value is None:
                continue
            if constants.enclose(node.start_byte):
                self.definitions.add(node, key, "method", value)
            elif (holder := holder_of(node, self._page)) is not None:
                is_inside = everything.enclose(node.start_byte)
                self.definitions.add(node, key, "method", value, "", "" if is_inside else holder)
        self._made = list(objects_returned(self._captures, self._page, self.definitions.holders))
        for _, made in self._made:
            for node in made.named_children:
                key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
                if key is not None and value is not None and value.type in _FUNCTIONS:
                    self.definitions.add(node, key, "method", value)

    def add_references(self) -> None:
        """Add calls, constructions and the use of components."""
        calls = called(self._page, self._captures.get("callee", ()))
        components = called(self._page, self._captures.get("component", ()))
        calls += [call for call in components if call[2] or call[1][:1].isupper()]
        calls += [(node.start_byte, "constructor", "super") for node in self._captures.get("super", ())]
        self.findings.calls = [call for call in calls if call[1] != "require" or call[2]]

    def add_bindings(self, overloads: OutermostSpans, path: str) -> None:
        """Add the local types of variables, parameters and ``this.x``."""
        for node in self._captures.get("bound", ()):
            name = node.child_by_field_name("name")
            if name is not None:
                self.definitions.bind_typed(node, self._page.of(name), node.child_by_field_name("value"))
        fields = {node.start_byte for node in self._captures.get("parameter_field", ())}
        for node in self._captures.get("parameter", ()):
            pattern = node.child_by_field_name("pattern")
            if pattern is None or overloads.enclose(node.start_byte) or is_of_type(node):
                continue
            text = self._page.of(pattern).removeprefix("...").lstrip()
            value = node.child_by_field_name("value")
            if type_name := self.definitions.type_of(node, value):
                self.findings.parameters.append((node.start_byte, text, type_name))
            if node.start_byte in fields:
                self.definitions.bind_typed(node, f"self.{text}", value)
        for node in (*self._captures.get("this_bound", ()), *self._captures.get("this_named", ())):
            left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            is_class = value is not None and is_capitalised(self._page.of(value).rpartition(".")[2])
            if left is not None and (is_class or value is None or value.type in _MADE):
                self.definitions.bind_typed(node, f"self.{self._page.of(left).removeprefix('this.')}", value)
        for bound in (taken_apart, offered, assigned_exports, made_on_the_spot):
            self.findings.bindings += bound(self._captures, self._page)
        known = {found.name for found in self.findings.definitions} | {name for _, name, _ in self.findings.bindings}
        if known.isdisjoint({"default", ".default"}):
            self.findings.bindings += exported_whole(self._captures, self._page)
        join_given(self.findings, self._captures, self._page)
        self._bind_returned()
        self.definitions.generics.add_places(self.findings)
        receivers = {call[2].partition(".")[0].rstrip("?!") for call in self.findings.calls}
        self.findings.parameters += parameters_apart(self._captures, self._page)
        self.findings.parameters += declared(self._captures, self._page, self.definitions.generics.bounded)
        self.findings.parameters += given(self._captures, self._page, receivers)
        self.findings.parameters += bind_given(self._captures, self._page)
        self.findings.calls += handed(self.findings, self._page, top_of(self._captures), "typescript", path)
        tested = self._captures.get("tested", ())
        narrow(self.findings, tested, self._page, type_name=typescript_type, language="typescript")
        bind_elements(self.findings, elements(self._captures, self._page))

    def _bind_returned(self) -> None:
        """Bind what functions return that don't say it."""
        for at, of in self._made:
            self.findings.add_given(of.start_byte, [(at, f"().{key}", said) for key, said in members(of, self._page)])
        known = frozenset(name for _, name, _ in self.findings.bindings), frozenset(at for at, _ in self._made)
        bind_returned(self.findings, self._captures, self._page, self.definitions.holders, known)
