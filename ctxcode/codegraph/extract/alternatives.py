"""Definitions of one name of which one is there at a time, or any can be meant: which of them, no name tells.

``if sys.platform == "win32": def f()`` and ``else: def f()``, what ``#[cfg(unix)]`` and ``#ifdef`` keep apart, and what
several traits of Rust give to a type by one name. So can what a class of JavaScript or Ruby has, and what its objects.
"""

import re
from collections import defaultdict
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition
from ctxcode.codegraph.facts import ALTERNATIVE, KEPT, MEMBER, OWN, STATIC, WRITER, BindingFact

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"function", "method"})
_CALLED = _FUNCTIONS | {"class"}
_BRANCHES = {
    "bash": frozenset({"case_item", "elif_clause", "else_clause", "if_statement"}),
    "lua": frozenset({"block"}),
    "php": frozenset({"colon_block", "compound_statement"}),
    "python": frozenset({"block"}),
    "ruby": frozenset({"begin", "else", "elsif", "ensure", "if", "rescue", "then", "unless", "when"}),
}
"""By language, the types of nodes that run now and then; a part of one can stand in another."""
_IMPORTING = "python"
"""The language in which an import may be one of them."""
_TOGETHER = frozenset({"c"})
"""Languages in which all definitions of one name in a file are for several systems."""
_OWN_FIRST = "rust"
"""The language in which what a type has of its own goes before what its traits give it, and that before what they give
references to it."""
_ANY = "?"
"""What definitions say of being alternatives when there is nothing more to say."""
_BY_FILE = "go"
_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_BLOCKS = frozenset({"statement_block"})
_MOST_APART = 12
"""With more definitions of one name nothing is meant by it."""
_TWICE = _SCRIPTS | {"ruby"}
"""Languages in which a class and its objects can have methods of one name."""
_STATIC = re.compile(r"(?:\w+ )*static\b|(?!this\.)[\w$.]+\.[\w$]+ = ")
_SINGLETON = re.compile(r"def\s+(?:self|[A-Z]\w*)\.|scope[\s(]+:")
_READ_AND_WRITTEN, _WRITABLE = b"attr_accessor", b"Struct"
_NEAR = 4
_MAY_BE_SINGLE = re.compile(rb"\bclass\s*<<|\bclass_methods\b")
_SINGLE_BODIES = frozenset({"class_methods", "singleton_class"})
"""In Ruby: what stands in ``class << self`` and, as Rails has it, in ``class_methods do``."""
_TYPES_OF_RUBY = frozenset({"class", "module", "program"})
_CHECKING = re.compile(rb"(?<!not )\bTYPE_CHECKING\b")
_CONDITION = re.compile(rb"//go:build[ \t]+([^\n]{1,500})")
_TOKEN = re.compile(rb"\|\||&&|[!()]|[\w.]+")
_SYSTEMS = frozenset(
    b"""
aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris unix wasip1 windows
zos 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm cgo
""".split()
)
"""Tags of Go that are set on some systems; versions are set, all others only where somebody asks for them."""
_HIGHEST = 200
_DEEPEST = 20


def alternatives(
    definitions: Sequence[Definition],
    placed: tuple[Sequence[int], Sequence[str]],
    root: "Node",
    language: str,
    imported: Container[str],
) -> list[BindingFact]:
    """Return what is said of definitions that are alternatives of one another, given the parents and kinds of all.

    ``imported`` are the names that the file imports. Files of Go are alternatives: of one that is left out where nobody
    asks for it the module says so.
    """
    if language == _BY_FILE:
        return [BindingFact(0, ALTERNATIVE, _ANY)] if _is_left_out(root) else []
    if language not in _BRANCHES and language not in _TOGETHER | _TWICE and language != _OWN_FIRST:
        return []
    parents, kinds = placed
    groups: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for index, found in enumerate(definitions, start=1):
        if kinds[index] in _CALLED:
            groups[parents[index], "this" if found.is_kept else found.container, found.name].append(index)
    static = _static(definitions, root, language) if language in _TWICE else set()
    facts = [BindingFact(row, STATIC, _ANY) for row in static if kinds[row] == "method"]
    if language == "ruby":
        for row, one in enumerate(definitions, start=1):
            facts += [BindingFact(row, name, _ANY) for name in _said_of_symbol(one, root)]
    facts += [BindingFact(row, KEPT, _ANY) for row, found in enumerate(definitions, start=1) if found.is_kept]
    for (parent, _, name), rows in groups.items():
        # ``try: from a import f`` and ``except ImportError: def f()``.
        is_imported = language == _IMPORTING and not parent and name in imported
        if len(rows) > 1 or is_imported:
            found_all = [definitions[row - 1] for row in rows]
            if not static.isdisjoint(rows) and not static.issuperset(rows):
                facts += [BindingFact(row, ALTERNATIVE, _ANY) for row in rows]
            elif language in _SCRIPTS:
                facts += _kept_apart(rows, found_all, root)
            elif language in _BRANCHES or language not in _TWICE:
                facts += _of_group(rows, found_all, root, language, is_imported=is_imported)
    return sorted(facts)


def _of_group(
    rows: Sequence[int], found: Sequence[Definition], root: "Node", language: str, *, is_imported: bool
) -> list[BindingFact]:
    if language == _OWN_FIRST:
        ranks = [_rank(root, one) for one in found]
        least = min(ranks)
        nearest = [row for row, rank in zip(rows, ranks, strict=True) if rank == least]
        return [BindingFact(row, ALTERNATIVE, OWN if len(nearest) < len(rows) else _ANY) for row in nearest]
    if language in _TOGETHER:
        return [BindingFact(row, ALTERNATIVE, _ANY) for row in rows]
    nodes = [_block(root, one, _BRANCHES[language]) for one in found]
    blocks = [node.byte_range for node in nodes]
    left = [
        row
        for place, row in enumerate(rows)
        if not any(_holds(blocks[later], blocks[place]) for later in range(place + 1, len(blocks)))
        and not (language == _IMPORTING and _is_for_checkers(found[place], nodes[place]))
    ]
    is_sure = is_imported and any(node == root for node in nodes)
    return [BindingFact(row, ALTERNATIVE, _ANY) for row in left] if len(left) + is_imported - is_sure > 1 else []


def _kept_apart(rows: Sequence[int], found: Sequence[Definition], root: "Node") -> list[BindingFact]:
    """Return the definitions of JavaScript that blocks have for themselves, as callbacks of tests do.

    Who calls them is the same for all, as functions without a name are nobody. What comes last is meant by the name, so
    that nothing is to be told where it stands around the others.
    """
    if len(rows) > _MOST_APART:
        return []
    blocks = [_block(root, one, _BLOCKS).byte_range for one in found]
    is_plain = all(_holds(blocks[-1], block) for block in blocks)
    return [] if is_plain else [BindingFact(row, ALTERNATIVE, _ANY) for row in rows]


def _static(definitions: Sequence[Definition], root: "Node", language: str) -> set[int]:
    """Return those of a file's definitions that are their class's own."""
    numbered = enumerate(definitions, start=1)
    if language != "ruby":
        return {row for row, one in numbered if _is_static(one)}
    is_inside = _MAY_BE_SINGLE.search(root.text or b"") is not None
    return {row for row, one in numbered if _SINGLETON.match(one.signature) or (is_inside and _is_single(one, root))}


def _is_static(found: Definition) -> bool:
    """Whether a method of JavaScript is its class's own: ``static make()``, ``Menu.make = function ()``."""
    return _STATIC.match(found.signature) is not None and ".prototype." not in found.signature.partition("=")[0]


def _said_of_symbol(found: Definition, root: "Node") -> list[str]:
    """Return what is said of a method of Ruby that a symbol makes: what a Struct holds, what can be given a value."""
    if found.kind != "method" or found.signature.startswith("def"):
        return []
    call = root.descendant_for_byte_range(found.header, found.header + 1)
    for _ in range(_NEAR):
        if call is None or call.type == "call":
            break
        call = call.parent
    if call is None or call.type != "call":
        return []
    receiver, word = call.child_by_field_name("receiver"), call.child_by_field_name("method")
    if receiver is None:
        return [WRITER] if word is not None and word.text == _READ_AND_WRITTEN else []
    # The other words that make methods of symbols have nothing before them.
    return [MEMBER, WRITER] if receiver.text is not None and receiver.text.endswith(_WRITABLE) else [MEMBER]


def _is_single(found: Definition, root: "Node") -> bool:
    """Whether a method of Ruby stands in what holds its class's own."""
    node = root.descendant_for_byte_range(found.first, found.end - 1)
    for _ in range(_HIGHEST):
        if node is None or node.type in _TYPES_OF_RUBY:
            break
        word = node.child_by_field_name("method") if node.type == "call" else None
        name = word.text.decode("utf-8", "replace") if word is not None and word.text else node.type
        if name in _SINGLE_BODIES:
            return True
        node = node.parent
    return False


def _holds(block: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether what is defined in a block stands for what another one defined before."""
    return block[0] <= other[0] and other[1] <= block[1]


def _is_for_checkers(found: Definition, block: "Node") -> bool:
    """Whether only what checks types reads a definition of Python."""
    if any(decorator.rpartition(".")[2].lstrip("@") == "overload" for decorator in found.decorators):
        return True
    condition = block.parent.child_by_field_name("condition") if block.parent is not None else None
    return condition is not None and condition.text is not None and _CHECKING.search(condition.text) is not None


def _block(root: "Node", found: Definition, kinds: frozenset[str]) -> "Node":
    """Return the innermost branch around a definition."""
    node = root.descendant_for_byte_range(found.first, found.end - 1)
    for _ in range(_HIGHEST):
        if node is None or node.type in kinds:
            break
        node = node.parent
    return node or root


def _rank(root: "Node", found: Definition) -> int:
    """Return 0 for what a type of Rust has of its own, 1 for what a trait gives it, 2 for what one gives references."""
    node = root.descendant_for_byte_range(found.header, found.header + 1)
    for _ in range(_HIGHEST):
        if node is None or node.type == "impl_item":
            break
        node = node.parent
    if node is None or node.child_by_field_name("trait") is None:
        return 0
    of = node.child_by_field_name("type")
    return 1 + (of is not None and of.type == "reference_type")


def _is_left_out(root: "Node") -> bool:
    """Whether a file of Go is built only where somebody sets one of its tags."""
    for node in root.children:
        if node.type != "comment":
            break
        found = _CONDITION.match(node.text or b"")
        if found is not None:
            return _Condition(_TOKEN.findall(found[1])).either() is False
    return False


class _Condition:
    """What is known of a condition of Go's, read from the left: True, False, or None where it hangs on the system."""

    def __init__(self, tokens: list[bytes]) -> None:
        self._tokens = tokens[::-1]
        self._depth = 0

    def either(self) -> bool | None:
        """Read alternatives."""
        known = self._all()
        while self._next(b"||"):
            other = self._all()
            known = True if known or other else (None if known is None or other is None else False)
        return known

    def _all(self) -> bool | None:
        known = self._one()
        while self._next(b"&&"):
            other = self._one()
            known = False if known is False or other is False else (None if known is None or other is None else True)
        return known

    def _one(self) -> bool | None:
        self._depth += 1
        if not self._tokens or self._depth > _DEEPEST:
            return None
        if self._next(b"!"):
            known = self._one()
            return None if known is None else not known
        if self._next(b"("):
            known = self.either()
            self._next(b")")
            return known
        tag = self._tokens.pop()
        if tag in _SYSTEMS:
            return None
        return tag == b"gc" or tag.startswith(b"go1.")

    def _next(self, token: bytes) -> bool:
        """Whether a token comes next; then it is read."""
        is_next = bool(self._tokens) and self._tokens[-1] == token
        if is_next:
            self._tokens.pop()
        return is_next
