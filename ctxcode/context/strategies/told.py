"""Turns as text for a model that writes about them."""

from collections.abc import Iterable

from ctxcode.context.turn.atom import call_words
from ctxcode.model.conversation import Turn

_MOST_CHARS = 4_000
"""For each message of a turn."""
_MOST_RESULT_CHARS = 800
_LEAST_RESULT_CHARS = 120
_HEAD_SHARE = 0.6


def told(turns: Iterable[Turn]) -> str:
    """Return turns one after the other; what is very long is cut in its middle."""
    return "\n".join(
        f"## Turn {turn.number}\nUser: {clipped(turn.prompt, _MOST_CHARS)}\n{_tools_told(turn)}"
        f"Assistant: {clipped(turn.reply, _MOST_CHARS) or '(no reply)'}\n"
        for turn in turns
    )


def _tools_told(turn: Turn) -> str:
    """Return a turn's tool calls with their results, shortened."""
    pairs = [pair for made in turn.rounds for pair in zip(made.calls, made.results, strict=False)]
    room = max(_LEAST_RESULT_CHARS, _MOST_CHARS // max(len(pairs), 1))
    return "".join(
        f"Tool: {call_words(call)}\n{clipped(result.text, min(room, _MOST_RESULT_CHARS)).rstrip()}\n"
        for call, result in pairs
    )


def clipped(text: str, most_chars: int) -> str:
    """Return a text of at most so many characters, with a mark where its middle was."""
    if len(text) <= most_chars:
        return text
    mark = f"\n⋯ {len(text):,} characters in all\n"
    room = max(most_chars - len(mark), 0)
    head = int(room * _HEAD_SHARE)
    return (text[:head] + mark + text[len(text) - (room - head) :])[:most_chars]
