"""Commands as real processes, confined where this machine can and not: what they see, what is left of them."""

import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxcode.model.command.approval import CommandResult, Grant, Permissions, Sandbox
from ctxcode.model.errors import StoreError
from ctxcode.store.permission.file import PermissionFile
from ctxcode.workspace.command.deciding import decides, deciding_files, deciding_texts
from ctxcode.workspace.command.environment import command_environment
from ctxcode.workspace.command.sandbox import Bubblewrap, find_bubblewrap
from ctxcode.workspace.command.shell import LocalShell

USERS = {**os.environ, "OPENAI_API_KEY": "sk-123", "LD_PRELOAD": "/evil.so", "PYTHONPATH": "/evil", "GIT_DIR": "/evil"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "home/shop"
    folder.mkdir(parents=True)
    (folder / ".env").write_text("TOKEN=abc\n")
    return folder


def shell(root: Path, *, may_confine: bool) -> LocalShell:
    environment = command_environment(USERS, os.environ["PATH"])
    return LocalShell(str(root), str(root.parent), environment, may_confine=may_confine)


def run(
    made: LocalShell, text: str, *, seconds: float = 30, is_cancelled: Callable[[], bool] = lambda: False
) -> CommandResult:
    return made.run(made.parse(text), timeout_seconds=seconds, has_network=False, is_cancelled=is_cancelled)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        os.sched_yield()


def processes_with(mark: str) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in line and str(os.getpid()) != folder.name:
                found.append(line.decode("utf-8", "replace"))
    return found


@pytest.fixture(params=[True, False], ids=["confined", "free"])
def made(root: Path, request: pytest.FixtureRequest) -> LocalShell:
    return shell(root, may_confine=request.param)


def test_a_command_runs_in_the_repository_and_its_exit_code_is_told(made: LocalShell, root: Path) -> None:
    assert (0, f"{root}\n") == (run(made, "pwd").exit_code, run(made, "pwd").output)
    failed = run(made, "sh -c 'echo out; echo err >&2; exit 3'")
    assert (3, "out\nerr\n", "") == (failed.exit_code, failed.output, failed.ended_by)
    assert "not found" in run(made, "no-such-program-anywhere").output


def test_a_plain_word_is_never_expanded_by_a_shell(made: LocalShell) -> None:
    assert "$(id) *\n" == run(made, "echo '$(id) *'").output


def test_there_is_no_terminal_and_nothing_to_read(made: LocalShell) -> None:
    assert "not a tty\n" == run(made, "tty").output
    assert (0, "") == (run(made, "cat").exit_code, run(made, "cat").output)


def test_variables_are_an_allow_list(made: LocalShell) -> None:
    output = run(made, "env").output
    names = {line.partition("=")[0] for line in output.splitlines()}
    assert {"PATH", "HOME", "TERM"} <= names
    assert set() == names & {"OPENAI_API_KEY", "LD_PRELOAD", "PYTHONPATH", "GIT_DIR"}


def test_nothing_is_left_of_a_command_whatever_it_forked(made: LocalShell) -> None:
    mark = f"9{os.getpid()}7"
    text = f"sleep {mark} & setsid sleep {mark} & trap '' TERM; (setsid sleep {mark} &) ; sleep {mark}"
    ended = run(made, text, seconds=0.5)
    assert (None, "timeout", []) == (ended.exit_code, ended.ended_by, processes_with(mark))
    left = run(made, f"(setsid sleep {mark} > /dev/null 2>&1 &) ; echo done")
    assert (0, "done\n", []) == (left.exit_code, left.output, processes_with(mark))


def test_an_interruption_ends_it(made: LocalShell) -> None:
    interrupted = threading.Event()
    interrupted.set()
    assert "interrupted" == run(made, "sleep 60", is_cancelled=interrupted.is_set).ended_by


@pytest.mark.parametrize("may_confine", [True, False], ids=["confined", "free"])
def test_the_death_of_ours_ends_it_and_leaves_the_work_tree_as_it_was(root: Path, *, may_confine: bool) -> None:
    mark = f"8{os.getpid()}5"
    code = (
        "import os, sys; from ctxcode.workspace.command.shell import LocalShell\n"
        f"made = LocalShell({str(root)!r}, {str(root.parent)!r}, dict(os.environ), may_confine={may_confine})\n"
        "print('started', flush=True)\n"
        f"command = made.parse('setsid sleep {mark} & sleep {mark}')\n"
        "made.run(command, timeout_seconds=60, has_network=False, is_cancelled=lambda: False)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    wait_until(lambda: bool(processes_with(f"sleep\0{mark}")))
    process.kill()
    process.wait()
    process.stdout.close()
    wait_until(lambda: not processes_with(f"sleep\0{mark}"))
    wait_until(lambda: [".env"] == [path.name for path in root.iterdir()])


def test_a_flood_is_kept_by_head_and_tail_and_hostile_bytes_are_visible(made: LocalShell) -> None:
    flood = run(made, "sh -c 'yes | head -c 3000000; echo END'")
    assert 3_000_004 == flood.total_bytes
    assert len(flood.output) < 300_000
    assert flood.output.endswith("END\n")
    assert "bytes left out" in flood.output
    hostile = run(made, r"printf '\033]0;x\007\233 \342\200\256'")
    assert r"\x1b]0;x\x07\x9b \u202e" == hostile.output


def test_confinement_is_real_or_is_said_to_be_missing(root: Path) -> None:
    made = shell(root, may_confine=True)
    if not made.sandbox.is_there:
        assert made.sandbox.problem
        return
    outside = root.parent / "other.txt"
    outside.write_text("mine")
    for text in (
        "mkdir .git",
        "sh -c 'echo x > .git/config'",
        "sh -c 'echo x > .envrc'",
        f"cat {outside}",
        "cat .env",
        "sh -c 'echo x > /etc/ctxcode-probe'",
    ):
        assert run(made, text).exit_code, text
    # Below /tmp a command writes into a /tmp of its own; anywhere else it can't write at all.
    run(made, f"sh -c 'echo x > {outside}'")
    assert "mine" == outside.read_text()
    assert 0 == run(made, "sh -c 'echo made > new.txt'").exit_code
    assert [".env", "new.txt"] == sorted(path.name for path in root.iterdir())
    addresses = run(made, "cat /proc/net/dev").output
    assert {"lo"} == {line.split(":")[0].strip() for line in addresses.splitlines()[2:]}


def test_gits_folder_stays_read_only_where_it_exists(root: Path) -> None:
    (root / ".git/hooks").mkdir(parents=True)
    (root / "lib/part").mkdir(parents=True)
    (root / "lib/part/.git").write_text("gitdir: ../../.git/modules/part\n")
    made = shell(root, may_confine=True)
    if made.sandbox.is_there:
        assert run(made, "sh -c 'echo x > .git/hooks/pre-commit'").exit_code
        assert run(made, "sh -c 'echo x > lib/part/.git'").exit_code
        assert 0 == run(made, "sh -c 'echo x > lib/part/new.txt'").exit_code
    assert [] == list((root / ".git/hooks").iterdir())
    assert (root / "lib/part/.git").read_text().startswith("gitdir:")


def test_no_sandbox_is_found_inside_the_repository(root: Path) -> None:
    fake = root / "bin/bwrap"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    assert None is find_bubblewrap(str(root), f"{fake.parent}:bin:.")
    assert Sandbox(problem="turned off") == shell(root, may_confine=False).sandbox


def test_permissions_are_kept_privately_and_only_for_their_repository(tmp_path: Path) -> None:
    kept = PermissionFile(tmp_path / "data/x/permissions.json", "/home/ann/shop")
    assert Permissions("/home/ann/shop") == kept.load()
    wanted = Permissions("/home/ann/shop", (("Makefile", "1"),), (Grant(("make",), takes_more=True),))
    kept.save(wanted)
    assert wanted == kept.load()
    assert 0o600 == stat.S_IMODE(kept.path.stat().st_mode)
    assert 0o700 == stat.S_IMODE(kept.path.parent.stat().st_mode)
    assert Permissions("/home/eve/shop") == PermissionFile(kept.path, "/home/eve/shop").load()
    for broken in (b"", b"{", b'{"permissions": {"root": "/home/ann/shop", "grants": [{"words": "rm"}]}}'):
        kept.path.write_bytes(broken)
        assert Permissions("/home/ann/shop") == kept.load()
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="can't be written"):
        PermissionFile(tmp_path / "file/permissions.json", "/x").save(wanted)


def test_trust_is_bound_to_what_all_work_trees_share_and_to_ones_own(root: Path, tmp_path: Path) -> None:
    common, own = tmp_path / "main/.git", tmp_path / "main/.git/worktrees/tree"
    own.mkdir(parents=True)
    (common / "hooks").mkdir()
    (common / "config").write_text("[core]\n")
    (common / "hooks/pre-commit").write_text("#!/bin/sh\n")
    (own / "config.worktree").write_text("[core]\n\tfsmonitor = x\n")
    folders = [str(common), str(own)]
    names = [path for path, _ in deciding_files(str(root), [], folders)]
    assert [".git/config", ".git/config.worktree", ".git/hooks/pre-commit"] == names
    texts = deciding_texts(str(root), names, folders)
    assert ("[core]\n", "#!/bin/sh\n") == (texts[".git/config"], texts[".git/hooks/pre-commit"])
    assert "fsmonitor" in texts[".git/config.worktree"]


def test_trust_is_bound_to_what_decides_what_commands_do(root: Path) -> None:
    assert [True, True, True, False, False] == [
        decides(path) for path in ("Makefile", "web/package.json", ".husky/pre-push", "src/a.py", "docs/make.md")
    ]
    (root / "Makefile").write_text("all:\n")
    git = root / ".git"
    (git / "hooks").mkdir(parents=True)
    (git / "config").write_text("[core]\n")
    paths = ["Makefile", "a.py", "conftest.py"]
    first = deciding_files(str(root), paths, [str(git)])
    assert [".git/config", "Makefile"] == [path for path, _ in first]
    (root / "Makefile").write_text("all:\n\tcurl evil\n")
    (git / "hooks/pre-commit").write_text("#!/bin/sh\n")
    (root / "conftest.py").symlink_to("/etc/passwd")
    second = deciding_files(str(root), paths, [str(git)])
    assert [".git/config", ".git/hooks/pre-commit", "Makefile", "conftest.py"] == [path for path, _ in second]
    assert dict(first)["Makefile"] != dict(second)["Makefile"]


@pytest.mark.parametrize("is_link", [True, False])
def test_a_repository_under_another_name_is_not_written_by_commands(root: Path, *, is_link: bool) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git").rename(root / ".bare")
    if is_link:
        (root / ".git").symlink_to(".bare")
    else:
        (root / ".git").write_text("gitdir: ./.bare\n")
    program = find_bubblewrap("/nowhere", os.environ["PATH"])
    bubblewrap = Bubblewrap(program or "bwrap", str(root), str(root.parent), {"PATH": os.defpath})
    words = bubblewrap.words(["/bin/sh", "-c", "echo x > .bare/hooks/post-checkout"], has_network=False)
    own = str(root / ".bare")
    assert any(["--ro-bind-try", own, own] == words[at : at + 3] for at in range(words.index("--bind"), len(words)))
    if program is not None:
        subprocess.run(words, check=False, capture_output=True)
        assert not (root / ".bare/hooks/post-checkout").exists()
