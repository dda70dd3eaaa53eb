"""Items that Rust files put into macro calls: ``cfg_rt! { pub fn run() {} }``.

To the grammar what stands in such a call is no more than tokens. Where it reads as items, the call around it is blanked
out and the file is parsed again, so that every byte keeps its place.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.page import DECORATOR_CHARACTERS, folded
from ctxcode.codegraph.syntax.rust.flags import with_enums

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.findings import Definition

_CALL = re.compile(rb"^[ \t]*(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*!\s*\{", re.MULTILINE)
_ITEM = re.compile(rb"\b(?:fn|struct|enum|union|trait|impl|mod|use|const|static|type|macro_rules|extern)\b")
_INNER = re.compile(rb"\s*(#!\[[^\n]*\])")
_BRANCH = re.compile(rb"#\s*(\[\s*cfg\s*\(.*\)\s*\])\s*\Z", re.DOTALL)
_MARK = re.compile(rb"^[ \t]*@[ \t]*[A-Za-z_]\w*(?:[ \t]+[A-Za-z_]\w*)*[ \t\r]*$", re.MULTILINE)
"""A line with words for the macro: ``@section type``."""
_HOLDERS = frozenset({"mod_item", "impl_item", "trait_item", "foreign_mod_item"})
_ITEMS = frozenset(
    {
        "associated_type",
        "const_item",
        "enum_item",
        "extern_crate_declaration",
        "foreign_mod_item",
        "function_item",
        "function_signature_item",
        "impl_item",
        "macro_definition",
        "macro_invocation",
        "mod_item",
        "static_item",
        "struct_item",
        "trait_item",
        "type_item",
        "union_item",
        "use_declaration",
    }
)
_FILLERS = frozenset(
    {
        "attribute_item",
        "block_comment",
        "empty_statement",
        "expression_statement",
        "inner_attribute_item",
        "line_comment",
    }
)
_DEEPEST = 4
"""Calls within calls that are read."""
_MOST_CALLS = 2_000
_MOST_BRANCHES = 60


class Body(NamedTuple):
    """The bytes of one call that hold items."""

    start: int
    end: int
    condition: str
    """What decides whether they exist: ``cfg_rt!``, ``#[cfg(unix)]``; empty for another macro."""


def with_items(source: bytes, root: "Node", parse: "Callable[[bytes], Node]") -> tuple["Node", list[Body]]:
    """Return the tree of a file in which calls that hold items are taken away, and what they held."""
    found: list[Body] = []
    if not _CALL.search(source):
        return root, found
    data, seen = bytearray(source), set[int]()
    for _ in range(_DEEPEST):
        taken = len(found)
        for call in _calls(root):
            if call.start_byte in seen or len(seen) >= _MOST_CALLS:
                continue
            seen.add(call.start_byte)
            bodies = _bodies(call, source)
            texts = [_items_in(source[start:end], parse) for start, end, _ in bodies]
            if bodies and all(text is not None for text in texts):
                _blank_around(data, call, bodies)
                for body, text in zip(bodies, texts, strict=True):
                    data[body.start : body.end] = text or b""
                found.extend(bodies)
        if len(found) == taken:
            break
        root = parse(bytes(data))
    return root, found


def add_conditions(definitions: "Iterable[Definition]", bodies: Iterable[Body]) -> None:
    """Put what decides over the existence of definitions among their attributes, the outermost first."""
    conditions = sorted((body for body in bodies if body.condition), key=lambda body: (body.start, -body.end))
    around, behind = list[Body](), 0
    for found in sorted(definitions, key=lambda found: found.header) if conditions else ():
        while behind < len(conditions) and conditions[behind].start <= found.header:
            _leave(around, conditions[behind].start)
            around.append(conditions[behind])
            behind += 1
        _leave(around, found.header)
        if not found.is_leaf:
            found.decorators = (*[body.condition for body in around], *found.decorators)


def _leave(around: list[Body], at: int) -> None:
    """Take out the bodies that end before a byte."""
    while around and around[-1].end <= at:
        around.pop()


def _calls(root: "Node") -> Iterator["Node"]:
    """Yield the macro calls that stand where items do."""
    pending = [root]
    while pending:
        for child in pending.pop().named_children:
            if child.type in _HOLDERS:
                body = child.child_by_field_name("body")
                pending += [body] if body is not None else []
            elif child.type == "macro_invocation":
                yield child


def _bodies(call: "Node", source: bytes) -> list[Body]:
    """Return what of a call in braces can be items: all of it, or the branches of ``cfg_if!``."""
    tree, macro = call.named_children[-1], call.child_by_field_name("macro")
    start, end = tree.start_byte + 1, tree.end_byte - 1
    if (
        macro is None
        or tree.type != "token_tree"
        or source[start - 1 : start] != b"{"
        or not _ITEM.search(source, start, end)
    ):
        return []
    name = source[macro.start_byte : macro.end_byte].decode("utf-8", "replace").rpartition("::")[2]
    if name != "cfg_if":
        inner = _INNER.match(source, start, end) if name == "feature" else None
        condition = inner[1].decode("utf-8", "replace") if inner else f"{name}!" if name.startswith("cfg") else ""
        return [Body(start, end, condition[:DECORATOR_CHARACTERS])]
    bodies, edge = list[Body](), start
    for child in tree.named_children:
        if child.type == "token_tree" and source[child.start_byte : child.start_byte + 1] == b"{":
            attribute = _BRANCH.search(source[edge : child.start_byte])
            text = folded(f"#{attribute[1].decode('utf-8', 'replace')}") if attribute else "cfg_if! else"
            bodies.append(Body(child.start_byte + 1, child.end_byte - 1, text[:DECORATOR_CHARACTERS]))
            edge = child.end_byte
    return bodies if len(bodies) <= _MOST_BRANCHES else []


def _items_in(text: bytes, parse: "Callable[[bytes], Node]") -> bytes | None:
    """Return a text that reads as items, without what is said to the macro between them; None for another.

    Sets of flags read as enums.
    """
    if _holds_items(text, parse):
        return text
    for plain in (_MARK.sub(_blank, text), with_enums(text)):
        if plain != text and _holds_items(plain, parse):
            return plain
    return None


def _holds_items(text: bytes, parse: "Callable[[bytes], Node]") -> bool:
    root = parse(text)
    kinds = {child.type for child in root.named_children}
    return not root.has_error and kinds <= _ITEMS | _FILLERS and (bool(kinds & _ITEMS) or not text.strip())


def _blank(found: "re.Match[bytes]") -> bytes:
    return b" " * len(found[0])


def _blank_around(data: bytearray, call: "Node", bodies: list[Body]) -> None:
    """Blank a call but for its bodies; line feeds stay."""
    edge = call.start_byte
    for start, end in [*[(body.start, body.end) for body in bodies], (call.end_byte, call.end_byte)]:
        data[edge:start] = bytes(byte if byte == ord("\n") else ord(" ") for byte in data[edge:start])
        edge = end
