"""A turn plans as soon as what was changed lately is indexed, and sends nothing before all files were looked at."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.engine.event import PinBroken
from ctxcode.model.errors import IndexingError, StoreError
from ctxcode.model.event import ContextPlanned, Event, TurnCompleted
from ctxcode.model.ids import SymbolId, symbol_item
from ctxcode.model.passing.event import IndexAwaited, IndexProgressed
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ReasonType
from ctxcode.model.source import IndexReport
from ctxcode.model.symbol import IndexStats
from ctxcode.session.index import refresher
from ctxcode.session.ports import CodeGraph, Indexer, IndexProgress
from ctxcode.session.session import Session

QUESTION = "where is the discount for members worked out"
STANDING_QUESTION = "how does the cart add up prices at checkout"
MEMBERS = "def discount_for_members(cents: int) -> int:\n    return cents * 9 // 10\n"
WAIT_SECONDS = 30.0


@dataclass
class WatchedGraph:
    """A code graph that tells when it is first searched."""

    graph: CodeGraph
    searched: threading.Event = field(default_factory=threading.Event)
    changes: list[Callable[[], object]] = field(default_factory=list)
    """What changes with the next searches, one with each."""

    def __getattr__(self, name: str) -> Any:
        if name == "search":
            self.searched.set()
            if self.changes:
                self.changes.pop(0)()
        return getattr(self.graph, name)


@dataclass
class StagedIndexer:
    """An indexer that says early that a plan can begin; before its end something else happens."""

    indexer: Indexer
    happens: Callable[[Callable[[], bool]], None] = lambda _is_cancelled: None
    is_early: bool = True

    def refresh(
        self,
        progress: IndexProgress,
        is_cancelled: Callable[[], bool],
        *,
        note_ahead: Callable[[], None] = lambda: None,
    ) -> IndexReport:
        report = self.indexer.refresh(progress, is_cancelled)
        if not self.is_early:
            return report
        note_ahead()
        self.happens(is_cancelled)
        return self.indexer.refresh(progress, is_cancelled)


@dataclass
class HeldIndexer:
    """An indexer that begins when it may."""

    indexer: Indexer
    begun: threading.Event = field(default_factory=threading.Event)
    may_go_on: threading.Event = field(default_factory=threading.Event)

    def refresh(
        self,
        progress: IndexProgress,
        is_cancelled: Callable[[], bool],
        *,
        note_ahead: Callable[[], None] = lambda: None,
    ) -> IndexReport:
        self.begun.set()
        assert self.may_go_on.wait(WAIT_SECONDS)
        return self.indexer.refresh(progress, is_cancelled, note_ahead=note_ahead)


@dataclass
class LongIndexer:
    """An indexer that goes on until it is to stop, and finds no more than there was."""

    report: IndexReport

    def refresh(
        self,
        progress: IndexProgress,
        is_cancelled: Callable[[], bool],
        *,
        note_ahead: Callable[[], None] = lambda: None,
    ) -> IndexReport:
        progress(3, 8, "parsing")
        ends_at, pause = time.monotonic() + WAIT_SECONDS, threading.Event()
        while not is_cancelled():
            assert time.monotonic() < ends_at
            pause.wait(0.01)
        return self.report


@dataclass
class Staged:
    root: Path
    session: Session
    indexer: StagedIndexer
    graph: WatchedGraph

    @property
    def searched(self) -> threading.Event:
        return self.graph.searched

    async def turn(self, question: str = QUESTION) -> list[Event]:
        async with aclosing(self.session.turn(question)) as events:
            return [event async for event in events]

    def after_the_search(self, change: Callable[[], object]) -> None:
        """Let something change when the plan has begun."""

        def happen(_is_cancelled: Callable[[], bool]) -> None:
            assert self.searched.wait(WAIT_SECONDS)
            change()

        self.indexer.happens = happen


@pytest.fixture
def staged(tmp_path: Path) -> Staged:
    root = write_sample(tmp_path / "shop")
    app = open_application(root, overrides={"model": "navigator"}, environment=private_home(tmp_path))
    graph = WatchedGraph(app.adapters.graph)
    indexer = StagedIndexer(app.adapters.indexer)
    session = replace(app, adapters=replace(app.adapters, graph=graph, indexer=indexer)).session(None)
    return Staged(root, session, indexer, graph)


def planned(events: list[Event]) -> list[ContextPlanned]:
    return [event for event in events if isinstance(event, ContextPlanned)]


async def test_what_is_found_changed_while_a_request_is_planned_is_in_it(staged: Staged) -> None:
    staged.after_the_search(lambda: (staged.root / "shop" / "members.py").write_text(MEMBERS))

    (event,) = planned(await staged.turn())

    plan = await staged.session.plan(event.plan_id)
    assert plan is not None
    assert "discount_for_members" in {item.title.rpartition(".")[2] for item in plan.included}
    assert (await staged.session.stats()).revision == plan.index_revision
    assert (plan.id,) == await staged.session.plan_ids()


def grown(path: Path) -> Callable[[], None]:
    """Return what lets each definition of a file be longer, and begin where it began if it is the first."""

    def grow() -> None:
        path.write_text(path.read_text().replace("    return ", "    # one more line\n    return "))

    return grow


async def test_what_is_changed_after_all_was_looked_at_is_in_the_request(staged: Staged) -> None:
    staged.indexer.is_early = False
    staged.graph.changes.append(grown(staged.root / "shop" / "price.py"))

    (event,) = planned(await staged.turn(STANDING_QUESTION))

    plan = await staged.session.plan(event.plan_id)
    assert plan is not None
    assert (await staged.session.stats()).revision == plan.index_revision
    assert "" == plan.search_notice
    assert "shop/price.py" in {item.path for item in plan.included}
    assert not {item.path for item in plan.excluded if item.reasons[0].type is ReasonType.STALE}


async def test_nothing_is_shown_of_what_a_file_defines_that_changes_again_and_again(staged: Staged) -> None:
    staged.indexer.is_early = False
    staged.graph.changes += [grown(staged.root / "shop" / "price.py")] * 100

    (event,) = planned(await staged.turn(STANDING_QUESTION))

    plan = await staged.session.plan(event.plan_id)
    assert plan is not None
    assert "had not caught up" in plan.search_notice
    assert "shop/price.py" in {item.path for item in plan.excluded if item.reasons[0].type is ReasonType.STALE}
    assert "shop/price.py" not in {item.path for item in plan.included if item.lines}


async def test_pins_follow_what_is_found_changed_while_a_request_is_planned(staged: Staged) -> None:
    pinned = symbol_item(SymbolId("shop/cart.py::Cart.checkout"))
    staged.indexer.is_early = False
    await staged.turn()
    await staged.session.memory.keep(pinned, PinKind.STICKY)
    staged.indexer.is_early = True
    staged.searched.clear()
    staged.after_the_search((staged.root / "shop" / "cart.py").unlink)

    events = await staged.turn()

    kinds = [type(event) for event in events]
    assert [PinBroken(pinned)] == [event for event in events if isinstance(event, PinBroken)]
    assert kinds.index(PinBroken) < kinds.index(ContextPlanned)


async def test_nothing_is_sent_when_the_rest_could_not_be_looked_at(staged: Staged) -> None:
    def fail(_is_cancelled: Callable[[], bool]) -> None:
        raise IndexingError("the disk is gone", "Bring it back.")

    staged.indexer.happens = fail

    events = await staged.turn()

    last = events[-1]
    assert isinstance(last, TurnCompleted)
    assert ([], StoppedBy.ERROR, "the disk is gone") == (planned(events), last.stopped_by, last.error)


async def test_leaving_a_turn_ends_the_look_at_the_rest(staged: Staged) -> None:
    ended = threading.Event()

    def wait(is_cancelled: Callable[[], bool]) -> None:
        ends_at = time.monotonic() + WAIT_SECONDS
        while not is_cancelled() and time.monotonic() < ends_at:
            ended.wait(0.01)
        if is_cancelled():
            ended.set()

    staged.indexer.happens = wait
    turn = asyncio.create_task(staged.turn())
    assert await asyncio.to_thread(staged.searched.wait, WAIT_SECONDS)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert await asyncio.to_thread(ended.wait, WAIT_SECONDS)


async def test_an_index_that_is_long_in_catching_up_shows_nothing_that_has_gone(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresher, "LATER_INDEX_SECONDS", 0.1)
    staged.indexer.is_early = False
    await staged.turn()
    begun, may_end = threading.Event(), threading.Event()

    def wait(_is_cancelled: Callable[[], bool]) -> None:
        begun.set()
        assert may_end.wait(WAIT_SECONDS)

    staged.indexer.is_early, staged.indexer.happens = True, wait
    cart = staged.root / "shop" / "cart.py"
    async with aclosing(staged.session.refresh_index()) as refreshed:
        going_on = asyncio.create_task(anext(refreshed))
        assert await asyncio.to_thread(begun.wait, WAIT_SECONDS)
        (staged.root / "shop" / "price.py").rename(staged.root / "shop" / "money.py")
        cart.write_text("\n" * 30 + cart.read_text().replace("checkout", "pay"))

        (event,) = planned(await staged.turn(STANDING_QUESTION))
        may_end.set()
        await going_on

    plan = await staged.session.plan(event.plan_id)
    assert plan is not None
    assert "had not caught up" in plan.search_notice
    shown = {(item.path, item.title) for item in plan.included}
    assert not {title for path, title in shown if path == "shop/price.py" or title.startswith("Cart")}
    stale = {item.path for item in plan.excluded if item.reasons[0].type is ReasonType.STALE}
    assert {"shop/price.py", "shop/cart.py"} <= stale


async def test_whoever_asks_while_the_first_index_is_built_gets_its_beginning_and_is_told(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresher, "GROWING_INDEX_SECONDS", 0.1)
    parsed, held = iter(range(1)), HeldIndexer(staged.indexer.indexer)
    await asyncio.to_thread(held.indexer.refresh, lambda *_: None, lambda: next(parsed, None) is None)
    staged.indexer.is_early, staged.indexer.indexer = False, held
    async with aclosing(staged.session.refresh_index()) as refreshed:
        going_on = asyncio.create_task(anext(refreshed))
        assert await asyncio.to_thread(held.begun.wait, WAIT_SECONDS)
        (beginning,) = planned(await staged.turn(STANDING_QUESTION))
        held.may_go_on.set()
        await going_on
    (whole,) = planned(await staged.turn(STANDING_QUESTION))

    told = [await staged.session.plan(event.plan_id) for event in (beginning, whole)]
    assert [True, False] == ["The index is not complete: " in plan.search_notice for plan in told if plan is not None]


async def test_a_question_goes_on_with_a_paused_first_index_once_it_has_waited_long_enough(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresher, "GROWING_INDEX_SECONDS", 0.1)
    indexer, parsed = staged.indexer.indexer, iter(range(1))
    report = await asyncio.to_thread(indexer.refresh, lambda *_: None, lambda: next(parsed, None) is None)
    staged.indexer.is_early, staged.indexer.indexer = False, LongIndexer(report)

    monkeypatch.setattr(refresher, "TELL_SECONDS", 0.01)

    events = await staged.turn(STANDING_QUESTION)

    (event,) = planned(events)
    plan = await staged.session.plan(event.plan_id)
    assert plan is not None
    assert "The index is not complete: " in plan.search_notice
    waits = [event for event in events if isinstance(event, IndexAwaited)]
    assert {1} == {wait.turn for wait in waits}
    assert IndexProgressed(3, 8, "parsing") == waits[-1].progress
    assert all(wait.seconds is not None and wait.seconds <= 0.1 for wait in waits)
    assert isinstance(events[-1], TurnCompleted)
    assert StoppedBy.ANSWER is events[-1].stopped_by


async def test_an_index_of_which_nothing_can_be_told_is_refreshed_each_time(staged: Staged) -> None:
    def damaged() -> IndexStats:
        raise StoreError("the index is damaged", "Refresh the index.")

    refreshing = refresher.IndexRefresher(staged.indexer.indexer, damaged)
    async with asyncio.timeout(WAIT_SECONDS):
        reports = [await refreshing.catch_up().whole() for _ in range(2)]
    assert [True, True] == [report is not None and report.is_complete for report in reports]
