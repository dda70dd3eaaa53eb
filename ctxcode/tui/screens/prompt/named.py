"""What a command's argument may name that is no code: models, pins, branches, strategies."""

from collections.abc import Sequence

from ctxcode.model.naming.number import counted
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import pin_words
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.memory.words import pin_name
from ctxcode.tui.widgets.menu import MenuEntry
from ctxcode.tui.widgets.overlay.entry import model_entry


async def named_entries(kind: str, typed: str, door: Door, glyphs: Glyphs) -> tuple[MenuEntry, ...]:
    """Return what of a kind typed letters may become; none when the name is complete, or the kind has no such thing."""
    match kind:
        case "model":
            return tuple(model_entry(offer, glyphs) for offer in await door.model_offers(typed))
        case "pin":
            named = [(pin_name(pin), pin) for pin in door.pins()]
            return _like(typed, [MenuEntry(name, name, pin_words(pin)) for name, pin in named])
        case "branch":
            others = (branch for branch in door.conversation.branches() if not branch.is_open)
            entries = [
                MenuEntry(one.name, one.name, f"{counted(one.turns, 'turn')}  {one.last_prompt}") for one in others
            ]
            return _like(typed, entries)
        case "strategy":
            rows = (row for row in await door.strategies.rows() if row.is_usable)
            entries = [MenuEntry(row.name, row.name, row.summary, "in use" if row.is_open else "") for row in rows]
            return _like(typed, entries)
    return ()


def _like(typed: str, entries: Sequence[MenuEntry]) -> tuple[MenuEntry, ...]:
    """Return the entries that contain what is typed, those that begin so first; none when it is one of them."""
    wanted = clean_line(typed, 200).casefold()
    found = [entry for entry in entries if wanted in entry.value.casefold()]
    if any(wanted == entry.value.casefold() for entry in found):
        return ()
    return tuple(sorted(found, key=lambda entry: not entry.value.casefold().startswith(wanted)))
