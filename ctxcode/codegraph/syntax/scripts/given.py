"""What functions of JavaScript and TypeScript give to one name after another, told apart by where it is meant."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.candidates import HEAD, is_followed
from ctxcode.codegraph.extract.names.occurrences import occurrences
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ANYTHING
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
_LIST = "formal_parameters"
_PARAMETERS = frozenset({"optional_parameter", "required_parameter"})
_PATTERNS = frozenset({
    "array_pattern", "assignment_pattern", "object_assignment_pattern", "object_pattern", "pair_pattern",
    "rest_pattern",
})  # fmt: skip
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_DEFAULT = frozenset({"??=", "||="})
_ASSIGNMENT = "assignment_expression"
_NEW, _VAR, _PROGRAM = "new_expression", "variable_declaration", "program"
_DEFINED = frozenset({"function", "method"})
_Key = tuple[str, str]
"""(where a function begins and ends, name); an empty text for what is defined in none."""
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
    regions = _functions(findings)
    names = _given_again(findings, page, captures, regions)
    if not names:
        return
    bound = {at: said for at, _, said in (*findings.parameters, *findings.bindings)}
    known, told = dict[int, str](), _Told(findings, {name for _, name in names})
    found = _found(names, page, root)
    places = [place for name, nodes in found for place in _Places(name, page, bound, known, told)(nodes)]
    tell_apart(findings, page, _LANGUAGE, places, known)


def _functions(findings: Findings) -> Regions:
    """Return the functions that stand in no other one of those that are defined, by where they begin and end."""
    spans, reach = list[tuple[int, int, str]](), -1
    for start, end in sorted([(found.start, found.end) for found in findings.definitions if found.kind in _DEFINED]):
        if start >= reach:
            spans.append((start, end, f"{start} {end}"))
            reach = end
    return Regions(spans)


def _given_again(findings: Findings, page: Page, captures: Captures, regions: Regions) -> set[_Key]:
    """Return the names that a function knows, says something of, and gives something without declaring them there."""
    places = list(_assignments(page, captures))
    again = {(regions.name(at), name) for at, name, _ in places}
    names = {name for _, name in again}
    if not names:
        return set()
    rows = (*findings.bindings, *findings.parameters)
    known = {(regions.name(at), name) for at, name, _ in rows if name in names}
    known |= {(regions.name(at), name) for at, name, is_known in places if is_known}
    heads = _heads(findings, names, regions) if known else set[_Key]()
    said = {name for _, name in heads}
    # What is defined nowhere is one function with all that stands in it.
    return {key for key in known if (key in again and key in heads) or (not key[0] and key[1] in said)}


def _assignments(page: Page, captures: Captures) -> Iterator[tuple[int, str, bool]]:
    """Yield (byte, name, whether what it is given may say what that is) of what is given something again."""
    for capture in ("given_later", "given_again"):
        for node in captures.get(capture, ()):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None:
                continue
            name = page.of(left)
            # What its own object gives is most often another of its class: ``item = item.next``.
            if not page.source.startswith(f"{name}.".encode(), right.start_byte):
                operator = node.child_by_field_name("operator") if capture == "given_again" else None
                is_default = operator is not None and operator.type in _DEFAULT
                yield left.start_byte, name, is_default or right.type == _NEW
    for node in captures.get("given_apart", ()):
        left = node.child_by_field_name("left")
        yield from ((each.start_byte, page.of(each), False) for each in (_names_in(left) if left is not None else ()))


def _names_in(pattern: "Node") -> Iterator["Node"]:
    """Yield the names that a pattern gives something, however deep they stand in it."""
    waiting = [pattern]
    while waiting:
        at = waiting.pop()
        if at.type in _NAMES:
            yield at
        elif at.type in _PATTERNS:
            value = at.child_by_field_name("right")
            waiting += [child for child in at.named_children if child != value]


def _taking(node: "Node", around: Sequence["Node"]) -> tuple["Node", int]:
    """Return the whole pattern that gives a name something, and the place around it of what that belongs to."""
    at, place = node, len(around) - 1
    while place >= 0 and around[place].type in _PATTERNS and around[place].child_by_field_name("right") != at:
        at, place = around[place], place - 1
    return at, place


def _heads(findings: Findings, names: set[str], regions: Regions) -> set[_Key]:
    """Return those of the names of which something is called, that are returned or that others are bound to."""
    rows = [(at, said) for at, _, said in findings.calls if said]
    for at, _, bound in (*findings.parameters, *findings.bindings):
        if is_followed(bound):
            rows += [(at, said) for said in bound.split("|")]
    heads = {said: head[2] for said in {said for _, said in rows} if (head := HEAD.match(said)) is not None}
    heads = {said: name for said, name in heads.items() if name in names}
    return {(regions.name(at), heads[said]) for at, said in rows if said in heads}


def _found(keys: set[_Key], page: Page, root: "Node") -> Iterator[tuple[str, list["Node"]]]:
    """Yield the nodes of each name that something may be given to, of one function after the other."""
    wide = {name for function, name in keys if not function}
    named: dict[str, dict[bytes, str]] = defaultdict(dict)
    for function, name in sorted(keys):
        if not function or name not in wide:
            named[function][name.encode()] = name
    for function, names in named.items():
        start, end = map(int, function.split()) if function else (0, len(page.source))
        found: dict[str, list[Node]] = defaultdict(list)
        for at, encoded in occurrences(page.source[start:end], names, going_on=_GOING_ON):
            begin, stop = start + at, start + at + len(encoded)
            node = root.descendant_for_byte_range(begin, stop) if _AHEAD.match(page.source, stop) else None
            if node is not None and node.type in _NAMES and node.byte_range == (begin, stop):
                found[names[encoded]].append(node)
        yield from found.items()


class _Told:
    """The types that comments tell of parameters, which are said where the names of their functions stand."""

    def __init__(self, findings: Findings, names: set[str]) -> None:
        defined = [found for found in findings.definitions if found.kind in _DEFINED]
        starts = {found.header: found.start for found in defined}
        self._said = {
            (starts[at], name): said for at, name, said in findings.parameters if at in starts and name in names
        }
        spans = [(found.start, found.end, str(found.start)) for found in defined] if self._said else []
        self._functions = Regions(sorted(spans, key=lambda one: (one[0], -one[1])))

    def of(self, at: int, name: str) -> str:
        """Return the type of what is a parameter on a byte, once: others of the name are those of inner functions."""
        return self._said.pop((int(self._functions.name(at) or -1), name), "")


class _Places:
    """Where one name is declared, and given something else."""

    def __init__(self, name: str, page: Page, bound: dict[int, str], known: dict[int, str], told: _Told) -> None:
        self._name, self._page, self._bound, self._known, self._told = name, page, bound, known, told
        self._scopes: list[tuple[int, int, bool]] = []
        """(start, end, whether a type is written) of what declares it."""
        self._documented = dict[int, str]()
        """The types that are told of parameters alone, by where their functions begin."""

    def __call__(self, nodes: Sequence["Node"]) -> list[Place]:
        declared = [place for node in nodes if (place := self._declared(node)) is not None]
        given = [place for node in nodes if (place := self._assigned(node)) is not None]
        return [*declared, *given] if given else []

    def _declared(self, node: "Node") -> Place | None:
        """Return where it is declared, if that is what a node does."""
        around = self._page.around(node)
        at, binder = _taking(node, around)
        parent = around[binder] if binder >= 0 else None
        if parent is None or not self._is_bound(at, parent) or _is_of_type(around[: binder + 1]):
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
        is_told = not is_whole or kind != "variable_declarator"
        self._know(node, value, is_typed=is_typed, is_told=is_told)
        if is_told and node.start_byte not in self._known and (said := self._told.of(node.start_byte, self._name)):
            self._known[node.start_byte] = self._documented[scope[0]] = said
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
        return kind == _LIST or (kind in _PARAMETERS and parent.child_by_field_name("pattern") == at)

    def _assigned(self, node: "Node") -> Place | None:
        """Return where it is given something without being declared there, unless a type is written for it."""
        around = self._page.around(node)
        at, binder = _taking(node, around)
        parent = around[binder] if binder >= 0 else None
        kind = parent.type if parent is not None else ""
        if parent is None or parent.child_by_field_name("left") != at:
            return None
        inner = [scope for scope in self._scopes if scope[0] <= node.start_byte < scope[1]]
        start, end, is_typed = max(inner) if inner else (0, 0, True)
        if is_typed:
            return None
        if kind == "for_in_statement" and parent.child_by_field_name("kind") is None:
            return Place(node, start=start, end=end)
        value, operator = parent.child_by_field_name("right"), parent.child_by_field_name("operator")
        if at != node:
            return Place(node, behind=parent.end_byte, start=start, end=end) if kind == _ASSIGNMENT else None
        if kind == _ASSIGNMENT:
            self._know(node, value, is_typed=False, is_told=False)
            if start in self._documented and value is not None and value.type not in _LANGUAGE.nothing:
                # What a function gives there is most often the like.
                self._known.setdefault(node.start_byte, f"{self._documented[start]}|{ANYTHING}")
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


def _is_of_type(around: Sequence["Node"]) -> bool:
    """Whether a parameter is but one of a type, ``(cart: Cart) => void``, given the nodes around its name."""
    at = len(around) - 1 - (around[-1].type in _PARAMETERS)
    return at > 0 and around[at].type == _LIST and around[at - 1].type not in _FUNCTIONS


def _scope(around: Sequence["Node"], *, is_var: bool) -> tuple[int, int]:
    """Return from where to where what is declared is known, given the nodes around it, the outermost first."""
    for node in reversed(around):
        if node.type in _FUNCTIONS or node.type == _PROGRAM or (node.type in _BLOCKS and not is_var):
            return node.byte_range
    return around[0].byte_range
