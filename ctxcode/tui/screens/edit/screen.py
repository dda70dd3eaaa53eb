"""A session on screen that takes the user's answers to proposed edits."""

import os
from functools import partial

from ctxcode.model.errors import CtxcodeError
from ctxcode.tui.approval.screen import AskingScreen
from ctxcode.tui.prompt import editor
from ctxcode.tui.screens.edit.pane import ReviewPane
from ctxcode.tui.terminal.complaint import sentence
from ctxcode.tui.widgets.edit.diff_view import DiffView


class ReviewingScreen(AskingScreen):
    """Takes what is said to a diff to the session."""

    def on_review_pane_decided(self, event: ReviewPane.Decided) -> None:
        """Answer the set of edits that waits."""
        try:
            self.door.edits.decide(event.review.number, event.review.verdicts(), event.by, event.note)
        except CtxcodeError as error:
            self.say(sentence(error), is_error=True)

    def on_diff_view_edit_wanted(self, event: DiffView.EditWanted) -> None:
        """Let the user edit what is proposed for a file."""
        self.work(partial(self._edit_proposal, event.number, event.path), "editor", exclusive=False)

    async def _edit_proposal(self, number: int, path: str) -> None:
        before = await self.door.edits.proposed_text(number, path)
        text = await self.outside(partial(editor.file_edited, before, path, os.environ))
        if text != before:
            await self.door.edits.revise(number, path, text)

    def on_diff_view_hinted(self, event: DiffView.Hinted) -> None:
        """Say what is missing."""
        self.say(event.words)
