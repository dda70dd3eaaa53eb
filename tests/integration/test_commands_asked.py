"""Commands of a model with everything real: what is asked, what runs, what is kept, what nobody can talk it into."""

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from command import run_here
from sample_repository import write_sample
from scripted_commands import HOSTILE_COMMANDS
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, open_application
from ctxcode.model.command.approval import Answer, AnswerKind, Approval, Danger
from ctxcode.model.conversation import StoppedBy, ToolStatus
from ctxcode.model.errors import UsageError
from ctxcode.model.event import Event, ReplyFinished, ToolAnswered, TurnCompleted, TurnStarted
from ctxcode.model.passing.event import ApprovalAsked
from ctxcode.session.session import Session
from ctxcode.tui.format import turn_meter
from ctxcode.tui.state.fold import folded

pytestmark = LITELLM_WARNINGS
ONCE, NO = Answer(AnswerKind.ONCE), Answer(AnswerKind.NO)
Reply = Callable[[Approval], Answer]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    repository = write_sample(tmp_path / "shop")
    (repository / ".env").write_text("SHOP_TOKEN=tulip-mill-42\n")
    (repository / "Makefile").write_text("check:\n\ttrue\n")
    (tmp_path / "outside.txt").write_text("root:x:0:0\n")
    return repository


def application(
    shop: Path, server: ScriptedServer, script: str, allowed: tuple[str, ...] = (), **overrides: object
) -> Application:
    wanted = {"model": f"openai/script-{script}", "api_base": server.base_url, "context_tokens": 32_000, "tools": True}
    environment = private_home(shop.parent)
    return open_application(shop, overrides={**wanted, **overrides}, environment=environment, allowed=allowed)


def trusted(app: Application) -> Application:
    assert app.adapters.commands is not None
    commands = app.adapters.commands()
    commands.trust_now(commands.trust())
    return app


def is_confined(app: Application) -> bool:
    assert app.adapters.commands is not None
    return app.adapters.commands().shell.sandbox.is_there


async def turn(session: Session, reply: Reply, prompt: str = "check it") -> list[Event]:
    events: list[Event] = []
    made = session.commands.run(prompt[1:]) if prompt.startswith("!") else session.turn(prompt)
    async with aclosing(made) as stream:
        async for event in stream:
            events.append(event)
            if isinstance(event, ApprovalAsked):
                session.commands.answer(event.approval.id, reply(event.approval))
    return events


def running(mark: str) -> bool:
    lines = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            lines.append((folder / "cmdline").read_bytes() if folder.name.isdigit() else b"")
    return any(line == f"sleep\0{mark}\0".encode() for line in lines)


def asked(events: list[Event]) -> list[Approval]:
    return [event.approval for event in events if isinstance(event, ApprovalAsked)]


def results(events: list[Event]) -> list[tuple[ToolStatus, str]]:
    return [(event.result.status, event.result.text) for event in events if isinstance(event, ToolAnswered)]


async def test_nothing_runs_before_the_user_trusts_the_repository_and_says_so(
    shop: Path, server: ScriptedServer
) -> None:
    app = application(shop, server, "check-twice")
    session = app.session(None, is_attended=True)
    events = await turn(session, lambda _: replace(NO, why="not now"))
    first, second = asked(events)
    assert ("ls shop", str(shop), False) == (first.command, first.directory, first.trust.is_trusted)
    assert ["Makefile"] == [path for path, _ in first.trust.files]
    assert first.id != second.id
    status, text = results(events)[0]
    assert ToolStatus.REFUSED == status
    assert "The user did not allow it; nothing was run. They say: not now" in text
    assert not (await session.commands.trust()).is_trusted


async def test_who_refuses_their_own_command_is_not_told_what_a_model_would_be(
    shop: Path, server: ScriptedServer
) -> None:
    session = application(shop, server, "check-twice").session(None, is_attended=True)
    events = await turn(session, lambda _: NO, "!ls shop")
    assert not any(isinstance(event, ReplyFinished) for event in events)
    (shown,) = folded(session.history()).turns
    assert ("You refused it; nothing was run.", "not run") == (shown.error, turn_meter(shown))
    await turn(session, lambda _: NO)
    assert not any("ls shop" in str(message) for message in server.requests[0].messages)


async def test_trusting_once_holds_until_what_decides_changes(shop: Path, server: ScriptedServer) -> None:
    app = application(shop, server, "check-twice")
    first = asked(await turn(app.session(None, is_attended=True), lambda _: ONCE))
    assert [False, True] == [one.trust.is_trusted for one in first]
    again = asked(await turn(app.session(None, is_attended=True), lambda _: ONCE))
    assert [True, True] == [one.trust.is_trusted for one in again]
    (shop / "Makefile").write_text("check:\n\tcurl evil\n")
    changed = asked(await turn(app.session(None, is_attended=True), lambda _: ONCE))
    assert (False, ("Makefile",)) == (changed[0].trust.is_trusted, changed[0].trust.changed)
    assert "" == first[0].trust.difference
    assert ["Makefile changed", "@@ -1,2 +1,2 @@", " check:", "-\ttrue", "+\tcurl evil"] == (
        changed[0].trust.difference.split("\n")
    )


async def test_always_allowed_runs_without_a_question_only_confined_and_only_while_trusted(
    shop: Path, server: ScriptedServer
) -> None:
    app = trusted(application(shop, server, "check-twice"))
    session = app.session(None, is_attended=True)
    events = await turn(session, lambda one: Answer(AnswerKind.EXACT if one.exact is not None else AnswerKind.ONCE))
    assert [ToolStatus.OK, ToolStatus.OK] == [status for status, _ in results(events)]
    assert "cart.py" in results(events)[0][1]
    assert (1 if is_confined(app) else 2) == len(asked(events))
    (shop / "Makefile").unlink()
    assert not asked(await turn(session, lambda _: NO))[0].trust.is_trusted
    await session.commands.revoke()
    assert () == (await session.commands.permissions()).grants


async def test_hostile_commands_are_shown_whole_and_do_nothing_even_when_allowed(
    shop: Path, server: ScriptedServer
) -> None:
    app = trusted(application(shop, server, "hostile-commands"))
    refused = await turn(app.session(None, is_attended=True), lambda _: NO)
    assert list(HOSTILE_COMMANDS) == [one.command for one in asked(refused)]
    assert {ToolStatus.REFUSED} == {status for status, _ in results(refused)}
    home, hooks, *_ = asked(refused)
    assert ((Danger.HOME,), (Danger.GIT,)) == (home.dangers, hooks.dangers)
    assert all(one.exact is None and one.pattern is None for one in (home, hooks))
    if not is_confined(app):
        return
    allowed = await turn(app.session(None, is_attended=True), lambda _: ONCE)
    told = [text for _, text in results(allowed)]
    assert all("did not confirm" in text for text in told[:2])
    assert "root:x" not in str(told)
    assert "tulip-mill-42" not in str(server.requests[-1].body)
    assert "root:x:0:0\n" == (shop.parent / "outside.txt").read_text()
    assert not (shop / ".git").exists()


async def test_an_interruption_ends_the_command_and_closes_the_question(shop: Path, server: ScriptedServer) -> None:
    app = trusted(application(shop, server, "endless-command"))
    session = app.session(None, is_attended=True)
    stream = session.turn("run it")
    async for event in stream:
        if isinstance(event, ApprovalAsked):
            break
    await stream.aclose()
    with pytest.raises(UsageError, match="no longer open"):
        session.commands.answer(1, ONCE)
    completed = [event for event in session.history() if isinstance(event, TurnCompleted)]
    assert [StoppedBy.INTERRUPTED] == [event.stopped_by for event in completed]


async def test_interrupting_a_running_command_leaves_nothing_of_it(shop: Path, server: ScriptedServer) -> None:
    session = trusted(application(shop, server, "echo")).session(None, is_attended=True)
    mark = f"6{os.getpid()}3"

    async def consume() -> None:
        async with aclosing(session.commands.run(f"setsid sleep {mark} & sleep {mark}")) as stream:
            async for _ in stream:
                pass

    task = asyncio.ensure_future(consume())
    while not running(mark):
        assert not task.done()
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    deadline = time.monotonic() + 30
    while running(mark):
        assert time.monotonic() < deadline
        await asyncio.sleep(0)


async def test_a_command_that_takes_too_long_is_ended_and_told(shop: Path, server: ScriptedServer) -> None:
    app = trusted(application(shop, server, "endless-command", command_seconds=1))
    events = await turn(app.session(None, is_attended=True), lambda _: ONCE)
    ((status, text),) = results(events)
    assert ToolStatus.FAILED == status
    assert text.startswith("ended after 1 s, its time limit")


async def test_two_megabytes_of_output_reach_the_model_by_head_and_tail(shop: Path, server: ScriptedServer) -> None:
    app = trusted(application(shop, server, "flood-command"))
    events = await turn(app.session(None, is_attended=True), lambda _: ONCE)
    ((status, text),) = results(events)
    assert ToolStatus.OK == status
    assert text.startswith("exit code 0 after ")
    assert "2,000,000 bytes of output" in text
    assert len(text) <= 4_900


async def test_what_the_user_types_runs_in_a_trusted_repository_and_is_told_to_the_model_next(
    shop: Path, server: ScriptedServer
) -> None:
    app = trusted(application(shop, server, "echo"))
    session = app.session(None, is_attended=True)
    events = await turn(session, lambda _: NO, "!sh -c 'echo seven; cat .env; exit 7'")
    assert [] == asked(events)
    (reply,) = [event for event in events if isinstance(event, ReplyFinished)]
    assert "exit code 7" in reply.text
    assert "seven" in reply.text
    assert "tulip-mill-42" not in reply.text
    await turn(session, lambda _: NO, "why did it fail?")
    assert "exit code 7" in str(server.requests[-1].body)
    dangerous = await turn(session, lambda _: ONCE, "!rm -rf *")
    assert [(Danger.REPOSITORY,)] == [one.dangers for one in asked(dangerous)]
    assert (shop / "Makefile").exists()
    assert "!rm -rf *" == next(event.prompt for event in dangerous if isinstance(event, TurnStarted))


async def test_without_the_app_no_command_is_offered_or_run_unless_a_flag_allows_it(
    shop: Path, server: ScriptedServer
) -> None:
    events = await turn(trusted(application(shop, server, "check-twice")).session(None), lambda _: ONCE)
    assert {ToolStatus.INVALID} == {status for status, _ in results(events)}
    assert "run_command" not in str(server.requests[-1].body.get("tools"))
    allowed = application(shop, server, "check-twice", allowed=("ls",))
    events = await turn(allowed.session(None), lambda _: ONCE)
    assert {ToolStatus.OK} == {status for status, _ in results(events)}
    other = application(shop, server, "check-twice", allowed=("pytest",))
    events = await turn(other.session(None), lambda _: ONCE)
    assert {ToolStatus.REFUSED} == {status for status, _ in results(events)}
    assert "--allow-command" in results(events)[0][1]
    (shop / "conftest.py").write_text("")
    events = await turn(allowed.session(None), lambda _: ONCE)
    assert {ToolStatus.REFUSED} == {status for status, _ in results(events)}


def test_trust_is_given_shown_and_taken_back_on_the_command_line(shop: Path) -> None:
    home = shop.parent
    before = run_here(home, "trust", "--show", str(shop)).out
    assert before.startswith("not trusted; what decides what commands do here:\n  Makefile\n")
    assert "trusted, until one of these changes:" in run_here(home, "trust", str(shop)).out
    (shop / "Makefile").write_text("x:\n")
    shown = run_here(home, "trust", "--show", "--format", "json", str(shop)).json()
    assert (False, ["Makefile"]) == (shown["trusted"], shown["changed"])
    assert "changed: Makefile" in run_here(home, "trust", "--show", str(shop)).out
    run_here(home, "trust", str(shop))
    assert run_here(home, "trust", "--revoke", str(shop)).out.startswith("not trusted")


def test_a_repository_can_grant_itself_nothing(shop: Path) -> None:
    for line in ("sandbox = false", "command_seconds = 9999", 'allow_commands = ["rm"]', "trusted = true"):
        (shop / ".ctxcode.toml").write_text(f"{line}\n")
        refused = run_here(shop.parent, "trust", "--show", str(shop))
        assert 2 == refused.code, line
    (shop / ".ctxcode.toml").unlink()
    (shop / ".ctxcode").mkdir()
    (shop / ".ctxcode/permissions.json").write_text('{"permissions": {"root": "/", "files": []}, "version": 1}')
    assert run_here(shop.parent, "trust", "--show", str(shop)).out.startswith("not trusted")


async def test_the_files_a_command_changed_are_told_to_the_model_and_kept(shop: Path, server: ScriptedServer) -> None:
    (shop / "touch.sh").write_text("echo x > new.py; echo y >> shop/price.py; rm shop/cart.py; exit 3\n")
    session = application(shop, server, "touch").session(None, is_attended=True)
    events = await turn(session, lambda _: ONCE)
    (result,) = [event.result for event in events if isinstance(event, ToolAnswered)]
    assert (ToolStatus.OK, 3) == (result.status, result.exit_code)
    fates = [(one.path, one.fate.value) for one in result.touched]
    assert [("new.py", "new"), ("shop/cart.py", "gone"), ("shop/price.py", "changed")] == fates
    assert "files it changed: new.py (new), shop/cart.py (gone), shop/price.py (changed)\n" in result.text
    stats = await session.outcomes.stats()
    assert (("exit code above 0", 1),) == stats.checks
