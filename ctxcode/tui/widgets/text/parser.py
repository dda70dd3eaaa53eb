"""The parser of what a model wrote: however deep something is nested, all of it comes out and nothing recurses far."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

MOST_NESTED = 100
"""How deep quotes and lists are read; what is nested deeper stands there as it was written."""
_MOST_STYLED = 20
"""How deep emphasis in emphasis is read."""


def markdown_parser() -> MarkdownIt:
    """Return a parser of CommonMark with tables and strikethrough; HTML in it is text."""
    # Imported with the first answer: nothing of it is needed for the first paint.
    from markdown_it import MarkdownIt as Parser  # noqa: PLC0415 - see above

    # The parser drops all to a container's end from its own limit on. An item of a list is two levels.
    made = Parser("commonmark", {"html": False, "maxNesting": MOST_NESTED + 2})
    made.block.ruler.before("table", "deep", _deep)
    made.core.ruler.push("plain", _plain)
    return made.enable("table").enable("strikethrough")


def _deep(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's interface
    """Read all lines of a container that is nested too deep as code."""
    if silent or state.level < MOST_NESTED:
        return False
    below = line = first
    # A negative indent is that of a line which goes on with a quote's paragraph.
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent or state.sCount[line] < 0):
        line += 1
        below = below if state.isEmpty(line - 1) else line
    token = state.push("code_block", "code", 0)
    token.content = f"{state.getLines(first, below, state.blkIndent, False)}\n"
    token.map = [first, below]
    state.line = below
    return True


def _plain(state: StateCore) -> None:
    """Leave out emphasis that is nested too deep, and none of its words."""
    for token in state.tokens:
        if token.children:
            token.children = list(_styled(token.children))


def _styled(tokens: Iterable[Token]) -> Iterable[Token]:
    depth = 0
    for token in tokens:
        depth += token.nesting == 1
        if token.children:
            token.children = list(_styled(token.children))
        if not token.nesting or depth <= _MOST_STYLED:
            yield token
        depth -= token.nesting == -1
