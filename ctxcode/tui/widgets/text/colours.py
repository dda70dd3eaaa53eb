"""Colours of code that is too long to be coloured while it is drawn: found beside the event loop, then kept."""

from functools import lru_cache

from textual.content import Content

from ctxcode.tui.widgets.code import coloured

SMALL_CHARS = 1_500
"""Up to this size code is coloured at once."""
_KEPT = 32
_KEPT_SMALL = 128

_small = lru_cache(maxsize=_KEPT_SMALL)(coloured)
"""Code is laid out anew for each width, its colours stay."""


class Colours:
    """Long code with its colours, as far as they are known; what is not known yet is wanted."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Content] = {}
        self.wanted: dict[str, str] = {}
        """The longest code of each beginning that was asked for in vain, with its language."""

    def of(self, code: str, language: str) -> Content:
        """Return code coloured as far as its colours are known: all of it, its beginning, or nothing."""
        if len(code) <= SMALL_CHARS or not language:
            return _small(code, language)
        if (code, language) in self._known:
            return self._known[code, language]
        self.wanted = {other: name for other, name in self.wanted.items() if not code.startswith(other)}
        self.wanted[code] = language
        beginnings = [text for text, name in self._known if name == language and code.startswith(text)]
        longest = max(beginnings, key=len, default="")
        if not longest:
            return Content(code)
        return self._known[longest, language] + Content(code[len(longest) :])

    def keep(self, found: dict[tuple[str, str], Content]) -> None:
        """Take up colours that were found; what they begin with needs none of its own any more."""
        for (code, language), content in found.items():
            self._known = {key: known for key, known in self._known.items() if not code.startswith(key[0])}
            self._known[code, language] = content
            self.wanted.pop(code, None)
        for key in list(self._known)[:-_KEPT]:
            self._known.pop(key)


def found_colours(wanted: dict[str, str]) -> dict[tuple[str, str], Content]:
    """Return code with its colours, by code and language; takes long, to be called in a thread."""
    return {(code, language): coloured(code, language) for code, language in wanted.items()}
