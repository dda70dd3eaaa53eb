"""Thoughts that a model writes at the head of its reply, between tags, told apart from the reply. Pure."""

from dataclasses import dataclass

_OPENINGS = ("<think>", "<thinking>", "<thought>", "<reasoning>")


@dataclass(slots=True)
class ThoughtFilter:
    """Takes a reply's text piece by piece; only what stands before all other text is a thought."""

    _held: str = ""
    _closing: str = ""
    """The tag that ends the thought that is being read."""
    _is_past: bool = False
    _is_after: bool = False
    """A thought has just ended: the space behind it belongs to it."""

    def feed(self, text: str) -> tuple[str, str]:
        """Return what of some more text is reply, and what is thought."""
        if self._is_past or not text:
            return text, ""
        if self._closing:
            return self._inside(text)
        self._held += text
        start = self._held.lstrip()
        opening = next((tag for tag in _OPENINGS if start.startswith(tag)), "")
        if opening:
            self._closing, self._held = f"</{opening[1:]}", ""
            return self._inside(start[len(opening) :])
        if not start or any(tag.startswith(start) for tag in _OPENINGS):
            return "", ""
        said, self._held, self._is_past = start if self._is_after else self._held, "", True
        return said, ""

    def finish(self) -> str:
        """Return what was held back at the end of the reply."""
        held, self._held = self._held, ""
        return "" if self._closing or self._is_after else held

    def _inside(self, text: str) -> tuple[str, str]:
        self._held += text
        thought, closing, rest = self._held.partition(self._closing)
        if not closing:
            kept = min(len(self._closing) - 1, len(self._held))
            thought, self._held = self._held[: len(self._held) - kept], self._held[len(self._held) - kept :]
            return "", thought
        self._closing, self._held, self._is_after = "", "", True
        said, more = self.feed(rest)
        return said, thought + more
