"""Tool calls with their results: never apart, and the shorter the older they are."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ctxcode.context.candidate import SO_FAR, Candidate, Level, ToolAtom, ToolOffer
from ctxcode.context.render import CountTokens
from ctxcode.model.canonical import canonical_json
from ctxcode.model.conversation import ToolCall, ToolResult, ToolRound, ToolSpec
from ctxcode.model.engine.item import ToolPlace
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import Detail, Payload, Reason, ReasonType, Section

NEWEST = 5
"""How many results of the current turn may be long."""
FRESH_CHARS = 5_000
OLD_CHARS = 1_000
PAST_CHARS = 300
"""For results of completed turns."""
ARGUMENT_CHARS = 8_000
"""For the arguments of all long calls of the current turn together."""
SCANT_CHARS = 100
"""The last resort where the results would not fit otherwise."""
PAST_TURN_CHARS = 3_000
"""For all results of one completed turn together."""
CALL_OVERHEAD_TOKENS = 10
"""A bound on what the wrapping of a call costs: its id, its type, its braces."""
TOOLS = ItemId("tools")
NOTE = ItemId("note")
_HEAD_SHARE = 0.2
_LIMITS = (SCANT_CHARS, PAST_CHARS, OLD_CHARS, FRESH_CHARS)


def aged(text: str, limit_chars: int, call: ToolCall) -> str:
    """Return a result's first 20 % and last 80 % in ``limit_chars`` characters, naming the call that returns all."""
    if len(text) <= limit_chars:
        return text
    mark = f"\n⋯ {len(text):,} characters in all; for the rest: {call_words(call, limit_chars // 3)}\n"
    room = limit_chars - len(mark)
    if room < SCANT_CHARS // 4:
        return mark.strip()[:limit_chars]
    head = int(room * _HEAD_SHARE)
    return text[:head] + mark + text[len(text) - (room - head) :]


def aged_call(call: ToolCall, limit_chars: int) -> ToolCall:
    """Return an answered call with its long texts as short as a result's, its arguments still a JSON object.

    A file the model wrote would else fill the window for the rest of the turn.
    """
    if len(call.arguments) <= limit_chars:
        return call
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        arguments = {"cut": call.arguments}
    limit_each = limit_chars // max(len(arguments), 1)
    shortened = {name: _aged_argument(value, limit_each) for name, value in arguments.items()}
    # Half of a surrogate pair, which JSON can spell, could not be sent as text.
    return replace(call, arguments=json.dumps(shortened, ensure_ascii=False).encode("utf-8", "replace").decode())


def _aged_argument(value: object, limit_chars: int) -> object:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= limit_chars:
        return value
    mark = f"\n⋯ {len(text):,} characters in all ⋯\n"
    room = max(0, limit_chars - len(mark))
    head = int(room * _HEAD_SHARE)
    return text[:head] + mark + text[len(text) - (room - head) :]


def _argument_limit(calls: Iterable[ToolCall]) -> int:
    """Return the characters each call's arguments may have when there are so many long ones."""
    long = sum(len(call.arguments) > OLD_CHARS for call in calls)
    return max(PAST_CHARS, min(FRESH_CHARS, ARGUMENT_CHARS // max(long, 1)))


def call_words(call: ToolCall, limit_chars: int = 200) -> str:
    """Return a call as one would write it, on one line: ``read_file {"path": "a.py"}``."""
    words = " ".join(f"{call.name} {call.arguments}".split())
    return words if len(words) <= limit_chars else words[: max(limit_chars - 1, 1)] + "…"


def call_tokens(call: ToolCall, count: CountTokens) -> int:
    """Return what a call costs without its result."""
    return count(call.name) + count(call.arguments) + CALL_OVERHEAD_TOKENS


def past_rounds(rounds: Sequence[ToolRound]) -> tuple[ToolRound, ...]:
    """Return a completed turn's rounds with their results shortened, all together to about 3,000 characters.

    Those of thoughts alone hold nothing.
    """
    calls = sum(len(made.calls) for made in rounds)
    limit = max(SCANT_CHARS, min(PAST_CHARS, PAST_TURN_CHARS // max(calls, 1)))
    return tuple(
        replace(
            made,
            calls=tuple(aged_call(call, PAST_CHARS) for call in made.calls),
            results=tuple(
                replace(result, text=aged(result.text, limit, call))
                for call, result in zip(made.calls, made.results, strict=True)
            ),
        )
        for made in rounds
        if made.calls
    )


def rounds_tokens(rounds: Sequence[ToolRound], count: CountTokens) -> int:
    """Return what rounds cost, without per-message overhead."""
    spent = sum(count(made.said) for made in rounds)
    spent += sum(call_tokens(call, count) for made in rounds for call in made.calls)
    return spent + sum(count(result.text) for made in rounds for result in made.results)


def tool_offer(specs: Sequence[ToolSpec], count: CountTokens) -> ToolOffer | None:
    """Return the tools as a candidate; None when there are none."""
    if not specs:
        return None
    text = canonical_json(Payload((), tuple(specs)).wire["tools"])
    level = Level(Detail.BODY, text, count(text))
    candidate = Candidate(
        TOOLS, Section.TOOLS, "text", f"{len(specs)} tools", (level,), reasons=(Reason(ReasonType.STRATEGY),)
    )
    return ToolOffer(candidate, tuple(specs))


def tool_atoms(turn: int, rounds: Sequence[ToolRound], count: CountTokens) -> tuple[ToolAtom, ...]:
    """Return the current turn's calls with their results, oldest first; what was said goes with its first call."""
    limit = _argument_limit(call for made in rounds for call in made.calls)
    return tuple(
        _atom(ToolPlace(turn, iteration, place).item, iteration, made.said if place == 0 else "", pair, count)
        for iteration, made in enumerate(rounds)
        for place, pair in enumerate(_pairs(made, limit))
    )


def _pairs(made: ToolRound, limit_chars: int) -> Iterator[tuple[ToolCall, ToolResult]]:
    for call, result in zip(made.calls, made.results, strict=True):
        yield aged_call(call, limit_chars), result


def _atom(item: ItemId, iteration: int, said: str, pair: tuple[ToolCall, ToolResult], count: CountTokens) -> ToolAtom:
    call, result = pair
    said_tokens = count(said) if said else 0
    fixed = call_tokens(call, count) + said_tokens
    texts = dict.fromkeys(aged(result.text, limit, call) for limit in _LIMITS)
    levels = tuple(
        Level(Detail.BODY if text == result.text else Detail.EXCERPT, text, fixed + count(text)) for text in texts
    )
    title = call_words(call, 80)
    candidate = Candidate(item, Section.TOOL_ATOM, "tool", title, levels, reasons=(Reason(ReasonType.RECENT),))
    return ToolAtom(candidate, call, iteration, said, said_tokens)


def note_candidate(text: str, count: CountTokens) -> Candidate | None:
    """Return a note to the model that stands at the payload's end; None for an empty one."""
    if not text:
        return None
    level = Level(Detail.BODY, text, count(text))
    reasons = (Reason(ReasonType.STRATEGY),)
    return Candidate(NOTE, Section.TOOL_ATOM, "text", "note to the model", (level,), reasons=reasons)


def so_far_candidate(text: str, count: CountTokens) -> Candidate | None:
    """Return the reply that is to be continued; None for an empty one."""
    if not text:
        return None
    level = Level(Detail.BODY, text, count(text))
    reasons = (Reason(ReasonType.RECENT),)
    return Candidate(SO_FAR, Section.TOOL_ATOM, "text", "the reply so far", (level,), reasons=reasons)


def fitted(atoms: Sequence[ToolAtom], room_tokens: int) -> list[Level]:
    """Return a level for each atom: by age, then shorter from the oldest on until all of them fit, if they can."""
    fresh_from = max(0, len(atoms) - NEWEST)
    levels = [_within(atom, FRESH_CHARS if place >= fresh_from else OLD_CHARS) for place, atom in enumerate(atoms)]
    spent = sum(level.tokens for level in levels)
    for place, limit_chars in _shortenings(len(atoms), fresh_from):
        if spent <= room_tokens:
            break
        shorter = _within(atoms[place], limit_chars)
        if shorter.tokens < levels[place].tokens:
            spent -= levels[place].tokens - shorter.tokens
            levels[place] = shorter
    return levels


def _shortenings(atoms: int, fresh_from: int) -> Iterator[tuple[int, int]]:
    for limit_chars in (PAST_CHARS, SCANT_CHARS):
        yield from ((place, limit_chars) for place in range(fresh_from))
    for limit_chars in (OLD_CHARS, PAST_CHARS, SCANT_CHARS):
        yield from ((place, limit_chars) for place in range(fresh_from, atoms))


def _within(atom: ToolAtom, limit_chars: int) -> Level:
    """Return the richest level of at most so many characters."""
    fitting = [level for level in atom.candidate.levels if len(level.text) <= limit_chars]
    return fitting[-1] if fitting else atom.candidate.levels[0]
