"""A message that was not sent survives the end of the process, in a real terminal."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sample_repository import write_sample
from tmux_terminal import CTXCODE, Terminal, private_home, terminal, wait_until_gone

from ctxcode.cli.screen.draft import DraftFolder
from ctxcode.model.source import RepositoryInfo

PASTED = "\n".join(f"line {number} of what was pasted" for number in range(200))


def hang_up(window: Terminal) -> None:
    """Take the terminal away, as a lost connection does."""
    window.tmux("kill-server")


def kill(window: Terminal, number: signal.Signals) -> None:
    """Send a signal to the command."""
    for process in window.processes():
        os.kill(process, number)


def end(window: Terminal, how: str) -> None:
    """End the command and wait until it is gone."""
    processes = window.processes()
    if how == "hang-up":
        hang_up(window)
    else:
        kill(window, signal.Signals[how])
    wait_until_gone(processes)


@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM", "hang-up"])
def test_a_draft_of_several_lines_with_a_large_paste_is_back_after(how: str, tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    environment = private_home(tmp_path)
    drafts = tmp_path / "state" / "ctxcode" / "drafts"
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=environment) as window:
        window.expect("index up to date")
        window.type("why does this fail")
        window.keys("C-j")
        window.paste(PASTED)
        window.expect("[paste 1: 200 lines]")
        if how == "SIGKILL":
            # Nothing is written any more after that one.
            wait_for_text(drafts, "of what was pasted")
        end(window, how)
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=environment) as window:
        window.expect("not sent yet")
        window.expect("[paste 1: 200 lines]")
        window.expect("why does this fail")


def wait_for_text(folder: Path, text: str) -> None:
    """Return as soon as a file of a folder holds a text. Raises AssertionError at the deadline."""
    deadline, pause = time.monotonic() + 20, threading.Event()
    while not any(text in file.read_text() for file in folder.glob("*.json")):
        assert time.monotonic() < deadline, f"no {text!r} in {folder}"
        pause.wait(0.05)


def test_a_draft_is_its_writers_alone_and_belongs_to_a_branch(tmp_path: Path) -> None:
    main, other = RepositoryInfo("shop", "/shop", "main"), RepositoryInfo("shop", "/shop", "fix")
    drafts = DraftFolder(tmp_path / "drafts")
    drafts.keep(main, "secret words")
    (file,) = (tmp_path / "drafts").iterdir()
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert ("secret words", "") == (drafts.kept(main), drafts.kept(other))
    drafts.keep(main, "")
    assert [] == list((tmp_path / "drafts").iterdir())


def test_a_folder_that_can_not_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "drafts").write_text("a file in its place")
    shop = RepositoryInfo("shop", "/shop", "main")
    drafts = DraftFolder(tmp_path / "drafts")
    drafts.keep(shop, "words")
    assert "" == drafts.kept(shop)


def test_what_a_window_was_killed_at_writing_is_swept_away(tmp_path: Path) -> None:
    shop = RepositoryInfo("shop", "/shop[1]", "main")
    DraftFolder(tmp_path / "drafts").keep(shop, "words")
    (file,) = (tmp_path / "drafts").iterdir()
    file.with_name(f".{file.name}.0123abcd").write_text("wor")
    assert "words" == DraftFolder(tmp_path / "drafts").kept(shop)
    assert [file] == list((tmp_path / "drafts").iterdir())


_WINDOWS = """
import os, sys
from pathlib import Path
from ctxcode.cli.screen.draft import DraftFolder
from ctxcode.model.source import RepositoryInfo
kept, let_on = os.pipe(), os.pipe()
for number in range(int(sys.argv[2])):
    if not os.fork():
        os.close(let_on[1])
        DraftFolder(Path(sys.argv[1])).keep(RepositoryInfo("shop", "/shop", "main"), f"draft {number}")
        os.write(kept[1], b".")
        os.read(let_on[0], 1)
        os._exit(0)
for number in range(int(sys.argv[2])):
    os.read(kept[0], 1)
"""


def test_however_many_windows_are_open_none_takes_the_draft_of_another(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _WINDOWS, str(tmp_path / "drafts"), "30"], check=True)
    assert {f"draft {number}" for number in range(30)} == {file.read_text() for file in (tmp_path / "drafts").iterdir()}


def test_two_windows_have_a_draft_each_and_the_next_one_gets_what_was_written_last(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    environment = private_home(tmp_path)
    drafts = tmp_path / "state" / "ctxcode" / "drafts"
    command = [str(CTXCODE), str(tmp_path / "shop")]
    with terminal(command, environment=environment) as first:
        first.expect("index up to date")
        first.type("from the first")
        wait_for_text(drafts, "from the first")
        with terminal(command, environment=environment) as second:
            second.expect("index up to date")
            second.type("of the second")
            wait_for_text(drafts, "of the second")
            assert "from the first" not in second.screen()
            end(second, "SIGTERM")
        first.keys("C-c")
        first.expect("from the first", gone=True)
        end(first, "SIGTERM")
    with terminal(command, environment=environment) as third:
        third.expect("not sent yet")
        third.expect("of the second")
