"""Texts counted line by line: most of a plan's lines are counted several times, and stood in the plan before.

Both encodings split a text into pieces from its start to its end, and look back at nothing. A line break is in a piece
with what follows it only where that is another break (blanks may stand between), the text's end, or a slash. Behind any
other break a piece ends whatever follows, so that the tokens of both sides add up.
"""

import re
from collections.abc import Callable

LONGEST_RUN = 1_000
"""Characters without a blank, or of blanks only, that are split at once."""
MOST_REMEMBERED = 16_384
"""Lines whose tokens are known again; a question meets up to 4,000."""
_LONGEST_LINE = LONGEST_RUN // 2
"""In a text of shorter lines no run is too long, not even one of blanks across two of them."""
_MOST_WHOLE, _LONGEST_WHOLE = 32, 50_000
"""Texts with longer lines whose tokens are known again, and their characters: the system prompt is in every plan."""
_LINE = re.compile(r".*+(?:\n(?=/|[^\S\r\n]*+(?:[\r\n]|\Z)).*+)*+\n?+")
"""A line with all that may share a token with its break."""


class LineCounts(dict[str, int]):
    """Token counts by line, filled when a line is met. Any thread may ask."""

    def __init__(self, count: Callable[[str], int]) -> None:
        """Take what counts a text; of one in which it splits no over-long run, the lines' counts are the whole."""
        super().__init__()
        self._count = count
        self._whole: dict[str, int] = {}

    def __missing__(self, line: str) -> int:
        count = self._count(line)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[line] = count
        return count

    def of(self, text: str) -> int:
        """Return what the counter says of a text."""
        if len(text) <= LONGEST_RUN and text.find("\n", 0, -1) < 0:
            return self[text]
        lines = _LINE.findall(text)
        if len(text) > LONGEST_RUN and max(map(len, lines)) > _LONGEST_LINE:
            return self._of_whole(text)
        return sum(map(self.__getitem__, lines))

    def _of_whole(self, text: str) -> int:
        count = self._whole.get(text)
        if count is None:
            count = self._count(text)
            if len(text) <= _LONGEST_WHOLE:
                if len(self._whole) >= _MOST_WHOLE:
                    self._whole.clear()
                self._whole[text] = count
        return count
