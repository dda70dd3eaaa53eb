"""What takes long is indexed by one process at a time; the others wait for it, but never for ever."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder
from tmux_terminal import CTXCODE, private_home

from ctxcode.session.index.turn import IndexTurn, NotInTurnError
from ctxcode.store.disk import Turn

FILES = 120
_HOLDER = """
import sys
from pathlib import Path
from ctxcode.store.disk import Turn
turn = Turn(Path(sys.argv[1]))
taken = turn.take(is_pressing=len(sys.argv) > 2)
if taken:
    turn.tell("16 120 parsing")
print(taken, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    indexed.cache.mkdir()
    for number in range(FILES):
        indexed.write(f"m{number:03}.py", f"def f{number}():\n    return {number}\n")
    yield indexed
    indexed.close()


@contextmanager
def held(folder: IndexedFolder, *words: str, is_had: bool = True) -> Iterator[subprocess.Popen[str]]:
    """Let another process have the turn, or wish for it where it can't be had."""
    command = [sys.executable, "-c", _HOLDER, str(folder.cache / "index.db"), *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert f"{is_had}\n" == holder.stdout.readline()
        yield holder
        holder.kill()


def test_several_processes_parse_every_file_once(folder: IndexedFolder, tmp_path: Path) -> None:
    home = private_home(tmp_path / "home")
    command = [str(CTXCODE), "index", "--format", "json", str(folder.root)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=home) for _ in range(3)]
    reports = [json.loads(process.communicate()[0]) for process in running]
    assert FILES == sum(report["parsed"] for report in reports)
    assert [(FILES, FILES)] * 3 == [(report["files"], report["symbols"] - FILES) for report in reports]


def test_who_indexes_is_waited_for_until_its_death(folder: IndexedFolder) -> None:
    with held(folder) as holder:
        told: list[tuple[int, int, str]] = []

        def note(done: int, total: int, phase: str) -> None:
            told.append((done, total, phase))
            if phase == "elsewhere":
                holder.kill()
                holder.wait()

        report = folder.indexing.refresh(note, lambda: False)
    assert (16, FILES, "elsewhere") in told
    assert FILES == report.parsed


def test_who_gives_no_sign_of_life_is_not_waited_for(folder: IndexedFolder) -> None:
    folder.clock = count(step=10.0).__next__
    with held(folder):
        report = folder.refresh()
    assert "elsewhere" in folder.phases
    assert FILES == report.parsed


def test_nobody_waits_who_does_not_want_the_refresh_any_more(folder: IndexedFolder) -> None:
    with held(folder):
        report = folder.refresh(lambda: "elsewhere" in folder.phases)
    assert not report.is_complete


def test_few_files_are_parsed_without_waiting(folder: IndexedFolder) -> None:
    folder.refresh()
    folder.write("m003.py", "def changed():\n    return 3\n")
    folder.phases.clear()
    with held(folder):
        assert 1 == folder.refresh().parsed
    assert "elsewhere" not in folder.phases


def test_the_turn_is_given_up_with_the_refresh(folder: IndexedFolder) -> None:
    folder.refresh()
    with held(folder):
        pass


@pytest.mark.parametrize("wishes", [[], ["pressing"]])
def test_a_beginning_is_published_for_whom_another_process_waits(
    wishes: list[str], folder: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctxcode.session.index.indexing._BATCH_BYTES", 100)
    monkeypatch.setattr("ctxcode.session.index.indexing._LAST_BATCH_BYTES", 100)
    folder.clock = count(step=20.0).__next__
    seen: set[int] = set()

    with ExitStack() as others:

        def look(done: int, total: int, phase: str) -> None:
            del total
            if (done, phase) == (0, "parsing"):
                others.enter_context(held(folder, *wishes, is_had=False))
            seen.add(folder.index.stats().symbols)

        report = folder.indexing.refresh(look, lambda: False)
    assert bool(wishes) == (len(seen) > 1)
    assert (FILES, True) == (report.files, folder.index.stats().is_whole)


class SlowTurn:
    """Had by another process, which tells how far it is at each look, until it has told so often."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def take(self, *, is_pressing: bool = False) -> bool:
        assert is_pressing
        self.left -= 1
        return self.left < 0

    def is_wished(self) -> bool:
        return False

    def tell(self, words: str) -> None:
        raise AssertionError(words)

    def heard(self) -> str:
        return f"{9 - self.left} 9 parsing"

    def give_up(self) -> None:
        pass


def test_who_goes_on_is_waited_for_as_long_as_it_takes() -> None:
    told: list[tuple[int, int, str]] = []
    with IndexTurn(SlowTurn(4), count(step=15.0).__next__, lambda *each: told.append(each), is_pressing=True) as turn:
        with pytest.raises(NotInTurnError):
            turn.begin(FILES, lambda: True)
        turn.wait(lambda: False)
        turn.begin(FILES, lambda: True)
    assert [(6, 9), (7, 9), (8, 9), (9, 9)] == [each[:2] for each in told]


def test_what_another_process_has_published_before_the_turn_came_is_not_parsed_again() -> None:
    with IndexTurn(Turn(None), lambda: 0.0, lambda *_: None, is_pressing=False) as turn:
        with pytest.raises(NotInTurnError):
            turn.begin(FILES, lambda: False)
        turn.wait(lambda: False)
        turn.begin(FILES, lambda: False)


def test_what_the_others_are_told_is_private_and_goes_with_the_turn(tmp_path: Path) -> None:
    turn, waiting = Turn(tmp_path / "index.db"), Turn(tmp_path / "index.db")
    assert turn.take()
    turn.tell("1 2 parsing")
    assert [0o600] * 2 == [each.stat().st_mode & 0o777 for each in tmp_path.iterdir()]
    waiting.give_up()
    assert "1 2 parsing" == waiting.heard()
    turn.give_up()
    assert "" == waiting.heard()


@pytest.mark.parametrize("words", ["", "1 2", "x y parsing", "9 9 9 9", "²  3 parsing", "1 2 " + "x" * 200])
def test_nonsense_that_was_told_says_nothing(words: str, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    path = tmp_path / "index.db"
    turn = Turn(path)
    turn.tell(words)
    looks = iter([False, True])
    IndexTurn(turn, lambda: 0.0, lambda *each: told.append(each), is_pressing=False).wait(lambda: next(looks))
    turn.give_up()
    assert [(0, 0, "elsewhere")] == told


def test_the_others_are_told_of_a_new_phase_at_once_and_of_each_file_only_from_time_to_time(tmp_path: Path) -> None:
    seconds, waiting = iter([0.0, 0.1, 0.2, 0.3, 0.35, 0.4]), Turn(tmp_path / "index.db")
    heard: list[str] = []
    with IndexTurn(Turn(tmp_path / "index.db"), seconds.__next__, lambda *_: None, is_pressing=False) as turn:
        turn.begin(FILES, lambda: True)
        for done, phase in ((0, "parsing"), (16, "parsing"), (32, "parsing"), (48, "parsing"), (64, "parsing")):
            turn.note(done, FILES, phase)
            heard.append(waiting.heard().split()[0])
        turn.note(FILES, FILES, "resolving")
        heard.append(waiting.heard().split()[2])
    assert ["0", "0", "0", "48", "48", "resolving"] == heard
