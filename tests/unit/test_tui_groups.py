import pytest
from ui.fake_door import PlanInput, made_plan

from ctxcode.model.plan import ContextMode
from ctxcode.tui.bill.arrange import Arrangement, Shows, arranged
from ctxcode.tui.bill.group import Group
from ctxcode.tui.format import fold_words
from ctxcode.tui.rows import Part, RowKind

PLAN = made_plan(PlanInput("how are joins decided?", ContextMode.LIGHT, "gpt-x", 8_000))
ASKED = [Group.FILE, Group.REASON, Group.KIND]


@pytest.mark.parametrize("group", ASKED)
def test_every_retrieved_item_stands_below_a_group(group: Group) -> None:
    rows = [row for row in arranged(PLAN, (), Arrangement(group=group)) if row.part is Part.RETRIEVED]
    heads = [row for row in rows if row.kind is RowKind.FOLD]
    assert [RowKind.SECTION, RowKind.FOLD, RowKind.ITEM] == [row.kind for row in rows[:3]]
    assert rows[0].items
    assert {item.id for item in rows[0].items} == {row.item.id for row in rows if row.item is not None}
    assert rows[0].tokens == sum(head.tokens for head in heads)
    assert all(head.label in fold_words(head) for head in heads)


def test_the_rows_of_a_file_stand_together() -> None:
    rows = arranged(PLAN, (), Arrangement(group=Group.FILE))
    paths = [row.item.path for row in rows if row.part is Part.RETRIEVED and row.item is not None]
    assert len(set(paths)) == sum(row.part is Part.RETRIEVED and row.kind is RowKind.FOLD for row in rows)
    assert paths == [path for path in dict.fromkeys(paths) for _ in range(paths.count(path))]


@pytest.mark.parametrize("group", ASKED)
def test_what_is_left_out_is_closed_among_the_rest_and_open_alone(group: Group) -> None:
    among = [row for row in arranged(PLAN, (), Arrangement(group=group)) if row.part is Part.EXCLUDED]
    alone = arranged(PLAN, (), Arrangement(group=group, shows=Shows.EXCLUDED))
    assert not any(row.kind is RowKind.ITEM for row in among)
    assert len(PLAN.excluded) == sum(row.kind is RowKind.ITEM for row in alone)


def test_a_group_can_be_closed() -> None:
    head = next(row for row in arranged(PLAN, (), Arrangement(group=Group.FILE)) if row.kind is RowKind.FOLD)
    rows = arranged(PLAN, (), Arrangement(group=Group.FILE).toggle(head.key))
    assert not {item.id for item in head.items} & {row.item.id for row in rows if row.item is not None}
    assert head.key in {row.key for row in rows}


def test_the_grouping_is_said_and_ends_where_it_began() -> None:
    assert "grouped by file" == Arrangement(group=Group.FILE).words
    assert [*ASKED, Group.NONE] == [group.following for group in Group]
