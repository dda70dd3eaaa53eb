"""Whatever goes wrong, the command says so in a line with what to do, and never with a traceback."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command import Outcome, run, run_here
from sample_repository import write_sample, write_sample_of_four_languages
from tmux_terminal import CTXCODE


def expect_failure(outcome: Outcome, *, code: int, says: str) -> None:
    assert code == outcome.code, outcome.err
    assert says in outcome.err
    assert "Traceback" not in outcome.err + outcome.out


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    expect_failure(run_here(tmp_path, "context", "x", "--repo", str(tmp_path / "nowhere")), code=1, says="nowhere")


def test_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text("x = 1\n")
    expect_failure(run_here(tmp_path, "index", str(tmp_path / "file.py")), code=1, says="file.py")


def test_an_empty_repository_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    outcome = run_here(tmp_path, "context", "where is anything", "--repo", str(tmp_path / "empty"), "--format", "json")
    assert (0, "light") == (outcome.code, outcome.json()["mode"])
    assert "there is nothing to retrieve" in outcome.err
    assert "No file in a language" in run_here(tmp_path, "index", str(tmp_path / "empty")).out


def test_wrong_words_are_explained(tmp_path: Path) -> None:
    expect_failure(run_here(tmp_path, "context"), code=2, says="QUERY")
    expect_failure(run_here(tmp_path, "context", "x", "--mode", "huge"), code=2, says="huge")
    expect_failure(run_here(tmp_path, "context", "x", "--budget", "-3"), code=2, says="-3")
    expect_failure(run_here(tmp_path, "context", "  "), code=2, says="empty")
    for words in (("index", ""), ("symbol", "x", "--repo", ""), ("",)):
        expect_failure(run_here(tmp_path, *words), code=2, says="the folder is empty")
    expect_failure(run_here(tmp_path, "index", str(tmp_path), "--repo", str(tmp_path)), code=2, says="Two repositories")
    expect_failure(run_here(tmp_path, "plan", "show", "feed", "--repo", str(tmp_path)), code=2, says="feed")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("context",), 2, "The following arguments are required: QUERY. See: ctxcode context --help"),
        (("context", "x", "--mode", "huge"), 2, "'huge'"),
        (("ask", "  "), 2, "The question is empty. Write it in quotes"),
        (("ask", "x", "--session", "zzz"), 2, "There is no session 'zzz'. See: ctxcode sessions"),
        (("symbol", " "), 2, "The name is empty."),
        (("plan", "show", "feed"), 2, "There is no plan 'feed'."),
        (("export",), 2, "No session is stored for this repository yet."),
        (("index", "nowhere"), 1, "nowhere' does not exist. Give the path of a folder you can read."),
    ],
)
def test_who_asks_for_json_gets_a_failure_as_json(tmp_path: Path, words: tuple[str, ...], code: int, says: str) -> None:
    outcome = run_here(tmp_path, *words, "--format", "json")
    expect_failure(outcome, code=code, says="ctxcode: ")
    assert ({"error"}, True) == (set(outcome.json()), says in outcome.json()["error"])
    assert "" == run_here(tmp_path, *words).out


def test_a_stream_of_json_ends_with_the_failure(tmp_path: Path) -> None:
    outcome = run_here(tmp_path, "-p", " ", "--format=stream-json")
    assert (2, "failed") == (outcome.code, outcome.json()["type"])
    assert outcome.json()["error"].startswith("The question is empty.")


def test_who_interrupts_a_command_gets_json_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("ctxcode.cli.inspect.sessions", interrupted)
    outcome = run_here(tmp_path, "sessions", "--format", "json")
    assert (130, {"error": "Interrupted."}) == (outcome.code, outcome.json())
    assert (130, "") == ((plain := run_here(tmp_path, "sessions")).code, plain.out)
    assert "ctxcode: Interrupted.\n" == outcome.err == plain.err


def test_a_file_that_fails_where_nobody_expects_it_is_told_as_json_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = "'/shop/a.py' can't be used: Permission denied."

    def failing(*_: object) -> int:
        raise PermissionError(13, "Permission denied", "/shop/a.py")

    monkeypatch.setattr("ctxcode.cli.inspect.sessions", failing)
    outcome = run_here(tmp_path, "sessions", "--format", "json")
    expect_failure(outcome, code=1, says=f"ctxcode: {says}")
    assert {"error": f"{says} `ctxcode doctor` says what works here."} == outcome.json()


@pytest.mark.parametrize("words", [("--format",), ("--format", "xml"), ("--", "--format", "json")])
def test_a_format_that_is_none_prints_nothing(tmp_path: Path, words: tuple[str, ...]) -> None:
    outcome = run_here(tmp_path, "context", *words)
    assert (2, "") == (outcome.code, outcome.out)


def test_a_word_that_is_neither_folder_nor_command_is_explained(tmp_path: Path) -> None:
    expect_failure(run_here(tmp_path, "frobnicate"), code=1, says="'frobnicate' is no folder")
    assert "Did you mean" not in run_here(tmp_path, "/nonexist").err
    expect_failure(run_here(tmp_path, "indx"), code=1, says="Did you mean `ctxcode index`?")
    expect_failure(
        run_here(tmp_path, "ask", "x", "--session", "", "--repo", str(tmp_path)), code=2, says="Which session?"
    )


def test_a_misspelt_model_does_not_stay_in_the_session(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    asked = ("ask", "where is total", "--repo", str(tmp_path / "shop"))
    assert 0 == run_here(tmp_path, *asked).code
    expect_failure(run_here(tmp_path, *asked, "--continue", "--model", "bogus"), code=1, says="'bogus'")
    assert 0 == run_here(tmp_path, *asked, "--continue").code


def test_help_that_can_not_be_printed_is_a_failure_of_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        made = subprocess.run(
            [str(CTXCODE), "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=os.environ
        )
    assert (1, True) == (made.returncode, "The output can't be written" in made.stderr)
    assert "ignored" not in made.stderr


def test_a_home_that_is_no_place_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    empty = {f"XDG_{name}_HOME": "" for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    for home in ("not/absolute", ""):
        made = run_here(tmp_path, "map", folder=tmp_path, extra={**empty, "HOME": home})
        expect_failure(made, code=2, says=f"{home!r} is no home folder\n  Set HOME")
    assert not (tmp_path / "not").exists()


@pytest.mark.skipif(sys.platform == "darwin", reason="there names are UTF-8 in every locale")
def test_a_locale_that_can_not_read_a_name_is_told(tmp_path: Path) -> None:
    (tmp_path / "größe/maß").mkdir(parents=True)
    (tmp_path / "größe/maß.py").write_text("")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    outer, inner = (run(tmp_path, "index", place, folder=tmp_path, extra=plain) for place in (".", "größe"))
    assert "names are read as ascii in this locale" in outer.out
    expect_failure(inner, code=1, says="its encoding is ascii\n  Use a locale of UTF-8")


@pytest.mark.parametrize("address", ["http://", "http://[::bad", "http://host:port/v1", "https:///v1", "ftp://host"])
def test_an_address_without_a_host_is_refused_at_once(tmp_path: Path, address: str) -> None:
    words = ("ask", "x", "--repo", str(tmp_path), "--model", "openai/any", "--api-base", address)
    expect_failure(run_here(tmp_path, *words), code=2, says="api_base should be")


def test_an_empty_command_can_not_be_allowed(tmp_path: Path) -> None:
    expect_failure(run_here(tmp_path, "ask", "x", "--allow-command", " "), code=2, says="allows nothing")


def test_without_a_terminal_the_app_says_what_to_use(tmp_path: Path) -> None:
    expect_failure(run_here(tmp_path, str(tmp_path)), code=1, says="needs a terminal")


def test_broken_settings_name_file_and_line(tmp_path: Path) -> None:
    settings = tmp_path / "config/ctxcode/settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('model = "navigator"\nmode = \n')
    expect_failure(run_here(tmp_path, "context", "x", "--repo", str(tmp_path)), code=2, says="settings.toml")
    settings.write_text("budget_token = 3\n")
    expect_failure(run_here(tmp_path, "context", "x", "--repo", str(tmp_path)), code=2, says="budget_tokens")


def test_a_plan_without_a_conversation_is_made_by_the_strategy_that_is_set(tmp_path: Path) -> None:
    repository = str(write_sample(tmp_path / "shop"))
    settings = tmp_path / "config/ctxcode/settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[strategy]\nname = "rolling-summary"\nthreshold = 12\n')
    made = run_here(tmp_path, "context", "Cart.checkout", "--repo", repository, "--format", "json").json()
    assert ("rolling-summary", 12) == (made["strategy"], made["strategy_settings"]["threshold"])
    settings.write_text('[strategy]\nname = "rolling-summary"\nthresold = 12\n')
    expect_failure(run_here(tmp_path, "context", "x", "--repo", repository), code=2, says="threshold")


def test_a_repository_cannot_choose_the_model(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    (repository / ".ctxcode.toml").write_text('api_base = "http://127.0.0.1:9/v1"\nmodel = "openai/evil"\n')
    outcome = run_here(
        tmp_path, "ask", "where is Cart?", "--repo", str(repository), extra={"OPENAI_API_KEY": "sk-secret"}
    )
    expect_failure(outcome, code=2, says=".ctxcode.toml")
    assert "sk-secret" not in outcome.err


def test_an_unknown_model_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    outcome = run_here(tmp_path, "ask", "hello there", "--repo", str(repository), "--model", "no-such-model-anywhere")
    assert outcome.code in (1, 2)
    assert "no-such-model-anywhere" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_refused_connection_names_the_address(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/v1"
    words = ("ask", "hello there", "--repo", str(repository), "--model", "openai/x", "--api-base", address)
    expect_failure(run_here(tmp_path, *words), code=1, says=str(port))


def test_a_missing_key_names_its_variable(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    words = ("ask", "hello there", "--repo", str(repository), "--model", "openai/gpt-4.1")
    expect_failure(run_here(tmp_path, *words), code=1, says="OPENAI_API_KEY")


def test_a_huge_a_binary_and_an_unreadable_file_are_listed(tmp_path: Path) -> None:
    repository = write_sample_of_four_languages(tmp_path / "shop")
    with (repository / "huge.py").open("wb") as huge:
        huge.truncate(50_000_000)
    (repository / "binary.py").write_bytes(bytes(range(256)) * 10)
    (repository / "unreadable.py").write_text("x = 1\n")
    (repository / "unreadable.py").chmod(0)
    report = run_here(tmp_path, "index", str(repository), "--format", "json").json()
    reasons = {row["path"]: row["reason"] for row in report["skipped"]}
    assert ("too-large", "binary") == (reasons["huge.py"], reasons["binary.py"])
    assert os.geteuid() == 0 or reasons["unreadable.py"] == "unreadable"
    assert report["symbols"] > 20


@pytest.mark.parametrize("place", ["cache", "data"])
def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, place: str) -> None:
    repository = write_sample(tmp_path / "shop")
    (tmp_path / place).write_text("a file where a folder should be")
    outcome = run_here(tmp_path, "ask", "where is Cart?", "--repo", str(repository))
    expect_failure(outcome, code=1, says=place)


def test_doctor_reports_and_never_shows_a_key(tmp_path: Path) -> None:
    words = ("doctor", str(tmp_path), "--model", "openai/gpt-4.1", "--format", "json")
    outcome = run_here(tmp_path, *words, extra={"OPENAI_API_KEY": "sk-very-secret"})
    names = {row["name"] for row in outcome.json()}
    assert {"grammars", "sqlite", "model", "key"} <= names
    assert "sk-very-secret" not in outcome.out + outcome.err
