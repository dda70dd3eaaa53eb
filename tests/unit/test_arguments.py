"""What the words after the command's name say."""

from pathlib import Path

import pytest

from ctxcode.cli.arguments import COMMANDS, parse_arguments
from ctxcode.model.errors import UsageError

BARE = ("index", "map", "trust", "sessions", "doctor")
NAMED = {"context": ("x",), "ask": ("x",), "symbol": ("x",), "refs": ("x",), "path": ("x", "y"), "plan": ("list",)}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_a_repository_as_an_option(command: str) -> None:
    words = (command, *NAMED.get(command, ()))
    assert Path("shop") == parse_arguments([*words, "--repo", "shop"]).repository
    assert Path() == parse_arguments(words).repository


@pytest.mark.parametrize("command", ["", *BARE])
def test_where_nothing_else_is_named_the_path_may_stand_alone(command: str) -> None:
    words = [command] if command else []
    assert Path("shop") == parse_arguments([*words, "shop"]).repository
    for both in (["shop", "--repo", "shop"], ["--repo", "shop", "here"]):
        with pytest.raises(UsageError, match="Two repositories"):
            parse_arguments([*words, *both])


def test_a_command_behind_the_repository_is_told_to_come_first() -> None:
    with pytest.raises(UsageError, match="The command comes first"):
        parse_arguments(["--repo", "shop", "index"])
