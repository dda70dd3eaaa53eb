"""Which of several things that a function gives to one name reach a place: ``x = A()``, then ``if q: x = B()``."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from sys import maxsize
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.names.shadows import HIDDEN, raised
from ctxcode.codegraph.facts import ANYTHING, LIKE

if TYPE_CHECKING:
    from tree_sitter import Node

_IF = "if_statement"
_BRANCHING = frozenset({_IF, "match_statement"})
_CATCHING = frozenset({"catch_clause", "except_clause", "except_group_clause"})
_FINALLY = "finally_clause"
_CLAUSES = frozenset({"case_clause", "elif_clause", "else_clause", "else_if_clause", _FINALLY, *_CATCHING})
_CASES = frozenset({"case_statement", "default_statement"})
"""What may go on with the next one in PHP."""
_FOR, _FOR_EACH = "for_statement", "foreach_statement"
_LOOPS = frozenset({"do_statement", _FOR, _FOR_EACH, "while_statement"})
_SWITCH = "switch_statement"
_BLOCKS = frozenset({"block", "colon_block", "compound_statement"})
_BLOCK, _CHOSEN, _DEEP = "block", "chosen", "deep"
_TRY = "try_statement"
_OPEN = frozenset({_TRY, "with_statement"})
"""Statements whose own block is run when they are reached."""
_GIVING = frozenset({"assignment", "assignment_expression", "named_expression", "reference_assignment_expression"})
_FUNCTIONS = frozenset({"anonymous_function", "arrow_function", "method_declaration"})
"""PHP's, all of which have variables of their own."""
_FUNCTION, _LOOP, _TURN = 1, 2, 3
"""What a block that ends with a statement leaves: the function, a loop or a ``switch``, or a turn of a loop."""
_LEAVING = {
    "return_statement": _FUNCTION,
    "raise_statement": _FUNCTION,
    "break_statement": _LOOP,
    "continue_statement": _TURN,
    "exit_statement": _FUNCTION,
    "throw_expression": _FUNCTION,
}
_ELSE = frozenset({"elif_clause", "else_clause", "else_if_clause"})
_BOTH = frozenset({"&&", "and"})
_EITHER = frozenset({"??", "or", "||"})
_OPERATIONS = frozenset({"binary_expression", "boolean_operator"})
_CONDITIONAL, _ARM = "conditional_expression", "match_conditional_expression"
_TESTING = frozenset({"elif_clause", "else_if_clause", "if_statement", "while_statement"})
_AROUND_TESTS = frozenset({"parenthesized_expression", *_OPERATIONS})
UNKNOWN, DEFAULT = 0, -1
"""The numbers of what nothing is known of, and for that something is given where a name holds nothing: most often that
is as good as what it holds else."""
_OR = "\N{SUPERSCRIPT LATIN SMALL LETTER N}"
_DEFAULTED = f"{HIDDEN}{HIDDEN}"
_HIGHEST, _LONGEST_TEST = 100, 300
_END = maxsize


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
    """UNKNOWN for what nothing is known of."""
    around: tuple[_Span, ...]
    """The blocks and statements around it in its function, the innermost first."""
    doubted: tuple[tuple[int, int], ...] = ()
    """From where to where it may never have been given, as something failed before: ``try { … } catch … { here }``."""

    is_default: bool = False
    """Whether it is given where the name holds nothing: ``if x is None: x = A()``."""

    def is_doubted(self, at: int) -> bool:
        """Whether the name may mean what it did before on a byte behind it."""
        return any(start <= at < end for start, end in self.doubted)


def given(node: "Node", number: int, function: int) -> Given:
    """Return what a name is given on a node, in the function that begins on a byte."""
    spans, doubted, is_default = list[_Span](), list[tuple[int, int]](), False
    child, at, behind = node, node.parent, node.end_byte
    for _ in range(_HIGHEST):
        kind = at.type if at is not None else ""
        if at is None or kind in _FUNCTIONS or (at.start_byte == function and kind == "function_definition"):
            break
        if kind in _GIVING and child == (at.child_by_field_name("left") or at.child_by_field_name("name")):
            behind = max(behind, at.end_byte)
        elif kind in _LOOPS:
            behind = max(behind, _behind(child, at))
        elif kind == _TRY and child.type in _BLOCKS:
            doubted += _doubted(at)
        is_default = is_default or (number > 0 and kind == _IF and _is_tested(node, child, at))
        spans += _spans(child, at)
        child, at = at, at.parent
    else:
        spans.append(_Span(0, 0, _DEEP))
    return Given(behind, number, tuple(spans), tuple(doubted), is_default)


def _is_tested(name: "Node", child: "Node", statement: "Node") -> bool:
    """Whether a branch is run for what a name itself holds that is given something there: ``if x is None: x = A()``."""
    test, text = statement.child_by_field_name("condition"), name.text or b""
    is_branch = child in {statement.child_by_field_name("consequence"), statement.child_by_field_name("body")}
    if test is None or not is_branch or test.end_byte - test.start_byte > _LONGEST_TEST:
        return False
    return re.search(rb"(?<![\w$.])" + re.escape(text) + rb"(?![\w])", test.text or b"") is not None


def _spans(child: "Node", at: "Node") -> list[_Span]:
    """Return what a node is to what is given in one of its parts."""
    kind, parent = at.type, at.parent
    if kind in _BLOCKS:
        is_open = parent is not None and parent.type in _OPEN
        return [] if is_open else [_Span(*at.byte_range, _BLOCK, _left(at))]
    if kind in _LOOPS:
        return _turns(child, at)
    if kind == _IF and child.type not in _BLOCKS and child == at.child_by_field_name("body"):
        return [_Span(*child.byte_range, _BLOCK, _LEAVING.get(child.type, 0)), _Span(*at.byte_range, kind)]
    if kind in _CASES:
        return [_Span(*at.byte_range, kind, _left(at))]
    if kind in _BRANCHING or kind in _CLAUSES or kind == _SWITCH:
        return [_Span(*at.byte_range, kind)]
    if kind in _OPERATIONS and child == at.child_by_field_name("right"):
        operator = at.child_by_field_name("operator")
        if operator is not None and operator.type in _BOTH | _EITHER:
            return [_Span(child.start_byte, _end_of_test(at, operator.type), _CHOSEN)]
    if (kind == _CONDITIONAL and child != _condition(at)) or kind == _ARM:
        return [_Span(*child.byte_range, _CHOSEN)]
    return []


def _turns(child: "Node", loop: "Node") -> list[_Span]:
    """Return what of a loop is run again, where that has a part in it."""
    once = loop.child_by_field_name("initialize") or loop.child_by_field_name("right")
    if loop.type == _FOR_EACH:
        once = loop.named_children[0]
    start = once.end_byte if once is not None else loop.start_byte
    return [] if child == once else [_Span(start, loop.end_byte, loop.type)]


def _behind(child: "Node", loop: "Node") -> int:
    """Return behind which byte a name means what a part of a loop gives it, 0 for behind where it stands."""
    if child == loop.child_by_field_name("update"):
        return loop.end_byte
    right = loop.child_by_field_name("right") if child == loop.child_by_field_name("left") else None
    return right.end_byte if right is not None else 0


def _doubted(statement: "Node") -> list[tuple[int, int]]:
    """Return from where to where a ``try`` may have failed: what handles that, and behind it if that goes on there."""
    clauses = [clause for clause in statement.named_children if clause.type in _CATCHING or clause.type == _FINALLY]
    spans = [clause.byte_range for clause in clauses]
    going_on = [clause for clause in clauses if clause.type in _CATCHING and not _left(clause.named_children[-1])]
    return [*spans, (statement.end_byte, _END)] if going_on else spans


def _end_of_test(operation: "Node", operator: str) -> int:
    """Return where that ends in which both sides of an operation were looked at: ``if ($a && $b = c()) { here }``."""
    at, parent = operation, operation.parent
    for _ in range(_HIGHEST):
        if operator not in _BOTH or parent is None or parent.type not in _AROUND_TESTS:
            break
        found = parent.child_by_field_name("operator")
        operator = found.type if found is not None else operator
        at, parent = (parent, parent.parent) if operator in _BOTH else (at, parent)
    if operator in _BOTH and parent is not None and parent.type in _TESTING:
        body = parent.child_by_field_name("consequence") or parent.child_by_field_name("body")
        return body.end_byte if body is not None else at.end_byte
    return at.end_byte


def _condition(conditional: "Node") -> "Node | None":
    """Return what one of two is chosen by."""
    found, parts = conditional.child_by_field_name("condition"), conditional.named_children
    return found or (parts[1] if len(parts) > 1 else None)


def _left(block: "Node") -> int:
    """Return what a block leaves that ends with a statement."""
    last = block.named_children[-1] if block.named_children else None
    if last is not None and last.type == "expression_statement" and last.named_children:
        last = last.named_children[0]
    if last is None or (last.type in {"break_statement", "continue_statement"} and last.named_children):
        # ``break 2;`` leaves what is around a loop as well.
        return 0
    return _LEAVING.get(last.type, 0)


def covered(nodes: Iterable["Node"]) -> dict[int, int]:
    """Return where ``if`` statements begin and end in every branch of which one of some names is given something."""
    branches: dict[int, set[int]] = {}
    statements: dict[int, Node] = {}
    for node in nodes:
        block = _block_around(node)
        owner = block.parent if block is not None else None
        if owner is not None and owner.type in _ELSE:
            owner = owner.parent
        if owner is not None and block is not None and owner.type == _IF:
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


def joined(name: str, types: Iterable[str], numbers: frozenset[int]) -> str:
    """Return what a name is bound to that may mean this or that, given the numbers of what reaches it.

    What an object gives for itself is most often another of its class: ``url = url.parent()``.
    """
    each = dict.fromkeys(types)
    own = f"{name.partition(HIDDEN)[0]}{HIDDEN}"
    is_like = DEFAULT in numbers or (UNKNOWN not in numbers and any(said.lstrip("=").startswith(own) for said in each))
    rest = [LIKE] if is_like else [ANYTHING] if UNKNOWN in numbers else []
    return "|".join([*rest, *each] if len(each) > 1 or rest == [ANYTHING] else each)


def marked(name: str, numbers: frozenset[int]) -> str:
    """Return what a name is called where some of what it is given reaches it; all alike where nothing is known."""
    known = any(number > 0 for number in numbers)
    marks = [_DEFAULTED if number == DEFAULT else raised(number) for number in sorted(numbers)]
    return f"{name}{HIDDEN}{_OR.join(marks) if known else ''}"


class Flow:
    """What one function gives to one name."""

    def __init__(self, events: Sequence[Given], sure: dict[int, int]) -> None:
        """Take what is given, and where statements begin and end in all branches of which something is."""
        self._events = sorted(events, key=attrgetter("at"))
        self._sure = sure
        self._places = [event.at for event in self._events]
        self._turning = [event for event in self._events if any(span.kind in _LOOPS for span in event.around)]

    def reaching(self, at: int) -> frozenset[int]:
        """Return the numbers of what may reach a byte, UNKNOWN and DEFAULT among them."""
        found, floor, killed = set[int](), 0, -1
        for row in range(bisect_right(self._places, at) - 1, -1, -1):
            event = self._events[row]
            if event.at < floor:
                break
            reach = _reach(event, at)
            if reach is None:
                continue
            found.update([event.number, DEFAULT] if event.is_default else [event.number])
            if event.is_doubted(at):
                continue
            if not reach.kind:
                killed = event.at
                break
            if self._sure.get(reach.start) == reach.end:
                floor = reach.start
        killed = max(killed, floor)
        found.update([event.number for event in self._turning if _comes_back(event, at, killed)])
        return frozenset(found)


_NOTHING_BETWEEN = _Span(0, 0, "")


def _reach(event: Given, at: int) -> _Span | None:
    """Return the statement behind whose end something reaches a byte, one without a kind if it surely does.

    None if it doesn't.
    """
    child, left = _NOTHING_BETWEEN, 0
    for span in event.around:
        holds = span.holds(at)
        if left and (span.kind in _LOOPS or span.kind == _SWITCH):
            if holds:
                return None
            left = 0
        if holds:
            if span.kind in _BRANCHING and child.kind in _CLAUSES | {_BLOCK}:
                # In another branch.
                return None
            break
        if span.left == _FUNCTION:
            return None
        left, child = left or span.left, span
    return None if left else child


def _comes_back(event: Given, at: int, killed: int) -> bool:
    """Whether something reaches a byte in a later turn of a loop around both, if nothing is given on that way.

    ``killed`` is where something is surely given before the byte.
    """
    left = 0
    for span in event.around:
        if span.left == _FUNCTION:
            return False
        left = span.left if span.left == _LOOP else left
        if span.kind in _LOOPS:
            if not left and span.holds(at) and span.start >= killed:
                return True
            left = 0
        elif span.kind == _SWITCH:
            left = 0
    return False
