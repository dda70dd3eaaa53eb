"""Pins of every kind on a real repository: what is sent, how they follow their code, what becomes of them."""

from pathlib import Path

import pytest
from sample_repository import write_sample, write_sample_of_four_languages
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.engine.activation import SignalKind
from ctxcode.model.engine.event import TurnReflected
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import ItemId, SymbolId, file_item, symbol_item
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, PlanItem, ReasonType, Section
from ctxcode.session.session import Session

TOTAL = symbol_item(SymbolId("shop/price.py::total_of"))
WITH_TAX = symbol_item(SymbolId("shop/price.py::Price.with_tax"))


@pytest.fixture
def app(tmp_path: Path) -> Application:
    return open_application(write_sample(tmp_path / "shop"), overrides={}, environment=private_home(tmp_path))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return tmp_path / "shop"


async def ask(session: Session, prompt: str = "hello there") -> None:
    async for _ in session.turn(prompt):
        pass


async def row(session: Session, item: ItemId) -> PlanItem:
    """Return the decision on an item in the next request."""
    plan = await session.preview("hello there")
    return next(found for found in plan.items if found.id == item)


def kept(session: Session, item: ItemId) -> list[int | None]:
    """Return the turns an item's pin has left; nothing when it is not pinned."""
    return [pin.turns_left for pin in session.pins() if pin.item == item]


async def text(session: Session, item: ItemId) -> str:
    return await session.item_text(await row(session, item))


async def test_every_kind_of_thing_can_be_pinned_and_is_sent(app: Application) -> None:
    session = app.session(None)
    await ask(session, "where is Cart.checkout?")
    names = ("total_of", "Price.with_tax", "shop/cart.py", "LICENSE", "shop/price.py:5-6", "turn 1", "turn:1")
    items = [await session.memory.item_named(name) for name in names]
    note = await session.memory.note("Amounts are in cents.")
    for item in items:
        await session.memory.keep(item, PinKind.STICKY)
    plan = await session.preview("hello there")
    shown = {found.id: found for found in plan.included if found.section is Section.PIN}
    assert {*items, note.item} == set(shown)
    assert "VAT_PERCENT = 19" in await session.item_text(shown[items[4]])
    assert "where is Cart.checkout?" in await session.item_text(shown[items[5]])
    assert "Amounts are in cents." in await session.item_text(shown[note.item])
    assert not [found for found in plan.included if found.section is Section.HISTORY]


@pytest.mark.parametrize("name", ["", "nothing_like_this_at_all", "shop/price.py:90-99", "turn 9", "../outside.py"])
async def test_what_is_not_there_can_not_be_pinned(app: Application, name: str) -> None:
    session = app.session(None)
    async for _ in session.refresh_index():
        pass
    with pytest.raises(UsageError) as refused:
        await session.memory.item_named(name)
    assert refused.value.hint


@pytest.mark.parametrize("name", ["with_ta", "ith_tax", "WITH_TAX", "price.p", "op/price.py", "rice.py::total_of"])
async def test_part_of_the_only_name_that_is_near_is_no_name(app: Application, name: str) -> None:
    session = app.session(None)
    async for _ in session.refresh_index():
        pass
    with pytest.raises(UsageError, match="Nothing here is called") as refused:
        await session.memory.item_named(name)
    assert refused.value.hint.startswith("Near it: ")


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("with_tax", WITH_TAX),
        ("price.Price.with_tax", WITH_TAX),
        ("Price::with_tax", WITH_TAX),
        ("price.py::Price.with_tax", WITH_TAX),
        ("price.py", file_item("shop/price.py")),
    ],
)
async def test_the_last_whole_parts_of_a_name_or_path_are_a_name(app: Application, name: str, item: ItemId) -> None:
    session = app.session(None)
    async for _ in session.refresh_index():
        pass
    assert item == await session.memory.item_named(name)


async def test_a_read_only_file_says_so_to_the_model(app: Application) -> None:
    session = app.session(None)
    await session.memory.keep(file_item("shop/cart.py"), PinKind.STICKY, is_read_only=True)
    assert "read-only" in await text(session, file_item("shop/cart.py"))


async def test_an_ephemeral_pin_is_a_thin_card_for_one_turn(app: Application) -> None:
    session = app.session(None)
    await ask(session)
    await session.memory.keep(TOTAL, PinKind.EPHEMERAL)
    assert "card" == (await row(session, TOTAL)).detail
    await ask(session)
    assert [] == kept(session, TOTAL)


async def test_a_pin_follows_code_that_was_renamed_moved_or_edited(app: Application, shop: Path) -> None:
    write_sample_of_four_languages(shop)
    session = app.session(None)
    await ask(session)
    for item in (TOTAL, ItemId("lines:shop/price.py:8-12"), file_item("web/http.ts")):
        await session.memory.keep(item, PinKind.STICKY)
    source = (shop / "shop/price.py").read_text()
    (shop / "shop/price.py").write_text("# one more line\n\n" + source.replace("def total_of", "def sum_with_tax"))
    (shop / "web/http.ts").rename(shop / "web/fetch.ts")
    expected = {
        symbol_item(SymbolId("shop/price.py::sum_with_tax")),
        ItemId("lines:shop/price.py:10-14"),
        file_item("web/fetch.ts"),
    }
    await ask(session)
    assert expected <= {pin.item for pin in session.pins()}
    assert not any(pin.is_broken for pin in session.pins())
    again = app.session(session.id)
    assert session.pins() == again.pins()
    (shop / "core/price.py").write_text((shop / "shop/price.py").read_text())
    (shop / "shop/price.py").write_text("VAT_PERCENT = 19\n")
    await ask(session)
    assert symbol_item(SymbolId("core/price.py::sum_with_tax")) in {pin.item for pin in session.pins()}


async def test_a_pin_whose_code_is_gone_is_marked_not_dropped_and_heals(app: Application, shop: Path) -> None:
    session = app.session(None)
    await ask(session)
    await session.memory.keep(TOTAL, PinKind.STICKY)
    source = (shop / "shop/price.py").read_text()
    (shop / "shop/price.py").write_text("VAT_PERCENT = 19\n")
    await ask(session)
    assert [True] == [pin.is_broken for pin in session.pins() if pin.item == TOTAL]
    decision = await row(session, TOTAL)
    assert (False, ReasonType.STALE) == (decision.included, decision.reasons[0].type)
    (shop / "shop/price.py").write_text(source)
    await ask(session)
    assert [False] == [pin.is_broken for pin in session.pins() if pin.item == TOTAL]
    assert (await row(session, TOTAL)).included


async def test_a_lease_counts_down_is_renewed_by_its_name_and_its_end_is_told(app: Application) -> None:
    session = app.session(None)
    await ask(session)
    await session.memory.keep(TOTAL, PinKind.LEASED, 2)
    await ask(session)
    assert [1] == kept(session, TOTAL)
    await ask(session, "what does `total_of` return?")
    assert [2] == kept(session, TOTAL)
    await ask(session)
    await ask(session)
    assert [] == kept(session, TOTAL)
    plan = await session.preview("hello there", ContextMode.OFF)
    ended = next(found for found in plan.excluded if found.id == TOTAL)
    assert (ReasonType.LEASE_EXPIRED, "total_of") == (ended.reasons[0].type, ended.title)


async def test_a_lease_for_the_task_ends_with_it(app: Application) -> None:
    session = app.session(None)
    await session.memory.start_task("prices")
    await session.memory.keep(TOTAL, PinKind.LEASED, for_task=True)
    for _ in range(7):
        await ask(session)
    assert ([None], "prices") == (kept(session, TOTAL), session.memory.task)
    await session.memory.finish_task()
    assert ([], "") == (kept(session, TOTAL), session.memory.task)
    with pytest.raises(UsageError):
        await session.memory.finish_task()


async def test_what_is_named_again_and_again_is_leased_then_suggested_with_evidence(app: Application) -> None:
    session = app.session(None)
    for _ in range(3):
        await ask(session, "what does `Price.with_tax` do?")
    (pin,) = [pin for pin in session.pins() if pin.item == WITH_TAX]
    assert (PinKind.LEASED, "engine", True) == (pin.kind, pin.by, "named in 2 of the last 3" in pin.evidence)
    alive = session.memory.activation(WITH_TAX)
    assert alive is not None
    assert (3, True) == (len(alive.updates), SignalKind.USER_REFERENCE in alive.updates[0].signals)
    assert WITH_TAX in {row.item for row in session.suggested_pins()}
    logged = [event for event in session.history() if isinstance(event, TurnReflected) and event.promoted]
    assert [pin.evidence] == [row.evidence for event in logged for row in event.promoted if row.item == WITH_TAX]
    await session.memory.dismiss(WITH_TAX)
    assert WITH_TAX not in {row.item for row in session.suggested_pins()}
    again = app.session(session.id)
    assert (session.pins(), alive) == (again.pins(), again.memory.activation(WITH_TAX))
