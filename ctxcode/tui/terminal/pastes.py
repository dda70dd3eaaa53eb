"""Telling what was pasted from what was typed, in what a terminal sends."""

from collections.abc import Iterator

_BEGIN, _END = "\x1b[200~", "\x1b[201~"
_WHITE = frozenset("\r\n\t")
_PASTED_ENDS = 2
"""So many line ends before the last are no typing."""


class Pasted(str):
    """A whole paste, to the letter; what looks like keys in it is text."""

    __slots__ = ()


class PasteReader:
    """Cuts what one read after another gives into pastes and keys.

    Terminals that don't mark pastes send them as if they were typed, only faster than anybody types: three lines in one
    read. What follows at once, in portions, belongs to them. Two lines can be a message and what is typed behind it
    while the network or this machine is slow.
    """

    def __init__(self) -> None:
        self._parts: list[str] | None = None
        """Of a marked paste; None outside of one."""
        self._tail = ""
        self._lines: list[str] = []
        """Of a paste without marks."""

    @property
    def is_gathering(self) -> bool:
        """Lines came at once and more may follow; when nothing has for a moment, ``gathered`` gives them."""
        return bool(self._lines)

    def gathered(self) -> Iterator[str]:
        """Return the lines that came at once, as one paste."""
        if self._lines:
            lines, self._lines = "".join(self._lines), []
            yield Pasted(lines)

    def pieces(self, text: str) -> Iterator[str]:
        """Return what a read gave in pieces: ``Pasted`` for a paste that has ended, else what keys send."""
        while text:
            if self._parts is None:
                before, begun, text = text.partition(_BEGIN)
                if before:
                    yield from self._unmarked(before)
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

    def _unmarked(self, text: str) -> Iterator[str]:
        is_text = all(character.isprintable() or character in _WHITE for character in text)
        if is_text and (self._lines or text.rstrip("\r").count("\r") >= _PASTED_ENDS):
            self._lines.append(text)
            return
        yield from self.gathered()
        yield text
