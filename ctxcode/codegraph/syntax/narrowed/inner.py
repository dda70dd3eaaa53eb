"""Where a function or block inside of a test's reach gives the name that is tested to something of its own."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.names.binders import binding_of
from ctxcode.codegraph.extract.names.grammars import GRAMMARS
from ctxcode.codegraph.extract.names.occurrences import occurrences
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region

if TYPE_CHECKING:
    from tree_sitter import Node

_GOING_ON = frozenset(b"(.[")
"""What follows no name that is bound."""


def own_names(tested: Sequence[Region], page: Page, root: "Node", language: str) -> Iterator[Region]:
    """Yield where names that something is known of are others, by the regions in which it is known.

    A test tells nothing of them: ``if (x instanceof Cart) { list.forEach((x) => x.pay()) }``.
    """
    grammar = GRAMMARS[language]
    names = {region.held.name.encode(): region.held.name for region in tested if region.held.name.isidentifier()}
    starts, ends = _covered(tested)
    for at, name in occurrences(page.source, names, going_on=_GOING_ON):
        around = bisect_right(starts, at) - 1
        end = at + len(name)
        if around < 0 or at >= ends[around] or not grammar.ahead.match(page.source, end):
            continue
        node = root.descendant_for_byte_range(at, end)
        bound = (
            binding_of(grammar, node, name, page.source) if node is not None and node.type in grammar.leaves else None
        )
        if bound is not None and bound.meant is None and bound.body >= starts[around]:
            yield Region(bound.body, bound.end, Held(at, names[name], f"={names[name]}", is_other=True))


def _covered(regions: Iterable[Region]) -> tuple[list[int], list[int]]:
    """Return where the bytes begin and end that any of some regions covers."""
    starts, ends = list[int](), list[int]()
    for start, end, _ in sorted(regions, key=lambda region: region.start):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends
