"""Repositories whose folders are moved or renamed, and the conversations that were held there."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tmux_terminal import private_home

from ctxcode.bootstrap.application import Application, Use, conversation_file, open_application
from ctxcode.model.event import SessionStarted
from ctxcode.model.ids import SessionId
from ctxcode.model.plan import ContextMode

TALK = SessionId("20261130-100000-0a0b0c")


def opened(home: Path, folder: Path, use: Use = Use.TALK) -> Application:
    return open_application(folder, overrides={}, environment=private_home(home), use=use)


def talks(home: Path, folder: Path, use: Use = Use.TALK) -> tuple[int, tuple[str, ...]]:
    """Return how many events a repository has of the talk, and what its user is told."""
    app = opened(home, folder, use)
    return len(app.adapters.journal.events(TALK)), app.notices


def talked(home: Path, folder: Path) -> Path:
    """Return an indexed repository in which something was said."""
    for name in ("one", "two", "three"):
        (folder / "src").mkdir(parents=True, exist_ok=True)
        (folder / "src" / f"{name}.py").write_text(f"def {name}():\n    return '{name}'\n", "utf-8")
    app = opened(home, folder)
    app.adapters.journal.append(TALK, SessionStarted(TALK, ContextMode.LIGHT, "navigator"), 1.0)
    app.adapters.indexer.refresh(lambda *_: None, lambda: False)
    return folder


def test_conversations_are_where_a_folder_is_renamed_to_and_back(tmp_path: Path) -> None:
    shop = talked(tmp_path, tmp_path / "shop")
    moved = shop.rename(tmp_path / "market")
    (moved / "src" / "one.py").write_text("def other(): ...\n", "utf-8")

    events, told = talks(tmp_path, moved)

    assert 1 == events
    assert (f"This folder was {str(shop)!r} before: the conversations that were held there are here.",) == told
    assert (1, ()) == talks(tmp_path, moved)
    assert 1 == talks(tmp_path, moved.rename(shop))[0]
    assert (1, ()) == talks(tmp_path, shop)


def copied(folder: Path) -> Path:
    other = folder.with_name("copy")
    (other / "src").mkdir(parents=True)
    for file in (folder / "src").iterdir():
        (other / "src" / file.name).write_bytes(file.read_bytes())
    return other


def copied_and_removed(folder: Path) -> Path:
    other = copied(folder)
    folder.rename(folder.with_name("elsewhere"))
    return other


def emptied(folder: Path) -> Path:
    """Return a folder whose files are all others: as good as one that has the place of a removed one on the disk."""
    other = folder.rename(folder.with_name("other"))
    for file in (other / "src").iterdir():
        file.write_text("nothing = 'of it'\n", "utf-8")
    return other


@pytest.mark.parametrize("change", [copied, copied_and_removed, emptied])
def test_conversations_stay_when_a_folder_is_another(tmp_path: Path, change: Callable[[Path], Path]) -> None:
    other = change(talked(tmp_path, tmp_path / "shop"))
    assert (0, ()) == talks(tmp_path, other)


def test_what_was_said_in_a_folder_is_not_replaced(tmp_path: Path) -> None:
    shop = talked(tmp_path, tmp_path / "shop")
    market = tmp_path / "market"
    market.mkdir()
    assert 0 == talks(tmp_path, market)[0]
    market.rmdir()
    assert (0, ()) == talks(tmp_path, shop.rename(market))


def test_nothing_is_moved_where_nothing_may_be_written(tmp_path: Path) -> None:
    moved = talked(tmp_path, tmp_path / "shop").rename(tmp_path / "market")
    assert (0, ()) == talks(tmp_path, moved, Use.READ_ONLY)
    assert 1 == talks(tmp_path, moved)[0]


@pytest.mark.parametrize("noted", [b"", b"{", b"[]", b'{"root": 1}', b'{"root": "\xe4\xb8\xad", "inode": 1}'])
def test_a_note_of_the_place_that_is_none_is_made_anew(tmp_path: Path, noted: bytes) -> None:
    shop = talked(tmp_path, tmp_path / "shop")
    place = conversation_file(opened(tmp_path, shop).directories, shop).with_name("place.json")
    place.write_bytes(noted)
    moved = shop.rename(tmp_path / "market")
    assert (0, ()) == talks(tmp_path, moved)
    assert (1, ()) == talks(tmp_path, moved.rename(shop))
    assert place.read_bytes() not in {b"", noted}
