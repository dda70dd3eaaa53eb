"""Which of several things that a function gives to one name reach a place: ``x = A()``, then ``if q: x = B()``."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

_BRANCHING = frozenset({"if_statement", "match_statement"})
_CLAUSES = frozenset({
    "case_clause", "catch_clause", "elif_clause", "else_clause", "else_if_clause", "except_clause", "finally_clause",
})  # fmt: skip
_CASES = frozenset({"case_statement", "default_statement"})
"""What may go on with the next one in PHP."""
_LOOPS = frozenset({"do_statement", "for_statement", "foreach_statement", "while_statement"})
_BLOCKS = frozenset({"block", "colon_block", "compound_statement"})
_OPEN = frozenset({"try_statement", "with_statement"})
"""Statements whose own block is run when they are reached, as far as anybody can tell."""
_GIVING = frozenset({"assignment", "assignment_expression", "named_expression", "reference_assignment_expression"})
_FUNCTIONS = frozenset({"anonymous_function", "arrow_function", "method_declaration"})
"""PHP's, all of which have variables of their own."""
_FUNCTION, _TURN = 1, 2
"""What a block that ends with a statement leaves: the function, or a turn of a loop."""
_LEAVING = {
    "return_statement": _FUNCTION,
    "raise_statement": _FUNCTION,
    "break_statement": _TURN,
    "continue_statement": _TURN,
    "exit_statement": _FUNCTION,
    "throw_expression": _FUNCTION,
}
_ELSE = frozenset({"elif_clause", "else_clause", "else_if_clause"})
_HIGHEST = 100


class _Span(NamedTuple):
    start: int
    end: int
    kind: str
    left: int = 0
    """What it leaves at its end, 0 for nothing."""

    def holds(self, at: int) -> bool:
        return self.start <= at < self.end


class Given(NamedTuple):
    """Something that is given to a name."""

    at: int
    """Behind which byte the name means it: what an assignment gives is said before."""
    number: int
    """0 for what nothing is known of."""
    around: tuple[_Span, ...]
    """The blocks and statements around it in its function, the innermost first."""


def given(node: "Node", number: int, function: int) -> Given:
    """Return what a name is given on a node, in the function that begins on a byte."""
    spans, at, behind = list[_Span](), node.parent, node.end_byte
    for _ in range(_HIGHEST):
        kind = at.type if at is not None else ""
        if at is None or kind in _FUNCTIONS or (at.start_byte == function and kind == "function_definition"):
            break
        parent = at.parent
        if kind in _GIVING and not spans:
            behind = at.end_byte
        if kind in _BLOCKS and (parent is None or parent.type not in _OPEN):
            spans.append(_Span(*at.byte_range, "block", _left(at)))
        elif kind in _CASES or kind in _BRANCHING or kind in _CLAUSES or kind in _LOOPS:
            spans.append(_Span(*at.byte_range, kind))
        at = parent
    return Given(behind, number, tuple(spans))


def _left(block: "Node") -> int:
    """Return what a block leaves that ends with a statement."""
    last = block.named_children[-1] if block.named_children else None
    if last is not None and last.type == "expression_statement" and last.named_children:
        last = last.named_children[0]
    return _LEAVING.get(last.type, 0) if last is not None else 0


def covered(nodes: Iterable["Node"]) -> dict[int, int]:
    """Return where ``if`` statements begin and end in every branch of which one of some names is given something."""
    branches: dict[int, set[int]] = {}
    statements: dict[int, Node] = {}
    for node in nodes:
        block = _block_around(node)
        owner = block.parent if block is not None else None
        if owner is not None and owner.type in _ELSE:
            owner = owner.parent
        if owner is not None and block is not None and owner.type == "if_statement":
            branches.setdefault(owner.start_byte, set()).add(block.start_byte)
            statements[owner.start_byte] = owner
    return {at: node.end_byte for at, node in statements.items() if _is_covered(node, branches[at])}


def _block_around(node: "Node") -> "Node | None":
    at = node.parent
    for _ in range(_HIGHEST):
        if at is None or at.type in _BLOCKS:
            break
        at = at.parent
    return at


def _is_covered(statement: "Node", blocks: set[int]) -> bool:
    clauses = statement.children_by_field_name("alternative")
    if not any(clause.type == "else_clause" for clause in clauses):
        return False
    parts = [statement.child_by_field_name("consequence") or statement.child_by_field_name("body")]
    parts += [clause.child_by_field_name("consequence") or clause.child_by_field_name("body") for clause in clauses]
    return all(
        part is not None
        and (part.start_byte in blocks or (part.named_children and part.named_children[-1].type in _LEAVING))
        for part in parts
    )


class Flow:
    """What one function gives to one name."""

    def __init__(self, events: Sequence[Given], sure: dict[int, int]) -> None:
        """Take what is given, and where statements begin and end in all branches of which something is."""
        self._events = sorted(events, key=attrgetter("at"))
        self._sure = sure
        self._places = [event.at for event in self._events]
        self._turning = [event for event in self._events if any(span.kind in _LOOPS for span in event.around)]

    def reaching(self, at: int) -> frozenset[int]:
        """Return the numbers of what may reach a byte, 0 among them for what nothing is known of."""
        found, floor, killed = set[int](), 0, -1
        for row in range(bisect_right(self._places, at) - 1, -1, -1):
            event = self._events[row]
            if event.at < floor:
                break
            reach = _reach(event, at)
            if reach is None:
                continue
            found.add(event.number)
            if not reach.kind:
                killed = event.at
                break
            if self._sure.get(reach.start) == reach.end:
                floor = reach.start
        killed = max(killed, floor)
        for event in self._turning:
            # In a loop it comes back.
            loops = [span for span in event.around if span.kind in _LOOPS and span.holds(at)]
            if event.at > at and any(span.start > killed for span in loops):
                found.add(event.number)
        return frozenset(found)


_NOTHING_BETWEEN = _Span(0, 0, "")


def _reach(event: Given, at: int) -> _Span | None:
    """Return the statement behind whose end something reaches a byte, one without a kind if it surely does.

    None if it doesn't.
    """
    child, left = _NOTHING_BETWEEN, 0
    for span in event.around:
        if span.holds(at):
            if span.kind in _BRANCHING and child.kind in _CLAUSES | {"block"}:
                # In another branch.
                return None
            break
        if span.left == _FUNCTION:
            return None
        left, child = left or span.left, span
    return None if left and _is_turned(event, at) else child


def _is_turned(event: Given, at: int) -> bool:
    """Whether a byte stands in a loop around what is given."""
    return any(span.kind in _LOOPS and span.holds(at) for span in event.around)
