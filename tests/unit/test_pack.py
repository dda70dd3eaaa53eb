"""Which touchpoints are shown fully, and which by a line."""

from dataclasses import replace

from plan_inputs import file_candidate, request, symbol_candidate, words

from ctxcode.context.candidate import Candidate, PinnedCandidate, PlanRequest
from ctxcode.context.mode import HEAVY, LIGHT, ModeLimits
from ctxcode.context.pack import Covered, Packing, packed
from ctxcode.context.planner import plan
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Detail, Limit, ReasonType


def scored(number: int, score: float, body: int) -> Candidate:
    return replace(symbol_candidate(number, path=f"m{number}.py", body=body), score=score)


def pack(candidates: list[Candidate], room: int, limits: ModeLimits = HEAVY, max_rich: int = 24) -> Packing:
    return packed(candidates, Covered(), limits, room_tokens=room, max_rich=max_rich, count=words)


def details(packing: Packing) -> list[tuple[str, Detail]]:
    return [(candidate.title, level.detail) for candidate, level in packing.shown.values()]


def test_of_two_nearly_equal_ones_the_shorter_body_is_shown() -> None:
    filler = [scored(number, 1.2, 10) for number in range(3)]
    packing = pack([*filler, scored(3, 1.01, 120), scored(4, 1.0, 30)], room=130)
    assert ("s4", Detail.BODY) in details(packing)
    assert ("s3", Detail.SIGNATURE) in details(packing)


def test_a_much_better_long_body_is_shown_before_a_short_one() -> None:
    filler = [scored(number, 2.0, 10) for number in range(3)]
    packing = pack([*filler, scored(3, 1.9, 60), scored(4, 1.0, 50)], room=150)
    assert ("s3", Detail.BODY) in details(packing)
    assert ("s4", Detail.SIGNATURE) in details(packing)


def test_what_is_shown_stays_in_rank_order() -> None:
    packing = pack([scored(0, 1.0, 60), scored(1, 0.99, 10), scored(2, 0.98, 20)], room=400)
    assert ["s0", "s1", "s2"] == [title for title, _ in details(packing)]


def test_the_very_best_is_shown_in_part_when_its_body_does_not_fit() -> None:
    packing = pack([scored(0, 1.0, 5_000)], room=200)
    assert [("s0", Detail.CARD)] == details(packing)


def test_in_light_cards_go_by_rank_alone() -> None:
    packing = pack([scored(0, 1.0, 5_000), scored(1, 0.9, 10)], room=60, limits=LIGHT)
    assert [("s0", Detail.CARD), ("s1", Detail.CARD)] == details(packing)


def test_no_more_are_rich_than_allowed() -> None:
    packing = pack([scored(number, 1.0, 5) for number in range(9)], room=1_000, max_rich=2)
    assert 2 == sum(detail is Detail.BODY for _, detail in details(packing))


def test_scores_of_nought_are_no_trouble() -> None:
    packing = pack([scored(0, 0.0, 30), scored(1, 0.0, 20)], room=400)
    assert [("s0", Detail.BODY), ("s1", Detail.BODY)] == details(packing)


def in_class(number: int, owner: int = 1) -> Candidate:
    """Return what stands in the type that is symbol ``owner`` of the same file."""
    inner = symbol_candidate(number)
    return replace(inner, owner=symbol_candidate(owner), below_owner=replace(inner.levels[0], tokens=2))


def tokens(packing: Packing) -> list[tuple[str, int]]:
    return [(candidate.title, level.tokens) for candidate, level in packing.shown.values()]


TAIL = replace(HEAVY, rich_share=0.0)


def test_the_line_of_a_class_comes_before_the_first_signature_in_it() -> None:
    packing = pack([in_class(3), in_class(2), symbol_candidate(5)], room=100, limits=TAIL)
    assert [("s1", 7), ("s3", 2), ("s2", 2), ("s5", 4)] == tokens(packing)
    assert sum(spent for _, spent in tokens(packing)) == packing.used_tokens


def test_a_class_that_was_found_itself_is_named_once() -> None:
    assert [("s1", 7), ("s3", 2)] == tokens(pack([in_class(3), symbol_candidate(1)], room=100, limits=TAIL))
    assert [("s1", 7), ("s3", 2)] == tokens(pack([symbol_candidate(1), in_class(3)], room=100, limits=TAIL))


def test_a_signature_that_has_no_room_with_the_line_of_its_class_is_left_out() -> None:
    packing = pack([in_class(3), symbol_candidate(5)], room=7, limits=TAIL)
    assert [("s5", 7)] == tokens(packing)
    assert ["s3"] == [candidate.title for candidate, _ in packing.left_out.values()]


def test_below_a_class_shown_fully_a_signature_names_the_class_itself() -> None:
    card_only = replace(symbol_candidate(1), levels=symbol_candidate(1).levels[:2])
    packing = pack([card_only, in_class(3)], room=20, limits=replace(HEAVY, rich_share=0.7), max_rich=1)
    assert [("s1", 13), ("s3", 7)] == tokens(packing)


def test_signatures_stand_below_their_class_which_is_named_once() -> None:
    shown = [in_class(3), symbol_candidate(5), in_class(2), in_class(8, owner=7)]
    lines_only = [replace(candidate, levels=candidate.levels[:1]) for candidate in shown]
    planned = plan(request(touchpoints=lines_only, mode=ContextMode.HEAVY), words)
    shown_titles = [item.title for item in planned.plan.items if item.included and item.path]
    assert ["s1", "s2", "s3", "s5", "s7", "s8"] == shown_titles


def test_what_the_user_dropped_does_not_come_back_as_the_line_of_a_class() -> None:
    one = in_class(3)
    assert one.owner is not None
    planned = plan(request(touchpoints=[one], mode=ContextMode.HEAVY, dropped=[one.owner.id]), words)
    assert ["s3"] == [item.title for item in planned.plan.items if item.included and item.path]


def in_file(number: int, path: str, score: float) -> Candidate:
    return replace(symbol_candidate(number, path=path), score=score)


def test_the_first_line_of_a_file_comes_before_one_more_of_another_that_is_hardly_better() -> None:
    found = [in_file(1, "a.py", 0.5), in_file(2, "a.py", 0.41), in_file(3, "b.py", 0.4), in_file(4, "b.py", 0.39)]
    assert ["s1", "s3", "s2", "s4"] == [title for title, _ in tokens(pack(found, room=100, limits=TAIL))]


def test_one_more_line_of_a_file_comes_before_the_first_of_another_that_is_much_worse() -> None:
    found = [in_file(1, "a.py", 0.5), in_file(2, "a.py", 0.4), in_file(3, "b.py", 0.3)]
    assert ["s1", "s2", "s3"] == [title for title, _ in tokens(pack(found, room=100, limits=TAIL))]


def test_a_file_of_which_more_is_shown_is_no_further_one() -> None:
    rich = replace(in_file(1, "a.py", 1.0), levels=scored(1, 1.0, 5).levels)
    found = [rich, in_file(2, "b.py", 0.41), in_file(3, "b.py", 0.405), in_file(4, "a.py", 0.4)]
    packing = pack(found, room=100, limits=replace(HEAVY, rich_share=0.3), max_rich=1)
    assert ["s1", "s2", "s3", "s4"] == [title for title, _ in tokens(packing)]


def test_what_was_named_stays_before_what_only_scores_more() -> None:
    found = [in_file(1, "a.py", 0.2), in_file(2, "a.py", 0.1), in_file(3, "b.py", 0.9), in_file(4, "b.py", 0.8)]
    assert ["s1", "s3", "s2", "s4"] == [title for title, _ in tokens(pack(found, room=100, limits=TAIL))]


def long_class(number: int, score: float, body: int = 40) -> Candidate:
    return replace(scored(number, score, body), kind="class", start_line=1, end_line=60)


def test_of_a_long_class_among_others_its_card_is_shown_and_their_bodies() -> None:
    others = [scored(number, 0.9, 30) for number in range(1, 6)]
    packing = pack([long_class(0, 1.0), *others], room=250)
    assert [("s0", Detail.CARD), *((f"s{number}", Detail.BODY) for number in range(1, 6))] == details(packing)


def test_a_long_class_that_is_not_among_the_very_best_gets_a_line_there() -> None:
    others = [scored(number, 1.0, 35) for number in range(5)]
    assert ("s9", Detail.SIGNATURE) in details(pack([*others, long_class(9, 0.99)], room=250))


def test_a_long_class_is_shown_whole_where_nothing_else_needs_the_room() -> None:
    packing = pack([long_class(0, 1.0), scored(1, 0.9, 30)], room=250)
    assert [("s0", Detail.BODY), ("s1", Detail.BODY)] == details(packing)


def test_a_long_class_is_no_second_text_of_what_stands_in_it() -> None:
    inner = replace(scored(1, 1.0, 30), path="m0.py", start_line=5, end_line=9)
    packing = pack([inner, long_class(0, 0.9)], room=250)
    assert [("s1", Detail.BODY), ("s0", Detail.CARD)] == details(packing)


def test_a_long_function_is_shown_whole_as_before() -> None:
    packing = pack([replace(long_class(0, 1.0), kind="function"), scored(1, 0.9, 170)], room=250)
    assert ("s0", Detail.BODY) in details(packing)


def test_a_card_that_shows_all_lines_covers_what_stands_in_them() -> None:
    outer, inner = scored(0, 1.0, 10), scored(1, 0.9, 10)
    signature, card = outer.levels[:2]
    whole = replace(card, lines=((1, 9),))
    outer = replace(outer, start_line=1, end_line=9, levels=(signature, whole))
    inner = replace(inner, path=outer.path, start_line=3, end_line=6, levels=inner.levels[:2])
    assert [("s0", Detail.CARD)] == details(pack([outer, inner], room=500, limits=LIGHT))
    part = replace(outer, levels=(signature, replace(card, lines=((1, 6),))))
    assert 2 == len(details(pack([part, inner], room=500, limits=LIGHT)))


def test_what_is_left_out_says_which_limit_it_was() -> None:
    rows = [scored(number, 1.0, 200) for number in range(200)]

    def bounds(asked: PlanRequest) -> set[str]:
        made = plan(asked, words).plan
        return {item.reasons[0].subject for item in made.excluded if item.reasons[0].type is ReasonType.BUDGET}

    assert {"mode"} == bounds(request(touchpoints=rows))
    assert {""} == bounds(request(touchpoints=rows, is_budget_explicit=True))
    large = request(touchpoints=rows, budget=100_000, window=1000)
    assert {"window"} == bounds(large) == bounds(replace(large, is_budget_explicit=True))


def test_a_pin_that_does_not_fit_the_share_of_leases_says_so() -> None:
    (lease, other) = (PinnedCandidate(file_candidate(f"f{size}.py", size), PinKind.LEASED, 3) for size in (400, 2000))
    made = plan(request(pins=[lease, other], budget=1000), words).plan
    assert {"f400.py": Limit.LEASES, "f2000.py": Limit.LEASES} == {i.title: i.reasons[0].subject for i in made.excluded}
    made = plan(request(pins=[other], window=200), words).plan
    assert [Limit.WINDOW] == [item.reasons[0].subject for item in made.excluded]
