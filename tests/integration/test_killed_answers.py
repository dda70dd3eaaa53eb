"""An answer that was streaming when its process was killed: what was read of it is there, as after an interruption."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from command import run
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.conversation import StoppedBy, ToolStatus
from ctxcode.model.errors import StoreError
from ctxcode.model.event import DurableEvent, Event, ReplyArrived, ReplyFinished, TurnCompleted, TurnStarted
from ctxcode.model.ids import SessionId
from ctxcode.model.passing.event import ReplyChunked
from ctxcode.session.ledger import recorded
from ctxcode.session.session import Session
from ctxcode.session.turn.keeping import ReplyKeeper
from ctxcode.store.journal import SqliteJournal

pytestmark = LITELLM_WARNINGS

STREAMING = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from tmux_terminal import private_home
from ctxcode.bootstrap.application import open_application
from ctxcode.model.passing.event import ReplyChunked

home = Path({home!r})
wanted = {{"model": "openai/script-{script}", "api_base": {base!r}, "context_tokens": 64_000}}
session = open_application(home / "shop", overrides=wanted, environment=private_home(home)).session(None)
print(session.id, flush=True)
async def run():
    async for event in session.turn("tell me all"):
        if isinstance(event, ReplyChunked):
            print(event.text, end="", flush=True)
asyncio.run(run())
"""


def database(home: Path) -> Path:
    return next((home / "data").rglob("ctxcode.db"))


def kinds(home: Path) -> list[str]:
    connection = sqlite3.connect(database(home))
    try:
        return [row[0] for row in connection.execute("SELECT kind FROM event ORDER BY id")]
    finally:
        connection.close()


def killed(home: Path, server: ScriptedServer, script: str, is_time: Callable[[list[str]], bool]) -> tuple[str, str]:
    """Kill a process in its turn as soon as its journal holds these kinds; return the session and what was shown."""
    if not (home / "shop").exists():
        write_sample(home / "shop")
    tests = str(Path(__file__).resolve().parents[1])
    code = STREAMING.format(tests=tests, home=str(home), base=server.base_url, script=script)
    command = [sys.executable, "-c", code]
    deadline, pause = time.monotonic() + 120, threading.Event()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        session = process.stdout.readline().strip()
        while not is_time(kinds(home)):
            assert time.monotonic() < deadline
            assert process.poll() is None, process.communicate()
            pause.wait(0.05)
        process.send_signal(signal.SIGKILL)
        shown, _ = process.communicate()
    return session, shown


def application(home: Path, server: ScriptedServer, script: str = "echo") -> Application:
    wanted = {"model": f"openai/script-{script}", "api_base": server.base_url, "context_tokens": 64_000}
    return open_application(home / "shop", overrides=wanted, environment=private_home(home))


async def asked(session: Session, prompt: str) -> list[Event]:
    async with aclosing(session.turn(prompt)) as events:
        return [event async for event in events]


def two_pieces(found: list[str]) -> bool:
    return 2 <= found.count("reply-arrived")


async def test_what_was_read_of_an_answer_survives_a_kill_and_is_told_to_the_model(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session_id, shown = await asyncio.to_thread(killed, tmp_path, server, "drip", two_pieces)
    before = kinds(tmp_path)
    exported = await asyncio.to_thread(run, tmp_path, "export", "--format", "json", folder=tmp_path / "shop")
    assert before == kinds(tmp_path), "reading writes nothing"
    session = application(tmp_path, server).session(SessionId(session_id))
    (turn,) = session.conversation.turns()
    assert ("tell me all", StoppedBy.INTERRUPTED) == (turn.prompt, turn.stopped_by)
    assert turn.reply.startswith("word0 word1 ")
    assert shown.startswith(turn.reply)
    (told,) = exported.json()["turns"]
    assert (turn.reply, "interrupted") == (told["reply"], told["stopped_by"])
    await asked(session, "go on")
    assert ["tell me all", turn.reply.strip()] == [
        str(message["content"]).strip() for message in server.requests[-1].messages[1:3]
    ]
    after = kinds(tmp_path)
    assert (0, 2, 2) == tuple(after.count(kind) for kind in ("reply-arrived", "reply-finished", "turn-completed"))
    journal = application(tmp_path, server).adapters.journal.events(SessionId(session_id))
    assert tuple(session.history()) == journal


async def test_a_call_that_was_running_is_interrupted_and_what_was_said_before_is_told_once(
    tmp_path: Path, server: ScriptedServer
) -> None:
    def has_called(found: list[str]) -> bool:
        return "tools-called" in found

    session_id, _ = await asyncio.to_thread(killed, tmp_path, server, "loop", has_called)
    (turn,) = application(tmp_path, server).session(SessionId(session_id)).conversation.turns()
    assert (StoppedBy.INTERRUPTED, True) == (turn.stopped_by, bool(turn.rounds))
    assert all(len(made.calls) == len(made.results) for made in turn.rounds)
    assert turn.rounds[-1].results[-1].status in {ToolStatus.INTERRUPTED, ToolStatus.OK, ToolStatus.REPEATED}


async def test_pieces_are_gone_once_the_reply_is_whole(tmp_path: Path, server: ScriptedServer) -> None:
    write_sample(tmp_path / "shop")
    app = application(tmp_path, server, "markdown")
    session, kept = app.session(None), list[ReplyArrived]()
    runner = session._turns.runner("tell me all")
    runner.keeper = ReplyKeeper(runner.ledger, seconds=0)
    told = list[Event]()
    async with aclosing(runner.run()) as events:
        async for event in events:
            told.append(event)
            if isinstance(event, ReplyChunked):
                found = app.adapters.journal.events(session.id)
                kept = [one for one in found if isinstance(one, ReplyArrived)] or kept
    pieces = "".join(event.text for event in kept)
    shown = "".join(event.text for event in told if isinstance(event, ReplyChunked))
    assert pieces
    assert shown.startswith(pieces)
    assert not any(isinstance(event, ReplyArrived) for event in (*told, *session.history()))
    assert session.history() == app.adapters.journal.events(session.id)


class FullDisk(SqliteJournal):
    """Has no room for pieces of a reply, but for its end."""

    def append(self, session: SessionId, event: DurableEvent, at: float) -> None:
        if isinstance(event, ReplyArrived):
            message = "the disk is full"
            raise StoreError(message)
        super().append(session, event, at)


async def test_pieces_that_cannot_be_kept_stop_nothing_and_print_nothing(
    tmp_path: Path, server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    write_sample(tmp_path / "shop")
    session = application(tmp_path, server, "markdown").session(None)
    with FullDisk(database(tmp_path)) as journal:
        session._turns.ledger.journal = journal
        runner = session._turns.runner("tell me all")
        runner.keeper = ReplyKeeper(runner.ledger, seconds=0)
        async with aclosing(runner.run()) as events:
            told = [event async for event in events]
    assert TurnCompleted(1, StoppedBy.ANSWER) == told[-1]
    assert [] == caplog.records


async def test_the_next_turn_does_not_get_what_the_last_one_could_not_journal(
    tmp_path: Path, server: ScriptedServer
) -> None:
    write_sample(tmp_path / "shop")
    session = application(tmp_path, server, "fixed").session(None)
    ledger = session._turns.ledger
    ledger.show("left over")
    events = await asked(session, "all well?")
    ledger.keep()
    assert ["All is well."] == [event.text for event in events if isinstance(event, ReplyFinished)]
    assert isinstance(events[-1], TurnCompleted)
    assert "reply-arrived" not in kinds(tmp_path)


async def shown_until_full(session: Session, journal: SqliteJournal, prompt: str) -> str:
    """Return what is shown of an answer for whose end there is no room; afterwards there is."""
    shown = list[str]()

    async def fill_up() -> None:
        async with aclosing(session.turn(prompt)) as events:
            async for event in events:
                if isinstance(event, ReplyChunked):
                    shown.append(event.text)
                    with journal._database.read() as connection:
                        connection.execute("PRAGMA query_only = ON")

    with pytest.raises(StoreError, match="read-only"):
        await fill_up()
    with journal._database.read() as connection:
        connection.execute("PRAGMA query_only = OFF")
    return "".join(shown).strip()


@asynccontextmanager
async def unkept(home: Path, server: ScriptedServer) -> AsyncGenerator[tuple[Session, str]]:
    """Yield a session in which one answer was kept and the next one not, and what was shown of that."""
    write_sample(home / "shop")
    app = application(home, server, "markdown")
    journal = app.adapters.journal
    assert isinstance(journal, SqliteJournal)
    session = app.session(None)
    await asked(session, "where is Cart?")
    yield session, await shown_until_full(session, journal, "tell me all")


async def test_the_model_is_told_of_an_answer_that_could_not_be_stored(tmp_path: Path, server: ScriptedServer) -> None:
    async with unkept(tmp_path, server) as (session, shown):
        await asked(session, "go on")
        told = [str(message["content"]).strip() for message in server.requests[-1].messages]
        assert ["tell me all", shown] == told[3:5]


async def test_what_is_undone_is_the_answer_that_could_not_be_stored(tmp_path: Path, server: ScriptedServer) -> None:
    async with unkept(tmp_path, server) as (session, _):
        assert 2 == (await session.conversation.undo()).first
        assert ["where is Cart?"] == [turn.prompt for turn in session.conversation.turns()]
        assert list(session.history()) == recorded(session._ledger.journal, session.id)


async def test_a_fork_has_the_answer_that_could_not_be_stored(tmp_path: Path, server: ScriptedServer) -> None:
    async with unkept(tmp_path, server) as (session, shown):
        await session.conversation.fork("other")
        assert ["where is Cart?", "tell me all"] == [turn.prompt for turn in session.conversation.turns()]
        assert shown == session.conversation.turns()[-1].reply.strip()
        assert list(session.history()) == recorded(session._ledger.journal, session.id)


async def test_an_answer_that_could_not_be_stored_is_once_there_is_room_for_it(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    wanted = {"model": "navigator"}
    app = open_application(tmp_path / "shop", overrides=wanted, environment=private_home(tmp_path))
    journal = app.adapters.journal
    assert isinstance(journal, SqliteJournal)
    session = app.session(None)
    shown = await shown_until_full(session, journal, "where is Cart?")

    async with aclosing(session.turn("and total_of?")) as events:
        assert [event async for event in events]

    for history in (session.history(), recorded(journal, session.id)):
        kinds = [type(event) for event in history if isinstance(event, TurnStarted | ReplyFinished | TurnCompleted)]
        assert 2 * [TurnStarted, ReplyFinished, TurnCompleted] == kinds
        assert shown == next(event.text for event in history if isinstance(event, ReplyFinished)).strip() != ""
        stops = [event.stopped_by for event in history if isinstance(event, TurnCompleted)]
        assert [StoppedBy.INTERRUPTED, StoppedBy.ANSWER] == stops
