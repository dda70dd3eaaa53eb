"""Pins as candidates: whatever kind of thing is pinned, at every level it can be shown at."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ctxcode.context.candidate import Candidate, Level, PinnedCandidate
from ctxcode.context.candidates import Renderer, exchange
from ctxcode.context.render import CountTokens, numbered
from ctxcode.context.turn.atom import call_words
from ctxcode.model.conversation import Turn
from ctxcode.model.engine.activation import ActiveItem
from ctxcode.model.engine.item import file_of, line_range, path_of, symbol_of, tool_place, turn_number
from ctxcode.model.ids import ItemId, SymbolId
from ctxcode.model.naming.shown import on_one_line
from ctxcode.model.pin import Pin, PinKind
from ctxcode.model.plan import Detail, Reason, ReasonType, Section
from ctxcode.model.symbol import Symbol

READ_ONLY = "(read-only: do not propose edits to this)\n"
_NOTE_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class PinWorld:
    """What pins are made candidates from."""

    symbols: Mapping[SymbolId, Symbol]
    turns: Mapping[int, Turn]
    """The completed turns that are pinned, by number."""
    activation: Mapping[ItemId, ActiveItem]
    renderer: Renderer


def pinned_turns(pins: Iterable[Pin], history: Sequence[Turn]) -> dict[int, Turn]:
    """Return the turns of a history that are pinned, or a tool result of them, by number."""
    found: dict[int, Turn] = {}
    for pin in pins:
        at = tool_place(pin.item)
        number = at.turn if at is not None else turn_number(pin.item)
        place = bisect_left(history, number, key=lambda turn: turn.number) if number is not None else len(history)
        if place < len(history) and history[place].number == number:
            found[number] = history[place]
    return found


def pin_candidates(pins: Iterable[Pin], world: PinWorld) -> tuple[PinnedCandidate, ...]:
    """Return the pins in the order they were set; one whose code is gone is listed as stale and never sent."""
    rows = []
    for pin in pins:
        alive = world.activation.get(pin.item)
        candidate = _candidate(pin, world) or _missing(pin)
        if pin.is_read_only:
            candidate = _read_only(candidate, world.renderer.count)
        if pin.kind is PinKind.EPHEMERAL:
            candidate = replace(candidate, levels=candidate.levels[:2])
        activation = alive.value if alive is not None else 0.0
        rows.append(PinnedCandidate(candidate, pin.kind, pin.turns_left, activation, pin.referenced_at))
    return tuple(rows)


def expired_candidates(items: Iterable[ItemId], symbols: Mapping[SymbolId, Symbol]) -> tuple[Candidate, ...]:
    """Return leases that have just ended, so that the plan says so."""
    rows = []
    for item in items:
        symbol = symbols.get(symbol_of(item) or SymbolId(""))
        title = symbol.qualname if symbol is not None and symbol.qualname else _title(item)
        reason = Reason(ReasonType.LEASE_EXPIRED)
        rows.append(
            Candidate(
                item, Section.PIN, "pin", title, (Level(Detail.NAME, "", 0),), reasons=(reason,), path=path_of(item)
            )
        )
    return tuple(rows)


def _candidate(pin: Pin, world: PinWorld) -> Candidate | None:
    """Return a pin as a candidate; None when what it pins is not there."""
    item, renderer = pin.item, world.renderer
    reasons = (Reason(ReasonType.PINNED if pin.kind is PinKind.STICKY else ReasonType.LEASED, subject=pin.by),)
    symbol_id, lines_of, number = symbol_of(item), line_range(item), turn_number(item)
    if symbol_id is not None:
        symbol = world.symbols.get(symbol_id)
        return renderer.symbol(symbol, Section.PIN, reasons, with_body=True) if symbol is not None else None
    if lines_of is not None:
        lines = renderer.lines.get(lines_of.path)
        if lines is None or lines_of.end > len(lines):
            return None
        text = f"### {on_one_line(lines_of.path)}:{lines_of.start}-{lines_of.end} lines\n"
        text += numbered(lines, lines_of.start, lines_of.end)
        level = Level(Detail.BODY, text, renderer.count(text), ((lines_of.start, lines_of.end),))
        made = Candidate(item, Section.PIN, "lines", _title(item), (level,), reasons=reasons, path=lines_of.path)
        return replace(made, start_line=lines_of.start, end_line=lines_of.end)
    if number is not None:
        turn = world.turns.get(number)
        if turn is None:
            return None
        text = f"### Turn {number} of this conversation\nUser: {turn.prompt}\nAssistant: {turn.reply or '(no reply)'}\n"
        made = replace(exchange(turn, renderer.count).candidate, section=Section.PIN, reasons=reasons)
        return replace(made, levels=(Level(Detail.BODY, text, renderer.count(text)),))
    if item.startswith("tool:"):
        return _tool_result(item, world, reasons)
    if item.startswith("note:"):
        text = f"### Note by the user\n{pin.text}\n"
        level = Level(Detail.BODY, text, renderer.count(text))
        title = " ".join(pin.text.split())
        title = title if len(title) <= _NOTE_TITLE_CHARS else f"{title[: _NOTE_TITLE_CHARS - 1]}…"
        return Candidate(item, Section.PIN, "note", title, (level,), reasons=reasons)
    return renderer.file(file_of(item), Section.PIN, reasons) if file_of(item) else None


def _tool_result(item: ItemId, world: PinWorld, reasons: tuple[Reason, ...]) -> Candidate | None:
    """Return what a tool answered in a completed turn, in full."""
    at = tool_place(item)
    rounds = world.turns[at.turn].rounds if at is not None and at.turn in world.turns else ()
    if at is None or at.iteration >= len(rounds) or at.place >= len(rounds[at.iteration].calls):
        return None
    call, result = rounds[at.iteration].calls[at.place], rounds[at.iteration].results[at.place]
    text = f"### What {call_words(call)} returned in turn {at.turn}\n{result.text.rstrip()}\n"
    level = Level(Detail.BODY, text, world.renderer.count(text))
    return Candidate(item, Section.PIN, "tool", call_words(call, _NOTE_TITLE_CHARS), (level,), reasons=reasons)


def _missing(pin: Pin) -> Candidate:
    """Return the stand-in for a pin whose code is gone."""
    reason = Reason(ReasonType.PINNED if pin.kind is PinKind.STICKY else ReasonType.LEASED, subject=pin.by)
    level = Level(Detail.NAME, "", 0)
    title, path = _title(pin.item), path_of(pin.item)
    return Candidate(pin.item, Section.PIN, "missing", title, (level,), reasons=(reason,), path=path, is_stale=True)


def _read_only(candidate: Candidate, count: CountTokens) -> Candidate:
    if candidate.is_stale:
        return candidate
    texts = [level.text + READ_ONLY for level in candidate.levels]
    levels = zip(candidate.levels, texts, strict=True)
    return replace(candidate, levels=tuple(replace(level, text=text, tokens=count(text)) for level, text in levels))


def _title(item: ItemId) -> str:
    lines_of, number = line_range(item), turn_number(item)
    if lines_of is not None:
        return f"{lines_of.path}:{lines_of.start}-{lines_of.end}"
    if number is not None:
        return f"turn {number}"
    text = item.partition(":")[2]
    return text.rpartition("::")[2] or text
