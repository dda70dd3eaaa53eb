from dataclasses import replace

from hypothesis import given, settings
from plan_inputs import request, requests, symbol_candidate, words

from ctxcode.context.candidate import PinnedCandidate, PlanRequest
from ctxcode.context.difference import difference
from ctxcode.context.planner import plan
from ctxcode.model.engine.difference import ChangeKind
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Detail, ReasonType, Section
from ctxcode.tui.bill.difference import difference_lines
from ctxcode.tui.glyphs import ASCII, UNICODE

EXAMPLES = settings(max_examples=200, deadline=None)


@EXAMPLES
@given(requests())
def test_a_plan_does_not_differ_from_itself(asked: PlanRequest) -> None:
    made = plan(asked, words).plan
    found = difference(made, made)
    assert ((), ()) == (found.settings, found.changes)
    assert len(made.included) == found.unchanged == found.kept_prefix


@EXAMPLES
@given(requests(), requests())
def test_the_changes_lead_from_one_payload_to_the_other(first: PlanRequest, second: PlanRequest) -> None:
    before, after = plan(first, words).plan, plan(second, words).plan
    made = difference(before, after)
    ids = {item.id for item in before.included}
    for change in made.changes:
        if change.kind is ChangeKind.ENTERED:
            assert change.item.id not in ids
            ids.add(change.item.id)
        elif change.kind is ChangeKind.LEFT:
            ids.remove(change.item.id)
        else:
            assert change.item.id in ids
    assert {item.id for item in after.included} == ids
    spent = [sum(item.tokens for item in made_plan.included) for made_plan in (before, after)]
    same_level = spent[1] - spent[0] - sum(change.tokens for change in made.changes)
    unchanged = {item.id for item in after.included} - {change.item.id for change in made.changes}
    old = {item.id: item for item in before.included}
    assert same_level == sum(item.tokens - old[item.id].tokens for item in after.included if item.id in unchanged)


@EXAMPLES
@given(requests(), requests())
def test_there_is_a_line_for_every_change(first: PlanRequest, second: PlanRequest) -> None:
    made = difference(plan(first, words).plan, plan(second, words).plan)
    assert len(made.changes) <= len(difference_lines(made))


def test_it_says_why_an_item_left_and_what_was_set_differently() -> None:
    light = request(touchpoints=[symbol_candidate(1)])
    before, after = plan(light, words).plan, plan(replace(light, mode=ContextMode.OFF), words).plan
    made = difference(before, after)
    assert [("mode", "light", "off")] == [(row.name, row.before, row.after) for row in made.settings]
    (left,) = made.changes
    assert (ChangeKind.LEFT, [ReasonType.MODE]) == (left.kind, [reason.type for reason in left.reasons])
    assert left.tokens < 0


def test_a_card_that_becomes_a_pinned_body_is_richer() -> None:
    card = symbol_candidate(1)
    pin = PinnedCandidate(replace(card, section=Section.PIN), PinKind.STICKY)
    made = difference(
        plan(request(touchpoints=[card]), words).plan, plan(request(touchpoints=[card], pins=[pin]), words).plan
    )
    assert [ChangeKind.RICHER] == [change.kind for change in made.changes]


def test_in_forty_cells_nothing_collides_and_no_number_is_cut() -> None:
    light = request(touchpoints=[symbol_candidate(1)])
    before, after = plan(light, words).plan, plan(replace(light, mode=ContextMode.OFF), words).plan
    lines = difference_lines(difference(before, after), 32)
    to, tokens = UNICODE.arrow, [f"{made.tokens:,}" for made in (before, after)]
    assert [f"plan {before.id[:8]} {to} {after.id[:8]}", f"  {tokens[0]} {to} {tokens[1]} tok"] == lines[:2]
    (change,) = difference(before, after).changes
    at = next(number for number, line in enumerate(lines) if line.startswith("- "))
    assert lines[at].endswith(f" {change.tokens:+,}")
    assert "  this mode leaves it out" == lines[at + 1]
    assert 32 >= max(len(line) for line in lines[:-1])


def test_arrows_say_what_is_shown_of_more_and_less() -> None:
    before = plan(request(touchpoints=[symbol_candidate(1)]), words).plan
    richer = tuple(replace(item, detail=Detail.BODY) if item.symbol else item for item in before.items)
    after = replace(before, items=richer)
    for one, other, signs in ((before, after, "↑^"), (after, before, "↓v")):
        made = difference(one, other)
        assert [1, 1] == [
            sum(line.startswith(f"{sign} ") for line in difference_lines(made, glyphs=glyphs))
            for sign, glyphs in zip(signs, (UNICODE, ASCII), strict=True)
        ]
