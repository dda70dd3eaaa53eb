"""The rows of the context overlay: one widget that draws the lines in view, however many there are."""

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message

from ctxcode.model.pin import Pin
from ctxcode.tui.clean import clean
from ctxcode.tui.format import why_lines
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.keys import CONTEXT_KEYS, bindings
from ctxcode.tui.rows import Row, RowKind
from ctxcode.tui.widgets.code import coloured
from ctxcode.tui.widgets.plan_row import RowLook, row_lines
from ctxcode.tui.widgets.text.line_view import LineView

_SELECTABLE = frozenset({RowKind.ITEM, RowKind.FOLD, RowKind.SUGGESTION})
_DOC = "doc: "
"""What a card's line of documentation begins with."""
_HEADING = "### "
_DEEPEST = 4
"""Cells by which a reason's details are set in at most."""
_WEIGHT = 8
"""Cells of a reason's weight and the gap behind it."""
_ROOMY = (60, 28)
"""From this width and height on, every row says why it is there."""


def _indented(line: str, width: int) -> list[Content]:
    """Return a reason as muted lines, its later ones below its words."""
    words = line[_WEIGHT:].lstrip()
    lead = min(len(line[_WEIGHT:]) - len(words), _DEEPEST)
    parts = Content(words).wrap(max(8, width - _WEIGHT - lead - 4))
    heads = [line[:_WEIGHT] + " " * lead, *[" " * (_WEIGHT + lead)] * (len(parts) - 1)]
    return [Content.styled(f"   {head}{part.plain}", "$muted") for head, part in zip(heads, parts, strict=True)]


def _parts(line: Content, width: int) -> list[Content]:
    """Return a line of the text the model gets in parts that fit; only code is cut inside of a word."""
    words = line.plain.lstrip()
    if words.startswith(_DOC):
        # An apostrophe begins no string in it.
        line = Content.styled(line.plain, "$muted")
    if line.cell_length <= width:
        return [line]
    lead = len(line.plain) - len(words)
    if not words.startswith((_DOC, _HEADING)) or lead > width // 2:
        return line.fold(width)
    return [Content(" " * lead) + part for part in line[lead:].wrap(width - lead)]


def _hidden_lines(row: Row) -> int:
    """Return how many lines of a definition the model does not get; 0 for what has no span."""
    if row.item is None or not row.item.lines or not row.item.end_line:
        return 0
    whole = row.item.end_line - row.item.start_line + 1
    return max(0, whole - sum(end - start + 1 for start, end in row.item.lines))


class PlanList(LineView, can_focus=True):
    """Rows of a bill with a selection, expandable previews and reasons."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(CONTEXT_KEYS)

    class Acted(Message):
        """A key asked for something to be done with the selected row."""

        def __init__(self, action: str, row: Row | None) -> None:
            super().__init__()
            self.action = action
            self.row = row

    class Folded(Message):
        """A section or group was closed or opened."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._rows: tuple[Row, ...] = ()
        self._pins: Mapping[str, Pin] = {}
        self._at = 0
        self.is_touched = False
        """Something was selected, or done with what is: the selection stays with it."""
        self._texts: dict[str, tuple[str, str]] = {}
        self._explained: dict[str, tuple[str, ...]] = {}
        """By key: what there is to say besides the reasons."""
        self._lines: list[tuple[int, Content]] = []
        self._laid_out_height = 0

    @property
    def selected(self) -> Row | None:
        """The selected row."""
        return self._rows[self._at] if 0 <= self._at < len(self._rows) else None

    def row(self, key: str) -> Row | None:
        """Return the row with a key, None when there is none any more."""
        return next((row for row in self._rows if row.key == key), None)

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, top to bottom."""
        return self._rows

    def show(self, rows: tuple[Row, ...], pins: Mapping[str, Pin], key: str | None = None) -> None:
        """Show rows; the selection stays on the row named ``key``, else on the one selected, else near where it was.

        While nobody has touched it, it is the first row.
        """
        self.is_touched = self.is_touched or key is not None
        key = key or (self.selected.key if self.selected and self.is_touched else None)
        self._at = self._at if self.is_touched else 0
        self._rows, self._pins = rows, pins
        keys = {row.key: number for number, row in enumerate(rows)}
        self._texts = {name: text for name, text in self._texts.items() if name in keys}
        self._explained = {name: words for name, words in self._explained.items() if name in keys}
        self._at = self._nearest(keys.get(key or "", min(self._at, len(rows) - 1)))
        self._rebuild()
        if self.has_focus:
            self._scroll_to_selected()

    def restart(self) -> None:
        """Forget what was selected: what is shown next is read from its top."""
        self._rows, self._at, self.is_touched = (), 0, False
        self.scroll_home(animate=False, immediate=True)

    def set_text(self, key: str, text: str, language: str) -> None:
        """Show below a row the text the model gets for it."""
        self._texts[key] = (clean(text), language)
        self._rebuild()
        self._scroll_to_selected()

    def toggle_text(self, key: str) -> bool:
        """Close a row's text; return False when it was not open."""
        is_open = self._texts.pop(key, None) is not None
        if is_open:
            self._rebuild()
        return is_open

    def explains(self, key: str) -> bool:
        """Return whether a row shows all its reasons."""
        return key in self._explained

    def toggle_why(self, key: str, more: tuple[str, ...] = ()) -> None:
        """Show or hide all reasons of a row with their weights, and what else there is to say."""
        if self._explained.pop(key, None) is None:
            self._explained[key] = more
        self._rebuild()
        self._scroll_to_selected()

    def on_resize(self) -> None:
        """Lay the rows out for the new width; the selected one stays in view if it was."""
        first, _ = self._extent(self._at)
        was_seen = 0 <= first - self.scroll_offset.y < self._laid_out_height
        with self.place_kept():
            self._rebuild()
        if was_seen:
            self._scroll_to_selected()

    def on_focus(self) -> None:
        """Draw the selection as what the keys act on."""
        self._rebuild()

    def on_blur(self) -> None:
        """Draw the selection as a mark only."""
        self._rebuild()

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse; a click on a group opens it."""
        line = int(self.scroll_offset.y) + event.y
        if line < len(self._lines):
            number = self._lines[line][0]
            if self._is_selectable(number):
                self._select(number)
                row = self._rows[number]
                if row.kind is RowKind.FOLD or not row.is_open:
                    self.post_message(self.Folded(row.key))

    def action_move(self, step: int) -> None:
        """Select the next or previous row that can be."""
        number = self._at + step
        while 0 <= number < len(self._rows) and not self._is_selectable(number):
            number += step
        if 0 <= number < len(self._rows):
            self._select(number)
        else:
            self.scroll_relative(y=2 * step, animate=False)

    def action_page(self, step: int) -> None:
        """Move by about a page."""
        first, height = self._extent(self._at)
        line = max(0, min(len(self._lines) - 1, first + step * max(1, self.size.height - height)))
        if self._lines:
            self._select(self._nearest(self._lines[line][0]))

    def action_edge(self, step: int) -> None:
        """Move to the first or last row."""
        self._select(self._nearest(0 if step < 0 else len(self._rows) - 1))
        # What can't be selected lies beyond both: the first heading, an empty section at the end.
        (self.scroll_home if step < 0 else self.scroll_end)(animate=False)

    def action_act(self, action: str) -> None:
        """Ask for something to be done with the selected row."""
        row, self.is_touched = self.selected, True
        if action == "preview" and row is not None and (row.kind is RowKind.FOLD or not row.is_open):
            self.post_message(self.Folded(row.key))
            return
        self.post_message(self.Acted(action, row))

    def action_fold(self, is_closing: bool) -> None:  # noqa: FBT001 - the binding's argument
        """Close the group or section the selection is in, or open the selected one."""
        row, self.is_touched = self.selected, True
        if row is None:
            return
        if not is_closing:
            if not row.is_open:
                self.post_message(self.Folded(row.key))
            return
        for number in range(self._at, -1, -1):
            head = self._rows[number]
            is_around = head.kind is RowKind.SECTION or (head.kind is RowKind.FOLD and row in self._inside(head))
            if is_around and head.is_open:
                self._at = number
                self.post_message(self.Folded(head.key))
                return

    def _inside(self, head: Row) -> list[Row]:
        return [row for row in self._rows if row is head or (row.item is not None and row.item in head.items)]

    def _is_selectable(self, number: int) -> bool:
        row = self._rows[number]
        return row.kind in _SELECTABLE or (row.kind is RowKind.SECTION and not row.is_open)

    def _nearest(self, number: int) -> int:
        """Return the selectable row at or next to a number; 0 when there is none."""
        order = sorted(range(len(self._rows)), key=lambda at: (abs(at - number), at))
        return next((at for at in order if self._is_selectable(at)), 0)

    def _select(self, number: int) -> None:
        self._at, self.is_touched = number, True
        self._rebuild()
        self._scroll_to_selected()

    def _scroll_to_selected(self) -> None:
        first, height = self._extent(self._at)
        above = self._at
        while above and self._rows[above - 1].kind is RowKind.NOTE:
            above -= 1
        if above and self._rows[above - 1].kind is RowKind.SECTION:
            # The first row of a section brings its heading into view, and what is said of it.
            above = self._extent(above - 1)[0]
            first, height = above, height + first - above
        # At once: the next size may come before the next picture.
        region = Region(0, first, self.size.width, min(height, self.size.height))
        self.scroll_to_region(region, animate=False, immediate=True)

    def _extent(self, number: int) -> tuple[int, int]:
        """Return a row's first line and its height."""
        at = [line for line, (owner, _) in enumerate(self._lines) if owner == number]
        return (at[0], len(at)) if at else (0, 1)

    def _rebuild(self) -> None:
        width = self.scrollable_content_region.width
        if not width:
            return
        self._laid_out_height = self.size.height
        items = [row.item for row in self._rows if row.item is not None]
        best = max((item.score for item in items), default=0.0)
        level = max((len(item.detail.value) for item in items if item.symbol), default=0)
        is_roomy = width >= _ROOMY[0] and self.size.height >= _ROOMY[1]
        look = RowLook(width, self._glyphs, self._pins, best, level, shows_reasons=is_roomy, is_active=self.has_focus)
        self._lines = [(number, line) for number, row in enumerate(self._rows) for line in self._row(number, row, look)]
        self.show_lines([line for _, line in self._lines], [owner for owner, _ in self._lines])

    def _row(self, number: int, row: Row, look: RowLook) -> list[Content]:
        is_selected = number == self._at
        lines = row_lines(row, look, is_selected=is_selected)
        if row.key in self._explained:
            reasons = why_lines(row.item, self._glyphs) if row.item is not None else []
            for line in [*reasons, *(f"{'':{_WEIGHT}}{more}" for more in self._explained[row.key])]:
                lines += _indented(line, look.width)
        if row.key in self._texts:
            lines += self._preview(row, look.width)
        return lines

    def _preview(self, row: Row, width: int) -> list[Content]:
        text, language = self._texts[row.key]
        inner = max(8, width - 5)
        made: list[Content] = []
        hidden = _hidden_lines(row)
        for line in coloured(text.rstrip("\n"), language).split("\n", allow_blank=True):
            for part in _parts(line, inner):
                padded = part.pad_right(max(0, inner - part.cell_length))
                made.append(Content.styled(f"  {self._glyphs.bar} ", "$faint") + padded)
        if hidden:
            made.append(Content.styled(f"  {self._glyphs.ellipsis} {hidden} lines of it are not shown", "$muted"))
        return made
