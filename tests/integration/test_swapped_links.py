"""A folder or file that somebody swaps for a link, at any step of what is done with it: nothing outside is touched."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from audited import audited

from ctxcode.codegraph.languages import language_of
from ctxcode.model.edit.change import FileWrite, bytes_digest
from ctxcode.model.errors import CtxcodeError, EditError
from ctxcode.workspace.edits.editor import FolderEditor
from ctxcode.workspace.edits.vault import Vault
from ctxcode.workspace.files import open_workspace

OLD, NEW = b"old\n", b"new\n"
DIGEST = bytes_digest(OLD)
SETS = {
    "change": [FileWrite("src/b.py", DIGEST, NEW)],
    "create": [FileWrite("src/new.py", "", NEW)],
    "create below": [FileWrite("src/deep/new.py", "", NEW)],
    "delete": [FileWrite("src/b.py", DIGEST, None)],
    "rename": [FileWrite("src/b.py", DIGEST, None), FileWrite("src/c.py", "", OLD, like="src/b.py")],
    "undo": [FileWrite("src/b.py", DIGEST, b"older\n", mode=0o600)],
}
STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.link", "os.rmdir", "os.chmod", "os.listxattr", "os.chown"}
_due: list[Callable[[], None]] = []
"""What is done at each step while a test runs."""


def _hear(event: str) -> None:
    if event in STEPS and _due:
        _due[-1]()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    with audited(_hear):
        yield tmp_path
    _due.clear()


def laid_out(home: Path) -> Path:
    """Make a repository and, beside it, what a link may lead to: the same file, with the same content."""
    for folder in (home / "shop/src", home / "outside"):
        folder.mkdir(parents=True)
        (folder / "b.py").write_bytes(OLD)
    return home / "shop"


def swap_folder(root: Path) -> None:
    (root / "src").rename(root / "was")
    (root / "src").symlink_to(root.parent / "outside")


def swap_file(root: Path) -> None:
    (root / "src/b.py").rename(root / "src/was.py")
    (root / "src/b.py").symlink_to(root.parent / "outside/b.py")


def swapped_at(step: int, swap: Callable[[Path], None], root: Path) -> list[int]:
    """Swap at a step of what follows; the list is empty once that has happened."""
    left = [step]

    def count() -> None:
        left[0] -= 1
        if not left[0]:
            _due.clear()
            left.clear()
            with suppress(OSError):
                swap(root)

    _due[:] = [count]
    return left


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("swap", [swap_folder, swap_file])
@pytest.mark.parametrize("name", SETS)
def test_nothing_outside_is_written_whenever_a_link_takes_the_place(
    home: Path, name: str, swap: Callable[[Path], None]
) -> None:
    swaps = 0
    for step in range(1, 200):
        root = laid_out(home / str(step))
        editor = FolderEditor(str(root.resolve()), Vault(root.parent / "data"))
        images = [editor.image(one.path) for one in SETS[name]]
        assert all(image.data in (None, OLD) for image in images)
        left = swapped_at(step, swap, root)
        with suppress(CtxcodeError):
            editor.write(SETS[name])
        _due.clear()
        assert {"b.py": OLD} == tree(root.parent / "outside"), step
        # Whatever came of it, edits of other files go on.
        editor.recover()
        editor.write([FileWrite("other.py", "", NEW)])
        assert NEW == (root / "other.py").read_bytes()
        if left:
            break
        swaps += 1
    assert swaps > 5


@pytest.mark.parametrize("swap", [swap_folder, swap_file])
def test_nothing_outside_is_looked_at_to_be_edited(home: Path, swap: Callable[[Path], None]) -> None:
    for step in range(1, 20):
        root = laid_out(home / str(step))
        (root.parent / "outside/b.py").write_bytes(b"secret\n")
        editor = FolderEditor(str(root.resolve()), Vault(root.parent / "data"))
        left = swapped_at(step, swap, root)
        with suppress(CtxcodeError):
            assert editor.image("src/b.py").data in (None, OLD)
        _due.clear()
        if left:
            break
    assert step > 3


@pytest.mark.parametrize("swap", [swap_folder, swap_file])
def test_nothing_outside_is_read(home: Path, swap: Callable[[Path], None]) -> None:
    for step in range(1, 20):
        root = laid_out(home / str(step))
        (root.parent / "outside/b.py").write_bytes(b"secret\n")
        workspace = open_workspace(str(root), language_of)
        left = swapped_at(step, swap, root)
        with suppress(CtxcodeError):
            assert OLD.decode() == workspace.read_text("src/b.py")
        with suppress(CtxcodeError):
            assert all("secret" not in line.text for line in workspace.search("e", ["src/b.py"], lambda: False))
        _due.clear()
        if left:
            break
    assert step > 3


def test_an_edit_after_the_swap_says_what_stands_in_the_way(home: Path) -> None:
    root = laid_out(home)
    editor = FolderEditor(str(root.resolve()), Vault(root.parent / "data"))
    swap_folder(root)
    for writes in SETS.values():
        with pytest.raises(EditError):
            editor.write(writes)
    assert {"b.py": OLD} == tree(root.parent / "outside")
