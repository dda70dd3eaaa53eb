"""A file's bytes as text that gives the same bytes back, and its lines with whatever ends them."""

import codecs
import re
from dataclasses import dataclass

from ctxcode.model.errors import EditError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
GUESSED = "latin-1"
"""Stands for any encoding with ASCII in it: every byte is some character of it, and comes back as that byte."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class FileText:
    """A decoded file."""

    text: str
    """Without the byte-order mark."""
    encoding: str = "utf-8"
    mark: bytes = b""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends; only the last one may have none."""
        return tuple(_LINE.findall(self.text))

    @property
    def line_end(self) -> str:
        """What ends most lines; a line feed where none has ended yet."""
        ends = _END.findall(self.text)
        return max(("\n", "\r\n", "\r"), key=ends.count) if ends else "\n"

    def encoded(self) -> bytes:
        """Return the bytes. Raises EditError when the encoding has no room for a character."""
        try:
            return self.mark + self.text.encode(self.encoding)
        except UnicodeEncodeError as error:
            what = self.text[error.start : error.start + 1]
            raise EditError(f"{what!r} can't be written in {self.encoding}", "Use other characters.") from error


def file_text(data: bytes, path: str) -> FileText:
    """Return a file's text; ``path`` is for the message. Raises EditError when it is none, or is broken."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data, encoding, mark, path)
    if b"\0" in data:
        raise EditError(f"{path!r} is a binary file", "It can be deleted or renamed, not edited.")
    try:
        return FileText(data.decode("utf-8"))
    except UnicodeDecodeError:
        return FileText(data.decode(GUESSED), GUESSED)


def _decoded(data: bytes, encoding: str, mark: bytes, path: str) -> FileText:
    try:
        made = FileText(data[len(mark) :].decode(encoding), encoding, mark)
        is_same = made.encoded() == data
    except (UnicodeDecodeError, EditError):
        is_same = False
    if not is_same:
        raise EditError(f"{path!r} is not sound {encoding}", "It can be deleted or renamed, not edited.")
    return made


def split_end(line: str) -> tuple[str, str]:
    """Return a line's words and its end."""
    body = line.rstrip("\r\n")
    return body, line[len(body) :]
