"""The command palette's entries, made from the table of commands."""

from collections.abc import Callable

from textual.command import DiscoveryHit, Hit, Hits, Provider

from ctxcode.tui.commands import COMMANDS, Command
from ctxcode.tui.screens.chat import ChatScreen


class CommandProvider(Provider):
    """Offers every command; one that takes a name is put into the prompt, ready to be completed."""

    def _entries(self) -> list[tuple[str, str, Callable[[], None]]]:
        screen = self.screen
        if not isinstance(screen, ChatScreen):
            return []
        entries: list[tuple[str, str, Callable[[], None]]] = []
        for command in COMMANDS:
            keys = f"  {screen.glyphs.keyboard.shown(command.key)}" if command.key else ""
            if command.choices:
                for choice in command.choices:
                    text = f"/{command.name} {choice}"
                    entries.append((text, command.summary, _submitting(screen, text)))
            else:
                entries.append((command.usage, command.summary + keys, _choosing(screen, command)))
        return entries

    async def discover(self) -> Hits:
        """Yield every command."""
        for name, summary, run in self._entries():
            yield DiscoveryHit(name, run, text=name, help=summary)

    async def search(self, query: str) -> Hits:
        """Yield the commands whose name or summary matches."""
        matcher = self.matcher(query)
        for name, summary, run in self._entries():
            score = max(matcher.match(name), 0.7 * matcher.match(summary))
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, text=name, help=summary)


def _submitting(screen: ChatScreen, text: str) -> Callable[[], None]:
    return lambda: screen.submit(text)


def _choosing(screen: ChatScreen, command: Command) -> Callable[[], None]:
    if command.needs_argument:
        return lambda: screen.fill_prompt(f"/{command.name} ")
    return lambda: screen.submit(f"/{command.name}")
