"""Textual's driver, which keeps pastes apart from keys and can ask the terminal for its background."""

import os
import selectors
import time
from codecs import getincrementaldecoder

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from ctxcode.tui.terminal.ground import QUERY, GroundAnswer
from ctxcode.tui.terminal.pastes import Pasted, PasteReader

_POLL_SECONDS, _READ_BYTES = 0.1, 1 << 16
_PORTION_SECONDS = 0.05
"""Between the portions of a paste that has no marks."""
_WAIT_SECONDS = 10.0
"""After this an answer is no longer expected, and nothing is held back any more."""


class ReadingDriver(LinuxDriver):
    """Reads what the terminal sends."""

    def run_input_thread(self) -> None:
        """Read what the terminal sends until the driver stops.

        Textual's own loop looks for keys inside of pastes too: a copied log with escape sequences would press them.
        """
        parser, pastes = XTermParser(), PasteReader()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(_PORTION_SECONDS if pastes.is_gathering else _POLL_SECONDS):
                    pieces = pastes.pieces(decode(os.read(self.fileno, _READ_BYTES)))
                else:
                    pieces = pastes.gathered()
                for piece in pieces:
                    is_paste = isinstance(piece, Pasted)
                    for message in [events.Paste(piece.replace("\0", ""))] if is_paste else parser.feed(piece):
                        self.process_message(message)
                for message in parser.tick():
                    self.process_message(message)


class AskingDriver(ReadingDriver):
    """Asks once, after the app has taken over the terminal, and keeps the answer from being typed into the prompt."""

    _answer: GroundAnswer | None = None
    _asked_at = 0.0

    def start_application_mode(self) -> None:
        """Take over the terminal; the first time ask for its background."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's
        if self._answer is None:
            self._answer, self._asked_at = GroundAnswer(), time.monotonic()
            self.write(QUERY)
            self.flush()

    def process_message(self, message: Message) -> None:
        """Hand on what the terminal sent, but for its answer."""
        answer = self._answer
        if answer is None or not answer.is_expected:
            super().process_message(message)
            return
        is_late = time.monotonic() - self._asked_at > _WAIT_SECONDS
        for passed in [*answer.given_up(), message] if is_late else answer.passed(message):
            super().process_message(passed)
