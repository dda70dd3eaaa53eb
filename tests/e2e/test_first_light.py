"""The main job in a real terminal: open, ask, look at the context, pin, quit, reopen."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from model_thread import model_server
from sample_repository import write_sample
from tmux_terminal import CTXCODE, Terminal, private_home, terminal, wait_until_gone

QUESTION = "how does the cart compute what to pay"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_sample(tmp_path / "shop")
    return tmp_path


@contextmanager
def opened(home: Path, *words: str, columns: int = 120, rows: int = 36) -> Iterator[Terminal]:
    command = [str(CTXCODE), str(home / "shop"), *words]
    with terminal(command, environment=private_home(home), columns=columns, rows=rows) as window:
        # The first picture: whatever is typed from here on must not be lost.
        window.expect("CTX ")
        yield window


def ask(window: Terminal, question: str = QUESTION) -> None:
    window.type(question)
    window.keys("Enter")


def test_the_navigator_answers_and_the_context_says_why(home: Path) -> None:
    with opened(home) as window:
        window.expect("index up to date")
        ask(window, "who calls total_of?")
        window.expect("navigator: read from the code graph")
        shown = window.screen()
        assert "shop/cart.py" in shown
        assert "8,000 tok" in shown
        window.keys("F2")
        shown = window.expect("RETRIEVED")
        assert "total_of" in shown
        window.keys("Escape")
        window.expect("RETRIEVED", gone=True)


def test_the_mode_keys_reach_the_app_from_a_real_terminal(home: Path) -> None:
    with opened(home) as window:
        window.expect("CTX Light")
        window.keys("C-f")
        window.expect("CTX Heavy")
        window.keys("BTab")
        window.expect("CTX Off")
        window.keys("BTab")
        window.expect("CTX Light")


def test_a_pin_and_the_conversation_are_there_after_reopening(home: Path) -> None:
    with opened(home) as window:
        window.expect("index up to date")
        ask(window, "where is Price?")
        window.expect("navigator: read from the code graph")
        window.keys("F2")
        window.expect("RETRIEVED")
        window.keys("j", "j", "s")
        window.expect("sticky, by you")
        window.keys("C-q")
        assert 0 == window.wait_for_exit()
    with opened(home) as window:
        window.expect("where is Price?")
        window.expect("pins 1")
    with opened(home, "--new") as window:
        window.expect("Ask")
        assert "navigator: read from the code graph" not in window.screen()


def test_a_model_streams_and_escape_interrupts_it(home: Path) -> None:
    with model_server() as server:
        model = ["--model", "openai/script-drip", "--api-base", server.base_url]
        with opened(home, *model) as window:
            window.expect("script-drip")
            ask(window)
            window.expect("word20")
            window.keys("Escape")
            window.expect("nterrupted")
            assert len(server.requests) == 1


def test_a_models_markdown_answer_is_shown_with_the_providers_count(home: Path) -> None:
    with model_server() as server:
        model = ["--model", "openai/script-markdown", "--api-base", server.base_url]
        with opened(home, *model) as window:
            ask(window)
            window.expect("Where the retry lives")
            window.expect("Client.send")


def test_a_refused_connection_is_one_calm_line_and_the_app_goes_on(home: Path) -> None:
    with opened(home, "--model", "openai/x", "--api-base", "http://127.0.0.1:9/v1") as window:
        ask(window)
        window.expect("127.0.0.1:9")
        window.keys("C-f")
        window.expect("CTX Heavy")


def test_pasted_lines_are_not_sent_and_control_j_makes_a_new_line(home: Path) -> None:
    with opened(home) as window:
        window.paste("first line\nsecond line")
        shown = window.expect("second line")
        assert "CTX Light ·" not in shown
        window.keys("C-j")
        window.type("third line")
        window.expect("third line")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (200, 50)])
def test_every_size_shows_chat_context_and_meter(home: Path, columns: int, rows: int) -> None:
    with opened(home, columns=columns, rows=rows) as window:
        ask(window, "where is Cart?")
        window.expect("shop/cart.py")
        window.keys("F2")
        window.expect("RETRIEVED")
        window.keys("Escape")
        window.expect("CTX")


def test_hostile_names_are_shown_as_text(home: Path) -> None:
    (home / "shop" / "evil.py").write_text(
        'def payload():\n    """\x1b]52;c;ZXZpbA==\x07[/b][@click=app.quit]x[/]"""\n'
    )
    with opened(home) as window:
        ask(window, "show payload")
        shown = window.expect("evil.py")
        window.keys("F2")
        window.expect("RETRIEVED")
        assert "\x1b" not in shown


def test_control_d_on_an_empty_prompt_quits_with_zero(home: Path) -> None:
    with opened(home) as window:
        window.keys("C-d")
        assert 0 == window.wait_for_exit()


def test_what_is_typed_before_the_first_picture_is_not_lost(home: Path) -> None:
    words = " ".join(f"w{number}" for number in range(12))
    with terminal([str(CTXCODE), str(home / "shop")], environment=private_home(home)) as window:
        for word in words.split():
            window.type(word + " ")
        assert words in window.expect(words)
        window.expect("index up to date")
        assert words in window.screen()


def test_an_app_that_has_lost_its_terminal_ends(home: Path) -> None:
    with opened(home) as window:
        processes = window.processes()
        assert processes
        window.tmux("kill-server")
        wait_until_gone(processes)


def test_an_app_that_loses_its_terminal_while_it_writes_ends_and_keeps_the_conversation(home: Path) -> None:
    with model_server() as server:
        words = ("--model", "openai/script-drip", "--api-base", server.base_url)
        with opened(home, *words) as window:
            ask(window, "where is Price?")
            window.expect("word20")
            processes = window.processes()
            window.tmux("kill-server")
            wait_until_gone(processes)
        with opened(home) as window:
            window.expect("where is Price?")


def test_ctrl_z_gives_the_terminal_back_and_fg_resumes(home: Path) -> None:
    with terminal(["bash", "--norc"], environment={**private_home(home), "PS1": "sh> "}) as window:
        window.expect("sh>")
        window.type(f"{CTXCODE} {home / 'shop'}")
        window.keys("Enter")
        window.expect("up to date")
        window.type("abc")
        window.expect("abc")
        window.keys("C-z")
        window.expect("abc", gone=True)
        window.keys("C-z")
        window.expect("Stopped")
        window.type("fg")
        window.keys("Enter")
        window.expect("up to date")
        window.type("xyz")
        window.expect("xyz")


def test_a_repository_s_broken_settings_are_left_out_and_told(home: Path) -> None:
    (home / "shop/.ctxcode.toml").write_text('mode = "heavy"\nmodel = "openai/evil"\n')
    with opened(home) as window:
        window.expect("CTX Light")
        window.expect("The file is left out")
        shown = " ".join(window.screen().split())
        assert "line 2: 'model' can't be set by a repository, only by you." in shown
        window.keys("C-q")
        assert 0 == window.wait_for_exit()
