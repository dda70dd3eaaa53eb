"""Edits from the model's call to the file and back, with everything real."""

import asyncio
import subprocess
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from command import run_here
from model_thread import model_server
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.edit.change import DecidedBy, EditState, FileVerdict
from ctxcode.model.edit.event import EditsDecided, EditsProposed, EditsSettled
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.engine.activation import SignalKind
from ctxcode.model.errors import UsageError
from ctxcode.model.event import Event, ReplyFinished, ToolAnswered, TurnCompleted
from ctxcode.model.ids import file_item
from ctxcode.model.pin import PinKind
from ctxcode.session.session import Session
from ctxcode.tui.state.fold import folded

pytestmark = LITELLM_WARNINGS

Answering = Callable[[Session, EditsProposed], None]


def opened(home: Path, server: ScriptedServer, script: str, policy: EditPolicy = EditPolicy.ASK) -> Session:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
        (repository / "link").symlink_to(home)
        (repository / ".git").mkdir(exist_ok=True)
    wanted = {"model": f"openai/script-{script}", "api_base": server.base_url, "context_tokens": 64_000}
    application = open_application(repository, overrides=wanted, environment=private_home(home))
    return replace(application, edits=policy).session(None)


def yes(session: Session, proposed: EditsProposed) -> None:
    verdicts = tuple(FileVerdict(change.path) for change in proposed.changes)
    session.edits.decide(proposed.number, verdicts)


def no(session: Session, proposed: EditsProposed) -> None:
    verdicts = tuple(FileVerdict.no(change.path) for change in proposed.changes)
    session.edits.decide(proposed.number, verdicts, note="keep the tax")


async def turn(session: Session, answering: Answering = yes, prompt: str = "lower the tax") -> list[Event]:
    events: list[Event] = []
    async with aclosing(session.turn(prompt)) as stream:
        async for event in stream:
            events.append(event)
            if isinstance(event, EditsProposed):
                # The session waits for the answer from its next step on.
                asyncio.get_running_loop().call_soon(answering, session, event)
    return events


def statuses(events: list[Event]) -> list[str]:
    return [event.result.status.value for event in events if isinstance(event, ToolAnswered)]


def results(events: list[Event]) -> list[str]:
    return [event.result.text for event in events if isinstance(event, ToolAnswered)]


def outcomes(events: list[Event]) -> dict[str, EditState]:
    return {one.path: one.state for event in events if isinstance(event, EditsSettled) for one in event.outcomes}


def tree(home: Path) -> dict[str, bytes]:
    files = (path for path in (home / "shop").rglob("*") if path.is_file() and "link" not in path.parts)
    return {str(path.relative_to(home / "shop")): path.read_bytes() for path in files}


def committed(folder: Path) -> bytes:
    """Commit a folder to a repository of its own and return what git then has of the package in it."""
    for words in ("init -q", "add -A", "-c user.name=t -c user.email=t@e.org commit -q -m x"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True, capture_output=True)
    shown = subprocess.run(["git", "ls-files", "-s", "shop", "*.py"], cwd=folder, check=True, capture_output=True)
    return shown.stdout


async def test_a_replys_edits_are_one_set_that_is_accepted_written_and_undone(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = opened(tmp_path, server, "edit")
    before = tree(tmp_path)
    events = await turn(session)
    assert ["ok", "ok", "ok", "ok"] == statuses(events)
    (proposed,) = [event for event in events if isinstance(event, EditsProposed)]
    assert [("shop/price.py", 2), ("shop/tax/rates.py", 1)] == [(c.path, len(c.hunks)) for c in proposed.changes]
    after = tree(tmp_path)
    assert b"RATES = (7, 19)\n" == after["shop/tax/rates.py"]
    price = before["shop/price.py"].decode().replace("VAT_PERCENT = 19", "VAT_PERCENT = 7")
    price = price[: price.index("def total_of")] + "def total_of(prices):\n    return 0\n"
    assert price == after["shop/price.py"].decode()
    assert "Applied: shop/price.py is changed, +3 -4 lines, at lines 5, 19" in results(events)[0]
    assert results(events)[0] in next(event.text for event in events if isinstance(event, ReplyFinished))
    assert ("shop/price.py", "shop/tax/rates.py") == session.edits.undoable(of_last_turn=True)
    assert [("shop/price.py", 3, 4), ("shop/tax/rates.py", 1, 0)] == [
        (change.path, change.added, change.removed) for change in await session.edits.changes()
    ]
    await session.edits.undo(of_last_turn=True)
    assert before == tree(tmp_path)
    assert not (tmp_path / "shop/shop/tax").exists()
    assert ((), ()) == (session.edits.undoable(of_last_turn=True), await session.edits.changes())
    server.requests.clear()
    await turn(session, prompt="and now?")
    told = [message["content"] for message in server.requests[0].messages if message["role"] == "tool"]
    assert ["undone" in text for text in told] == [True, False, True, True]


async def test_edits_in_a_submodule_are_written_found_and_undone(tmp_path: Path, server: ScriptedServer) -> None:
    root = write_sample(tmp_path / "shop")
    assert committed(root / "shop").startswith(b"100644")
    assert committed(root).startswith(b"160000")
    session = opened(tmp_path, server, "edit")
    before = tree(tmp_path)
    events = await turn(session)
    assert ["ok", "ok", "ok", "ok"] == statuses(events)
    assert "shop/tax/rates.py" in [symbol.path for symbol in await session.find("RATES")]
    assert ("shop/price.py", "shop/tax/rates.py") == session.edits.undoable(of_last_turn=True)
    await session.edits.undo(of_last_turn=True)
    assert before == tree(tmp_path)


async def test_what_the_user_makes_of_a_proposal_is_proposed_again_and_told(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session, kept = opened(tmp_path, server, "edit"), list[asyncio.Future[None]]()

    async def revise(event: EditsProposed) -> None:
        text = await session.edits.proposed_text(event.number, "shop/price.py")
        assert "VAT_PERCENT = 7" in text
        with pytest.raises(UsageError, match="stays as it is"):
            await session.edits.revise(event.number, "shop/price.py", (tmp_path / "shop/shop/price.py").read_text())
        await session.edits.revise(event.number, "shop/price.py", text.replace("= 7", "= 5"))

    def mine(session: Session, event: EditsProposed) -> None:
        if any(change.is_users for change in event.changes):
            yes(session, event)
        else:
            kept.append(asyncio.ensure_future(revise(event)))

    events = await turn(session, mine)
    first, second = [event for event in events if isinstance(event, EditsProposed)]
    assert (first.number, [False, False], [True, False]) == (
        second.number,
        [change.is_users for change in first.changes],
        [change.is_users for change in second.changes],
    )
    assert b"VAT_PERCENT = 5" in tree(tmp_path)["shop/price.py"]
    assert results(events)[0].startswith("Applied as the user edited it: shop/price.py")
    assert "+VAT_PERCENT = 5" in results(events)[0]


async def test_rejected_edits_change_nothing_and_count_against_their_items(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = opened(tmp_path, server, "edit")
    before = tree(tmp_path)
    events = await turn(session, no)
    assert (before, ["rejected", "ok", "rejected", "rejected"]) == (tree(tmp_path), statuses(events))
    assert "They said: keep the tax" in results(events)[0]
    assert {EditState.REJECTED} == set(outcomes(events).values())
    found = session.memory.activation(file_item("shop/price.py"))
    assert found is not None
    assert SignalKind.EDIT_REJECTED in found.updates[-1].signals
    with pytest.raises(UsageError):
        await session.edits.undo(of_last_turn=True)


async def test_single_hunks_can_be_accepted(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit")

    def first_hunk(session: Session, proposed: EditsProposed) -> None:
        verdicts = (FileVerdict("shop/price.py", (0,)), FileVerdict.no("shop/tax/rates.py"))
        session.edits.decide(proposed.number, verdicts)

    events = await turn(session, first_hunk)
    text = (tmp_path / "shop/shop/price.py").read_text()
    assert ("VAT_PERCENT = 7" in text, "return sum(" in text) == (True, True)
    assert ["ok", "ok", "rejected", "rejected"] == statuses(events)
    applied, _, rejected, _ = results(events)
    assert "Applied: shop/price.py is changed, +1 -1 lines, at line 5. The user rejected other changes" in applied
    assert rejected.startswith("The user rejected this change of shop/price.py; these lines are as they were.")
    assert ("-VAT_PERCENT" in rejected, "+    return 0" in rejected) == (False, True)
    assert {"shop/price.py": EditState.APPLIED, "shop/tax/rates.py": EditState.REJECTED} == outcomes(events)
    await session.edits.undo(of_last_turn=True)
    server.requests.clear()
    await turn(session, no, prompt="and now?")
    told = [message["content"] for message in server.requests[0].messages if message["role"] == "tool"]
    assert ["undone" in text for text in told] == [True, False, False, False]


async def test_a_file_that_changed_meanwhile_gets_a_new_diff(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit")
    path = tmp_path / "shop/shop/price.py"

    def change_then_yes(session: Session, proposed: EditsProposed) -> None:
        if not proposed.is_renewed:
            path.write_text("# by hand\n" + path.read_text())
        yes(session, proposed)

    events = await turn(session, change_then_yes)
    assert [False, True] == [event.is_renewed for event in events if isinstance(event, EditsProposed)]
    assert path.read_text().startswith("# by hand\n")
    assert "VAT_PERCENT = 7" in path.read_text()
    assert {EditState.APPLIED} == set(outcomes(events).values())


@pytest.mark.parametrize(
    ("by_hand", "expected"),
    [
        ("# by hand\n{0}", "# by hand\n{1}"),
        ("{0}# by hand\n", "{1}"),
        ("", "{1}"),
    ],
    ids=["elsewhere", "in the same lines", "gone"],
)
async def test_what_the_user_wrote_is_kept_when_its_file_changes_meanwhile(
    tmp_path: Path, server: ScriptedServer, by_hand: str, expected: str
) -> None:
    session, kept = opened(tmp_path, server, "edit"), list[asyncio.Future[None]]()
    path = tmp_path / "shop/shop/price.py"
    mine = path.read_text().replace("= 19", "= 5").rstrip("\n") + "\n# mine\n"
    meanwhile = by_hand.format(path.read_text())

    async def revise(event: EditsProposed) -> None:
        path.write_text(meanwhile)
        assert "VAT_PERCENT = 7" in await session.edits.proposed_text(event.number, "shop/price.py")
        await session.edits.revise(event.number, "shop/price.py", mine)

    def answer(session: Session, event: EditsProposed) -> None:
        if any(change.is_users for change in event.changes):
            verdicts = tuple(FileVerdict(change.path) for change in event.changes)
            session.edits.decide(event.number, verdicts, DecidedBy.SESSION)
        else:
            kept.append(asyncio.ensure_future(revise(event)))

    async with asyncio.timeout(200):
        events = await turn(session, answer)
    await asyncio.gather(*kept)
    proposals = [event for event in events if isinstance(event, EditsProposed)]
    assert [(False, False), (False, True), (True, True)] == [
        (event.is_renewed, event.changes[0].is_users) for event in proposals
    ]
    assert expected.format("", mine) == path.read_text()
    assert results(events)[0].startswith("Applied as the user edited it: shop/price.py")
    await session.edits.undo(of_last_turn=True)
    assert meanwhile == path.read_text()


async def test_an_edit_that_no_longer_fits_is_stale_and_told(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit")

    def empty_then_yes(session: Session, proposed: EditsProposed) -> None:
        (tmp_path / "shop/shop/price.py").write_text("")
        yes(session, proposed)

    events = await turn(session, empty_then_yes)
    assert {EditState.STALE} == set(outcomes(events).values())
    assert "failed" in statuses(events)
    assert not (tmp_path / "shop/shop/tax").exists()


async def test_an_undone_edit_is_undone_on_every_branch_that_shares_its_turn(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = opened(tmp_path, server, "edit")
    await turn(session)
    await session.conversation.fork("early", 0)
    await session.conversation.switch("main")
    await session.conversation.fork("other")
    await session.conversation.switch("main")
    await session.edits.undo(of_last_turn=True)
    await session.conversation.undo()
    await turn(session, no)
    await session.conversation.switch("other")
    (shown,) = folded(session.history()).turns
    assert [True, False, True, True] == [shown.edits[0].is_undone(call.id) for call in shown.rounds[0].calls]
    server.requests.clear()
    await turn(session, no, prompt="and now?")
    told = [message["content"] for message in server.requests[0].messages if message["role"] == "tool"]
    assert ["undone" in text for text in told] == [True, False, True, True]
    await session.conversation.switch("early")
    assert () == session.edits.undoable(of_last_turn=True)


async def test_a_file_that_undo_left_alone_is_not_told_as_undone(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit")
    await turn(session)
    (tmp_path / "shop/shop/price.py").write_text("# by hand\n")
    await session.edits.undo(of_last_turn=True)
    (shown,) = folded(session.history()).turns
    assert [False, False, False, True] == [shown.edits[0].is_undone(call.id) for call in shown.rounds[0].calls]


async def test_what_changed_since_is_left_alone_by_undo(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit")
    await turn(session)
    (tmp_path / "shop/shop/tax/rates.py").write_text("RATES = ()\n")
    (event,) = await session.edits.undo(of_last_turn=True)
    assert (("shop/price.py",), ["it changed since"]) == (event.restored, [one.detail for one in event.refused])
    assert "VAT_PERCENT = 19" in (tmp_path / "shop/shop/price.py").read_text()
    assert "RATES = ()\n" == (tmp_path / "shop/shop/tax/rates.py").read_text()


async def test_files_are_renamed_deleted_and_brought_back(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "move")
    before = tree(tmp_path)
    events = await turn(session)
    after = tree(tmp_path)
    assert ["ok", "ok"] == statuses(events)
    assert {"shop/price.py", "shop/cart.py"} == set(before) - set(after)
    assert before["shop/price.py"] == after["shop/cost.py"]
    await session.edits.undo(of_last_turn=False)
    assert before == tree(tmp_path)


async def test_a_deleted_script_comes_back_as_one(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "move")
    cart = tmp_path / "shop/shop/cart.py"
    cart.chmod(0o751)
    await turn(session)
    assert not cart.exists()
    await session.edits.undo(of_last_turn=True)
    assert 0o751 == cart.stat().st_mode & 0o7777


async def test_a_file_that_is_kept_read_only_is_not_edited(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit", EditPolicy.ALLOW)
    before = tree(tmp_path)
    await session.memory.keep(file_item("shop/price.py"), PinKind.STICKY, is_read_only=True)
    events = await turn(session)
    assert (before, ["refused", "ok", "refused", "skipped"]) == (tree(tmp_path), statuses(events))
    assert "kept read-only by the user" in results(events)[0]


async def test_bad_edits_of_a_reply_propose_nothing(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit-badly", EditPolicy.ALLOW)
    before = tree(tmp_path)
    events = await turn(session)
    assert ["refused"] * 5 == statuses(events)[:5]
    assert "skipped" == statuses(events)[5]
    assert before == tree(tmp_path)
    assert not (tmp_path / "x").exists()
    assert not any(isinstance(event, EditsProposed) for event in events)


@pytest.mark.parametrize(
    ("script", "policy", "status"),
    [
        ("edit", EditPolicy.ALLOW, "ok"),
        ("edit", EditPolicy.DENY, "refused"),
        ("edit-husky", EditPolicy.ALLOW, "refused"),
        ("edit-husky", EditPolicy.DENY, "refused"),
    ],
)
async def test_where_nobody_can_be_asked_a_rule_decides(
    tmp_path: Path, server: ScriptedServer, script: str, policy: EditPolicy, status: str
) -> None:
    session = opened(tmp_path, server, script, policy)
    before = tree(tmp_path)
    events = await turn(session)
    assert status == statuses(events)[-1]
    assert (status == "ok") == (before != tree(tmp_path))


async def test_a_yes_for_the_turn_or_the_session_is_remembered(tmp_path: Path, server: ScriptedServer) -> None:
    session = opened(tmp_path, server, "edit")

    def always(session: Session, proposed: EditsProposed) -> None:
        verdicts = tuple(FileVerdict(change.path) for change in proposed.changes)
        session.edits.decide(proposed.number, verdicts, DecidedBy.SESSION)

    await turn(session, always)
    await session.edits.undo(of_last_turn=True)

    def nobody(session: Session, proposed: EditsProposed) -> None:
        pass

    events = await turn(session, nobody)
    assert [DecidedBy.SESSION] == [event.by for event in events if isinstance(event, EditsDecided)]
    assert {EditState.APPLIED} == set(outcomes(events).values())


async def test_an_interrupted_wait_rejects_and_an_answer_then_is_refused(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = opened(tmp_path, server, "edit")
    before = tree(tmp_path)
    async with aclosing(session.turn("lower the tax")) as stream:
        async for event in stream:
            if isinstance(event, EditsProposed):
                proposed = event
                break
    assert before == tree(tmp_path)
    with pytest.raises(UsageError):
        yes(session, proposed)
    last = session.history()[-1]
    assert isinstance(last, TurnCompleted)
    assert StoppedBy.INTERRUPTED == last.stopped_by


def test_headless_edits_need_the_flag(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    words = ("ask", "lower the tax", "--repo", str(tmp_path / "shop"), "--format", "json")
    before = tree(tmp_path)
    with model_server() as server:
        model = ("--model", "openai/script-edit", "--api-base", server.base_url)
        refused = run_here(tmp_path, *words, *model).json()
        assert ["refused", "ok", "refused", "refused"] == [call["status"] for call in refused["tool_calls"]]
        assert before == tree(tmp_path)
        allowed = run_here(tmp_path, *words, *model, "--allow-edits").json()
    assert ["ok", "ok", "ok", "ok"] == [call["status"] for call in allowed["tool_calls"]]
    assert "VAT_PERCENT = 7" in (tmp_path / "shop/shop/price.py").read_text()


async def test_of_two_edits_whose_server_gives_them_one_id_the_one_that_is_undone_is_told_so(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = opened(tmp_path, server, "edit-twice")
    assert ["ok", "ok"] == statuses(await turn(session))
    price = tmp_path / "shop/shop/price.py"
    price.write_text(price.read_text().replace("VAT_PERCENT = 7", "VAT_PERCENT = 5"))
    await session.edits.undo(of_last_turn=True)
    server.requests.clear()
    await turn(session, no, prompt="and now?")
    asked = [message for message in server.requests[0].messages if message["role"] == "tool"]
    assert [False, True] == ["undone" in message["content"] for message in asked]
    assert 2 == len({message["tool_call_id"] for message in asked})
