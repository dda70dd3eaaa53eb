"""Strategies in a session: with a real database, a scripted model server and packages found by their entry points."""

import sqlite3
from contextlib import aclosing, closing
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer
from tmux_terminal import private_home

from ctxcode.action.limits import Limits
from ctxcode.bootstrap.application import Application, conversation_file, open_application
from ctxcode.model.engine.difference import ChangeKind
from ctxcode.model.engine.event import ModelAsked, StrategyChosen, StrategyRemembered
from ctxcode.model.engine.strategy import StrategyRow
from ctxcode.model.errors import ModelError, SettingsError, UsageError
from ctxcode.model.event import ContextPlanned, Event
from ctxcode.model.passing.event import StrategyFailed
from ctxcode.model.plan import ReasonType, Section
from ctxcode.session.session import Session
from ctxcode.session.strategy import worker

pytestmark = LITELLM_WARNINGS

FOLDING = 'name = "rolling-summary"\nthreshold = 3\nfolds = 2\ncompression_model = "openai/script-notes"\n'


def application(home: Path, server: ScriptedServer, strategy: str = "") -> Application:
    repository = home / "shop"
    if not repository.exists():
        write_sample(repository)
    environment = private_home(home)
    settings = Path(environment["XDG_CONFIG_HOME"]) / "ctxcode" / "settings.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f"[strategy]\n{strategy}" if strategy else "", encoding="utf-8")
    overrides: dict[str, object] = {"model": "openai/script-fixed", "api_base": server.base_url}
    return open_application(repository, overrides=overrides, environment=environment)


async def ask(session: Session, prompt: str) -> list[Event]:
    async with aclosing(session.turn(prompt)) as events:
        return [event async for event in events]


async def settled(session: Session) -> list[StrategyRemembered | StrategyFailed]:
    async with aclosing(session.strategies.settle()) as events:
        return [event async for event in events]


async def sections(session: Session, section: Section) -> list[str]:
    return [item.id for item in (await session.preview("next")).included if item.section is section]


def dump(app: Application) -> list[str]:
    path = conversation_file(app.directories, Path(app.adapters.workspace.info.root))
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


async def test_the_oldest_turns_fold_in_the_background_and_come_back_when_reverted(
    tmp_path: Path, server: ScriptedServer
) -> None:
    app = application(tmp_path, server, FOLDING)
    session = app.session(None)
    for number in range(1, 4):
        await ask(session, f"question {number}")
        assert [] == await settled(session)
    await ask(session, "question 4")
    assert [f"turn:{number}" for number in range(1, 5)] == await sections(session, Section.HISTORY)
    (made,) = await settled(session)
    assert isinstance(made, StrategyRemembered)
    assert (2, 4, "openai/script-notes") == (made.through, made.turn, made.model)
    assert "turns 1–2 folded into a summary" == made.note
    plan = await session.plan(made.plan_ids[0])
    assert plan is not None
    assert plan.payload_hash is not None
    assert "question 2" in server.requests[-1].messages[1]["content"]
    await ask(session, "question 5")
    sent = server.requests[-1].messages
    assert "Answer 1." in sent[0]["content"]
    assert ["question 3", "question 4"] == [m["content"] for m in sent if m["role"] == "user"][:2]
    again = app.session(session.id)
    assert session.strategies.memory == again.strategies.memory
    await session.strategies.revert()
    assert [] == await sections(session, Section.SUMMARY)
    assert [f"turn:{number}" for number in range(1, 6)] == await sections(session, Section.HISTORY)
    assert [] == await settled(session)


async def test_undoing_the_turns_a_summary_was_made_after_undoes_it_on_this_branch_only(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, server, FOLDING).session(None)
    for number in range(1, 5):
        await ask(session, f"question {number}")
        await settled(session)
    await session.conversation.fork("other")
    await session.conversation.undo()
    assert ([], ["turn:1", "turn:2", "turn:3"]) == (
        await sections(session, Section.SUMMARY),
        await sections(session, Section.HISTORY),
    )
    await session.conversation.switch("main")
    assert ["block:summary"] == await sections(session, Section.SUMMARY)
    await session.conversation.remove_turn(1)
    assert ([], ["turn:2", "turn:3", "turn:4"]) == (
        await sections(session, Section.SUMMARY),
        await sections(session, Section.HISTORY),
    )


async def test_a_model_that_fails_to_summarise_keeps_the_window_and_is_named_once(
    tmp_path: Path, server: ScriptedServer
) -> None:
    app = application(tmp_path, server, FOLDING.replace("notes", "bad-request"))
    session = app.session(None)
    for number in range(1, 5):
        await ask(session, f"question {number}")
    (failed,) = await settled(session)
    assert isinstance(failed, StrategyFailed)
    (asked,) = [event for event in session.history() if isinstance(event, ModelAsked)]
    assert ("rolling-summary", "openai/script-bad-request") == (asked.about, asked.model)
    assert [] == await settled(session)
    assert [f"turn:{number}" for number in range(1, 5)] == await sections(session, Section.HISTORY)


async def test_a_session_that_may_spend_no_more_has_no_summary_written(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, FOLDING).session(None)
    for number in range(1, 5):
        await ask(session, f"question {number}")
    sent = len(server.requests)
    capped = replace(session.strategies, _limits=Limits(max_cost=0.0))
    async with aclosing(capped.settle()) as events:
        (failed,) = [event async for event in events]
    assert isinstance(failed, StrategyFailed)
    assert "Nothing was sent" in failed.error
    assert sent == len(server.requests)
    assert [f"turn:{number}" for number in range(1, 5)] == await sections(session, Section.HISTORY)


async def test_a_strategy_is_previewed_before_it_is_used_and_that_changes_nothing(
    tmp_path: Path, server: ScriptedServer
) -> None:
    app = application(tmp_path, server)
    session = app.session(None)
    await ask(session, "how does the retry backoff jitter work")
    for number in range(2, 6):
        await ask(session, f"tell me of widget {number}")
    await session.conversation.set_window(2)
    before = dump(app)
    made = await session.strategies.preview("semantic-window", "the retry backoff jitter again")
    assert before == dump(app)
    assert ["strategy"] == [row.name for row in made.settings if row.name == "strategy"]
    assert "turn:1" in [change.item.id for change in made.changes if change.kind is ChangeKind.ENTERED]
    assert "sliding-window" == session.strategies.name
    await session.strategies.choose("semantic-window")
    (planned,) = [e for e in await ask(session, "the retry backoff jitter again") if isinstance(e, ContextPlanned)]
    assert ("semantic-window", "") == (planned.strategy, planned.notice)
    assert "how does the retry backoff jitter work" == server.requests[-1].messages[1]["content"]
    assert "semantic-window" == app.session(session.id).strategies.name
    with pytest.raises(UsageError, match="in use already"):
        await session.strategies.choose("semantic-window")
    with pytest.raises(UsageError, match="no strategy"):
        await session.strategies.choose("semantic-windows")


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *, body: str, name: str = "every-other") -> None:
    """Put a package with a strategy where Python finds it, as an installer would."""
    info = folder / "every_other-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: every-other\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        f"[ctxcode.strategies]\n{name} = every_other_strategy:EveryOther\n", encoding="utf-8"
    )
    (folder / "every_other_strategy.py").write_text(dedent(body), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(__import__("sys").modules, "every_other_strategy", raising=False)


EVERY_OTHER = '''
    from dataclasses import dataclass
    from typing import ClassVar
    from ctxcode.context.strategies.port import Offer, Proposal, left_out_but

    @dataclass(frozen=True)
    class EveryOther:
        """Sends every other turn, from the newest back."""

        step: int = 2
        name: ClassVar[str] = "every-other"

        async def compose(self, request):
            offers = tuple(Offer(turn.number) for turn in request.history[::-self.step])
            BREAK
            return Proposal(offers, left_out_but(request.history, offers), has_gaps=True)

        async def on_turn_complete(self, done):
            return None
    '''


async def test_a_strategy_of_another_package_is_found_configured_and_used(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", monkeypatch, body=EVERY_OTHER.replace("BREAK", ""))
    session = application(tmp_path, server, 'name = "every-other"\nstep = 3\n').session(None)
    for number in range(1, 7):
        await ask(session, f"question {number}")
    assert ["turn:3", "turn:6"] == await sections(session, Section.HISTORY)
    rows = {row.name: row for row in await session.strategies.rows()}
    expected = StrategyRow(
        "every-other", "Sends every other turn, from the newest back.", is_open=True, settings="step 3"
    )
    assert expected == rows["every-other"]
    assert not rows["sliding-window"].is_open


@pytest.mark.parametrize(
    "fault",
    ["raise RuntimeError('no idea')", "raise SystemExit(3)", "offers = ()", "offers = [1, 2]", "return None"],
)
async def test_a_strategy_that_fails_falls_back_to_the_window_and_says_so(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    install(tmp_path / "site", monkeypatch, body=EVERY_OTHER.replace("BREAK", fault))
    session = application(tmp_path, server, 'name = "every-other"\n').session(None)
    await ask(session, "question 1")
    (planned,) = [event for event in await ask(session, "question 2") if isinstance(event, ContextPlanned)]
    assert "sliding-window" == planned.strategy
    assert "'every-other' failed" in planned.notice
    assert "question 1" == server.requests[-1].messages[1]["content"]
    plan = await session.plan(planned.plan_id)
    assert planned.notice == (plan and plan.notice)


BLOCKS = "__import__('threading').Event().wait(60)"


async def test_a_strategy_that_blocks_is_left_behind(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "COMPOSE_SECONDS", 0.2)
    install(tmp_path / "site", monkeypatch, body=EVERY_OTHER.replace("BREAK", BLOCKS))
    session = application(tmp_path, server, 'name = "every-other"\n').session(None)
    (planned,) = [event for event in await ask(session, "question 1") if isinstance(event, ContextPlanned)]
    assert "it took more than" in planned.notice


async def test_remembering_holds_nobody_up_and_may_ask_the_model(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = "return Memory(await done.write('Note it.', 'what was said', model='openai/script-notes'), 1)"
    body = EVERY_OTHER.replace("BREAK", "").replace("return None", writes).replace("Offer,", "Memory, Offer,")
    install(tmp_path / "site", monkeypatch, body=body)
    session = application(tmp_path, server, 'name = "every-other"\n').session(None)
    await ask(session, "question 1")
    (remembered,) = await settled(session)
    assert isinstance(remembered, StrategyRemembered)
    assert remembered.text
    monkeypatch.setattr(worker, "REMEMBER_SECONDS", 0.2)
    install(tmp_path / "other", monkeypatch, body=body.replace("return Memory", f"{BLOCKS}\n            return Memory"))
    session = application(tmp_path, server, 'name = "every-other"\n').session(None)
    await ask(session, "question 1")
    (failed,) = await settled(session)
    assert isinstance(failed, StrategyFailed)
    assert "it took more than" in failed.error


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ImportError('no such library')", "no such library"),
        ("EveryOther = 3", "no dataclass"),
        (EVERY_OTHER.replace("BREAK", "").replace("async def compose", "def compose"), "no async method"),
        (EVERY_OTHER.replace("BREAK", "").replace('= "every-other"', '= "else"'), "calls itself"),
        (EVERY_OTHER.replace("BREAK", "").replace("step: int = 2", "step: int"), "no default"),
    ],
)
async def test_a_package_that_brings_no_strategy_is_listed_with_why_and_costs_nothing(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, body: str, said: str
) -> None:
    install(tmp_path / "site", monkeypatch, body=body)
    app = application(tmp_path, server)
    session = app.session(None)
    row = next(row for row in await session.strategies.rows() if row.name == "every-other")
    assert (False, True) == (row.is_usable, said in row.summary)
    with pytest.raises(UsageError, match="can't be used"):
        await session.strategies.choose("every-other")


async def test_a_session_whose_strategy_was_uninstalled_goes_on_with_the_window(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as installed:
        install(tmp_path / "site", installed, body=EVERY_OTHER.replace("BREAK", ""))
        session = application(tmp_path, server).session(None)
        await session.strategies.choose("every-other")
        await ask(session, "question 1")
    again = application(tmp_path, server).session(session.id)
    (planned,) = [event for event in await ask(again, "question 2") if isinstance(event, ContextPlanned)]
    assert ("sliding-window", True) == (planned.strategy, "no strategy 'every-other'" in planned.notice)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('name = "rolling-sumary"', "rolling-summary"),
        ('name = "rolling-summary"\ntreshold = 3', "threshold"),
        ('name = "rolling-summary"\nthreshold = "three"', "a whole number"),
        ('name = "rolling-summary"\nthreshold = true', "a whole number"),
        ('name = "rolling-summary"\nthreshold = 2', "refuses"),
        ("threshold = 3", "no settings"),
        ("name = 3", "a strategy's name"),
    ],
)
def test_settings_a_strategy_does_not_take_are_refused_with_what_to_do(
    tmp_path: Path, server: ScriptedServer, written: str, said: str
) -> None:
    with pytest.raises((SettingsError, UsageError)) as refused:
        application(tmp_path, server, written).session(None)
    assert said in f"{refused.value} {refused.value.hint}"


async def test_each_strategy_can_have_a_table_of_its_own(tmp_path: Path, server: ScriptedServer) -> None:
    written = 'compression_model = "openai/small"\n[strategy.rolling-summary]\nthreshold = 7\n'
    with pytest.raises(SettingsError, match="no setting 'compression_model'"):
        application(tmp_path, server, written).session(None)
    tables = "[strategy.rolling-summary]\nthreshold = 7\n[strategy.semantic-window]\nhalf_life = 3\n"
    session = application(tmp_path, server, f'name = "sliding-window"\n{tables}').session(None)
    rows = {row.name: row.settings for row in await session.strategies.rows()}
    assert ("threshold 7, folds 5", True) == (rows["rolling-summary"], "half_life 3" in rows["semantic-window"])


DECLARED = """name = "entity-state"
[strategy.schema]
type = "object"
required = ["goal"]
[strategy.schema.properties.goal]
type = "string"
[strategy.schema.properties.files]
type = "array"
items = { type = "string" }
"""


async def test_a_declared_state_stands_for_the_turns_and_a_model_that_writes_none_leaves_them_whole(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, server, DECLARED).session(None)
    await ask(session, "question 1")
    (failed,) = await settled(session)
    assert isinstance(failed, StrategyFailed)
    assert "no JSON object" in failed.error
    assert ["turn:1"] == await sections(session, Section.HISTORY)
    await session.set_model("openai/script-companion")
    await ask(session, "question 2")
    (made,) = await settled(session)
    assert (2, "") == (getattr(made, "through", 0), getattr(made, "note", None))
    assert ([], ["block:state"]) == (await sections(session, Section.HISTORY), await sections(session, Section.SUMMARY))
    await ask(session, "question 3")
    sent = server.requests[-1].messages
    assert ('"goal": "a better cart"' in sent[0]["content"], 2) == (True, len(sent))


async def test_what_tools_found_is_sent_apart_from_the_talk(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server, 'name = "dual-track"').session(None)
    await session.set_model("openai/script-companion")
    await ask(session, "look at the cart")
    await ask(session, "and now")
    sent = server.requests[-1].messages
    assert ["system", "user", "assistant", "user"] == [message["role"] for message in sent]
    assert "What tools found in earlier turns" in sent[0]["content"]
    assert 'read_file {"path": "shop/price.py"}' in sent[0]["content"]


async def test_a_long_history_is_planned_whole_with_the_oldest_turns_in_one_row(
    tmp_path: Path, server: ScriptedServer
) -> None:
    session = application(tmp_path, server).session(None)
    for number in range(1, 30):
        await ask(session, f"question {number}")
    await session.conversation.set_window(3)
    left = [item for item in (await session.preview("next")).excluded if item.section is Section.HISTORY]
    assert [*(f"turn:{number}" for number in range(26, 6, -1)), "turns:1-6"] == [item.id for item in left]
    assert {ReasonType.OUTSIDE_WINDOW} == {item.reasons[0].type for item in left}


async def compacted(session: Session, focus: str = "") -> list[StrategyRemembered | StrategyChosen]:
    async with aclosing(session.strategies.compact(focus)) as events:
        return [event async for event in events]


async def test_all_turns_but_the_newest_are_folded_when_asked_for(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server).session(None)
    for number in range(1, 5):
        await ask(session, f"question {number}")
    server.requests.clear()
    remembered, chosen = await compacted(session, "the VAT of carts")
    assert isinstance(remembered, StrategyRemembered)
    assert (3, "turns 1–3 folded into a summary") == (remembered.through, remembered.note)
    assert StrategyChosen("rolling-summary") == chosen
    assert "the VAT of carts" in str(server.requests[0].messages[0]["content"])
    assert ["turn:4"] == [str(item).partition("@")[0] for item in await sections(session, Section.HISTORY)]
    assert await sections(session, Section.SUMMARY)
    with pytest.raises(UsageError, match="nothing to fold"):
        await compacted(session)
    await session.strategies.revert()
    assert 4 == len(await sections(session, Section.HISTORY))
    assert await compacted(session)


async def test_nothing_changes_when_nobody_writes_the_summary(tmp_path: Path, server: ScriptedServer) -> None:
    session = application(tmp_path, server).session(None)
    for number in range(1, 4):
        await ask(session, f"question {number}")
    await session.set_model("navigator")
    with pytest.raises(ModelError, match="The offline navigator writes nothing"):
        await compacted(session)
    assert "sliding-window" == session.strategies.name
    assert 3 == len(await sections(session, Section.HISTORY))
