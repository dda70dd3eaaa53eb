"""A session that another process has open: the turns of two must not mingle in its journal."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from command import run
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.converse import session_for
from ctxcode.cli.plain import PlainTalk
from ctxcode.model.errors import SessionInUseError, StoreError
from ctxcode.model.event import DurableEvent, ReplyArrived, TurnStarted
from ctxcode.model.ids import SessionId
from ctxcode.session.session import Session
from ctxcode.store.disk import Claims
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.screens.pages.stats import stats_text
from ctxcode.tui.terminal.setup import SettingsPage

_HOLDER = """
import sys
from pathlib import Path
from ctxcode.store.disk import Claims
print(Claims(Path(sys.argv[1])).take(sys.argv[2]), flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path: Path, name: str) -> Iterator[str]:
    """Let another process claim a name; yield whether it got it."""
    command = [sys.executable, "-c", _HOLDER, str(path), name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        assert process.stdin is not None
        process.stdin.close()


def application(home: Path) -> Application:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
    return open_application(repository, overrides={"model": "navigator"}, environment=private_home(home))


async def asked(session: Session) -> SessionId:
    async with aclosing(session.turn("how does the cart add up")) as events:
        async for _ in events:
            continue
    return session.id


def claims_file(home: Path) -> Path:
    (found,) = home.rglob("*.db.open")
    return found


def test_a_claim_is_one_process_and_ends_with_it(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    with held(claims.path, "a") as said:
        assert ("True", False, True) == (said, claims.take("a"), claims.take("b"))
    assert (True, True) == (claims.take("a"), claims.take("a"))
    with held(claims.path, "a") as said:
        assert "False" == said
    claims.give_up("a")
    with held(claims.path, "a") as said:
        assert "True" == said
    claims.close()


_TAKER = """
import sys
from pathlib import Path
from ctxcode.store.disk import Claims
claims = Claims(Path(sys.argv[1]))
print(*(name for name in sys.argv[2:] if claims.take(name)))
"""


def test_what_is_claimed_while_another_thread_asks_who_has_it_stays_claimed(tmp_path: Path) -> None:
    claims, names = Claims(tmp_path / "claims"), [f"s{number}" for number in range(500)]
    begun, is_over = threading.Event(), threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            for name in names:
                claims.is_elsewhere(name)
                begun.set()

    asking = threading.Thread(target=ask)
    asking.start()
    begun.wait()
    taken = [claims.take(name) for name in names]
    is_over.set()
    asking.join()
    assert all(taken)
    command = [sys.executable, "-c", _TAKER, str(claims.path), *names]
    assert [] == subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    claims.close()


_BUSY = """
import sys
from pathlib import Path
from ctxcode.store.disk import Claims
claims = Claims(Path(sys.argv[1]))
for _ in range(5_000):
    print(claims.is_elsewhere("a"), claims.take("b"))
    claims.give_up("b")
"""


def test_asking_who_has_a_name_neither_keeps_it_from_anybody_nor_looks_like_having_it(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    command = [sys.executable, "-c", _BUSY, str(claims.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        for line in other.stdout:
            told = claims.is_elsewhere("a"), claims.is_elsewhere("b")
            assert ("False True\n", False) == (line, told[0])
    assert not claims.is_elsewhere("b")
    claims.close()


async def test_a_session_that_is_open_elsewhere_is_not_opened_and_a_new_one_is_begun(tmp_path: Path) -> None:
    made = application(tmp_path)
    first = made.session(None)
    wanted, arguments = await asked(first), Arguments("open", repository=tmp_path / "shop")
    other = first.open(None)
    with held(claims_file(tmp_path), wanted) as said:
        assert "True" == said
        with pytest.raises(SessionInUseError, match="open in another window"):
            other.open(wanted)
        opened = session_for(made, arguments, resumes=True)
        assert wanted != opened.id
        assert "This is a new one." in (await opened.warm_up())[0]
        with pytest.raises(SessionInUseError):
            session_for(made, replace(arguments, is_continued=True), resumes=True)
        assert wanted == session_for(made, arguments, resumes=True, writes=False).id
    assert wanted == session_for(made, arguments, resumes=True).id


async def test_a_session_is_read_once_nobody_else_can_write_it_and_left_alone_when_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = application(tmp_path)
    first = made.session(None)
    wanted, other = await asked(first), first.open(None)
    got: list[str] = []

    def events(session: SessionId) -> list[DurableEvent]:
        with held(claims_file(tmp_path), session) as said:
            got.append(said)
        raise StoreError("The disk is gone.")

    monkeypatch.setattr(made.adapters.journal, "events", events)
    with pytest.raises(StoreError):
        other.open(wanted)
    with held(claims_file(tmp_path), wanted) as said:
        assert (["False"], "True") == (got, said)


async def test_a_session_that_was_begun_here_is_open_here(tmp_path: Path) -> None:
    made = application(tmp_path)
    wanted = await asked(made.session(None))
    with held(claims_file(tmp_path), wanted) as said:
        assert "False" == said


async def test_a_session_that_is_open_elsewhere_is_neither_renamed_nor_deleted(tmp_path: Path) -> None:
    first = application(tmp_path).session(None)
    wanted = await asked(first)
    archive = first.open(None).archive
    with held(claims_file(tmp_path), wanted) as said:
        assert "True" == said
        with pytest.raises(SessionInUseError, match="open in another window"):
            await archive.rename("mine", wanted)
        with pytest.raises(SessionInUseError) as refused:
            await archive.delete(wanted)
        assert "Close it there first." == refused.value.hint
        assert ["how does the cart add up"] == [row.title for row in await archive.sessions()]
    await archive.rename("mine", wanted)
    with held(claims_file(tmp_path), wanted) as said:
        assert "True" == said, "it was had for the renaming only"
    await archive.delete(wanted)
    assert () == await archive.sessions()


async def test_what_only_reads_a_session_reads_one_that_is_open_elsewhere(tmp_path: Path) -> None:
    wanted = await asked(application(tmp_path).session(None))
    for command in ("stats", "export"):
        outcome = await asyncio.to_thread(run, tmp_path, command, wanted, folder=tmp_path / "shop")
        assert (0, "") == (outcome.code, outcome.err)


async def test_a_new_session_in_plain_text_lets_go_of_the_one_before(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    wanted, talk = await asked(session), PlainTalk(session, SettingsPage())
    with held(claims_file(tmp_path), wanted) as said:
        assert "False" == said
    assert await talk.take("/new")
    with held(claims_file(tmp_path), wanted) as said:
        assert "True" == said


async def test_a_session_that_is_opened_once_more_stays_open(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    again = session.open(await asked(session))
    with held(claims_file(tmp_path), again.id) as said:
        assert "False" == said


def told_of_the_second_turn(home: Path, session: SessionId) -> tuple[tuple[str, object], str, object, object]:
    """Return what is exported of it, as JSON and in Markdown's line about it, and what ends of turns are counted."""
    shop = home / "shop"
    _, exported = run(home, "export", "--format", "json", folder=shop).json()["turns"]
    rows = run(home, "export", folder=shop).out.split("## Turn 2")[1].split("\n")
    one, whole = (
        run(home, "stats", *words, "--format", "json", folder=shop).json()["outcomes"] for words in ((session,), ())
    )
    return (exported["reply"], exported["stopped_by"]), next(row for row in rows if row.startswith("*")), one, whole


async def test_a_turn_that_another_process_is_at_goes_on_and_is_interrupted_once_that_is_gone(tmp_path: Path) -> None:
    made = application(tmp_path)
    wanted = await asked(made.session(None))
    made.adapters.journal.give_up(wanted)
    for event in (TurnStarted(2, "and then?"), ReplyArrived(2, "Then it ")):
        made.adapters.journal.append(wanted, event, 0.0)

    with held(claims_file(tmp_path), wanted) as said:
        assert "True" == said
        running = [["answer", 1], ["running", 1]]
        assert (("Then it ", None), "*still running*", running, running) == await asyncio.to_thread(
            told_of_the_second_turn, tmp_path, wanted
        )
    ended = [["answer", 1], ["interrupted", 1]]
    assert (("Then it ", "interrupted"), "*interrupted*", ended, ended) == await asyncio.to_thread(
        told_of_the_second_turn, tmp_path, wanted
    )


async def test_of_the_turn_that_runs_here_the_stats_of_all_sessions_say_no_end(tmp_path: Path) -> None:
    session = application(tmp_path).session(None)
    async with aclosing(session.turn("how does the cart add up")) as events:
        await anext(events)
        stats = await session.outcomes.stats(everything=True)
        assert (1, (("running", 1),)) == (stats.turns, stats.outcomes)
        assert "1 turn in 1 session: 1 still running" == stats_text(stats, UNICODE).split("\n")[0]
