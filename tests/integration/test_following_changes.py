"""Changes of the work tree are noticed by the system's own notifications, and the index follows."""

import asyncio
import subprocess
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.model.passing.event import IndexProgressed, IndexRefreshed
from ctxcode.workspace.watch import follow

LIMIT_SECONDS = 60.0
_ENDED = object()
_SOMEBODY = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")


class Watch:
    """A watch over some folders of a root, which notes what it is told of."""

    def __init__(self, root: Path, *folders: str) -> None:
        self.folders = frozenset({"", *folders})
        self._seen: set[str] = set()
        self._stop = ending()
        self.branch = "main"
        self._told = follow(str(root), lambda: self.folders, self._note, lambda: self.branch, self._stop)
        assert self.goes_on()

    def goes_on(self) -> bool:
        """Wait for the next telling; False when there is none any more."""
        return next(self._told, _ENDED) is not _ENDED

    def sees(self, path: str) -> bool:
        """Wait until a path is told of; False when that never happens."""
        while path not in self._seen:
            if not self.goes_on():
                return False
        return True

    def ends(self) -> bool:
        """End the watch; return whether it says nothing more."""
        self._stop.set()
        return not self.goes_on()

    def _note(self, path: str) -> bool:
        self._seen.add(path)
        return True


def git(folder: Path, *words: str) -> None:
    """Run git there, as somebody."""
    subprocess.run(["git", *_SOMEBODY, *words], cwd=folder, check=True, capture_output=True)


def ending() -> threading.Event:
    """Return an event that is set, at the latest, when a test has waited too long."""
    stop = threading.Event()
    late = threading.Timer(LIMIT_SECONDS, stop.set)
    late.daemon = True
    late.start()
    return stop


def test_written_added_and_removed_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    for name in ("changed.py", "removed.py"):
        (tmp_path / "pkg" / name).write_text("a = 1\n")
    watch = Watch(tmp_path, "pkg")
    (tmp_path / "pkg" / "changed.py").write_text("a = 2\n")
    assert watch.sees("pkg/changed.py")
    (tmp_path / "added.py").write_text("b = 2\n")
    assert watch.sees("added.py")
    (tmp_path / "pkg" / "removed.py").unlink()
    assert watch.sees("pkg/removed.py")
    assert watch.ends()


def test_a_folder_that_comes_to_hold_sources_is_watched_too(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    (tmp_path / "new").mkdir()
    assert watch.sees("new")
    watch.folders |= {"new"}
    assert watch.goes_on()
    (tmp_path / "new" / "c.py").write_text("c = 1\n")
    assert watch.sees("new/c.py")
    assert watch.ends()


def test_only_what_the_index_could_hold_wakes_anybody(tmp_path: Path) -> None:
    asked: list[str] = []

    def is_relevant(path: str) -> bool:
        asked.append(path)
        return path.endswith(".py")

    stop = ending()
    told = follow(str(tmp_path), lambda: frozenset({""}), is_relevant, lambda: "", stop)
    next(told)
    (tmp_path / "made.log").write_text("line\n")
    (tmp_path / "a.py").write_text("a = 1\n")
    next(told)
    stop.set()
    assert {"made.log", "a.py"} >= set(asked) > set()


def test_another_branch_is_told_once(tmp_path: Path) -> None:
    stop, asked = ending(), 0

    def branch() -> str:
        nonlocal asked
        asked += 1
        if asked == 6:
            stop.set()
        return "main" if asked < 3 else "topic"

    assert len(list(follow(str(tmp_path), lambda: frozenset({""}), lambda _: True, branch, stop))) == 2


def test_a_folder_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    watch = Watch(tmp_path, "gone")
    (tmp_path / "a.py").write_text("a = 1\n")
    assert watch.sees("a.py")
    assert watch.ends()


async def test_the_index_follows_what_is_edited(tmp_path: Path) -> None:
    repository = tmp_path / "shop"
    write_sample(repository)
    session = open_application(
        repository, overrides={"model": "navigator"}, environment=private_home(tmp_path)
    ).session(None)
    async with aclosing(session.refresh_index()) as events:
        async for _ in events:
            pass
    async with aclosing(session.follow_changes()) as changes:
        first = await following_refresh(changes)
        (repository / "shop" / "novelty.py").write_text("def a_function_nobody_had():\n    pass\n")
        second = await following_refresh(changes)
    assert second.symbols == first.symbols + 2
    assert [symbol.name for symbol in await session.find("a_function_nobody_had")] == ["a_function_nobody_had"]


async def test_a_branch_that_changes_no_file_is_told(tmp_path: Path) -> None:
    repository = tmp_path / "shop"
    write_sample(repository)
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "first"]):
        git(repository, *words)
    session = open_application(
        repository, overrides={"model": "navigator"}, environment=private_home(tmp_path)
    ).session(None)
    async with aclosing(session.follow_changes()) as changes:
        first = await following_refresh(changes)
        git(repository, "checkout", "-q", "-b", "topic")
        second = await following_refresh(changes)
    assert (first.revision, "topic") == (second.revision, session.repository.branch)


async def following_refresh(changes: AsyncGenerator[IndexProgressed | IndexRefreshed, None]) -> IndexRefreshed:
    """Return the next refresh that is told."""
    async with asyncio.timeout(LIMIT_SECONDS):
        async for event in changes:
            if isinstance(event, IndexRefreshed):
                return event
    raise AssertionError("following ended")
