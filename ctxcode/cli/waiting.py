"""What an answer waits for, on standard error, for people only."""

import asyncio
import os
import sys

from ctxcode.model.event import Event, ToolsCalled
from ctxcode.model.passing.event import IndexAwaited, ReplyChunked, ReplyDelayed
from ctxcode.tui.waiting import waiting_words

_STEP_SECONDS = 0.5
_USUAL_COLUMNS = 80


class WaitingLine:
    """One line that counts down on a terminal and is gone when the answer goes on; elsewhere nothing."""

    def __init__(self, *, prints_text: bool) -> None:
        """Take whether the answer's text is printed as it comes."""
        self._prints_text = prints_text and sys.stdout.isatty()
        self._is_mid_line = False
        self._counting: asyncio.Task[None] | None = None

    def tell(self, event: Event) -> None:
        """Show what an event says of waiting, or that it is over; for each event, in a running loop."""
        self.close()
        match event:
            case ReplyChunked() if self._prints_text and event.text:
                self._is_mid_line = not event.text.endswith("\n")
            case ToolsCalled():
                self._is_mid_line = False
            case ReplyDelayed() | IndexAwaited() if sys.stderr.isatty():
                self._show(event)

    def close(self) -> None:
        """Take the line away."""
        if self._counting is not None:
            self._counting.cancel()
            self._counting = None
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _show(self, waiting: ReplyDelayed | IndexAwaited) -> None:
        if self._is_mid_line:
            # The line is taken away again, and would take the text before it along.
            print(file=sys.stderr, flush=True)
            self._is_mid_line = False
        self._counting = asyncio.ensure_future(_count(waiting))


async def _count(waiting: ReplyDelayed | IndexAwaited) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    while True:
        # What goes on in the next line would stay there each time.
        words = waiting_words(waiting, loop.time() - began)[: _columns() - 1]
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)
        await asyncio.sleep(_STEP_SECONDS)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_COLUMNS
    except (OSError, ValueError):
        return _USUAL_COLUMNS
