"""Whether the terminal's background is light or dark: from the environment, or from the terminal's own answer."""

import re
from collections.abc import Mapping
from enum import StrEnum

from textual import events
from textual.message import Message

QUERY = "\x1b]11;?\x1b\\\x1b[6n"
"""Asks for the background's colour, then where the cursor is: every terminal answers that, so the end is known."""

_HEAD = "]11;rgb"
_REST = re.compile(r"a?(?::[0-9a-fA-F/]{0,24}(?:[\^\x1b]?\\?|\x07)?)?")
_CHANNELS = re.compile(r"rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
_ESCAPES = frozenset({"^", "\x1b"})
"""Textual hands on an escape it does not know as a caret."""
_LIGHT_COLOURS = frozenset({"7", "9", "10", "11", "12", "13", "14", "15"})
_MIDDLE = 0.5


class Ground(StrEnum):
    """What the text stands on."""

    DARK = "dark"
    LIGHT = "light"


class GroundSeen(Message):
    """The terminal told what its background is."""

    def __init__(self, ground: Ground) -> None:
        super().__init__()
        self.ground = ground


def ground_of(environment: Mapping[str, str]) -> Ground | None:
    """Return what COLORFGBG says, as some terminals set it: ``15;0``; None when it says nothing."""
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    if not background.isdecimal():
        return None
    return Ground.LIGHT if background in _LIGHT_COLOURS else Ground.DARK


def answered_ground(answer: str) -> Ground | None:
    """Return what a terminal's answer ``]11;rgb:ffff/ffff/f0f0`` says; None when it can't be read."""
    found = _CHANNELS.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    # The luma of ITU-R BT.601, which is near enough to tell light from dark.
    return Ground.LIGHT if 0.299 * red + 0.587 * green + 0.114 * blue > _MIDDLE else Ground.DARK


class GroundAnswer:
    """Takes the terminal's answer out of what would else be typed into the prompt."""

    def __init__(self) -> None:
        self.is_expected = True
        """The answer has not come yet."""
        self._held: list[Message] = []
        self._text = ""

    def passed(self, message: Message) -> list[Message]:
        """Return the messages to hand on: this one, those held back before it, or what the answer says."""
        if not self.is_expected:
            return [message]
        if isinstance(message, events.CursorPosition):
            return self.given_up()
        if not isinstance(message, events.Key):
            return [*self._released(), message]
        text = self._text + (message.character or "\0")
        if not _may_become(text):
            return [*self._released(), *self._begun(message)]
        self._text = text
        self._held.append(message)
        if not text.endswith(("\\", "\x07")):
            return []
        ground = answered_ground(text)
        self._held, self._text = [], ""
        return [GroundSeen(ground)] if ground is not None else []

    def given_up(self) -> list[Message]:
        """Expect it no more; return what was held back."""
        self.is_expected = False
        return self._released()

    def _begun(self, message: events.Key) -> list[Message]:
        """Hold a key back with which the answer may begin, else hand it on."""
        if not _may_become(message.character or "\0"):
            return [message]
        self._held, self._text = [message], message.character or ""
        return []

    def _released(self) -> list[Message]:
        held, self._held, self._text = self._held, [], ""
        return held


def _may_become(text: str) -> bool:
    """Return whether an answer may begin like this."""
    inner = text[1:] if text[0] in _ESCAPES else text
    if len(inner) <= len(_HEAD):
        return _HEAD.startswith(inner)
    return inner.startswith(_HEAD) and _REST.fullmatch(inner[len(_HEAD) :]) is not None
