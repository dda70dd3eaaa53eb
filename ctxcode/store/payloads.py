"""A stored payload, from the form of OpenAI's chat protocol back to values."""

from dataclasses import dataclass

from ctxcode.model.canonical import canonical_json
from ctxcode.model.conversation import ToolCall, ToolSpec
from ctxcode.model.plan import Payload, PayloadMessage
from ctxcode.store.codec import from_json, text_bytes


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class _Call:
    id: str
    function: _Function


@dataclass(frozen=True, slots=True)
class _Message:
    role: str
    content: str
    tool_calls: tuple[_Call, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class _Offer:
    name: str
    description: str
    parameters: dict[str, object]


@dataclass(frozen=True, slots=True)
class _Tool:
    function: _Offer


@dataclass(frozen=True, slots=True)
class _Wire:
    messages: tuple[_Message, ...]
    tools: tuple[_Tool, ...] = ()


def payload_from(text: str) -> Payload:
    """Return the payload whose ``wire`` form a text is the JSON of. Raises UnreadableError when it is none."""
    wire = from_json(text_bytes(text), _Wire)
    messages = tuple(
        PayloadMessage(
            one.role,
            one.content,
            tuple(ToolCall(call.id, call.function.name, call.function.arguments) for call in one.tool_calls),
            one.tool_call_id,
        )
        for one in wire.messages
    )
    tools = tuple(
        ToolSpec(one.function.name, one.function.description, canonical_json(one.function.parameters))
        for one in wire.tools
    )
    return Payload(messages, tools)
