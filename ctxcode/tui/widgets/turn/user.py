"""What the user said, and below it the line that tells what was sent with it."""

from dataclasses import dataclass

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextPlan
from ctxcode.tui.clean import clean
from ctxcode.tui.format import turn_meter, used_tokens, withheld_words
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.number import percent
from ctxcode.tui.state.view import TurnView
from ctxcode.tui.widgets.overlay.meter import kinds_bar, planned_parts
from ctxcode.tui.widgets.text.shortened import shortened

_METER_CELLS = 10
_BARE_BELOW = 48
"""In fewer cells there is no room for the bar."""
_PROMPT_LINES = 16
"""What is shown of a long message."""


@dataclass(frozen=True, slots=True)
class Said:
    """A user's message with the plan of its last request."""

    turn: TurnView
    plan: ContextPlan | None = None


class UserTurn(Widget):
    """A user's message; its meter line is cut to the width by leaving out what matters least."""

    def __init__(self, said: Said, glyphs: Glyphs = UNICODE, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._said = said
        self._glyphs = glyphs
        self._lines: tuple[int, list[Content]] = (0, [])

    def show(self, said: Said) -> None:
        """Show the message as it stands now."""
        self._said = said
        self._lines = (0, [])
        self.refresh(layout=True)

    def _laid_out(self, width: int) -> list[Content]:
        if self._lines[0] != width:
            self._lines = (width, user_lines(self._said, max(1, width), self._glyphs))
        return self._lines[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return the number of lines at a width."""
        return len(self._laid_out(width))

    def render(self) -> Content:
        """Return the lines for the width there is."""
        return Content("\n").join(self._laid_out(self.size.width))


def user_lines(said: Said, width: int, glyphs: Glyphs) -> list[Content]:
    """Return a message's lines, wrapped, then its meter in one line."""
    turn = said.turn
    typed = clean(turn.prompt).rstrip().split("\n")
    shown = Content("\n".join(typed[:_PROMPT_LINES])).wrap(width)
    if len(typed) > _PROMPT_LINES:
        rest = f"{glyphs.ellipsis} {counted(len(typed) - _PROMPT_LINES, 'more line', 'more lines')}"
        shown.append(Content.styled(rest, "$muted"))
    lines = [*shown, _meter(said, width, glyphs)]
    if withheld := withheld_words(turn, glyphs):
        lines += Content.styled(f"{glyphs.stale} {withheld}", "$warning").wrap(width)
    return lines


def _meter(said: Said, width: int, glyphs: Glyphs) -> Content:
    turn, bar = said.turn, Content("")
    if turn.plan is not None:
        used, limit = used_tokens(turn)[0], turn.plan.budget_tokens
        if width >= _BARE_BELOW:
            bar = kinds_bar(planned_parts(turn.plan), used=used, limit=limit, cells=_METER_CELLS, glyphs=glyphs) + " "
        bar += Content.styled(f"{percent(used, limit)} {glyphs.dot} ", "$muted")
    room = width - bar.cell_length
    words = turn_meter(turn, said.plan, glyphs, fits=lambda line: len(line) <= room)
    return shortened(bar + Content.styled(words, "$muted"), width, glyphs)
