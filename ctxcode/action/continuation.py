"""A reply that was cut at the output limit: what the model is told to go on, and the seam between the pieces. Pure."""

import re
from dataclasses import dataclass

MOST_CONTINUATIONS = 3
"""How often one reply is continued; each continuation is a request of its own."""
CONTINUE = (
    "[ctxcode] Your reply above was cut at the output limit. Go on exactly where it ends, in the middle of the word "
    "or line if need be. Repeat nothing, add no introduction, open no code fence again. Call no tool."
)
_LONGEST_CHARS = 400
_FEWEST_CHARS = 10
"""A shorter repetition may well be meant."""
_FEWEST_DIFFERENT = 5
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_OPENED = re.compile(r"\s*(?:`{3,}|~{3,})[\w+#.-]+[ \t]*\r?\n")
_MAYBE_OPENED = re.compile(r"\s*(?:`{1,}|~{1,})?[\w+#.-]*[ \t]*\r?")
_LONGEST_FENCE_CHARS = 40


@dataclass(slots=True)
class Seam:
    """Takes from the beginning of a continuation what it repeats of the text before it, while it streams."""

    before: str
    """The reply so far."""
    _held: str = ""
    _is_open: bool = True

    def feed(self, text: str) -> str:
        """Return what may be shown after one more piece; nothing while it may still be a repetition."""
        if not self._is_open:
            return text
        self._held += text
        return "" if self._may_repeat() else self.finish()

    def finish(self) -> str:
        """Return what is held, without what it repeats."""
        if not self._is_open:
            return ""
        self._is_open = False
        held, self._held = self._held, ""
        held = held[self._fence_chars(held) :]
        return held[repeated_chars(self.before, held) :]

    def _may_repeat(self) -> bool:
        """Whether more text could still turn what is held into a repetition, or into a fence opened again."""
        if _is_in_fence(self.before) and len(self._held) < _LONGEST_FENCE_CHARS and _MAYBE_OPENED.fullmatch(self._held):
            return True
        rest = self._held[self._fence_chars(self._held) :]
        tail = self.before[-_LONGEST_CHARS:]
        return len(rest) < len(tail) and rest in tail

    def _fence_chars(self, held: str) -> int:
        """Return how long a code fence is that is opened again inside one."""
        found = _OPENED.match(held) if _is_in_fence(self.before) else None
        return found.end() if found is not None else 0


def repeated_chars(before: str, after: str) -> int:
    """Return how many characters at the beginning of ``after`` stand at the end of ``before`` already.

    Only what can't be chance counts: ten characters or more, not of one kind.
    """
    tail = before[-_LONGEST_CHARS:]
    for size in range(min(len(tail), len(after)), _FEWEST_CHARS - 1, -1):
        if tail.endswith(after[:size]) and len(set(after[:size]) - set(" \t\r\n")) >= _FEWEST_DIFFERENT:
            return size
    return 0


def _is_in_fence(text: str) -> bool:
    """Whether a text ends inside a code block."""
    opened = ""
    for mark in _FENCE.findall(text):
        if not opened:
            opened = mark
        elif mark[0] == opened[0] and len(mark) >= len(opened):
            opened = ""
    return bool(opened)
