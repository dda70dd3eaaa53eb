"""What blocks of JavaScript define for themselves: outside of its block such a name means what others have by it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings, OutermostSpans
from ctxcode.codegraph.extract.names.candidates import HEAD, MAKING
from ctxcode.codegraph.extract.names.shadows import HIDDEN, Regions
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
_FEWEST_AROUND = 3
"""A declaration, the block it stands in, and what has that block."""
_Span = tuple[int, int]


def keep_in_blocks(findings: Findings, page: Page, root: "Node") -> None:
    """Drop calls of what a block defines where they stand in its function outside of it, if others go by its name."""
    count = Counter([found.name for found in findings.definitions])
    count.update([fact.alias for fact in findings.imports])
    several = [found for found in findings.definitions if found.kind in _DEFINED and count[found.name] > 1]
    blocks: dict[str, list[_Span]] = {}
    for found in several:
        if (block := _block(found, page, root)) is not None:
            blocks.setdefault(found.name, []).append(block)
    if blocks:
        functions = _functions(findings)
        inside = {name: OutermostSpans([], spans) for name, spans in blocks.items()}
        said = {name: {functions.name(start) for start, _ in spans} for name, spans in blocks.items()}
        around = {name: OutermostSpans([], map(_span, filter(None, each))) for name, each in said.items()}
        findings.calls = list(_kept(findings, inside, around))


def _block(found: Definition, page: Page, root: "Node") -> _Span | None:
    """Return where the block begins and ends that a definition is known in; None for what functions have."""
    node = root.descendant_for_byte_range(found.header, found.header + 1)
    around = page.around(node) if node is not None else ()
    if len(around) < _FEWEST_AROUND or around[-1].type not in _DECLARATIONS:
        return None
    block, owner = around[-2], around[-3]
    return block.byte_range if block.type == _BLOCK and owner.type in _BODIES else None


def _functions(findings: Findings) -> Regions:
    """Return the functions by where they begin and end, which is what they are called here."""
    spans = [(found.start, found.end) for found in findings.definitions if found.kind in _FUNCTIONS]
    return Regions((start, end, f"{start} {end}") for start, end in sorted(spans, key=lambda span: (span[0], -span[1])))


def _span(said: str) -> _Span:
    start, end = map(int, said.split())
    return start, end


def _kept(
    findings: Findings, inside: Mapping[str, OutermostSpans], around: Mapping[str, OutermostSpans]
) -> Iterator[tuple[int, str, str]]:
    """Yield the calls, given the blocks that define a name and the functions around these."""
    for at, name, receiver in findings.calls:
        head = HEAD.match(receiver) if receiver else None
        said = head[2] if head is not None else ("" if receiver else name)
        said = said.removeprefix(MAKING) if said not in inside else said
        if said not in inside or inside[said].enclose(at) or not around[said].enclose(at):
            yield at, name, receiver
        elif head is not None:
            yield at, name, f"{receiver[: head.end()]}{HIDDEN}{receiver[head.end() :]}"
