"""``ctxcode --plain``: a conversation in lines, through a pipe or not."""

import subprocess
from pathlib import Path

import pytest
from command import run_here
from sample_repository import write_sample
from tmux_terminal import CTXCODE, private_home


def talked(home: Path, *lines: str, words: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Return the exit code and what was printed when these lines are read."""
    shop = home / "shop"
    if not shop.exists():
        write_sample(shop)
    made = run_here(home, "--plain", *words, folder=shop, extra={"TERM": "dumb"}, lines=lines)
    return made.code, made.out, made.err


def piped(home: Path, *lines: str) -> tuple[int, str, str]:
    """Return the same of the installed command, which is another process."""
    shop = write_sample(home / "shop")
    made = subprocess.run(
        [str(CTXCODE), "--plain"],
        input="\n".join(lines).encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
        timeout=120,
        cwd=shop,
        env={**private_home(home), "TERM": "dumb"},
    )
    return made.returncode, made.stdout.decode(), made.stderr.decode()


def test_a_question_is_answered_with_its_meter_and_the_context_is_listed(tmp_path: Path) -> None:
    code, out, _ = piped(tmp_path, "what is Cart?", "/context", "/exit", "never read")
    assert 0 == code
    assert "shop/cart.py" in out
    assert "[CTX Light - scaffold" in out
    assert "/context]" in out
    assert "PINNED" in out
    assert "never read" not in out
    assert out.isascii()
    assert "\x1b" not in out


def test_commands_work_and_the_next_start_goes_on(tmp_path: Path) -> None:
    _, out, errors = talked(
        tmp_path,
        "what is Cart?",
        "/pin Cart",
        "/pins",
        "/mode heavy",
        "/cost",
        "/rename the cart",
        "/nonsense",
        "/theme",
    )
    assert "Cart: leased, 5 turns left" in out
    assert "CTX Heavy from the next message on" in out
    assert "this session is called 'the cart'" in out
    assert "There is no command /nonsense" in errors
    assert "Here everything is text." in errors
    _, out, _ = talked(tmp_path, "/sessions", "/clear", "/help")
    assert "1 turn so far; the last one:" in out
    assert "the cart" in out
    assert "/switch main brings the conversation back" in out
    assert "/export [markdown|json|html] [FILE]: Write the conversation to a file" in out


def test_a_command_behind_an_exclamation_mark_is_run_in_a_trusted_repository_and_never_sent(tmp_path: Path) -> None:
    _, out, errors = talked(tmp_path, "!echo one-$((1 + 1))", "/message list")
    assert "nobody is there to approve it" in errors
    assert "language model" not in out
    assert 0 == run_here(tmp_path, "trust", folder=tmp_path / "shop").code
    _, out, _ = talked(tmp_path, "!echo one-$((1 + 1))", "!")
    assert "one-2" in out


def test_a_line_that_ends_in_a_backslash_goes_on(tmp_path: Path) -> None:
    _, out, _ = talked(tmp_path, "what is \\", "Cart?", "/message show 1")
    assert "what is \nCart?" in out


STRANGE = ("\udcff\udcfe", "\x00\x1b[2J", "/" * 500)


@pytest.mark.parametrize("lines", [(), ("",), *((line, "/exit") for line in STRANGE)])
def test_strange_input_ends_in_good_order(tmp_path: Path, lines: tuple[str, ...]) -> None:
    code, out, _ = talked(tmp_path, *lines)
    assert 0 == code
    assert "\x1b[2J" not in out


def test_strange_input_comes_through_a_pipe_to_its_end(tmp_path: Path) -> None:
    code, out, _ = piped(tmp_path, *STRANGE)
    assert 0 == code
    assert "\x1b[2J" not in out


def test_a_new_session_is_started_when_asked(tmp_path: Path) -> None:
    talked(tmp_path, "what is Cart?")
    _, out, _ = talked(tmp_path, words=("--new",))
    assert "so far" not in out


def test_every_command_of_the_help_is_understood(tmp_path: Path) -> None:
    _, out, errors = talked(tmp_path, "/help", "/index", "/model", "/index pause")
    assert "/theme" not in out
    assert "/pin NAME" in out
    assert "Every question brings the index up to date first." in out
    assert "navigator" in out.rpartition("brings the index")[0].partition("/exit")[2]
    assert "/context knows no" not in errors


def test_help_with_words_lists_what_is_about_them(tmp_path: Path) -> None:
    _, out, _ = talked(tmp_path, "/help pin take", "/help zzzz")
    assert "/unpin NAME: Take a pin away" in out
    assert "/compact" not in out
    assert "No command is about that" in out


def test_an_image_is_refused(tmp_path: Path) -> None:
    _, _, errors = talked(tmp_path, "/add docs/shot.png")
    assert "'docs/shot.png' is an image, and models are sent text only." in errors


def test_a_repository_s_broken_settings_keep_nobody_out_and_are_told(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    (tmp_path / "shop/.ctxcode.toml").write_text('mode = "off"\nbudget_tokens = = 3\n')
    code, out, errors = talked(tmp_path, "what is Cart?", "/settings")
    assert 0 == code
    assert "[CTX Light - scaffold" in out
    assert ".ctxcode.toml' is no valid TOML" in errors
    assert "line 2" in errors
    assert "is left out" in errors
    assert [".ctxcode.toml left out"] == [
        " ".join(line.split()[:3]) for line in out.splitlines() if line.startswith(".ctxcode.toml")
    ]
