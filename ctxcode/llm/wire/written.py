"""Tool calls that a model writes into its reply as text, because its server does not know its notation. Pure.

Qwen and Hermes, Llama, Mistral, DeepSeek, GLM and Kimi each have one of their own; some write bare JSON.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Offered = Mapping[str, Mapping[str, Any]]
"""The tools of a request by name, each with the schemas of its arguments."""
_OPENINGS = (
    *("<tool_call>", "<function=", "[TOOL_CALLS]", "<|python_tag|>", "<|tool_calls_section_begin|>"),
    *("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"),
)
_MOST_HELD_CHARS = 2_000_000
_SIGN = re.compile(
    r"\s+|```(?:json|tool_call)?|</?tool_call>|</function>|\[/?TOOL_CALLS\]|[,;\[\]]"
    r"|<\|(?:python_tag|im_end|eom_id|eot_id|tool_calls?(?:_section)?_(?:begin|end))\|>"
    r"|<｜(?:tool▁calls?▁(?:begin|end)|end▁of▁sentence)｜>"
)
_NAMED = re.compile(
    r"(?:function<｜tool▁sep｜>|functions\.)?(?P<name>[A-Za-z_][\w-]{0,63})(?::\d+)?"
    r"(?:<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|\[ARGS\]|```(?:json)?|\s)*(?=\{)"
)
_FUNCTION = re.compile(r"<function=(?P<name>[^>\s]{1,64})>(?P<body>.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^<>\s]++)>\n?(.*?)\n?(?:</parameter>|(?=<parameter=)|\Z)", re.DOTALL)
_KEYED = re.compile(
    r"(?P<name>[A-Za-z_][\w-]{0,63})\s*+"
    r"(?P<body>(?><arg_key>(?>.*?</arg_key>)\s*+<arg_value>(?>.*?</arg_value>)\s*+)++)",
    re.DOTALL,
)
_PAIR = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_MADE_UP = ("<tool_response>", "<tool_result>", "[TOOL_RESULTS]", "<｜tool▁output")
"""How a model begins to make up what it would be answered."""
_FENCE = re.compile(r"`{0,3}(?:[a-z_]*)\s*")
_LONGEST_HEAD_CHARS = 30
_OBJECT_HEADS = tuple(f'{{"{key}":' for key in ("name", "function", "tool", "type"))


@dataclass(slots=True)
class WrittenCallFilter:
    """Takes a reply's text in pieces, and holds back what may be calls until the reply ends."""

    offered: Offered
    _held: str = ""
    _is_holding: bool = False
    _has_passed: bool = False
    """A word of the reply was let through."""
    _fences: int = 0
    _last: str = ""
    """The last characters that were let through."""

    def feed(self, text: str) -> str:
        """Return what of the reply is text, as far as that can be told."""
        if not self.offered or not text:
            return text
        self._held += text
        if self._is_holding:
            return self._released() if len(self._held) > _MOST_HELD_CHARS else ""
        place = self._opening()
        if place is not None:
            self._is_holding = True
            return self._passed(place)
        if not self._has_passed and _may_be_object(self._held):
            return ""
        return self._passed(len(self._held) - _begun_chars(self._held))

    def finish(self, *, has_calls: bool) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return what was held back: as text, or as calls with name and arguments.

        ``has_calls`` when the reply has some that are no text: what looks like more of them is quoted.
        """
        held = self._held
        found = None if has_calls else calls_in(held, self.offered)
        if found is None:
            return self._released(), ()
        self._held = ""
        return "", found

    def _released(self) -> str:
        self._is_holding = False
        return self._passed(len(self._held))

    def _passed(self, size: int) -> str:
        passed, self._held = self._held[:size], self._held[size:]
        if passed:
            seen = self._last + passed
            self._fences += seen.count("```")
            self._last = seen.rpartition("```")[2][-2:]
            self._has_passed = self._has_passed or bool(passed.strip())
        return passed

    def _opening(self) -> int | None:
        """Return where calls begin: outside of code, and not quoted."""
        places = sorted(place for opening in _OPENINGS if (place := self._held.find(opening)) >= 0)
        for place in places:
            before = self._last + self._held[:place]
            is_in_code = (self._fences + before.count("```")) % 2
            if not is_in_code and not before.endswith(("`", '"', "'", "“")):
                return place
        return None


def calls_in(text: str, offered: Offered) -> tuple[tuple[str, str], ...] | None:
    """Return the calls a text consists of, each as name and JSON; None when it is anything else besides."""
    found: list[tuple[str, str]] = []
    rest = text
    while rest:
        if sign := _SIGN.match(rest):
            rest = rest[sign.end() :]
            continue
        if found and rest.startswith(_MADE_UP):
            break
        read = _read(rest, offered)
        if read is None or read[0] not in offered:
            return None
        found.append((read[0], json.dumps(read[1], ensure_ascii=False)))
        rest = rest[read[2] :]
    return tuple(found) or None


def _read(text: str, offered: Offered) -> tuple[str, object, int] | None:
    """Return the call at the beginning of a text: its name, its arguments, and how many characters it takes."""
    if text.startswith("{"):
        whole, size = _object(text)
        call = _call_of(whole)
        return None if call is None else (*call, size)
    if (made := _FUNCTION.match(text)) is not None:
        body = made["body"].strip()
        pairs = _PARAMETER.findall(body)
        given = _typed(pairs, offered.get(made["name"], {})) if pairs or not body else _object(body)[0]
        return made["name"], given, made.end()
    if (named := _NAMED.match(text)) is not None:
        given, size = _object(text[named.end() :])
        return (named["name"], given, named.end() + size) if isinstance(given, dict) else None
    if (keyed := _KEYED.match(text)) is not None:
        return keyed["name"], _typed(_PAIR.findall(keyed["body"]), offered.get(keyed["name"], {})), keyed.end()
    return None


def _object(text: str) -> tuple[object, int]:
    """Return the JSON value at the beginning of a text, and its length; None for another thing."""
    try:
        value, size = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return None, 0
    return value, size


def _call_of(whole: object) -> tuple[str, object] | None:
    """Return a call that is one JSON object."""
    if not isinstance(whole, dict):
        return None
    inner = whole.get("function")
    whole = inner if isinstance(inner, dict) else whole
    name = whole.get("name") or whole.get("tool") or whole.get("function")
    given = next((whole[key] for key in ("arguments", "parameters", "args", "input") if key in whole), None)
    given = _object(given)[0] if isinstance(given, str) else given
    return (name, given) if isinstance(name, str) and isinstance(given, dict) else None


def _typed(pairs: list[tuple[str, str]], schemas: Mapping[str, Any]) -> dict[str, object]:
    """Return arguments that were written as bare texts, those that are no texts read."""
    return {name: text if _is_text(schemas.get(name)) else _value(text) for name, text in pairs}


def _is_text(schema: object) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "string"


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _begun_chars(text: str) -> int:
    """Return how many characters at a text's end may be the beginning of a call."""
    sizes = range(min(len(text), max(map(len, _OPENINGS)) - 1), 0, -1)
    return next((size for size in sizes if any(opening.startswith(text[-size:]) for opening in _OPENINGS)), 0)


def _may_be_object(text: str) -> bool:
    """Whether a reply that begins so may be a call as bare JSON, fenced or not."""
    start = text.lstrip()
    fence = _FENCE.match(start) if start.startswith("`") else None
    head = "".join(start[fence.end() if fence is not None else 0 :].lstrip("[ \n")[:40].split())
    if not head:
        return len(start) < _LONGEST_HEAD_CHARS and (not start or start[0] in "`[")
    return any(known.startswith(head) or head.startswith(known) for known in _OBJECT_HEADS)


def made_up_id(place: int) -> str:
    """Return an id for a call that stood in the text; nine letters and digits are one that Mistral takes too."""
    return f"text{place:05d}"


_MADE_UP_ID = re.compile(r"text(\d{5})")


def offered_in(body: object) -> Offered:
    """Return the tools whose calls may stand in the reply to a request as text.

    None where the model must not call any, and none where it is known to call them as the protocol has it: then a call
    in its text is one that it quotes, from a file maybe.
    """
    if not isinstance(body, dict) or body.get("tool_choice") == "none":
        return {}
    tools = body.get("tools")
    if not all(map(_MADE_UP_ID.fullmatch, _ids(body))):
        return {}
    return dict(_offers(tools if isinstance(tools, list) else []))


def written_before(body: object) -> int:
    """Return the first number for ids that no call in a request has, so that none stands twice in a conversation."""
    found = map(_MADE_UP_ID.fullmatch, _ids(body)) if isinstance(body, dict) else ()
    return max((int(match[1]) + 1 for match in found if match is not None), default=0)


def _ids(body: Mapping[str, Any]) -> list[str]:
    calls = [call for message in body.get("messages") or () for call in message.get("tool_calls") or ()]
    return [str(call.get("id")) for call in calls]


def _offers(tools: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for tool in tools:
        function = tool.get("function") if isinstance(tool, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            parameters = function.get("parameters")
            properties = parameters.get("properties") if isinstance(parameters, dict) else None
            yield function["name"], properties if isinstance(properties, dict) else {}
