"""Capsules as text: rows of the list, a whole capsule, what asking for one takes."""

from collections.abc import Sequence

from ctxcode.model.conversation import Usage
from ctxcode.model.engine.capsule import Capsule, CapsuleRow, Freshness
from ctxcode.model.naming.number import counted
from ctxcode.session.capsule.door import CapsuleBill
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import dollars, thousands, when

NONE_YET = "No capsule yet. /capsule PATH lets the model sum up a folder or file, /capsule PATH = TEXT keeps your own."
_STATES = {
    Freshness.FRESH: "fresh",
    Freshness.STALE: "stale",
    Freshness.GONE: "gone",
}
_TITLE_CELLS = 40
_SOURCE_CELLS = 16
_STATE_CELLS = 8
_NARROW_CELLS = 64


def capsule_title(capsule: Capsule) -> str:
    """Return what a capsule is about, on one line."""
    return clean_line(capsule.subject.title, 120)


def source_words(capsule: Capsule) -> str:
    """Return who wrote a capsule and how sure they are: ``by gpt-x, sure to 0.60``, ``by you``."""
    return "by you" if capsule.is_by_user else f"by {clean_line(capsule.source, 40)}, sure to {capsule.confidence:.2f}"


def state_words(row: CapsuleRow, glyphs: Glyphs) -> str:
    """Return whether a capsule is sent, with a sign for it."""
    sign = glyphs.ok if row.freshness is Freshness.FRESH else glyphs.stale
    return f"{sign} {_STATES[row.freshness]}"


def row_note(row: CapsuleRow, glyphs: Glyphs, cells: int) -> str:
    """Return the right end of a capsule's row: whether it is fresh, who wrote it, how sure they were, when.

    Of a narrow row only the first and the last.
    """
    capsule = row.capsule
    if cells < _NARROW_CELLS:
        return f"{state_words(row, glyphs)}  {when(capsule.generated_at):>11}"
    by = "you" if capsule.is_by_user else clean_line(capsule.source.rpartition("/")[2], _SOURCE_CELLS)
    sure = "" if capsule.is_by_user else f"{capsule.confidence:.2f}"
    age = when(capsule.generated_at)
    return f"{state_words(row, glyphs):<{_STATE_CELLS}}  {by:>{_SOURCE_CELLS}}  {sure:>4}  {age:>11}"


def capsules_text(rows: Sequence[CapsuleRow], glyphs: Glyphs) -> str:
    """Return all capsules as lines of text, with what can be done about them."""
    if not rows:
        return NONE_YET
    titles = [capsule_title(row.capsule) for row in rows]
    width = min(max(map(len, titles)), _TITLE_CELLS)
    states = [state_words(row, glyphs) for row in rows]
    sources = [source_words(row.capsule) for row in rows]
    state_room, source_room = max(map(len, states)), max(map(len, sources))
    lines = [
        f"{title:<{width}}  {state:<{state_room}}  {source:<{source_room}}  {when(row.capsule.generated_at)}"
        for title, state, source, row in zip(titles, states, sources, rows, strict=True)
    ]
    return "\n".join([*lines, "", "/capsules show NAME, /capsules renew NAME, /capsules remove NAME"])


def capsule_text(row: CapsuleRow, glyphs: Glyphs) -> str:
    """Return a whole capsule: what it is, then its text, then what it covers."""
    capsule = row.capsule
    head = f" {glyphs.dot} ".join((state_words(row, glyphs), source_words(capsule), when(capsule.generated_at)))
    lines = [head, "", clean(capsule.text), ""]
    if capsule.subject.parts:
        lines.append(f"made of {', '.join(clean_line(part, 120) for part in capsule.subject.parts)}")
    lines.append(f"covers {counted(len(capsule.covered), 'file')}; any change there makes it stale")
    if capsule.focus:
        lines.append(f"asked to be about {clean_line(capsule.focus, 200)}")
    if capsule.usage is not None:
        lines.append(f"took {usage_words(capsule.usage)}")
    if row.freshness is Freshness.GONE:
        lines.append("its files are gone: it is not sent any more")
    if row.freshness is Freshness.STALE:
        lines.append("it is not sent to the model before it is renewed")
    return "\n".join(lines)


def bill_words(title: str, bill: CapsuleBill, stop: str, glyphs: Glyphs) -> str:
    """Return what asking for a capsule will take, before it is asked; ``stop`` is the key that ends it."""
    price = dollars(bill.cost) if bill.cost is not None else "price not known"
    parts = [f"{clean_line(bill.model, 60)} sums up {clean_line(title, 80)} ({counted(bill.files, 'file')})"]
    parts += [f"{glyphs.about} {thousands(bill.tokens)} tok", price, f"{stop} stops it"]
    return f" {glyphs.dot} ".join(part for part in parts if part)


def usage_words(usage: Usage) -> str:
    """Return what a request took: ``2,130 + 140 tok, $0.006``."""
    sent = thousands(usage.estimated if usage.prompt is None else usage.prompt)
    got = f" + {thousands(usage.completion)}" if usage.completion else ""
    cost = dollars(usage.cost)
    return f"{'~' if usage.prompt is None else ''}{sent}{got} tok{f', {cost}' if cost else ''}"
