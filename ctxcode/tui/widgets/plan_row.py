"""One row of the context overlay as lines of styled text."""

from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content

from ctxcode.model.pin import Pin, PinKind
from ctxcode.model.plan import PlanItem, ReasonType
from ctxcode.tui.bill.place import fitting_place
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import empty_words, fold_words, heading, part_tokens, place, reasons_words
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import thousands
from ctxcode.tui.rows import Part, Row, RowKind
from ctxcode.tui.widgets.overlay.meter import PART_COLOURS
from ctxcode.tui.widgets.text.shortened import shortened

_PIN_COLOURS = {
    PinKind.STICKY: "$ctx-pin-sticky",
    PinKind.LEASED: "$ctx-pin-leased",
    PinKind.EPHEMERAL: "$ctx-pin-ephemeral",
}
_TOKENS = 7
_SCORE = 4
_FULL = 50
_MIDDLE = 42
_PLACE_GAP = 2
_MOST_SAID = 300
_NOTE_LINES = 3
_SCORED = frozenset({Part.RETRIEVED, Part.EXCLUDED})


@dataclass(frozen=True, slots=True)
class RowLook:
    """What all rows of a list share."""

    width: int
    glyphs: Glyphs
    pins: Mapping[str, Pin]
    max_score: float
    level_width: int
    """Of the longest detail level in view."""
    shows_reasons: bool
    """On every row, not only on the selected one."""
    is_active: bool = True
    """The keys go to the list; else the selection is only marked."""


def row_lines(row: Row, look: RowLook, *, is_selected: bool) -> list[Content]:
    """Return a row's lines without what is expanded below it; each as wide as the list."""
    match row.kind:
        case RowKind.SECTION:
            return _section(row, look, is_selected=is_selected)
        case RowKind.FOLD:
            sign = look.glyphs.open if row.is_open else look.glyphs.closed
            is_counted = row.part is Part.EXCLUDED and not row.label
            right = _right(thousands(len(row.items) if is_counted else row.tokens), look)
            words = _fold_words(row, look, look.width - right.cell_length - 4)
            return [_line(Content.styled(f"{sign} ", "$muted") + words, right, look, is_selected=is_selected)]
        case RowKind.EMPTY:
            said = row.label or empty_words(row.part, has_pins=bool(look.pins))
            return [_line(Content.styled(said, "$muted italic"), Content(""), look, is_selected=False)]
        case RowKind.NOTE:
            return [_line(line, Content(""), look, is_selected=False) for line in _note(row, look)]
        case RowKind.OVERHEAD:
            words = Content.styled(f"{look.glyphs.request} separators and overhead", "$muted")
            return [_line(words, _right(thousands(row.tokens), look), look, is_selected=is_selected)]
        case RowKind.SUGGESTION:
            return _suggestion(row, look, is_selected=is_selected)
        case RowKind.ITEM:
            return _item(row, look, is_selected=is_selected)


def _note(row: Row, look: RowLook) -> list[Content]:
    """Return what is said of a section, in a few lines."""
    quotes = look.glyphs.quotes
    words = clean_line(row.label, _MOST_SAID).replace("“", quotes[0]).replace("”", quotes[1])
    return Content.styled(words, "$muted").wrap(max(1, look.width - 2))[:_NOTE_LINES]


def _fold_words(row: Row, look: RowLook, room: int) -> Content:
    """Return what a fold holds; of a path that is too long its end."""
    words = fold_words(row)
    if row.label and len(words) > room:
        words = look.glyphs.ellipsis + words[len(words) - max(1, room - len(look.glyphs.ellipsis)) :]
    return Content.styled(words, "bold" if row.label else "")


def _section(row: Row, look: RowLook, *, is_selected: bool) -> list[Content]:
    title = row.part.value
    if row.part is Part.SUGGESTED:
        rule = look.glyphs.rule
        line = f"{rule} {title} "
        return [_blank(look), Content.styled(f" {line}{rule * max(0, look.width - len(line) - 2)} ", "$faint")]
    sign = "" if row.is_open else f" {look.glyphs.closed}"
    head = Content.styled(title.upper(), f"bold {PART_COLOURS[row.part]}") + Content.styled(sign, "$muted")
    right = _right(part_tokens(row), look).stylize("bold" if row.part is not Part.EXCLUDED else "$muted")
    return [_blank(look), _line(head, right, look, is_selected=is_selected)]


def _item(row: Row, look: RowLook, *, is_selected: bool) -> list[Content]:
    item = row.item
    if item is None:
        return []
    pin = look.pins.get(str(item.id))
    sign, colour = _sign(row, pin, look.glyphs)
    is_out = row.part is Part.EXCLUDED
    right = _right(thousands(item.tokens), look)
    if row.part is Part.PINNED and not item.included:
        right = right.stylize("bold $error")
    if look.width >= _MIDDLE:
        level = f"{item.detail.value if item.symbol else '':>{look.level_width}}"
        right = Content.styled(f"  {level}", "$muted") + right
    if look.width >= _FULL and row.part in _SCORED:
        right = right[: len(right) - _SCORE - 1] + _score(item, look)
    left = _name_and_place(item, look, look.width - right.cell_length - 4, is_out=is_out)
    line = _line(Content.styled(f"{sign} ", colour) + left, right, look, is_selected=is_selected)
    if not (is_selected or look.shows_reasons):
        return [line]
    words = reasons_words(item, look.glyphs, pin)
    reason = Content.styled(f"  {words}", "$muted")
    return [line, _line(reason, Content(""), look, is_selected=is_selected)]


def _name_and_place(item: PlanItem, look: RowLook, room: int, *, is_out: bool) -> Content:
    title = heading(item)
    name = shortened(Content.styled(title, "$muted" if is_out else ""), max(4, room), look.glyphs)
    if look.width < _MIDDLE:
        return name
    fitting = fitting_place(place(item), room - name.cell_length - _PLACE_GAP, look.glyphs)
    return name + Content.styled(f"  {fitting}", "$muted") if fitting else name


def _sign(row: Row, pin: Pin | None, glyphs: Glyphs) -> tuple[str, str]:
    if pin is not None:
        sign = {PinKind.STICKY: glyphs.sticky, PinKind.LEASED: glyphs.leased, PinKind.EPHEMERAL: glyphs.ephemeral}
        return sign[pin.kind], _PIN_COLOURS[pin.kind]
    if row.part is Part.PINNED and row.item is not None and row.item.reasons[0].type is ReasonType.LEASED:
        # What was leased for an earlier request and no longer is.
        return glyphs.leased, _PIN_COLOURS[PinKind.LEASED]
    signs = {
        Part.PINNED: glyphs.sticky,
        Part.SCAFFOLD: glyphs.scaffold,
        Part.RETRIEVED: glyphs.retrieved,
        Part.HISTORY: glyphs.history,
        Part.TOOLS: glyphs.history,
        Part.ANCHOR: glyphs.anchor,
        Part.REQUEST: glyphs.request,
        Part.EXCLUDED: glyphs.excluded,
        Part.SUGGESTED: glyphs.suggested,
    }
    return signs[row.part], PART_COLOURS[row.part]


def _suggestion(row: Row, look: RowLook, *, is_selected: bool) -> list[Content]:
    if row.suggestion is None:
        return []
    title = Content.styled(f"{look.glyphs.suggested} ", "$ctx-suggested")
    title += Content.styled(clean_line(row.suggestion.title, 200), "$muted")
    evidence = Content.styled(f"  {clean_line(row.suggestion.evidence, 200)}", "$muted")
    return [
        _line(title, Content(""), look, is_selected=is_selected),
        _line(evidence, Content(""), look, is_selected=is_selected),
    ]


def _score(item: PlanItem, look: RowLook) -> Content:
    """Return a bar of up to four cells, in half cells where the glyphs allow."""
    levels = look.glyphs.levels
    share = item.score / look.max_score if look.max_score > 0 and item.score > 0 else 0.0
    steps = max(1, round(share * _SCORE * len(levels))) if share else 0
    whole, part = divmod(steps, len(levels))
    bar = levels[-1] * whole + (levels[part - 1] if part else "")
    return Content.styled(f" {bar:<{_SCORE}}", "$ctx-excluded" if not item.included else PART_COLOURS[Part.RETRIEVED])


def _right(text: str, look: RowLook) -> Content:
    padding = _SCORE + 1 if look.width >= _FULL else 0
    return Content(f"{text:>{_TOKENS}}" + " " * padding)


def _line(left: Content, right: Content, look: RowLook, *, is_selected: bool) -> Content:
    bar = Content.styled(look.glyphs.bar, "$primary" if look.is_active else "$faint") if is_selected else Content(" ")
    room = max(1, look.width - 2 - right.cell_length)
    if left.cell_length > room:
        left = shortened(left, room, look.glyphs)
    line = bar + left.pad_right(max(0, room - left.cell_length)) + right + Content(" ")
    return line.stylize_before("on $selected-row") if is_selected and look.is_active else line


def _blank(look: RowLook) -> Content:
    return Content(" " * look.width)
