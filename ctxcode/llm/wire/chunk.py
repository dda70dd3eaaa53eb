"""One event of a chat reply, whatever a server leaves out of it or puts elsewhere, as the protocol has it. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ctxcode.llm.wire.thought import ThoughtFilter
from ctxcode.llm.wire.unpacked import NoReplyError
from ctxcode.llm.wire.written import Offered, WrittenCallFilter, made_up_id

MOST_TOKENS = 1_000_000_000
"""More than that no server has counted."""
_FINISH = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "max_length", "model_length"), "length"),
    **dict.fromkeys(("content_filter", "safety", "recitation", "prohibited_content", "blocklist"), "content_filter"),
    **dict.fromkeys(("spii", "language", "image_safety"), "content_filter"),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use", "tool_call"), "tool_calls"),
    **dict.fromkeys(("error", "abort", "aborted", "cancelled", "insufficient_system_resource"), None),
}
"""What servers say why a reply ended; what is not here is a stop. None for a reply that is not finished."""
_INDEX = re.compile(r"[0-9]{1,9}")
_TEXTS = frozenset({"text", "output_text", "refusal"})
_DETAILS = (("prompt_tokens_details", "cached_tokens"), ("completion_tokens_details", "reasoning_tokens"))


@dataclass(slots=True)
class _Numbers:
    """Gives every piece of a call the number of its call."""

    _by_id: dict[str, int] = field(default_factory=dict)
    _last: int = -1

    def numbered(self, said: Mapping[str, Any], *, is_whole: bool) -> list[dict[str, Any]]:
        calls = said.get("tool_calls") or ()
        calls = [calls] if isinstance(calls, dict) else calls
        legacy = said.get("function_call")
        if not calls and isinstance(legacy, dict):
            # Such a reply calls one function, and knows no ids.
            is_first = self._last < 0
            calls = [{"index": 0, "id": "call_0" if is_first else None, "function": legacy}]
        return [self._tidy(call, is_whole=is_whole) for call in calls if isinstance(call, dict)]

    def _tidy(self, call: dict[str, Any], *, is_whole: bool) -> dict[str, Any]:
        function = call.get("function")
        function = function if isinstance(function, dict) else call
        name, arguments = function.get("name"), function.get("arguments")
        if arguments is None:
            arguments = function.get("parameters", function.get("input"))
        call_id = call.get("id")
        call_id = str(call_id) if isinstance(call_id, int | float) and not isinstance(call_id, bool) else call_id
        call_id = call_id if isinstance(call_id, str) and call_id else None
        name = name.strip() if isinstance(name, str) else None
        index = self._last + 1 if is_whole else self._index(call.get("index"), call_id, name)
        self._last = max(self._last, index)
        text = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
        return {
            "index": index,
            "id": call_id,
            "type": "function",
            "function": {"name": name, "arguments": text},
        }

    @property
    def is_any(self) -> bool:
        """Whether there was a call."""
        return self._last >= 0

    def _index(self, index: object, call_id: str | None, name: str | None) -> int:
        if isinstance(index, int | str) and _INDEX.fullmatch(str(index)):
            return int(index)
        if call_id is not None:
            return self._by_id.setdefault(call_id, self._last + 1)
        return self._last + 1 if name or self._last < 0 else self._last


@dataclass(slots=True)
class Tidier:
    """Takes a reply's events in turn."""

    offered: Offered = field(default_factory=dict)
    """The tools whose calls may stand in the reply as text."""
    written_before: int = 0
    """How many such calls the conversation has already."""
    _written: WrittenCallFilter = field(init=False)
    _followed: int | None = None
    """Of several choices, the one that came first."""
    _calls: _Numbers = field(default_factory=_Numbers)
    _thoughts: ThoughtFilter = field(default_factory=ThoughtFilter)
    _is_finished: bool = False

    def __post_init__(self) -> None:
        """Begin to look for calls."""
        self._written = WrittenCallFilter(self.offered)

    def chunks(self, data: object, *, is_whole: bool = False) -> Iterator[dict[str, Any]]:
        """Yield an event as chunks of a stream, or the error it tells. Raises NoReplyError for another thing."""
        if isinstance(data, list) and len(data) == 1:
            data = data[0]
        if not isinstance(data, dict):
            raise NoReplyError("no chat reply")
        choice = self._choice(data.get("choices"))
        error = _error(data) or (_error({"error": choice["error"]}) if choice.get("error") else None)
        if error is not None:
            yield {"error": error}
            return
        if is_whole and not isinstance(data.get("choices"), list):
            raise NoReplyError("no chat reply")
        yield from self._said(choice, is_whole=is_whole)
        usage = _usage(data, choice)
        if usage is not None:
            yield {**_chunk(None), "usage": usage}

    def rest(self) -> Iterator[dict[str, Any]]:
        """Yield what was held back of a reply that ended without saying so: text, for calls may not be whole."""
        text = "" if self._is_finished else self._written.finish(has_calls=True)[0]
        if text:
            yield _chunk({"content": text})

    def _choice(self, choices: object) -> dict[str, Any]:
        """Return the choice that is followed, empty when the event has nothing of it."""
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                index = _number(choice.get("index"))
                self._followed = index if self._followed is None else self._followed
                if index == self._followed:
                    return choice
        return {}

    def _said(self, choice: dict[str, Any], *, is_whole: bool) -> Iterator[dict[str, Any]]:
        said = choice.get("delta") or choice.get("message") or {}
        said = said if isinstance(said, dict) else {"content": said}
        text, thought = _content(said.get("content") or choice.get("text") or said.get("refusal"))
        told = said.get("reasoning_content") or said.get("reasoning")
        finish = _finish(choice.get("finish_reason"), is_whole=is_whole) if choice else None
        text, hidden = self._thoughts.feed(text)
        if finish is not None:
            text += self._thoughts.finish()
        calls = self._calls.numbered(said, is_whole=is_whole)
        text = self._written.feed(text)
        if finish is not None:
            self._is_finished = True
            rest, written = self._written.finish(has_calls=self._calls.is_any)
            text += rest
            calls += [_made(place, self.written_before, *call) for place, call in enumerate(written)]
        delta: dict[str, Any] = {}
        if text:
            delta["content"] = text
        if calls:
            delta["tool_calls"] = calls
        if thought := "".join((thought, told if isinstance(told, str) else "", hidden)):
            delta["reasoning_content"] = thought
        if delta:
            yield _chunk(delta)
        if finish is not None:
            yield _chunk({}, "tool_calls" if calls and finish == "stop" else finish)


def _made(place: int, before: int, name: str, arguments: str) -> dict[str, Any]:
    """Return a call that stood in the text."""
    function = {"name": name, "arguments": arguments}
    return {"index": place, "id": made_up_id(before + place), "type": "function", "function": function}


def _chunk(delta: dict[str, Any] | None, finish: str | None = None) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"id": "chatcmpl", "object": "chat.completion.chunk", "created": 0, "model": "", "choices": choices}


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _finish(said: object, *, is_whole: bool) -> str | None:
    """Return why a reply ended, None while it has not; a reply in one piece has."""
    if not said:
        return "stop" if is_whole else None
    return finish_of(said) if isinstance(said, str) else "stop"


def finish_of(said: str) -> str | None:
    """Return what a server says why a reply ended in OpenAI's words; None when the reply is not finished."""
    return _FINISH.get(said.strip().lower(), "stop")


def _content(content: object) -> tuple[str, str]:
    """Return the text of a content, and the thoughts in it; some servers send a list of parts."""
    if isinstance(content, str):
        return content, ""
    parts = content if isinstance(content, list) else [content]
    text, thought = list[str](), list[str]()
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if isinstance(part, str):
            text.append(part)
        elif kind in ("thinking", "reasoning"):
            inner = part.get("thinking") or part.get("reasoning") or part.get("text") if isinstance(part, dict) else ""
            thought.append(_content(inner)[0] if not isinstance(inner, dict) else "")
        elif isinstance(part, dict) and (kind is None or kind in _TEXTS):
            found = part.get("text") or part.get("refusal") or part.get("content")
            text.append(found if isinstance(found, str) else "")
    return "".join(text), "".join(thought)


def _error(holder: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the error that an event tells of, as ``{"message": …}``; None when it tells of none."""
    error = holder.get("error")
    if not error and "choices" not in holder and "delta" not in holder and "usage" not in holder:
        # FastAPI, vLLM and proxies have words of their own for it.
        error = holder.get("detail") or (holder.get("message") if isinstance(holder.get("message"), str) else None)
    if not error:
        return None
    if isinstance(error, dict):
        words = error.get("message") or error.get("error") or error.get("detail")
        return {**error, "message": words if isinstance(words, str) else json.dumps(error)[:300]}
    return {"message": error if isinstance(error, str) else json.dumps(error)[:300]}


def _usage(data: Mapping[str, Any], choice: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a server counted, None where that can't be."""
    groq = data.get("x_groq")
    usage = data.get("usage") or choice.get("usage") or (groq.get("usage") if isinstance(groq, dict) else None)
    if not isinstance(usage, dict):
        return None
    prompt, completion = _tokens(usage.get("prompt_tokens")), _tokens(usage.get("completion_tokens"))
    if not prompt or completion is None:
        return None
    found: dict[str, Any] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    for holder, name in _DETAILS:
        details = usage.get(holder)
        count = _tokens(details.get(name)) if isinstance(details, dict) else None
        if count is not None:
            found[holder] = {name: min(count, prompt if holder.startswith("prompt") else completion)}
    return found


def _tokens(count: object) -> int | None:
    if isinstance(count, bool) or not isinstance(count, int | float) or not 0 <= count <= MOST_TOKENS:
        return None
    return int(count)
