"""What was shown of a reply, journalled now and then while it streams: a killed process takes a second of it along."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from ctxcode.model.errors import StoreError
from ctxcode.session.ledger import Ledger

KEEP_SECONDS = 1.5
"""How long a shown piece is in memory only."""


@dataclass(slots=True)
class ReplyKeeper:
    """Keeps the reply of a running turn."""

    ledger: Ledger
    seconds: float = KEEP_SECONDS
    _timer: asyncio.TimerHandle | None = None
    _writing: asyncio.Future[None] | None = None

    def keep(self, text: str) -> None:
        """Take a piece that is shown; it is journalled in a thread, with what comes until then."""
        self.ledger.show(text)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.seconds, self._begin)

    def stop(self) -> None:
        """Journal no more: the turn is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        if self._writing is not None and not self._writing.done():
            self._timer = loop.call_later(self.seconds, self._begin)
            return
        self._timer, self._writing = None, loop.run_in_executor(None, self._write)

    def _write(self) -> None:
        # The answer goes on. What ends it is journalled too, and tells when it can't be.
        with suppress(StoreError):
            self.ledger.keep()
