"""How languages give a name to something new, as their grammars call it, and where that ends."""

import re
from dataclasses import dataclass, field
from functools import partial

_AHEAD = re.compile(rb"\s*(?:=(?!=)|:=|[,):\]}?;#]|if\b|in\b|of\b|\Z)|[ \t]*[\r\n]")
_AHEAD_OF_OTHERS = re.compile(rb"\s*(?:=(?!=)|:=|<-|->|=>|[,):\]}?;{@|]|in\b|do\b|\Z)|[ \t]*[\r\n]")
_AHEAD_IN_CSHARP = re.compile(rb"\s*(?:=(?!=)|=>|&&|[,):\]}?;{|]|in\b|when\b|\Z)|[ \t]*[\r\n]")
_AHEAD_IN_GO = re.compile(rb"[ \t]*(?:=(?!=)|:=|[,);{}\r\n])|[ \t]+[\w*<(\[.]")
_NONE = frozenset[str]()
FIRST = "^"
"""Stands for a node's first part where that has no name as a field."""
BROWSER_OBJECTS = frozenset({
    "caches", "console", "crypto", "customElements", "document", "history", "indexedDB", "localStorage", "location",
    "navigator", "performance", "screen", "sessionStorage", "speechSynthesis", "visualViewport",
})  # fmt: skip
"""What JavaScript finds around it: unless a file has something else of the name, nothing of it is a repository's."""
WINDOW = "window"
"""What has these, and all that a repository gives it: ``window.app = new App()``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """How a language binds names of its own."""

    binders: dict[str, str]
    """Types of nodes to the field that is a new name, or FIRST; empty where all in it are, ``!value`` where all but
    that."""
    functions: frozenset[str]
    blocks: frozenset[str]
    """Types of nodes that end what they bind, besides functions."""
    open: frozenset[str]
    """Types of nodes outside of which a name is known by other means: classes, files."""
    own: frozenset[str]
    """Names that mean the same all over, whatever gives them."""
    brought: frozenset[str] = _NONE
    """Names that stand for something wherever a file does not give them to something else."""
    makes: bool = False
    """Whether a word stands before what objects are made of."""
    has_blocks: bool = True
    """Whether names end with the block they are declared in."""
    is_wide: bool = False
    """Whether names that a file neither defines nor imports may mean something: of a package, a class, a program."""
    is_sequential: bool = False
    """Whether a name means something else before it is declared."""
    ahead: re.Pattern[bytes] = _AHEAD
    """What can follow a name where it is bound."""
    leaves: frozenset[str] = frozenset({"identifier", "shorthand_property_identifier_pattern"})
    """What the grammar calls a name."""
    via: dict[str, str] = field(default_factory=dict)
    """Types of nodes between a name and what binds it, to the field that leads there; empty for all of them."""
    words: dict[str, str] = field(default_factory=dict)
    """Types of nodes that bind a name only with a word in them: ``for k := range q``."""
    named: dict[str, str] = field(default_factory=dict)
    """Types of nodes that bind only names in a field of what is right around these."""
    unwrapping: frozenset[str] = _NONE
    """Types of nodes in which a name without a value is the same one as outside: ``if let x``."""
    cases: frozenset[str] = _NONE
    """Types of nodes that bind the names of the patterns in their conditions: ``if case .paid(let x) = y``."""
    unlike: frozenset[str] = _NONE
    """Types of nodes that bind no name that stands right in them: a function that is declared in another."""
    outer: frozenset[str] = _NONE
    """Types of nodes that say: the name is one from outside."""
    same: dict[str, str] = field(default_factory=dict)
    """Types of nodes that give a name something by default, to the field with it: ``def f(len=len)``."""
    leaving: frozenset[str] = _NONE
    """Types of nodes whose names belong to the function around, whatever block they stand in."""
    given: frozenset[str] = _NONE
    """Types of nodes around what binds, in which nothing new is meant from there on: assignments, prototypes."""
    captures: dict[str, frozenset[str]] = field(default_factory=dict)
    """Types of nodes with nothing but a name that bind it in nodes of some types."""
    behind: dict[str, str] = field(default_factory=dict)
    """Types of nodes that bind the name behind a word."""
    listed: frozenset[str] = _NONE
    """Types of nodes that are written as values are, and bind what they hold in nodes of one type, ``target``."""
    target: str = ""
    called: frozenset[str] = _NONE
    """Types of nodes whose names hide functions; empty for all. Others of Kotlin hide variables alone."""


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
    open=frozenset(
        {
            "class_body",
            "constructor_type",
            "function_signature",
            "function_type",
            "interface_body",
            "method_signature",
            "object_type",
            "program",
        }
    ),
    leaving=frozenset({"variable_declaration"}),
    given=frozenset({"assignment_expression"}),
    captures={},
    behind={},
    listed=frozenset(),
    target="",
    own=frozenset({"exports", "module", "require", "self", "super", "this"}),
    brought=BROWSER_OBJECTS | {WINDOW},
    makes=True,
    has_blocks=True,
)
_Others = partial(Grammar, is_wide=True, is_sequential=True, ahead=_AHEAD_OF_OTHERS)
"""What languages share in which names are known that no import brings, and mean something else before they are given.
"""
_DECLARATORS = {
    "array_declarator": "declarator",
    "attributed_declarator": "",
    "function_declarator": "declarator",
    "init_declarator": "declarator",
    "parenthesized_declarator": "",
    "pointer_declarator": "declarator",
    "reference_declarator": "",
    "structured_binding_declarator": "",
}
_C = _Others(
    binders={
        "declaration": "!value",
        "for_range_loop": "declarator",
        "lambda_capture_initializer": "left",
        "optional_parameter_declaration": "declarator",
        "parameter_declaration": "declarator",
        "parameter_list": "",
    },
    functions=frozenset({"function_definition", "lambda_expression"}),
    blocks=frozenset({
        "catch_clause", "compound_statement", "for_range_loop", "for_statement", "if_statement", "switch_statement",
        "while_statement",
    }),
    open=frozenset({"declaration_list", "field_declaration_list", "translation_unit"}),
    own=frozenset({"this"}),
    via=_DECLARATORS,
    unlike=frozenset({"function_declarator"}),
    given=frozenset({
        "alias_declaration", "declaration", "field_declaration", "friend_declaration", "optional_parameter_declaration",
        "parameter_declaration", "type_definition", "type_descriptor",
    }),
)  # fmt: skip
_GO = _Others(
    binders={
        "const_spec": "!value",
        "parameter_declaration": "",
        "range_clause": "left",
        "receive_statement": "left",
        "short_var_declaration": "left",
        "type_switch_statement": "alias",
        "var_spec": "!value",
        "variadic_parameter_declaration": "name",
    },
    functions=frozenset({"func_literal", "function_declaration", "method_declaration"}),
    blocks=frozenset({
        "block", "communication_case", "default_case", "expression_case", "expression_switch_statement",
        "for_statement", "if_statement", "type_case", "type_switch_statement",
    }),
    open=frozenset({"function_type", "method_elem", "source_file"}),
    own=_NONE,
    ahead=_AHEAD_IN_GO,
    via={"expression_list": ""},
    words={"range_clause": ":=", "receive_statement": ":="},
)  # fmt: skip
_CSHARP = _Others(
    binders={
        "catch_declaration": "name",
        "declaration_expression": "name",
        "declaration_pattern": "name",
        "foreach_statement": "left",
        "from_clause": "name",
        "lambda_expression": "parameters",
        "let_clause": "name",
        "parameter": "name",
        "recursive_pattern": "name",
        "tuple_pattern": "",
        "variable_declarator": "name",
    },
    functions=frozenset({
        "accessor_declaration", "anonymous_method_expression", "constructor_declaration",
        "conversion_operator_declaration", "destructor_declaration", "indexer_declaration", "lambda_expression",
        "local_function_statement", "method_declaration", "operator_declaration",
    }),
    blocks=frozenset({
        "block", "catch_clause", "for_statement", "foreach_statement", "query_expression", "switch_expression_arm",
        "switch_section", "using_statement", "while_statement",
    }),
    open=frozenset({"compilation_unit", "declaration_list", "delegate_declaration", "enum_member_declaration_list"}),
    own=frozenset({"base", "this"}),
    ahead=_AHEAD_IN_CSHARP,
    leaves=frozenset({"identifier", "implicit_parameter"}),
)  # fmt: skip
_KOTLIN = _Others(
    binders={"catch_block": "", "parameter": "", "variable_declaration": ""},
    functions=frozenset(
        {"anonymous_function", "function_declaration", "lambda_literal", "secondary_constructor", "setter"}
    ),
    blocks=frozenset({"block", "catch_block", "for_statement", "when_expression"}),
    open=frozenset({"class_body", "enum_class_body", "function_type", "source_file"}),
    own=frozenset({"super", "this"}),
    leaves=frozenset({"identifier", "simple_identifier"}),
    called=frozenset({"parameter"}),
)
_SWIFT = _Others(
    binders={
        "catch_block": "error",
        "computed_setter": "",
        "for_statement": "item",
        "guard_statement": "bound_identifier",
        "if_statement": "bound_identifier",
        "lambda_parameter": "name",
        "parameter": "name",
        "property_declaration": "name",
        "switch_pattern": "",
        "while_statement": "bound_identifier",
    },
    functions=frozenset({
        "computed_setter", "function_declaration", "init_declaration", "lambda_literal", "subscript_declaration",
    }),
    blocks=frozenset({
        "catch_block", "for_statement", "function_body", "if_statement", "statements", "switch_entry",
        "while_statement",
    }),
    open=frozenset({"class_body", "enum_class_body", "protocol_body", "source_file"}),
    own=frozenset({"Self", "self", "super"}),
    leaves=frozenset({"simple_identifier"}),
    via={"pattern": ""},
    named={"switch_pattern": "bound_identifier"},
    unwrapping=frozenset({"guard_statement", "if_statement", "while_statement"}),
    cases=frozenset({"guard_statement", "if_statement", "while_statement"}),
)  # fmt: skip
_SCALA = _Others(
    binders={
        "binding": "name",
        "capture_pattern": "name",
        "case_class_pattern": "",
        "case_clause": "pattern",
        "enumerator": FIRST,
        "lambda_expression": "parameters",
        "parameter": "name",
        "tuple_pattern": "",
        "typed_pattern": "pattern",
        "val_definition": "pattern",
        "var_definition": "pattern",
    },
    functions=frozenset({"function_definition", "lambda_expression"}),
    blocks=frozenset({"block", "case_clause", "for_expression", "indented_block"}),
    open=frozenset({"class_definition", "compilation_unit", "template_body"}),
    own=frozenset({"super", "this"}),
)
_LUA = _Others(
    binders={"for_generic_clause": "", "for_numeric_clause": "name", "parameters": "", "variable_declaration": ""},
    functions=frozenset({"function_declaration", "function_definition"}),
    blocks=frozenset({"block", "for_statement", "repeat_statement"}),
    open=frozenset({"chunk"}),
    own=frozenset({"self"}),
    via={"assignment_statement": "", "variable_list": ""},
)
GRAMMARS = {
    "c": _C,
    "cpp": _C,
    "csharp": _CSHARP,
    "go": _GO,
    "javascript": _ECMASCRIPT,
    "kotlin": _KOTLIN,
    "lua": _LUA,
    "python": _PYTHON,
    "scala": _SCALA,
    "swift": _SWIFT,
    "tsx": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
}
"""By language. Rust's and Java's names are told apart by other means, PHP's and Ruby's can't be mixed up."""
