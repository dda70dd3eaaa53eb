"""What is written and not sent: as one value, as text for a file, and kept while it changes."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from ctxcode.tui.clean import clean

_DELAY_SECONDS = 0.5
"""So long a change waits for others."""
LARGEST_CHARS = 4_000_000
"""No larger draft is kept."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that is not sent yet, with the pastes that stand in it as words."""

    text: str = ""
    pastes: tuple[tuple[str, str], ...] = ()
    """Word and text of each."""


def encoded(draft: Draft) -> str:
    """Return a draft as a file's text; empty for one that is empty or too large."""
    size = len(draft.text) + sum(len(text) for _, text in draft.pastes)
    if not draft.text.strip() or size > LARGEST_CHARS:
        return ""
    return json.dumps({"text": draft.text, "pastes": dict(draft.pastes)})


def decoded(text: str) -> Draft:
    """Return the draft a file holds; an empty one for a file that holds none."""
    try:
        held = json.loads(text)
        pastes = held["pastes"].items()
        return Draft(clean(held["text"]), tuple((clean(word), clean(pasted)) for word, pasted in pastes))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Draft()


class DraftKeeper:
    """Writes a draft a moment after it has changed, in a thread: no key ever waits for a disk."""

    def __init__(self, draft: Callable[[], Draft], keep: Callable[[str], None]) -> None:
        self._draft = draft
        self._keep = keep
        self._changed, self._over = asyncio.Event(), asyncio.Event()

    def changed(self) -> None:
        """Take note that there may be something to write."""
        self._changed.set()

    def end(self) -> None:
        """Write what there is and let ``run`` return."""
        self._over.set()
        self._changed.set()

    async def run(self, kept: Draft) -> None:
        """Write each change to what is kept already, one after the other, until the end."""
        while not self._over.is_set():
            await self._changed.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), _DELAY_SECONDS)
            self._changed.clear()
            draft = self._draft()
            if draft != kept:
                await asyncio.to_thread(self._write, draft)
                kept = draft

    def _write(self, draft: Draft) -> None:
        self._keep(encoded(draft))
