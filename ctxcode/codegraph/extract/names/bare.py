"""Lower-case names that other files may define though nothing here imports them.

That is what stands in packages of Go, Kotlin and Scala, in modules of Swift, in what C includes, in namespaces of C++
and in other crates of Rust, and what classes of Scala inherit. Capitalised names are told by their first letter; of
these, the tree tells which are no function's own.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ctxcode.codegraph.extract.names.uses import chain_from
from ctxcode.codegraph.languages import captured, load_grammar, query_of

if TYPE_CHECKING:
    from tree_sitter import Node, Query

    Captures = dict[str, list[Node]]

    from ctxcode.codegraph.extract.names.uses import Names, Uses
    from ctxcode.codegraph.extract.page import Page

LANGUAGES: Final = frozenset({"go", "c", "cpp", "rust", "kotlin", "scala", "swift"})
_MOST_NAMES = 20_000
_GO = (
    "any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint "
    "uint16 uint32 uint64 uint8 uintptr _"
)
_RUST = "std core alloc self i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 str char"
_OF_CLASSES = (
    "std allocator_type char_type const_iterator const_pointer const_reference const_reverse_iterator difference_type "
    "iterator iterator_category key_type mapped_type pointer reference reverse_iterator self_type size_type "
    "traits_type type value_type"
)
"""What classes of C++ call their own types."""
_BUILT_IN = frozenset(f"{_GO} {_RUST} {_OF_CLASSES}".encode().split())
_GIVEN = {
    "kotlin": frozenset(b"_ false field it null true".split()),
    "scala": frozenset(b"_ false null super this true".split()),
    "swift": frozenset(b"_ error newValue oldValue self".split()),
}
"""What a language itself gives a name to in functions; other languages have ``_BUILT_IN``."""
_WORD = re.compile(rb"[^\W\d]\w*")
_CONSTANT = re.compile(rb"k[A-Z]|g_")
_INNER = frozenset(b"_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""What no name begins behind; behind a digit one can, where a source is broken."""
_WITH_CONSTANTS = frozenset({"cpp"})
_PATH, _RANGE = b"::", b".."
_SELF = b"Self"
"""What stands before a type's own constants in Rust."""
_TEXT = "text"
"""What stands in a text, and may be a name that the file knows, too."""
_NAME = "identifier"
_NEVER_HIDDEN = frozenset({"head", "type"})
_USED = ("head", _TEXT, "type", "value")


def add_bare(
    uses: "Uses",
    page: "Page",
    names: "Names",
    found_by: "tuple[str, Node, Captures | None]",
    owner_of: Callable[[int], int],
) -> None:
    """Add the first use of each such name by each definition, and which of them a definition gives to its own.

    ``found_by`` is the language, the tree, and what was captured in it if the language's one query captures these, too.
    """
    language, root, captures = found_by
    captures = captured(_query(language), root) if captures is None else captures
    source = page.source
    inside = [part for node in captures.get("bare_binding", ()) for part in node.named_children]
    binding = [node for node in inside if node.type == _NAME]
    bound = [node.byte_range for node in (*captures.get("bare_bound", ()), *binding)]
    own = {source[slice(*node.byte_range)] for node in captures.get("bare_parameter", ())}
    own |= _GIVEN.get(language, _BUILT_IN)
    leave_out = names.headers.union([start for start, _ in bound])
    leave_out = leave_out.union([node.start_byte for node in captures.get("bare_other", ())])
    leave_out = leave_out.union(_asked(captures.get("bare_asking", ())))
    apart = sorted([*names.import_spans, *[node.byte_range for node in captures.get("bare_apart", ())]])
    found: dict[tuple[int, str], int] = {}
    places = [(*node.byte_range, kind) for kind in _USED for node in captures.get(f"bare_{kind}", ())]
    places += _constants(source, root) if language in _WITH_CONSTANTS else ()
    for at, whole_end, kind in sorted(places):
        end = _word_end(source, at, whole_end) if kind == _TEXT else whole_end
        is_told = kind == _TEXT or _is_bare(source, at, end)
        if at in leave_out or not is_told or source[at:end] in own or _is_inside(apart, at):
            continue
        name = source[at:end].decode("utf-8", "replace")
        chain = chain_from(source, name, end)[0] if kind == "head" else name
        if not name or (name in names.known and kind != _TEXT) or (kind == "head" and "." not in chain):
            continue
        key = owner_of(at), chain
        found.setdefault(key, at)
        if kind in _NEVER_HIDDEN:
            uses.types.add(key)
        if len(found) >= _MOST_NAMES:
            break
    for key, at in found.items():
        uses.first.setdefault(key, at)
    wanted = {name for _, name in found}
    for at, end in bound:
        name = source[at:end].decode("utf-8", "replace").strip("`")
        if name in wanted:
            uses.bound.add((owner_of(at), name))


def _constants(source: bytes, root: "Node") -> "Iterator[tuple[int, int, str]]":
    """Yield (byte, end, kind) of names that are called as constants are, ``kMost``, or as variables, ``g_all``.

    They are few: a query would look at the text of every name. From one to the next it is a few steps, however deep
    both stand in a long sum.
    """
    cursor = root.walk()
    for match in _CONSTANT.finditer(source):
        at = match.start()
        if at and source[at - 1] in _INNER:
            continue
        while not _is_around(cursor.node, at) and cursor.goto_parent():
            pass
        while cursor.goto_first_child_for_byte(at) is not None:
            pass
        node = cursor.node
        if node is not None and node.type == _NAME and node.start_byte == at:
            yield at, node.end_byte, "value"


def _is_around(node: "Node | None", at: int) -> bool:
    return node is not None and node.start_byte <= at < node.end_byte


def _asked(asking: "Iterable[Node]") -> Iterator[int]:
    """Yield where the names stand that something is asked for.

    A pattern that told them would wait at each link of a long chain for its end: in time that grows with its square.
    """
    for node in asking:
        name = node.child_by_field_name("operator") or node.child_by_field_name("field")
        if name is not None:
            yield name.start_byte


def _is_bare(source: bytes, at: int, end: int) -> bool:
    """Whether a name that stands behind no other begins with a small letter, or is the word for a type of Rust."""
    before = source[max(0, at - 2) : at]
    is_first = not before.endswith(b".") or before == _RANGE
    # A name that the grammar misses at the end of a file is empty.
    return is_first and before != _PATH and at < end and (_is_lower(source[at]) or source[at:end] == _SELF)


def _word_end(source: bytes, at: int, end: int) -> int:
    """Return where a word ends that begins at a byte; that byte if none does."""
    found = _WORD.match(source, at, end)
    return at if found is None else found.end()


def _is_lower(letter: int) -> bool:
    return ord("a") <= letter <= ord("z") or letter == ord("_")


def _is_inside(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether a byte is in one of some spans, in order, none of which begins in another."""
    row = bisect_right(spans, at, key=itemgetter(0))
    return row > 0 and at < spans[row - 1][1]


@cache
def _query(language: str) -> "Query":
    return query_of(load_grammar(language).language, f"names_{language}")
