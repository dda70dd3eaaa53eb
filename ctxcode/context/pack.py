"""Which touchpoints are shown, and how fully: rich levels for the best, one-line signatures for the rest."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ctxcode.context.candidate import Candidate, Level
from ctxcode.context.mode import ModeLimits
from ctxcode.model.ids import ItemId, SymbolId
from ctxcode.model.plan import Detail, Reason, ReasonType


@dataclass(slots=True)
class Packing:
    """The decisions on touchpoints, best first."""

    shown: dict[ItemId, tuple[Candidate, Level]] = field(default_factory=dict)
    left_out: dict[ItemId, tuple[Candidate, Reason]] = field(default_factory=dict)
    used_tokens: int = 0


@dataclass(slots=True)
class Covered:
    """Source that is already in the payload, so that one symbol appears once, in its richest form."""

    paths: dict[str, ItemId] = field(default_factory=dict)
    """Files pinned whole."""
    symbols: dict[SymbolId, ItemId] = field(default_factory=dict)
    bodies: dict[str, list[tuple[int, int, ItemId]]] = field(default_factory=dict)
    """Spans of definitions shown whole, by path."""

    def by(self, candidate: Candidate) -> ItemId | None:
        """Return the item that already shows a candidate."""
        if candidate.path in self.paths:
            return self.paths[candidate.path]
        if candidate.symbol is not None and candidate.symbol in self.symbols:
            return self.symbols[candidate.symbol]
        for start, end, item in self.bodies.get(candidate.path, ()):
            if start <= candidate.start_line and candidate.end_line <= end:
                return item
        return None

    def holds_part_of(self, candidate: Candidate) -> bool:
        """Return whether a definition inside the candidate is already shown whole."""
        return any(
            candidate.start_line <= start and end <= candidate.end_line
            for start, end, _ in self.bodies.get(candidate.path, ())
        )

    def add(self, candidate: Candidate, level: Level) -> None:
        """Note that a candidate is shown at a level."""
        if candidate.symbol is None:
            if candidate.path and level.detail is Detail.BODY:
                self.paths[candidate.path] = candidate.id
            return
        self.symbols[candidate.symbol] = candidate.id
        if level.detail is Detail.BODY:
            span = (candidate.start_line, candidate.end_line, candidate.id)
            self.bodies.setdefault(candidate.path, []).append(span)


def packed(
    candidates: Iterable[Candidate], covered: Covered, limits: ModeLimits, *, room_tokens: int, max_rich: int
) -> Packing:
    """Return which of the candidates (best first) are shown at which level within ``room_tokens``.

    First the rich share goes to full renderings in rank order, then what is left to signatures, grouped by file.
    ``covered`` is extended by what is shown.
    """
    packing = Packing()
    waiting: list[Candidate] = []
    rich_room = int(room_tokens * limits.rich_share)
    rich_count = 0
    for candidate in candidates:
        if candidate.is_stale:
            packing.left_out[candidate.id] = (candidate, Reason(ReasonType.STALE))
            continue
        other = covered.by(candidate)
        if other is not None:
            packing.left_out[candidate.id] = (candidate, Reason(ReasonType.DUPLICATE, subject=other))
            continue
        room = rich_room - packing.used_tokens if rich_count < max_rich else 0
        level = _rich_level(candidate, covered, limits, room) if room > 0 else None
        if level is None:
            waiting.append(candidate)
            continue
        packing.shown[candidate.id] = (candidate, level)
        packing.used_tokens += level.tokens
        rich_count += 1
        covered.add(candidate, level)
    _pack_tail(waiting, covered, packing, room_tokens)
    return packing


def _rich_level(candidate: Candidate, covered: Covered, limits: ModeLimits, room_tokens: int) -> Level | None:
    """Return the fullest rendering the mode and the room allow; None when not even a card fits."""
    best: Level | None = None
    holds_part = covered.holds_part_of(candidate)
    for level in candidate.levels:
        if level.detail.richness < Detail.CARD.richness or level.detail.richness > limits.rich_detail.richness:
            continue
        if holds_part and level.detail is not Detail.CARD:
            continue
        if level.tokens <= room_tokens:
            best = level
    return best


def _pack_tail(waiting: list[Candidate], covered: Covered, packing: Packing, room_tokens: int) -> None:
    """Show signatures of the waiting candidates while they fit; the first of a file pays for the file's line."""
    files: set[str] = set()
    for candidate in waiting:
        other = covered.by(candidate)
        if other is not None:
            packing.left_out[candidate.id] = (candidate, Reason(ReasonType.DUPLICATE, subject=other))
            continue
        level = candidate.level(Detail.SIGNATURE)
        heading = 0 if candidate.path in files else candidate.heading_tokens
        cost = heading + (level.tokens if level is not None else 0)
        if level is None or packing.used_tokens + cost > room_tokens:
            packing.left_out[candidate.id] = (candidate, Reason(ReasonType.BUDGET))
            continue
        files.add(candidate.path)
        level = Level(level.detail, level.text, cost, level.lines)
        packing.shown[candidate.id] = (candidate, level)
        packing.used_tokens += cost
        covered.add(candidate, level)


def tail_heading(path: str) -> str:
    """Return the line above a file's signatures."""
    return f"#### {path}\n"
