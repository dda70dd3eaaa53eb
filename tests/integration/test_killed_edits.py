"""Edits whose end could not be recorded: found by the files themselves, told, and undoable."""

import signal
import subprocess
import sys
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from model_thread import model_server
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.edit.change import EditState
from ctxcode.model.edit.event import EditsSettled
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.ids import SessionId
from ctxcode.session.session import Session

pytestmark = LITELLM_WARNINGS

KILLED = """
import asyncio, os, signal
from dataclasses import replace
from pathlib import Path
from ctxcode.bootstrap.application import open_application
from ctxcode.llm.litellm_library import load
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.edit.event import EditsDecided, EditsSettled

def turn(home, environment, event):
    wanted = {{"model": "openai/script-edit", "api_base": {base!r}, "context_tokens": 64_000}}
    app = open_application(home / "shop", overrides=wanted, environment=environment)
    session = replace(app, edits=EditPolicy.ALLOW).session(None)
    append = app.adapters.journal.append
    def deadly(to, happened, at):
        if isinstance(happened, event):
            os.kill(os.getpid(), signal.SIGKILL)
        append(to, happened, at)
    app.adapters.journal.append = deadly
    print(session.id, flush=True)
    async def run():
        async for _ in session.turn("lower the tax"):
            pass
    asyncio.run(run())

load()
for home, environment, event in {moments!r}:
    process = os.fork()
    if not process:
        try:
            turn(Path(home), environment, globals()[event])
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""
Killed = dict[str, tuple[Path, SessionId]]
"""By what was in hand when a process was killed: its home and its session."""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """Run turns that edit files, each in a process killed when it records an event: forks of one that is ready."""
    moments = {"written": "EditsSettled", "accepted": "EditsSettled", "shown": "EditsDecided"}
    homes = {name: tmp_path_factory.mktemp(name) for name in moments}
    for home in homes.values():
        write_sample(home / "shop")
    with model_server() as server:
        code = KILLED.format(
            moments=[(str(homes[name]), private_home(homes[name]), event) for name, event in moments.items()],
            base=server.base_url,
        )
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    told = ended.stdout.split()
    assert [str(-signal.SIGKILL)] * len(homes) == told[1::2], ended.stderr
    return {name: (home, SessionId(told[2 * place])) for place, (name, home) in enumerate(homes.items())}


def reopened(killed: tuple[Path, SessionId], server: ScriptedServer) -> Session:
    home, session_id = killed
    wanted = {"model": "openai/script-fixed", "api_base": server.base_url, "context_tokens": 64_000}
    app = open_application(home / "shop", overrides=wanted, environment=private_home(home))
    return replace(app, edits=EditPolicy.ALLOW).session(session_id)


async def test_an_edit_written_and_not_recorded_is_found_told_and_undone(
    killed: Killed, server: ScriptedServer
) -> None:
    home, _ = killed["written"]
    price = home / "shop/shop/price.py"
    assert "VAT_PERCENT = 7" in price.read_text()
    session = reopened(killed["written"], server)
    first, *_ = await session.warm_up()
    assert "was written when ctxcode ended, and is recorded now: shop/price.py, shop/tax/rates.py." in first
    assert {"shop/price.py", "shop/tax/rates.py"} == {change.path for change in await session.edits.changes()}
    (undone,) = await session.edits.undo(of_last_turn=False)
    assert ((), True) == (undone.refused, "VAT_PERCENT = 19" in price.read_text())
    assert not (home / "shop/shop/tax/rates.py").exists()
    assert not any("is recorded now" in line for line in await session.warm_up())


async def test_an_edit_accepted_and_not_written_is_told_as_that(killed: Killed, server: ScriptedServer) -> None:
    home, _ = killed["accepted"]
    price = home / "shop/shop/price.py"
    price.write_text(price.read_text().replace("VAT_PERCENT = 7", "VAT_PERCENT = 19"))
    (home / "shop/shop/tax/rates.py").unlink()
    session = reopened(killed["accepted"], server)
    async with aclosing(session.turn("go on")) as events:
        (settled,) = [event async for event in events if isinstance(event, EditsSettled)]
    assert {EditState.FAILED} == {outcome.state for outcome in settled.outcomes}


async def test_an_edit_nobody_answered_is_not_touched(killed: Killed, server: ScriptedServer) -> None:
    session = reopened(killed["shown"], server)
    assert not any("The edit" in line for line in await session.warm_up())
    assert () == await session.edits.changes()
