"""Changes of the work tree are noticed by the system's own notifications, and the index follows."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path

from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.bootstrap import open_application
from ctxcode.codegraph.languages import language_of
from ctxcode.model.event import IndexProgressed, IndexRefreshed
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.watch import follow

LIMIT_SECONDS = 60.0


@contextmanager
def following(workspace: FolderWorkspace) -> Iterator[Iterator[None]]:
    """Follow a folder once its first look is done; a watch that says nothing is ended by the clock."""
    stop = ending()
    workspace.scan()
    told = workspace.follow(stop)
    next(told)
    yield told
    stop.set()
    assert list(told) == []


def ending() -> threading.Event:
    """Return an event that is set, at the latest, when a test has waited too long."""
    stop = threading.Event()
    late = threading.Timer(LIMIT_SECONDS, stop.set)
    late.daemon = True
    late.start()
    return stop


def opened(root: Path) -> FolderWorkspace:
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "a.py").write_text("a = 1\n")
    return open_workspace(str(root), language_of)


def test_written_added_and_removed_files_are_told(tmp_path: Path) -> None:
    with following(opened(tmp_path)) as told:
        (tmp_path / "pkg" / "a.py").write_text("a = 2\n")
        next(told)
        (tmp_path / "b.py").write_text("b = 2\n")
        next(told)
        (tmp_path / "pkg" / "a.py").unlink()
        next(told)


def test_a_folder_that_comes_to_hold_sources_is_watched_too(tmp_path: Path) -> None:
    workspace = opened(tmp_path)
    with following(workspace) as told:
        (tmp_path / "new").mkdir()
        next(told)
        (tmp_path / "new" / "c.py").write_text("c = 1\n")
        workspace.scan()
        next(told)
        (tmp_path / "new" / "c.py").write_text("c = 2\n")
        next(told)


def test_only_what_the_index_could_hold_wakes_anybody(tmp_path: Path) -> None:
    asked: list[str] = []

    def is_relevant(path: str) -> bool:
        asked.append(path)
        return path.endswith(".py")

    stop = ending()
    told = follow(str(tmp_path), lambda: frozenset({""}), is_relevant, stop)
    next(told)
    (tmp_path / "made.log").write_text("line\n")
    (tmp_path / "a.py").write_text("a = 1\n")
    next(told)
    stop.set()
    assert {"made.log", "a.py"} >= set(asked) > set()


def test_a_folder_that_is_gone_is_waited_for(tmp_path: Path) -> None:
    stop = ending()
    told = follow(str(tmp_path), lambda: frozenset({"", "gone"}), lambda _: True, stop)
    next(told)
    stop.set()
    assert list(told) == []


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


async def following_refresh(changes: AsyncGenerator[IndexProgressed | IndexRefreshed, None]) -> IndexRefreshed:
    """Return the next refresh that is told."""
    async with asyncio.timeout(LIMIT_SECONDS):
        async for event in changes:
            if isinstance(event, IndexRefreshed):
                return event
    raise AssertionError("following ended")
