import pytest

from ctxcode.tui.commands import (
    COMMANDS,
    Invocation,
    UnknownCommand,
    commands_table,
    completions,
    is_command,
    named,
    parsed,
)


@pytest.mark.parametrize("text", ["/help", "/context budget 4000", "  /pin Query.join", "/nonsense"])
def test_a_slash_and_a_word_is_a_command(text: str) -> None:
    assert is_command(text)


@pytest.mark.parametrize("text", ["/usr/bin/env is missing", "why /help?", "/", "/help\nme", "", "//", "1/2"])
def test_other_text_is_a_message(text: str) -> None:
    assert not is_command(text)


def test_a_command_is_parsed_with_its_argument() -> None:
    assert Invocation(COMMANDS[0], "budget 4000") == parsed("/context  budget 4000")


def test_an_alias_means_its_command() -> None:
    assert named("exit") == named("quit") == named("Q")


def test_an_unknown_command_names_the_nearest() -> None:
    assert UnknownCommand("contxt", "context") == parsed("/contxt")
    assert UnknownCommand("zzzzzz", "") == parsed("/zzzzzz")


def test_what_begins_alike_is_offered_first() -> None:
    assert ["pin", "pins", "unpin"] == [command.name for command in completions("/pin")]
    assert COMMANDS == completions("/")
    assert () == completions("/pin ")


def test_names_are_unique() -> None:
    names = [name for command in COMMANDS for name in (command.name, *command.aliases)]
    assert sorted(set(names)) == sorted(names)


def test_the_table_lists_every_command() -> None:
    table = commands_table()
    assert [] == [command.name for command in COMMANDS if f"`/{command.name}" not in table]
