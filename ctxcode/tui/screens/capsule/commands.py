"""Carries out the commands about capsules."""

from functools import partial
from typing import TYPE_CHECKING

from ctxcode.model.engine.capsule import Capsule, CapsuleRow, CapsuleSubject
from ctxcode.model.errors import UsageError
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.capsule.words import (
    bill_words,
    capsule_text,
    capsule_title,
    capsules_text,
    source_words,
    usage_words,
)
from ctxcode.tui.screens.memory.commands import Answer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_KEPT = "kept: plans tell the model of it until the code it covers changes"
_USAGE = "/capsules, /capsules show NAME, /capsules renew NAME, /capsules remove NAME"


class CapsuleCommands:
    """Commands as calls of the door.

    They raise UsageError for words that are off and CtxcodeError when the session refuses.
    """

    def __init__(self, door: Door, glyphs: Glyphs, say: "Callable[[str], object]", *, previews: bool) -> None:
        """Take where to say what a request will take, and whether what a model wrote is looked at before it is kept."""
        self._door = door
        self._glyphs = glyphs
        self._say = say
        self._previews = previews
        self._runs: dict[str, Callable[[str], Awaitable[Answer]]] = {
            "capsule": self._capsule,
            "capsules": self._capsules,
        }

    @property
    def names(self) -> frozenset[str]:
        """The commands that are carried out here."""
        return frozenset(self._runs)

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        return await self._runs[name](argument)

    async def renew(self, row: CapsuleRow) -> Answer:
        """Let the model in use write a capsule anew; a text of the user's is theirs to look through."""
        capsule = row.capsule
        if capsule.is_by_user:
            return self._edited(capsule.subject, capsule.text)
        return await self._asked(capsule.subject, capsule.focus)

    async def _capsule(self, argument: str) -> Answer:
        name, by_hand, text = _by_hand(argument)
        subject, focus = await self._door.capsules.subject(name)
        if not by_hand:
            return await self._asked(subject, focus)
        if focus:
            raise UsageError(f"{clean_line(name, 80)!r} is no one name.", "/capsule NAME = TEXT")
        if text:
            return await self._written(subject, text)
        known = next(
            (row.capsule for row in await self._door.capsules.rows() if row.capsule.item == subject.item), None
        )
        return self._edited(subject, known.text if known else "")

    def _edited(self, subject: CapsuleSubject, text: str) -> Answer:
        title = f"Capsule of {clean_line(subject.title, 80)}"
        return Answer(
            "Ctrl+S keeps it, for the code as it is now", title=title, text=text, save=partial(self._written, subject)
        )

    async def _asked(self, subject: CapsuleSubject, focus: str) -> Answer:
        """Let the model write; what it wrote is shown before it is kept, where it can be."""
        request = await self._door.capsules.request(subject, focus)
        self._say(bill_words(subject.title, request.bill, "Esc" if self._previews else "Ctrl+C", self._glyphs))
        draft = await request.send()
        if not self._previews:
            return await self._kept(draft, draft.text)
        took = f", took {usage_words(draft.usage)}" if draft.usage is not None else ""
        title = f"Capsule of {capsule_title(draft)}, {source_words(draft)}{took}"
        return Answer(
            "Ctrl+S keeps it, as it is or as you change it",
            title=title,
            text=draft.text,
            save=partial(self._kept, draft),
        )

    async def _kept(self, draft: Capsule, text: str) -> Answer:
        event = await self._door.capsules.keep(draft, text)
        made = event.capsule
        title = "" if self._previews else f"Capsule of {capsule_title(made)}, {source_words(made)}"
        return Answer(_KEPT, (event,), title=title, text="" if self._previews else made.text)

    async def _written(self, subject: CapsuleSubject, text: str) -> Answer:
        event = await self._door.capsules.write(subject, text)
        return Answer(_KEPT, (event,))

    async def _capsules(self, argument: str) -> Answer:
        word, _, name = argument.partition(" ")
        if not word:
            return Answer(title="Capsules", text=capsules_text(await self._door.capsules.rows(), self._glyphs))
        if word not in {"show", "renew", "remove"}:
            raise UsageError(f"/capsules knows no {clean_line(word, 40)!r}.", _USAGE)
        row = await self._named(name.strip())
        match word:
            case "show":
                return Answer(title=f"Capsule of {capsule_title(row.capsule)}", text=capsule_text(row, self._glyphs))
            case "renew":
                return await self.renew(row)
        event = await self._door.capsules.remove(row.capsule.item)
        return Answer(f"the capsule of {capsule_title(row.capsule)} is removed", (event,))

    async def _named(self, name: str) -> CapsuleRow:
        rows = await self._door.capsules.rows()
        wanted = name.casefold().rstrip("/")
        found = [row for row in rows if row.capsule.subject.title.casefold().rstrip("/") == wanted]
        if len(found) == 1:
            return found[0]
        known = ", ".join(capsule_title(row.capsule) for row in rows[:6])
        hint = f"There are: {known}." if rows else "/capsule PATH makes one."
        raise UsageError(f"There is no capsule of {clean_line(name, 80)!r}." if name else "Which capsule?", hint)


def _by_hand(argument: str) -> tuple[str, bool, str]:
    """Return the name, whether an equals sign follows it, and the text behind that."""
    name, sign, text = f"{argument} ".partition(" = ")
    return name.strip(), bool(sign), text.strip()
