"""Telling what was pasted from what was typed, in what a terminal sends."""

import re
from collections.abc import Iterator

_BEGIN, _END = "\x1b[200~", "\x1b[201~"
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O?.)?", re.DOTALL)
"""A key or a movement of the mouse."""
_BURST_SECONDS = 0.1
"""What comes so soon after pasted lines belongs to them: terminals send large pastes in portions."""

LINE_END = "\n"
"""The character of an Enter that nobody pressed: it ends a pasted line."""


class Pasted(str):
    """A whole paste, to the letter; what looks like keys in it is text."""

    __slots__ = ()


class PasteReader:
    """Cuts what one read after another gives into pastes and keys, and knows lines that nobody types so fast."""

    def __init__(self) -> None:
        self._parts: list[str] | None = None
        self._tail = ""
        self._burst_at = float("-inf")

    def pieces(self, text: str) -> Iterator[str]:
        """Return what a read gave in pieces: ``Pasted`` for a paste that has ended, else what keys send."""
        while text:
            if self._parts is None:
                before, begun, text = text.partition(_BEGIN)
                if before:
                    yield before
                self._parts, self._tail = ([] if begun else None), ""
                continue
            self._parts.append(text)
            # The mark of the end may come in several reads.
            at = (self._tail + text).find(_END)
            if at < 0:
                self._tail = (self._tail + text)[-len(_END) + 1 :]
                return
            behind = len(self._tail + text) - at
            whole, self._parts = "".join(self._parts), None
            yield Pasted(whole[: len(whole) - behind])
            text = whole[len(whole) - behind + len(_END) :]

    def are_lines(self, text: str, now: float) -> bool:
        """Return whether keys that came at once are pasted lines, from a terminal that doesn't mark pastes.

        Then Enter is no key but the end of a line. ``now`` is in seconds of a clock that never goes back.
        """
        is_burst = "\r" in _SEQUENCE.sub("", text).rstrip("\r") or now - self._burst_at < _BURST_SECONDS
        if is_burst:
            self._burst_at = now
        return is_burst
