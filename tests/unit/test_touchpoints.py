"""What retrieved definitions stand in comes with them."""

from dataclasses import replace

from plan_inputs import request, symbol_candidate, words

from ctxcode.context.candidate import Candidate
from ctxcode.context.candidates import Renderer, touchpoints
from ctxcode.context.mode import HEAVY, LIGHT
from ctxcode.context.pack import Covered, packed
from ctxcode.context.planner import plan
from ctxcode.model.ids import SymbolId
from ctxcode.model.plan import Reason, ReasonType
from ctxcode.model.retrieval import Retrieved
from ctxcode.model.symbol import Symbol, SymbolKind

SOURCE = ["struct Queue;", "", "impl Push for Queue {", "    fn push(&self) {", "        grow();", "    }", "}", ""]


def symbol(qualname: str, kind: SymbolKind, lines: tuple[int, int], language: str = "rust") -> Symbol:
    owner, _, name = qualname.rpartition(".")
    return Symbol(
        id=SymbolId(f"queue.rs::{qualname}"),
        name=name,
        qualname=qualname,
        kind=kind,
        path="queue.rs",
        language=language,
        module="queue",
        start_line=lines[0],
        end_line=lines[1],
        header_line=lines[0],
        header_end_line=lines[0],
        signature=f"{kind} {name}",
        parent=SymbolId(f"queue.rs::{owner}" if owner else "queue.rs"),
    )


QUEUE = symbol("Queue", SymbolKind.STRUCT, (1, 1))
PUSH = symbol("Queue.push", SymbolKind.METHOD, (4, 6))


def candidate_of(found: Symbol, lines: dict[str, list[str]], owner: Symbol | None = QUEUE) -> Candidate:
    entry = Retrieved(found, 1.0, (), (Reason(ReasonType.LEXICAL, 1.0, ("push",)),))
    owners = {owner.id: owner} if owner is not None else {}
    return touchpoints([entry], Renderer(words, HEAVY, lines), owners)[0]


def test_a_rust_method_comes_with_its_impl_block_which_can_be_pinned() -> None:
    owner = candidate_of(PUSH, {"queue.rs": SOURCE}).owner
    assert owner is not None
    assert ("lines:queue.rs:3-7", "impl", "impl Push for Queue") == (owner.id, owner.kind, owner.title)
    assert ((3, 3),) == owner.levels[0].lines
    assert Reason(ReasonType.DEPENDENCY, subject="Queue.push") in owner.reasons


def test_without_the_source_a_method_comes_with_its_type() -> None:
    owner = candidate_of(PUSH, {}).owner
    assert owner is not None
    assert QUEUE.id == owner.symbol
    assert 1 == len(owner.levels)


def test_a_method_before_its_type_or_without_one_names_it_itself() -> None:
    below = symbol("Queue", SymbolKind.STRUCT, (9, 9))
    assert candidate_of(PUSH, {}, below).owner is None
    assert candidate_of(PUSH, {}, None).owner is None


def test_cards_are_rendered_of_what_is_shown_fully_only() -> None:
    def stub(number: int) -> Symbol:
        return replace(symbol(f"f{number}", SymbolKind.FUNCTION, (number, number), "python"), name="fn")

    rendered: list[str] = []

    def count(text: str) -> int:
        rendered.append(text)
        return words(text)

    entries = [Retrieved(stub(number), 1 / number, (), (Reason(ReasonType.LEXICAL, 1.0),)) for number in range(1, 31)]
    found = touchpoints(entries, Renderer(count, LIGHT, {"queue.rs": [f"fn f{number}" for number in range(1, 31)]}))
    plan(request(touchpoints=found, budget=8_000), words)
    assert LIGHT.max_rich == sum(text.startswith("### ") for text in rendered)


def test_what_stands_in_a_file_comes_alone() -> None:
    assert candidate_of(QUEUE, {"queue.rs": SOURCE}).owner is None


def test_the_line_of_a_file_is_counted_only_where_one_line_of_it_could_still_be_shown() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return words(text)

    found = [symbol_candidate(number, path=f"m{number}.py") for number in range(20)]
    packing = packed(found, Covered(), replace(HEAVY, rich_share=0.0), room_tokens=23, max_rich=0, count=count)
    assert ["s0", "s1", "s2"] == [candidate.title for candidate, _ in packing.shown.values()]
    assert ["#### m0.py\n", "#### m1.py\n", "#### m2.py\n"] == counted
    assert 17 == len(packing.left_out)
