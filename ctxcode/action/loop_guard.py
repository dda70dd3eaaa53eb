"""Telling a turn that goes in circles from one that gets on, and what to do about it. Pure.

Looked at before each request. What the model is told goes to the end of the payload; the system prompt stays as it is.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from ctxcode.action.tools import EDITING
from ctxcode.model.conversation import LoopPattern, LoopStage, ToolCall, ToolResult, ToolRound, ToolStatus

_LIKENESS = 0.5
"""Share of common words from which on two thoughts are the same theme."""
_FEWEST_WORDS = 3
_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class LoopProfile:
    """Thresholds for one kind of model."""

    same_call: int = 3
    """How often the same call may fail or return the same."""
    idle_rounds: int = 3
    """How many replies in a row may run no tool, once one has run."""
    same_theme: int = 3
    """How many replies in a row may say the same and find nothing new."""
    no_news: int = 5
    """How many replies in a row may find nothing new."""
    markers_from: int = 5
    """The request from which on the model is told how far it is."""
    trim_from: tuple[int, int, int] = (10, 15, 20)
    """The requests from which on less and less of the conversation is sent."""
    most_requests: int = 30
    """Requests of one turn; in the last one the model has to answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A circle, with how often it was gone round."""

    pattern: LoopPattern
    times: int
    subject: str = ""
    """The call, for ``same-call``."""


def finding(rounds: Sequence[ToolRound], profile: LoopProfile) -> Finding | None:
    """Return the circle the newest round is part of, the first that applies; None when the turn gets on.

    Planning before the first tool has run is none.
    """
    begun = next((place for place, made in enumerate(rounds) if _has_run(made)), None)
    if begun is None:
        return _same_call(rounds, profile)
    since = rounds[begun:]
    return (
        _same_call(rounds, profile)
        or _idle(since, profile)
        or _same_theme(since, profile)
        or _without_news(since, profile)
    )


def has_begun(rounds: Sequence[ToolRound]) -> bool:
    """Return whether a tool has run: until then a turn is being planned."""
    return any(_has_run(made) for made in rounds)


def stage_after(notices: int) -> LoopStage:
    """Return what a circle leads to when there were already so many in the turn."""
    return (LoopStage.NUDGE, LoopStage.ASK, LoopStage.STOP)[min(notices, 2)]


def _same_call(rounds: Sequence[ToolRound], profile: LoopProfile) -> Finding | None:
    """Return the call that was made too often. What files say is another question once they were changed."""
    if not rounds:
        return None
    counts: dict[str, int] = {}
    firsts: dict[str, str] = {}
    changing: set[str] = set()
    for call, result in _pairs(rounds):
        key = _key(call)
        first = firsts.setdefault(key, result.text)
        if result.status.is_failure or result.status is ToolStatus.REPEATED or result.text == first:
            counts[key] = counts.get(key, 0) + 1
        if _has_changed(call, result):
            changing.add(key)
            counts = {one: times for one, times in counts.items() if one in changing}
            firsts = {one: text for one, text in firsts.items() if one in changing}
    for call, result in _pairs(rounds[-1:]):
        times = counts.get(_key(call), 0)
        if times >= profile.same_call and result.status is not ToolStatus.SKIPPED:
            return Finding(LoopPattern.SAME_CALL, times, " ".join(f"{call.name} {call.arguments}".split())[:200])
    return None


def _idle(rounds: Sequence[ToolRound], profile: LoopProfile) -> Finding | None:
    times = _trailing(not _has_run(made) for made in rounds)
    return Finding(LoopPattern.IDLE, times) if times >= profile.idle_rounds else None


def _same_theme(rounds: Sequence[ToolRound], profile: LoopProfile) -> Finding | None:
    newest = _words(rounds[-1].said)
    if len(newest) < _FEWEST_WORDS:
        return None
    news = _news(rounds)
    pairs = zip(rounds, news, strict=True)
    times = _trailing(not is_news and _are_alike(_words(made.said), newest) for made, is_news in pairs)
    return Finding(LoopPattern.SAME_THEME, times) if times >= profile.same_theme else None


def _without_news(rounds: Sequence[ToolRound], profile: LoopProfile) -> Finding | None:
    times = _trailing(not is_news for is_news in _news(rounds))
    return Finding(LoopPattern.NO_NEWS, times) if times >= profile.no_news else None


def _pairs(rounds: Iterable[ToolRound]) -> Iterable[tuple[ToolCall, ToolResult]]:
    for made in rounds:
        yield from zip(made.calls, made.results, strict=False)


def _key(call: ToolCall) -> str:
    """Return a call's name and arguments, however they are spaced and ordered."""
    try:
        arguments = json.dumps(json.loads(call.arguments), sort_keys=True)
    except ValueError:
        arguments = call.arguments
    return f"{call.name} {arguments}"


def _has_run(made: ToolRound) -> bool:
    idle = (ToolStatus.INVALID, ToolStatus.SKIPPED, ToolStatus.REPEATED, ToolStatus.INTERRUPTED)
    return any(result.status not in idle for result in made.results)


def _has_changed(call: ToolCall, result: ToolResult) -> bool:
    """Whether a call changed files."""
    return bool(result.touched) or (call.name in EDITING and result.status is ToolStatus.OK)


def _news(rounds: Sequence[ToolRound]) -> list[bool]:
    """Return for each round whether it brought a text, or made a change, that no round before it had."""
    seen: set[str] = set()
    found = []
    for made in rounds:
        rows = list(_pairs((made,)))
        told = {result.text for _, result in rows if result.status is ToolStatus.OK}
        fresh = (told | {_key(call) for call, result in rows if _has_changed(call, result)}) - seen
        seen |= fresh
        found.append(bool(fresh))
    return found


def _trailing(flags: Iterable[bool]) -> int:
    """Return how many flags at the end are set."""
    count = 0
    for flag in flags:
        count = count + 1 if flag else 0
    return count


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    either = one | other
    return bool(either) and len(one & other) / len(either) >= _LIKENESS


_ADVICE = {
    LoopStage.NUDGE: "Do something else: another tool, other words, or answer with what you have.",
    LoopStage.ASK: "Stop looking. End your turn now with one short question to the user about what you lack.",
    LoopStage.STOP: "No tool can be called any more. Answer now with what you know, and say what is missing.",
}


def note(
    iteration: int, rounds: Sequence[ToolRound], profile: LoopProfile, circle: tuple[Finding, LoopStage] | None
) -> str:
    """Return what the model is told at the end of a request; empty while there is nothing to say.

    ``iteration`` is 0-based. Progress is told from ``markers_from`` on, urgency once the conversation is cut to the
    tool results, and the last request says that it is the last.
    """
    lines: list[str] = []
    if iteration >= profile.most_requests - 1:
        lines.append(f"This is the last request of this turn. {_ADVICE[LoopStage.STOP]}")
    elif circle is not None:
        lines.append(f"{_what(circle[0])} {_ADVICE[circle[1]]}")
    elif rounds and not rounds[-1].calls:
        lines.append("Your last reply held thoughts and nothing else. Call a tool, or answer.")
    if iteration >= profile.markers_from:
        lines.append(_progress(iteration, rounds, profile))
        if iteration >= profile.trim_from[1]:
            lines.append("Time is short and older parts of the conversation are no longer shown: answer soon.")
    return f"[ctxcode] {' '.join(lines)}" if lines else ""


def _what(found: Finding) -> str:
    match found.pattern:
        case LoopPattern.SAME_CALL:
            return f"You made the same call {found.times} times and got the same: {found.subject}."
        case LoopPattern.IDLE:
            return f"Your last {found.times} replies ran no tool."
        case LoopPattern.SAME_THEME:
            return f"You said the same {found.times} times and found nothing new."
        case LoopPattern.NO_NEWS:
            return f"Your last {found.times} replies found nothing new."


def _progress(iteration: int, rounds: Sequence[ToolRound], profile: LoopProfile) -> str:
    calls = sum(len(made.calls) for made in rounds)
    useful = sum(result.status is ToolStatus.OK for _, result in _pairs(rounds))
    left = profile.most_requests - iteration
    return f"Progress: {calls} calls so far, {useful} of them found something; {left} requests are left in this turn."


def profile_of(given: Mapping[str, object]) -> LoopProfile:
    """Return the profile of thresholds as a settings file writes them. Raises ValueError that says what they may be."""
    known = {field.name for field in fields(LoopProfile)}
    if unknown := sorted(set(given) - known):
        raise ValueError(f"a table of {', '.join(sorted(known))} (not {unknown[0]!r})")
    numbers: dict[str, object] = {name: _threshold(value) for name, value in given.items() if name != "trim_from"}
    trim = given.get("trim_from")
    if trim is not None:
        if not isinstance(trim, list) or len(trim) != 3 or sorted(trim) != trim:
            raise ValueError("a table whose trim_from is three rising numbers")
        numbers["trim_from"] = tuple(_threshold(one) for one in trim)
    return LoopProfile(**numbers)  # type: ignore[arg-type]  # each was read as a whole number


def _threshold(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1_000:
        raise ValueError("a whole number from 1 to 1,000")
    return value
