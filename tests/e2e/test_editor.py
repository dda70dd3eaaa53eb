"""The prompt in the user's own editor, in a real terminal."""

import os
import signal
from pathlib import Path

import pytest
from sample_repository import write_sample
from tmux_terminal import CTXCODE, private_home, terminal


def home_with_editor(folder: Path, commands: str) -> dict[str, str]:
    """Write a shop and an editor that says that it runs; return the environment with it."""
    write_sample(folder / "shop")
    script = folder / "editor"
    script.write_text(f"#!/bin/sh\n{commands}")
    script.chmod(0o755)
    return {**private_home(folder), "EDITOR": str(script)}


def test_the_prompt_is_written_in_the_users_editor_and_comes_back(tmp_path: Path) -> None:
    commands = 'echo "the editor has it"\nread answer\nprintf "%s" "$answer?" >> "$1"\n'
    environment = home_with_editor(tmp_path, commands)
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=environment) as window:
        window.expect("1  ")
        window.type("what is ")
        window.keys("C-g")
        window.expect("the editor has it")
        window.type("Cart")
        window.keys("Enter")
        window.expect("what is Cart?")
        window.keys("Enter")
        window.expect("shop/cart.py")
        # Not Ctrl+C twice: while the answer is still being recorded the first only interrupts it.
        window.keys("C-q")
        assert 0 == window.wait_for_exit()


def test_control_c_in_the_editor_is_the_editors(tmp_path: Path) -> None:
    commands = """trap 'echo "the editor was told"' INT
echo "the editor has it"
until read answer; do :; done
printf "%s" "$answer" > "$1"
"""
    environment = home_with_editor(tmp_path, commands)
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=environment) as window:
        window.expect("1  ")
        window.keys("C-g")
        window.expect("the editor has it")
        window.keys("C-c")
        window.expect("the editor was told")
        window.type("where is Cart")
        window.keys("Enter")
        window.expect("│ where is Cart")
        window.expect("next ≈")


@pytest.mark.parametrize("bracketed", [True, False])
def test_a_paste_never_sends_whatever_is_in_it(tmp_path: Path, *, bracketed: bool) -> None:
    write_sample(tmp_path / "shop")
    keys = "\x1b[13u\x1b[A\x1b[31m" if bracketed else ""
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=private_home(tmp_path)) as window:
        window.expect("1  ")
        window.paste(f"where is Cart\n{keys}and what\n\nis Order?\n", bracketed=bracketed)
        window.expect("is Order?")
        window.type("the end")
        shown = window.expect("│ the end")
        assert "│ where is Cart " in shown
        window.keys("C-q")
        assert 0 == window.wait_for_exit()


@pytest.mark.parametrize(("editor", "told"), [("false", "ended with code 1"), ("/nowhere/vim", "can't be run")])
def test_an_editor_that_fails_gives_the_screen_and_the_prompt_back(tmp_path: Path, editor: str, told: str) -> None:
    environment = {**home_with_editor(tmp_path, ""), "EDITOR": editor}
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=environment) as window:
        window.expect("1  ")
        window.type("what is ")
        window.keys("C-g")
        window.expect(told)
        window.type("Cart?")
        window.expect("│ what is Cart?")
        window.keys("C-q")
        assert 0 == window.wait_for_exit()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_app_and_gives_the_terminal_back_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    write_sample(tmp_path / "shop")
    command = ["sh", "-c", f'echo "before it"; "{CTXCODE}" "{tmp_path / "shop"}"; code=$?; stty -a; exit $code']
    with terminal(command, environment=private_home(tmp_path)) as window:
        window.expect("1  ")
        [app] = [child for shell in window.processes() for child in window.children(shell)]
        os.kill(app, number)
        assert 128 + number == window.wait_for_exit()
        assert "before it" in window.screen()
        assert " icanon" in window.screen()
        assert "0 0" == window.tmux("display-message", "-p", "-t", "main", "#{alternate_on} #{mouse_any_flag}").strip()
