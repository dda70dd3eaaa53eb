"""Tool calls as a model wrote them, checked to the letter: all of a reply's calls may run, or none."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from ctxcode.action.arguments import Arguments
from ctxcode.action.tools import arguments_type, schema_of
from ctxcode.model.chat import WrittenCall
from ctxcode.model.conversation import ToolCall, ToolResult, ToolRound, ToolStatus

MOST_REPAIRS = 2
"""How often in a row a model may send calls that can't be run, or thoughts alone, before its turn is ended."""
MOST_CALLS = 16
"""How many calls of one reply are run."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ID = re.compile(r"[\x21-\x7e]{1,50000}")
"""Gemini's carry a signature of its thoughts, which it wants back: some thousand characters."""
_SHOWN_CHARS = 500
_SHOWN_WRONG_CHARS = 4_000
_CUT = (
    "The reply reached the output limit while it called tools, and this call may not be whole. Nothing was run. Send "
    "it again with less in it: one call at a time, or a large file as a short one that later edits add to."
)


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """A call with its arguments, or with what it is answered instead of being run."""

    call: ToolCall
    arguments: Arguments | None
    refusal: ToolResult | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """The calls of one reply, checked."""

    calls: tuple[CheckedCall, ...]
    is_sound: bool
    """False when one of them is malformed: none is run, and all are answered."""


def checked(
    written: Sequence[WrittenCall],
    offered: Collection[str],
    place: str,
    taken: Collection[str] = (),
    *,
    is_cut: bool = False,
) -> Batch:
    """Return a reply's calls, each with its arguments or with an answer that tells the model what to mend.

    ``offered`` are the tools this request named. Where the server sent no id, one for several calls, what is no id or
    one that is ``taken`` by an earlier call of the conversation, one is made up from ``place``, the reply's.
    ``is_cut`` when the reply ended at the output limit: then none is run, however complete it looks.
    """
    ids = [one.id for one in written]
    kept = {one for one, times in Counter(ids).items() if times == 1 and one is not None and _ID.fullmatch(one)}
    kept.difference_update(taken)
    others = {*taken, *ids}
    rows: list[tuple[ToolCall, Arguments | None, str]] = []
    for number, one in enumerate(written):
        arguments, problem = (None, _CUT) if is_cut else _arguments(one, offered)
        # Servers give ids, not models: a model that is told of a missing one can do nothing about it.
        call_id = one.id if one.id is not None and one.id in kept else _made_up(f"call_{place}_{number}", others)
        sent_back = _object_text(one.arguments, is_wrong=bool(problem))
        rows.append((ToolCall(call_id, _name(one.name), sent_back), arguments, problem))
    is_sound = not any(problem for _, _, problem in rows)
    return Batch(tuple(_checked(row, number, is_sound=is_sound) for number, row in enumerate(rows)), is_sound)


def ids_in(rounds: Iterable[ToolRound]) -> frozenset[str]:
    """Return the ids of all calls."""
    return frozenset(call.id for made in rounds for call in made.calls)


def _made_up(call_id: str, taken: Collection[str | None]) -> str:
    """Return an id that no other call has."""
    return _made_up(f"{call_id}_", taken) if call_id in taken else call_id


def _checked(row: tuple[ToolCall, Arguments | None, str], place: int, *, is_sound: bool) -> CheckedCall:
    call, arguments, problem = row
    if problem:
        said = problem if problem is _CUT else f"{problem} Nothing was run."
        return CheckedCall(call, None, ToolResult(ToolStatus.INVALID, said))
    if not is_sound:
        text = "Not run: another call of the same reply was invalid. Send this one again."
        return CheckedCall(call, None, ToolResult(ToolStatus.SKIPPED, text))
    if place >= MOST_CALLS:
        text = f"Not run: at most {MOST_CALLS} calls of one reply are. Send it again if it is still needed."
        return CheckedCall(call, None, ToolResult(ToolStatus.SKIPPED, text))
    return CheckedCall(call, arguments)


def _arguments(written: WrittenCall, offered: Collection[str]) -> tuple[Arguments | None, str]:
    """Return the arguments, or a sentence about what is wrong with them."""
    shape = arguments_type(written.name) if written.name in offered else None
    if shape is None:
        return None, f"There is no tool {written.name[:80]!r}. There are: {', '.join(offered)}."
    try:
        value = _strict(written.arguments)
        return msgspec.convert(value, type=shape), ""
    except (ValueError, RecursionError) as error:
        said = "they are nested too deeply" if isinstance(error, RecursionError) else str(error)
        words = f"The arguments of {written.name} are wrong: {said}. {_fields_of(shape)} Send one JSON object."
        return None, words


@cache
def _fields_of(shape: type[Arguments]) -> str:
    """Return which arguments a tool takes, in a sentence."""
    schema = json.loads(schema_of(shape))
    names = sorted(schema["properties"], key=lambda name: name not in schema["required"])
    return f"It takes {_listed([_field(name, schema) for name in names])}."


def _field(name: str, schema: Mapping[str, Any]) -> str:
    notes = ["required"] if name in schema["required"] else []
    inner = schema["properties"][name].get("items", {}).get("properties")
    if inner:
        notes.append(f"of each {_listed(list(inner))}")
    return f"{name} ({'; '.join(notes)})" if notes else name


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _strict(text: str) -> object:
    """Return the object of a JSON text. Raises ValueError for anything else, a key that stands twice included."""
    if not text.strip():
        raise ValueError("they are empty; without arguments, send {}")
    value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {type(value).__name__}")  # noqa: TRY004 - one way out for all
    json.dumps(value, ensure_ascii=False).encode()
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _name(name: str) -> str:
    """Return a name a provider takes back."""
    return name if _NAME.fullmatch(name) else re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"


def _object_text(text: str, *, is_wrong: bool) -> str:
    """Return arguments as the next request can carry them: providers refuse what is no JSON object.

    Long ones nothing was run with are cut too: they alone could fill the window, and end the turn.
    """
    try:
        _strict(text)
    except (ValueError, RecursionError):
        what = "malformed"
    else:
        if not is_wrong or len(text) <= _SHOWN_WRONG_CHARS:
            return text
        what = "cut"
    return json.dumps({what: text[:_SHOWN_CHARS].encode("utf-8", "replace").decode()}, ensure_ascii=False)
