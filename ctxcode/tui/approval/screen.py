"""A session on screen that runs commands: ``!command``, and the question before one runs."""

from functools import partial

from textual.widget import Widget

from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.model.event import Event
from ctxcode.model.passing.event import ApprovalAnswered, ApprovalAsked
from ctxcode.tui.approval.dialog import ApprovalDialog
from ctxcode.tui.approval.words import permission_words
from ctxcode.tui.clean import clean_line
from ctxcode.tui.screens.overlay.screen import OverlayScreen


class AskingScreen(OverlayScreen):
    """Shows the open question in the prompt's place and takes the answer to the session."""

    def fold(self, event: Event) -> None:
        """Bring the state up to an event; a new question rings the terminal's bell."""
        super().fold(event)
        if isinstance(event, ApprovalAsked):
            self.app.bell()

    def show(self) -> None:
        """Bring every widget in step with the state; the dialog too."""
        super().show()
        if self.is_mounted:
            self._show_question()

    @property
    def asking(self) -> Widget:
        """What takes the keys beside the overlay; the dialog before the prompt."""
        # One that was answered is about to go.
        dialogs = self.query(ApprovalDialog) if self.state.approval is not None else ()
        return next(iter(dialogs), super().asking)

    def _show_question(self) -> None:
        wanted = self.state.approval
        shown = next(iter(self.query(ApprovalDialog)), None)
        if (shown.approval.id if shown is not None else None) == (wanted.id if wanted is not None else None):
            return
        if shown is not None:
            shown.remove()
        self.prompt.display = wanted is None
        if wanted is not None:
            self.query_one("#ask").mount(ApprovalDialog(wanted, self.glyphs))
        else:
            self.take_keys()

    def on_approval_dialog_answered(self, message: ApprovalDialog.Answered) -> None:
        """Take an answer to the session."""
        message.stop()
        try:
            self.fold(self.door.commands.answer(message.approval_id, message.answer))
        except CtxcodeError as error:
            self.fold(ApprovalAnswered(message.approval_id))
            self.say(str(error), is_error=True)

    def show_permissions(self, argument: str) -> None:
        """Say what is trusted and allowed here, or forget it."""
        self.work(partial(self._permissions, argument), "command", exclusive=False)

    async def _permissions(self, argument: str) -> None:
        commands = self.door.commands
        if argument == "revoke":
            await commands.revoke()
            self.say("Nothing is trusted or allowed here any more.")
            return
        if argument:
            words = f"/permissions knows no {clean_line(argument, 40)!r}."
            raise UsageError(words, "/permissions, /permissions revoke")
        sandbox, trust = await commands.sandbox(), await commands.trust()
        self.say(permission_words(sandbox, trust, await commands.permissions(), self.glyphs))
