"""The theme that goes with the terminal, and the one the user takes, in a real terminal."""

import tomllib
from pathlib import Path

from sample_repository import write_sample
from tmux_terminal import CTXCODE, private_home, terminal


def test_a_light_terminal_gets_a_light_theme_and_a_choice_is_there_at_the_next_start(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    light = tmp_path / "tmux.conf"
    light.write_text("set -g window-style bg=#fafafa,fg=#202020\n")
    command = [str(CTXCODE), str(tmp_path / "shop")]
    with terminal(command, environment=private_home(tmp_path), settings=light) as window:
        window.expect("1  ")
        window.type("]11;rgb")
        window.expect("]11;rgb")
        assert ["light"] == [kept.read_text() for kept in (tmp_path / "state").rglob("background-*")]
        window.keys("C-c")
        window.expect("Ask about this code")
        window.type("/theme")
        window.expect("Change the colours")
        window.keys("Enter")
        window.expect("as the terminal")
        window.keys("End", "Enter")
        window.expect("as the terminal", gone=True)
        window.keys("C-c", "C-c")
        assert 0 == window.wait_for_exit()
    settings = next((tmp_path / "config").rglob("settings.toml"))
    assert {"theme": "tide"} == tomllib.loads(settings.read_text())


def test_a_redirected_error_stream_is_said_and_no_blank_screen(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    command = ["sh", "-c", f'"{CTXCODE}" "{tmp_path / "shop"}" 2>"{tmp_path / "errors"}"']
    with terminal(command, environment=private_home(tmp_path)) as window:
        assert 1 == window.wait_for_exit()
    assert "draws on standard error, which is redirected" in (tmp_path / "errors").read_text()


def test_the_window_is_named_after_the_repository(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=private_home(tmp_path)) as window:
        window.expect("1  ")
        assert "ctxcode shop" == window.tmux("display-message", "-p", "-t", "main", "#{pane_title}").strip()
        window.keys("C-c", "C-c")
        assert 0 == window.wait_for_exit()


def test_where_letters_are_ascii_the_screen_is(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    plain = {**private_home(tmp_path), "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=plain) as window:
        shown = window.expect("+-----") + window.expect("Ask about this code")
        window.type("where is Cart?")
        window.keys("Enter")
        # The hint comes when the turn is over: until then Ctrl+C interrupts.
        shown += window.expect("used 2 times") + window.expect("F2 shows")
        assert "\\u" not in shown
        assert "F2" in shown
        window.keys("C-c", "C-c")
        assert 0 == window.wait_for_exit()
