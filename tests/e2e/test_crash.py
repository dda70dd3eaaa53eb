"""A crash in a real terminal: what is said, what is kept, and where the details are."""

import sys
from pathlib import Path

from tmux_terminal import private_home, terminal

CRASHING = """
import sys
from pathlib import Path
from ctxcode.cli.log_file import log_to
from ctxcode.tui.start import run_app
from ctxcode.tui.terminal.setup import Setup

def open_door():
    raise ZeroDivisionError("no door")

log = Path(sys.argv[1])
log_to(log)
sys.exit(run_app(open_door, Setup(theme="ember", log=log)))
"""


def test_a_crash_says_one_sentence_and_the_log_has_the_rest(tmp_path: Path) -> None:
    log = tmp_path / "state" / "ctxcode.log"
    command = [sys.executable, "-c", CRASHING, str(log)]
    with terminal(command, environment=private_home(tmp_path)) as window:
        assert 0 != window.wait_for_exit()
        shown = "".join(window.screen().split())
    assert f"ctxcodestopped:ZeroDivisionError('nodoor').Thesessioniskept;thedetailsarein{log}." in shown
    assert "Traceback" not in shown
    written = log.read_text(encoding="utf-8")
    assert "CRITICAL ctxcode.tui.start: the app stopped" in written
    assert 'raise ZeroDivisionError("no door")' in written or "ZeroDivisionError: no door" in written
    assert 0o600 == log.stat().st_mode & 0o777
