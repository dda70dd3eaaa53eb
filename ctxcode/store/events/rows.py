"""Events as the database holds them."""

from dataclasses import dataclass
from typing import get_args

from ctxcode.model.event import DurableEvent, ReplyArrived, WholeReply
from ctxcode.store.codec import UnreadableError, from_json, to_json

_EVENT_TYPES: dict[str, type[DurableEvent]] = {event.kind: event for event in get_args(DurableEvent)}

PIECE = ReplyArrived.kind
WHOLE = frozenset(event.kind for event in get_args(WholeReply))
"""The kinds of what takes the place of a session's pieces of a reply."""


@dataclass(frozen=True, slots=True)
class EncodedEvent:
    """An event as a row holds it."""

    kind: str
    version: int
    body: bytes
    """JSON."""


def encode_event(event: DurableEvent) -> EncodedEvent:
    """Return an event's row."""
    return EncodedEvent(event.kind, event.version, to_json(event))


def decode_event(encoded: EncodedEvent) -> DurableEvent:
    """Return the event of a row. Raises UnreadableError for a kind or version this program does not know."""
    event_type = _EVENT_TYPES.get(encoded.kind)
    if event_type is None or encoded.version > event_type.version:
        raise UnreadableError(f"event {encoded.kind!r}, version {encoded.version}, is of a newer ctxcode")
    return from_json(encoded.body, event_type)
