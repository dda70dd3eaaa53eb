"""What the shipped strategies choose, and that the invariants find out those that break them."""

import itertools
from dataclasses import dataclass, field, replace
from typing import ClassVar

import pytest
from plan_inputs import words
from talk import asked, talk, turn

from ctxcode.context.strategies.conversation_state import importance, wanted_factor
from ctxcode.context.strategies.dual_track import DualTrack
from ctxcode.context.strategies.invariants import breaches
from ctxcode.context.strategies.port import (
    Block,
    Completed,
    ComposeRequest,
    ContextStrategy,
    LeftOut,
    Memory,
    Offer,
    Proposal,
)
from ctxcode.context.strategies.rolling_summary import RollingSummary
from ctxcode.context.strategies.semantic_window import SemanticWindow
from ctxcode.context.strategies.sliding_window import SlidingWindow
from ctxcode.model.conversation import ToolCall, ToolResult, ToolRound, ToolStatus, Turn
from ctxcode.model.errors import ModelError
from ctxcode.model.plan import ReasonType

SHIPPED: tuple[ContextStrategy, ...] = (
    SlidingWindow(),
    RollingSummary(),
    RollingSummary(threshold=2, folds=1),
    SemanticWindow(),
    SemanticWindow(half_life=0.5, similarity=0.1, related=0, adapts=False),
    DualTrack(),
    DualTrack(findings=1, trim_from=1, urgent_from=2, emergency_from=13),
)


@pytest.mark.parametrize("strategy", SHIPPED, ids=repr)
async def test_every_shipped_strategy_keeps_the_invariants(strategy: ContextStrategy) -> None:
    assert () == await breaches(strategy)


@dataclass
class Bad:
    """Answers with what a test makes it answer."""

    name: ClassVar[str] = "bad"
    fault: str = ""
    seen: list[int] = field(default_factory=list)

    async def compose(self, request: ComposeRequest) -> Proposal:
        sound = await SlidingWindow().compose(request)
        newest = request.history[-1].number if request.history else 0
        match self.fault:
            case "forgets the newest":
                offers = tuple(offer for offer in sound.offers if offer.turn != newest)
                return replace(sound, offers=offers, left_out=(*sound.left_out, LeftOut(newest, newest)))
            case "says nothing":
                return Proposal()
            case "offers twice":
                return replace(sound, offers=sound.offers * 2)
            case "invents a turn":
                return replace(sound, offers=(*sound.offers, Offer(999)))
            case "wants too much":
                return replace(sound, budget_tokens=request.budget_tokens * 10)
            case "sends an empty block":
                return replace(sound, blocks=(Block("empty", "Nothing", " \n"),))
            case "names two blocks alike":
                return replace(sound, blocks=(Block("one", "One", "1"), Block("one", "Two", "2")))
            case "keeps count":
                self.seen.append(request.turn)
        return sound

    async def on_turn_complete(self, done: Completed) -> Memory | None:
        return Memory("x", done.history[-1].number + 5) if self.fault == "stands for the future" else None


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("forgets the newest", "neither offers the newest turn"),
        ("says nothing", "says nothing of turn 1"),
        ("offers twice", "offers a turn twice"),
        ("invents a turn", "offers turn 999"),
        ("wants too much", "wants an active context"),
        ("sends an empty block", "is empty"),
        ("names two blocks alike", "two blocks of one name"),
        ("keeps count", "changes something"),
        ("stands for the future", "stands for turns there are not"),
    ],
)
async def test_the_invariants_find_what_a_strategy_does_wrong(fault: str, said: str) -> None:
    found = await breaches(Bad(fault))
    assert any(said in sentence for sentence in found), found


async def test_the_window_takes_the_newest_and_looks_at_no_more_than_fits() -> None:
    history = talk(*(f"question {number}" for number in range(1_000)))
    looked_at: list[int] = []
    request = asked(history, budget=40)

    def tokens_of(one: Turn) -> int:
        looked_at.append(one.number)
        return request.tokens_of(one)

    made = await SlidingWindow().compose(replace(request, tokens_of=tokens_of))
    assert [1000, 999, 998] == [offer.turn for offer in made.offers[:3]]
    assert len(looked_at) == len(made.offers) < 20
    assert (LeftOut(1, 1000 - len(made.offers)),) == made.left_out
    assert [1000, 999] == [offer.turn for offer in (await SlidingWindow().compose(asked(history, window=2))).offers]


class Pen:
    """Writes what it is told to, and keeps what it was asked."""

    def __init__(self, reply: str | None = "the summary") -> None:
        self.reply = reply
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, instruction: str, text: str, *, model: str = "") -> str:
        self.asked.append((text, model))
        if self.reply is None:
            raise ModelError("No model is there.")
        return self.reply


def completed(turns: int, pen: Pen, memory: Memory | None = None, declined: int = 0) -> Completed:
    history = talk(*(f"question {number}" for number in range(1, turns + 1)))
    return Completed(history, memory or Memory(), declined, 1_000, words, pen)


async def test_the_oldest_five_are_folded_when_there_are_more_than_ten() -> None:
    pen = Pen()
    strategy = RollingSummary(compression_model="openai/small")
    assert None is await strategy.on_turn_complete(completed(10, pen))
    assert [] == pen.asked
    assert Memory("the summary", 5, "turns 1–5 folded into a summary") == await strategy.on_turn_complete(
        completed(11, pen)
    )
    ((text, model),) = pen.asked
    assert ("openai/small", True, False) == (model, "question 5" in text, "question 6" in text)
    assert None is await strategy.on_turn_complete(completed(15, pen, Memory("the summary", 5)))
    made = await strategy.on_turn_complete(completed(16, pen, Memory("the summary", 5)))
    assert (10, True) == (made and made.through, "the summary" in pen.asked[-1][0])


async def test_a_long_session_is_folded_step_by_step_and_what_was_taken_back_waits() -> None:
    made = await RollingSummary().on_turn_complete(completed(100, Pen()))
    assert made is not None
    assert 20 == made.through
    assert None is await RollingSummary().on_turn_complete(completed(12, Pen(), declined=5))
    again = await RollingSummary().on_turn_complete(completed(16, Pen(), declined=5))
    assert 10 == (again and again.through)


@pytest.mark.parametrize("turns", [1, 2, 3, 21, 22, 50, 1_003])
async def test_folding_all_ends_with_the_newest_turn_left(turns: int) -> None:
    memory = Memory()
    while (once := RollingSummary().folding_all(completed(turns, Pen()).history, memory.through)) is not None:
        made = await once.on_turn_complete(completed(turns, Pen(), memory))
        assert made is not None
        assert memory.through < made.through <= memory.through + 80
        memory = made
    assert turns - 1 == memory.through


async def test_the_turns_stay_whole_until_the_summary_is_there() -> None:
    history = talk(*(f"question {number}" for number in range(1, 12)))
    before = await RollingSummary().compose(asked(history))
    assert (11, ()) == (len(before.offers), before.blocks)
    after = await RollingSummary().compose(asked(history, memory=Memory("the summary", 5)))
    assert ([11, 10, 9, 8, 7, 6], "the summary") == ([offer.turn for offer in after.offers], after.blocks[0].text)
    assert [(1, 5, ReasonType.STRATEGY)] == [(row.first, row.last, row.reason.type) for row in after.left_out]


@pytest.mark.parametrize(("threshold", "folds"), [(0, 5), (10, 0), (3, 4)])
def test_numbers_that_leave_no_turn_whole_are_refused(threshold: int, folds: int) -> None:
    with pytest.raises(ValueError, match="threshold"):
        RollingSummary(threshold, folds)


async def test_an_old_turn_about_the_question_is_brought_back_whole_and_once() -> None:
    others = [f"tell me of widget {number} and its colour" for number in range(80)]
    history = talk("how does the retry backoff jitter work", *others)
    made = await SemanticWindow().compose(asked(history, "the retry backoff jitter again please", budget=100))
    back = next(offer for offer in made.offers if offer.turn == 1)
    assert ReasonType.LEXICAL is back.reasons[0].type
    assert back.score >= 0.3
    assert {"backoff", "jitter", "retry"} <= set(back.reasons[0].terms)
    numbers = [offer.turn for offer in made.offers]
    assert (81, len(set(numbers))) == (numbers[0], len(numbers))
    only_on = await SemanticWindow().compose(asked(history, "continue", budget=100))
    assert 1 not in [offer.turn for offer in only_on.offers]


async def test_what_is_nearly_about_the_question_says_so() -> None:
    others = [f"tell me of widget {number} and its colour" for number in range(80)]
    history = talk("how does the retry backoff jitter work", *others)
    made = await SemanticWindow(similarity=0.99).compose(asked(history, "retry with a paper umbrella", budget=100))
    (row,) = [row for row in made.left_out if row.reason.type is ReasonType.BELOW_THRESHOLD]
    assert (1, 1, ("retry",)) == (row.first, row.last, row.reason.terms)


async def test_recency_is_a_half_after_its_half_life() -> None:
    history = talk(*(f"question {number}" for number in range(1, 22)))
    made = await SemanticWindow(half_life=5).compose(asked(history, "continue"))
    recency = {offer.turn: offer.reasons[0].weight for offer in made.offers}
    assert (1.0, 0.5, 0.25) == (recency[21], recency[16], recency[11])


async def test_what_matters_for_the_question_outweighs_what_is_only_newer() -> None:
    history = (turn(1, "the parser cache key"), turn(2, "colours"), turn(3, "fonts"), turn(4, "thanks"))
    made = await SemanticWindow().compose(asked(history, "why is the parser cache key wrong"))
    assert [4, 1, 3, 2] == [offer.turn for offer in made.offers]
    flagged = (turn(1, "colours"), turn(2, "we decided on blue"), turn(3, "thanks"))
    made = await SemanticWindow(half_life=1_000).compose(asked(flagged, "continue"))
    assert [3, 2, 1] == [offer.turn for offer in made.offers]
    assert ("decision",) == next(offer for offer in made.offers if offer.turn == 2).reasons[-1].terms


async def test_the_active_context_moves_by_a_quarter_at_most_between_half_and_four_times() -> None:
    hard = tuple(
        turn(n, f"Traceback (most recent call last): KeyError in thread {n}? " + "x" * 600, "```py\nfix\n```")
        for n in range(1, 40)
    )
    sizes, memory = [1_000], Memory()
    for end in range(1, 40):
        made = await SemanticWindow().compose(asked(hard[: end - 1], hard[end - 1].prompt, memory=memory))
        sizes.append(made.budget_tokens or 0)
        done = Completed(hard[:end], memory, 0, 1_000, words, Pen())
        memory = await SemanticWindow().on_turn_complete(done) or memory
        assert str(sizes[-1]) == memory.text
    assert all(abs(after - before) <= 250 for before, after in itertools.pairwise(sizes))
    assert 4_000 == max(sizes)
    calm = tuple(turn(number, "thanks", "you are welcome") for number in range(1, 30))
    for end in range(1, 30):
        memory = await SemanticWindow().on_turn_complete(replace(done, history=calm[:end], memory=memory)) or memory
    assert "500" == memory.text


def looked(number: int, *found: tuple[str, str]) -> Turn:
    """Return a turn in which tools were called: (path, what was found)."""
    calls = tuple(ToolCall(f"c{number}{n}", "read_file", path) for n, (path, _) in enumerate(found))
    results = tuple(ToolResult(ToolStatus.OK if text else ToolStatus.FAILED, text) for _, text in found)
    return replace(turn(number), rounds=(ToolRound("", calls, results),))


async def test_findings_stand_apart_once_each_and_the_talk_is_trimmed_as_the_turn_goes_on() -> None:
    history = (
        looked(1, ("a.py", "old a"), ("b.py", "b")),
        looked(2, ("broken.py", "")),
        looked(3, ("a.py", "new a"), ("c.py", "c")),
        turn(4),
    )
    sent = {}
    for iteration in (0, 10, 15, 20):
        made = await DualTrack().compose(replace(asked(history), iteration=iteration))
        sent[iteration] = [offer.turn for offer in made.offers]
        assert all(offer.is_bare for offer in made.offers)
        (block,) = made.blocks
        assert ("old a" in block.text, "broken" in block.text) == (False, False)
    assert {0: [4, 3, 2, 1], 10: [4, 3], 15: [4], 20: [4]} == sent
    whole = (await DualTrack().compose(asked(history))).blocks[0].text
    assert whole.index("read_file b.py") < whole.index("new a") < whole.index("read_file c.py")
    few = (await DualTrack(findings=1).compose(asked(history))).blocks[0].text
    assert ("read_file c.py" in few, "new a" in few) == (True, False)
    assert () == (await DualTrack().compose(asked(talk("one")))).blocks


async def test_tool_calls_and_results_are_part_of_what_is_summarised() -> None:
    pen = Pen()
    history = (looked(1, ("a.py", "the finding")), *talk("x", "one", "two", "three")[1:])
    await RollingSummary(threshold=2, folds=1).on_turn_complete(Completed(history, Memory(), 0, 1_000, words, pen))
    assert "Tool: read_file a.py\nthe finding" in pen.asked[0][0]


async def test_a_failing_model_leaves_the_memory_as_it_was() -> None:
    with pytest.raises(ModelError):
        await RollingSummary().on_turn_complete(completed(11, Pen(None)))


async def test_a_window_at_half_the_budget_keeps_the_newest_turns_of_any_strategy() -> None:
    history = talk(*(f"question {number} about the same words" for number in range(1, 30)))
    for strategy in SHIPPED:
        wide, tight = [await strategy.compose(asked(history, budget=size)) for size in (400, 200)]
        assert (29, 29) == (wide.offers[0].turn, tight.offers[0].turn)
        if not isinstance(strategy, SemanticWindow):
            assert {offer.turn for offer in tight.offers} <= {offer.turn for offer in wide.offers}


async def test_scores_tell_turns_apart_that_both_matter() -> None:
    good = turn(1, "the parser cache key", "we decided: ```py\nfix\n```")
    better = turn(2, "the parser cache key", "we decided: ```py\nfix\n``` and Traceback (most recent call last)")
    flags = [tuple(flag for flag, _ in importance(one)) for one in (good, replace(better, prompt=better.reply))]
    assert (("decision", "code"), ("error", "decision", "code")) == tuple(flags)
    made = await SemanticWindow(half_life=10_000).compose(asked((good, replace(better, prompt=better.reply), turn(3))))
    scores = {offer.turn: offer.score for offer in made.offers}
    assert scores[2] != scores[1]


@pytest.mark.parametrize(
    ("prompt", "factor"),
    [
        ("fix the bug in this function", 2.0),
        ("the code of this class raises an error", 2.0),
        ("implement a function", 1.5),
        ("where is it", 1.3),
        ("thanks", 1.0),
    ],
)
def test_who_debugs_code_is_debugging_although_code_is_spoken_of(prompt: str, factor: float) -> None:
    assert factor == wanted_factor((), prompt)
