"""Parameters of Ruby's blocks that hide what the method around calls alike."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region, rename
from ctxcode.codegraph.syntax.ruby_words import Methods

if TYPE_CHECKING:
    from tree_sitter import Node

_PARAMETERS = frozenset({"block_parameters", "lambda_parameters"})
_BLOCKS = frozenset({"block", "do_block", "lambda"})
_HIGHEST = 4
"""Nodes between a parameter and its block: the list, a default value, what is taken apart."""


def hide(findings: Findings, local: Iterable["Node"], methods: Methods, page: Page) -> None:
    """Give parameters of blocks, of which nothing is known, a name of their own where something is called on them.

    Only those that the method around binds to something by the same name, before or behind, or that are called as a
    method of the file is.
    """
    bound: dict[tuple[int, str], list[int]] = {}
    for at, name, _ in sorted((*findings.bindings, *findings.parameters)):
        bound.setdefault((methods.around(at)[0], name), []).append(at)
    named = {found.name for found in findings.definitions}
    names = named.union(name for _, name in bound)
    regions = list[Region]()
    for node in local:
        name = page.of(node)
        block = _block_of(node) if name in names else None
        if block is None:
            continue
        places = bound.get((methods.around(node.start_byte)[0], name), ())
        if (places or name in named) and _is_outside(places, *block.byte_range):
            held = Held(node.start_byte, name, "", is_other=True)
            regions.append(Region(block.start_byte, block.end_byte, held))
    rename(findings, regions)


def _is_outside(places: Sequence[int], start: int, end: int) -> bool:
    """Whether none of some places, in order, is inside of a span."""
    return bisect_left(places, start) == bisect_left(places, end)


def _block_of(node: "Node") -> "Node | None":
    """Return the block that a name is a parameter of."""
    around = node.parent
    for _ in range(_HIGHEST):
        if around is None or around.type in _PARAMETERS:
            break
        around = around.parent
    block = around.parent if around is not None and around.type in _PARAMETERS else None
    return block if block is not None and block.type in _BLOCKS else None
