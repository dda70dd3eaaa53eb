"""The lines at the edges: header, status line, footer."""

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from ctxcode.model.plan import ContextMode
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.number import MODE_NAMES, dollars, percent, short_count
from ctxcode.tui.rows import Part
from ctxcode.tui.widgets.overlay.meter import kinds_bar
from ctxcode.tui.widgets.text.shortened import shortened

WIDE = 110
NARROW = 80
BARE = 60
"""Below that only the figures are left."""
ROOMY = 150
_METER_CELLS = 10
_GAP = 2
_ERROR_LINES = 3


def spread(left: Content, right: Content, width: int, glyphs: Glyphs) -> Content:
    """Return a line with ``right`` at its end; the left part is cut when both do not fit."""
    room = width - right.cell_length
    if room < _GAP:
        return shortened(left, width, glyphs)
    if left.cell_length > room - 1:
        left = shortened(left, room - 1, glyphs)
    return left.pad_right(room - left.cell_length) + right


@dataclass(frozen=True, slots=True)
class HeaderView:
    """What the header says."""

    repository: str = ""
    branch: str = ""
    changed_files: int = 0
    """Those that hold edits of this session."""
    title: str = ""
    model: str = ""
    mode: ContextMode = ContextMode.LIGHT


class Header(Widget):
    """One line: repository, branch and how many files were edited, the session's title, model and mode."""

    view: reactive[HeaderView] = reactive(HeaderView())

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs

    def render(self) -> Content:
        """Return the line for the width there is."""
        view, width = self.view, self.size.width
        dot = f" {self._glyphs.dot} "
        left = Content.assemble(("ctxcode", "bold $primary"), "  ", (clean_line(view.repository, 60), "bold"))
        if view.branch and width >= BARE:
            left += Content.styled(dot + clean_line(view.branch, 40), "$muted")
        if view.changed_files and width >= BARE:
            left += Content.styled(f" {self._glyphs.edited}{view.changed_files:,}", "$warning")
        model = clean_line(view.model, 40)
        right = Content.styled(model + dot if width >= BARE else "", "$muted") + Content(MODE_NAMES[view.mode])
        title = clean_line(view.title, 80)
        middle = width - 2 * max(left.cell_length, right.cell_length) - 4
        if not title or middle < 12:
            return spread(left, right, width, self._glyphs)
        centre = shortened(Content.styled(title, "$muted"), middle, self._glyphs)
        start = (width - centre.cell_length) // 2
        return spread(left.pad_right(start - left.cell_length) + centre, right, width, self._glyphs)


class StatusLine(Widget):
    """One line above the footer for what is going on: indexing, answering, the queue, a notice.

    It keeps its place when there is nothing to say, so that nothing jumps when there is. Only what is said in words
    may take up to three lines: what to do about it stands at its end.
    """

    line: reactive[Content] = reactive(Content(""))
    may_wrap: reactive[bool] = reactive(default=False)

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs

    def watch_line(self) -> None:
        """Take the lines that are needed."""
        self._fit()

    def on_resize(self) -> None:
        """Take the lines that are needed at the new width."""
        self._fit()

    def _fit(self) -> None:
        width = self.size.width
        lines = min(_ERROR_LINES, self.line.get_height({}, width)) if self.may_wrap and width else 1
        height = self.styles.height
        if height is None or height.value != lines:
            self.styles.height = lines

    def render(self) -> Content:
        """Return the line, or as much of it as fits."""
        return self.line if self.may_wrap else shortened(self.line, max(1, self.size.width), self._glyphs)


@dataclass(frozen=True, slots=True)
class FooterView:
    """What the footer says."""

    mode: ContextMode = ContextMode.LIGHT
    request: str = ""
    """Which request the figures are of, as the overlay names it: ``turn 4``, ``next``."""
    used: int = 0
    limit: int = 0
    parts: tuple[tuple[Part, int], ...] = ()
    """Tokens of the active context by kind."""
    is_actual: bool = False
    cost: float | None = None
    pins: int = 0
    expiring: int = 0
    """Leases that end with the next turn."""
    suggested: int = 0
    prices: tuple[tuple[ContextMode, int], ...] = ()
    """Tokens the prompt being typed would take in a mode, where known."""
    is_choosing: bool = False
    has_sandbox: bool = True
    """False where commands are not confined, which is said as long as it is so."""


_NO_SANDBOX = Content.styled("  no sandbox", "$warning")
_KEYS = (("chat.context", "context"), ("chat.mode", "mode"), ("app.palette", "commands"), ("app.help", "help"))


class Footer(Widget):
    """The budget meter at the left, the keys at the right."""

    view: reactive[FooterView] = reactive(FooterView())

    class KeyClicked(Message):
        """A key that the footer names was clicked, or the meter for the one that opens the context."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key
            """Its id."""

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._keys: list[tuple[str, int]] = []
        """The keys that are shown with the cells each has, the space before it included, from the right."""

    def on_click(self, event: events.Click) -> None:
        """Do what the key does that was clicked."""
        left = self.size.width
        for key, cells in self._keys:
            left -= cells
            if event.x >= left:
                self.post_message(self.KeyClicked(key))
                return
        self.post_message(self.KeyClicked(_KEYS[0][0]))

    def render(self) -> Content:
        """Return the line for the width there is."""
        width = self.outer_size.width
        left = self._chooser() if self.view.is_choosing else self._meter(width)
        left += Content("") if self.view.has_sandbox or self.view.is_choosing else _NO_SANDBOX
        wanted = _KEYS if width >= WIDE else (_KEYS[0], _KEYS[2], _KEYS[3]) if width >= NARROW else _KEYS[3:]
        short = self._glyphs.keyboard.short
        parts = [Content.styled(short(key), "bold") + Content.styled(f" {label}", "$muted") for key, label in wanted]
        self._keys = [(key, part.cell_length + _GAP) for (key, _), part in zip(wanted, parts, strict=True)][::-1]
        return spread(left, Content(" " * _GAP).join(parts), self.size.width, self._glyphs)

    def _chooser(self) -> Content:
        prices = dict(self.view.prices)
        parts = []
        for mode in ContextMode:
            words = MODE_NAMES[mode] + (f" {short_count(prices[mode])}" if mode in prices else "")
            is_current = mode is self.view.mode
            parts.append(
                Content.styled(f"[{words}]", "bold $primary") if is_current else Content.styled(words, "$muted")
            )
        return Content("CTX  ") + Content.styled(f" {self._glyphs.dot} ", "$faint").join(parts)

    def _meter(self, width: int) -> Content:
        view, glyphs = self.view, self._glyphs
        share = percent(view.used, view.limit) if view.limit else "-"
        amount = f"{short_count(view.used)}/{short_count(view.limit)}"
        if width < WIDE:
            name = MODE_NAMES[view.mode] if width >= NARROW else MODE_NAMES[view.mode][0]
            parts = [Content("CTX "), Content.styled(name, "bold $primary")]
            parts.append(Content.styled(f" {view.request}" if view.request and width >= BARE else "", "$muted"))
            parts.append(Content(f" {share} "))
            parts.append(Content.styled(f"{'' if view.is_actual else '~'}{amount}", "$muted"))
            if view.pins:
                parts.append(Content.styled(f"  {glyphs.sticky}{view.pins}", "$ctx-pin-sticky"))
            if view.suggested:
                parts.append(Content.styled(f" {glyphs.suggested}{view.suggested}", "$ctx-suggested"))
            return Content("").join(parts)
        cells = _METER_CELLS if width < ROOMY else 2 * _METER_CELLS
        bar = kinds_bar(dict(view.parts), used=view.used, limit=view.limit, cells=cells, glyphs=glyphs)
        expires = f" ({view.expiring} expires)" if view.expiring else ""
        return Content.assemble(
            "CTX ",
            (MODE_NAMES[view.mode], "bold $primary"),
            (f"  {view.request}" if view.request else "", "$muted"),
            " ",
            bar,
            f" {share} ",
            (
                " ".join(part for part in (amount, "" if view.is_actual else "~est", dollars(view.cost)) if part),
                "$muted",
            ),
            (f"  pins {view.pins}{expires}", "" if view.pins else "$muted"),
            (f"  +{view.suggested} {glyphs.suggested}" if view.suggested else "", "$ctx-suggested"),
        )
