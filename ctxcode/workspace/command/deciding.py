"""The files of a repository that decide what commands do there: what trust is bound to."""

import os
import re
import stat
from collections.abc import Iterable, Sequence
from hashlib import blake2b


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NAMES = _set(
    "makefile gnumakefile justfile .justfile taskfile.yml taskfile.yaml rakefile gemfile package.json "
    "pnpm-workspace.yaml .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pyproject.toml setup.py setup.cfg tox.ini noxfile.py "
    "conftest.py pytest.ini sitecustomize.py usercustomize.py manage.py tasks.py dodo.py fabfile.py sconstruct "
    "wscript cargo.toml build.rs rust-toolchain rust-toolchain.toml go.mod magefile.go build.gradle "
    "build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradlew mvnw pom.xml build.xml "
    "cmakelists.txt meson.build build.ninja workspace module.bazel .bazelrc build.bazel composer.json mix.exs "
    "build.zig dockerfile docker-compose.yml compose.yaml vagrantfile .envrc .tool-versions mise.toml .mise.toml "
    ".pre-commit-config.yaml lefthook.yml .ctxcode.toml .gitattributes .gitmodules jest.config.js jest.config.ts "
    "vitest.config.ts vite.config.ts webpack.config.js babel.config.js gulpfile.js gruntfile.js deno.json"
)
_FOLDERS = re.compile(r"(?:^|/)(?:\.husky|\.githooks|\.cargo|\.github/workflows|\.vscode)/")
_GIT = ("config", "config.worktree", "info/attributes")
_LARGEST_BYTES = 2_000_000
_MOST_FILES = 5_000
_LONGEST_TEXT_BYTES = 60_000


def decides(path: str) -> bool:
    """Return whether a repository-relative path is a file that build, test and hook tools take their orders from."""
    return path.rpartition("/")[2].lower() in _NAMES or _FOLDERS.search(path) is not None


def deciding_files(root: str, paths: Iterable[str], git_folders: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the files that decide what commands do, with the digest of their content, by path.

    ``paths`` are the repository's files; git's own configuration and hooks are added. ``git_folders`` hold these, one
    common to all work trees before this one's own.
    """
    found = {path: f"{root}/{path}" for path in sorted(filter(decides, paths))[:_MOST_FILES]}
    for folder in git_folders:
        names = [*_GIT, *(f"hooks/{name}" for name in _hooks(f"{folder}/hooks"))]
        found |= {f".git/{name}": f"{folder}/{name}" for name in names if os.path.lexists(f"{folder}/{name}")}
    digests = ((name, _digest(place)) for name, place in found.items())
    return tuple(sorted((name, digest) for name, digest in digests if digest))


def deciding_texts(root: str, names: Iterable[str], git_folders: Sequence[str]) -> dict[str, str]:
    """Return what such files say, by the names ``deciding_files`` gives them; long ones and what is no file not."""
    found: dict[str, str] = {}
    for name in names:
        inside = name.removeprefix(".git/")
        places = [f"{root}/{name}"] if inside == name else [f"{folder}/{inside}" for folder in git_folders]
        data = next((data for place in reversed(places) if (data := _content(place)) is not None), None)
        if data is not None:
            found[name] = data.decode("utf-8", "replace")
    return found


def _content(path: str) -> bytes | None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        data = file.read(_LONGEST_TEXT_BYTES + 1)
    return data if len(data) <= _LONGEST_TEXT_BYTES else None


def _hooks(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names, no paths
    except OSError:
        return []
    return [name for name in names if not name.endswith(".sample")]


def _digest(path: str) -> str:
    """Return a file's digest; of a link where it leads, of anything else that is no file its kind; empty for none."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            return f"link:{blake2b(os.fsencode(os.readlink(path)), digest_size=8).hexdigest()}"  # noqa: PTH115
        if not stat.S_ISREG(mode):
            return f"kind:{stat.S_IFMT(mode):o}"
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"error:{error.errno}"
    with os.fdopen(handle, "rb") as file:
        return blake2b(file.read(_LARGEST_BYTES), digest_size=16).hexdigest()
