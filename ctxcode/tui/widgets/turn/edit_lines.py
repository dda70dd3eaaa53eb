"""What a reply proposed to change, below the calls that proposed it, once they are opened."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from ctxcode.model.conversation import ToolRound
from ctxcode.model.edit.event import EditsProposed
from ctxcode.tui.edit.diff import diff_lines
from ctxcode.tui.edit.review import Review
from ctxcode.tui.edit.view import EditView
from ctxcode.tui.glyphs import Glyphs

MOST_LINES = 200
"""Of one file's diff; /diff shows what is there in the end."""


def proposals(rounds: Sequence[ToolRound], edits: Sequence[EditView]) -> tuple[EditView | None, ...]:
    """Return for each round what its calls proposed, if anything; ids of calls are unique in a round only."""
    left = list(edits)
    found: list[EditView | None] = []
    for made in rounds:
        mine = {call.id for call in made.calls}
        first = left[0] if left else None
        is_mine = (
            first is not None and bool(mine) and all(mine.issuperset(change.calls) for change in first.proposed.changes)
        )
        found.append(left.pop(0) if is_mine else None)
    return tuple(found)


def diffs_by_call(proposed: EditsProposed, width: int, glyphs: Glyphs) -> Mapping[str, list[Content]]:
    """Return the coloured diff of each file below the call that proposed it first."""
    found: dict[str, list[Content]] = {}
    for change in proposed.changes:
        lines = [line.content for line in diff_lines(Review(changes=(change,)), width, glyphs)]
        if len(lines) > MOST_LINES:
            rest = Content.styled(f"{glyphs.ellipsis} {len(lines) - MOST_LINES:,} more lines", "$muted")
            lines = [*lines[:MOST_LINES], rest]
        if change.calls:
            found.setdefault(change.calls[0], []).extend(lines)
    return found
