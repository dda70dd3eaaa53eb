"""Turns as text for a model that writes about them."""

from collections.abc import Iterable

from ctxcode.model.conversation import Turn

_MOST_CHARS = 4_000
"""For each message of a turn."""
_HEAD_SHARE = 0.6


def told(turns: Iterable[Turn]) -> str:
    """Return turns one after the other; what is very long is cut in its middle."""
    return "\n".join(
        f"## Turn {turn.number}\nUser: {clipped(turn.prompt, _MOST_CHARS)}\n"
        f"Assistant: {clipped(turn.reply, _MOST_CHARS) or '(no reply)'}\n"
        for turn in turns
    )


def clipped(text: str, most_chars: int) -> str:
    """Return a text of at most so many characters, with a mark where its middle was."""
    if len(text) <= most_chars:
        return text
    mark = f"\n⋯ {len(text):,} characters in all\n"
    room = max(most_chars - len(mark), 0)
    head = int(room * _HEAD_SHARE)
    return (text[:head] + mark + text[len(text) - (room - head) :])[:most_chars]
