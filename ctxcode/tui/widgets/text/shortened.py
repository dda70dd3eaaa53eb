"""Texts that are too long for their place."""

from textual.content import Content

from ctxcode.tui.glyphs import Glyphs


def shortened(content: Content, cells: int, glyphs: Glyphs) -> Content:
    """Return a line in at most so many cells; one that is cut ends in an ellipsis these glyphs have."""
    cells = max(0, cells)
    if content.cell_length <= cells:
        return content
    mark = glyphs.ellipsis if len(glyphs.ellipsis) < cells else ""
    kept = content.truncate(cells - len(mark))
    # The mark has the style of the words it stands for.
    return Content(kept.plain + mark, spans=list(content.truncate(cells).spans)) if mark else kept
