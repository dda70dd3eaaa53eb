"""Reading files of the repository, and only those."""

import os
from pathlib import Path

import pytest

from ctxcode.codegraph.languages import language_of
from ctxcode.model.errors import RepositoryError
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.reading import READ_LIMIT_BYTES


@pytest.fixture
def workspace(tmp_path: Path) -> FolderWorkspace:
    root = tmp_path / "repository"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "a.py").write_bytes(b"x = 1\r\n")
    (tmp_path / "outside.py").write_text("secret = 1\n", encoding="utf-8")
    return open_workspace(str(root), language_of)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\r\nb\n", "a\r\nb\n"),
        (b"\xef\xbb\xbfx\n", "x\n"),
        ("x = 'é'\n".encode("utf-16"), "x = 'é'\n"),
        ("é".encode(), "é"),
        (b"caf\xe9\n", "café\n"),
        (b"", ""),
    ],
)
def test_text_is_decoded_and_line_ends_stay(workspace: FolderWorkspace, data: bytes, text: str) -> None:
    Path(workspace.info.root, "f.py").write_bytes(data)
    assert text == workspace.read_text("f.py")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../outside.py", "outside"),
        ("sub/../../outside.py", "outside"),
        ("/etc/passwd", "outside"),
        ("leaving.py", "outside"),
        ("up/outside.py", "outside"),
        ("../missing.py", "outside"),
        ("up/missing.py", "outside"),
        ("missing/../../missing.py", "outside"),
        ("missing.py", "does not exist"),
        ("sub", "no regular file"),
        ("pipe", "no regular file"),
        ("binary.py", "binary"),
        (".env", "secret"),
        ("innocent.txt", "secret"),
        (".git/config", "belongs to git"),
        ("a\0b", "no path"),
        ("", "outside"),
        ("loop", "can't be read"),
        ("\ud800.py", "can't be read"),
    ],
)
def test_what_must_not_be_read_is_refused_with_a_hint(workspace: FolderWorkspace, path: str, said: str) -> None:
    root = Path(workspace.info.root)
    (root / "leaving.py").symlink_to(root.parent / "outside.py")
    (root / "up").symlink_to(root.parent)
    (root / "binary.py").write_bytes(b"a\0b")
    (root / ".env").write_text("KEY=1", encoding="utf-8")
    (root / "innocent.txt").symlink_to(".env")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("", encoding="utf-8")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    with pytest.raises(RepositoryError, match=said) as caught:
        workspace.read_text(path)
    assert caught.value.hint


def test_a_link_inside_the_repository_is_followed(workspace: FolderWorkspace) -> None:
    Path(workspace.info.root, "link.py").symlink_to("sub/a.py")
    assert "x = 1\r\n" == workspace.read_text("link.py")


def test_a_file_of_fifty_megabytes_is_refused_without_being_read(workspace: FolderWorkspace) -> None:
    with Path(workspace.info.root, "large.py").open("wb") as file:
        file.truncate(5 * READ_LIMIT_BYTES)
    with pytest.raises(RepositoryError, match="50 MB"):
        workspace.read_text("large.py")
