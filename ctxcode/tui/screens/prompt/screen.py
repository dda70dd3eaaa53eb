"""A session on screen whose prompt completes, remembers and can be written elsewhere."""

import asyncio
import os
import time
from abc import abstractmethod
from dataclasses import replace
from functools import partial

from textual import events, on
from textual.content import Content

from ctxcode.model.event import Event
from ctxcode.model.passing.event import IndexRefreshed
from ctxcode.session.door import Door
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.keys import APP_KEYS, CHAT_KEYS
from ctxcode.tui.prompt import editor
from ctxcode.tui.prompt.draft import Draft, DraftKeeper, decoded
from ctxcode.tui.screens.completer import Completer
from ctxcode.tui.screens.edit.screen import ReviewingScreen
from ctxcode.tui.screens.prompt.twice import Twice
from ctxcode.tui.terminal.setup import Drafts
from ctxcode.tui.widgets.bars import Footer
from ctxcode.tui.widgets.prompt import Prompt

_TOLD_SECONDS = 20.0
_KEEP_SECONDS = 2.0
_BROUGHT_BACK = "what you had written and not sent is in the prompt again; Ctrl+C clears it"


class PromptScreen(ReviewingScreen):
    """What is typed becomes a text; what becomes of that is for ``submit``."""

    def __init__(self, door: Door, glyphs: Glyphs, drafts: Drafts) -> None:
        super().__init__(door, glyphs)
        self._drafts = drafts
        self._keeper = DraftKeeper(lambda: self._unsent, lambda text: drafts.keep(door.repository, text))
        self._brought_back = ""
        """The text of an earlier run, until it is changed or sent."""
        self._waiting = Draft()
        """What an earlier run left and a new session did not bring back, until something is written."""
        self.completer = Completer(self.prompt, self.menu, door, glyphs, self.work)
        self.twice = Twice()
        """Of Esc."""

    async def begin(self) -> None:
        """Bring back what was written and not sent, then keep what is written."""
        await super().begin()
        self.run_worker(self._keep_draft(), group="draft", exit_on_error=False)

    async def _keep_draft(self) -> None:
        draft = decoded(await asyncio.to_thread(self._drafts.kept, self.door.repository))
        await self.prompt.settled()
        if self._drafts.waits and not self.state.turns and not self.prompt.text:
            self._waiting = draft
        if draft.text and (self.prompt.text or self._waiting.text):
            # What is being typed may be sent any moment, and nothing else with it.
            self.prompt.hold_unsent(draft)
            self.say(
                f"a message you had not sent is kept: {self.glyphs.arrows[0]} brings it back", seconds=_TOLD_SECONDS
            )
        elif draft.text:
            self._brought_back = draft.text
            self.prompt.take(draft)
            self.prompt.border_title = Content("not sent yet")
            self.say(_BROUGHT_BACK, seconds=_TOLD_SECONDS)
        await self._keeper.run(draft)

    @property
    def _unsent(self) -> Draft:
        """What would be lost: messages that wait to be sent, and the one that is being written."""
        if self._waiting.text:
            return self._waiting
        written = self.prompt.draft
        text = self.prompt.text if not self.completer.is_searching else ""
        return replace(written, text="\n".join([*self.queue, text]).rstrip())

    def show_frame(self) -> None:
        """Keep also which messages wait to be sent."""
        super().show_frame()
        self._keeper.changed()

    async def stop(self) -> None:
        """Keep what is not sent, then end."""
        self._keeper.end()
        keeping = [worker.wait() for worker in self.workers if worker.group == "draft" and worker.node is self]
        if keeping:
            ended = asyncio.gather(*keeping, return_exceptions=True)
            await asyncio.wait([asyncio.ensure_future(ended)], timeout=_KEEP_SECONDS)
        await super().stop()

    @abstractmethod
    def submit(self, text: str) -> None:
        """Send a message or run a command."""

    def key_pressed(self) -> None:
        """Take note of a key before it is dealt with."""
        # In the overlay and in a diff each key is about something else; what is typed may well be an answer.
        if self.twice.key_pressed(time.monotonic()) or self.focused is not self.prompt:
            self.unsay()

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _tell_of_queue(self) -> None:
        """Promise the key that takes a message back only while it does."""
        if self.queue:
            self._show_status()

    def fill_prompt(self, text: str) -> None:
        """Put a text into the prompt, to be completed."""
        self.prompt.fill(text)
        self.asking.focus()

    def fold(self, event: Event) -> None:
        """Offer what is there now that the index is in step."""
        super().fold(event)
        if isinstance(event, IndexRefreshed):
            self.completer.look_again()

    def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        """Send a message or run a command."""
        self.submit(event.text)

    def on_text_area_changed(self) -> None:
        """Offer what the text may become; ask what sending would come to."""
        self.transcript.hold_still()
        if self.queue:
            self._show_status()
        self.completer.text_changed()
        self._keeper.changed()
        if self.prompt.text:
            self._waiting = Draft()
        if self._brought_back and self.prompt.text != self._brought_back:
            self._brought_back, self.prompt.border_title = "", ""
        if not self.completer.is_searching:
            self.ask_forecast()
            if not self.prompt.text and self.drawer.display and self.pane.shows_next:
                self.work(self.pane.open, "overlay")

    def on_prompt_menu_keyed(self, event: Prompt.MenuKeyed) -> None:
        """Move in the menu or take what is selected."""
        if event.key == "enter" and not self.completer.is_open:
            # What was typed right before it has closed the menu.
            self.prompt.send()
        else:
            self._take(event.key)

    async def on_footer_key_clicked(self, event: Footer.KeyClicked) -> None:
        """Do what a key does that was clicked."""
        action = next(key.action for key in (*CHAT_KEYS, *APP_KEYS) if key.id == event.key)
        owner = self if any(key.id == event.key for key in CHAT_KEYS) else self.app
        await self.app.run_action(action, owner)

    def on_menu_clicked(self) -> None:
        """Take what was clicked."""
        self._take("enter")

    def _take(self, key: str) -> None:
        text = self.completer.keyed(key)
        self.prompt.focus()
        if text:
            self.submit(text)

    def on_prompt_newest_wanted(self) -> None:
        """Take the newest waiting message back into the prompt."""
        if self.queue:
            self.fill_prompt(self.queue.pop())
            self.show()

    def on_prompt_example_chosen(self, event: Prompt.ExampleChosen) -> None:
        """Ask one of the questions of the start page."""
        examples = self.start_view.examples
        if event.number <= len(examples) and not self.state.turns:
            self.submit(examples[event.number - 1])

    def action_search_history(self) -> None:
        """Look for an earlier prompt; again goes to the next older one."""
        if self.asking is not self.prompt:
            return
        self.prompt.focus()
        self.work(self.completer.search_asked, "history", exclusive=False)

    def action_edit_prompt(self) -> None:
        """Write the prompt in the user's editor."""
        self.work(self._edit_prompt, "editor", exclusive=False)

    async def _edit_prompt(self) -> None:
        self.fill_prompt(await self.outside(partial(editor.edited, self.prompt.unfolded, os.environ)))
