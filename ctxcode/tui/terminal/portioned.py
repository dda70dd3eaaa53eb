"""Screens that never hold up the event loop for longer than they must."""

import asyncio
from typing import Generic, TypeVar

from textual import on
from textual.events import Resize
from textual.geometry import Size
from textual.screen import Screen

Result = TypeVar("Result")


class PortionedScreen(Screen[Result], Generic[Result]):
    """Is laid out in one turn of the loop and painted in the next; for a size once, and never for one that is past."""

    _is_painted_next = False

    @on(Resize)
    def leave_out_repetition(self, event: Resize) -> None:
        """Leave out the layout that Textual repeats for a size it has laid out for, and that of an earlier size."""
        is_past = event.size != self.app.size
        if is_past or all(screen.outer_size == event.size for screen in self.app.screen_stack):
            event.prevent_default()

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:  # noqa: FBT001, FBT002 - Textual's
        if self.is_current and not self._is_painted_next:
            self._is_painted_next = self.call_later(self._paint)
        super()._refresh_layout(size, scroll)

    def _compositor_refresh(self) -> None:
        if not self._is_painted_next:
            super()._compositor_refresh()

    async def _paint(self) -> None:
        await asyncio.sleep(0)
        self._is_painted_next = False
        if self.is_current:
            # The painting forgets all that is to be painted, and what has changed since the layout is not part of it.
            changed = self._dirty_widgets.copy()
            self._compositor_refresh()
            self._dirty_widgets.update(changed)
            self.check_idle()
