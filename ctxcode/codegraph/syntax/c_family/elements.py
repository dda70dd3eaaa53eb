"""What types of C++ hold, and what its variables are given whose types nobody writes down: ``auto``."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import ADDRESS, EACH, POINTED_AT, call_of, plain_expression
from ctxcode.codegraph.extract.findings import TEST, Findings
from ctxcode.codegraph.extract.names.shadows import Shadows
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import APPLIED, ARGUMENTS, AT_TOP, PARAMETER, PARAMETERS, RETURNED
from ctxcode.codegraph.syntax.java.elements import inside
from ctxcode.codegraph.syntax.notation import tidy, with_arrows

if TYPE_CHECKING:
    from tree_sitter import Node

_SMART = re.compile(r"(?:std::)?(?:unique_ptr|shared_ptr|weak_ptr|optional|reference_wrapper)\s*<(.*)>", re.DOTALL)
_WORDS_BEFORE = re.compile(r"\b(?:const|volatile|struct|class|typename|mutable)\b")
_QUALIFIERS = re.compile(rf"{_WORDS_BEFORE.pattern}|[*&]")
_ARGUMENTS = re.compile(r"<[^<>]*>(?=\s*::)")
_HOLDING = re.compile(r"((?:\w+\s*::\s*)*)(\w+)\s*<(.*)>", re.DOTALL)
_SEQUENCES = frozenset({
    "array", "deque", "forward_list", "initializer_list", "list", "multiset", "priority_queue", "queue", "set", "span",
    "stack", "unordered_multiset", "unordered_set", "valarray", "vector",
})  # fmt: skip
_MAPPINGS = frozenset({"flat_hash_map", "flat_map", "map", "multimap", "unordered_map", "unordered_multimap"})
_GIVING = re.compile(
    r"(?:std::)?(?:make_(?:unique|shared)|(?:static|dynamic|const|reinterpret)_(?:pointer_)?cast)\s*<(.*)>", re.DOTALL
)
"""Calls that give what stands between their brackets."""
_BLOCKS = frozenset({
    "catch_clause", "compound_statement", "expression_statement", "for_range_loop", "for_statement", "if_statement",
    "lambda_expression", "return_statement", "switch_statement", "while_statement",
})  # fmt: skip
_FUNCTIONS = frozenset({"function", "method", TEST})
_NO_ARGUMENT = re.compile(
    r"(?:[A-Z]|_?T[A-Z0-9]\w*|_T\w+|auto|bool|char|double|float|int|long|short|signed|size_t|unsigned|void|w?u?int\d*_t)?"
)
"""Types that have no methods, and what type parameters are called."""
_TYPES = frozenset({"class_specifier", "struct_specifier"})
_NAMES = frozenset({"field_identifier", "identifier"})
_POINTERS = frozenset({"abstract_pointer_declarator", "array_declarator", "pointer_declarator"})
_NAMING = frozenset({"optional_type_parameter_declaration", "type_parameter_declaration"})
_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
_HIDING = "⁰"
POINTER = "@"
"""What stands before the type of what a pointer or an array leads to."""
_AT_TOP = re.compile(r"\s*+(?:(?:class|const|enum|struct|typename|volatile)\s++)*+::")
UNTOUCHED = (PARAMETERS, ARGUMENTS)
_PAIR = 2
_LONGEST = 200
_DEEPEST = 4


def type_name(text: str) -> str:
    """Return the type behind pointers, references, ``const`` and smart pointers."""
    smart = _SMART.fullmatch(text.strip())
    text = _QUALIFIERS.sub("", inside(smart[1])[0] if smart else text).partition("{")[0].strip()
    for _ in range(_DEEPEST if ">::" in text else 0):
        text = _ARGUMENTS.sub("", text)
    return dotted_name(text)


def held_type(text: str, deep: int = _DEEPEST) -> str:
    """Return the same with what a collection of the library holds: ``std.vector<A>``, ``map<A>``.

    Of any other template it is what that is given: ``Ref<~A>``.
    """
    written = _WORDS_BEFORE.sub("", text[:_LONGEST]).strip(" \t\n*&") if "<" in text else ""
    if (smart := _SMART.fullmatch(written)) is not None and deep:
        return behind_pointer(held_type(inside(smart[1])[0], deep - 1))
    holding = _HOLDING.fullmatch(written) if deep else None
    is_mapping = holding is not None and holding[2] in _MAPPINGS
    if holding is None:
        name = type_name(text)
        return f"{AT_TOP}{name}" if name and _AT_TOP.match(text) is not None else name
    if not (is_mapping or holding[2] in _SEQUENCES):
        return type_name(text) if "*" in text.rpartition(">")[2] else _applied(type_name(text), holding, deep)
    parts, outer = inside(holding[3]), dotted_name(f"{holding[1]}{holding[2]}")
    inner = held_type(parts[1], deep - 1) if is_mapping and len(parts) >= _PAIR else ""
    inner = inner if is_mapping else held_type(parts[0], deep - 1)
    return f"{outer}<{inner}>" if inner and outer else outer


def behind_pointer(held: str) -> str:
    """Return a type without what a template is given: what stands behind the arrow of a pointer to one is its own."""
    outer, _, given = held.partition("<")
    return outer if given[:1] == APPLIED else held


def _applied(name: str, holding: re.Match[str], deep: int) -> str:
    """Return a template with the types that it is given, as far as these can have methods."""
    if not name or name.startswith("std."):
        return name
    types = [held_type(part, deep - 1) for part in inside(holding[3])]
    types = ["" if ";" in one or _NO_ARGUMENT.fullmatch(one) else one for one in types]
    return f"{name}<{APPLIED}{';'.join(types)}>" if any(types) else name


def bind_parameters(findings: Findings, nodes: Iterable["Node"], page: Page) -> None:
    """Bind what of a template's own parameters its members are, and what types put in place of those of their bases.

    ``nodes`` are templates of types, and clauses that name bases of which some are templates.
    """
    told = set[int]()
    findings.parameters, said = [], findings.parameters
    for node in dict.fromkeys(nodes):
        if node.type == "template_declaration":
            of = node.named_children[-1]
            own = _taken(of, _parameters(node, page), page)
            body = of.child_by_field_name("body") if of.type in _TYPES else None
            for member in body.named_children if own and body is not None else ():
                _bind_member(findings, member, own, page)
            if of.type == "alias_declaration" and (at := _bind_alias(findings, of, own, page)) >= 0:
                told.add(at)
            if of.type == "function_definition" and (outer := _outer_arguments(of, page)):
                _bind_member(findings, of, outer, page)
        elif (around := page.parent(node)) is not None and (name := around.child_by_field_name("name")) is not None:
            own = _taken(around, _parameters(page.parent(around), page), page)
            for base in node.named_children:
                findings.attributes += [(name.start_byte, *each) for each in _arguments(base, own, page)]
    known = [row for row in said if row[0] not in told or row[1] != RETURNED] if told else said
    findings.parameters = known + findings.parameters


def hide_types(findings: Findings, nodes: Iterable["Node"], page: Page) -> None:
    """Tell what a template takes from types that are called alike, by a zero behind the name where that holds.

    One letter is no type's name. What a template makes of such a type, or inherits from it, is nothing that is known.
    """
    spans = dict[str, list[tuple[int, int]]]()
    for node in nodes:
        for name in _parameters(node, page) if node.type == "template_declaration" else ():
            if len(name) > 1:
                spans.setdefault(name, []).append(node.byte_range)
    if not spans:
        return
    for each in spans.values():
        each.sort()
    for rows in (findings.bindings, findings.parameters, findings.attributes):
        for row, (at, name, bound) in enumerate(rows):
            if not name.startswith(UNTOUCHED):
                rows[row] = (at, name, _hidden(bound, at, spans))
    findings.bases = [base for base in findings.bases if _hidden(base[1], base[0], spans) == base[1]]
    calls = [(at, name, _hidden(receiver, at, spans)) for at, name, receiver in findings.calls]
    findings.calls = [call for call in calls if call[2] or _hidden(call[1], call[0], spans) == call[1]]


def _hidden(text: str, at: int, spans: dict[str, list[tuple[int, int]]]) -> str:
    """Return a text with a zero behind each name that hides a type on a byte."""
    if spans.keys().isdisjoint(_WORD.findall(text)):
        return text
    return _WORD.sub(
        lambda found: f"{found[0]}{_HIDING}" if _is_inside(spans.get(found[0], ()), at) else found[0], text
    )


def _is_inside(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether a byte is in one of some spans, in order, none of which begins in another."""
    row = bisect_right(spans, (at, sys.maxsize)) - 1
    return row >= 0 and at < spans[row][1]


def _bind_member(findings: Findings, member: "Node", own: Sequence[str], page: Page) -> None:
    """Bind which parameter of its template a method gives, or a field is."""
    of, declared = member.child_by_field_name("type"), member.child_by_field_name("declarator")
    if of is None or declared is None or of.end_byte - of.start_byte > _LONGEST:
        return
    at = declared
    while (inner := _inner(at)) is not None and at.type != "function_declarator":
        at = inner
    written, which = page.of(of), _place(page.of(of), own, is_pointer=is_pointer(declared))
    if at.type == "function_declarator":
        if which:
            findings.parameters.append((declared.start_byte, PARAMETER, which))
        elif at is declared and (applied := _given_on(written, own)):
            findings.add_returned(declared.start_byte, applied)
    elif at.type == "field_identifier" and which:
        findings.bindings.append((at.start_byte, f"self.{PARAMETER}.{page.of(at)}", which))


def _bind_alias(findings: Findings, alias: "Node", own: Sequence[str], page: Page) -> int:
    """Bind which of its parameters another name for types stands for, or what it gives to a template of others.

    Returns the byte on which the name stands; -1 where it is the name of something else.
    """
    name, of = alias.child_by_field_name("name"), alias.child_by_field_name("type")
    if name is None or of is None or of.end_byte - of.start_byte > _LONGEST:
        return -1
    written = page.of(of)
    which, applied = _place(written, own, is_pointer=False), _given_on(written, own)
    if which:
        findings.bindings.append((name.start_byte, PARAMETER, which))
    elif applied:
        findings.add_returned(name.start_byte, applied)
    return name.start_byte if which or applied else -1


def is_pointer(declarator: "Node") -> bool:
    """Whether a declarator makes what it names a pointer, or an array, which is one before an arrow."""
    inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    return inner is not None and inner.type in _POINTERS


def is_array(declarator: "Node") -> bool:
    """Whether a declarator makes what it names an array of objects."""
    inner = declarator.child_by_field_name("declarator")
    return declarator.type == "array_declarator" and inner is not None and inner.type in _NAMES


def _taken(of: "Node", own: Sequence[str], page: Page) -> Sequence[str]:
    """Return the parameters of a template by their places in its type, which one for some of its types names itself."""
    name = of.child_by_field_name("name") if of.type in _TYPES else None
    if name is None or name.type != "template_type" or name.end_byte - name.start_byte > _LONGEST:
        return own if name is None or name.type != "template_type" else ()
    written = map(str.strip, inside(page.of(name).partition("<")[2].removesuffix(">")))
    return [each if each in own else "" for each in written]


def _place(written: str, own: Sequence[str], *, is_pointer: bool) -> str:
    """Return which of a template's parameters a type is, ``0``, holds, ``?0``, or points at, ``@0``; else nothing."""
    outer, _, name = held_type(written).removesuffix(">").rpartition("<")
    sign = "" if not outer else "%" if outer.rpartition(".")[2] in _MAPPINGS else "?"
    sign += POINTER if is_pointer or "*" in written or _SMART.fullmatch(written) is not None else ""
    return f"{sign}{own.index(name)}" if name and name in own else ""


def _given_on(written: str, own: Sequence[str]) -> str:
    """Return a template that is given some of the parameters of the one around it, ``Ref<~<0>>``; empty for another."""
    holding = _HOLDING.fullmatch(_QUALIFIERS.sub("", written).strip()) if "<" in written else None
    held = list(map(str.strip, inside(holding[3]))) if holding is not None else []
    if not any(each in own for each in held):
        return ""
    name, types = type_name(written), [f"<{own.index(each)}>" if each in own else "" for each in held]
    return f"{name}<{APPLIED}{';'.join(types)}>" if name and not name.startswith("std.") else ""


def _outer_arguments(function: "Node", page: Page) -> list[str]:
    """Return what the type is given that a function outside of it is a member of: ``T Ref<T>::get() { … }``."""
    at = function.child_by_field_name("declarator")
    for _ in range(_DEEPEST):
        if at is None or at.type == "qualified_identifier":
            break
        at = at.child_by_field_name("declarator") or _inner(at)
    scope = at.child_by_field_name("scope") if at is not None else None
    if scope is None or scope.type != "template_type" or scope.end_byte - scope.start_byte > _LONGEST:
        return []
    return list(map(str.strip, inside(page.of(scope).partition("<")[2].removesuffix(">"))))


def _inner(declarator: "Node") -> "Node | None":
    if declarator.type not in {"pointer_declarator", "reference_declarator"} or not declarator.named_child_count:
        return None
    return declarator.named_children[-1]


def _parameters(template: "Node | None", page: Page) -> list[str]:
    """Return the names of what a template takes, an empty one for what is no type; none for what is no template."""
    listed = template.child_by_field_name("parameters") if template is not None else None
    return [_parameter(each, page) for each in listed.named_children] if listed is not None else []


def _parameter(parameter: "Node", page: Page) -> str:
    if parameter.type not in _NAMING or not parameter.named_child_count:
        return ""
    named = parameter.named_children[0]
    is_default = named == parameter.child_by_field_name("default_type")
    return "" if is_default else page.of(named)


def _arguments(base: "Node", own: Sequence[str], page: Page) -> Iterator[tuple[str, str]]:
    """Yield (name, types) for what a type puts in the place of the parameters of a base."""
    holding = _HOLDING.fullmatch(page.of(base)) if base.end_byte - base.start_byte <= _LONGEST else None
    if holding is None:
        return
    types = [f"<{own.index(each)}>" if each in own else held_type(each) for each in map(str.strip, inside(holding[3]))]
    types = ["" if "," in one or _NO_ARGUMENT.fullmatch(one) else one for one in types]
    if any(types):
        yield f"{ARGUMENTS}{holding[2]}", ",".join(types)


def given(names: "Node", value: "Node", page: Page) -> list[tuple[int, str, str]]:
    """Return what is bound, and to what, where a variable without a written type is given a value or each of many."""
    said, around = _value(value, page), names.parent
    is_each = around is not None and around.type == "for_range_loop"
    at = names
    while at.type in {"reference_declarator", "pointer_declarator", "init_declarator"} and at.named_child_count:
        at = at.named_children[-1] if at.type != "init_declarator" else at.named_children[0]
    name = page.of(at)
    if at.type == "structured_binding_declarator" and at.named_child_count == _PAIR:
        name, is_pair = page.of(at.named_children[1]), True
    else:
        is_pair = False
    if not said or not name.isidentifier() or (is_pair and not is_each):
        return []
    said = f"{said}.{EACH}" if is_each else said
    said = f"{said}.second" if is_pair else said
    return [(names.start_byte, name, said if said[-1] == ")" else f"={said}")] if said != name else []


def _value(node: "Node", page: Page) -> str:
    """Return the expression for a value: names, dots and calls; what is made is a call of its class."""
    if node.end_byte - node.start_byte > _LONGEST and node.type != "call_expression":
        return ""
    if node.type == "call_expression":
        callee = node.child_by_field_name("function")
        written = page.of(callee) if callee is not None else ""
        made = _GIVING.fullmatch(written)
        if made is not None:
            name = type_name(made[1])
            return f"{name}()" if name else ""
        return call_of(tidy(with_arrows(written[:_LONGEST]), ""))
    if node.type == "compound_literal_expression":
        of = node.child_by_field_name("type")
        name = type_name(page.of(of)) if of is not None else ""
        return f"{name}()" if name else ""
    if node.type == "pointer_expression":
        inner = node.child_by_field_name("argument")
        said = _value(inner, page) if inner is not None else ""
        sign = ADDRESS if page.source.startswith(b"&", node.start_byte) else POINTED_AT
        return f"{said}.{sign}" if said not in {"", "this"} else said
    if node.type in {"field_expression", "identifier", "qualified_identifier", "subscript_expression"}:
        return plain_expression(tidy(with_arrows("".join(page.of(node).split())), ""))
    return ""


def set_apart(findings: Findings, nodes: Iterable["Node"], page: Page) -> None:
    """Give variables of a function that go by one name a name each, where they are of several types.

    ``nodes`` are the declarators of variables, parameters and loops.
    """
    del page
    functions, end = list[tuple[int, int]](), 0
    for start, stop in sorted((one.start, one.end) for one in findings.definitions if one.kind in _FUNCTIONS):
        if start >= end:
            functions.append((start, stop))
            end = stop
    Shadows(functions, _BLOCKS, _holder).set_apart(findings, {node.start_byte: node for node in nodes})


def _holder(declarator: "Node") -> "Node":
    """Return what a variable is declared in; of what an ``if`` asks for the statement behind it."""
    declaration = declarator.parent
    if declaration is None:
        return declarator
    clause = declaration.parent
    around = clause.parent if clause is not None and clause.type == "condition_clause" else None
    behind = around.child_by_field_name("consequence") if around is not None else None
    return behind if behind is not None and behind.type in _BLOCKS else declaration
