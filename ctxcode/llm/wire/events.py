"""The events of a reply, however a server writes them down: as a stream of them, or as one JSON text. Pure."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from ctxcode.llm.wire.unpacked import EndlessReplyError, NoReplyError

MOST_EVENT_BYTES = 32_000_000
_LINE_END = re.compile(rb"\r\n|\n|\r")
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Event:
    """One event's data, read."""

    data: object
    is_whole: bool = False
    """It is a reply in one piece."""


class Done:
    """The server has said that this is all."""


DONE: Final = Done()


@dataclass(slots=True)
class EventReader:
    """Takes bytes as they come and gives events as they are complete.

    Takes byte-order marks, any line ends, comments, events without a blank line between them and JSON without
    ``data:``. Raises NoReplyError for what is no JSON, EndlessReplyError for an event that is too long.
    """

    _unread: list[bytes] = field(default_factory=list)
    """Since the last line end."""
    _size: int = 0
    _has_begun: bool = False
    _is_whole: bool = False
    _data: list[bytes] = field(default_factory=list)
    """Lines of an event's data that are no JSON by themselves."""
    _name: bytes = b""

    def feed(self, received: bytes) -> Iterator[Event | Done]:
        """Yield the events that end with these bytes."""
        self._size += len(received)
        if self._size > MOST_EVENT_BYTES:
            raise EndlessReplyError("an event has no end")
        if not self._has_begun:
            self._unread.append(received)
            self._begin(b"".join(self._unread))
            received = b""
        if self._is_whole or not self._has_begun:
            self._unread += [received] if received else []
            return
        yield from self._lines(received)

    def finish(self) -> Iterator[Event | Done]:
        """Yield what the end of the bytes completes."""
        rest = b"".join(self._unread).strip()
        self._unread, self._size = [], 0
        if self._is_whole:
            yield from self._whole(rest)
            return
        yield from self._line(rest)
        yield from self._dispatch()

    def _whole(self, text: bytes) -> Iterator[Event | Done]:
        """Yield the one event a JSON text is, or those that stand on its lines."""
        try:
            yield Event(_json(text), is_whole=True)
        except NoReplyError:
            self._is_whole = False
            events = [*self._lines(text + b"\n"), *self.finish()]
            if not events:
                raise
            yield from events

    def _begin(self, received: bytes) -> None:
        """Look at how the reply begins, as soon as that can be told."""
        start = received.removeprefix(_MARK).lstrip()
        if not start or (len(received) < len(_MARK) and _MARK.startswith(received)):
            self._unread = [received] if _MARK.startswith(received) else []
            return
        if start.startswith(b"<"):
            raise NoReplyError("a web page")
        self._has_begun, self._is_whole = True, start.startswith((b"{", b"["))
        self._unread = [start]

    def _lines(self, received: bytes) -> Iterator[Event | Done]:
        joined = b"".join((*self._unread, received)) if _LINE_END.search(received) or not received else b""
        if not joined:
            self._unread.append(received)
            return
        # A line end may come in two halves.
        half = b"\r" if joined.endswith(b"\r") else b""
        *lines, rest = _LINE_END.split(joined.removesuffix(half))
        self._unread, self._size = [rest + half], len(rest) + sum(map(len, self._data))
        for line in lines:
            yield from self._line(line)

    def _line(self, line: bytes) -> Iterator[Event | Done]:
        line = line.removeprefix(_MARK)
        if not line:
            yield from self._dispatch()
            return
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if line.startswith(b"{"):
            name, value = b"data", line
        if name == b"event":
            self._name = value.strip()
        elif name == b"data":
            yield from self._datum(value)

    def _datum(self, value: bytes) -> Iterator[Event | Done]:
        if value.strip() == b"[DONE]":
            yield from self._dispatch()
            yield DONE
            return
        if not self._data and value.startswith(b"{") and value.rstrip().endswith(b"}"):
            with suppress(NoReplyError):
                yield Event(self._named(_json(value)))
                return
        self._data.append(value)
        self._size += len(value)

    def _dispatch(self) -> Iterator[Event | Done]:
        data, self._data = b"\n".join(self._data), []
        if data.strip():
            yield Event(self._named(_json(data)))
        self._name = b""

    def _named(self, data: object) -> object:
        """Return an event's data with what only the event's name says."""
        is_error = self._name == b"error" and not (isinstance(data, dict) and data.get("error"))
        return {"error": data} if is_error else data


def _json(text: bytes) -> object:
    """Return the value of a JSON text. Raises NoReplyError."""
    try:
        found: object = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NoReplyError("no JSON") from error
    return found
