"""Branches never affect one another, whatever happens on them in whatever order."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from examples import plan_examples
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.conversation import StoppedBy
from ctxcode.model.engine.activation import ItemSignals, Promotion, SignalKind
from ctxcode.model.engine.cluster import ClusterEvidence, QueryCluster
from ctxcode.model.engine.event import (
    AnchorChanged,
    BranchForked,
    BranchSwitched,
    StrategyRemembered,
    StrategyReverted,
    SuggestionDismissed,
    TaskFinished,
    TaskStarted,
    TurnReflected,
    TurnRemoved,
    TurnsUndone,
    WindowChanged,
)
from ctxcode.model.event import (
    DurableEvent,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    ReplyFinished,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode
from ctxcode.session.memory.branch import BranchState, undone
from ctxcode.session.state import SessionState, folded
from ctxcode.tui.state.fold import folded as folded_screen

NEW = SessionState(mode=ContextMode.LIGHT, model="navigator", budget_tokens=8000)
ITEMS = [ItemId(f"symbol:a.py::f{number}") for number in range(4)]
EXAMPLES = plan_examples(300)


def one_of_each(*parts: Sequence[object]) -> st.SearchStrategy[tuple[object, ...]]:
    """Draw a tuple at once: to draw its parts one by one takes longer than what is tried with them."""
    return st.sampled_from(list(product(*parts)))


item = st.sampled_from(ITEMS)
local = st.one_of(
    # As often sticky as leased.
    one_of_each(["pin"], ITEMS, [1, 2, 3, 4, None, None, None, None]),
    one_of_each(["unpin", "drop", "restore", "dismiss"], ITEMS),
    one_of_each(["turn"], ITEMS, [False, True], [False, True]),
    one_of_each(["undo"]),
    one_of_each(["remove"], range(1, 6)),
    st.tuples(st.just("anchor"), st.text(max_size=3)),
    one_of_each(["window"], range(4)),
    one_of_each(["task"], ["a", "b", ""]),
    one_of_each(["remember"], ["p", "q"], range(5)),
    one_of_each(["revert"], ["p", "q"]),
)
tree = st.one_of(
    one_of_each(["fork"], ["x", "y", "z"], range(6)),
    one_of_each(["switch"], ["main", "x", "y", "z"]),
)
histories = st.lists(st.one_of(local, local, tree), max_size=30)
Operation = tuple[object, ...]


@dataclass
class World:
    """Journals the events that operations come to, as a session would."""

    events: list[DurableEvent] = field(default_factory=list)
    state: SessionState = NEW

    def record(self, *events: DurableEvent) -> None:
        self.events += events
        self.state = folded(self.state, events)

    def run(self, operation: Operation) -> None:
        match operation:
            case ("fork", str(name), int(turn)):
                if name not in {branch.name for branch in self.state.branches}:
                    last = self.state.turns[-1].number if self.state.turns else 0
                    forked = BranchForked(name, self.state.branch.name, min(turn, last))
                    self.record(forked, BranchSwitched(name))
            case ("switch", str(name)):
                if name in self.state.others:
                    self.record(BranchSwitched(name))
            case _:
                self.record(*events_of(operation, self.state.branch))


def events_of(operation: Operation, branch: BranchState) -> list[DurableEvent]:
    """Return what an operation on the open branch is journalled as."""
    named = ItemId(str(operation[1])) if len(operation) > 1 else ITEMS[0]
    match operation:
        case ("pin", _, turns):
            length = turns if isinstance(turns, int) else None
            return [ItemPinned(named, PinKind.LEASED if length else PinKind.STICKY, length)]
        case ("unpin" | "drop" | "restore" | "dismiss" as what, _):
            about: dict[str, DurableEvent] = {
                "unpin": ItemUnpinned(named),
                "drop": ItemDropped(named),
                "restore": ItemRestored(named),
                "dismiss": SuggestionDismissed(named),
            }
            return [about[what]]
        case ("turn", _, is_promoted, fails):
            return turn_events(branch.next_turn, named, is_promoted=bool(is_promoted), fails=bool(fails))
        case ("undo",):
            return [TurnsUndone(branch.turns[-1].number)] if branch.turns else []
        case ("remove", int(number)):
            return [TurnRemoved(number)]
        case ("anchor", str(text)):
            return [AnchorChanged(text)]
        case ("window", int(turns)):
            return [WindowChanged(turns)]
        case ("remember", str(strategy), int(through)):
            last = branch.turns[-1].number if branch.turns else 0
            return [StrategyRemembered(strategy, branch.name, last, f"up to {through}", min(through, last))]
        case ("revert", str(strategy)):
            return [StrategyReverted(strategy)]
        case ("task", str(title)):
            return [TaskStarted(title) if title else TaskFinished()]
    raise AssertionError(operation)


def turn_events(number: int, named: ItemId, *, is_promoted: bool, fails: bool) -> list[DurableEvent]:
    started, ended = TurnStarted(number, f"ask {named}"), StoppedBy.ERROR if fails else StoppedBy.ANSWER
    signals = (ItemSignals(named, (SignalKind.USER_REFERENCE,)),)
    promoted = (Promotion(named, "named twice"),) if is_promoted else ()
    cluster = QueryCluster(number, number, (number,), (str(named),), ClusterEvidence.OTHER, 0.0)
    anchor = f"after {number}" if is_promoted else None
    said = TurnReflected(number, signals, promoted, anchor=anchor, cluster=cluster)
    return [started, ReplyFinished(number, "answer", "m"), said, TurnCompleted(number, ended)]


def content(branch: BranchState) -> BranchState:
    """Return a branch without its place in the tree."""
    return replace(branch, name="", parent="", forked_at=0)


@EXAMPLES
@given(histories)
def test_what_happens_on_one_branch_changes_no_other(operations: list[Operation]) -> None:
    world = World()
    for operation in operations:
        before = {branch.name: branch for branch in world.state.branches}
        opened = world.state.branch.name
        world.run(operation)
        for branch in world.state.branches:
            if branch.name in before and branch.name != opened:
                assert before[branch.name] == branch


@EXAMPLES
@given(histories, st.lists(local, max_size=6), st.lists(local, max_size=6))
def test_interleaving_two_branches_is_doing_one_after_the_other(
    before: list[Operation], first: list[Operation], second: list[Operation]
) -> None:
    world = World()
    for operation in before:
        world.run(operation)
    world.record(
        BranchForked("one", world.state.branch.name, 10**6),
        BranchForked("two", world.state.branch.name, 10**6),
        BranchSwitched("one"),
    )
    apart, mixed = World(list(world.events), world.state), World(list(world.events), world.state)
    for operation in [*first, ("switch", "two"), *second]:
        apart.run(operation)
    for at in range(max(len(first), len(second))):
        for name, rows in (("one", first), ("two", second)):
            mixed.run(("switch", name))
            if at < len(rows):
                mixed.run(rows[at])
    wanted = {branch.name: branch for branch in apart.state.branches}
    assert wanted == {branch.name: branch for branch in mixed.state.branches}


@EXAMPLES
@given(histories)
def test_a_fork_is_a_copy_of_its_parent_as_it_was(operations: list[Operation]) -> None:
    world = World()
    for operation in operations:
        world.run(operation)
    parent = world.state.branch
    last = parent.turns[-1].number if parent.turns else 0
    world.record(BranchForked("copy", parent.name, last))
    copy = world.state.others["copy"]
    assert content(parent) == content(copy)
    assert (parent.name, last) == (copy.parent, copy.forked_at)


@EXAMPLES
@given(histories, item, st.booleans())
def test_undoing_a_turn_restores_what_the_turn_changed(
    operations: list[Operation],
    named: ItemId,
    is_promoted: bool,  # noqa: FBT001 - drawn
) -> None:
    world = World()
    for operation in operations:
        world.run(operation)
    before = replace(world.state.branch, expired=(), open_turn=None, reflected=None)
    world.run(("turn", named, is_promoted, False))
    world.run(("undo",))
    after = world.state.branch
    assert set(before.pins) == set(after.pins)
    assert replace(before, pins=()) == replace(after, pins=())


@EXAMPLES
@given(histories)
def test_the_journal_alone_rebuilds_session_and_screen(operations: list[Operation]) -> None:
    world = World()
    for operation in operations:
        world.run(operation)
    assert world.state == folded(NEW, world.events)
    screen = folded_screen(world.events)
    assert world.state.branch.name == screen.branch
    assert [turn.number for turn in world.state.turns] == [turn.number for turn in screen.turns]
    assert [turn.prompt for turn in world.state.turns] == [turn.prompt for turn in screen.turns]


@EXAMPLES
@given(histories)
def test_what_was_pinned_after_a_turn_stays_when_the_turn_is_undone(operations: list[Operation]) -> None:
    world = World()
    for operation in operations:
        world.run(operation)
    world.run(("turn", ITEMS[0], False, False))
    world.run(("pin", ITEMS[3], 4))
    assert ITEMS[3] in {pin.item for pin in undone(world.state.branch, world.state.turns[-1].number).pins}


@EXAMPLES
@given(histories)
def test_no_memory_outlives_the_turns_it_was_made_of(operations: list[Operation]) -> None:
    world = World()
    for operation in operations:
        world.run(operation)
        for branch in world.state.branches:
            last = branch.turns[-1].number if branch.turns else 0
            assert all(memory.turn <= last for memory in branch.memories)


def test_a_memory_is_kept_on_the_branch_it_was_made_for_although_another_is_open() -> None:
    world = World()
    for operation in (("turn", ITEMS[0], False, False), ("fork", "x", 1)):
        world.run(operation)
    world.record(StrategyRemembered("p", "main", 1, "late", 1, "folded"), BranchSwitched("main"))
    memory = world.state.branch.memory("p")
    assert ("late", None) == (memory and memory.text, world.state.others["x"].memory("p"))
    screen = folded_screen(world.events)
    assert ["folded"] == [turn.remembered.note for turn in screen.turns if turn.remembered]
    world.record(StrategyReverted("p"))
    assert [None] == [turn.remembered for turn in folded_screen(world.events).turns]
