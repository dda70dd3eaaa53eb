"""Textual's driver, which also asks the terminal for its background once the app has it."""

import time

from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from ctxcode.tui.terminal.ground import QUERY, GroundAnswer

_WAIT_SECONDS = 10.0
"""After this an answer is no longer expected, and nothing is held back any more."""


class AskingDriver(LinuxDriver):
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
