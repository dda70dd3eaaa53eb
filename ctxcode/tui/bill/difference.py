"""What changed from one plan to another, as lines of text."""

from ctxcode.model.engine.difference import ChangeKind, ItemChange, PlanDifference
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import item_reason_words
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.number import thousands

_MARKS = {
    ChangeKind.ENTERED: "+",
    ChangeKind.LEFT: "-",
    ChangeKind.TEXT: "~",
    ChangeKind.SECTION: ">",
}
_TITLE_CELLS, _SHORT_TITLE_CELLS = 38, 26
_ROOMY, _NARROW = 100, 68
_TOKENS_CELLS = 7
_WHY_CELLS = 20
"""A reason that has less is told in a line of its own."""


def difference_lines(made: PlanDifference, width: int = 120, glyphs: Glyphs = UNICODE) -> list[str]:
    """Return a difference as the lines the command prints."""
    old, new = made.tokens
    to = glyphs.arrow
    head = f"plan {made.before[:8]} {to} {made.after[:8]}"
    tail = f"{thousands(old)} {to} {thousands(new)} tok"
    fits = len(head) + len(tail) < width
    lines = [f"{head:<{width - len(tail)}}{tail}"] if fits else [head, f"  {tail}"]
    room = max(6, min(60, width // 2 - 10))
    lines += [
        f"  {row.name}: {_short(row.before, room, glyphs)} {to} {_short(row.after, room, glyphs)}"
        for row in made.settings
    ]
    if made.settings:
        lines.append("")
    lines += [line for change in made.changes for line in _lines(change, width, glyphs)]
    same = f"= {thousands(made.unchanged)} unchanged"
    if made.changes or made.settings:
        same += f"; the first {thousands(made.kept_prefix)} of the request are equal, a prompt cache can keep them"
    return [*lines, same]


def _lines(change: ItemChange, width: int, glyphs: Glyphs) -> list[str]:
    """Return what became of an item, and why: in a line, or in two where there is no room for it."""
    title_cells = _TITLE_CELLS if width >= _ROOMY else min(_SHORT_TITLE_CELLS, max(6, width - _TOKENS_CELLS - 3))
    marks = {ChangeKind.RICHER: glyphs.arrows[0], ChangeKind.POORER: glyphs.arrows[1]}
    what = f"{marks.get(change.kind) or _MARKS[change.kind]} {_short(change.item.title, title_cells, glyphs)}"
    tokens = f"{change.tokens:+,}"
    how = f"{tokens:>{_TOKENS_CELLS}}" if width < _NARROW else f"{f'{_how(change, glyphs)}  {tokens}':>24}"
    why = (
        ", ".join(dict.fromkeys(item_reason_words(change.item, reason, glyphs) for reason in change.reasons))
        or "no candidate any more"
    )
    line = f"{what:<{title_cells + 2}} {how}"
    if width - len(line) >= _WHY_CELLS:
        return [_cut(f"{line}  {why}", width, glyphs)]
    return [line, _cut(f"  {why}", width, glyphs)]


def _how(change: ItemChange, glyphs: Glyphs) -> str:
    before, after = change.before, change.after
    match change.kind:
        case ChangeKind.RICHER | ChangeKind.POORER if before is not None and after is not None:
            return f"{before.detail.value} {glyphs.arrow} {after.detail.value}"
        case ChangeKind.SECTION if before is not None and after is not None:
            return f"{before.section.value} {glyphs.arrow} {after.section.value}"
        case ChangeKind.TEXT:
            return "other text"
    return change.item.detail.value if change.kind is ChangeKind.ENTERED else "left"


def _short(text: str, limit: int, glyphs: Glyphs) -> str:
    return _cut(clean_line(text, 400), limit, glyphs)


def _cut(line: str, limit: int, glyphs: Glyphs) -> str:
    return line if len(line) <= limit else line[: limit - len(glyphs.ellipsis)] + glyphs.ellipsis
