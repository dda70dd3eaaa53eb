"""What a local name of Java means in each block: loops, handlers, lambdas and patterns bind it anew."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.arguments import NO_ARGUMENTS
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Bound, Regions, raised

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"[^\W\d]\w*")
_FIRST = re.compile(r"(=?)([^\W\d]\w*)")
_OF_FIELD = "self."
_MOST_CLIMBED = 200
"""Blocks looked for in a file: each takes as long as it is deep."""
_LAST = 1 << 62
_ENDING = frozenset({"catch_formal_parameter", "instanceof_expression", "local_variable_declaration", "resource"})
"""What binds names that mean something to the end of a part of a function."""
_STATEMENTS = frozenset({"expression_statement", "local_variable_declaration", "return_statement"})
_AROUND_TESTS = frozenset({"parenthesized_expression", "variable_declarator"})
_MOST_TESTS = 10


class _Group(NamedTuple):
    """What one name is bound to in one function."""

    rows: list[Bound]
    end: int
    is_hiding: bool
    """Whether a field of another type has that name."""


def set_apart(findings: Findings, functions: Iterable[tuple[int, int]], declared: dict[int, "Node"]) -> None:
    """Rename local names that mean several things in one function, where they are bound, called on and handed on.

    ``declared`` says which node binds the name on a byte; one that nothing is known of is bound to an empty text.
    """
    groups = _groups(findings, functions, declared)
    if groups:
        names = _Names(groups, declared)
        findings.parameters = [names.renamed(row) for row in findings.parameters]
        findings.bindings = [names.renamed(row) for row in findings.bindings]
        findings.calls = [
            (at, name, names.meant(at, receiver) if receiver else "") for at, name, receiver in findings.calls
        ]
        for at, written in findings.arguments.items():
            if written != NO_ARGUMENTS and not names.known.isdisjoint(_WORD.findall(written)):
                findings.arguments[at] = ",".join([names.meant(at, shape) for shape in written.split(",")])
    findings.bindings = [row for row in findings.bindings if row[2]]


def _groups(findings: Findings, functions: Iterable[tuple[int, int]], declared: dict[int, "Node"]) -> list[_Group]:
    """Return what each name is bound to that means several things in one function, or another than its field."""
    start = len(_OF_FIELD)
    fields = {name[start:]: bound for _, name, bound in findings.bindings if name.startswith(_OF_FIELD)}
    rows = [row for row in findings.bindings if row[0] in declared]
    types, several = dict(fields), set[str]()
    for _, name, bound in rows:
        if types.setdefault(name, bound) != bound:
            several.add(name)
    given = [row for row in findings.parameters if row[1] in types and row[0] in declared]
    several.update([name for _, name, bound in given if types[name] != bound])
    if not several:
        return []
    spans = sorted(functions, key=lambda one: (one[0], -one[1]))
    around, ends = Regions((at, end, str(at)) for at, end in spans), {str(at): end for at, end in spans}
    groups: dict[tuple[str, str], list[Bound]] = {}
    for row in rows:
        if row[1] in several:
            groups.setdefault((around.name(row[0]), row[1]), []).append(row)
    # A parameter is one everywhere in its function, but for that of a lambda.
    hiding = {key for key, group in groups.items() if fields.get(key[1], group[0][2]) != group[0][2]}
    for row in given:
        if row[1] in several:
            groups.setdefault((around.name(row[0]), row[1]), []).append(row)
    return [
        _Group(group, ends.get(key[0], _LAST), is_hiding=key in hiding)
        for key, group in groups.items()
        if key in hiding or len({bound for _, _, bound in group}) > 1
    ]


class _Names:
    """The names of a file that mean several things."""

    def __init__(self, groups: Iterable[_Group], declared: dict[int, "Node"]) -> None:
        self._bound: dict[tuple[int, str], str] = {}
        self._left = _MOST_CLIMBED
        regions: dict[str, list[tuple[int, int, str]]] = {}
        for group in groups:
            numbers: dict[str, int] = {}
            for at, name, bound in sorted(group.rows):
                # What is written as an expression may mean something else in each place.
                key = f"{bound}{at}" if bound[:1] == "=" or bound[-1:] in {"", ")"} else bound
                number = numbers.setdefault(key, len(numbers) + (2 if group.is_hiding else 1))
                renamed = f"{name}{raised(number)}" if number > 1 else name
                self._bound[at, name] = renamed
                end = self._block_end(declared[at], group.end) if group.is_hiding else group.end
                regions.setdefault(name, []).append((*_span(declared[at], at, end), renamed))
        self._regions = {
            name: Regions(sorted(known, key=lambda one: (one[0], -one[1]))) for name, known in regions.items()
        }
        self.known = self._regions.keys()

    def _block_end(self, node: "Node", end: int) -> int:
        """Return where the block around a local variable ends, behind which a field has its name again."""
        if node.type not in _ENDING or not self._left:
            return end
        self._left -= 1
        around = node.parent
        if node.type == "resource":
            statement = around.parent if around is not None else None
            around = statement.child_by_field_name("body") if statement is not None else None
        elif node.type == "instanceof_expression":
            around = _held_true(node)
        return around.end_byte if around is not None else end

    def renamed(self, row: Bound) -> Bound:
        """Return a binding with its names as they mean one thing only."""
        at, name, bound = row
        is_said = bound[:1] == "=" or bound[-1:] == ")"
        return at, self._bound.get((at, name), name), self.meant(at, bound) if is_said else bound

    def meant(self, at: int, expression: str) -> str:
        """Return an expression that stands on a byte with its first name as it is bound there."""
        match = _FIRST.match(expression)
        regions = self._regions.get(match[2]) if match is not None else None
        name = regions.name(at) if regions is not None else ""
        return f"{match[1]}{name}{expression[match.end() :]}" if match is not None and name else expression


def _held_true(test: "Node") -> "Node | None":
    """Return the part of a function in which a test for a type holds, or that it is part of; None for all behind it."""
    around = test.parent
    for _ in range(_MOST_TESTS):
        if around is None or around.type in _STATEMENTS:
            return around
        if around.type == "if_statement":
            return around.child_by_field_name("consequence")
        sign = around.child_by_field_name("operator") if around.type == "binary_expression" else None
        if around.type not in _AROUND_TESTS and (sign is None or sign.type != "&&"):
            break
        around = around.parent
    return None


def _span(node: "Node", at: int, end: int) -> tuple[int, int]:
    """Return from where to where a name means what a node binds it to, with the end for what nothing else ends.

    No block of Java binds again what is bound around it, so the last that binds a name before a place is what counts.
    """
    if node.type == "enhanced_for_statement":
        body = node.child_by_field_name("body")
        return body.start_byte if body is not None else at, node.end_byte
    if node.type == "lambda_expression":
        return at, node.end_byte
    # A local class without a name knows the variable it is given to.
    return node.start_byte if node.type == "local_variable_declaration" else at, end
