"""Confinement with bubblewrap: the work tree may be written, the rest of the machine read at most, no network.

Git's folder and files that make other tools run things stay read-only even when they do not exist yet, git's of
submodules where they exist; files named like secrets can not be read; the home folder is hidden but for toolchains.
"""

import os
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ctxcode.model.command.approval import Sandbox
from ctxcode.model.secret.path import is_secret
from ctxcode.workspace.command.supervisor import sweep
from ctxcode.workspace.git import git_folders

GUARDED_FOLDERS = (".git", ".ctxcode", ".vscode", ".idea", ".husky")
GUARDED_FILES = (".ctxcode.toml", ".envrc")
_GUARDED_WHERE_THERE = (".githooks", ".gitmodules", ".gitattributes", ".cargo", ".github")
_TOOLCHAINS = (
    *(
        ".cargo/bin",
        ".cargo/registry",
        ".cargo/git",
        ".rustup",
        ".pyenv",
        ".rbenv",
        ".nvm",
        ".volta",
        ".asdf",
        ".sdkman",
    ),
    *(
        ".local/bin",
        ".local/lib",
        ".local/share/uv",
        ".local/share/mise",
        ".local/share/pnpm",
        ".local/share/fnm",
        "go",
    ),
    *(".cache/uv", ".cache/pip", ".cache/go-build", ".npm", ".m2/repository", ".gradle", ".deno", ".bun", "miniconda3"),
)
_PROBE_SECONDS = 10
_MOST_SECRETS = 200
_MOST_REPOSITORIES = 200
_MOST_FOLDERS = 5_000
_HEAVY_FOLDERS = frozenset({"node_modules", ".venv", "venv", "target", "__pycache__", ".tox", ".mypy_cache"})


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """bubblewrap on this machine, for one repository."""

    program: str
    root: str
    home: str
    environment: Mapping[str, str]
    """The variables commands get; their folders stay readable."""

    def words(self, command: Iterable[str], *, has_network: bool) -> list[str]:
        """Return the argument list that runs a command confined."""
        made = [self.program, "--unshare-all", "--die-with-parent", "--new-session"]
        if has_network:
            made.append("--share-net")
        made += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run"]  # noqa: S108
        made += ["--tmpfs", "/var/tmp"]  # noqa: S108
        if has_network:
            # Where the machine's resolver keeps its state.
            made += ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"]
        if self.home not in ("/", ""):
            made += ["--tmpfs", self.home]
        for folder in self._readable():
            made += ["--ro-bind-try", folder, folder]
        made += ["--bind", self.root, self.root]
        missing = set(self.placeholders())
        for name in GUARDED_FOLDERS:
            path = f"{self.root}/{name}"
            if path in missing:
                made += ["--tmpfs", path, "--remount-ro", path]
            elif os.path.lexists(path):
                made += ["--ro-bind", path, path]
        for name in GUARDED_FILES:
            path = f"{self.root}/{name}"
            if path in missing or os.path.lexists(path):
                made += ["--ro-bind", os.devnull if path in missing else path, path]
        for path in (f"{self.root}/{name}" for name in _GUARDED_WHERE_THERE):
            made += ["--ro-bind-try", path, path]
        secrets, gits = _withheld_files(self.root)
        # Behind a ``.git`` that is a file or a link the repository may stand in the work tree under any name.
        gits += [path for path in map(os.path.realpath, git_folders(self.root)) if path.startswith(f"{self.root}/")]
        made += [word for path in secrets for word in ("--ro-bind", os.devnull, path)]
        made += [word for path in gits for word in ("--ro-bind-try", path, path)]
        return [*made, "--chdir", self.root, "--", *command]

    def _readable(self) -> Iterator[str]:
        """Yield what lies in hidden folders and is needed to run programs at all."""
        yield from (f"{self.home}/{name}" for name in _TOOLCHAINS)
        named = [self.environment.get(name, "") for name in ("VIRTUAL_ENV", "CONDA_PREFIX")]
        for folder in (*self.environment.get("PATH", "").split(os.pathsep), *named):
            real = os.path.realpath(folder) if folder else ""
            is_whole = (
                real in ("", "/", self.home) or self.home.startswith(real + "/") or self.root.startswith(real + "/")
            )
            if not is_whole and real not in (self.root, "/tmp"):  # noqa: S108
                yield real

    def placeholders(self) -> list[str]:
        """Return what bubblewrap will have to create in the work tree to keep it from being created."""
        if not _may_write(self.root):
            return []
        names = (f"{self.root}/{name}" for name in (*GUARDED_FOLDERS, *GUARDED_FILES))
        return [path for path in names if not os.path.lexists(path)]


def _may_write(folder: str) -> bool:
    """Tell by owner and mode, which also bind the superuser inside a sandbox."""
    status = os.stat(folder)  # noqa: PTH116
    if status.st_uid == os.geteuid():
        return bool(status.st_mode & stat.S_IWUSR)
    return bool(status.st_mode & (stat.S_IWGRP if status.st_gid in os.getgroups() else stat.S_IWOTH))


def find_bubblewrap(root: str, search_path: str) -> str | None:
    """Return the absolute path of a ``bwrap`` outside the repository, or None."""
    for folder in search_path.split(os.pathsep):
        program = os.path.realpath(Path(folder) / "bwrap")
        is_ours = os.path.isabs(folder) and not f"{program}/".startswith(root.rstrip("/") + "/")  # noqa: PTH117
        if is_ours and Path(program).is_file() and os.access(program, os.X_OK):
            return program
    return None


def probe(bubblewrap: Bubblewrap | None) -> Sandbox:
    """Return what the sandbox is really worth: a program must start in it and must not reach what it may not."""
    if bubblewrap is None:
        return Sandbox(problem="bubblewrap (bwrap) is not installed")
    placeholders = bubblewrap.placeholders()
    # Looked for from outside: around a home folder in /tmp is the command's own /tmp, which may be written.
    leak = Path(os.path.realpath(f"{bubblewrap.home}/.."), f".ctxcode-probe-{os.getpid()}")
    test = f'echo x > .git/probe 2>/dev/null && exit 8; echo x > "$HOME/../{leak.name}" 2>/dev/null; exit 0'
    words = bubblewrap.words(["/bin/sh", "-c", test], has_network=False)
    try:
        done = subprocess.run(
            words,
            env={"HOME": bubblewrap.home, "PATH": os.defpath},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Sandbox(problem=f"bubblewrap does not start: {type(error).__name__}")
    finally:
        sweep(placeholders)
        is_leaking = leak.exists()
        with suppress(OSError):
            leak.unlink(missing_ok=True)
    if done.returncode == 8 or is_leaking:
        return Sandbox(problem="bubblewrap does not confine here")
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return Sandbox(
            problem=f"bubblewrap does not work here: {said[0][:120] if said else f'exit code {done.returncode}'}"
        )
    return Sandbox(name="bubblewrap")


def _withheld_files(root: str) -> tuple[list[str], list[str]]:
    """Return the files of the work tree that commands can not read, and what they can not write: git's in submodules.

    Heavy folders are passed over.
    """
    secrets, gits = list[str](), list[str]()
    waiting, seen = [root], 0
    while waiting and seen < _MOST_FOLDERS and len(secrets) < _MOST_SECRETS:
        folder = waiting.pop(0)
        seen += 1
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name == ".git":
                gits += [entry.path] if folder != root and not entry.is_symlink() else []
            elif entry.is_dir(follow_symlinks=False):
                if entry.name not in _HEAVY_FOLDERS:
                    waiting.append(entry.path)
            elif entry.is_file(follow_symlinks=False) and is_secret(entry.path[len(root) + 1 :]):
                secrets.append(entry.path)
    return secrets[:_MOST_SECRETS], gits[:_MOST_REPOSITORIES]
