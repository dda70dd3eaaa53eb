"""Builds plan requests for tests: small worlds whose every token is counted in words."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from ctxcode.context.candidate import Candidate, Exchange, Level, PinnedCandidate, PlanRequest
from ctxcode.context.candidates import message_candidate, system_candidate
from ctxcode.model.ids import ItemId, RetrievalId, SymbolId, file_item, symbol_item
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Detail, PlanLimits, Reason, ReasonType, Section


def words(text: str) -> int:
    """Count tokens the simple way: one a word, one a line break."""
    return len(text.split()) + text.count("\n")


def level(detail: Detail, size: int, lines: tuple[int, int]) -> Level:
    """Return a rendering of about ``size`` tokens."""
    text = "word " * size + "\n"
    return Level(detail, text, words(text), (lines,))


def symbol_candidate(
    number: int,
    *,
    path: str = "a.py",
    span: tuple[int, int] | None = None,
    body: int = 40,
    section: Section = Section.TOUCHPOINT,
) -> Candidate:
    """Return a symbol with a signature, a card and a body."""
    start, end = span or (number * 10 + 1, number * 10 + 9)
    symbol = SymbolId(f"{path}::s{number}")
    return Candidate(
        id=symbol_item(symbol),
        section=section,
        kind="function",
        title=f"s{number}",
        levels=(
            level(Detail.SIGNATURE, 3, (start, start)),
            level(Detail.CARD, 12, (start, min(start + 5, end))),
            level(Detail.BODY, body, (start, end)),
        ),
        score=1 / (number + 1),
        reasons=(Reason(ReasonType.LEXICAL, 0.5, ("word",)),),
        symbol=symbol,
        dotted=f"a.s{number}",
        path=path,
        start_line=start,
        end_line=end,
    )


def file_candidate(path: str, size: int) -> Candidate:
    """Return a whole file, as a pin."""
    return Candidate(
        id=file_item(path),
        section=Section.PIN,
        kind="file",
        title=path,
        levels=(level(Detail.BODY, size, (1, 1000)),),
        reasons=(Reason(ReasonType.PINNED),),
        path=path,
        start_line=1,
        end_line=1000,
    )


def text_block(name: str, size: int) -> Candidate:
    """Return a text that stands for turns."""
    text = f"## {name}\n" + "word " * size + "\n"
    made = Level(Detail.BODY, text, words(text))
    reasons = (Reason(ReasonType.STRATEGY),)
    return Candidate(ItemId(f"block:{name}"), Section.SUMMARY, "text", name, (made,), reasons=reasons)


OLDER = Reason(ReasonType.OUTSIDE_WINDOW)


def past(number: int, size: int) -> Exchange:
    """Return a completed turn."""
    prompt, reply = "ask " * size, "answer " * size
    made = Level(Detail.BODY, f"{prompt}\n{reply}\n", words(prompt) + words(reply))
    candidate = Candidate(
        ItemId(f"turn:{number}"),
        Section.HISTORY,
        "turn",
        f"turn {number}",
        (made,),
        reasons=(Reason(ReasonType.RECENT),),
    )
    return Exchange(candidate, prompt, reply)


def request(
    *,
    touchpoints: Sequence[Candidate] = (),
    pins: Sequence[PinnedCandidate] = (),
    history: Sequence[Exchange] = (),
    scaffold: Sequence[Candidate] = (),
    mode: ContextMode = ContextMode.LIGHT,
    budget: int = 1000,
    window: int = 100_000,
    prompt: str = "how does it work",
    dropped: Sequence[ItemId] = (),
    expired: Sequence[Candidate] = (),
    blocks: Sequence[Candidate] = (),
    untold: Sequence[tuple[Candidate, Reason]] = (),
    has_gaps: bool = False,
    is_budget_explicit: bool = False,
) -> PlanRequest:
    """Return a request with everything that is not given at its plainest."""
    return PlanRequest(
        prompt=prompt,
        branch="main",
        turn=1,
        mode=mode,
        strategy="sliding-window",
        model="navigator",
        tokenizer="words",
        limits=PlanLimits(window, budget, 100),
        index_revision="r",
        system=system_candidate(words),
        message=message_candidate(prompt, words),
        message_overhead_tokens=4,
        is_budget_explicit=is_budget_explicit,
        retrieval_id=RetrievalId("q"),
        pins=tuple(pins),
        expired=tuple(expired),
        scaffold=tuple(scaffold),
        history=tuple(history),
        blocks=tuple(blocks),
        untold=tuple(untold),
        has_gaps=has_gaps,
        touchpoints=tuple(touchpoints),
        dropped=tuple(dropped),
    )


# Made once: a strategy that is made anew for each example looks anew at what it draws from.
_PATHS = st.sampled_from(["a.py", "b.py", "pkg/c.py"])
_SPANS = st.none() | st.just((1, 500))
_KINDS = st.sampled_from(list(PinKind))
_ALIVE = st.sampled_from([0.0, 0.5, 1.4, 3.0])
_MODES = st.sampled_from(list(ContextMode))
_NUMBERS = st.lists(st.integers(0, 60), unique=True, max_size=40)
_FEW_NUMBERS = st.lists(st.integers(0, 60), unique=True, max_size=4)
_TOKENS = st.integers(5, 300)


@st.composite
def requests(draw: st.DrawFn) -> PlanRequest:
    """Draw requests of every mode, tight and wide budgets, nested symbols, pins of every kind and drops."""
    numbers = draw(_NUMBERS)
    touchpoints = []
    for number in numbers:
        path, span = draw(_PATHS), draw(_SPANS)
        touchpoints.append(symbol_candidate(number, path=path, span=span, body=draw(_TOKENS)))
    pinned = [
        PinnedCandidate(
            symbol_candidate(n, section=Section.PIN, body=draw(st.integers(5, 200))), draw(_KINDS), 3, draw(_ALIVE)
        )
        for n in draw(_FEW_NUMBERS)
    ]
    if draw(st.booleans()):
        pinned.append(PinnedCandidate(file_candidate("b.py", draw(st.integers(5, 400))), draw(_KINDS), 3))
    expired = [symbol_candidate(n, section=Section.PIN) for n in draw(st.lists(st.integers(0, 60), max_size=2))]
    turns = [past(n + 1, draw(st.integers(1, 120))) for n in range(draw(st.integers(0, 6)))]
    if draw(st.booleans()) and turns:
        said = turns[draw(st.integers(0, len(turns) - 1))].candidate
        pinned.append(PinnedCandidate(replace(said, section=Section.PIN), draw(_KINDS), 3, draw(_ALIVE)))
    has_gaps = draw(st.booleans())
    if has_gaps:
        ranks = draw(st.permutations(range(len(turns))))
        turns = [replace(turn, rank=rank) for turn, rank in zip(turns, ranks, strict=True)]
    blocks = [text_block(f"b{number}", draw(st.integers(1, 200))) for number in range(draw(st.integers(0, 2)))]
    untold = [(replace(past(n + 50, 3).candidate, reasons=()), OLDER) for n in range(draw(st.integers(0, 2)))]
    ids = [candidate.id for candidate in (*touchpoints, *blocks)] + [turn.candidate.id for turn in turns]
    dropped = draw(st.lists(st.sampled_from(ids), unique=True, max_size=3)) if ids else []
    return request(
        touchpoints=touchpoints,
        pins=pinned,
        history=turns,
        scaffold=[symbol_candidate(90, path="core.py", section=Section.SCAFFOLD)],
        mode=draw(_MODES),
        budget=draw(st.integers(10, 3000)),
        window=draw(st.integers(100, 6000)),
        dropped=dropped,
        expired=expired,
        blocks=blocks,
        untold=untold,
        has_gaps=has_gaps,
        is_budget_explicit=draw(st.booleans()),
    )
