"""What a conversation is about, followed over a real session's turns."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.engine.activation import SignalKind
from ctxcode.model.engine.cluster import ClusterEvidence, QueryCluster
from ctxcode.model.engine.event import TurnReflected
from ctxcode.model.ids import ItemId, SymbolId, symbol_item
from ctxcode.model.plan import Section
from ctxcode.session.session import Session


def shop(folder: Path, **settings: object) -> Application:
    return open_application(write_sample(folder / "shop"), overrides=settings, environment=private_home(folder))


async def ask(session: Session, prompt: str) -> QueryCluster:
    async for _ in session.turn(prompt):
        pass
    assert session.memory.cluster is not None
    return session.memory.cluster


def retrieved(session: Session, turn: int) -> set[ItemId]:
    said = [event for event in session.history() if isinstance(event, TurnReflected) and event.turn == turn]
    return {row.item for row in said[-1].signals if SignalKind.RETRIEVED in row.signals}


async def test_questions_about_the_same_thing_keep_what_was_found_for_them_alive(tmp_path: Path) -> None:
    app = shop(tmp_path, semantic=False)
    session = app.session(None)
    assert session.memory.cluster is None
    first = await ask(session, "how is the price with tax computed?")
    second = await ask(session, "where is the tax of a price rounded?")
    third = await ask(session, "continue")
    assert [1, 1, 1] == [first.number, second.number, third.number]
    assert (ClusterEvidence.WORDS, ClusterEvidence.NOTHING_NEW) == (second.evidence, third.evidence)
    assert retrieved(session, 1) <= retrieved(session, 2) == set(second.items)
    other = await ask(session, "fetch json over http")
    assert (2, 4) == (other.number, other.since)
    assert set(other.items) == retrieved(session, 4)

    await session.conversation.undo()
    assert third == session.memory.cluster
    again = app.session(session.id)
    assert third == again.memory.cluster


async def test_a_question_that_points_back_still_finds_the_code(tmp_path: Path) -> None:
    session = shop(tmp_path, semantic=False).session(None)
    alone = await session.preview("where is it called?")
    await ask(session, "how is the price with tax computed?")
    plan = await session.preview("where is it called?")
    price = symbol_item(SymbolId("shop/price.py::Price.with_tax"))
    assert price not in {item.id for item in alone.included if item.section is Section.TOUCHPOINT}
    assert price in {item.id for item in plan.included if item.section is Section.TOUCHPOINT}
    assert ("", "how is the price with tax computed?") == (alone.goes_on_from, plan.goes_on_from)
    assert (await session.preview("fetch json over http again when the connection was lost")).goes_on_from == ""


@pytest.mark.skipif(find_spec("wordllama") is None, reason="wordllama has no wheel for this Python")
async def test_meaning_joins_what_words_do_not(tmp_path: Path) -> None:
    prompts = ("shopping cart checkout", "buy the basket of purchases in the store")
    by_words = shop(tmp_path / "words", semantic=False).session(None)
    by_meaning = shop(tmp_path / "meaning", semantic=True).session(None)
    apart = [await ask(by_words, prompt) for prompt in prompts]
    joined = [await ask(by_meaning, prompt) for prompt in prompts]
    assert [1, 2] == [one.number for one in apart]
    assert [1, 1] == [one.number for one in joined]
    assert ClusterEvidence.MEANING is joined[1].evidence
