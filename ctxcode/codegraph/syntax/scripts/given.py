"""What functions of JavaScript and TypeScript give to one name after another, told apart by where it is meant."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.candidates import HEAD
from ctxcode.codegraph.extract.names.occurrences import occurrences
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.ecmascript.objects import Captures, value_of
from ctxcode.codegraph.syntax.narrowed.given import tell_apart
from ctxcode.codegraph.syntax.narrowed.giving import Language, Place

if TYPE_CHECKING:
    from tree_sitter import Node

_AHEAD = re.compile(rb"\s*(?:(?:\|\||&&|\?\?)?=(?![=>])|=>|[,):\]};?]|of\b|in\b)|[ \t]*[\r\n]")
_GOING_ON = frozenset(b"(.[")
"""What follows no name that is given something."""
_BLOCKS = frozenset({"catch_clause", "for_in_statement", "for_statement", "statement_block", "switch_body"})
_FUNCTIONS = frozenset({
    "arrow_function", "function_declaration", "function_expression", "generator_function",
    "generator_function_declaration", "method_definition",
})  # fmt: skip
_PARAMETERS = frozenset({"optional_parameter", "required_parameter"})
_PATTERNS = frozenset({
    "array_pattern", "assignment_pattern", "object_assignment_pattern", "object_pattern", "pair_pattern",
    "rest_pattern",
})  # fmt: skip
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_DEFAULT = frozenset({"??=", "||="})
_VAR, _PROGRAM = "variable_declaration", "program"
_ANYTHING = frozenset({"any", "object", "unknown"})
_LANGUAGE = Language(
    functions=_FUNCTIONS,
    inner=_FUNCTIONS,
    choosing=frozenset({"if_statement"}),
    branches=frozenset(
        {
            "expression_statement",
            "return_statement",
            "statement_block",
            "switch_case",
            "switch_default",
            "throw_statement",
        }
    ),
    passing=frozenset({"else_clause"}),
    last=frozenset({"else_clause"}),
    loops=frozenset({"do_statement", "for_in_statement", "for_statement", "while_statement"}),
    chosen={"binary_expression": 1, "ternary_expression": 1},
    leaving=re.compile(rb"(?:return|throw)\b"),
    nothing=frozenset({"array", "false", "null", "number", "regex", "string", "template_string", "true", "undefined"}),
    chained=frozenset({"if_statement"}),
    single=frozenset({"expression_statement", "return_statement", "throw_statement"}),
    failing=frozenset({"catch_clause", "switch_body", "try_statement"}),
    has_closures=True,
)


def tell_given(findings: Findings, page: Page, root: "Node", captures: Captures) -> None:
    """Give names of their own to what is meant of a name that is given several things one after the other."""
    names = _given_again(findings, page, captures)
    if not names:
        return
    bound = {at: said for at, _, said in (*findings.parameters, *findings.bindings)}
    known = dict[int, str]()
    places = [place for name, found in _found(names, page, root) for place in _Places(name, page, bound, known)(found)]
    tell_apart(findings, page, _LANGUAGE, places, known)


def _given_again(findings: Findings, page: Page, captures: Captures) -> set[str]:
    """Return the names of which something is called and that are given something without being declared there."""
    nodes = [*captures.get("given_later", ()), *captures.get("given_again", ())]
    again = {page.of(left) for node in nodes if (left := node.child_by_field_name("left")) is not None}
    if not again:
        return set()
    heads = {head[2] for _, _, said in findings.calls if said and (head := HEAD.match(said)) is not None}
    known = {name for _, name, _ in (*findings.bindings, *findings.parameters)}
    headers = {found.header for found in findings.definitions}
    documented = {name for at, name, _ in findings.parameters if at in headers}
    return (heads & known & again) - documented


def _found(names: set[str], page: Page, root: "Node") -> Iterator[tuple[str, list["Node"]]]:
    """Yield the nodes of each name that something may be given to."""
    found: dict[str, list[Node]] = defaultdict(list)
    for at, name in occurrences(page.source, {name.encode(): name for name in names}, going_on=_GOING_ON):
        end = at + len(name)
        node = root.descendant_for_byte_range(at, end) if _AHEAD.match(page.source, end) else None
        if node is not None and node.type in _NAMES and node.byte_range == (at, end):
            found[name.decode()].append(node)
    yield from found.items()


class _Places:
    """Where one name is declared, and given something else."""

    def __init__(self, name: str, page: Page, bound: dict[int, str], known: dict[int, str]) -> None:
        self._name, self._page, self._bound, self._known = name, page, bound, known
        self._scopes: list[tuple[int, int, bool]] = []
        """(start, end, whether a type is written) of what declares it."""

    def __call__(self, nodes: Sequence["Node"]) -> list[Place]:
        declared = [place for node in nodes if (place := self._declared(node)) is not None]
        given = [place for node in nodes if (place := self._assigned(node)) is not None]
        return [*declared, *given] if given else []

    def _declared(self, node: "Node") -> Place | None:
        """Return where it is declared, if that is what a node does."""
        around = self._page.around(node)
        at, binder = node, len(around) - 1
        while binder >= 0 and around[binder].type in _PATTERNS:
            at, binder = around[binder], binder - 1
        parent = around[binder] if binder >= 0 else None
        if parent is None or not self._is_bound(at, parent):
            return None
        is_whole, kind = at == node, parent.type
        value = parent.child_by_field_name("value") if is_whole and kind != "for_in_statement" else None
        if at.type == "assignment_pattern" and node.parent == at:
            value = at.child_by_field_name("right")
        annotation = parent.child_by_field_name("type") if is_whole else None
        is_typed = annotation is not None and self._page.of(annotation).lstrip(": ") not in _ANYTHING
        is_var = kind == "variable_declarator" and around[binder - 1].type == _VAR
        scope = _scope(around[: binder + 1], is_var=is_var)
        self._scopes.append((*scope, is_typed))
        self._know(node, value, is_typed=is_typed, is_told=not is_whole or kind != "variable_declarator")
        is_bare = kind == "variable_declarator" and value is None and is_whole
        behind = parent.end_byte if kind == "variable_declarator" else node.end_byte
        return Place(node, value, behind=behind, end=scope[1], start=scope[0], is_bare=is_bare)

    def _is_bound(self, at: "Node", parent: "Node") -> bool:
        kind = parent.type
        if kind == "for_in_statement":
            return parent.child_by_field_name("left") == at and parent.child_by_field_name("kind") is not None
        if kind in {"catch_clause", "arrow_function"}:
            return parent.child_by_field_name("parameter") == at
        if kind == "variable_declarator":
            return parent.child_by_field_name("name") == at
        return kind == "formal_parameters" or (kind in _PARAMETERS and parent.child_by_field_name("pattern") == at)

    def _assigned(self, node: "Node") -> Place | None:
        """Return where it is given something without being declared there, unless a type is written for it."""
        parent = node.parent
        kind = parent.type if parent is not None else ""
        if parent is None or parent.child_by_field_name("left") != node:
            return None
        inner = [scope for scope in self._scopes if scope[0] <= node.start_byte < scope[1]]
        start, end, is_typed = max(inner) if inner else (0, 0, True)
        if is_typed:
            return None
        if kind == "for_in_statement" and parent.child_by_field_name("kind") is None:
            return Place(node, start=start, end=end)
        value, operator = parent.child_by_field_name("right"), parent.child_by_field_name("operator")
        if kind == "assignment_expression":
            self._know(node, value, is_typed=False, is_told=False)
            return Place(node, value, parent.end_byte, start=start, end=end)
        if kind != "augmented_assignment_expression" or operator is None:
            return None
        is_default = operator.type in _DEFAULT
        value = value if is_default else None
        self._know(node, value, is_typed=False, is_told=False)
        return Place(
            node, value, behind=parent.end_byte, start=start, end=end, is_default=is_default and value is not None
        )

    def _know(self, node: "Node", value: "Node | None", *, is_typed: bool, is_told: bool) -> None:
        """Note what it is given: what is written, or what is told elsewhere."""
        said = value_of(value, self._page) if value is not None and not is_typed else ""
        if not said and (is_typed or is_told):
            said = self._bound.get(node.start_byte, "")
        if said and not said.startswith("?"):
            self._known[node.start_byte] = said


def _scope(around: Sequence["Node"], *, is_var: bool) -> tuple[int, int]:
    """Return from where to where what is declared is known, given the nodes around it, the outermost first."""
    for node in reversed(around):
        if node.type in _FUNCTIONS or node.type == _PROGRAM or (node.type in _BLOCKS and not is_var):
            return node.byte_range
    return around[0].byte_range
