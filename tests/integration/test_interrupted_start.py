"""Ctrl+C while a command still loads what it needs."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import Outcome
from sample_repository import write_sample
from tmux_terminal import private_home

PRESSING = """
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.{handler})
{before}
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv[1:] = {words!r}
runpy.run_module("ctxcode", run_name="__main__", alter_sys=True)
"""
"""Runs the command as ``python -m ctxcode`` does, and presses Ctrl+C when a module is asked for."""


def pressed(home: Path, module: str, *words: str, handler: str = "default_int_handler", before: str = "") -> Outcome:
    write_sample(home / "shop")
    program = PRESSING.format(module=module, words=list(words), handler=handler, before=before)
    made = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=60,
        cwd=home / "shop",
        env=private_home(home),
    )
    return Outcome(made.returncode, made.stdout, made.stderr)


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("argparse", ("symbol", "Cart")),
        ("ctxcode.model.errors", ("--version",)),
        ("ctxcode.cli.answer.command", ("symbol", "Cart")),
        ("ctxcode.cli.answer.command", ("context", "where is the cart?")),
        ("ctxcode.bootstrap.application", ("ask", "where is the cart?")),
        ("ctxcode.settings.settings", ("--plain",)),
        ("ctxcode.cli.index.command", ("index",)),
        ("sqlite3", ("plan", "list")),
        ("sqlite3", ("sessions", "--format", "json")),
        ("sqlite3", ("doctor",)),
        ("sqlite3", ("export",)),
    ],
)
def test_ctrl_c_ends_a_command_that_is_still_loading_with_one_line(
    tmp_path: Path, module: str, words: tuple[str, ...]
) -> None:
    assert Outcome(130, "", "ctxcode: Interrupted.\n") == pressed(tmp_path, module, *words)


def test_a_command_that_a_shell_runs_behind_itself_goes_on(tmp_path: Path) -> None:
    ended = pressed(tmp_path, "argparse", "sessions", handler=signal.SIG_IGN.name)
    assert (0, "") == (ended.code, ended.err)


def test_ctrl_c_ends_a_command_that_nobody_listens_to_any_more(tmp_path: Path) -> None:
    assert 130 == pressed(tmp_path, "sqlite3", "sessions", before="os.close(2)").code
