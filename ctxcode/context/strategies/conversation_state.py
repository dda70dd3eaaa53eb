"""What a conversation is like: what it is busy with, how complex it is, what a turn holds that matters."""

import re
from collections.abc import Sequence

from ctxcode.model.conversation import StoppedBy, Turn

_LOOKED_AT = 10
"""Turns that tell how complex a conversation is."""
_PROMPTS = 3
"""Messages, the current one among them, that tell what it is busy with."""
_LONG_CHARS = 500
_INDICATORS_A_TURN = 2
_BUSY_WITH = (
    # The first that fits counts: who debugs code talks of code too.
    (
        2.0,
        re.compile(r"\b(error|exception|traceback|bugs?|debug\w*|crash\w*|fail(s|ed|ing|ure)?|panic\w*|broken|fix)\b"),
    ),
    (1.5, re.compile(r"\b(code|function|class|method|implement\w*|refactor\w*|rename|import|module|write|add)\b")),
    (1.3, re.compile(r"\b(where|find|search|explain|how|why|what|learn|understand|compare)\b")),
)
_ERROR = re.compile(r"Traceback \(most recent|\b\w*(?:Error|Exception)\b|\bpanicked at\b|\berror(?:\[E\d+\])?:")
_TECHNICAL = re.compile(
    r"\b(algorithm|architecture|concurren\w+|database|deadlock|implementation|index|migration|perform\w+|protocol|race|"
    r"schema|thread\w*|transaction|type)\b"
)
_SETTLED = re.compile(
    r"\b(decided|decision|agreed|works now|solved|fixed|solution|the cause (is|was)|let's use)\b", re.IGNORECASE
)
_WEIGHTS = {"error": 0.3, "decision": 0.35, "code": 0.2}


def importance(turn: Turn) -> tuple[tuple[str, float], ...]:
    """Return what a turn holds that makes it worth more than others, each with its weight."""
    flags = []
    if _ERROR.search(turn.prompt) or turn.stopped_by is StoppedBy.ERROR:
        flags.append("error")
    if _SETTLED.search(turn.prompt) or _SETTLED.search(turn.reply):
        flags.append("decision")
    if "```" in turn.prompt or "```" in turn.reply:
        flags.append("code")
    return tuple((flag, _WEIGHTS[flag]) for flag in flags)


def wanted_factor(history: Sequence[Turn], prompt: str) -> float:
    """Return how much of the active context a conversation wants, as a factor, not yet bounded."""
    return _busy_factor(history, prompt) * (0.5 + 2.5 * complexity(history[-_LOOKED_AT:]))


def complexity(turns: Sequence[Turn]) -> float:
    """Return 0 to 1: how many signs of difficulty the turns hold, two each being all there can be."""
    if not turns:
        return 0.2
    found = sum(
        ("```" in text)
        + (_ERROR.search(text) is not None)
        + (len(turn.prompt) > _LONG_CHARS)
        + (_TECHNICAL.search(text.lower()) is not None)
        + ("?" in turn.prompt)
        for turn in turns
        for text in (f"{turn.prompt}\n{turn.reply}",)
    )
    return min(found / (_INDICATORS_A_TURN * len(turns)), 1.0)


def _busy_factor(history: Sequence[Turn], prompt: str) -> float:
    said = "\n".join([*(turn.prompt for turn in history[-(_PROMPTS - 1) :]), prompt]).lower()
    return next((factor for factor, pattern in _BUSY_WITH if pattern.search(said)), 1.0)
