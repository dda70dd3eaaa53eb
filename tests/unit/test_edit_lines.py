"""Which reply proposed which changes, and their diffs below the calls."""

from ctxcode.model.conversation import ToolCall, ToolResult, ToolRound, ToolStatus
from ctxcode.model.edit.change import ChangeKind, FileChange, Hunk
from ctxcode.model.edit.event import EditsProposed
from ctxcode.tui.edit.view import EditView
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.widgets.turn.edit_lines import MOST_LINES, diffs_by_call, proposals

HUNK = Hunk(5, 5, ("VAT = 19\n",), ("VAT = 7\n",))
PRICE = FileChange("shop/price.py", ChangeKind.MODIFIED, (HUNK,), "aa", calls=("call_1", "call_2"))
OK = ToolResult(ToolStatus.OK, "Applied.")


def made(*ids: str) -> ToolRound:
    calls = tuple(ToolCall(one, "propose_edit", "{}") for one in ids)
    return ToolRound("", calls, (OK,) * len(calls))


def test_sets_go_to_the_rounds_that_proposed_them_also_when_ids_come_again() -> None:
    first, second = EditView(EditsProposed(1, 1, (PRICE,))), EditView(EditsProposed(1, 2, (PRICE,)))
    rounds = (made("call_1", "call_2", "call_3"), made("other"), made("call_1", "call_2"))
    assert (first, None, second) == proposals(rounds, (first, second))
    assert (None,) == proposals((made("x"),), (first,))
    assert (None,) == proposals((made("x"),), ())


def test_a_diff_stands_below_the_first_call_of_its_file() -> None:
    found = diffs_by_call(EditsProposed(1, 1, (PRICE,)), 80, UNICODE)
    assert ["call_1"] == list(found)
    text = "\n".join(line.plain for line in found["call_1"])
    assert "shop/price.py  +1 -1" in text
    assert "- VAT = 19" in text
    assert "+ VAT = 7" in text


def test_a_very_long_diff_is_cut_with_a_count() -> None:
    lines = tuple(f"x{number} = 1\n" for number in range(390))
    change = FileChange("new.py", ChangeKind.CREATED, (Hunk(1, 1, (), lines),), calls=("call_1",))
    found = diffs_by_call(EditsProposed(1, 1, (change,)), 80, UNICODE)["call_1"]
    assert MOST_LINES + 1 == len(found)
    assert "more lines" in found[-1].plain
