"""What stands on the screen while the session is opened: the same frame, and a prompt that already takes words."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.keys import CHAT_KEYS, bindings
from ctxcode.tui.widgets.bars import Footer, Header, StatusLine
from ctxcode.tui.widgets.prompt import PLACEHOLDER, Prompt


class OpeningScreen(Screen[None]):
    """Painted first; hands over what was typed into it and which keys were pressed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        tuple(key for key in CHAT_KEYS if key.has_priority and key.id != "chat.details")
    )

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self.prompt = Prompt(PLACEHOLDER, id="prompt")
        self.sent: list[str] = []
        """Messages that were sent before there was a session."""
        self.wanted: list[str] = []
        """Actions that were asked of a session's screen."""

    def compose(self) -> ComposeResult:
        """Header, room, prompt, footer: where the session's screen will have them."""
        yield Header(self._glyphs)
        with Horizontal(id="body"), Vertical(id="talk"):
            yield Vertical(id="start")
            with Vertical(id="ask"):
                yield self.prompt
        yield StatusLine(self._glyphs)
        yield Footer(self._glyphs)

    def on_mount(self) -> None:
        """Take the keyboard."""
        self.prompt.focus()

    def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        """Keep a message until there is a session."""
        self.sent.append(event.text)
        self.prompt.fill("")

    def action_cycle_mode(self) -> None:
        """Keep the wish until there is a session."""
        self.wanted.append("cycle_mode")

    def action_toggle_context(self) -> None:
        """Keep the wish until there is a session."""
        self.wanted.append("toggle_context")

    def action_open_sessions(self) -> None:
        """Keep the wish until there is a session."""
        self.wanted.append("open_sessions")

    async def on_prompt_quit_requested(self) -> None:
        """Quit on an empty prompt, as later."""
        await self.app.action_quit()
