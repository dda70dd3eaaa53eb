"""How much of an item is shown, chosen by the user, in a real session."""

from pathlib import Path

import pytest
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.ids import ItemId, SymbolId, symbol_item
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, ContextPlan, Detail, PlanItem

QUESTION = "how does the cart compute what to pay with tax"
CHECKOUT = symbol_item(SymbolId("shop/cart.py::Cart.checkout"))


def application(home: Path) -> Application:
    write_sample(home / "shop")
    made = open_application(home / "shop", overrides={}, environment=private_home(home))
    made.adapters.indexer.refresh(lambda _done, _total, _phase: None, lambda: False)
    return made


def item_of(plan: ContextPlan, item: ItemId = CHECKOUT) -> PlanItem:
    return next(row for row in plan.items if row.id == item)


async def test_a_chosen_level_is_what_the_model_gets_until_it_is_left_to_the_planner(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    before = await session.preview(QUESTION)
    levels = dict(await session.levels(CHECKOUT))
    assert [Detail.SIGNATURE, Detail.CARD, Detail.BODY] == list(levels)
    for detail in (Detail.BODY, Detail.SIGNATURE, Detail.CARD):
        await session.set_detail(CHECKOUT, detail)
        row = item_of(await session.preview(QUESTION))
        assert (True, detail) == (row.included, row.detail)
        assert detail is Detail.SIGNATURE or levels[detail] == row.tokens
    await session.set_detail(CHECKOUT, None)
    assert before == await session.preview(QUESTION)


async def test_equal_choices_give_equal_plans_and_other_ones_other_plans(tmp_path: Path) -> None:
    app = application(tmp_path)
    plans = []
    for detail in (Detail.BODY, Detail.BODY, Detail.SIGNATURE):
        session = app.session(None)
        await session.set_detail(CHECKOUT, detail)
        plans.append((await session.preview(QUESTION)).id)
    assert plans[0] == plans[1] != plans[2]


@pytest.mark.parametrize("mode", [ContextMode.LIGHT, ContextMode.HEAVY])
async def test_a_pin_is_shown_as_chosen_too(tmp_path: Path, mode: ContextMode) -> None:
    session = application(tmp_path).session(None)
    await session.set_mode(mode)
    await session.memory.keep(CHECKOUT, PinKind.STICKY)
    assert Detail.BODY is item_of(await session.preview(QUESTION)).detail
    await session.set_detail(CHECKOUT, Detail.SIGNATURE)
    assert Detail.SIGNATURE is item_of(await session.preview(QUESTION)).detail


async def test_a_choice_survives_the_session_being_opened_again(tmp_path: Path) -> None:
    app = application(tmp_path)
    session = app.session(None)
    await session.set_detail(CHECKOUT, Detail.BODY)
    assert Detail.BODY is item_of(await app.session(session.id).preview(QUESTION)).detail


async def test_what_is_no_symbol_has_no_levels(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    assert () == await session.levels(ItemId("file:shop/cart.py"))
    assert () == await session.levels(ItemId("message"))
