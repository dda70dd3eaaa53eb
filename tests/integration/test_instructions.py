"""AGENTS.md and the like: found, sent with their price, dropped, edited, drafted."""

from pathlib import Path

import pytest
from command import run_here
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import file_item
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, ContextPlan, Detail, PlanItem, Section
from ctxcode.session.session import Session
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.screens.pages.instructions import InstructionCommands

RULES = "# How we work\n\nTabs, never spaces.\n"


def session_on(home: Path, files: dict[str, str | bytes]) -> Session:
    shop = home / "shop"
    write_sample(shop)
    for name, text in files.items():
        (shop / name).parent.mkdir(parents=True, exist_ok=True)
        (shop / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    made = open_application(shop, overrides={}, environment=private_home(home))
    made.adapters.indexer.refresh(lambda *_: None, lambda: False)
    return made.session(None)


def found(plan: ContextPlan) -> list[PlanItem]:
    return [item for item in plan.items if item.kind == "instructions"]


async def test_an_instruction_file_is_an_item_with_tokens_and_its_text_is_sent(tmp_path: Path) -> None:
    session = session_on(tmp_path, {"AGENTS.md": RULES})
    plan = await session.preview("what is Cart?")
    [item] = found(plan)
    assert (True, Section.SCAFFOLD, "AGENTS.md", Detail.BODY) == (item.included, item.section, item.path, item.detail)
    assert 0 < item.tokens < 80
    assert "Tabs, never spaces." in await session.item_text(item)
    _, payload = await session.conversation.payload("what is Cart?")
    assert payload is not None
    assert "Tabs, never spaces." in payload.messages[0].content


async def test_the_same_text_under_another_name_is_sent_once(tmp_path: Path) -> None:
    session = session_on(
        tmp_path, {"AGENTS.md": RULES, "CLAUDE.md": RULES, ".github/copilot-instructions.md": "Other.\n"}
    )
    plan = await session.preview("what is Cart?")
    assert ["AGENTS.md", ".github/copilot-instructions.md"] == [item.path for item in found(plan)]


async def test_a_dropped_file_stays_out_and_a_pinned_one_is_not_sent_twice(tmp_path: Path) -> None:
    session = session_on(tmp_path, {"AGENTS.md": RULES})
    await session.drop(file_item("AGENTS.md"))
    assert [False] == [item.included for item in found(await session.preview("what is Cart?"))]
    await session.restore(file_item("AGENTS.md"))
    await session.memory.keep(await session.memory.item_named("AGENTS.md"), PinKind.STICKY)
    plan = await session.preview("what is Cart?")
    assert 1 == sum(row.included and row.path == "AGENTS.md" for row in plan.items)


async def test_a_long_file_is_cut_at_a_quarter_of_the_context(tmp_path: Path) -> None:
    long = "".join(f"{number}. Always mind rule number {number}.\n" for number in range(2_000))
    session = session_on(tmp_path, {"AGENTS.md": long, "CLAUDE.md": "And this.\n" * 40})
    plan = await session.preview("what is Cart?")
    agents, claude = found(plan)
    assert Detail.EXCERPT is agents.detail
    assert agents.lines[0][1] < agents.end_line == 2_000
    assert plan.limits.budget_tokens * 0.2 < agents.tokens + claude.tokens <= plan.limits.budget_tokens * 0.25
    assert (True, Detail.BODY) == (claude.included, claude.detail)
    assert any(item.section is Section.TOUCHPOINT for item in plan.included)


@pytest.mark.parametrize("text", [b"", b"\n\n \n", b"\x00\x01binary", b"\xff\xfe\x00\xd8"])
async def test_an_empty_or_broken_file_is_no_candidate(tmp_path: Path, text: bytes) -> None:
    session = session_on(tmp_path, {"AGENTS.md": text})
    assert all(item.tokens < 60 for item in found(await session.preview("what is Cart?")))


async def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("outside")
    write_sample(tmp_path / "shop")
    (tmp_path / "shop" / "AGENTS.md").symlink_to(tmp_path / "secret.md")
    made = open_application(tmp_path / "shop", overrides={}, environment=private_home(tmp_path))
    assert [] == found(await made.session(None).preview("what is Cart?"))


async def test_memory_lists_the_files_with_what_happens_to_them(tmp_path: Path) -> None:
    session = session_on(tmp_path, {"AGENTS.md": RULES})
    commands = InstructionCommands(session, UNICODE)
    assert "AGENTS.md" in (await commands.run("memory", "")).text
    assert tmp_path / "shop" / "AGENTS.md" == (await commands.run("memory", "edit")).edit
    await session.drop(file_item("AGENTS.md"))
    assert "not sent" in (await commands.run("memory", "")).text
    with pytest.raises(UsageError, match=r"no instruction file '\.\./secret'"):
        await commands.run("memory", "edit ../secret")
    with pytest.raises(UsageError, match="already"):
        await commands.run("init", "")


async def test_init_drafts_a_file_from_the_graph_and_writes_what_the_user_made_of_it(tmp_path: Path) -> None:
    session = session_on(tmp_path, {})
    commands = InstructionCommands(session, UNICODE)
    assert "/init drafts one" in (await commands.run("memory", "")).text
    draft = await commands.run("init", "")
    assert "# shop" in draft.text
    assert "`Cart" in draft.text
    assert draft.save is not None
    assert not (tmp_path / "shop" / "AGENTS.md").exists()
    await draft.save("# mine")
    assert "# mine\n" == (tmp_path / "shop" / "AGENTS.md").read_text()
    with pytest.raises(UsageError, match="can't be written"):
        await draft.save("again")
    assert ["AGENTS.md"] == [item.path for item in found(await session.preview("hello"))]


async def test_off_sends_none(tmp_path: Path) -> None:
    session = session_on(tmp_path, {"AGENTS.md": RULES})
    assert [False] == [item.included for item in found(await session.preview("what is Cart?", ContextMode.OFF))]


def test_the_context_command_measures_code_alone(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    (tmp_path / "shop" / "AGENTS.md").write_text(RULES)
    made = run_here(tmp_path, "context", "what is Cart?", "--format", "json", folder=tmp_path / "shop").json()
    assert all(item["path"] != "AGENTS.md" for item in made["items"])
