"""The planner: a pure function from everything that matters to the ordered decision for one request.

Reserved first: system prompt, tool schemas, user message, sticky pins, the current turn's tool calls. If these do not
fit, the plan is over budget and nothing is sent. Then by priority: the turn wanted most, the state anchor, leases,
scaffold, retrieval within its share, what the strategy sends in the place of turns, other turns as the strategy wants
them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ctxcode.context.candidate import Candidate, Exchange, Level, PinnedCandidate, PlanRequest
from ctxcode.context.decision import each_once, included, left_out, plan_id
from ctxcode.context.mode import limits_of
from ctxcode.context.pack import Covered, Packing, packed
from ctxcode.context.payload import Shown, grouped
from ctxcode.context.render import CountTokens
from ctxcode.context.turn.atom import call_tokens, fitted
from ctxcode.context.turn.window import windowed
from ctxcode.context.turn.withhold import cleared
from ctxcode.model.canonical import canonical_json, text_hash
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import (
    ContextMode,
    ContextPlan,
    Detail,
    Limit,
    Payload,
    PayloadMessage,
    PlanItem,
    PlannedRequest,
    Reason,
    ReasonType,
    SourceDigest,
)

LEASE_SHARE = 0.25
"""Most of the active context that leased items may take together."""

SEPARATOR_TOKENS = 48
"""A bound on what the payload's section titles cost."""


@dataclass(slots=True)
class _Decisions:
    """The decisions so far, and what is left of the budget."""

    room_tokens: int
    limit: Limit = Limit.BUDGET
    """What bounds that."""
    shown: Shown = field(default_factory=Shown)
    left_out: list[tuple[Candidate, Level, Reason]] = field(default_factory=list)
    over_budget: list[ItemId] = field(default_factory=list)
    covered: Covered = field(default_factory=Covered)

    def take(self, candidate: Candidate, level: Level) -> None:
        """Spend a candidate's tokens and note what it covers."""
        self.room_tokens -= level.tokens
        self.covered.add(candidate, level)

    def refuse(self, candidate: Candidate, reason: ReasonType, subject: str = "") -> None:
        """Leave a candidate out; for want of room with the limit that bounds it."""
        subject = subject or (self.limit if reason is ReasonType.BUDGET else "")
        self.left_out.append((candidate, candidate.levels[0], Reason(reason, subject=subject)))

    def refuse_reserved(self, candidate: Candidate) -> None:
        """Note that something that must be in does not fit: the plan is over budget."""
        self.over_budget.append(candidate.id)
        self.left_out.append((candidate, candidate.richest, Reason(ReasonType.BUDGET, subject=self.limit)))


def plan(request: PlanRequest, count: CountTokens) -> PlannedRequest:
    """Return the plan for a request, with its payload and every text it refers to.

    ``count`` must be the request's tokenizer; it is asked for files' lines and for the assembled payload.
    """
    request, dropped = _without_dropped(request)
    request = _with_central_bodies(request)
    request, outside = windowed(request)
    fixed = _fixed_tokens(request)
    overhead = SEPARATOR_TOKENS + request.message_overhead_tokens * _most_messages(request)
    budget = request.limits.budget_tokens - (fixed if request.is_budget_explicit else 0)
    readable = request.limits.window_tokens - fixed - overhead
    decisions = _Decisions(min(budget, readable), Limit.BUDGET if budget <= readable else Limit.WINDOW)
    decisions.left_out.extend((c, c.levels[0], Reason(ReasonType.DROPPED_BY_USER)) for c in dropped)
    decisions.left_out.extend((c, c.levels[0], reason) for c, reason in request.untold)
    for candidate in request.expired:
        decisions.refuse(candidate, ReasonType.LEASE_EXPIRED)
    decisions.left_out.extend((c, c.levels[0], Reason(ReasonType.OUTSIDE_WINDOW)) for c in outside)
    _reserve(request, decisions)
    if decisions.over_budget:
        _refuse_the_rest(request, decisions)
    else:
        _fill(request, decisions, count)
    return _result(request, decisions, count)


def _fixed_tokens(request: PlanRequest) -> int:
    """Return what the system prompt and the tool schemas cost."""
    return request.system.richest.tokens + (request.tools.candidate.richest.tokens if request.tools else 0)


def _most_messages(request: PlanRequest) -> int:
    """Return a bound on the number of messages."""
    past = sum(1 + len(made.calls) for exchange in request.history for made in exchange.rounds)
    return 2 * (len(request.history) + 1) + past + 2 * len(request.atoms) + 2


def _without_dropped(request: PlanRequest) -> tuple[PlanRequest, list[Candidate]]:
    """Take what the user dropped out of everything that is optional."""
    gone = set(request.dropped)
    optional = (*_anchor_of(request), *request.blocks, *request.scaffold, *request.touchpoints)
    dropped = [c for c in optional if c.id in gone]
    dropped += [exchange.candidate for exchange in request.history if exchange.candidate.id in gone]
    return replace(
        request,
        anchor=None if request.anchor is not None and request.anchor.id in gone else request.anchor,
        blocks=tuple(c for c in request.blocks if c.id not in gone),
        scaffold=tuple(c for c in request.scaffold if c.id not in gone),
        touchpoints=tuple(c.without_owner(gone) for c in request.touchpoints if c.id not in gone),
        history=tuple(e for e in request.history if e.candidate.id not in gone),
    ), dropped


def _with_central_bodies(request: PlanRequest) -> PlanRequest:
    """Leave central symbols that the question is about to the touchpoints where those show more than a card."""
    limits = limits_of(request.mode)
    if limits.rich_detail.richness <= Detail.CARD.richness:
        return request
    central = {c.id: c.reasons for c in request.scaffold if c.symbol is not None}
    asked = {c.id for c in request.touchpoints[: limits.max_rich] if c.id in central}
    return replace(
        request,
        scaffold=tuple(c for c in request.scaffold if c.id not in asked),
        touchpoints=tuple(
            replace(c, reasons=c.reasons + central[c.id]) if c.id in asked else c for c in request.touchpoints
        ),
    )


def _reserve(request: PlanRequest, decisions: _Decisions) -> None:
    """Take what must be in. What does not fit makes the plan over budget."""
    if decisions.room_tokens < 0:
        decisions.room_tokens += _fixed_tokens(request)
        decisions.shown.holds_system = False
        decisions.refuse_reserved(request.system)
        if request.tools is not None:
            decisions.refuse_reserved(request.tools.candidate)
    if request.message.richest.tokens > decisions.room_tokens:
        decisions.shown.holds_message = False
        decisions.refuse_reserved(request.message)
    else:
        decisions.take(request.message, request.message.richest)
    for pin in request.pins:
        if pin.kind is PinKind.STICKY:
            _take_pin(pin, decisions, is_reserved=True)
    for ending in (request.so_far, request.note):
        if ending is not None and ending.richest.tokens > decisions.room_tokens:
            decisions.refuse_reserved(ending)
        elif ending is not None:
            decisions.take(ending, ending.richest)
            decisions.shown.endings.append(ending)
    for atom, level in zip(request.atoms, fitted(request.atoms, decisions.room_tokens), strict=True):
        if level.tokens > decisions.room_tokens:
            decisions.refuse_reserved(atom.candidate)
        else:
            decisions.take(atom.candidate, level)
            decisions.shown.atoms.append((atom, level))


def _take_pin(pin: PinnedCandidate, decisions: _Decisions, *, is_reserved: bool) -> None:
    candidate = pin.candidate
    if candidate.is_stale:
        decisions.refuse(candidate, ReasonType.STALE)
        return
    other = decisions.covered.by(candidate)
    if other is not None:
        decisions.refuse(candidate, ReasonType.DUPLICATE, other)
        return
    levels = (candidate.richest,) if is_reserved else candidate.levels
    fitting = [level for level in levels if level.tokens <= decisions.room_tokens]
    if not fitting:
        if is_reserved:
            decisions.refuse_reserved(candidate)
        else:
            decisions.refuse(candidate, ReasonType.BUDGET)
        return
    level = fitting[-1]
    decisions.take(candidate, level)
    decisions.shown.pins.append((candidate, level))


def _refuse_the_rest(request: PlanRequest, decisions: _Decisions) -> None:
    """Nothing optional is weighed while what must be in does not fit."""
    optional = [pin.candidate for pin in request.pins if pin.kind is not PinKind.STICKY]
    optional += [
        *_anchor_of(request),
        *request.blocks,
        *request.scaffold,
        *request.touchpoints,
        *(turn.candidate for turn in request.history),
    ]
    for candidate in optional:
        decisions.refuse(candidate, ReasonType.BUDGET)


def _fill(request: PlanRequest, decisions: _Decisions, count: CountTokens) -> None:
    """Spend what the reserved items leave, by priority."""
    limits = limits_of(request.mode)
    kept: list[Exchange] = []
    older = _unpinned(_wanted(request.history), decisions)
    if older and older[0].candidate.richest.tokens <= decisions.room_tokens:
        kept.append(older.pop(0))
        decisions.take(kept[0].candidate, kept[0].candidate.richest)
    _take_anchor(request, decisions)
    _take_leases(request, decisions, {exchange.candidate.id for exchange in kept})
    older = _unpinned(older, decisions)
    _take_scaffold(request, decisions)
    touchpoints = _take_chosen(request, decisions)
    share = int(request.limits.budget_tokens * limits.retrieval_share)
    share = decisions.room_tokens if request.is_budget_explicit else share
    if request.mode is not ContextMode.OFF:
        max_rich = len(touchpoints) if request.is_budget_explicit else limits.max_rich
        packing = packed(
            touchpoints,
            decisions.covered,
            limits,
            room_tokens=min(share, decisions.room_tokens),
            max_rich=max_rich,
            count=count,
        )
        _note_packing(request, packing, decisions, Limit.MODE if share < decisions.room_tokens else decisions.limit)
    else:
        for candidate in touchpoints:
            decisions.refuse(candidate, ReasonType.MODE)
    decisions.shown.touchpoints = grouped(decisions.shown.touchpoints)
    _take_blocks(request, decisions)
    _take_history(older, kept, decisions, has_gaps=request.has_gaps)
    places = {exchange.candidate.id: place for place, exchange in enumerate(request.history)}
    decisions.shown.history = sorted(kept, key=lambda exchange: places[exchange.candidate.id])


def _wanted(history: Sequence[Exchange]) -> list[Exchange]:
    """Return turns by rank, newer ones first among equals."""
    places = range(len(history) - 1, -1, -1)
    return [history[place] for place in sorted(places, key=lambda place: history[place].rank)]


def _unpinned(history: Iterable[Exchange], decisions: _Decisions) -> list[Exchange]:
    """Return the turns that no pin shows already."""
    pinned = {candidate.id for candidate, _ in decisions.shown.pins}
    return [exchange for exchange in history if exchange.candidate.id not in pinned]


def _take_chosen(request: PlanRequest, decisions: _Decisions) -> list[Candidate]:
    """Take the touchpoints whose level the user chose, as far as the whole budget allows; return the others."""
    others: list[Candidate] = []
    for candidate in request.touchpoints:
        is_forced = candidate.is_chosen and candidate.richest.detail.richness >= Detail.CARD.richness
        if not is_forced or candidate.is_stale or decisions.covered.by(candidate) is not None:
            others.append(candidate)
        elif candidate.richest.tokens > decisions.room_tokens:
            decisions.refuse(candidate, ReasonType.BUDGET)
        else:
            decisions.take(candidate, candidate.richest)
            decisions.shown.touchpoints.append((candidate, candidate.richest))
    return others


def _note_packing(request: PlanRequest, packing: Packing, decisions: _Decisions, bound: Limit) -> None:
    decisions.room_tokens -= packing.used_tokens
    # What the user chose has been taken first but stands where it ranks.
    ranks = {c.owner.id: rank for rank, c in enumerate(request.touchpoints) if c.owner is not None}
    ranks |= {candidate.id: rank for rank, candidate in enumerate(request.touchpoints)}
    shown = [*decisions.shown.touchpoints, *packing.shown.values()]
    decisions.shown.touchpoints = sorted(shown, key=lambda row: ranks[row[0].id])
    decisions.left_out.extend((c, c.levels[0], reason) for c, reason in packing.refused(bound))


def _anchor_of(request: PlanRequest) -> tuple[Candidate, ...]:
    return () if request.anchor is None else (request.anchor,)


def _take_anchor(request: PlanRequest, decisions: _Decisions) -> None:
    for anchor in _anchor_of(request):
        if anchor.richest.tokens > decisions.room_tokens:
            decisions.refuse(anchor, ReasonType.BUDGET)
        else:
            decisions.take(anchor, anchor.richest)
            decisions.shown.anchor.append((anchor, anchor.richest))


def _take_leases(request: PlanRequest, decisions: _Decisions, shown: Collection[ItemId]) -> None:
    """Take leased and ephemeral pins, the liveliest first, while their share lasts; ``shown`` are in already."""
    left, bound = int(request.limits.budget_tokens * LEASE_SHARE), decisions.limit
    for pin in sorted(request.pins, key=lambda pin: pin.rank):
        if pin.kind is PinKind.STICKY or pin.candidate.id in shown:
            continue
        before = decisions.room_tokens
        room = min(left, before)
        spare = before - room
        decisions.room_tokens, decisions.limit = room, Limit.LEASES if spare else bound
        _take_pin(pin, decisions, is_reserved=False)
        left -= room - decisions.room_tokens
        decisions.room_tokens += spare
    decisions.limit = bound


def _take_scaffold(request: PlanRequest, decisions: _Decisions) -> None:
    for candidate in request.scaffold:
        other = decisions.covered.by(candidate)
        if request.mode is ContextMode.OFF:
            decisions.refuse(candidate, ReasonType.MODE)
        elif candidate.is_stale:
            decisions.refuse(candidate, ReasonType.STALE)
        elif other is not None:
            decisions.refuse(candidate, ReasonType.DUPLICATE, other)
        elif candidate.richest.tokens > decisions.room_tokens:
            decisions.refuse(candidate, ReasonType.BUDGET)
        else:
            decisions.take(candidate, candidate.richest)
            decisions.shown.scaffold.append((candidate, candidate.richest))


def _take_blocks(request: PlanRequest, decisions: _Decisions) -> None:
    for block in request.blocks:
        if block.richest.tokens > decisions.room_tokens:
            decisions.refuse(block, ReasonType.BUDGET)
        else:
            decisions.take(block, block.richest)
            decisions.shown.blocks.append((block, block.richest))


def _take_history(older: list[Exchange], kept: list[Exchange], decisions: _Decisions, *, has_gaps: bool) -> None:
    """Take turns, most wanted first. Without gaps the first one that does not fit ends the history."""
    is_full = False
    for exchange in older:
        level = exchange.candidate.richest
        fits = level.tokens <= decisions.room_tokens
        is_full = is_full or not (fits or has_gaps)
        if is_full or not fits:
            decisions.refuse(exchange.candidate, ReasonType.OUTSIDE_WINDOW if is_full else ReasonType.BUDGET)
            continue
        decisions.take(exchange.candidate, level)
        kept.append(exchange)


def _result(request: PlanRequest, decisions: _Decisions, count: CountTokens) -> PlannedRequest:
    """Assemble the payload without secrets, count it, and number the plan."""
    request, decisions.shown, payload = cleared(request, decisions.shown, count)
    shown = decisions.shown.ordered(request)
    items = [included(candidate, level, section) for candidate, level, section in shown]
    rendered = zip(items, shown, strict=True)
    texts = {item.text: level.text for item, (_, level, _) in rendered if item.text is not None}
    items = each_once([*items, *(left_out(c, level, reason) for c, level, reason in decisions.left_out)])
    spent = sum(item.tokens for item in items if item.included)
    over_budget = list(decisions.over_budget)
    total = spent
    if not over_budget:
        counted = sum(_message_tokens(message, count) + request.message_overhead_tokens for message in payload.messages)
        counted += request.tools.candidate.richest.tokens if request.tools is not None else 0
        total = max(counted, spent)
        if total > request.limits.window_tokens:
            over_budget.append(request.message.id)
    sent: Payload | None = None if over_budget else payload
    payload_json = canonical_json(payload.wire)
    payload_hash = None if over_budget else text_hash(payload_json)
    if payload_hash is not None:
        texts[payload_hash] = payload_json
    made = ContextPlan(
        id=plan_id(request, items, payload_hash),
        retrieval_id=request.retrieval_id,
        mode=request.mode,
        model=request.model,
        tokenizer=request.tokenizer,
        index_revision=request.index_revision,
        strategy=request.strategy,
        strategy_settings=request.strategy_settings,
        prompt=request.prompt,
        limits=request.limits,
        tokens=total,
        overhead_tokens=total - spent,
        items=tuple(items),
        payload_hash=payload_hash,
        over_budget=tuple(over_budget),
        sources=_sources(request, items),
    )
    return PlannedRequest(plan=made, payload=sent, texts=tuple(sorted(texts.items())))


def _message_tokens(message: PayloadMessage, count: CountTokens) -> int:
    return count(message.content) + sum(call_tokens(call, count) for call in message.calls)


def _sources(request: PlanRequest, items: list[PlanItem]) -> tuple[SourceDigest, ...]:
    """Return the files whose text is in the payload, by path."""
    shown = {item.path for item in items if item.included and item.lines} & request.sources.keys()
    return tuple(SourceDigest(path, text_hash("\n".join(request.sources[path]))) for path in sorted(shown))
