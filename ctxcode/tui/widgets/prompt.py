"""The prompt: Enter sends, Ctrl+J begins a line, a paste never sends and folds when large, Up and Down recall."""

import asyncio
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widgets import TextArea

from ctxcode.tui.clean import clean
from ctxcode.tui.keys import PROMPT_KEYS, bindings
from ctxcode.tui.prompt.draft import Draft
from ctxcode.tui.prompt.folding import FoldedPastes
from ctxcode.tui.prompt.recall import Recall

_NEW_LINE_KEYS = frozenset({"ctrl+j", "shift+enter", "alt+enter"})
_CANCEL_KEY = "ctrl+c"
_MENU_KEYS = frozenset({"up", "down", "tab", "enter"})

PLACEHOLDER = "Ask about this code   @ files and symbols   / commands"


class Prompt(TextArea):
    """A text box of one to eight lines."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(PROMPT_KEYS)

    class Submitted(Message):
        """The user sent a text."""

        def __init__(self, prompt: "Prompt", text: str) -> None:
            super().__init__()
            self.prompt = prompt
            self.text = text

        @property
        def control(self) -> "Prompt":
            """The prompt it was typed into."""
            return self.prompt

    class MenuKeyed(Message):
        """A key was pressed that moves in or takes from the open menu."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class ExampleChosen(Message):
        """A digit was pressed on an empty prompt."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class NewestWanted(Message):
        """Up was pressed on an empty prompt while messages wait."""

    class QuitRequested(Message):
        """The user asked to quit on an empty prompt."""

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(
            id=id, soft_wrap=True, tab_behavior="focus", highlight_cursor_line=False, placeholder=Content(placeholder)
        )
        self.is_menu_open = False
        self.has_waiting = False
        """There are messages that wait to be sent."""
        self.examples = 0
        """How many example questions a digit can ask."""
        self._cancelled: tuple[str, str] | None = None
        """What stood before and behind the cursor when Ctrl+C was pressed, until that was dealt with."""
        self._recall = Recall()
        self._pastes = FoldedPastes()

    @property
    def unfolded(self) -> str:
        """The text with large pastes in full: what is sent, edited and planned for."""
        return self._pastes.unfold(self.text)

    @property
    def before_cursor(self) -> str:
        """The cursor's line up to the cursor."""
        row, column = self.cursor_location
        return self.document.get_line(row)[:column]

    def replace_before_cursor(self, length: int, text: str) -> None:
        """Put a text in place of the last characters before the cursor."""
        row, column = self.cursor_location
        self.replace(text, (row, column - length), (row, column), maintain_selection_offset=False)
        self.move_cursor((row, column - length + len(text)))

    def render_line(self, y: int) -> Strip:
        """Return a line; none where a narrow terminal leaves no cell: Textual fails to fold the placeholder then."""
        return super().render_line(y) if self.content_size.width > 0 else Strip.blank(0)

    @property
    def draft(self) -> Draft:
        """What is written, with its pastes."""
        return Draft(self.text, self._pastes.held_in(self.text))

    def take(self, draft: Draft) -> None:
        """Go on with what was written elsewhere or earlier."""
        self._pastes.hold(draft.pastes)
        self.fill(draft.text)

    def hold_unsent(self, draft: Draft) -> None:
        """Let Up recall a message that was never sent, while another is being written."""
        self._pastes.hold(draft.pastes)
        self._recall.hold_unsent(draft.text)

    def set_history(self, prompts: tuple[str, ...]) -> None:
        """Set what Up and Down recall, oldest first."""
        self._recall.use(prompts)

    def fill(self, text: str) -> None:
        """Replace the text and put the cursor at its end."""
        self.text = text
        self.move_cursor(self.document.end)

    def clear_cancelled(self) -> bool:
        """Clear what stood here when Ctrl+C was pressed and keep what was typed since; return False for nothing."""
        before, behind = self._cancelled or (self.text, "")
        self._cancelled = None
        if not before and not behind:
            return False
        typed = self.text.removeprefix(before).removesuffix(behind) if len(self.text) > len(before + behind) else ""
        # As an edit, so that it can be undone.
        self.clear()
        self.insert(typed)
        return True

    @property
    def _cursor_index(self) -> int:
        row, column = self.cursor_location
        return sum(len(line) + 1 for line in self.document.lines[:row]) + column

    async def settled(self) -> None:
        """Return when every key that was sent here before has been dealt with."""
        done = asyncio.Event()
        self.call_later(done.set)
        await done.wait()

    async def _on_key(self, event: events.Key) -> None:
        if self.is_menu_open and event.key in _MENU_KEYS:
            event.stop()
            event.prevent_default()
            self.post_message(self.MenuKeyed(event.key))
        elif event.key in _NEW_LINE_KEYS:
            # Not left to the binding: it would come after keys that are typed quickly behind it.
            event.stop()
            event.prevent_default()
            self.action_new_line()
        elif event.key == "enter":
            event.stop()
            event.prevent_default()
            self.send()
        elif event.key == _CANCEL_KEY and self.selection.is_empty:
            # Not dealt with here, but further out, later: what is typed until then is none of what it means.
            self._cancelled = self.text[: self._cursor_index], self.text[self._cursor_index :]
        elif not self.text and event.key.isdecimal() and 1 <= int(event.key) <= self.examples:
            event.stop()
            event.prevent_default()
            self.post_message(self.ExampleChosen(int(event.key)))

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = clean(event.text.replace("\r\n", "\n").replace("\r", "\n"))
        self.replace(self._pastes.fold(text), *self.selection)

    def send(self) -> None:
        """Send what is written, unless that is nothing."""
        text = self.unfolded.strip()
        if text:
            self._recall.leave()
            self.clear()
            self.history.clear()
            self._pastes.clear()
            self.post_message(self.Submitted(self, text))

    def action_new_line(self) -> None:
        """Begin a new line."""
        self._replace_via_keyboard("\n", *self.selection)

    def action_delete_right_or_quit(self) -> None:
        """Delete to the right, or ask to quit when there is nothing to delete in an empty prompt."""
        if self.text:
            self.action_delete_right()
        else:
            self.post_message(self.QuitRequested())

    async def action_undo_or_suspend(self) -> None:
        """Undo; in an empty prompt with nothing to undo, give the terminal back to the shell."""
        had_text = bool(self.text)
        self.undo()
        if not had_text and not self.text:
            await self.run_action("app.suspend_process")

    def action_cursor_up(self, select: bool = False) -> None:  # noqa: FBT001, FBT002 - Textual's signature
        """Move up, or recall the prompt before from the first line; a message that waits comes first."""
        if self.has_waiting and not self.text:
            self.post_message(self.NewestWanted())
            return
        row = self.wrapped_document.location_to_offset(self.cursor_location).y
        if not select and row == 0 and self._recalls(-1):
            return
        super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:  # noqa: FBT001, FBT002 - Textual's signature
        """Move down, or recall the prompt after from the last line."""
        row = self.wrapped_document.location_to_offset(self.cursor_location).y
        if not select and row >= self.wrapped_document.height - 1 and self._recalls(1):
            return
        super().action_cursor_down(select)

    def _recalls(self, step: int) -> bool:
        """Show an older or newer prompt; return False when there is none that way."""
        text = self._recall.step(step, self.text)
        if text is None:
            return False
        self.fill(text)
        return True

    def action_delete_left(self) -> None:
        """Delete to the left; the word for a folded paste goes as a whole."""
        word = self._pastes.word_before(self.before_cursor) if self.selection.is_empty else ""
        if word:
            self.replace_before_cursor(len(word), "")
        else:
            super().action_delete_left()
