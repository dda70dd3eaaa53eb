"""Where Python, JavaScript and TypeScript give a name to something new, and where that ends."""

from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.names.arguments import told_around

if TYPE_CHECKING:
    from tree_sitter import Node

_HIGHEST = 60
"""Nodes around a name that are climbed."""


class Grammar(NamedTuple):
    """How a language binds names of its own."""

    binders: dict[str, str]
    """Types of nodes to the field that is a new name; an empty text where all names in it are."""
    outer: frozenset[str]
    """Types of nodes that say: the name is one from outside."""
    same: dict[str, str]
    """Types of nodes that give a name something by default, to the field with it: ``def f(len=len)``."""
    functions: frozenset[str]
    blocks: frozenset[str]
    """Types of nodes that end what they bind, besides functions."""
    open: frozenset[str]
    """Types of nodes outside of which a name is known by other means: classes, files."""
    leaving: frozenset[str]
    """Types of nodes whose names belong to the function around, whatever block they stand in."""
    given: frozenset[str]
    """Types of nodes that give something to names that exist already; patterns in them bind nothing."""
    captures: dict[str, frozenset[str]]
    """Types of nodes with nothing but a name that bind it in nodes of some types."""
    behind: dict[str, str]
    """Types of nodes that bind the name behind a word."""
    listed: frozenset[str]
    """Types of nodes that are written as values are, and bind what they hold in nodes of one type, ``target``."""
    target: str
    own: frozenset[str]
    """Names that mean the same all over, whatever gives them."""
    has_blocks: bool
    """Whether names end with the block they are declared in."""


class Binding(NamedTuple):
    """A name's own meaning in a part of a file, by bytes."""

    start: int
    """Where it begins, with the parameters of a function."""
    body: int
    """From where on code means it."""
    end: int
    meant: bytes | None
    """The name from outside that it is: said to be, by default, or as a function called on the spot is given it."""


_PYTHON = Grammar(
    binders={
        "as_pattern_target": "",
        "assignment": "left",
        "default_parameter": "name",
        "dictionary_splat_pattern": "",
        "for_in_clause": "left",
        "for_statement": "left",
        "lambda_parameters": "",
        "list_pattern": "",
        "list_splat_pattern": "",
        "named_expression": "name",
        "parameters": "",
        "pattern_list": "",
        "splat_pattern": "",
        "tuple_pattern": "",
        "typed_default_parameter": "name",
        "typed_parameter": "",
    },
    outer=frozenset({"global_statement", "nonlocal_statement"}),
    same={"default_parameter": "value", "typed_default_parameter": "value"},
    functions=frozenset({"function_definition", "lambda"}),
    blocks=frozenset({"dictionary_comprehension", "generator_expression", "list_comprehension", "set_comprehension"}),
    open=frozenset({"class_definition", "module"}),
    leaving=frozenset({"named_expression"}),
    given=frozenset(),
    captures={"dotted_name": frozenset({"case_pattern", "keyword_pattern"})},
    behind={"as_pattern": "as"},
    listed=frozenset({"list", "list_splat", "tuple"}),
    target="as_pattern_target",
    own=frozenset({"cls", "self", "super"}),
    has_blocks=False,
)
_ECMASCRIPT = Grammar(
    binders={
        "array_pattern": "",
        "arrow_function": "parameter",
        "assignment_pattern": "left",
        "catch_clause": "parameter",
        "for_in_statement": "left",
        "formal_parameters": "",
        "object_assignment_pattern": "left",
        "object_pattern": "",
        "optional_parameter": "pattern",
        "pair_pattern": "value",
        "required_parameter": "pattern",
        "rest_pattern": "",
        "variable_declarator": "name",
    },
    outer=frozenset(),
    same={"assignment_pattern": "right"},
    functions=frozenset(
        {
            "arrow_function",
            "function_declaration",
            "function_expression",
            "generator_function",
            "generator_function_declaration",
            "method_definition",
        }
    ),
    blocks=frozenset({"catch_clause", "for_in_statement", "for_statement", "statement_block", "switch_body"}),
    open=frozenset({"class_body", "function_signature", "function_type", "method_signature", "program"}),
    leaving=frozenset({"variable_declaration"}),
    given=frozenset({"assignment_expression"}),
    captures={},
    behind={},
    listed=frozenset(),
    target="",
    own=frozenset({"exports", "module", "require", "self", "super", "this"}),
    has_blocks=True,
)
GRAMMARS = {"python": _PYTHON, "javascript": _ECMASCRIPT, "typescript": _ECMASCRIPT, "tsx": _ECMASCRIPT}
"""By language."""


def binding_of(grammar: Grammar, node: "Node", text: bytes) -> Binding | None:
    """Return what the name that a node is means from there on, if that gives it to something new."""
    parent = node.parent
    if parent is None or not _is_bound(grammar, node, parent):
        return None
    scope = _scope(grammar, parent)
    if scope is None:
        return None
    parameters = scope.child_by_field_name("parameters") or scope.child_by_field_name("parameter")
    body = scope.child_by_field_name("body") if scope.type in grammar.functions else None
    meant = _outer(grammar, parent, text) or (told_around(node, parent, scope) if grammar.has_blocks else None)
    return Binding((parameters or scope).start_byte, (body or scope).start_byte, scope.end_byte, meant)


def _outer(grammar: Grammar, parent: "Node", text: bytes) -> bytes | None:
    """Return the same name if what binds it says that it is one from outside, or gives it that by default."""
    kind = parent.type
    value = parent.child_by_field_name(grammar.same[kind]) if kind in grammar.same else None
    return text if kind in grammar.outer or (value is not None and value.text == text) else None


def _is_bound(grammar: Grammar, node: "Node", parent: "Node") -> bool:
    """Whether a name gets a meaning where it stands in a node."""
    kind = parent.type
    if kind in grammar.binders:
        field = grammar.binders[kind]
        bound = parent.child_by_field_name(field) if field else node
        is_first = bound is not None and bound.start_byte == node.start_byte
        return is_first and (kind != "for_in_statement" or parent.child_by_field_name("kind") is not None)
    if kind in grammar.captures:
        return parent.child_count == 1 and parent.parent is not None and parent.parent.type in grammar.captures[kind]
    if kind in grammar.behind:
        before = node.prev_sibling
        return before is not None and before.type == grammar.behind[kind]
    return kind in grammar.outer or (kind in grammar.listed and _is_target(grammar, parent))


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
        if at is None or at.type in grammar.open or at.type in grammar.given:
            return None
        if at.type in grammar.functions or (at.type in grammar.blocks and not is_leaving):
            return at
        is_leaving = is_leaving or at.type in grammar.leaving
        at = at.parent
    return None
