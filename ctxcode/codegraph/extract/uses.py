"""Names used other than by a call: types in annotations, definitions as values, what stands before a called member."""

import re
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.page import Page

_WORD = re.compile(rb"([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)", re.ASCII)
_CHAIN = re.compile(rb"(?:\s*(?:\.\s*[A-Za-z_$]|::\s*[A-Za-z_])[\w$]*)*")
_STEP = re.compile(rb"\s*(?:\.|::)\s*")
_CALL = re.compile(rb"[ \t]*!?\(")
_INNER = frozenset((*b"_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *range(128, 256)))
_DOT = ord(".")
_COLON = ord(":")
_LINKS = frozenset({b".", b":"})
_MOST_HITS = 20_000
_MOST_SEARCHES = 50
"""With more names than this, one look at every word is quicker than a search for each."""
_LONGEST_CHAIN = 200

_LEAVES = frozenset(
    {
        "constant",
        "identifier",
        "name",
        "namespace_identifier",
        "package_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "simple_identifier",
        "type_identifier",
    }
)
"""What grammars call a name; comments and texts are called otherwise."""
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
_FIRST_BINDERS = frozenset(
    {"arrow_function", "assignment", "assignment_expression", "augmented_assignment", "named_expression", "var_spec"}
)
"""Where the first name is a new one, besides all kinds of parameters and declarations."""
_LOOPS = frozenset({"for_expression", "for_in_clause", "for_in_statement", "for_statement"})


class Names(NamedTuple):
    """What to look for in a file."""

    known: frozenset[str]
    """What it imports and defines at its top."""
    headers: frozenset[int]
    """Where the names of definitions stand."""
    has_types: bool
    """Whether capitalised names are known without an import."""
    import_spans: Sequence[tuple[int, int]] = ()
    """Bytes in which names are imported and not used, in source order."""


class Uses(NamedTuple):
    """What a search found."""

    first: dict[tuple[int, str], int]
    """(owner, dotted name) to its first byte."""
    bound: set[tuple[int, str]]
    """(owner, name) of names that an owner gives to something of its own."""


def find_uses(page: "Page", root: "Node", names: Names, owner_of: Callable[[int], int]) -> Uses:
    """Return the first use of each name by each owner; ``owner_of`` tells the definition around a byte."""
    source, uses, headers = page.source, Uses({}, set()), names.headers
    known = {name.encode(): name for name in names.known if len(name) > 1 or name.isupper()}
    is_few = len(known) <= _MOST_SEARCHES and not names.has_types
    told = _without(source, names.import_spans)
    found = _searched(told, known) if is_few else _all_words(told, known, has_types=names.has_types)
    for at, name in found[:_MOST_HITS]:
        end = at + len(name)
        following = source[end : end + 1]
        if following == b"(" or at in headers:
            continue
        chain, is_type, is_plain = known.get(name) or name.decode(), name[:1].isupper(), True
        if following in _LINKS:
            chain, is_plain = _chain(source, chain, end)
        owner = owner_of(at)
        # Any of them may be where a plain name is bound; a type is bound rarely.
        if (owner, chain) in uses.first and (is_type or not is_plain):
            continue
        node = root.descendant_for_byte_range(at, end)
        parent = node.parent if node is not None and node.type in _LEAVES else None
        if node is None or parent is None or _is_mention(parent, at):
            continue
        if node.type.endswith("pattern") or _is_bound(parent, at, source, is_type=is_type):
            uses.bound.add((owner, chain))
        elif chain:
            uses.first.setdefault((owner, chain), at)
    return uses


def _without(source: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """Return a text with blanks in the place of some of its bytes."""
    pieces, at = list[bytes](), 0
    for start, end in spans:
        # In broken code one may stand in another.
        if start >= at:
            pieces += (source[at:start], b" " * (end - start))
            at = end
    return b"".join([*pieces, source[at:]]) if pieces else source


def _all_words(source: bytes, known: Container[bytes], *, has_types: bool) -> list[tuple[int, bytes]]:
    """Return (byte, name) of the words to look for that follow no dot, in source order."""
    # Splitting and counting stay in C; a match for each word would take three times as long. [ follows Z.
    pieces = _WORD.split(source)
    starts = islice(accumulate(map(len, pieces)), 0, len(pieces) - 1, 2)
    found = [
        (at, name)
        for at, name in zip(starts, pieces[1::2], strict=True)
        if name in known or (has_types and b"A" <= name < b"[")
    ]
    return [(at, name) for at, name in found if _is_whole(source, at, at + len(name))]


def _searched(source: bytes, known: Iterable[bytes]) -> list[tuple[int, bytes]]:
    """Return the same for a few names: a search for each is quicker than a look at every word."""
    found = list[tuple[int, bytes]]()
    search = source.find
    for name in known:
        at = search(name)
        while at >= 0:
            end = at + len(name)
            if _is_whole(source, at, end):
                found.append((at, name))
            at = search(name, end)
    return sorted(found)


def _is_whole(source: bytes, start: int, end: int) -> bool:
    """Whether a text begins and ends a word and goes on nothing before it."""
    return (end == len(source) or source[end] not in _INNER) and not (start and _is_inside(source, start))


def _is_inside(source: bytes, at: int) -> bool:
    """Whether a text goes on what stands before it: a longer word, a dot, two colons."""
    before = source[at - 1]
    if before == _DOT:
        return source[max(0, at - 3) : at] != b"..."
    return before in _INNER or (before == _COLON and source[at - 2 : at] == b"::")


def _chain(source: bytes, name: str, end: int) -> tuple[str, bool]:
    """Return (the dotted name that a name begins, whether it is the name alone), without a called last part."""
    found = _CHAIN.match(source, end)
    if found is None or not found[0]:
        return name, True
    parts = _STEP.split(found[0][:_LONGEST_CHAIN])[1:]
    if _CALL.match(source, found.end()):
        parts.pop()
    return ".".join([name, *[part.decode() for part in parts]]), False


def _is_mention(parent: "Node", at: int) -> bool:
    """Whether a name is imported or exported where it stands, or is that of an argument."""
    return parent.type in _MENTIONS or (parent.type == "keyword_argument" and parent.start_byte == at)


def _is_bound(parent: "Node", at: int, source: bytes, *, is_type: bool) -> bool:
    """Whether a name is given to something new where it stands."""
    kind = parent.type
    if kind in _BINDERS or ("pattern" in kind and not is_type):
        return True
    if kind in _LOOPS:
        return source[max(0, at - 8) : at].split()[-1:] == [b"for"]
    if parent.start_byte != at or not (kind in _FIRST_BINDERS or "parameter" in kind or "declarat" in kind):
        return False
    # Where types stand first the name follows.
    written = parent.child_by_field_name("type")
    return written is None or written.start_byte != at
