"""What is left to say of C and C++: declarators, static, sections of classes, includes."""

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, TypeGuard

from ctxcode.codegraph.extract.assemble import TYPE_KINDS
from ctxcode.codegraph.extract.findings import TEST, Findings
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.c_family.bodies import add_expanded
from ctxcode.codegraph.syntax.c_family.elements import (
    UNTOUCHED,
    bind_parameters,
    given,
    held_type,
    hide_types,
    set_apart,
    type_name,
)
from ctxcode.codegraph.syntax.c_family.overloads import OVERLOADING
from ctxcode.codegraph.syntax.c_family.tests import Declared, declared_by
from ctxcode.codegraph.syntax.matched.dialect import PROTOTYPE, Dialect, Shape, any_comment
from ctxcode.codegraph.syntax.notation import with_arrows

if TYPE_CHECKING:
    from tree_sitter import Node

_ACCESS = re.compile(r"public|protected|private")
_AROUND = frozenset({
    "declaration_list", "linkage_specification", "namespace_definition", "preproc_elif", "preproc_else", "preproc_if",
    "preproc_ifdef", "template_declaration",
})  # fmt: skip
_BETWEEN = frozenset({"preproc_elif", "preproc_else", "preproc_if", "preproc_ifdef", "template_declaration"})
_DEEPEST = 20
_TEMPLATES = frozenset({"base_class_clause", "template_declaration"})
_NOT_VARIABLES = frozenset({"preproc_arg", "using_declaration", *_TEMPLATES})
_USING = re.compile(r"using\s+(?:typename\s+)?(?:::)?((?:\w+::)+)(\w+)\s*;")
_WORD = re.compile(r"(?<![\w.:])[^\W\d]\w*")
_LONGEST_USING = 200
_STATEMENTS = frozenset({"else", "for", "if", "return", "switch", "while"})
"""Words that a broken source has where a name is expected: ``SET(a) if (b) {``."""
_NAMES = frozenset(
    {
        "identifier",
        "field_identifier",
        "type_identifier",
        "destructor_name",
        "operator_name",
        "namespace_identifier",
        "nested_namespace_specifier",
        "operator_cast",
        "primitive_type",
    }
)


_BLOCKS = frozenset({"compound_statement", "case_statement"})
_WORDS = frozenset({"identifier", "field_identifier", "type_identifier"})
"""Names that nothing stands around or in."""
_CAPITALS = re.compile(r"[A-Z_][A-Z0-9_]+")
_STANDARD = re.compile(r"std(?:(?:::|\.)\w+)*+")


def _old_function(declarator: "Node") -> "Node | None":
    """Return the name of a function without a type, ``main(argc) { … }``, which looks like a type of ``argc``.

    What a macro declares, ``TEST(name) { … }``, has the name in its parentheses.
    """
    parent = declarator.parent if declarator.type == "parenthesized_declarator" else None
    if parent is None or parent.type != "function_definition":
        return None
    name = parent.child_by_field_name("type")
    is_macro = name is None or name.text is None or _CAPITALS.fullmatch(name.text.decode("utf-8", "replace"))
    return None if is_macro else name


def _bare_name(declarator: "Node") -> "Node | None":
    """Return the name in parentheses that keep macros away, ``Size (max)() { … }``, which looks like a parameter."""
    inner = declarator.child_by_field_name("declarator")
    listed = inner.child_by_field_name("parameters") if _is_function_itself(inner) else None
    if listed is None or listed.named_child_count != 1:
        return None
    parent = declarator.parent
    if parent is None or parent.type != "function_definition" or parent.child_by_field_name("type") is not None:
        return None
    named = listed.named_children[0].named_children
    return named[0] if [one.type for one in named] == ["type_identifier"] else None


def _made_by_macro(declarator: "Node | None") -> "tuple[Node, Declared] | None":
    """Return the word that a macro takes for the name of a function, with what it makes of it; None for no macro.

    It has no type; what looks like one on the line above, ``TEST_END``, is another macro.
    """
    if declarator is None or not _is_function_itself(declarator):
        return None
    macro = declarator
    while (inner := macro.child_by_field_name("declarator")) is not None:
        macro = inner
    parent = declarator.parent if _is_capital(macro) else None
    if parent is None or parent.type != "function_definition" or _is_within_type(parent):
        return None
    written = parent.child_by_field_name("type")
    if written is not None and (written.start_point[0] == declarator.start_point[0] or not _is_capital(written)):
        return None
    head = (declarator.text or b"").decode("utf-8", "replace")
    made = declared_by(head)
    if made is None or (written is not None and made.name.isupper()):
        # ``BOOL RUN(LIST) {`` may have its type in the midst.
        return None
    at = declarator.start_byte + len(head[: made.at].encode())
    name = declarator.descendant_for_byte_range(at, at + 1)
    return (name, made) if name is not None else None


def _is_within_type(definition: "Node") -> bool:
    """Whether a function is a member where it stands, such as a constructor."""
    at = definition.parent
    while at is not None and at.type in _BETWEEN:
        at = at.parent
    return at is not None and at.type == "field_declaration_list"


def _is_capital(name: "Node") -> bool:
    text = (name.text or b"").decode("utf-8", "replace")
    return name.type in _NAMES and _CAPITALS.fullmatch(text) is not None


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    """Return what a declarator declares, without pointers, parameters and the type around it."""
    if node.type in _WORDS and not page.says(b"operator"):
        text = page.of(node)
        return node, "" if text in _STATEMENTS else text, ""
    at: Node | None = _old_function(node) or node
    if (made := _made_by_macro(node)) is not None:
        return made[0], made[1].name, made[1].container
    at = _bare_name(node) or at
    scopes: list[str] = []
    for _ in range(_DEEPEST):
        if at is None or at.type in _NAMES:
            break
        if at.type in {"qualified_identifier", "template_function", "template_type"}:
            scope = at.child_by_field_name("scope")
            if scope is not None:
                scopes.append(page.of(scope).partition("<")[0].strip())
            at = at.child_by_field_name("name")
        else:
            at = at.child_by_field_name("declarator") or (at.named_children[0] if at.named_child_count else None)
    if at is None or at.type not in _NAMES or page.of(at) in _STATEMENTS:
        return node, "", ""
    name = (
        "".join(page.of(at).replace("inline ", "").split())
        if at.type != "operator_cast"
        else page.of(at).partition("(")[0].strip()
    )
    if page.says(b"operator") and (owner := _converted(node, page)) and at.type == "identifier":
        name, scopes = f"operator {name}", [owner]
    return at, name.replace("::", "."), ".".join(scopes).replace("::", ".").strip(".")


def _converted(declarator: "Node", page: Page) -> str:
    """Return the class of a conversion, ``inline Cart::operator bool() { … }``, which looks like a type of ``bool``."""
    parent = declarator.parent
    written = (
        parent.child_by_field_name("type") if parent is not None and parent.type == "function_definition" else None
    )
    if written is None or written.type != "qualified_identifier":
        return ""
    owner, _, name = page.of(written).rpartition("::")
    return re.sub(r"<.*>", "", owner).strip() if name == "operator" else ""


def _refined(kind: str, node: "Node", page: Page) -> str:
    """Tell functions from variables by their declarators; prototypes outside classes are no definitions."""
    if kind == "struct" and node.type == "union_specifier":
        return kind
    if kind not in {"variable", "field", "method", "function"}:
        return kind
    holder = node.named_children[-1] if node.type == "template_declaration" else node
    declarator = holder.child_by_field_name("declarator")
    if kind == "function" and holder is node:
        if node.type == "function_definition" and _is_macros(declarator, node, page):
            return kind
        if (made := _made_by_macro(declarator)) is not None:
            return made[1].kind
    around = page.parent(node)
    is_member = around is not None and around.type == "field_declaration_list"
    if _is_function(declarator):
        if holder.type == "function_definition":
            return "method" if is_member else "function"
        if is_member:
            return "method"
        return PROTOTYPE if node.type == "declaration" and not _is_static(node) else ""
    if kind in {"method", "function"} or (kind == "variable" and _is_no_variable(declarator, node, page)):
        return ""
    is_extern = (
        page.source.startswith(b"extern", node.start_byte) and b"=" not in page.source[node.start_byte : node.end_byte]
    )
    if kind == "variable" and is_extern:
        return PROTOTYPE
    return "field" if kind == "variable" and is_member else kind


def _is_no_variable(declarator: "Node | None", node: "Node", page: Page) -> bool:
    """Whether a declaration is a friend's, or a local one that a condition stands around."""
    if page.source.startswith(b"friend", node.start_byte):
        return True
    around = page.parent(node)
    for _ in range(_DEEPEST):
        if around is None or around.type not in _BETWEEN:
            break
        around = page.parent(around)
    return (around is not None and around.type in _BLOCKS) or _is_attribute(declarator, node)


def _is_attribute(declarator: "Node | None", node: "Node") -> bool:
    """Whether what looks like the name of a variable says how its type is laid out: ``struct wire { … } __packed;``."""
    written = node.child_by_field_name("type") if declarator is not None and declarator.type == "identifier" else None
    is_made = written is not None and written.child_by_field_name("body") is not None
    return is_made and declarator is not None and (declarator.text or b"").startswith(b"__")


def _is_static(node: "Node") -> bool:
    return any(child.type == "storage_class_specifier" and child.text == b"static" for child in node.children)


def _is_macros(declarator: "Node | None", node: "Node", page: Page) -> bool:
    """Whether a definition's name stands alone in parentheses behind what looks like its type; none in a function."""
    if declarator is None or declarator.type != "parenthesized_declarator":
        return False
    around, written = page.parent(node), node.child_by_field_name("type")
    return (
        around is not None
        and around.type != "compound_statement"
        and [child.type for child in declarator.named_children] == ["identifier"]
        and written is not None
        and written.type == "type_identifier"
    )


def _is_function(node: "Node | None") -> bool:
    for _ in range(_DEEPEST):
        if node is None or node.type == "operator_cast":
            return node is not None
        if node.type == "function_declarator":
            inner = node.child_by_field_name("declarator")
            is_bare = inner is not None and inner.type == "parenthesized_declarator"
            # ``int (f)(int);`` keeps macros called ``f`` away; ``int (*f)(int);`` is a pointer.
            return inner is not None and (not is_bare or _is_name(inner))
        if node.type == "qualified_identifier":
            # ``Cart::operator bool() { … }``
            node = node.child_by_field_name("name")
            continue
        inner = node.child_by_field_name("declarator")
        node = inner or (
            node.named_children[0] if node.type == "reference_declarator" and node.named_child_count else None
        )
    return False


def _is_function_itself(node: "Node | None") -> "TypeGuard[Node]":
    return node is not None and node.type == "function_declarator"


def _is_name(brackets: "Node") -> bool:
    return [child.type for child in brackets.named_children] == ["identifier"]


def _visibility(shape: Shape) -> str:
    if shape.kind == TEST:
        return "private"
    if shape.kind in {"macro", "namespace", "variant"}:
        return "public"
    word = _ACCESS.search(shape.access)
    if word:
        return word[0]
    parent = shape.page.parent(shape.node)
    is_member = parent is not None and parent.type == "field_declaration_list"
    holder = shape.page.parent(parent) if parent is not None and is_member else None
    if holder is not None:
        return "private" if holder.type == "class_specifier" else "public"
    is_own = re.search(r"\bstatic\b", shape.modifiers) is not None or _is_hidden(shape.node, shape.page)
    return "private" if is_own else "public"


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    path = node.child_by_field_name("path")
    text = page.of(path).strip() if path is not None else ""
    is_own = text.startswith('"')
    module = text.strip('"<>') if is_own or text.startswith("<") else ""
    return [ImportFact(module, "*", "", int(is_own), page.line(node.start_byte), is_reexport=True)] if module else []


def _narrow(findings: Findings, nodes: list["Node"], page: Page) -> None:
    """Tell what macros call, and variables of one name apart."""
    bodies = [node for node in nodes if node.type == "preproc_arg"]
    add_expanded(findings, bodies, page)
    templates = [node for node in nodes if node.type in _TEMPLATES]
    bind_parameters(findings, templates, page)
    hide_types(findings, templates, page)
    _follow_using(findings, [node for node in nodes if node.type == "using_declaration"], page)
    set_apart(findings, [node for node in nodes if node.type not in _NOT_VARIABLES], page)


def _follow_using(findings: Findings, nodes: list["Node"], page: Page) -> None:
    """Write the types that ``using shop::Cart;`` brings into a block, namespace or file with all that is around them.

    Not where one so called is defined behind it. What it brings into a block stands before members, functions too.
    """
    spans, blocks = dict[str, list[tuple[int, int, str]]](), set[str]()
    for node in nodes:
        said = _USING.fullmatch(page.of(node)) if node.end_byte - node.start_byte <= _LONGEST_USING else None
        around = page.parent(node) if said is not None else None
        for _ in range(_DEEPEST):
            if around is None or around.type not in _BETWEEN:
                break
            around = page.parent(around)
        if said is not None and around is not None and around.type != "field_declaration_list":
            path = f"{said[1]}{said[2]}".replace("::", ".")
            spans.setdefault(said[2], []).append((node.end_byte, around.end_byte, path))
            if around.type == "compound_statement" and not path.startswith("std."):
                blocks.add(path)
    brought = _undefined(findings, spans) if spans else {}
    if brought:
        _write_whole(findings, brought, blocks)


def _write_whole(findings: Findings, brought: dict[str, Regions], blocks: set[str]) -> None:
    """Put whole names in the place of simple ones where regions say these, those in ``blocks`` for functions, too."""

    def whole(at: int, text: str) -> str:
        return _WORD.sub(lambda word: (brought[word[0]].name(at) if word[0] in brought else "") or word[0], text)

    for rows in (findings.bindings, findings.parameters, findings.attributes):
        rows[:] = [row if row[1].startswith(UNTOUCHED) else (row[0], row[1], whole(row[0], row[2])) for row in rows]
    findings.bases = [(base[0], whole(*base)) for base in findings.bases]
    variables = {name for rows in (findings.bindings, findings.parameters) for _, name, _ in rows}
    for name in variables & brought.keys():
        del brought[name]
    for row, (at, name, receiver) in enumerate(findings.calls):
        if receiver:
            findings.calls[row] = at, name, whole(at, receiver)
        elif (path := whole(at, name)) in blocks:
            findings.calls[row] = at, name, path.rpartition(".")[0]


def _undefined(findings: Findings, spans: dict[str, list[tuple[int, int, str]]]) -> dict[str, Regions]:
    """Return spans by name, without those in which a type of that name is defined."""
    defined: dict[str, list[int]] = {}
    for one in findings.definitions:
        if one.name in spans and (one.kind in TYPE_KINDS or one.kind == "type"):
            defined.setdefault(one.name, []).append(one.header)
    found = {}
    for name, each in spans.items():
        known = sorted(defined.get(name, ()))
        rows = [row for row in each if bisect_left(known, row[0]) == bisect_left(known, row[1])]
        if rows:
            found[name] = Regions(sorted(rows))
    return found


def _is_hidden(node: "Node", page: Page) -> bool:
    """Whether a definition stands in a namespace without a name."""
    at = page.parent(node)
    for _ in range(_DEEPEST):
        if at is None or at.type not in _AROUND:
            break
        if at.type == "namespace_definition" and at.child_by_field_name("name") is None:
            return True
        at = page.parent(at)
    return False


def _is_of_standard_library(receiver: str) -> bool:
    """Whether a call is one of ``std``: what a project adds there, ``swap``, is one of many that the library has."""
    return receiver.startswith("std") and _STANDARD.fullmatch(receiver) is not None


C = Dialect(
    is_doc=any_comment,
    visibility=_visibility,
    imports=_imports,
    declared=_declared,
    refined=_refined,
    type_name=type_name,
    narrow=add_expanded,
    is_method=_is_function,
    captures_bare=True,
)
CPP = C._replace(
    overloads=OVERLOADING,
    bound_type=held_type,
    paired=given,
    narrow=_narrow,
    pointed=with_arrows,
    is_outside=_is_of_standard_library,
)
