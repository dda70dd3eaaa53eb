"""Names used other than by a call: types in annotations, definitions as values, what stands before a called member."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.names.occurrences import occurrences, without
from ctxcode.codegraph.facts import GLOBAL

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.page import Page

_CHAIN = re.compile(rb"(?:\s*(?:\.\s*[A-Za-z_$]|::\s*[A-Za-z_])[\w$]*)*")
_PLAIN_CHAIN = re.compile(rb"(?:\.[A-Za-z_]\w*+){1,9}+(?=[()\],}=])")
"""As most are written, up to what does not go on with it."""
_STEP = re.compile(rb"\s*(?:\.|::)\s*")
_OF_PATH, _BACKSLASH = re.compile(rb"[\w\\]"), b"\\"
_CALL = re.compile(rb"[ \t]*!?\(")
# A dot alone is found much quicker than each word that may begin a package.
_INTO_PACKAGE = re.compile(rb"\.(?=[A-Z])(?<=[a-z0-9_]\.)")
_PACKAGE = re.compile(rb"(?<![\w$.])[a-z_]\w*+(?:\.[a-z_]\w*+)*+\Z")
"""A package before a name of what stands in it."""
_IMPORTING = re.compile(rb"[ \t]*(?:import|package|export)\b")
_LINKS = frozenset({b".", b":"})
_PATH = b"::"
"""What follows names of modules and types alone."""
_MOST_HITS = 20_000
_LONGEST_CHAIN = 200

_LEAVES = frozenset(
    {
        "constant",
        "crate",
        "identifier",
        "name",
        "namespace_identifier",
        "package_identifier",
        "shorthand_field_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "simple_identifier",
        "super",
        "type_identifier",
    }
)
"""What grammars call a name, and what Rust's paths begin with; comments and texts are called otherwise."""
_MENTIONS = frozenset(
    {
        "aliased_import",
        "dotted_name",
        "export_specifier",
        "import_clause",
        "import_specifier",
        "namespace_import",
        "scoped_use_list",
        "use_as_clause",
        "use_declaration",
        "use_list",
    }
)
"""Where a name is imported or exported."""
_BINDERS = frozenset(
    {
        "as_pattern_target",
        "catch_clause",
        "closure_parameters",
        "formal_parameters",
        "global_statement",
        "inferred_parameters",
        "lambda_parameters",
        "nonlocal_statement",
        "parameters",
    }
)
"""Where every name is a new one."""
_FIRST_BINDERS = frozenset({"arrow_function", "assignment", "augmented_assignment", "named_expression", "var_spec"})
"""Where the first name is a new one, besides all kinds of parameters and declarations."""
_TAGGED = frozenset({"class_specifier", "enum_specifier", "struct_specifier", "union_specifier"})
"""What C says before a type that no variable hides."""
_MODULES = frozenset({"crate", "super"})
"""What is no name, though names begin with it."""
_VALUE = "identifier"
"""What TypeScript calls a name that is no type's."""
_VARARGS = "spread_parameter"
"""Java's; its type stands first, in no field."""
_LOOPS = frozenset({"for_expression", "for_in_clause", "for_in_statement", "for_statement"})
_LOOP_OF_SCRIPTS = "for_in_statement"
_GIVING = {
    "for_range_loop": "declarator",
    "let_condition": "pattern",
    "let_declaration": "pattern",
    "optional_parameter_declaration": "declarator",
    "parameter_declaration": "declarator",
    "pointer_declarator": "declarator",
}
"""Where the name in a field is a new one from there on."""
_LIST = "expression_list"
_ARGUMENT, _SPACE = "keyword_argument", "namespace_name"
_NAMING = frozenset({_ARGUMENT, _LIST, _SPACE})
_PATTERN = "pattern"
_BRACKET = b"("
_NOWHERE, _FROM_THERE, _ALL_OVER = range(3)
_MARK = b"@"
_LISTED = frozenset({b"[", b",", b":"})
"""What attributes of C# stand behind."""
_ANNOTATING = frozenset({"annotation", "scoped_identifier"})
"""What a type stands in that something of Java is marked with, though brackets follow."""
_SHORT = {
    "range_clause": "left",
    "receive_statement": "left",
    "short_var_declaration": "left",
    "type_switch_statement": "alias",
}
"""Where the names in a list in a field are, if ``:=`` stands behind it: Go's."""


class Names(NamedTuple):
    """What to look for in a file."""

    known: frozenset[str]
    """What it imports and defines at its top."""
    headers: frozenset[int]
    """Where the names of definitions and of fields stand."""
    has_types: bool
    """Whether capitalised names are known without an import."""
    import_spans: Sequence[tuple[int, int]] = ()
    """Bytes in which names are imported and not used, in source order."""
    attribute: str = ""
    """What the name of an attribute may end in where it is defined."""
    methods: frozenset[str] = frozenset()
    """What the types of the file define to be called on their objects."""
    has_namesakes: bool = False
    """Whether a type may be called like a value: TypeScript."""


class Uses(NamedTuple):
    """What a search found."""

    first: dict[tuple[int, str], int]
    """(owner, dotted name) to its first byte."""
    bound: set[tuple[int, str]]
    """(owner, name) of names that an owner gives to something of its own."""
    types: set[tuple[int, str]]
    """Those that stand where only a type can: something else of an owner's own may be called so."""
    values: set[tuple[int, str]]
    """Those of names alone that stand where only a value can, in languages in which types may be called alike."""


def find_uses(page: "Page", root: "Node", names: Names, owner_of: Callable[[int], int]) -> Uses:
    """Return the first use of each name by each owner; ``owner_of`` tells the definition around a byte."""
    source, uses, headers, attribute = page.source, Uses({}, set(), set(), set()), names.headers, names.attribute
    first = uses.first
    known = {name.encode(): name for name in names.known if len(name) > 1 or name.isupper()}
    found = occurrences(without(source, names.import_spans), known, has_types=names.has_types)
    for at, name in found[:_MOST_HITS]:
        end = at + len(name)
        following = source[end : end + 1]
        is_marked = source[at - 1 : at] == _MARK
        if attribute and following == _BRACKET:
            is_marked = source[max(0, at - 9) : at].rstrip()[-1:] in _LISTED
        if (following == _BRACKET and not is_marked) or at in headers:
            continue
        chain, is_type, is_plain = known.get(name) or name.decode(), name[:1].isupper(), True
        if following in _LINKS:
            chain, is_plain = chain_from(source, chain, end)
        key = owner_of(at), chain
        # Any of them may be where a plain name is bound; a type is bound rarely.
        if key in first and (is_type or not is_plain):
            continue
        node = root.descendant_for_byte_range(at, end)
        leaf = node.type if node is not None else ""
        parent = node.parent if node is not None and (leaf in _LEAVES or _is_quoted(node)) else None
        kind = parent.type if parent is not None else ""
        may_bind = _may_bind(kind) or leaf.endswith(_PATTERN)
        if node is None or parent is None or chain in _MODULES or (may_bind and _is_mention(parent, at)):
            continue
        is_attribute = bool(attribute) and kind == "attribute"
        if following == _BRACKET and kind not in _ANNOTATING and not is_attribute and not _is_wrapping(parent):
            continue
        if is_marked and kind in _ANNOTATING:
            key = key[0], chain_from(source, known.get(name) or name.decode(), end, is_whole=True)[0]
        binding = _binding(node, parent, at, source, is_type=is_type) if may_bind else _NOWHERE
        if binding:
            # What has been said before it is given means what is outside.
            if binding == _ALL_OVER or key not in first:
                uses.bound.add(key)
            continue
        is_value = names.has_namesakes and leaf == _VALUE
        _add(uses, key, at, is_type=source.startswith(_PATH, end) or kind in _TAGGED, is_value=is_value)
        if is_attribute:
            first.setdefault((key[0], f"{key[1]}{attribute}"), at)
    return uses


@cache
def _may_bind(kind: str) -> bool:
    """Whether a name may be bound, imported or exported in a node of some kind: in most it is only said."""
    is_binder = kind in _BINDERS or kind in _FIRST_BINDERS or kind in _LOOPS or kind in _GIVING
    is_mention = kind in _MENTIONS or kind in _NAMING
    return is_binder or is_mention or any(part in kind for part in (_PATTERN, "parameter", "declarat"))


def _add(uses: Uses, key: tuple[int, str], at: int, *, is_type: bool, is_value: bool) -> None:
    if key[1]:
        if is_value and key not in uses.first and "." not in key[1]:
            uses.values.add(key)
        uses.first.setdefault(key, at)
        if is_type:
            uses.types.add(key)


def _is_wrapping(parent: "Node") -> bool:
    """Whether a type of Swift is what a property is marked with: ``@Clamped(10) var level``."""
    return parent.type == "user_type" and parent.parent is not None and parent.parent.type == "attribute"


def _binding(node: "Node", parent: "Node", at: int, source: bytes, *, is_type: bool) -> int:
    """Return where a name that stands on a byte is something new: nowhere, from there on, or all over."""
    if node.type.endswith(_PATTERN) or _is_bound(parent, at, source, is_type=is_type):
        return _ALL_OVER
    return _FROM_THERE if _is_given(node, parent, at) else _NOWHERE


def add_full_names(uses: Uses, page: "Page", root: "Node", owner_of: Callable[[int], int]) -> None:
    """Add what is said with its package before it, in Java, Kotlin and Scala: ``com.shop.Cart``."""
    source, line_ends = page.source, page.line_ends
    for match in islice(_INTO_PACKAGE.finditer(source), _MOST_HITS):
        end = match.start()
        row = bisect_right(line_ends, end)
        if _IMPORTING.match(source, line_ends[row - 1] if row else 0, end):
            continue
        package = _PACKAGE.search(source, max(0, end - _LONGEST_CHAIN), end)
        if package is None:
            continue
        at = package.start()
        is_marked = source[at - 1 : at] == _MARK
        chain = chain_from(source, package[0].decode("utf-8", "replace"), end, is_whole=is_marked)[0]
        key = owner_of(at), chain
        # Without a dot it is a variable, of which a function is called.
        node = root.descendant_for_byte_range(at, at + 1) if "." in chain and key not in uses.first else None
        if node is not None and node.type in _LEAVES:
            uses.first[key] = at


def _is_quoted(node: "Node") -> bool:
    """Whether a text stands where Python says a type: ``def f(cart: "Cart | None")``."""
    if node.type != "string_content" or node.parent is None:
        return False
    around = node.parent.parent
    return around is not None and around.type == "type"


def of_namespace(source: bytes, at: int, chain: str) -> str:
    """Return a dotted name of PHP with the namespace before it as that is written; empty for what is but one itself.

    Behind a backslash alone it is one of no namespace.
    """
    name, start = chain.partition(".")[0].encode(), at
    if not source.startswith(name, at):
        return chain
    if source.startswith(_BACKSLASH, at + len(name)):
        return ""
    while start and at - start < _LONGEST_CHAIN and _OF_PATH.match(source, start - 1) is not None:
        start -= 1
    before = source[start:at]
    top = GLOBAL if before == _BACKSLASH else ""
    return f"{top}{before.decode('utf-8', 'replace')}{chain}".lstrip("\\")


def chain_from(source: bytes, name: str, end: int, *, is_whole: bool = False) -> tuple[str, bool]:
    """Return (the dotted name that a name begins, whether it is the name alone), if not whole without a called part."""
    plain = _PLAIN_CHAIN.match(source, end)
    if plain is not None and plain.end() - end < _LONGEST_CHAIN:
        is_called = not is_whole and source.startswith(_BRACKET, plain.end())
        written = plain[0].rpartition(b".")[0] if is_called else plain[0]
        return name + written.decode(), False
    found = _CHAIN.match(source, end)
    if found is None or not found[0]:
        return name, True
    parts = _STEP.split(found[0][:_LONGEST_CHAIN])[1:]
    if not is_whole and _CALL.match(source, found.end()):
        parts.pop()
    return ".".join([name, *[part.decode() for part in parts]]), False


def _is_mention(parent: "Node", at: int) -> bool:
    """Whether a name is imported or exported where it stands, or is that of an argument, or of PHP's own namespace."""
    kind = parent.type
    if kind == _SPACE and parent.parent is not None:
        return parent.parent.type == "namespace_definition"
    return kind in _MENTIONS or (kind == _ARGUMENT and parent.start_byte == at)


def _is_bound(parent: "Node", at: int, source: bytes, *, is_type: bool) -> bool:
    """Whether a name is given to something new where it stands."""
    kind = parent.type
    if kind in _BINDERS or (_PATTERN in kind and not is_type):
        return True
    if kind in _LOOPS:
        if parent.child_by_field_name("kind") is not None:
            return _is_in("left", parent, at)
        is_python = kind != _LOOP_OF_SCRIPTS
        return is_python and source[max(0, at - 8) : at].split()[-1:] == [b"for"]
    if parent.start_byte != at or not (kind in _FIRST_BINDERS or "parameter" in kind or "declarat" in kind):
        return False
    if kind == _VARARGS:
        return False
    # Where types stand first the name follows.
    written = parent.child_by_field_name("type") or parent.child_by_field_name("returns")
    return written is None or written.start_byte != at


def _is_given(node: "Node", parent: "Node", at: int) -> bool:
    """Whether a name is given to something new from there on, in a statement of Rust, Go or C++."""
    kind = parent.type
    if kind == _LIST:
        around = parent.parent
        if around is None or around.type not in _SHORT or not _is_in(_SHORT[around.type], around, parent.start_byte):
            return False
        behind = parent.next_sibling
        return behind is not None and behind.type == ":="
    if kind in {"declaration", "reference_declarator"}:
        # Types are called otherwise.
        return node.type == "identifier"
    return kind in _GIVING and _is_in(_GIVING[kind], parent, at)


def _is_in(name: str, parent: "Node", at: int) -> bool:
    """Whether a field of a node begins on a byte."""
    found = parent.child_by_field_name(name)
    return found is not None and found.start_byte == at
