"""Large pastes stand in the prompt as one word and are unfolded when it is sent."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ctxcode.model.naming.number import counted
from ctxcode.tui.number import thousands

MIN_LINES = 8
MIN_CHARS = 1_000
"""From either on, a paste is folded."""


@dataclass(slots=True)
class FoldedPastes:
    """The pastes of one prompt by the word that stands for them."""

    _texts: dict[str, str] = field(default_factory=dict)

    def fold(self, text: str) -> str:
        """Return what to insert for a pasted text: itself, or one word when it is large."""
        lines = text.rstrip("\n").count("\n") + 1
        if lines < MIN_LINES and len(text) < MIN_CHARS:
            return text
        size = counted(lines, "line") if lines > 1 else f"{thousands(len(text))} characters"
        word = f"[paste {len(self._texts) + 1}: {size}]"
        self._texts[word] = text
        return word

    def unfold(self, text: str) -> str:
        """Return a text with every word for a paste replaced by the paste itself."""
        if not self._texts:
            return text
        # In one pass: what looks like such a word inside a paste stays as it was pasted.
        words = "|".join(map(re.escape, self._texts))
        return re.sub(words, lambda found: self._texts[found.group()], text)

    def held_in(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return word and text of each paste that a text holds."""
        return tuple((word, pasted) for word, pasted in self._texts.items() if word in text)

    def hold(self, pastes: Iterable[tuple[str, str]]) -> None:
        """Take pastes over that another prompt held."""
        self._texts.update(pastes)

    def word_before(self, text: str) -> str:
        """Return the word for a paste that a text ends with; empty for none."""
        return next((word for word in self._texts if text.endswith(word)), "")

    def clear(self) -> None:
        """Forget them."""
        self._texts.clear()
