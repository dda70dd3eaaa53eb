"""A session on screen with the context overlay beside it."""

import asyncio
import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

from textual.content import Content
from textual.events import Resize

from ctxcode.model.ids import ItemId
from ctxcode.tui.prompt import editor
from ctxcode.tui.rows import Row
from ctxcode.tui.screens.dialog.picker import PickerDialog
from ctxcode.tui.screens.index.screen import IndexScreen
from ctxcode.tui.screens.memory.dialog import TextDialog
from ctxcode.tui.screens.session_screen import ACTING, BESIDE_CELLS
from ctxcode.tui.widgets.overlay.finder import Finder
from ctxcode.tui.widgets.plan_list import PlanList

ResultT = TypeVar("ResultT")
_WIDEST, _DIALOG_FRAME = 120, 6
"""Cells of a difference; of a dialog's border, padding and scroll bar."""
_CHANGED = {"+": "$diff-add", "-": "$diff-remove", "=": "$muted", " ": "$muted"}
"""Styles of a difference's lines, by the mark they begin with."""
_BROAD_CELLS, _VAST_CELLS = 150, 190
"""Screens from which on the overlay is wider."""
_DRAWER_SIZES = ("-wider", "-widest")
"""Beyond the usual one; the last takes all there is."""


class OverlayScreen(IndexScreen):
    """Opens, sizes and closes the overlay, and carries out its keys."""

    def open_context(self) -> None:
        """Open the overlay on the last plan, or on the next one while something is typed."""
        self.show_context()
        self.work(self.pane.open, "overlay")

    def show_context(self) -> None:
        """Open the overlay, empty until a plan is shown in it."""
        self.drawer.open()
        self._make_room(self.size.width)
        self.drawer.list.focus()
        self.show()

    def close_context(self) -> None:
        """Close the overlay and go back to the prompt."""
        self.drawer.display = False
        self._make_room(self.size.width)
        self.asking.focus()
        self.show()

    def on_plan_list_acted(self, event: PlanList.Acted) -> None:
        """Carry out a key of the overlay."""
        match event.action:
            case "close":
                self.close_context()
            case "dock" if self.query_one("#talk").display:
                self.asking.focus()
            case "dock":
                # The overlay covers the prompt: there is no room for both.
                self.close_context()
            case "find":
                self.drawer.finder.open()
            case "filter":
                self.drawer.filter()
            case "sort":
                self.drawer.sort()
            case "group":
                self.drawer.group()
            case "wider" | "narrower":
                self._resize_drawer(1 if event.action == "wider" else -1)
            case "difference":
                self.work(self._compare, "overlay")
            case "compare":
                self.work(self._choose_other, "overlay")
            case "edit":
                self.work(partial(self._edit_item, event.row), "editor", exclusive=False)
            case action:
                self.work(partial(self._act, action, event.row), ACTING, exclusive=False)

    def _resize_drawer(self, step: int) -> None:
        at = next((number for number, name in enumerate(_DRAWER_SIZES) if self.drawer.has_class(name)), -1)
        wanted = max(-1, min(len(_DRAWER_SIZES) - 1, at + step))
        self.drawer.update_classes({name: number == wanted for number, name in enumerate(_DRAWER_SIZES)})
        self._make_room(self.size.width)

    def on_resize(self, event: Resize) -> None:
        """Cover the conversation, or stand beside it again."""
        self._make_room(event.size.width)

    def _make_room(self, cells: int) -> None:
        """Give the overlay the place there is, and hide the conversation while it is covered.

        Said of the two widgets: a class of the screen would have the styles of all that is in it looked up again.
        """
        covers = cells < BESIDE_CELLS
        sizes = {"-covering": covers, "-broad": _BROAD_CELLS <= cells < _VAST_CELLS, "-vast": cells >= _VAST_CELLS}
        self.drawer.update_classes(sizes)
        covers = covers or self.drawer.has_class(_DRAWER_SIZES[-1])
        self.query_one("#talk").display = not (self.drawer.display and covers)

    async def _compare(self) -> None:
        self._show_difference("What changed since the plan before", await self.pane.difference(self._text_cells))

    async def _choose_other(self) -> None:
        """Offer all other plans, to compare the one that is shown with."""
        choices = await self.pane.others()

        async def compare(chosen: str) -> None:
            lines = await self.pane.difference(self._text_cells, chosen)
            self._show_difference("What differs between the two plans", lines)

        def compare_with(chosen: str | None) -> None:
            if chosen is not None:
                self.work(partial(compare, chosen), "overlay")

        empty = "There is no other plan yet; every request makes one."
        self.app.push_screen(PickerDialog("Compare with which plan?", choices, empty, glyphs=self.glyphs), compare_with)

    @property
    def _text_cells(self) -> int:
        """How wide a text may be in a dialog that takes what width there is."""
        return min(_WIDEST, self.app.size.width - self.app.size.width // 20 - _DIALOG_FRAME)

    def _show_difference(self, title: str, lines: list[str]) -> None:
        styled = [Content.styled(line, _CHANGED.get(line[:1], "")) for line in lines]
        self.app.push_screen(TextDialog(title, Content("\n").join(styled), is_wide=True, glyphs=self.glyphs))

    async def _edit_item(self, row: Row | None) -> None:
        item = row.item if row is not None else None
        if item is None or not item.path:
            self.say("Select a symbol or file to open it in your editor.")
            return
        await self.edit_file(Path(self.door.repository.root) / item.path, item.start_line)
        self.work(self.follow_index, "index")

    async def edit_file(self, path: Path, line: int = 0) -> None:
        """Open a file in the user's editor and wait for its end. Raises UsageError."""
        command = editor.command_at(editor.editor_words(os.environ), path, line)
        await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        await self.outside(partial(editor.run_editor, command))

    def on_finder_typed(self, event: Finder.Typed) -> None:
        """Look up what is typed into the finder."""
        self.work(partial(self.pane.find, event.text), "find")

    def on_finder_taken(self, event: Finder.Taken) -> None:
        """Pin what was found."""
        self.on_finder_closed()
        self.work(partial(self._add, ItemId(event.value)), ACTING, exclusive=False)

    def on_finder_closed(self) -> None:
        """Go back to the rows."""
        self.drawer.finder.close()
        self.drawer.list.focus()

    async def _add(self, item: ItemId) -> None:
        self.say(await self.pane.add(item))
        self.show()

    async def _act(self, action: str, row: Row | None) -> None:
        said = await self.pane.act(action, row)
        if said:
            self.say(said)
        self.show_frame()

    def action_toggle_context(self) -> None:
        """Open or close the context overlay."""
        if self.drawer.display:
            self.close_context()
        else:
            self.open_context()

    def action_focus_context(self) -> None:
        """Go to the rows of the overlay that stays open beside the prompt."""
        if self.drawer.display:
            self.drawer.list.focus()

    async def outside(self, run: Callable[[], ResultT]) -> ResultT:
        """Give the terminal to another program while ``run`` is at work in a thread."""
        with ExitStack() as stack:
            lent = self.app.suspend()
            lent.__enter__()
            # Told of no error: Textual's context takes the terminal back only when its block ends well.
            stack.callback(lent.__exit__, None, None, None)
            stack.callback(self.app.refresh, layout=True)
            # Without the batch a streaming answer would be drawn over that program.
            stack.enter_context(self.app.batch_update())
            return await asyncio.to_thread(run)
