"""Undoing turns brings activation back exactly, though most turns keep no table of their own."""

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.conversation import StoppedBy
from ctxcode.model.engine.activation import ActiveItem, ItemSignals, SignalKind
from ctxcode.model.engine.event import TurnReflected, TurnRemoved
from ctxcode.model.event import TurnCompleted, TurnStarted
from ctxcode.model.ids import ItemId
from ctxcode.session.memory.branch import BranchState, advanced, undone

if TYPE_CHECKING:
    from collections.abc import Mapping

ITEMS = [ItemId(f"symbol:a.py::f{number}") for number in range(6)]
SIGNALS = st.lists(
    st.builds(ItemSignals, st.sampled_from(ITEMS), st.lists(st.sampled_from(SignalKind), unique=True).map(tuple)),
    max_size=4,
    unique_by=lambda row: row.item,
).map(tuple)
TURN = st.tuples(SIGNALS, st.sampled_from([StoppedBy.ANSWER, StoppedBy.ANSWER, StoppedBy.ERROR]), st.booleans())


@given(st.lists(TURN, min_size=1, max_size=110), st.data())
def test_an_undone_turn_leaves_the_table_it_found(
    turns: list[tuple[tuple[ItemSignals, ...], StoppedBy, bool]], data: st.DataObject
) -> None:
    branch = BranchState()
    found: dict[int, Mapping[ItemId, ActiveItem]] = {}
    for said, stopped_by, is_removed in turns:
        number = branch.next_turn
        found[number] = branch.activation
        for event in (TurnStarted(number, "?"), TurnReflected(number, said), TurnCompleted(number, stopped_by)):
            branch = advanced(branch, event)
        if is_removed and number % 3 == 0:
            gone = data.draw(st.sampled_from([turn.number for turn in branch.turns]))
            branch = advanced(branch, TurnRemoved(gone))
            del found[gone]
    for turn in branch.turns:
        assert found[turn.number] == undone(branch, turn.number).activation
