"""Where output can't go: a reader that left, a full disk, a closed stream; and databases that were damaged."""

import subprocess
from pathlib import Path

import pytest
from command import run, run_here
from sample_repository import write_sample
from tmux_terminal import CTXCODE, private_home

COMMANDS = (
    "context Cart",
    "context Cart --format json",
    "index",
    "sessions",
    "doctor",
    "ask Cart --format stream-json",
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("home")
    repository = write_sample(home / "shop")
    assert 0 == run(home, "index", str(repository)).code
    return home, repository


def shell(shop: tuple[Path, Path], words: str, redirection: str) -> tuple[int, str]:
    """Run a command with its output somewhere odd; return its own exit code and standard error."""
    made = subprocess.run(
        ["bash", "-c", f'"{CTXCODE}" {words} {redirection}; exit ${{PIPESTATUS[0]}}'],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=shop[1],
        env=private_home(shop[0]),
    )
    return made.returncode, made.stderr


@pytest.mark.parametrize("words", COMMANDS)
def test_a_reader_that_left_is_no_failure(shop: tuple[Path, Path], words: str) -> None:
    assert (0, "") == shell(shop, words, "| true")


@pytest.mark.parametrize("words", COMMANDS)
def test_a_full_disk_is_one_line_and_a_failure(shop: tuple[Path, Path], words: str) -> None:
    code, complaint = shell(shop, words, "> /dev/full")
    assert 1 == code
    assert complaint.startswith("ctxcode: The output can't be written")
    assert "Traceback" not in complaint
    assert "Exception ignored" not in complaint


@pytest.mark.parametrize("words", ["context Cart", "doctor"])
def test_a_closed_standard_output_is_no_failure(shop: tuple[Path, Path], words: str) -> None:
    assert (0, "") == shell(shop, words, ">&-")


@pytest.mark.parametrize("damage", [b"garbage" * 1000, b""], ids=["garbage", "emptied"])
def test_a_damaged_conversation_database_is_kept_and_told(tmp_path: Path, damage: bytes) -> None:
    repository = write_sample(tmp_path / "shop")
    run(tmp_path, "ask", "where is Cart?", "--repo", str(repository))
    (database,) = (tmp_path / "data").rglob("ctxcode.db")
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    database.write_bytes(damage)
    outcome = run_here(tmp_path, "ask", "where is Cart?", "--repo", str(repository), "--format", "json")
    assert (0, "answer") == (outcome.code, outcome.json()["stopped_by"])
    if damage:
        assert "damaged" in outcome.err
        assert [damage] == [file.read_bytes() for file in database.parent.glob("*.corrupt-1")]
    assert "" == run_here(tmp_path, "sessions", "--repo", str(repository)).err
