"""Rust's expressions cut down to names, dots and calls: ``self.a()?.b + 1`` is more, ``self.a()?.b`` is not.

``x?`` gives what ``x.unwrap()`` gives and is written so; ``.await``, references and brackets are left out. What ``x``
holds is ``x.#``, ``x[0]`` is ``x.##``.
"""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import CALLED, INDEXED_IN_RUST, path_of
from ctxcode.codegraph.extract.page import Page, first_named
from ctxcode.codegraph.extract.type_names import is_capitalised

if TYPE_CHECKING:
    from tree_sitter import Node

UNKNOWN = "[]"
"""What stands for an expression that is more than names and calls."""
POINTERS = re.compile(
    r"(?:\w+::)*(?:(?:Arc|Box|Pin|Rc)::(?:clone|get_mut|into_inner|leak|make_mut|new|pin)|mem::(?:replace|take))"
)
"""Functions that give what they are given, or a pointer to it."""
_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>")
_GIVING_FUNCTIONS = frozenset({"call_expression", "parenthesized_expression"})
_HOLDING = frozenset({"Some", "Ok"})
_PATH, _ENDING = frozenset({"::", "crate", "identifier", "self", "super"}), frozenset({",", ";", "]", ")", "}"})
"""What names what a macro is given, and what stands behind a whole one of them."""
_LONGEST = 300
_TAKING = re.compile(r"\(\|&?([^\W\d]\w*)\|\1((?:\.[^\W\d]\w*(?:\(\))?)+)\)")
_MAKING = frozenset({"and_then", "filter_map", "flat_map", "map"})
_DEEPEST = 20
_MOST_BRANCHES = 40
_TELLING_NOTHING = frozenset({"None", "Some()", "Ok()", "Err()"})
_BRANCHING = frozenset({"if_expression", "match_arm"})
_AROUND = frozenset({"block", "else_clause", "unsafe_block"})
_TRANSPARENT = frozenset({"await_expression", "parenthesized_expression", "reference_expression"})
_NAMES = frozenset({"identifier", "scoped_identifier", "self", "type_identifier", "scoped_type_identifier"})


def chained(node: "Node", page: Page) -> str:
    """Return an expression with its calls' arguments taken away; empty for one that is more than names and calls."""
    parts: list[str] = []
    at: Node | None = node
    node_called = node
    for _ in range(_DEEPEST):
        if at is None:
            break
        brackets = ""
        if at.type in {"call_expression", "struct_expression"}:
            node_called, at, brackets = at, _called(at), "()"
            if at is not None and at.type in _GIVING_FUNCTIONS:
                # What a field keeps is called, or what a call gives: ``(self.make)()``, ``make()()``.
                parts.append(CALLED)
                at = first_named(at) if at.type == "parenthesized_expression" else at
                continue
            given = _given(node_called, at, page) if brackets else None
            if given is not None:
                at = given
                continue
        if at is None:
            break
        if at.type in _NAMES:
            return ".".join((f"{without_arguments(_squeezed(at, page))}{brackets}", *reversed(parts)))
        if at.type == "field_expression":
            field = at.child_by_field_name("field")
            name = page.of(field) if field is not None else ""
            brackets = _taken(node_called, page) if brackets and name in _MAKING else brackets
            parts.append(f"{name}{brackets}")
            at = at.child_by_field_name("value")
        elif brackets:
            break
        else:
            if at.type == "try_expression":
                parts.append("unwrap()")
            elif at.type == "index_expression" and not _is_range(at):
                parts.append(INDEXED_IN_RUST)
            at = _inner(at, page)
    return ""


def _called(node: "Node") -> "Node | None":
    """Return what a call calls, or the name of a struct that is made."""
    function = node.child_by_field_name("function" if node.type == "call_expression" else "name")
    if function is not None and function.type in {"generic_function", "generic_type_with_turbofish"}:
        return first_named(function)
    return function


def _given(call: "Node", function: "Node | None", page: Page) -> "Node | None":
    """Return what a call gives that gives what it is given; None for another."""
    if function is None or function.type != "scoped_identifier" or not POINTERS.fullmatch(page.of(function)):
        return None
    return first_named(call.child_by_field_name("arguments"))


def _inner(node: "Node", page: Page) -> "Node | None":
    """Return the expression behind a sign that changes nothing, or that is taken away apart."""
    if node.type in _TRANSPARENT:
        return node.child_by_field_name("value") or first_named(node)
    is_read = node.type == "unary_expression" and page.source[node.start_byte] == ord("*")
    return first_named(node) if is_read or node.type in {"try_expression", "index_expression"} else None


def _is_range(node: "Node") -> bool:
    return node.named_child_count > 1 and node.named_children[1].type == "range_expression"


def result_of(node: "Node", page: Page) -> tuple[str, int]:
    """Return (the expression that gives what a block, ``if`` or ``match`` gives, where it stands); else the node's own.

    Where branches end in several, the first that is names and calls tells what all give.
    """
    pending = [node]
    for _ in range(_MOST_BRANCHES):
        if not pending:
            break
        at = pending.pop()
        if at.type == "match_expression":
            arms = at.child_by_field_name("body")
            pending += [] if arms is None else reversed([arm for arm in arms.named_children if arm.type == "match_arm"])
        elif at.type in _BRANCHING:
            fields = ("alternative", "consequence") if at.type == "if_expression" else ("value",)
            pending += [inner for field in fields if (inner := at.child_by_field_name(field)) is not None]
        elif at.type in _AROUND:
            pending += at.named_children[-1:]
        elif (held := _holding(at, page))[0]:
            return held
        elif (said := chained(at, page)) and said not in _TELLING_NOTHING:
            return said, at.start_byte
    return "", 0


def _holding(node: "Node", page: Page) -> tuple[str, int]:
    """Return the same for ``Some(x)``, ``Ok(x)``, ``vec![x]``, ``|| x``, with a sign for that; empty for all else."""
    if node.end_byte - node.start_byte > _LONGEST:
        return "", 0
    if node.type == "closure_expression":
        body = node.child_by_field_name("body")
        said = chained(body, page) if body is not None else ""
        return (f"^{said}" if said.endswith(")") and said not in _TELLING_NOTHING else ""), node.start_byte
    if node.type == "call_expression":
        function, inner = _called(node), first_named(node.child_by_field_name("arguments"))
        if function is None or inner is None or page.of(function) not in _HOLDING:
            return "", 0
        # The names of a closure are those that begin where it does.
        said, at = _holding(inner, page)
        said = said or chained(inner, page)
        return (f"?{said}" if said and said not in _TELLING_NOTHING else ""), at or inner.start_byte
    made = _first_made(node, page) if node.type == "macro_invocation" else ""
    return (f"?{made}()" if made else ""), node.start_byte


def _first_made(macro: "Node", page: Page) -> str:
    """Return what makes the first thing that ``vec![Cart::new(), …]`` holds; empty for one that is more than that."""
    name, trees = macro.child_by_field_name("macro"), macro.named_children[-1:]
    if name is None or page.of(name) != "vec" or not trees or trees[0].type != "token_tree":
        return ""
    path, children = "", trees[0].children[1:]
    while len(children) > 1 and children[0].type in _PATH:
        path += page.of(children.pop(0))
    is_called = path.rpartition("::")[2].isidentifier() and [each.type for each in children[:1]] == ["token_tree"]
    is_whole = is_called and page.source[children[0].start_byte] == ord("(") and children[1].type in _ENDING
    is_type = any(is_capitalised(part) for part in path.split("::")[-2:])
    return path if is_whole and is_type and path not in _HOLDING else ""


def _taken(call: "Node", page: Page) -> str:
    """Return how a call is written that makes something else of each: ``(:>owner)`` of ``map(|x| x.owner())``."""
    given = call.child_by_field_name("arguments")
    if given is None or given.named_child_count != 1 or given.end_byte - given.start_byte > _LONGEST:
        return "()"
    found = _TAKING.fullmatch("".join(page.of(given).split()))
    return f"(:{path_of(found[2])})" if found is not None else "()"


def without_arguments(path: str) -> str:
    """Return a path without its type arguments."""
    for _ in range(4):
        if "<" not in path:
            break
        path = _ARGUMENTS.sub("", path)
    return path


def _squeezed(node: "Node", page: Page) -> str:
    return "".join(page.of(node).split())
