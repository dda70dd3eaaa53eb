"""Methods of objects of a known type that are named without being called: ``router.get("/", h.list)``.

They stand among the calls while names are told apart, by a name that no call has: what an object's name means where it
is said does not hang on whether a method is called there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.objects.own import OWN
from ctxcode.codegraph.extract.references import Call
from ctxcode.codegraph.facts import BindingFact, SymbolFact
from ctxcode.model.naming.folder import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.names.uses import Uses
    from ctxcode.codegraph.extract.page import Page

HANDED = "="
"""What stands before what is named and not called: ``=h.list``."""
# What a pattern begins with is looked for quickly: dots are much rarer than names.
_BEHIND_NAME = re.compile(
    rb"\.([A-Za-z_$][\w$]*+(?:\.[A-Za-z_$][\w$]*+){0,2}+)(?![\w$.\"'`])[ \t]*(\(|\?\.\(|=(?![=>]))?"
)
_NAMES_ONLY = bytes([at if chr(at).isalnum() or chr(at) in "_$" else ord(" ") for at in range(128)]).ljust(256)
_DIGITS = frozenset(b"0123456789")
_BEFORE_NONE = frozenset(b".\"'`@")
"""What stands before a name that is part of something else."""
_OWN = frozenset({b"this"})
_PARENTS = frozenset({"member_access_expression", "member_expression", "selector_expression"})
_READING = frozenset({"javascript", "typescript", "tsx"})
"""Languages in which a method is called, too, where it is only read: a property."""
AT_LAST = frozenset({"csharp"})
"""Languages whose names are told apart when all is found."""
_BEFORE, _BEHIND = frozenset(b"(,=:{["), frozenset(b",)}];\n")
"""What stands around a value that is given to something."""
_RETURNING = b"return"
_MOST_HITS = 20_000


def handed(findings: Findings, page: "Page", root: "Node | None", language: str, path: str) -> Iterator[Call]:
    """Yield what is named behind names that the file binds to something, as calls of ``=name``."""
    # Of tests nothing is said but what they call.
    bound = _bound(findings) if not is_test_path(path) else set[bytes]()
    if root is None or not bound:
        return
    source, is_reading = page.source, language in _READING
    for start, match in islice(_chains(source), _MOST_HITS):
        end, rest = match.end(1), match[1]
        head = source[start : match.start()]
        if match[2] is not None or head not in bound:
            continue
        if head in _OWN and (b"." not in rest or rest.partition(b".")[0] not in bound):
            continue
        if not is_reading and not _is_given(source, start, end):
            continue
        receiver, _, name = source[start:end].rpartition(b".")
        node = root.descendant_for_byte_range(end - 1, end)
        parent = node.parent if node is not None else None
        if parent is not None and parent.type in _PARENTS and parent.end_byte == end:
            yield end - 1, f"{HANDED}{name.decode()}", receiver.decode()


def _chains(source: bytes) -> Iterator[tuple[int, re.Match[bytes]]]:
    """Yield where names begin behind which others stand, two to four with dots between, and what stands behind them."""
    words = source.translate(_NAMES_ONLY)
    for match in _BEHIND_NAME.finditer(source):
        dot = match.start()
        start = words.rfind(b" ", 0, dot) + 1
        if start < dot and words[start] not in _DIGITS and not (start and source[start - 1] in _BEFORE_NONE):
            yield start, match


def top_of(captures: dict[str, list["Node"]]) -> "Node | None":
    """Return the tree of which some nodes are."""
    node = next((nodes[0] for nodes in captures.values() if nodes), None)
    while node is not None and node.parent is not None:
        node = node.parent
    return node


def taken_out(findings: Findings) -> list[Call]:
    """Take what is named without being called out of the calls, and return it in source order."""
    named = sorted([call for call in findings.calls if call[1][:1] == HANDED])
    if named:
        findings.calls = [call for call in findings.calls if call[1][:1] != HANDED]
    return named


def behind_known(
    named: Sequence[Call],
    bindings: Iterable[BindingFact],
    symbols: Sequence[SymbolFact],
    owner_of: Callable[[int], int],
) -> Iterator[tuple[int, int, str]]:
    """Yield (byte, the definition around it, ``=h.list``) of what stands behind a name that is bound where it is said.

    What is a field of a type of the file is no method.
    """
    bound = {(scope, name): type_name for scope, name, type_name in bindings} if named else {}
    fields = {each.qualname for each in symbols if each.kind == "field"} if named else set[str]()
    for at, name, receiver in named:
        head, _, rest = receiver.partition(".")
        is_own = head == "this" and bool(rest)
        looked_for = f"self.{rest.partition('.')[0]}" if is_own else head
        scope = owner = owner_of(at)
        while scope > 0 and (scope, looked_for) not in bound and (scope, f"self.{looked_for}") not in bound:
            scope = symbols[scope].parent
        written = name.removeprefix(HANDED)
        if scope > 0 or (0, head) in bound:
            type_name = bound.get((scope, looked_for), "") if receiver == head or rest.isidentifier() else ""
            if f"{type_name}.{written}" not in fields:
                yield at, owner, f"{HANDED}{receiver}.{written}"


def add_known(uses: "Uses", named: Iterable[tuple[int, int, str]]) -> None:
    """Add such uses to those of what the file knows at its top, and of an object's own methods."""
    for at, owner, chain in named:
        if not {(owner, chain[1:]), (owner, f"{OWN}.{chain.rpartition('.')[2]}")} & uses.first.keys():
            uses.first.setdefault((owner, chain), at)


def _bound(findings: Findings) -> set[bytes]:
    """Return the names that a file binds, an object's own ones with what it calls itself."""
    names = {name for _, name, _ in (*findings.bindings, *findings.parameters, *findings.attributes)}
    own = {name[5:] for name in names if name.startswith("self.")}
    found = {name.encode() for name in names | own if name.isidentifier()}
    return found | _OWN if found else found


def _is_given(source: bytes, start: int, end: int) -> bool:
    """Whether a value stands where it is given to something: an argument, what is assigned, what is returned."""
    before = start - 1
    while before >= 0 and source[before] in b" \t\r\n":
        before -= 1
    while end < len(source) and source[end] in b" \t\r":
        end += 1
    is_behind = end >= len(source) or source[end] in _BEHIND
    return is_behind and (source[before] in _BEFORE or source.endswith(_RETURNING, 0, before + 1))
