"""Renaming, deleting and exporting stored sessions, with the real database and the command."""

import asyncio
import sqlite3
from contextlib import aclosing
from pathlib import Path

import pytest
from command import run_here
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.errors import UsageError
from ctxcode.session.session import Session

JOINT = "what is Cart?"
OWN = "who calls checkout?"


def application(home: Path) -> Application:
    if not (home / "shop").exists():
        write_sample(home / "shop")
    return open_application(home / "shop", overrides={}, environment=private_home(home))


async def asked(made: Application, *prompts: str) -> Session:
    session = made.session(None)
    for prompt in prompts:
        async with aclosing(session.turn(prompt)) as events:
            async for _ in events:
                pass
    return session


def stored(home: Path) -> dict[str, int]:
    """Return how many rows the database has, by table."""
    file = next((home / "data").rglob("ctxcode.db"))
    with sqlite3.connect(file) as connection:
        return {
            table: connection.execute(counted).fetchone()[0]
            for table, counted in {
                "event": "SELECT count(*) FROM event",
                "plan": "SELECT count(*) FROM plan",
                "retrieval": "SELECT count(*) FROM retrieval",
                "text": "SELECT count(*) FROM text",
            }.items()
        }


async def test_deleting_a_session_leaves_nothing_of_it_and_everything_of_the_others(tmp_path: Path) -> None:
    made = application(tmp_path)
    kept = await asked(made, JOINT)
    before = stored(tmp_path)
    doomed = await asked(made, OWN, JOINT)
    assert stored(tmp_path)["text"] > before["text"]
    await kept.archive.delete(doomed.id)
    assert before == stored(tmp_path)
    assert [kept.id] == [row.id for row in await kept.archive.sessions()]
    plan_id = kept.conversation.turns()[0].plan_id
    plan = await kept.plan(str(plan_id))
    assert plan is not None
    assert all([await kept.item_text(item) for item in plan.included])


async def test_the_open_session_is_not_deleted(tmp_path: Path) -> None:
    session = await asked(application(tmp_path), JOINT)
    with pytest.raises(UsageError, match="is open"):
        await session.archive.delete(session.id)
    assert 1 == len(await session.archive.sessions())


async def test_any_session_can_be_renamed(tmp_path: Path) -> None:
    made = application(tmp_path)
    other, session = await asked(made, OWN), await asked(made, JOINT)
    await session.archive.rename("  the\ncart ")
    await session.archive.rename("callers", other.id)
    assert {session.id: "the cart", other.id: "callers"} == {
        row.id: row.title for row in await session.archive.sessions()
    }
    with pytest.raises(UsageError, match="Which title"):
        await session.archive.rename(" \n ")


def test_the_command_exports_the_last_session_or_a_named_one(tmp_path: Path) -> None:
    made = application(tmp_path)
    other = asyncio.run(asked(made, OWN))
    asyncio.run(asked(made, JOINT))
    shop = tmp_path / "shop"
    assert f"> {JOINT}" in run_here(tmp_path, "export", folder=shop).out
    named = run_here(tmp_path, "export", other.id, "--format", "json", folder=shop).json()
    assert [OWN] == [turn["prompt"] for turn in named["turns"]]
    page = tmp_path / "page.html"
    done = run_here(tmp_path, "export", "--format", "html", "-o", str(page), folder=shop)
    assert 0 == done.code
    assert "what the model saw" in page.read_text()
    by_name = tmp_path / "other.HTML"
    assert 0 == run_here(tmp_path, "export", "-o", str(by_name), folder=shop).code
    assert page.read_text() == by_name.read_text()


def test_an_export_to_a_folder_gets_a_file_with_a_name_of_its_own(tmp_path: Path) -> None:
    asyncio.run(asked(application(tmp_path), "Where is Cart?"))
    shop, folder = tmp_path / "shop", tmp_path / "kept"
    folder.mkdir()
    for words in ((), (), ("--format", "html")):
        done = run_here(tmp_path, "export", "-o", str(folder), *words, folder=shop)
        assert (0, "") == (done.code, done.err)
    names = ["ctxcode-where-is-cart-2.md", "ctxcode-where-is-cart.html", "ctxcode-where-is-cart.md"]
    assert names == sorted(path.name for path in folder.iterdir())
    assert str(folder / "ctxcode-where-is-cart.html") in done.out
    plan = run_here(tmp_path, "plan", "export", "-o", str(folder), folder=shop)
    assert (0, 1) == (plan.code, len(list(folder.glob("ctxcode-plan-*.json"))))


def test_an_export_to_a_folder_that_is_not_there_says_which(tmp_path: Path) -> None:
    asyncio.run(asked(application(tmp_path), "Where is Cart?"))
    failed = run_here(tmp_path, "export", "-o", str(tmp_path / "none" / "talk.md"), folder=tmp_path / "shop")
    assert (1, True) == (failed.code, f"There is no folder '{tmp_path / 'none'}'." in failed.err)


def test_nothing_to_export_is_said(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    failed = run_here(tmp_path, "export", folder=tmp_path / "shop")
    assert 2 == failed.code
    assert "No session is stored" in failed.err
    unknown = run_here(tmp_path, "export", "zzz", folder=tmp_path / "shop")
    assert "There is no session 'zzz'" in unknown.err
