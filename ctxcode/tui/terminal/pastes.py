"""Telling what was pasted from what was typed, in what a terminal sends."""

from collections.abc import Iterator

_BEGIN, _END = "\x1b[200~", "\x1b[201~"
_WHITE = frozenset("\r\n\t")
_PASTED_ENDS = 2
"""So many line ends before the last are no typing."""
_NO_KEY = 3
"""So much of the mark of a beginning is the beginning of no key; less may be Esc or Alt and a bracket."""
_CANCEL = "\x03"


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
        self._held = ""
        """What may be the first half of a mark that came in two reads."""

    @property
    def is_gathering(self) -> bool:
        """Lines came at once and more may follow; when nothing has for a moment, ``gathered`` gives them."""
        return bool(self._lines) or 0 < len(self._held) < _NO_KEY

    def gathered(self) -> Iterator[str]:
        """Return the lines that came at once, as one paste, and what turned out to begin no paste."""
        yield from self._gathered_lines()
        if 0 < len(self._held) < _NO_KEY:
            held, self._held = self._held, ""
            yield held

    def pieces(self, text: str) -> Iterator[str]:
        """Return what a read gave in pieces: ``Pasted`` for a paste that has ended, else what keys send.

        A paste whose end was lost with a connection ends with Ctrl+C, which is nothing else when it comes alone.
        """
        if self._parts is not None and text == _CANCEL:
            whole, self._parts = "".join(self._parts), None
            yield Pasted(whole)
        text, self._held = self._held + text, ""
        while text:
            if self._parts is None:
                before, begun, text = text.partition(_BEGIN)
                if not begun:
                    before, self._held = _without_half_mark(before)
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
        # Some terminals send the line feeds of a paste as they are.
        ends = text.replace("\r\n", "\r").replace("\n", "\r").rstrip("\r").count("\r")
        if is_text and (self._lines or ends >= _PASTED_ENDS):
            self._lines.append(text)
            return
        yield from self._gathered_lines()
        yield text

    def _gathered_lines(self) -> Iterator[Pasted]:
        if self._lines:
            lines, self._lines = "".join(self._lines), []
            yield Pasted(lines)


def _without_half_mark(text: str) -> tuple[str, str]:
    """Return a text and what at its end may go on as the mark of a beginning; Esc alone is a key."""
    size = next((size for size in range(len(_BEGIN) - 1, 0, -1) if text.endswith(_BEGIN[:size])), 0)
    return (text[: len(text) - size], text[len(text) - size :]) if size and text != _BEGIN[:1] else (text, "")
