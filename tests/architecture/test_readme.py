"""What the README says is what the product does."""

import tomllib
from pathlib import Path

from ctxcode.cli.arguments import COMMANDS
from ctxcode.settings.settings import PROJECT_KEYS, SETTING_NAMES
from ctxcode.tui.commands import commands_table
from ctxcode.tui.keys import keys_table

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START, END = "<!-- keys: generated from the app's own tables, checked by a test -->\n", "<!-- end of keys -->"


def generated() -> str:
    return f"## Keys\n\n{keys_table()}\n\n## Commands in the prompt\n\n{commands_table()}\n"


def test_the_tables_of_keys_and_commands_are_the_apps_own() -> None:
    assert generated() == README.partition(START)[2].partition(END)[0].strip("\n") + "\n"


def test_every_command_is_described() -> None:
    assert [] == [name for name in COMMANDS if f"`ctxcode {name}" not in README]


def test_every_setting_is_described_and_the_example_is_valid() -> None:
    example = README.partition("```toml\n")[2].partition("```")[0]
    assert set(SETTING_NAMES) == set(tomllib.loads(example))
    assert all(f"`{name}`" in README for name in PROJECT_KEYS)


def test_every_picture_exists() -> None:
    assert all((ROOT / "assets" / name).is_file() for name in ("context.png", "why.png", "start.png", "tour.gif"))
