"""Where there is no git, the rules of ignore files hide what git would hide."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from ctxcode.workspace.ignore import Walk
from ctxcode.workspace.rules.ignore_file import Rules

_FILES = (
    "k.py",
    "a/y.py",
    "a/b/y.py",
    "a/b/c/z.py",
    "a/b/c/k.txt",
    "b/a",
    "s/d.py",
    "s/.k/d.txt",
    "ab/[x]/é.py",
    "ab/b y/*.py",
    "b/b/b/a/b!",
    "k/#a ",
    "k/a\\b.py",
)
_WORDS = ("a", "b", "k", "y", "*", "**", "*.py", "?", "a*", "*b", "*b*", "a**", "***", "k.py", "é", "??.py", "s", "d.*")
_SETS = (
    "[ab]",
    "[!a]*",
    "[^k]*",
    "[a-k]",
    "[]x[]*",
    "[[:alpha:]]",
    "[[:punct:]]?",
    "[a/b]",
    "[a",
    "[[:no:]]",
    "[!a-]*",
)
_ODD = ("\\", "\\*", "\\*.py", "\\#a\\ ", "#a", "b!", "[\\[]x]", "a\\\\*", "*[\\]]", "b\\ y", "b y ", "", " ", "k\\")
_PARTS = st.sampled_from(_WORDS) | st.sampled_from(_WORDS + _SETS + _ODD)
_LINES = st.builds(
    lambda sign, slash, parts, end: f"{sign}{slash}{'/'.join(parts)}{end}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(_PARTS, min_size=1, max_size=4),
    st.sampled_from(["", "", "/", "/**", "/*", "\r"]),
)
_TEXTS = st.lists(_LINES, min_size=1, max_size=6).map("\n".join)


def _git(root: Path, *words: str) -> bytes:
    command = ["git", "-c", "core.excludesFile=/dev/null", "-C", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    """Return a folder of git's with files and without rules."""
    with tempfile.TemporaryDirectory() as folder:
        _git(Path(folder), "init")
        for path in _FILES:
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("")
        yield folder


@given(outer=_TEXTS, inner=_TEXTS | st.just(""))
@example(outer="*\n!*/\n!*.py", inner="")
@example(outer="**\n!*/", inner="")
@example(outer="**\n!**/", inner="")
@example(outer="!a/**\n/a/b/", inner="")
@example(outer="!a/**\na/b/*", inner="")
@example(outer="!a/**\na/b/c/", inner="")
@example(outer="a\n!a**/**", inner="")
@example(outer="\ufeff*.txt\r\n!a/**/*.txt\r", inner="y.py\n!/b/c/z.py")
@examples(60)
def test_what_is_listed_without_git_is_what_git_lists(root: str, outer: str, inner: str) -> None:
    Path(root, ".gitignore").write_bytes(outer.encode())
    Path(root, "a/.gitignore").write_bytes(inner.encode())

    listed = _git(Path(root), "ls-files", "-z", "-co", "--exclude-standard").decode().split("\0")

    assert sorted(filter(None, listed)) == sorted(Walk(root).paths())


@pytest.mark.parametrize("line", ["*a" * 5_000, "**/a/" * 5_000 + "b", "a*/" * 5_000, "[a-z]" * 5_000])
def test_no_line_takes_long(line: str) -> None:
    rules = Rules(line.encode())

    assert rules.ignores(b"a" * 9_999 + b"b", is_folder=True) is None
    assert rules.ignores(b"a/" * 4_999 + b"c", is_folder=True) is None


def test_twenty_thousand_lines_are_read_and_the_last_one_decides() -> None:
    lines = [f"{'!' if number % 2 else ''}name{number}*.py" for number in range(20_000)]

    rules = Rules("\n".join([*lines, "name19998_.py", ""]).encode())

    asked = (b"a/name19999_.py", b"a/name19998_.py", b"a/name4_.py", b"a/name5.py", b"b.py")
    assert [False, True, True, False, None] == [rules.ignores(path, is_folder=False) for path in asked]
