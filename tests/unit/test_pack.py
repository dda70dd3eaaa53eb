"""Which touchpoints are shown fully, and which by a line."""

from dataclasses import replace

from plan_inputs import request, symbol_candidate, words

from ctxcode.context.candidate import Candidate, OwnerRow
from ctxcode.context.mode import HEAVY, LIGHT, ModeLimits
from ctxcode.context.pack import Covered, Packing, packed
from ctxcode.context.planner import plan
from ctxcode.model.plan import ContextMode, Detail


def scored(number: int, score: float, body: int) -> Candidate:
    return replace(symbol_candidate(number, path=f"m{number}.py", body=body), score=score)


def pack(candidates: list[Candidate], room: int, limits: ModeLimits = HEAVY, max_rich: int = 24) -> Packing:
    return packed(candidates, Covered(), limits, room_tokens=room, max_rich=max_rich)


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
    row = OwnerRow(f"a.py::s{owner}", f"{owner * 10 + 1} class s{owner}\n", 4, owner * 10 + 1, symbol_candidate(owner))
    return replace(symbol_candidate(number), owner=row)


TAIL = replace(HEAVY, rich_share=0.0)


def test_the_line_of_a_class_above_its_signatures_is_an_item_of_its_own() -> None:
    packing = pack([in_class(3), in_class(2), symbol_candidate(5)], room=100, limits=TAIL)
    assert [4, 6, 4, 4] == [level.tokens for _, level in packing.shown.values()]
    owner, level = next(iter(packing.shown.values()))
    assert symbol_candidate(1).id == owner.id
    assert ((11, 11),) == level.lines


def test_a_class_stands_above_its_signatures_once() -> None:
    packing = pack([in_class(3), symbol_candidate(1)], room=100, limits=TAIL)
    assert [4, 6] == [level.tokens for _, level in packing.shown.values()]
    packing = pack([symbol_candidate(1), in_class(3)], room=100, limits=TAIL)
    assert [6, 4] == [level.tokens for _, level in packing.shown.values()]


def test_signatures_stand_below_their_class_which_is_named_once() -> None:
    shown = [in_class(3), symbol_candidate(5), in_class(2), in_class(8, owner=7)]
    lines_only = [replace(candidate, levels=candidate.levels[:1]) for candidate in shown]
    planned = plan(request(touchpoints=lines_only, mode=ContextMode.HEAVY), words)
    assert planned.payload is not None
    text = planned.payload.messages[-1].content
    assert 1 == text.count("11 class s1\n")
    assert 1 == text.count("71 class s7\n")
    assert text.index("11 class s1") < text.index("71 class s7")
