"""A diff with a selected hunk: one widget that draws the lines in view, however many there are."""

import time
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message

from ctxcode.tui.edit.diff import DiffLine, diff_lines
from ctxcode.tui.edit.review import Place, Review
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.keys import REVIEW_KEYS, bindings
from ctxcode.tui.widgets.text.line_view import LineView

QUIET_SECONDS = 0.5
"""Keys typed for something else must not answer a diff that has just come up."""
_MARGIN = 2


class DiffView(LineView, can_focus=True):
    """Shows a set of changes and takes the answers, hunk by hunk, file by file or all at once."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(REVIEW_KEYS)

    class Answered(Message):
        """The user has said what happens to the set; ``scope`` is ``set``, ``turn`` or ``session``."""

        def __init__(self, review: Review, scope: str) -> None:
            super().__init__()
            self.review = review
            self.scope = scope

    class Hinted(Message):
        """A key that does nothing yet says why."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class EditWanted(Message):
        """The user wants to edit the proposed text of a file."""

        def __init__(self, number: int, path: str) -> None:
            super().__init__()
            self.number = number
            self.path = path

    class Rejecting(Message):
        """The user rejects the whole set and may say why."""

        def __init__(self, review: Review) -> None:
            super().__init__()
            self.review = review

    def __init__(self, glyphs: Glyphs = UNICODE, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._glyphs = glyphs
        self._review = Review()
        self._at = Place(0, 0)
        self._lines: list[DiffLine] = []
        self._quiet_until = 0.0

    @property
    def review(self) -> Review:
        """The set and the answers so far."""
        return self._review

    @property
    def is_ready(self) -> bool:
        """Whether keys count already."""
        return time.monotonic() >= self._quiet_until

    def show(self, review: Review) -> None:
        """Show a set from its beginning."""
        self._review, self._at = review, Place(0, 0)
        self._quiet_until = time.monotonic() + QUIET_SECONDS
        self._rebuild()
        self.scroll_home(animate=False)

    def on_resize(self) -> None:
        """Lay the diff out for the new width."""
        with self.place_kept():
            self._rebuild()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Let keys pass that were typed before the diff could be read."""
        return self.is_ready or action not in {"answer", "answer_file", "answer_all", "reject", "edit", "send"}

    def action_move(self, step: int) -> None:
        """Select the next or previous hunk."""
        places = self._review.places
        number = places.index(self._at) + step if self._at in places else 0
        if 0 <= number < len(places):
            self._select(places[number])
        else:
            self.scroll_relative(y=3 * step, animate=False)

    def action_page(self, step: int) -> None:
        """Scroll by about a page."""
        self.scroll_relative(y=step * max(1, self.size.height - 2), animate=False)

    def action_answer(self, is_yes: bool) -> None:  # noqa: FBT001 - the binding's argument
        """Accept or reject the selected hunk and go on to the next one without an answer."""
        self._change(self._review.answered(self._at, is_yes=is_yes))

    def action_answer_file(self, is_yes: bool) -> None:  # noqa: FBT001 - the binding's argument
        """Accept or reject the selected file."""
        self._change(self._review.file_answered(self._at.file, is_yes=is_yes))

    def action_answer_all(self, scope: str) -> None:
        """Accept everything."""
        self._change(self._review.all_answered(is_yes=True))
        self.post_message(self.Answered(self._review, scope))

    def action_reject(self) -> None:
        """Reject everything."""
        self._change(self._review.all_answered(is_yes=False))
        self.post_message(self.Rejecting(self._review))

    def action_edit(self) -> None:
        """Edit the proposed text of the selected file."""
        if self._review.changes:
            self.post_message(self.EditWanted(self._review.number, self._review.changes[self._at.file].path))

    def action_send(self) -> None:
        """Send the answers when there is one for every hunk."""
        if self._review.undecided:
            self.post_message(self.Hinted("Some hunks have no answer yet: y accepts, n rejects, A accepts all."))
        else:
            self.post_message(self.Answered(self._review, "set"))

    def _change(self, review: Review) -> None:
        self._review = review
        self._select(review.next_undecided(self._at))

    def _select(self, place: Place) -> None:
        self._at = place
        self._rebuild()
        mine = [number for number, line in enumerate(self._lines) if line.place == place]
        if mine:
            height = min(len(mine) + 1, self.size.height)
            self.scroll_to_region(Region(0, max(0, mine[0] - 1), self.size.width, height), animate=False)

    def _rebuild(self) -> None:
        width = self.scrollable_content_region.width
        if width:
            self._lines = diff_lines(self._review, width - _MARGIN, self._glyphs)
            self.show_lines([line.content for line in self._lines], [line.place for line in self._lines])

    def drawn(self, number: int) -> Content:
        """Return a line with the bar of the selected hunk."""
        line = self._lines[number]
        bar = f"{self._glyphs.bar} " if line.place == self._at else "  "
        return Content.styled(bar, "$accent") + line.content
