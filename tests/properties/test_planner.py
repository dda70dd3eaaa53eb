"""What holds for every plan, whatever goes in."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

from examples import plan_examples
from hypothesis import given
from hypothesis import strategies as st
from plan_inputs import request as plan_request
from plan_inputs import requests, symbol_candidate, words

from ctxcode.context.candidate import PlanRequest
from ctxcode.context.planner import LEASE_SHARE, plan
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Detail, PlannedRequest, Reason, ReasonType, Section

EXAMPLES = plan_examples(250)


def offered(request: PlanRequest) -> set[ItemId]:
    candidates = [*(pin.candidate for pin in request.pins), *request.expired]
    candidates += [*request.scaffold, *request.touchpoints, request.system, request.message]
    candidates += [turn.candidate for turn in request.history]
    candidates += [*request.blocks, *(candidate for candidate, _ in request.untold)]
    return {candidate.id for candidate in candidates}


def a_plan_is_never_over_budget_unless_it_says_so_and_sends_nothing(
    request: PlanRequest, planned: PlannedRequest
) -> None:
    if planned.plan.over_budget:
        assert (None, None) == (planned.payload, planned.plan.payload_hash)
    else:
        assert planned.plan.active_tokens <= request.limits.budget_tokens
        assert planned.plan.tokens <= request.limits.window_tokens


def every_candidate_is_decided_exactly_once_and_with_a_reason(request: PlanRequest, planned: PlannedRequest) -> None:
    made = planned.plan
    assert Counter(offered(request)) == Counter(item.id for item in made.items)
    assert all(item.reasons for item in made.items)


def the_users_message_is_always_in_and_last(request: PlanRequest, planned: PlannedRequest) -> None:
    if planned.payload is not None:
        assert Section.MESSAGE == planned.plan.included[-1].section
        last = planned.payload.messages[-1]
        assert ("user", True) == (last.role, last.content.endswith(request.prompt))
        assert "system" == planned.payload.messages[0].role


def a_sticky_pin_is_in_or_the_plan_says_why_not(request: PlanRequest, planned: PlannedRequest) -> None:
    made = planned.plan
    for pin in request.pins:
        if pin.kind is PinKind.STICKY:
            assert pin.candidate.id in {item.id for item in made.items}


def leased_items_take_at_most_their_share(request: PlanRequest, planned: PlannedRequest) -> None:
    made = planned.plan
    leased = {pin.candidate.id for pin in request.pins if pin.kind is not PinKind.STICKY}
    spent = sum(item.tokens for item in made.included if item.section is Section.PIN and item.id in leased)
    assert spent <= request.limits.budget_tokens * LEASE_SHARE


def one_symbol_is_shown_once(request: PlanRequest, planned: PlannedRequest) -> None:
    made = planned.plan
    shown = Counter(item.symbol for item in made.included if item.symbol is not None)
    assert all(number == 1 for number in shown.values())
    bodies = [i for i in made.included if i.detail is Detail.BODY and i.symbol is not None]
    for body in bodies:
        inside = [
            item
            for item in made.included
            if item.section is Section.TOUCHPOINT
            and item.id != body.id
            and item.path == body.path
            and body.start_line <= item.start_line
            and item.end_line <= body.end_line
            and item.detail is Detail.BODY
        ]
        assert not inside


def what_the_user_dropped_is_out(request: PlanRequest, planned: PlannedRequest) -> None:
    made = planned.plan
    pinned = {pin.candidate.id for pin in request.pins}
    assert set() == {item.id for item in made.included} & (set(request.dropped) - pinned)


def items_and_overhead_add_up_to_the_whole_request(request: PlanRequest, planned: PlannedRequest) -> None:
    made = planned.plan
    assert made.tokens == sum(item.tokens for item in made.included) + made.overhead_tokens
    assert made.overhead_tokens >= 0


def history_keeps_its_order_and_has_no_holes_unless_the_strategy_wants_them(
    request: PlanRequest, planned: PlannedRequest
) -> None:
    made = planned.plan
    kept = [item.id for item in made.included if item.section is Section.HISTORY]
    if request.has_gaps:
        order = [turn.candidate.id for turn in request.history]
        assert kept == [item for item in order if item in kept]
        return
    pinned = {item.id for item in made.included if item.section is Section.PIN}
    gone = pinned | set(request.dropped)
    undropped = [turn.candidate.id for turn in request.history if turn.candidate.id not in gone]
    assert kept == undropped[len(undropped) - len(kept) :]


def the_turn_wanted_most_is_in_whenever_it_fits_what_must_be_in_leaves(
    request: PlanRequest, planned: PlannedRequest
) -> None:
    made = planned.plan
    undropped = [turn.candidate for turn in request.history if turn.candidate.id not in request.dropped]
    if made.over_budget or not undropped:
        return
    reserved = sum(
        item.tokens
        for item in made.included
        if item.section is Section.MESSAGE
        or any(pin.candidate.id == item.id and pin.kind is PinKind.STICKY for pin in request.pins)
    )
    room = min(request.limits.budget_tokens, request.limits.window_tokens - 500) - reserved
    if request.has_gaps:
        undropped = [
            min((turn for turn in request.history if turn.candidate in undropped), key=lambda t: t.rank).candidate
        ]
    newest = undropped[-1]
    if newest.richest.tokens <= room and not request.is_budget_explicit:
        assert newest.id in {item.id for item in made.included}


def a_lease_that_ended_is_not_sent_because_of_it(request: PlanRequest, planned: PlannedRequest) -> None:
    made = planned.plan
    pinned = {pin.candidate.id for pin in request.pins}
    offered_anew = {candidate.id for candidate in (*request.touchpoints, *request.scaffold)}
    ended = {candidate.id for candidate in request.expired} - pinned - offered_anew
    assert not ended & {item.id for item in made.included}
    for item in made.items:
        if item.id in ended:
            assert ReasonType.LEASE_EXPIRED is item.reasons[0].type


def the_same_request_gives_the_same_plan(request: PlanRequest, planned: PlannedRequest) -> None:
    assert planned == plan(request, words)


def an_explicit_budget_bounds_the_sum_of_all_included_items(request: PlanRequest, _planned: PlannedRequest) -> None:
    made = plan(replace(request, is_budget_explicit=True), words).plan
    assert sum(item.tokens for item in made.included) <= request.limits.budget_tokens


def nothing_is_retrieved_when_the_mode_is_off(request: PlanRequest, _planned: PlannedRequest) -> None:
    made = plan(replace(request, mode=ContextMode.OFF), words).plan
    assert [] == [i.id for i in made.included if i.section in (Section.TOUCHPOINT, Section.SCAFFOLD)]


PROMISES: tuple[Callable[[PlanRequest, PlannedRequest], None], ...] = (
    a_plan_is_never_over_budget_unless_it_says_so_and_sends_nothing,
    every_candidate_is_decided_exactly_once_and_with_a_reason,
    the_users_message_is_always_in_and_last,
    a_sticky_pin_is_in_or_the_plan_says_why_not,
    leased_items_take_at_most_their_share,
    one_symbol_is_shown_once,
    what_the_user_dropped_is_out,
    items_and_overhead_add_up_to_the_whole_request,
    history_keeps_its_order_and_has_no_holes_unless_the_strategy_wants_them,
    the_turn_wanted_most_is_in_whenever_it_fits_what_must_be_in_leaves,
    a_lease_that_ended_is_not_sent_because_of_it,
    the_same_request_gives_the_same_plan,
    an_explicit_budget_bounds_the_sum_of_all_included_items,
    nothing_is_retrieved_when_the_mode_is_off,
)


@EXAMPLES
@given(requests())
def test_every_plan_keeps_every_promise(request: PlanRequest) -> None:
    planned = plan(request, words)
    for holds in PROMISES:
        holds(request, planned)


def test_a_symbol_that_is_central_and_retrieved_has_one_row_with_both_reasons() -> None:
    twice = [symbol_candidate(0, section=section) for section in (Section.SCAFFOLD, Section.TOUCHPOINT)]
    central = replace(twice[0], score=0.0, reasons=(Reason(ReasonType.CENTRAL, 0.1),), levels=twice[0].levels[:2])
    for mode, section, detail in (
        (ContextMode.LIGHT, Section.SCAFFOLD, Detail.CARD),
        (ContextMode.HEAVY, Section.TOUCHPOINT, Detail.BODY),
    ):
        made = plan(plan_request(scaffold=[central], touchpoints=[twice[1]], mode=mode), words).plan
        (row,) = [item for item in made.items if item.symbol is not None]
        assert (True, section, detail, 1.0) == (row.included, row.section, row.detail, row.score)
        assert {ReasonType.CENTRAL, ReasonType.LEXICAL} == {reason.type for reason in row.reasons}


@EXAMPLES
@given(requests(), st.randoms(use_true_random=False))
def test_the_order_in_which_leases_are_given_does_not_matter(request: PlanRequest, order: Random) -> None:
    leases = [pin for pin in request.pins if pin.kind is not PinKind.STICKY]
    sticky = [pin for pin in request.pins if pin.kind is PinKind.STICKY]
    shuffled = order.sample(leases, len(leases))
    one, other = (plan(replace(request, pins=(*sticky, *rows)), words).payload for rows in (leases, shuffled))
    assert one == other
