"""What a model did with the code it was shown: named it, read on in it, edited it. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ctxcode.model.edit.change import FileChange, FileVerdict
from ctxcode.model.engine.activation import ItemUse, ShownSection, UseKind
from ctxcode.model.engine.item import path_of
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import PlanItem

_NO_END = 1 << 60


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file, 1-based, inclusive."""

    path: str
    start: int = 1
    end: int = _NO_END


@dataclass(frozen=True, slots=True)
class Doings:
    """What a model did in a turn."""

    named: Collection[ItemId] = ()
    """In its replies."""
    asked: Collection[ItemId] = ()
    """With tools that found something."""
    read: Sequence[Lines] = ()
    edited: Sequence[Lines] = ()
    """As they are after: the last request of a turn is planned when its edits are written."""


def uses(shown: Iterable[PlanItem], done: Doings) -> tuple[ItemUse, ...]:
    """Return the items that were used, in the order they were shown.

    A class is used with its methods, a file with what it defines.
    """
    found = []
    for item in shown:
        ways = (
            (UseKind.NAMED, any(_is_part(named, item.id) for named in done.named)),
            (
                UseKind.READ,
                any(_is_part(asked, item.id) for asked in done.asked) or any(_meets(item, one) for one in done.read),
            ),
            (UseKind.EDITED, any(_meets(item, one) for one in done.edited)),
        )
        kinds = tuple(kind for kind, is_so in ways if is_so)
        if kinds:
            found.append(ItemUse(item.id, kinds))
    return tuple(found)


def shown_sections(shown: Iterable[PlanItem], used: Iterable[ItemUse]) -> tuple[ShownSection, ...]:
    """Return how much was shown in each section, and how much of that was used, in payload order."""
    known = {use.item for use in used}
    found: dict[str, ShownSection] = {}
    for item in shown:
        name = item.section.value
        before = found.get(name, ShownSection(name, 0, 0, 0, 0))
        is_used = item.id in known
        found[name] = ShownSection(
            name,
            before.items + 1,
            before.tokens + item.tokens,
            before.used_items + is_used,
            before.used_tokens + (item.tokens if is_used else 0),
        )
    return tuple(found.values())


def edited_lines(applied: Iterable[tuple[FileChange, FileVerdict]]) -> tuple[Lines, ...]:
    """Return the lines that applied changes left; all of a file that was renamed as it was."""
    found = []
    for change, verdict in applied:
        hunks = [hunk for place, hunk in enumerate(change.hunks) if verdict.hunks is None or place in verdict.hunks]
        path = change.to or change.path
        found += [Lines(path, hunk.after_start, hunk.after_start + max(len(hunk.after), 1) - 1) for hunk in hunks]
        found += [] if hunks else [Lines(path)]
    return tuple(found)


def _is_part(inner: ItemId, outer: ItemId) -> bool:
    return inner == outer or inner.startswith(f"{outer}.") or (outer == f"file:{path_of(inner)}")


def _meets(item: PlanItem, lines: Lines) -> bool:
    """Whether an item stands, in part at least, on these lines."""
    return item.path == lines.path and item.start_line <= lines.end and (item.end_line or _NO_END) >= lines.start
