"""The tests of real terminals need tmux; where there is none they are left out and the run says so."""

from tmux_terminal import TMUX

collect_ignore_glob = [] if TMUX else ["test_*.py"]


def pytest_report_header() -> str:
    """Say whether the terminal tests run."""
    return f"terminal tests: {TMUX or 'left out, no tmux'}"
