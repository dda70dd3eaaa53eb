"""Which touchpoints are shown, and how fully: rich levels for the best, one-line signatures for the rest."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf, log2

from ctxcode.context.candidate import Candidate, Level
from ctxcode.context.mode import ModeLimits
from ctxcode.context.render import CountTokens
from ctxcode.model.ids import ItemId, SymbolId
from ctxcode.model.naming.shown import on_one_line
from ctxcode.model.plan import Detail, Limit, Reason, ReasonType

_COST_OF_DOUBLING = 0.05
"""What a rendering twice as long must be worth more, as a share of the usual score; found on the public benchmark."""
_USUAL_RANK = 20
_SHOWN_IN_PART = 3
"""So many of the best are shown by card or excerpt where their body does not fit; of others the name says as much."""

_LONG_LINES = 40
_LONG_SHARE = 0.15
"""A longer class that takes more of the room is not shown whole: its methods are chosen one by one. So on the public
benchmark."""
_HOLDERS = frozenset({"class", "trait", "extension", "namespace", "module"})
"""Kinds of definitions whose parts are candidates themselves."""

_NEW_FILE = 0.05
"""By what the first line of a file counts for more, as a share of the usual score: one line tells of a file. Chosen on
the public benchmark."""


@dataclass(slots=True)
class Packing:
    """The decisions on touchpoints, best first."""

    shown: dict[ItemId, tuple[Candidate, Level]] = field(default_factory=dict)
    left_out: dict[ItemId, tuple[Candidate, Reason]] = field(default_factory=dict)
    used_tokens: int = 0

    def refused(self, bound: Limit) -> Iterator[tuple[Candidate, Reason]]:
        """Yield what is left out and why: for want of room with the limit that bounds it."""
        for_want_of_room = Reason(ReasonType.BUDGET, subject=bound)
        for candidate, reason in self.left_out.values():
            yield candidate, for_want_of_room if reason.type is ReasonType.BUDGET else reason


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
        start, end = candidate.start_line, candidate.end_line
        if level.detail is Detail.BODY or level.lines == ((start, end),):
            self.bodies.setdefault(candidate.path, []).append((start, end, candidate.id))


def packed(
    candidates: Iterable[Candidate],
    covered: Covered,
    limits: ModeLimits,
    *,
    room_tokens: int,
    max_rich: int,
    count: CountTokens,
) -> Packing:
    """Return which of the candidates (best first) are shown at which level within ``room_tokens``.

    First the rich share goes to the renderings that are worth most for their tokens, in rank order, then what is left
    to signatures, grouped by file, in rank order but that the first line of a file counts for a little more.
    ``covered`` is extended by what is shown. ``count`` is asked for files' lines.
    """
    packing = Packing()
    ranked: list[Candidate] = []
    for candidate in candidates:
        if candidate.is_stale:
            packing.left_out[candidate.id] = (candidate, Reason(ReasonType.STALE))
        else:
            ranked.append(candidate)
    rich = _rich(ranked, covered, limits, room_tokens=int(room_tokens * limits.rich_share), max_rich=max_rich)
    packing.shown = {candidate.id: (candidate, rich[candidate.id]) for candidate in ranked if candidate.id in rich}
    packing.used_tokens = sum(level.tokens for level in rich.values())
    waiting = {candidate.id: candidate for candidate in ranked if candidate.id not in rich}
    _pack_tail(_Tail(waiting, count), covered, packing, room_tokens)
    return packing


def _rich(
    ranked: Sequence[Candidate], covered: Covered, limits: ModeLimits, *, room_tokens: int, max_rich: int
) -> dict[ItemId, Level]:
    """Return the levels of what is shown fully. Only the very best are shown in part where the whole does not fit."""
    rich: dict[ItemId, Level] = {}
    long: list[Candidate] = []
    room = room_tokens
    for place, candidate in _by_value(ranked, limits, room_tokens):
        if len(rich) >= max_rich:
            break
        if covered.by(candidate) is not None:
            continue
        most = _most(candidate, covered, limits)
        if most is not Detail.CARD and _is_long(candidate, int(_LONG_SHARE * room_tokens)):
            long.append(candidate)
            most = Detail.CARD
        least = Detail.CARD if place < _SHOWN_IN_PART else limits.rich_detail
        level = _fullest(candidate, least, most, room)
        if level is not None:
            rich[candidate.id] = level
            room -= level.tokens
            covered.add(candidate, level)
    _complete(rich, long, covered, room_tokens=room, max_rich=max_rich)
    return rich


def _complete(
    rich: dict[ItemId, Level], long: Iterable[Candidate], covered: Covered, *, room_tokens: int, max_rich: int
) -> None:
    """Show long classes whole in what room is left, if none of their parts is shown so."""
    for candidate in long:
        card = rich.get(candidate.id)
        is_wanted = card is not None or (len(rich) < max_rich and covered.by(candidate) is None)
        room = room_tokens + (card.tokens if card is not None else 0)
        level = _fullest(candidate, Detail.BODY, Detail.BODY, room) if is_wanted else None
        if level is not None and not covered.holds_part_of(candidate):
            rich[candidate.id] = level
            room_tokens = room - level.tokens
            covered.add(candidate, level)


def _by_value(ranked: Sequence[Candidate], limits: ModeLimits, room_tokens: int) -> list[tuple[int, Candidate]]:
    """Return candidates with their ranks, those worth most for their tokens first.

    The value is the score, as a share of what the twentieth has, less a little for every doubling of the tokens.
    """
    places = list(enumerate(ranked))
    if limits.rich_detail is Detail.CARD or not places:
        # Cards cost much the same.
        return places
    usual = ranked[min(_USUAL_RANK, len(ranked) - 1)].score or 1.0

    def worth(candidate: Candidate) -> float:
        level = _fullest(candidate, Detail.CARD, limits.rich_detail, room_tokens)
        return candidate.score / usual - _COST_OF_DOUBLING * log2(max(level.tokens, 1)) if level is not None else -inf

    return sorted(places, key=lambda pair: (-worth(pair[1]), pair[0]))


def _most(candidate: Candidate, covered: Covered, limits: ModeLimits) -> Detail:
    """Return the fullest level that shows nothing twice."""
    return Detail.CARD if covered.holds_part_of(candidate) else limits.rich_detail


def _is_long(candidate: Candidate, most_tokens: int) -> bool:
    """Tell whether a class is worth less as a whole than the best of its parts."""
    lines = candidate.end_line - candidate.start_line + 1
    is_long = candidate.kind in _HOLDERS and lines > _LONG_LINES and not candidate.is_chosen
    return is_long and candidate.richest.tokens > most_tokens


def _fullest(candidate: Candidate, least: Detail, most: Detail, room_tokens: int) -> Level | None:
    """Return the fullest rendering between two levels that fits; None when there is none."""
    lowest, highest = least.richness, most.richness
    for level in reversed(candidate.levels):
        if lowest <= level.detail.richness <= highest and level.tokens <= room_tokens:
            return level
    return None


def _pack_tail(tail: "_Tail", covered: Covered, packing: Packing, room_tokens: int) -> None:
    """Show signatures of the waiting candidates while they fit; the first of a file pays for the file's line.

    What stands in a type or block comes below its line, which becomes an item of its own when it is not there yet.
    """
    paths = {candidate.path for candidate, _ in packing.shown.values()}
    for candidate in _tail_order(list(tail.waiting.values()), paths):
        if candidate.id in tail.shown:
            continue
        other = covered.by(candidate)
        if other is not None:
            packing.left_out[candidate.id] = (candidate, Reason(ReasonType.DUPLICATE, subject=other))
            continue
        # Once the room is used up, what goes above the others' own lines need not be known.
        rows = tail.rows(candidate, covered) if packing.used_tokens + _least(candidate) <= room_tokens else []
        cost = sum(level.tokens for _, level in rows)
        if not rows or packing.used_tokens + cost > room_tokens:
            packing.left_out[candidate.id] = (candidate, Reason(ReasonType.BUDGET))
            continue
        packing.used_tokens += cost
        for row, level in rows:
            tail.add(row)
            packing.shown[row.id] = (row, level)
            covered.add(row, level)


def _tail_order(ranked: Sequence[Candidate], paths: Collection[str]) -> list[Candidate]:
    """Return candidates best first, where the first one of a file that is not among ``paths`` counts for more.

    Without that they stay in rank order: what ranks before others counts for as much as the best of these.
    """
    worth = list(accumulate((candidate.score for candidate in reversed(ranked)), max))[::-1]
    gain = _NEW_FILE * worth[min(_USUAL_RANK, len(worth) - 1)] if worth else 0.0
    seen = set(paths)
    for place, candidate in enumerate(ranked):
        if candidate.path not in seen:
            seen.add(candidate.path)
            worth[place] += gain
    return [ranked[place] for place in sorted(range(len(ranked)), key=lambda place: (-worth[place], place))]


def _least(candidate: Candidate) -> float:
    """Return the fewest tokens a candidate's own line costs in the tail; infinite for one that has none."""
    line, below = candidate.signature, candidate.below_owner
    if line is None:
        return inf
    return line.tokens if below is None else min(line.tokens, below.tokens)


@dataclass(slots=True)
class _Tail:
    """The signatures shown so far."""

    waiting: dict[ItemId, Candidate]
    """By id, best first."""
    count: CountTokens
    shown: set[ItemId] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    _headings: dict[str, int] = field(default_factory=dict)

    def rows(self, candidate: Candidate, covered: Covered) -> list[tuple[Candidate, Level]]:
        """Return what showing a candidate takes: its owner's line where that is missing, then its own."""
        level = candidate.signature
        if level is None:
            return []
        rows = [(candidate, level)]
        owner = candidate.owner
        if owner is not None and candidate.below_owner is not None:
            owner = self.waiting.get(owner.id, owner)
            line = owner.signature
            if owner.id in self.shown:
                rows = [(candidate, candidate.below_owner)]
            elif line is not None and not owner.is_stale and covered.by(owner) is None:
                rows = [(owner, line), (candidate, candidate.below_owner)]
        first, level = rows[0]
        if first.path not in self.files:
            with_heading = level.tokens + self._heading_tokens(first.path)
            rows[0] = (first, Level(level.detail, level.text, with_heading, level.lines))
        return rows

    def _heading_tokens(self, path: str) -> int:
        """Return what the line of a file costs."""
        if path not in self._headings:
            self._headings[path] = self.count(tail_heading(path))
        return self._headings[path]

    def add(self, candidate: Candidate) -> None:
        """Note a candidate as shown."""
        self.shown.add(candidate.id)
        self.files.add(candidate.path)


def tail_heading(path: str) -> str:
    """Return the line above a file's signatures."""
    return f"#### {on_one_line(path)}\n"
