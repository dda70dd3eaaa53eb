"""Characters that a stream sends as two halves: JSON can spell each half of a surrogate pair by itself. Pure."""

import re
from functools import partial

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATES = re.compile(r"([\ud800-\udbff])([\udc00-\udfff])|[\ud800-\udfff]")


def joined(text: str, alone: str | None = REPLACEMENT) -> str:
    """Return a text with each pair of halves as their character, and ``alone`` for a half without its other one.

    With None such a half stays: what it was to be is not known, and it may not be written anywhere.
    """
    return text if text.isascii() else _SURROGATES.sub(partial(_character, alone), text)


class SurrogateJoiner:
    """Joins halves over the pieces of a stream."""

    def __init__(self) -> None:
        self._first = ""

    def feed(self, text: str) -> str:
        """Return what may be shown after one more piece: all but a half that the next piece may complete."""
        if not text:
            return ""
        text = self._first + text
        self._first = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        return joined(text[: len(text) - len(self._first)])

    def finish(self) -> str:
        """Return what was held back."""
        rest, self._first = joined(self._first), ""
        return rest


def _character(alone: str | None, found: re.Match[str]) -> str:
    if found[1]:
        return (found[1] + found[2]).encode("utf-16", "surrogatepass").decode("utf-16")
    return found[0] if alone is None else alone
