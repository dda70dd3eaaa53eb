"""What a command prints: the beginning and the end are kept, every byte is counted, hostile characters are visible."""

import re
from dataclasses import dataclass, field

HEAD_BYTES = 96_000
TAIL_BYTES = 160_000
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_COLOURS = re.compile(rb"\x1b\[[0-9;:]{0,40}m")


@dataclass(slots=True)
class Output:
    """An output while it arrives; holds at most HEAD_BYTES and twice TAIL_BYTES of it."""

    total_bytes: int = 0
    _head: bytearray = field(default_factory=bytearray)
    _tail: bytearray = field(default_factory=bytearray)

    def add(self, data: bytes) -> None:
        """Take the next piece."""
        self.total_bytes += len(data)
        room = HEAD_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data[-TAIL_BYTES:]
            if len(self._tail) > 2 * TAIL_BYTES:
                del self._tail[:-TAIL_BYTES]

    def text(self) -> str:
        """Return what is kept as text; a line says how many bytes were left out between head and tail."""
        tail = bytes(self._tail[-TAIL_BYTES:])
        left_out = self.total_bytes - len(self._head) - len(tail)
        if left_out <= 0:
            return visible(bytes(self._head) + tail)
        return f"{visible(bytes(self._head))}\n⋯ {left_out:,} bytes left out ⋯\n{visible(tail)}"


def visible(data: bytes) -> str:
    r"""Return bytes as text in which nothing is hidden: ``\x1b``, ``\u202e``; colours are dropped, CR is a new line."""
    text = _COLOURS.sub(b"", data).decode("utf-8", "backslashreplace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub(lambda match: escaped(match.group()), text)


def escaped(character: str) -> str:
    r"""Return a character as Python would write it: ``\x1b``, ``\u202e``."""
    return (
        character.encode("ascii", "backslashreplace").decode("ascii")
        if ord(character) > 0x7F
        else f"\\x{ord(character):02x}"
    )
