"""What the word being typed may become: a list over the prompt, with a card of the selected entry below it."""

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.widgets.text.shortened import shortened

ROWS = 8
"""Entries in view at once."""
_LOW = 22
"""Below this many lines of the terminal the card is left out."""
_SHORT = 4
"""Entries in view then."""
_LABEL_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One row."""

    value: str
    """What taking it gives."""
    label: str
    note: str = ""
    right: str = ""
    """At the end of the row, where there is room."""
    is_place: bool = False
    """The note is a path: its end is what tells it from others."""
    sign: str = ""
    """One cell before the label, with the role it is drawn in."""
    role: str = "$muted"
    card: tuple[Content, ...] = ()
    """Shown below the list while the row is selected."""


class Menu(Widget):
    """Appears with something to choose; shows at most ROWS entries around the selected one."""

    entries: reactive[tuple[MenuEntry, ...]] = reactive((), layout=True)
    title: reactive[Content] = reactive(Content(""), layout=True)
    """A line above the entries; alone it is a hint with nothing to choose."""
    at: reactive[int] = reactive(0, layout=True)
    """The selected entry; -1 for none."""

    class Clicked(Message):
        """An entry was taken with the mouse."""

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs

    def show(
        self,
        entries: tuple[MenuEntry, ...],
        title: Content | None = None,
        *,
        keeps: bool = False,
        selects: bool = True,
    ) -> None:
        """Show entries, the first one selected or none; with ``keeps`` the one that was, where it is still there."""
        kept = self.chosen.value if keeps and self.chosen else None
        self.entries, self.title = entries, title or Content("")
        first = 0 if selects else -1
        self.at = next((number for number, entry in enumerate(entries) if entry.value == kept), first)
        self.display = bool(entries) or bool(self.title.plain)

    def hide(self) -> None:
        """Show nothing."""
        self.show(())

    def move(self, step: int) -> None:
        """Select another entry, round about."""
        if self.entries:
            self.at = (max(self.at, -1 if step > 0 else 0) + step) % len(self.entries)

    @property
    def chosen(self) -> MenuEntry | None:
        """The selected entry."""
        return self.entries[self.at] if 0 <= self.at < len(self.entries) else None

    def on_click(self, event: events.Click) -> None:
        """Take the entry under the mouse."""
        number = self._first + event.y - bool(self.title.plain)
        if self._first <= number < min(len(self.entries), self._first + self._rows):
            self.at = number
            self.post_message(self.Clicked())

    @property
    def _rows(self) -> int:
        return ROWS if self.app.size.height >= _LOW else _SHORT

    @property
    def _first(self) -> int:
        return max(0, min(self.at - self._rows // 2, len(self.entries) - self._rows))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return one line for each entry in view, and the card's."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Return the list."""
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> list[Content]:
        lines = [shortened(self.title, width, self._glyphs)] if self.title.plain else []
        view = self.entries[self._first : self._first + self._rows]
        labels = max((Content(clean_line(entry.label, 400)).cell_length for entry in view), default=0)
        column = min(labels, int(width * _LABEL_SHARE))
        for number, entry in enumerate(view, self._first):
            line = self._line(entry, column, width)
            lines.append(line.stylize_before("on $selected-row") if number == self.at else line)
        if (hidden := len(self.entries) - len(view)) > 0:
            more = f"  {self._glyphs.ellipsis} {hidden} more"
            lines.append(Content.styled(more, "$muted"))
        card = self.chosen.card if self.chosen else ()
        if card and self.app.size.height >= _LOW:
            lines.append(Content.styled(self._glyphs.rule * width, "$faint"))
            lines += [shortened(Content(" ") + line, width, self._glyphs) for line in card]
        return lines

    def _line(self, entry: MenuEntry, column: int, width: int) -> Content:
        sign = Content.styled(f" {entry.sign} " if entry.sign else " ", entry.role)
        label = shortened(Content.styled(clean_line(entry.label, 400), "bold"), max(1, column), self._glyphs)
        line = sign + label.pad_right(max(0, column - label.cell_length))
        note, room = clean_line(entry.note, 400), max(0, width - line.cell_length - 3)
        if entry.is_place and Content(note).cell_length > room:
            note = self._glyphs.ellipsis + _end_of(note, room - len(self._glyphs.ellipsis))
        line += Content.styled(f"  {note}", "$muted")
        right = Content.styled(f"  {entry.right} ", "$muted") if entry.right else Content("")
        if line.cell_length + right.cell_length > width:
            right = Content("")
        line = shortened(line, width, self._glyphs)
        return line.pad_right(max(0, width - line.cell_length - right.cell_length)) + right


def _end_of(text: str, cells: int) -> str:
    """Return as much of a text's end as so many cells take."""
    end = text[len(text) - max(0, cells) :]
    while end and Content(end).cell_length > cells:
        end = end[1:]
    return end
