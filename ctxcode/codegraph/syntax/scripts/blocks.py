"""What blocks of JavaScript define for themselves: outside of its block such a name means what others have by it."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.candidates import HEAD, MAKING
from ctxcode.codegraph.extract.names.shadows import HIDDEN
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_BLOCK, _BODIES = (
    "statement_block",
    frozenset(
        {
            "catch_clause",
            "else_clause",
            "finally_clause",
            "for_in_statement",
            "for_statement",
            "if_statement",
            "statement_block",
            "try_statement",
            "while_statement",
            "do_statement",
        }
    ),
)
_DECLARATIONS = frozenset({"class_declaration", "function_declaration", "generator_function_declaration"})
_FUNCTIONS = frozenset({"function", "method"})
_DEFINED = frozenset({"class", "function"})
_Span = tuple[int, int]


def keep_in_blocks(findings: Findings, page: Page, root: "Node") -> None:
    """Drop calls of what a block defines where they stand in its function outside of it, if others go by its name."""
    count = Counter([found.name for found in findings.definitions])
    count.update([fact.alias for fact in findings.imports])
    several = [found for found in findings.definitions if found.kind in _DEFINED and count[found.name] > 1]
    spans: dict[str, list[tuple[_Span, _Span]]] = {}
    for found in several:
        if (block := _block(found, page, root)) is not None:
            spans.setdefault(found.name, []).append((_function(found, findings), block))
    if spans:
        findings.calls = list(_kept(findings, spans))


def _block(found: Definition, page: Page, root: "Node") -> _Span | None:
    """Return where the block begins and ends that a definition is known in; None for what functions have."""
    node = root.descendant_for_byte_range(found.header, found.header + 1)
    around = page.around(node) if node is not None else ()
    if len(around) < len(("block", "statement", "declaration")) or around[-1].type not in _DECLARATIONS:
        return None
    block, owner = around[-2], around[-3]
    return block.byte_range if block.type == _BLOCK and owner.type in _BODIES else None


def _function(found: Definition, findings: Findings) -> _Span:
    """Return where the function around a definition begins and ends, or all that is written."""
    around = [
        (one.start, one.end)
        for one in findings.definitions
        if one.kind in _FUNCTIONS and one is not found and one.start <= found.start and found.end <= one.end
    ]
    return max(around, default=(0, 0))


def _kept(findings: Findings, spans: dict[str, list[tuple[_Span, _Span]]]) -> Iterator[tuple[int, str, str]]:
    for at, name, receiver in findings.calls:
        head = HEAD.match(receiver) if receiver else None
        said = head[2] if head is not None else ("" if receiver else name)
        word = MAKING if said not in spans and said.removeprefix(MAKING) in spans else ""
        if not _is_outside(spans.get(said.removeprefix(word), ()), at):
            yield at, name, receiver
        elif head is not None:
            yield at, name, f"{receiver[: head.end()]}{HIDDEN}{receiver[head.end() :]}"


def _is_outside(known: "list[tuple[_Span, _Span]] | tuple[()]", at: int) -> bool:
    """Whether a byte stands in the function around blocks that define a name, and in none of these."""
    around = [block for (start, end), block in known if start <= at < end]
    return bool(around) and not any(start <= at < end for start, end in around)
