"""Asks whether a command may run. Takes no key for half a second, so that nothing typed ahead answers it."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from ctxcode.model.command.approval import CONFIRMATION, Answer, AnswerKind, Approval
from ctxcode.tui.approval.words import command_words, difference_lines, keys_line, setting_line, title, why_lines
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.keys import APPROVAL_KEYS, bindings

ARMED_AFTER_SECONDS = 0.5
_MOST_TYPED = 400


class ApprovalDialog(Vertical, can_focus=True):
    """One question, in the prompt's place. All that is said of it has to have been in view before it can be allowed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(APPROVAL_KEYS)

    class Answered(Message):
        """The user decided."""

        def __init__(self, approval_id: int, answer: Answer) -> None:
            super().__init__()
            self.approval_id = approval_id
            self.answer = answer

    def __init__(
        self, approval: Approval, glyphs: Glyphs = UNICODE, *, armed_after_seconds: float = ARMED_AFTER_SECONDS
    ) -> None:
        super().__init__()
        self.approval = approval
        self.is_armed = False
        self._glyphs = glyphs
        self._armed_after_seconds = armed_after_seconds
        self._typed: str | None = "" if approval.dangers else None
        """What is being typed: a confirmation, or why not; None while a key is wanted."""
        self._says_no = False
        said = [Content(command_words(approval.command))]
        said += [Content.styled(line, role) for line, role in difference_lines(approval.trust)]
        said += [Content.styled(setting_line(approval, glyphs), "$muted")]
        said += [Content.styled(words, role) for words, role in why_lines(approval, glyphs)]
        self._said = VerticalScroll(Static(Content("\n").join(said), markup=False), can_focus=False)
        self._keys = Static(markup=False)

    def compose(self) -> ComposeResult:
        """Show the command, what is to be known of it, the answers."""
        self.border_title = Content(title(self.approval))
        yield self._said
        yield self._keys

    def on_mount(self) -> None:
        """Wait a moment before any key counts; covered by the overlay, take none: nothing is allowed unseen."""
        if all(node.display for node in self.ancestors if isinstance(node, Widget)):
            self.focus()
        self._show_keys()
        # In a lower terminal there may be something to scroll to again.
        self.watch(self._said, "show_vertical_scrollbar", self._show_keys_soon, init=False)
        if self._armed_after_seconds:
            self.set_timer(self._armed_after_seconds, self._arm)
        else:
            self._arm()

    def _arm(self) -> None:
        self.is_armed = True
        self._show_keys()

    def _show_keys_soon(self) -> None:
        self.call_after_refresh(self._show_keys)

    def _show_keys(self) -> None:
        if not self.is_armed:
            words = self._glyphs.ellipsis
        elif self._says_no:
            words = f"why not (Enter sends, may be empty): {clean_line(self._typed or '')}{self._glyphs.cursor}"
        elif not self._was_seen:
            no = "Esc no" if self.approval.dangers else "n no, say why"
            words = f"{self._glyphs.keyboard.named('down')} shows the rest of it first   {no}"
        elif self._typed is not None:
            words = f"{keys_line(self.approval, self._glyphs)}   {clean_line(self._typed)}{self._glyphs.cursor}"
        else:
            words = keys_line(self.approval, self._glyphs)
        self._keys.update(Content.styled(words, "$accent"))

    @property
    def _was_seen(self) -> bool:
        """Whether the end of what is said is, or was, in view."""
        return self._said.scroll_y >= self._said.max_scroll_y

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Let no key answer while the dialog is not armed or something is being typed."""
        return action == "scroll_command" or (self.is_armed and self._typed is None)

    def on_key(self, event: events.Key) -> None:
        """Take what is typed: a confirmation or a reason."""
        if not self.is_armed or self._typed is None:
            return
        if event.key == "escape":
            self._answer(Answer(AnswerKind.NO))
        elif event.key == "enter":
            self._send_typed()
        elif event.key == "backspace":
            self._typed = self._typed[:-1]
        elif event.is_printable and event.character and len(self._typed) < _MOST_TYPED:
            self._typed += event.character
        else:
            return
        event.stop()
        event.prevent_default()
        self._show_keys()

    def on_paste(self, event: events.Paste) -> None:
        """Nothing pasted answers."""
        event.stop()
        event.prevent_default()

    def _send_typed(self) -> None:
        typed = (self._typed or "").strip()
        if self._says_no:
            self._answer(Answer(AnswerKind.NO, why=typed))
        elif typed.lower() == CONFIRMATION and self._was_seen:
            self._answer(Answer(AnswerKind.ONCE, confirmation=typed))

    def action_answer(self, kind: str) -> None:
        """Answer with a key, if this question offers it."""
        approval = self.approval
        trusts = not approval.trust.is_trusted
        if kind == "no":
            self._says_no, self._typed = True, ""
            self._show_keys()
        elif not self._was_seen:
            return
        elif kind == "trust" and trusts:
            self._answer(Answer(AnswerKind.ONCE))
        elif trusts:
            return
        elif kind == "once":
            self._answer(Answer(AnswerKind.ONCE))
        elif kind == "network" and approval.sandbox.is_there:
            self._answer(Answer(AnswerKind.ONCE, has_network=True))
        elif (kind == "exact" and approval.exact is not None) or (kind == "pattern" and approval.pattern is not None):
            self._answer(Answer(AnswerKind(kind)))

    def action_refuse(self) -> None:
        """Refuse without a reason."""
        self._answer(Answer(AnswerKind.NO))

    def action_scroll_command(self, lines: int) -> None:
        """Scroll what is longer than its place."""
        self._said.scroll_relative(y=lines, animate=False)
        self._show_keys_soon()

    def _answer(self, answer: Answer) -> None:
        self.is_armed = False
        self.post_message(self.Answered(self.approval.id, answer))
