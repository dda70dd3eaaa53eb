"""Where a name is given to something new, and where that ends."""

import re
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.names.arguments import told_around
from ctxcode.codegraph.extract.names.grammars import FIRST, Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

_HIGHEST = 60
"""Nodes around a name that are climbed."""
_GIVEN = re.compile(rb"\s*:?=(?!=)\s*")
_TO_CALL = 3
"""From the parameters of a function in braces to its call."""
_GOING_ON = re.compile(rb"[\w$\x80-\xff]|\s*(?:::|->|\(|\[|\.(?!\())")
"""What makes a name another one, or something of what it stands for; ``x.(T)`` of Go is the same."""
_PASSING = re.compile(rb"\s*(?:\?|!!)?\s*\.\s*(?:also|let|takeIf|takeUnless)\b")
"""What gives a function of Kotlin what stands before it: ``item?.let { item -> … }``."""
_PATTERN = "pattern"
_LOOPS = frozenset({"for_range_loop", "for_statement", "foreach_statement"})


class Binding(NamedTuple):
    """A name's own meaning in a part of a file, by bytes."""

    start: int
    """Where it begins, with the parameters of a function."""
    body: int
    """From where on code means it."""
    end: int
    meant: bytes | None
    """The name from outside that it is: said to be, by default, or as a function called on the spot is given it."""
    hides_functions: bool


def binding_of(grammar: Grammar, node: "Node", text: bytes, source: bytes) -> Binding | None:
    """Return what the name that a node is means from there on, if that gives it to something new."""
    at, parent = _climbed(grammar, node)
    if parent is None or not _is_bound(grammar, at, parent) or not _is_named(grammar, node, parent):
        return None
    scope = _scope(grammar, parent)
    if scope is None:
        return None
    hides_functions = not grammar.called or parent.type in grammar.called
    if grammar.is_sequential:
        begin = _begin(grammar, at, parent, scope)
        start = scope.start_byte if scope.type in grammar.blocks else parent.start_byte
        meant = text if _is_again(grammar, node, parent, source) else None
        return Binding(min(start, begin), begin, scope.end_byte, meant, hides_functions)
    parameters = scope.child_by_field_name("parameters") or scope.child_by_field_name("parameter")
    body = scope.child_by_field_name("body") if scope.type in grammar.functions else None
    meant = _outer(grammar, parent, text) or (told_around(node, parent, scope) if grammar.has_blocks else None)
    return Binding((parameters or scope).start_byte, (body or scope).start_byte, scope.end_byte, meant, hides_functions)


def _climbed(grammar: Grammar, node: "Node") -> tuple["Node", "Node | None"]:
    """Return what binds a name, and what of it the name stands in."""
    at, parent = node, node.parent
    if parent is not None and parent.type in grammar.unlike:
        return at, None
    for _ in range(_HIGHEST):
        if parent is None or parent.type not in grammar.via:
            break
        field = grammar.via[parent.type]
        led = parent.child_by_field_name(field) if field else at
        if led is None or led.start_byte != at.start_byte:
            return at, None
        at, parent = parent, parent.parent
    return at, parent


def _begin(grammar: Grammar, at: "Node", binder: "Node", scope: "Node") -> int:
    """Return the byte from which on a name means what is bound, where that is not so before."""
    around = binder.parent
    is_loop = scope.type in _LOOPS and scope.named_children
    if is_loop and (binder == scope or (around == scope and binder.type == "variable_declaration")):
        return scope.named_children[-1].start_byte
    if binder == scope:
        return at.end_byte
    if around is not None and around.type == "property_declaration":
        return around.end_byte
    body = scope.child_by_field_name("body") if scope.type in grammar.functions else None
    return body.start_byte if body is not None and binder.end_byte <= body.start_byte else binder.end_byte


def _is_again(grammar: Grammar, node: "Node", binder: "Node", source: bytes) -> bool:
    """Whether a name is given what it stands for already: ``x := x``, ``if let x``."""
    if binder.parent is not None and binder.parent.type == "lambda_parameters":
        return _is_passed(node, binder.parent, source)
    given = _GIVEN.match(source, node.end_byte)
    if given is None:
        is_whole = node.parent is not None and node.parent.type != _PATTERN
        return binder.type in grammar.unwrapping and is_whole and source[node.end_byte : node.end_byte + 1] != b":"
    end = given.end() + node.end_byte - node.start_byte
    return source[given.end() : end] == node.text and _GOING_ON.match(source, end) is None


def _is_passed(name: "Node", parameters: "Node", source: bytes) -> bool:
    """Whether a function of Kotlin is called on what its parameter is called."""
    call: Node | None = parameters
    for _ in range(_TO_CALL):
        call = call.parent if call is not None else None
    if call is None or name.text is None or not source.startswith(name.text, call.start_byte):
        return False
    return _PASSING.match(source, call.start_byte + len(name.text)) is not None


def _outer(grammar: Grammar, parent: "Node", text: bytes) -> bytes | None:
    """Return the same name if what binds it says that it is one from outside, or gives it that by default."""
    kind = parent.type
    value = parent.child_by_field_name(grammar.same[kind]) if kind in grammar.same else None
    return text if kind in grammar.outer or (value is not None and value.text == text) else None


def _is_bound(grammar: Grammar, node: "Node", parent: "Node") -> bool:
    """Whether a name gets a meaning where it stands, or what it is part of does, in a node."""
    kind = parent.type
    if kind in grammar.cases and node.type == _PATTERN:
        return True
    if kind in grammar.binders:
        return _is_in(grammar.binders[kind], node, parent) and _has_word(grammar, parent)
    if kind in grammar.captures:
        return parent.child_count == 1 and parent.parent is not None and parent.parent.type in grammar.captures[kind]
    if kind in grammar.behind:
        before = node.prev_sibling
        return before is not None and before.type == grammar.behind[kind]
    return kind in grammar.outer or (kind in grammar.listed and _is_target(grammar, parent))


def _is_in(field: str, node: "Node", parent: "Node") -> bool:
    """Whether a node is the first in a field of another; see Grammar.binders."""
    if not field:
        return True
    if field == FIRST:
        return parent.named_children[0].start_byte == node.start_byte
    named = parent.child_by_field_name(field.removeprefix("!"))
    is_named = named is not None and named.start_byte == node.start_byte
    return is_named != field.startswith("!")


def _is_named(grammar: Grammar, node: "Node", binder: "Node") -> bool:
    """Whether a name stands in the field in which what binds it wants it."""
    field = grammar.named.get(binder.type)
    around = node.parent
    named = around.child_by_field_name(field) if field is not None and around is not None else node
    return named is not None and named.start_byte == node.start_byte


def _has_word(grammar: Grammar, parent: "Node") -> bool:
    """Whether a node that binds only with a word in it has that, or with one of a kind of words."""
    if parent.type == "for_in_statement":
        return parent.child_by_field_name("kind") is not None
    word = grammar.words.get(parent.type)
    return word is None or any(child.type == word for child in parent.children)


def _is_target(grammar: Grammar, node: "Node") -> bool:
    """Whether what is written as a value takes one instead."""
    at: Node | None = node
    for _ in range(_HIGHEST):
        if at is None or at.type not in grammar.listed:
            break
        at = at.parent
    return at is not None and at.type == grammar.target


def _scope(grammar: Grammar, node: "Node") -> "Node | None":
    """Return the node that ends what is bound in another; None where that is known by other means."""
    at: Node | None = node
    is_leaving = False
    for _ in range(_HIGHEST):
        if at is None or at.type in grammar.open or (at != node and at.type in grammar.given):
            return None
        if at.type in grammar.functions or (at.type in grammar.blocks and not is_leaving):
            return at
        is_leaving = is_leaving or at.type in grammar.leaving
        at = at.parent
    return None
