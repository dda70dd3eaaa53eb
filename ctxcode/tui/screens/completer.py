"""What the menu over the prompt offers while something is typed, and what taking an entry does."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.content import Content

from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.commands import Command
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.prompt.completing import (
    ArgumentSought,
    CommandSought,
    MentionSought,
    Sought,
    code_name,
    folders_in,
    image_refusal,
    mention_of,
    sought,
)
from ctxcode.tui.prompt.recall import matching
from ctxcode.tui.screens.prompt.named import named_entries
from ctxcode.tui.widgets.menu import Menu, MenuEntry
from ctxcode.tui.widgets.overlay.entry import folder_entry, symbol_entry
from ctxcode.tui.widgets.prompt import Prompt

_OFFERED = 24
_PAUSE_SECONDS = 0.06
"""After the last key, before the index is asked."""
Work = Callable[[Callable[[], Awaitable[None]], str], object]


class Completer:
    """Keeps prompt and menu in step. Open is nothing, a completion, or the search for an old prompt."""

    def __init__(self, prompt: Prompt, menu: Menu, door: Door, glyphs: Glyphs, work: Work) -> None:
        self._prompt = prompt
        self._menu = menu
        self._door = door
        self._glyphs = glyphs
        self._work = work
        self._sought: Sought | None = None
        self._closed_at: str | None = None
        """The text at which the user closed the menu: it stays closed until something is typed."""
        self._has_moved = False
        """An entry was selected on purpose since the last letter."""
        self._asked: tuple[str, ...] = ()
        self._draft: str | None = None
        """What was being written when the search for an old prompt began; None while none is searched."""

    @property
    def is_open(self) -> bool:
        """Keys go to the menu."""
        return self._prompt.is_menu_open

    @property
    def is_searching(self) -> bool:
        """An old prompt is looked for."""
        return self._draft is not None

    def text_changed(self) -> None:
        """Offer what the text may become now."""
        if self.is_searching:
            self._show_asked()
            return
        if self._prompt.text == self._closed_at:
            return
        self._closed_at, self._has_moved = None, False
        if refusal := image_refusal(self._prompt.text):
            self._sought = None
            self._show((), Content.styled(f" {refusal}", "$warning"))
            return
        self._sought = sought(self._prompt.text, self._prompt.before_cursor)
        match self._sought:
            case CommandSought(choices):
                self._show(tuple(map(self._command_entry, choices)))
            case ArgumentSought() as argument if argument.choices and argument.typed not in argument.choices:
                self._show_arguments(argument, tuple(MenuEntry(choice, choice) for choice in argument.choices))
            case ArgumentSought() as argument:
                if argument.is_looked_up:
                    self._work(self._look_up, "completion")
                self._show((), _usage(argument.command))
            case MentionSought():
                self._work(self._look_up, "completion")
            case None:
                self._show(())

    def look_again(self) -> None:
        """Look up a name that was not found, now that more of the repository has been read."""
        is_name = isinstance(self._sought, MentionSought) or (
            isinstance(self._sought, ArgumentSought) and self._sought.wants_name
        )
        if is_name and not self.is_open:
            self._work(self._look_up, "completion")

    async def _look_up(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        wanted = self._sought
        if isinstance(wanted, ArgumentSought) and wanted.command.names:
            await self._look_up_names(wanted)
        elif isinstance(wanted, MentionSought | ArgumentSought):
            await self._look_up_code(wanted)

    async def _look_up_names(self, wanted: ArgumentSought) -> None:
        entries = await named_entries(wanted.command.names, wanted.typed, self._door, self._glyphs)
        if self._is_wanted(wanted):
            self._show_arguments(wanted, entries[:_OFFERED], _usage(wanted.command))

    def _show_arguments(
        self, argument: ArgumentSought, entries: tuple[MenuEntry, ...], title: Content | None = None
    ) -> None:
        """Show what may follow a command; where nothing has to, and nothing is typed, Enter means the command alone."""
        self._show(entries, title, selects=bool(argument.typed) or argument.command.needs_argument)

    async def _look_up_code(self, wanted: MentionSought | ArgumentSought) -> None:
        found = await self._door.complete(wanted.typed, _OFFERED)
        stats = await self._door.stats()
        if not self._is_wanted(wanted):
            return
        title = Content("")
        if not found:
            absent = f"no file or symbol is called {clean_line(wanted.typed, 40)!r}"
            unread = "the code is not read yet" if not stats.revision else "not all of the code is read yet"
            title = Content.styled(f" {absent if stats.revision and not stats.pending else unread}", "$muted")
        exact = isinstance(wanted, ArgumentSought) and wanted.typed in {code_name(row, found) for row in found}
        is_folder_wanted = wanted.command.takes_folders if isinstance(wanted, ArgumentSought) else "/" in wanted.typed
        folders = folders_in(wanted.typed, found) if is_folder_wanted else ()
        entries = [*(folder_entry(folder, self._glyphs) for folder in folders)]
        entries += [symbol_entry(row, found, self._glyphs) for row in found]
        self._show(() if exact else tuple(entries), title)

    def _is_wanted(self, sought_then: Sought) -> bool:
        """Return whether what was looked up is still being typed."""
        return sought_then is self._sought and not self.is_searching and self._prompt.text != self._closed_at

    def _show(self, entries: tuple[MenuEntry, ...], title: Content | None = None, *, selects: bool = True) -> None:
        self._menu.show(entries, title, keeps=self._has_moved, selects=selects)
        self._prompt.is_menu_open = bool(entries) or self.is_searching

    def close(self) -> None:
        """Close the menu; a text that was replaced for a search comes back."""
        draft, self._draft = self._draft, None
        if draft is not None:
            self._prompt.border_title = ""
            self._prompt.fill(draft)
        self._closed_at = self._prompt.text
        self._sought = None
        self._show(())

    def keyed(self, key: str) -> str:
        """Carry out a key of the open menu; return the text to send, empty for none."""
        if key in {"up", "down"}:
            self._menu.move(-1 if key == "up" else 1)
            self._has_moved = True
            return ""
        if self.is_searching:
            self._take_asked(self._menu.chosen)
            return ""
        wanted = self._sought
        if self._menu.chosen is None and key == "tab":
            self._menu.move(1)
        entry = self._menu.chosen
        if entry is None and isinstance(wanted, ArgumentSought):
            return self._given(f"/{wanted.command.name}")
        if entry is None or wanted is None:
            return ""
        match wanted:
            case CommandSought(choices):
                return self._take_command(choices[self._menu.at], is_run=key == "enter")
            case ArgumentSought() as argument:
                # What is only like it, or was offered for fewer letters, is not what Enter means.
                is_meant = key == "tab" or self._has_moved or argument.typed.casefold() in entry.value.casefold()
                text = f"/{argument.command.name} {entry.value if is_meant else argument.typed}"
                if key == "enter":
                    return self._given(text)
                self._finish(text)
            case MentionSought() as mention:
                self._prompt.replace_before_cursor(mention.length, f"{mention_of(entry.value)} ")
                self._finish(self._prompt.text, fills=False)
        return ""

    def _given(self, text: str) -> str:
        """Return a command to carry out, the prompt emptied."""
        self._finish(text)
        self._prompt.clear()
        return text

    def _take_command(self, command: Command, *, is_run: bool) -> str:
        if is_run and not command.needs_argument:
            self._finish("")
            return f"/{command.name}"
        self._prompt.fill(f"/{command.name} ")
        return ""

    def _finish(self, text: str, *, fills: bool = True) -> None:
        """Close the menu with this text in the prompt."""
        self._closed_at = text
        self._sought = None
        if fills:
            self._prompt.fill(text)
        self._show(())

    async def search_asked(self) -> None:
        """Look for an old prompt; again moves to the next older one."""
        if self.is_searching:
            self._menu.move(1)
            return
        self._asked = await self._door.archive.prompts()
        self._draft = self._prompt.text
        self._prompt.border_title = "earlier prompts"
        self._show_asked()

    def _show_asked(self) -> None:
        typed = self._prompt.text
        found = matching(self._asked, typed, 200)
        entries = tuple(MenuEntry(prompt, " ".join(prompt.split())) for prompt in found)
        said = "Enter takes it, Esc goes back" if found else "nothing was asked in these words; Esc goes back"
        self._show(entries, Content.styled(f" {said}", "$muted"))

    def _command_entry(self, command: Command) -> MenuEntry:
        keys = self._glyphs.keyboard.shown(command.key) if command.key else ""
        return MenuEntry(command.name, command.usage, command.summary, right=keys)

    def _take_asked(self, entry: MenuEntry | None) -> None:
        if entry is None:
            return
        self._draft = entry.value
        self.close()


def _usage(command: Command) -> Content:
    return Content.styled(f" {command.usage}", "bold") + Content.styled(f"  {command.summary}", "$muted")
