"""Which definitions hold what a question quotes, word for word: messages are written in the code that gives them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ctxcode.model.naming.telling import is_telling
from ctxcode.model.retrieval import Retrieved

MESSAGE = "message"
"""The score part of what holds a quoted message."""
MESSAGE_SHARE = 0.7
_WINDOW_WORDS = 4
_TELLING_WORDS = 2
"""Of a window, at least: "if it is the" stands anywhere."""
_SHORTEST_CHARS = 12
_ENOUGH_WINDOWS = 4
"""Full marks where no definition holds more: sentences share a few words by chance, messages all up to a name."""
_READ_CHARS = 4_000
_MOST_WINDOWS = 60
_AROUND = "\"'`“”‘’«»()[]{}.,;:!?*"
"""What stands around words and is none of them."""
_MOST_POINTED = 20
"""Definitions whose lines are looked through."""


def message_shares(question: str, texts: Mapping[int, str]) -> dict[int, float]:
    """Return how much of a question texts say word for word, 0 to 1, of those that say four words in a row.

    ``texts`` are as a graph gives them, by node.
    """
    windows = _windows(question)
    if not windows:
        return {}
    counts = {}
    for node, text in texts.items():
        said = text.split("\n", 2)[2].lower()
        if count := sum([window in said for window in windows]):
            counts[node] = count
    most = max([_ENOUGH_WINDOWS, *counts.values()])
    return {node: count / most for node, count in counts.items()}


def with_quoted_lines(
    entries: Sequence[Retrieved], question: str, lines: Mapping[str, Sequence[str]]
) -> Sequence[Retrieved]:
    """Return what was retrieved with the lines that hold a quoted message: what is shown in part shows those.

    ``lines`` are the source lines by path. What the question points at by number stays as it is.
    """
    holding = [place for place, entry in enumerate(entries) if not entry.lines and _holds_message(entry)]
    if not holding:
        return entries
    windows, made = _windows(question), list(entries)
    for place in holding[:_MOST_POINTED]:
        symbol = entries[place].symbol
        first = max(symbol.start_line, 1)
        said = "\n".join(lines.get(symbol.path, ())[first - 1 : symbol.end_line]).lower()
        found = {first + said.count("\n", 0, at) for window in windows if (at := said.find(window)) >= 0}
        made[place] = replace(entries[place], lines=tuple(sorted(found)))
    return tuple(made)


def _holds_message(entry: Retrieved) -> bool:
    return any(term.name == MESSAGE for term in entry.terms)


def _windows(question: str) -> list[str]:
    """Return runs of words of a line, as they are written but for capitals, that are seldom said by chance."""
    found: dict[str, None] = {}
    for line in question[:_READ_CHARS].lower().splitlines():
        words = line.split()
        tells = [is_telling(word.strip(_AROUND)) for word in words]
        for at in range(len(words) - _WINDOW_WORDS + 1):
            if sum(tells[at : at + _WINDOW_WORDS]) < _TELLING_WORDS:
                continue
            window = " ".join(words[at : at + _WINDOW_WORDS]).strip(_AROUND)
            if len(window) >= _SHORTEST_CHARS and window.count(" ") == _WINDOW_WORDS - 1:
                found[window] = None
    return list(found)[:_MOST_WINDOWS]
