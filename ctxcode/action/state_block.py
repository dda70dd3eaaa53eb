"""The state block at the end of a reply: taken out of what is shown, while it streams.

A block stands between ``---STATE---`` and ``---END STATE---``, each on a line of its own, outside code fences and
quotations. The last complete one counts; a block that never ends is plain text.
"""

import re
from dataclasses import dataclass, field

LONGEST_STATE_CHARS = 8_000
_MARK = re.compile(r" {0,3}\**-{2,} ?(END ?)?STATE ?-{2,}\** *")
_MAYBE_MARK = re.compile(r" {0,3}[-* A-Z]{0,24}\r?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(slots=True)
class StateBlockFilter:
    """Takes a reply in pieces and gives back what may be shown of it."""

    state: str | None = None
    """What the last complete block said; None while there was none."""
    _line: str = ""
    """The part of the current line that is held back."""
    _seen: str = ""
    """The part of the current line that was given back already: the line is no mark."""
    _fence: str = ""
    _blank: str = ""
    """White space that is only shown when a text follows."""
    _held: list[str] | None = None
    """The lines of a block that has begun, its mark first."""
    _shown: list[str] = field(default_factory=list)

    def feed(self, text: str) -> str:
        """Return what may be shown after one more piece."""
        self._shown = []
        for part in text.splitlines(keepends=True):
            if part.endswith("\n"):
                self._end_line(part)
            else:
                self._go_on(part)
        return "".join(self._shown)

    def finish(self) -> str:
        """Return what was held back and turns out to be shown."""
        self._shown = []
        if self._line or self._held is not None:
            self._end_line("")
        ends_with_block = self._held is None and self.state is not None
        if self._held is not None:
            held, self._held = self._held, None
            self._show("".join(held))
        if not ends_with_block:
            self._shown.append(self._blank)
        self._blank = ""
        return "".join(self._shown)

    def _go_on(self, part: str) -> None:
        """Take the beginning or the middle of a line; show it at once unless it may become a mark."""
        self._line += part
        if self._held is None and (self._seen or not _MAYBE_MARK.fullmatch(self._line)):
            self._show(self._line)
            self._seen, self._line = self._seen + self._line, ""

    def _end_line(self, part: str) -> None:
        line, seen = self._line + part, self._seen
        self._line, self._seen = "", ""
        mark = None if seen or self._fence else _MARK.fullmatch(line.rstrip("\r\n"))
        if mark is None:
            self._note_fence(seen + line)
            if self._held is None:
                self._show(line)
            else:
                self._held.append(line)
        elif mark[1] is None:
            self._begin(line)
        else:
            self._end(line)

    def _begin(self, line: str) -> None:
        if self._held is not None:
            self._show("".join(self._held))
        self._held = [line]

    def _end(self, line: str) -> None:
        if self._held is None:
            self._show(line)
            return
        self.state = "".join(self._held[1:]).strip()[:LONGEST_STATE_CHARS]
        self._held = None

    def _show(self, text: str) -> None:
        body = text.rstrip()
        if not body:
            self._blank += text
            return
        self._shown += [self._blank, body]
        self._blank = text[len(body) :]

    def _note_fence(self, line: str) -> None:
        found = _FENCE.match(line) if self._held is None else None
        if found is None:
            return
        if not self._fence:
            self._fence = found[1]
        elif line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0]):
            self._fence = ""


def state_block(text: str) -> tuple[str, str | None]:
    """Return a whole reply without its state blocks, and what the last one says; None when there is none."""
    taken = StateBlockFilter()
    shown = taken.feed(text) + taken.finish()
    return shown, taken.state
