"""Edits whose end could not be recorded: found by the files themselves, told, and undoable."""

import asyncio
import signal
import subprocess
import sys
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

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
import asyncio, os, signal, sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, {tests!r})
from tmux_terminal import private_home
from ctxcode.bootstrap.application import open_application
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.edit.event import {event}

home = Path({home!r})
wanted = {{"model": "openai/script-edit", "api_base": {base!r}, "context_tokens": 64_000}}
app = open_application(home / "shop", overrides=wanted, environment=private_home(home))
session = replace(app, edits=EditPolicy.ALLOW).session(None)
append = app.adapters.journal.append
def deadly(session, event, at):
    if isinstance(event, {event}):
        os.kill(os.getpid(), signal.SIGKILL)
    append(session, event, at)
app.adapters.journal.append = deadly
print(session.id, flush=True)
async def run():
    async for _ in session.turn("lower the tax"):
        pass
asyncio.run(run())
"""


def killed_at(home: Path, server: ScriptedServer, event: str) -> str:
    """Run a turn that edits files in a process killed when it records an event; return the session's id."""
    write_sample(home / "shop")
    tests = str(Path(__file__).resolve().parents[1])
    code = KILLED.format(tests=tests, home=str(home), base=server.base_url, event=event)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert -signal.SIGKILL == ended.returncode, ended.stderr
    return ended.stdout.strip()


def reopened(home: Path, server: ScriptedServer, session_id: str) -> Session:
    wanted = {"model": "openai/script-fixed", "api_base": server.base_url, "context_tokens": 64_000}
    app = open_application(home / "shop", overrides=wanted, environment=private_home(home))
    return replace(app, edits=EditPolicy.ALLOW).session(SessionId(session_id))


async def test_an_edit_written_and_not_recorded_is_found_told_and_undone(
    tmp_path: Path, server: ScriptedServer
) -> None:
    price = tmp_path / "shop/shop/price.py"
    session_id = await asyncio.to_thread(killed_at, tmp_path, server, "EditsSettled")
    assert "VAT_PERCENT = 7" in price.read_text()
    session = reopened(tmp_path, server, session_id)
    first, *_ = await session.warm_up()
    assert "was written when ctxcode ended, and is recorded now: shop/price.py, shop/tax/rates.py." in first
    assert {"shop/price.py", "shop/tax/rates.py"} == {change.path for change in await session.edits.changes()}
    (undone,) = await session.edits.undo(of_last_turn=False)
    assert ((), True) == (undone.refused, "VAT_PERCENT = 19" in price.read_text())
    assert not (tmp_path / "shop/shop/tax/rates.py").exists()
    assert not any("is recorded now" in line for line in await session.warm_up())


async def test_an_edit_accepted_and_not_written_is_told_as_that(tmp_path: Path, server: ScriptedServer) -> None:
    session_id = await asyncio.to_thread(killed_at, tmp_path, server, "EditsSettled")
    price = tmp_path / "shop/shop/price.py"
    price.write_text(price.read_text().replace("VAT_PERCENT = 7", "VAT_PERCENT = 19"))
    (tmp_path / "shop/shop/tax/rates.py").unlink()
    session = reopened(tmp_path, server, session_id)
    async with aclosing(session.turn("go on")) as events:
        (settled,) = [event async for event in events if isinstance(event, EditsSettled)]
    assert {EditState.FAILED} == {outcome.state for outcome in settled.outcomes}


async def test_an_edit_nobody_answered_is_not_touched(tmp_path: Path, server: ScriptedServer) -> None:
    session_id = await asyncio.to_thread(killed_at, tmp_path, server, "EditsDecided")
    session = reopened(tmp_path, server, session_id)
    assert not any("The edit" in line for line in await session.warm_up())
    assert () == await session.edits.changes()
