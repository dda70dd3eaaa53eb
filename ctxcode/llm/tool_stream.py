"""Tool calls put together from the pieces of a stream, whatever a provider leaves out of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ctxcode.llm.wire.surrogates import joined
from ctxcode.model.chat import WrittenCall

MAX_CALLS = 256
MAX_ARGUMENT_CHARS = 2_000_000
"""Of all calls of a reply together."""
_MOST_PIECES = 100
"""Of a call that is looked at after each of them whether it is whole; who numbers all calls 0 sends few."""


@dataclass(slots=True)
class _Call:
    id: str | None
    index: int | None
    name: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CallAssembler:
    """The tool calls of one reply while they arrive."""

    _calls: list[_Call] = field(default_factory=list)
    _chars: int = 0
    is_too_much: bool = False
    """More calls or longer arguments than any reply can mean."""

    def take(self, piece: Any) -> Iterator[str]:
        """Take a stream piece's deltas; yield the name of each call that begins with it."""
        choices = getattr(piece, "choices", None)
        deltas = getattr(said_in(choices[0]), "tool_calls", None) if choices else None
        for delta in deltas if isinstance(deltas, list | tuple) else ():
            if self.is_too_much:
                return
            function = getattr(delta, "function", None)
            name, arguments = getattr(function, "name", None), _text(getattr(function, "arguments", None))
            call, is_new = self._call(delta, name, arguments)
            if name and not call.name:
                call.name = str(name)
                yield call.name
            elif is_new:
                yield ""
            call.arguments.append(arguments)
            self._chars += len(arguments)
            self.is_too_much = len(self._calls) > MAX_CALLS or self._chars > MAX_ARGUMENT_CHARS

    def written(self) -> tuple[WrittenCall, ...]:
        """Return the calls in the order they began."""
        return tuple(
            WrittenCall(call.id, call.name, _once(joined("".join(call.arguments), None))) for call in self._calls
        )

    def _call(self, delta: Any, name: Any, arguments: str) -> tuple[_Call, bool]:
        """Return the call a delta goes on with, or a new one.

        Another id at the same index is another call: some servers number all of them 0. Without ids, so is what has a
        name and arguments after a call that has all of its own. Without an index, a name begins a call.
        """
        index, call_id = getattr(delta, "index", None), getattr(delta, "id", None)
        call_id = call_id if isinstance(call_id, str) and call_id else None
        for call in reversed(self._calls):
            is_same_place = index is not None and call.index == index
            if is_same_place and (call_id is None or call.id is None or call.id == call_id):
                is_other = name != call.name or arguments.startswith("{")
                if call.id is None and name and call.name and (call_id is not None or (is_other and _is_whole(call))):
                    break
                call.id = call.id or call_id
                return call, False
            if index is None and (call.id == call_id if call_id is not None else not name):
                return call, False
        made = _Call(call_id, index)
        self._calls.append(made)
        return made, True


def said_in(choice: Any) -> Any:
    """Return what a choice says: the delta of a stream's piece, the message of a whole reply."""
    return getattr(choice, "delta", None) or getattr(choice, "message", None)


def _is_whole(call: _Call) -> bool:
    """Return whether a call has all its arguments."""
    if len(call.arguments) > _MOST_PIECES:
        return False
    try:
        return isinstance(json.loads("".join(call.arguments)), dict)
    except (ValueError, RecursionError):
        return False


def _text(arguments: Any) -> str:
    """Return arguments as text; some servers send the object itself."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)


def _once(arguments: str) -> str:
    """Return arguments that stand there twice once; two JSON objects in a row are no JSON.

    litellm sends those of models that do not stream (gpt-5-pro) whole, and then again in pieces.
    """
    half, rest = arguments[: len(arguments) // 2], arguments[len(arguments) // 2 :]
    return half if half == rest and half.startswith("{") and half.endswith("}") else arguments
