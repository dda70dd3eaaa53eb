"""A strategy's proposal, checked, as the planner's candidates."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ctxcode.context.candidate import Candidate, Exchange, Level
from ctxcode.context.strategies.port import (
    LARGEST_FACTOR,
    SMALLEST_FACTOR,
    Block,
    ComposeRequest,
    LeftOut,
    Proposal,
)
from ctxcode.model.conversation import Turn
from ctxcode.model.engine.item import turn_item
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import Detail, Reason, ReasonType, Section

_ROWS = 20
"""Turns left out that have a row of their own, the newest ones; the others share rows."""
_MOST_OFFERED = 200
_LONGEST_BLOCK = 200_000
_LONGEST_NAME = 40
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Offered:
    """What of a conversation the planner may choose from."""

    history: tuple[Exchange, ...] = ()
    """Oldest first."""
    blocks: tuple[Candidate, ...] = ()
    untold: tuple[tuple[Candidate, Reason], ...] = ()
    has_gaps: bool = False
    budget_tokens: int | None = None


def complaint(proposal: Proposal, request: ComposeRequest) -> str:
    """Return what is wrong with a proposal, in a sentence; empty when nothing is."""
    numbers = [offer.turn for offer in proposal.offers]
    if len(set(numbers)) < len(numbers):
        return "it offers a turn twice"
    places = [_place(request.history, number) for number in numbers]
    if None in places:
        unknown = next(number for number, place in zip(numbers, places, strict=True) if place is None)
        return f"it offers turn {unknown}, which is not in the history"
    runs = [(place, place + 1) for place in places if place is not None]
    runs += [_run(request.history, row) for row in proposal.left_out]
    end = 0
    for start, stop in sorted(run for run in runs if run[1] > run[0]):
        if start != end:
            where = "decides twice on" if start < end else "says nothing of"
            return f"it {where} turn {request.history[min(start, end)].number}"
        end = stop
    if end < len(request.history):
        return f"it says nothing of turn {request.history[end].number}"
    if not all(offer.reasons for offer in proposal.offers) or not all(block.reasons for block in proposal.blocks):
        return "it gives no reason for something it sends"
    if len(request.history) and not _keeps_newest(proposal, request.history[-1].number):
        return "it neither offers the newest turn first nor sends a block for it"
    return _block_complaint(proposal.blocks) or _budget_complaint(proposal, request)


def _keeps_newest(proposal: Proposal, newest: int) -> bool:
    is_first = bool(proposal.offers) and proposal.offers[0].turn == newest
    return is_first or any(block.through >= newest for block in proposal.blocks)


def _block_complaint(blocks: Sequence[Block]) -> str:
    names = [block.name for block in blocks]
    if len(set(names)) < len(names):
        return "it sends two blocks of one name"
    for block in blocks:
        if not block.name.isidentifier() or len(block.name) > _LONGEST_NAME:
            return f"a block can't be called {block.name!r:.60}"
        if not block.text.strip():
            return f"the block {block.name!r} is empty"
        if len(block.text) > _LONGEST_BLOCK or len(block.title) > _LONGEST_TITLE:
            return f"the block {block.name!r} is longer than {_LONGEST_BLOCK:,} characters, or its title too long"
    return ""


def _budget_complaint(proposal: Proposal, request: ComposeRequest) -> str:
    wanted = proposal.budget_tokens
    if wanted is None:
        return ""
    base = request.budget_tokens
    if request.is_budget_fixed or not base * SMALLEST_FACTOR - 1 <= wanted <= base * LARGEST_FACTOR:
        return f"it wants an active context of {wanted:,} tokens where the user set {base:,}"
    return ""


def offered(proposal: Proposal, request: ComposeRequest, exchange_of: Callable[[Turn], Exchange]) -> Offered:
    """Return what a sound proposal offers. The cost is that of what is sent, not of the history."""
    history = request.history
    budget = proposal.budget_tokens or request.budget_tokens
    exchanges: list[tuple[int, Exchange]] = []
    late: list[tuple[int, int, Reason]] = []
    spent = 0
    for rank, offer in enumerate(proposal.offers):
        place = bisect_left(history, offer.turn, key=_number)
        if len(exchanges) >= _MOST_OFFERED or (spent > budget and not proposal.has_gaps):
            late.append((place, place + 1, Reason(ReasonType.OUTSIDE_WINDOW)))
            continue
        turn = history[place]
        made = exchange_of(replace(turn, rounds=()) if offer.is_bare and turn.rounds else turn)
        candidate = replace(made.candidate, score=offer.score, reasons=offer.reasons)
        exchanges.append((place, replace(made, candidate=candidate, rank=rank)))
        spent += candidate.richest.tokens
    runs = [(*_run(history, row), row.reason) for row in proposal.left_out]
    return Offered(
        history=tuple(made for _, made in sorted(exchanges, key=lambda row: row[0])),
        blocks=tuple(_block(block, request.count) for block in proposal.blocks),
        untold=tuple(_untold([*runs, *late], history, exchange_of)),
        has_gaps=proposal.has_gaps,
        budget_tokens=proposal.budget_tokens,
    )


def _block(block: Block, count: Callable[[str], int]) -> Candidate:
    text = f"## {' '.join(block.title.split())}\n{block.text.rstrip()}\n"
    level = Level(Detail.BODY, text, count(text))
    return Candidate(
        ItemId(f"block:{block.name}"), Section.SUMMARY, "text", block.title, (level,), reasons=block.reasons
    )


def _untold(
    runs: Iterable[tuple[int, int, Reason]], history: Sequence[Turn], exchange_of: Callable[[Turn], Exchange]
) -> Iterable[tuple[Candidate, Reason]]:
    """Return rows for what is not offered, newest first: one a turn for the newest, one a run for the rest."""
    rows = 0
    for start, stop, reason in sorted(runs, key=lambda run: -run[0]):
        split = max(start, stop - (_ROWS - rows))
        rows += stop - split
        for place in range(stop - 1, split - 1, -1):
            yield replace(exchange_of(history[place]).candidate, reasons=()), reason
        if split > start:
            yield _range_row(history[start].number, history[split - 1].number), reason


def _range_row(first: int, last: int) -> Candidate:
    item = turn_item(first) if first == last else ItemId(f"turns:{first}-{last}")
    title = f"turn {first}" if first == last else f"turns {first} to {last}"
    return Candidate(item, Section.HISTORY, "turns", title, (Level(Detail.NAME, "", 0),))


def _place(history: Sequence[Turn], number: int) -> int | None:
    place = bisect_left(history, number, key=_number)
    return place if place < len(history) and history[place].number == number else None


def _run(history: Sequence[Turn], row: LeftOut) -> tuple[int, int]:
    return bisect_left(history, row.first, key=_number), bisect_right(history, row.last, key=_number)


def _number(turn: Turn) -> int:
    return turn.number
