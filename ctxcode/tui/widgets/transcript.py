"""The conversation: a window of mounted turns over all of them as data."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Static

from ctxcode.model.conversation import StoppedBy
from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextPlan
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import memory_words, withheld_words
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.state.view import TurnView
from ctxcode.tui.widgets.markdown_view import MarkdownView
from ctxcode.tui.widgets.turn.column import Column
from ctxcode.tui.widgets.turn.tool_lines import WHOLE, set_in, tool_lines
from ctxcode.tui.widgets.turn.user import Said, UserTurn

MOUNTED_TURNS = 24
"""At most this many turns are widgets; every layout walks all of them."""

_STEP = 8
_AT_ONCE = 4
"""Turns that are mounted in one go: what fills a screen. Keys come before the others."""
_WIDEN_SECONDS = 0.2
"""How long after each the next of the others is mounted; much else begins when a session opens."""
_STILL_SECONDS = 0.6
"""After a key, as long as nothing is mounted that nobody sees yet."""
_WIDEST, _LEAST_DIFF = 100, 40
"""Cells of what stands in a turn, as the style sheet has it; a narrower diff can't be read."""
_STOPPED = {
    StoppedBy.INTERRUPTED: "interrupted",
    StoppedBy.LIMIT: "stopped at a limit",
    StoppedBy.LOOP_GUARD: "stopped: it went in circles",
    StoppedBy.ERROR: "failed",
}


def outcome(turn: TurnView, glyphs: Glyphs, *, is_running: bool, width: int = WHOLE) -> Content | None:
    """Return the lines that say how a turn ended when it was not with an answer, and what was made of it since.

    ``width`` is what a line may take, in cells.
    """
    lines = [] if is_running or turn.stopped_by is StoppedBy.ANSWER else _ending(turn, glyphs, width)
    if turn.mark is not None:
        why = f": {clean_line(turn.mark.note, 200)}" if turn.mark.note else ""
        lines.append(Content.styled(f"{glyphs.dot} marked {turn.mark.mark.value}{why}", "$muted"))
    if turn.remembered is not None:
        lines.append(Content.styled(f"{glyphs.dot} {memory_words(turn.remembered)}", "$muted"))
    return Content("\n").join(lines) if lines else None


def _ending(turn: TurnView, glyphs: Glyphs, width: int) -> list[Content]:
    """Return how a turn ended and what to do about it; what goes on stands below the first word."""
    if turn.stopped_by is None:
        return _behind(glyphs.excluded, "$muted", ("no answer was recorded; send it again",), width)
    said = clean_line(turn.error) or _STOPPED[turn.stopped_by]
    hint = clean_line(turn.hint)
    if turn.stopped_by is StoppedBy.INTERRUPTED:
        # The user knows what to do after their own Esc, but not after a connection that broke off.
        hint = hint or ("Send it again to get a whole reply." if turn.error else "")
        return _behind(glyphs.excluded, "$muted", (said, hint), width, first="$muted")
    return _behind(glyphs.failed, "$error", (said, hint), width)


def _behind(sign: str, colour: str, words: tuple[str, ...], width: int, *, first: str = "") -> list[Content]:
    """Return sentences behind a sign; the first in a style of its own, the others muted."""
    said = [Content.styled(line, "$muted" if number else first) for number, line in enumerate(words) if line]
    lines = set_in(said, width)
    return [Content.styled(f"{sign} ", colour) + lines[0][2:], *lines[1:]]


def window_start(turns: int, start: int | None) -> int:
    """Return from which turn on they are to be mounted when their number has changed.

    The newest are, and hardly more than were before; ``start`` is from where that was, None when none was.
    """
    first, at_once = max(0, turns - MOUNTED_TURNS), max(0, turns - _AT_ONCE)
    if start is None or first - start > _AT_ONCE:
        return at_once
    return max(first, min(start, at_once))


@dataclass(slots=True)
class _Mounted:
    turn: TurnView
    plan: ContextPlan | None
    user: UserTurn
    work: Static
    """Its tool calls."""
    reply: MarkdownView
    ending: Static
    is_running: bool = False

    @property
    def widgets(self) -> tuple[UserTurn, Static, MarkdownView, Static]:
        return self.user, self.work, self.reply, self.ending


class Transcript(Column, can_focus=False):
    """Shows turns; keeps at most MOUNTED_TURNS of them mounted and slides over the rest while scrolling."""

    # Textual's own asks for another layout each time a layout has made the text longer: twice the work for every line
    # that streams in. Scroll bars ask for theirs by themselves.
    virtual_size = Reactive(Size(0, 0))

    def __init__(self, glyphs: Glyphs = UNICODE, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._glyphs = glyphs
        self._turns: tuple[TurnView, ...] = ()
        self._plans: Mapping[str, ContextPlan] = {}
        self._answering: int | None = None
        self._mounted: dict[int, _Mounted] = {}
        self._start = 0
        self._is_widening = False
        self._still_until = 0.0
        self._moves_itself = False
        self._is_open = False
        """Tool calls show what they were answered with."""
        self._folded_at = 0
        """For how many cells a line."""
        self._counted_above = -1

    def compose(self) -> list[Static]:
        """Return the line that counts what is above."""
        return [self.above]

    def on_resize(self) -> None:
        """Decide anew whether there is anything to scroll; lay out for the new width what is folded for one."""
        width = self._text_cells
        for mounted in self._mounted.values() if width != self._folded_at else ():
            if mounted.turn.rounds:
                mounted.work.update(self._work_of(mounted.turn))
            if (ending := self._outcome_of(mounted.turn)) is not None:
                mounted.ending.update(ending)
        self._folded_at = width
        self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        """Follow the newest line, but only where there is more than fits: an anchored short text sits at the bottom."""
        room = self.container_size.height
        if not room or not self.virtual_size.height:
            return
        overflows = self.virtual_size.height > room
        if overflows != self.is_anchored:
            self._moves_itself = True
            self.anchor(overflows)
            if not overflows:
                self.scroll_to(y=0, animate=False, immediate=True, force=True)
            self._moves_itself = False

    def page(self, pages: int) -> None:
        """Scroll by pages; at the end the newest line is followed again."""
        if not self.max_scroll_y:
            # There is nothing to leave: an answer that grows is still followed.
            return
        step = max(1, self.size.height - 2)
        if pages > 0 and self.scroll_y + step >= self.max_scroll_y and self._is_at_newest:
            self.anchor()
        else:
            self.scroll_relative(y=pages * step, animate=False)

    @property
    def _is_at_newest(self) -> bool:
        return self._start + MOUNTED_TURNS >= len(self._turns)

    def show(self, turns: tuple[TurnView, ...], running: int | None, plans: Mapping[str, ContextPlan]) -> None:
        """Show these turns; ``running`` is the number of the one being answered."""
        is_new = len(turns) != len(self._turns)
        self._turns, self._answering, self._plans = turns, running, plans
        if is_new or not self._mounted:
            self._start = window_start(len(turns), self._start if self._mounted else None)
        self._sync()
        self._widen_later()
        if is_new and self.max_scroll_y > 0:
            self.anchor()
        self.call_after_refresh(self._follow)

    def _widen_later(self) -> None:
        if not self._is_widening and self._start > max(0, len(self._turns) - MOUNTED_TURNS):
            self._is_widening = True
            self.set_timer(_WIDEN_SECONDS, self._widen)

    def hold_still(self) -> None:
        """Somebody types: mount nothing for a moment but what is seen."""
        self._still_until = time.monotonic() + _STILL_SECONDS

    def _widen(self) -> None:
        """Mount one more of the turns before those there are, until all are that are kept mounted."""
        self._is_widening = False
        first = max(0, len(self._turns) - MOUNTED_TURNS)
        is_busy = self._answering is not None or time.monotonic() < self._still_until
        if is_busy and self.virtual_size.height > self.container_size.height:
            self._widen_later()
        elif self._start > first:
            self._start = max(first, self._start - 1)
            self._sync()
            self.call_after_refresh(self._follow)
            self._widen_later()

    def _sync(self) -> None:
        if not self.is_attached:
            # The app ends, and what still came in of an answer has no place any more.
            return
        window = self._turns[self._start : self._start + MOUNTED_TURNS]
        numbers = {turn.number for turn in window}
        for number in [number for number in self._mounted if number not in numbers]:
            for widget in self._mounted.pop(number).widgets:
                widget.remove()
        first_known = next((self._mounted[turn.number].user for turn in window if turn.number in self._mounted), None)
        before_known = True
        for turn in window:
            if (mounted := self._mounted.get(turn.number)) is not None:
                before_known = False
                self._update(mounted, turn)
            else:
                made = self._make(turn)
                self.mount(*made.widgets, before=first_known if before_known else None)
        if self._counted_above != self._start:
            # Each update lays the whole conversation out.
            self._counted_above = self._start
            self.above.update(self._above_line())
            self.above.display = self._start > 0

    def _above_line(self) -> Content:
        return Content.styled(f"{self._glyphs.ellipsis} {counted(self._start, 'earlier turn')}", "$muted")

    def toggle_details(self) -> bool:
        """Open or close all tool calls; return whether they are open now."""
        self._is_open = not self._is_open
        for mounted in self._mounted.values():
            mounted.work.update(self._work_of(mounted.turn))
        self.call_after_refresh(self._follow)
        return self._is_open

    @property
    def _text_cells(self) -> int:
        # Before the first layout the usual width is as good a guess as any.
        room = self.scrollable_content_region.width - 2 if self.size.width else _WIDEST
        return max(_LEAST_DIFF, min(_WIDEST, room) - 4)

    def _work_of(self, turn: TurnView) -> Content:
        return tool_lines(
            turn.rounds, turn.notices, self._glyphs, is_open=self._is_open, edits=turn.edits, width=self._text_cells
        )

    def _outcome_of(self, turn: TurnView) -> Content | None:
        return outcome(turn, self._glyphs, is_running=turn.number == self._answering, width=self._text_cells)

    def _plan_of(self, turn: TurnView) -> ContextPlan | None:
        return self._plans.get(turn.plan.plan_id) if turn.plan else None

    def _make(self, turn: TurnView) -> _Mounted:
        plan = self._plan_of(turn)
        ending = self._outcome_of(turn)
        mounted = _Mounted(
            turn,
            plan,
            UserTurn(Said(turn, plan), self._glyphs, classes="user"),
            Static(self._work_of(turn), markup=False, classes="work"),
            MarkdownView(turn.reply, glyphs=self._glyphs, classes="reply"),
            Static(ending or "", markup=False, classes="outcome"),
        )
        mounted.work.display = bool(turn.rounds or turn.notices)
        mounted.reply.display = bool(turn.reply)
        mounted.ending.display = ending is not None
        self._mounted[turn.number] = mounted
        return mounted

    def _update(self, mounted: _Mounted, turn: TurnView) -> None:
        plan = self._plan_of(turn)
        known = mounted.turn
        is_running = turn.number == self._answering
        if turn is known and plan is mounted.plan and is_running == mounted.is_running:
            return
        shown, before = (
            (one.plan, one.usage, one.stopped_by, withheld_words(one, self._glyphs)) for one in (turn, known)
        )
        if shown != before or plan is not mounted.plan:
            mounted.user.show(Said(turn, plan))
        if (turn.rounds, turn.notices, turn.edits) != (known.rounds, known.notices, known.edits):
            mounted.work.update(self._work_of(turn))
            mounted.work.display = bool(turn.rounds or turn.notices)
        if turn.reply != mounted.turn.reply:
            mounted.reply.update(turn.reply)
        mounted.reply.display = bool(turn.reply)
        ending = self._outcome_of(turn)
        mounted.ending.display = ending is not None
        if ending is not None:
            mounted.ending.update(ending)
        mounted.turn, mounted.plan, mounted.is_running = turn, plan, is_running

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Slide the window when an end of what is mounted comes into view."""
        super().watch_scroll_y(old_value, new_value)
        if self._moves_itself:
            return
        at_top = new_value <= 1 and new_value < old_value and self._start > 0
        at_end = new_value >= self.max_scroll_y and new_value > old_value
        if at_top or (at_end and self._start + MOUNTED_TURNS < len(self._turns)):
            self.call_later(self._slide, -_STEP if at_top else _STEP)

    async def _slide(self, turns: int) -> None:
        """Move the window and keep the line the user was reading where it was."""
        start = self._start + turns
        start = max(0, start if turns < 0 else min(start, len(self._turns) - MOUNTED_TURNS))
        if start == self._start:
            return
        self.release_anchor()
        self._start = start
        self._sync()
