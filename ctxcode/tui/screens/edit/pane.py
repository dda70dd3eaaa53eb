"""The review pane: the diff in the place of the prompt while a set waits for its answer."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from ctxcode.model.edit.change import DecidedBy
from ctxcode.model.naming.number import counted
from ctxcode.tui.edit.review import Review
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.widgets.edit.diff_view import DiffView
from ctxcode.tui.widgets.edit.keys import ReviewKeys

if TYPE_CHECKING:
    from ctxcode.model.edit.event import EditsProposed

_SCOPES = {"set": DecidedBy.USER, "turn": DecidedBy.TURN, "session": DecidedBy.SESSION}


class ReviewPane(Vertical):
    """Asks about one set at a time; hidden while none waits."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="review.back", tooltip="Back to the diff", show=False),
    ]

    class Decided(Message):
        """The user has answered the set."""

        def __init__(self, review: Review, by: DecidedBy, note: str = "") -> None:
            super().__init__()
            self.review = review
            self.by = by
            self.note = note

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="review")
        self._glyphs = glyphs
        self._number = (0, False)
        self.diff = DiffView(glyphs)
        self._why = Input(placeholder="Why? The model is told. Enter rejects", max_length=500)
        self.display = False

    def compose(self) -> ComposeResult:
        """Yield what is asked, the diff, the keys and the line for a reason."""
        yield Static(markup=False, classes="asked")
        yield self.diff
        yield ReviewKeys()
        yield self._why

    def ask(self, proposed: "EditsProposed | None") -> bool:
        """Show a set, or nothing; return whether that changes what the keys are for."""
        number = (proposed.number, proposed.is_renewed) if proposed is not None else (0, False)
        if proposed is not None and (number != self._number or proposed.changes != self.diff.review.changes):
            review = Review(proposed.number, proposed.changes, is_renewed=proposed.is_renewed)
            self.query_one(".asked", Static).update(self._asked(review))
            self._why.display = False
            self.diff.show(review)
        was, self._number, self.display = self._number, number, proposed is not None
        return was != number

    def _asked(self, review: Review) -> Content:
        files = counted(len(review.changes), "file")
        words = f"The model wants to change {files}"
        has_users = any(change.is_users for change in review.changes)
        if review.is_renewed:
            stale = " the files changed meanwhile: this is the new diff" + (" of your text" if has_users else "")
            return Content.styled(words, "bold") + Content.styled(f"  {self._glyphs.stale}{stale}", "$warning")
        if has_users:
            return Content.styled(words, "bold") + Content.styled("  as you edited it", "$muted")
        return Content.styled(words, "bold")

    def on_diff_view_answered(self, event: DiffView.Answered) -> None:
        """Pass the answers on."""
        event.stop()
        self.post_message(self.Decided(event.review, _SCOPES[event.scope]))

    def on_diff_view_rejecting(self, event: DiffView.Rejecting) -> None:
        """Ask why."""
        event.stop()
        self._why.value = ""
        self._why.display = True
        self._why.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Take Esc only while a reason is being written."""
        return action != "back" or self._why.display

    def action_back(self) -> None:
        """Go back to the diff."""
        self._why.display = False
        self.diff.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Reject with the reason."""
        event.stop()
        self._why.display = False
        self.post_message(self.Decided(self.diff.review, DecidedBy.USER, event.value.strip()))
