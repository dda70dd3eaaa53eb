"""Decisions as plan items, and the plan's id."""

import json
from collections.abc import Iterable
from dataclasses import replace

from ctxcode.context.candidate import Candidate, Level, PlanRequest
from ctxcode.model.canonical import text_digest, text_hash
from ctxcode.model.ids import ItemId, PlanId, TextHash
from ctxcode.model.plan import EXCLUDING, PlanItem, Reason, Section


def included(candidate: Candidate, level: Level, section: Section) -> PlanItem:
    """Return the item for a candidate that is in the payload."""
    return _item(candidate, level, section, candidate.reasons, is_included=True)


def left_out(candidate: Candidate, level: Level, reason: Reason) -> PlanItem:
    """Return the item for a candidate that is not; the reason against it stands first."""
    return _item(candidate, level, candidate.section, (reason, *candidate.reasons), is_included=False)


def _item(
    candidate: Candidate, level: Level, section: Section, reasons: tuple[Reason, ...], *, is_included: bool
) -> PlanItem:
    return PlanItem(
        id=candidate.id,
        section=section,
        kind=candidate.kind,
        title=candidate.title,
        included=is_included,
        detail=level.detail,
        tokens=level.tokens,
        score=candidate.score,
        reasons=reasons,
        symbol=candidate.symbol,
        dotted=candidate.dotted,
        path=candidate.path,
        start_line=candidate.start_line,
        end_line=candidate.end_line,
        lines=level.lines if is_included else (),
        text=text_hash(level.text) if is_included else None,
    )


def each_once(items: Iterable[PlanItem]) -> list[PlanItem]:
    """Return items with one row an id, in their order; the rows of one id must not be included twice.

    A symbol can be pinned, central and retrieved at once: the row that is in the payload (else the first) stands for
    all, and takes over what spoke for the others.
    """
    kept: dict[ItemId, PlanItem] = {}
    for item in items:
        before = kept.get(item.id)
        kept[item.id] = item if before is None else _merged(before, item)
    return list(kept.values())


def _merged(first: PlanItem, second: PlanItem) -> PlanItem:
    keeper, other = (second, first) if second.included and not first.included else (first, second)
    known = {reason.type for reason in keeper.reasons}
    added = tuple(r for r in other.reasons if r.type not in known and r.type not in EXCLUDING)
    return replace(keeper, reasons=keeper.reasons + added, score=max(keeper.score, other.score))


def plan_id(request: PlanRequest, items: list[PlanItem], payload_hash: TextHash | None) -> PlanId:
    """Return the digest of everything the plan was made from and what it decided."""
    limits = request.limits
    head = [
        request.prompt,
        request.branch,
        request.turn,
        request.mode.value,
        request.strategy,
        request.strategy_settings,
        request.model,
        request.tokenizer,
        [limits.window_tokens, limits.budget_tokens, limits.output_reserve_tokens],
        request.is_budget_explicit,
        request.index_revision,
        request.retrieval_id,
        list(request.dropped),
        [[p.candidate.id, p.kind.value, p.turns_left, p.activation, p.referenced_at] for p in request.pins],
        payload_hash,
    ]
    # An enumeration's members are strings, and JSON writes them as such.
    rows = [(i.id, i.section, i.included, i.detail, i.tokens, i.score, i.text, _keys(i.reasons)) for i in items]
    written = json.dumps([head, rows], separators=(",", ":"), ensure_ascii=False, check_circular=False)
    return PlanId(text_digest(written))


def _keys(reasons: tuple[Reason, ...]) -> list[tuple[object, ...]]:
    return [(reason.type, reason.weight, reason.terms, reason.subject) for reason in reasons]
