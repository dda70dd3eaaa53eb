"""What values of Scala are that are chosen of several: ``if (a) new Cart else new Line``."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name, is_capitalised

if TYPE_CHECKING:
    from tree_sitter import Node

_CHOOSING = frozenset({"if_expression", "match_expression"})
_NOTHING = frozenset({"null_literal", "return_expression", "throw_expression"})
_MOST_BRANCHES = 8
_LONGEST = 200


def expression(node: "Node", page: Page) -> str:
    """Return the classes of which what is chosen is one, ``Cart|Line``; nothing where that is not known of each."""
    if node.type not in _CHOOSING:
        return ""
    waiting, found = [node], dict[str, None]()
    for _ in range(_MOST_BRANCHES * 2):
        if not waiting:
            break
        value = waiting.pop()
        if value.type == "if_expression":
            branches = [value.child_by_field_name(field) for field in ("consequence", "alternative")]
            if branches[1] is None:
                return ""
            waiting += [branch for branch in branches if branch is not None]
        elif value.type == "match_expression":
            body = value.child_by_field_name("body")
            clauses = body.named_children if body is not None else []
            bodies = [clause.child_by_field_name("body") for clause in clauses if clause.type == "case_clause"]
            if len(bodies) > _MOST_BRANCHES or None in bodies:
                return ""
            waiting += [body for body in bodies if body is not None]
        elif value.type in {"block", "indented_block"} and value.named_child_count:
            waiting.append(value.named_children[-1])
        elif value.type not in _NOTHING:
            made = _made(value, page)
            if not made:
                return ""
            found[made] = None
    if waiting or not found:
        return ""
    # One class that is said as this or that is an object of it, too, whatever else is called so.
    return "|".join(found if len(found) > 1 else [*found] * 2)


def _made(value: "Node", page: Page) -> str:
    """Return the class of an object that is made, or the call of what has its name; empty for every other value."""
    if value.end_byte - value.start_byte > _LONGEST or not value.named_children:
        return ""
    first = value.named_children[0]
    if value.type == "instance_expression":
        is_plain = all(child.type != "template_body" for child in value.named_children)
        return dotted_name(page.of(first)) if is_plain else ""
    is_applied = value.type == "call_expression" and first.type == "identifier" and is_capitalised(page.of(first))
    return f"{page.of(first)}()" if is_applied else ""
