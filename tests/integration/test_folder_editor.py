"""Writing sets of files on a real disk: atomic, faithful, inside the folder, and taken back when interrupted."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from audited import audited

from ctxcode.model.edit.change import FileWrite, bytes_digest
from ctxcode.model.errors import CtxcodeError, EditError, RefusedPathError, StaleFileError
from ctxcode.workspace.edits.editor import FolderEditor
from ctxcode.workspace.edits.vault import Vault

OLD, NEW = b"old\r\n\xff", b"new\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / ".git/hooks").mkdir(parents=True)
    (folder / "a.py").write_bytes(OLD)
    (folder / "src/b.py").write_bytes(OLD)
    (folder / "run.sh").write_bytes(OLD)
    (folder / "run.sh").chmod(0o751)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_bytes(b"mine")
    return folder


@pytest.fixture
def editor(root: Path) -> FolderEditor:
    return editor_of(root)


def editor_of(root: Path) -> FolderEditor:
    return FolderEditor(str(root.resolve()), Vault(root.parent / "data"))


def tree(root: Path) -> dict[str, bytes]:
    """Return every file below a folder with its content, left-overs included."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def a_set() -> list[FileWrite]:
    """Return a set that changes, creates, deletes and moves."""
    old = bytes_digest(OLD)
    return [
        FileWrite("a.py", old, NEW),
        FileWrite("src/b.py", old, None),
        FileWrite("lib/deep/c.py", "", NEW),
        FileWrite("run.sh", old, None),
        FileWrite("bin/run.sh", "", OLD, like="run.sh"),
    ]


def test_a_set_is_written_with_folders_and_permissions(editor: FolderEditor, root: Path) -> None:
    assert ("lib", "lib/deep", "bin") == editor.write(a_set())
    assert {"a.py": NEW, "lib/deep/c.py": NEW, "bin/run.sh": OLD} == tree(root)
    assert 0o751 == stat.S_IMODE((root / "bin/run.sh").stat().st_mode)
    assert OLD == editor.kept(bytes_digest(OLD))
    assert 0o700 == stat.S_IMODE(editor.vault.folder.stat().st_mode)
    assert all(not path.stat().st_mode & 0o077 for path in editor.vault.folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4755])
def test_a_changed_file_keeps_its_mode(editor: FolderEditor, root: Path, mode: int) -> None:
    (root / "a.py").chmod(mode)
    editor.write([FileWrite("a.py", bytes_digest(OLD), NEW)])
    assert (mode, NEW) == (stat.S_IMODE((root / "a.py").stat().st_mode), (root / "a.py").read_bytes())


def test_one_file_that_changed_stops_the_whole_set(editor: FolderEditor, root: Path) -> None:
    (root / "run.sh").write_bytes(b"somebody else's")
    before = tree(root)
    with pytest.raises(StaleFileError, match="run"):
        editor.write(a_set())
    assert before == tree(root)


def test_a_new_file_never_replaces_one(editor: FolderEditor, root: Path) -> None:
    (root / "new.py").write_bytes(b"there")
    with pytest.raises(StaleFileError):
        editor.write([FileWrite("a.py", bytes_digest(OLD), NEW), FileWrite("new.py", "", NEW)])
    assert (OLD, b"there") == ((root / "a.py").read_bytes(), (root / "new.py").read_bytes())


REFUSED = (
    "../outside/secret.txt",
    "/etc/passwd",
    "~/x",
    "src/../../outside/secret.txt",
    "out/secret.txt",
    "leak.txt",
    "dangling",
    ".git/hooks/post-commit",
    ".GIT/config",
    ".git. /config",
    "src/.git/config",
    "githooks/pre-commit",
    ".env",
    "src/id_rsa",
    "a\0b",
    "a\nb",
    "src\\b.py",
    "",
    ".",
    "src/",
)


@pytest.mark.parametrize("path", REFUSED)
def test_what_is_outside_of_git_or_secret_is_refused(editor: FolderEditor, root: Path, path: str) -> None:
    (root / "out").symlink_to(root.parent / "outside")
    (root / "leak.txt").symlink_to(root.parent / "outside/secret.txt")
    (root / "dangling").symlink_to(root / "nowhere")
    (root / "githooks").symlink_to(root / ".git/hooks")
    before = tree(root.parent)
    with pytest.raises((RefusedPathError, EditError)):
        editor.image(path)
    assert before == tree(root.parent)


def test_a_link_inside_leads_to_its_file(editor: FolderEditor, root: Path) -> None:
    (root / "alias.py").symlink_to("src/b.py")
    image = editor.image("alias.py")
    assert ("src/b.py", OLD, True) == (image.path, image.data, image.is_link)
    editor.write([FileWrite(image.path, bytes_digest(OLD), NEW)])
    assert (True, NEW) == ((root / "alias.py").is_symlink(), (root / "src/b.py").read_bytes())


def test_a_folder_swapped_for_a_link_writes_nothing_outside(editor: FolderEditor, root: Path) -> None:
    image = editor.image("src/new.py")
    (root / "src/b.py").unlink()
    (root / "src").rmdir()
    (root / "src").symlink_to(root.parent / "outside")
    with pytest.raises(CtxcodeError):
        editor.write([FileWrite(image.path, "", NEW)])
    assert {"secret.txt": b"mine"} == tree(root.parent / "outside")


def test_what_is_no_plain_file_is_refused(editor: FolderEditor, root: Path) -> None:
    os.mkfifo(root / "pipe")
    os.link(root / "a.py", root / "twin.py")
    (root / "big").write_bytes(b"x" * 10_000_001)
    for path, why in (("pipe", "regular"), ("twin.py", "hard links"), ("big", "10 MB"), ("src", "regular")):
        with pytest.raises(EditError, match=why):
            editor.image(path)


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from integration.test_folder_editor import NEW, OLD, a_set, editor_of, reset, tree
WATCHED = {"open", "os.rename", "os.remove", "os.mkdir", "os.link", "os.rmdir", "os.chmod"}

def killed_at(step, root):
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    count = [0]
    def hook(event, arguments):
        if event in WATCHED:
            count[0] += 1
            if count[0] == step:
                os._exit(9)
    sys.addaudithook(hook)
    editor_of(root).write(a_set())
    os._exit(0)

root = Path(sys.argv[1])
old, new = tree(root), {"a.py": NEW, "lib/deep/c.py": NEW, "bin/run.sh": OLD}
kills, touched = 0, False
for step in range(1, 400):
    if not killed_at(step, root):
        break
    kills += 1
    if not touched and (root / "a.py").read_bytes() == NEW:
        touched = True
        (root / "a.py").write_bytes(b"mine now")
        assert "a.py" not in editor_of(root).recover(), "took back what somebody changed since"
        assert (root / "a.py").read_bytes() == b"mine now"
        (root / "a.py").write_bytes(OLD)
    editor_of(root).recover()
    found = tree(root)
    assert found in (old, new), (step, found)
    if found == new:
        reset(root)
    assert {path.name for path in root.iterdir() if path.is_dir()} <= {"src", ".git"}, step
assert tree(root) == new
assert touched
print(kills)
"""


def test_a_process_killed_at_any_step_leaves_all_old_or_all_new(root: Path) -> None:
    tests = str(Path(__file__).parents[1])
    run = subprocess.run([sys.executable, "-c", KILLED, str(root), tests], check=False, capture_output=True, text=True)
    assert "" == run.stderr
    assert int(run.stdout) > 20


def reset(root: Path) -> None:
    """Make the files what they were at first."""
    (root / "a.py").write_bytes(OLD)
    (root / "src/b.py").write_bytes(OLD)
    (root / "bin/run.sh").rename(root / "run.sh")
    for path in ("lib/deep/c.py",):
        (root / path).unlink()
    for folder in ("lib/deep", "lib", "bin"):
        (root / folder).rmdir()


def failing_at(step: int) -> tuple[Callable[[str], None], list[int]]:
    """Return what fails once when it hears of a step of file work, and its counter; an empty one ends it."""
    state = [0]

    def hear(event: str) -> None:
        if state and event in {"open", "os.rename", "os.remove", "os.mkdir", "os.link"}:
            state[0] += 1
            if state[0] == step:
                state.clear()
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return hear, state


def test_a_full_disk_at_any_step_leaves_everything_as_it_was(editor: FolderEditor, root: Path) -> None:
    old = tree(root)
    failures = 0
    for step in range(1, 200):
        hear, state = failing_at(step)
        try:
            with audited(hear):
                editor.write(a_set())
        except EditError:
            state.clear()
            failures += 1
            editor_of(root).recover()
            assert old == tree(root), f"failed at step {step}"
        else:
            is_over = bool(state)
            state.clear()
            if is_over:
                break
            reset(root)
    assert failures > 10


@pytest.mark.parametrize("name", ["a" * 300, "src/" + "b" * 256, "a.py/c"])
def test_a_name_the_file_system_does_not_take_is_refused(editor: FolderEditor, name: str) -> None:
    with pytest.raises(EditError, match=r"can't be (used|read)"):
        editor.image(name)
