"""What ``.gitattributes`` files say of generated files is understood as git understands it, and so is a change."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from examples import examples
from file_clock import let_the_clock_move
from hypothesis import example, given
from hypothesis import strategies as st

from ctxcode.codegraph.languages import language_of
from ctxcode.model.source import SkipReason
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.rules.attributes import Attributes

FILES = ("k.py", "a/k.py", "a/b/y.py", "a/b/c/z.py", "b/a.py", "ab/b y.py", "ab/é.py", 'b/"q".py', "s/[x].py")
NAME = ".gitattributes"
HOUR_NS = 3_600_000_000_000
_WORDS = ("a", "b", "k.py", "*", "**", "*.py", "?.py", "a*", "*b*", "[ab].py", "[!a]*", "é.py", "b", "[[]x].py")
_QUOTED = ('"b y.py"', '"ab/b y.py"', '"*"', '"\\303\\251.py"', '"\\"q\\".py"', '"a', '"a"b', '"a\\t"')
_PATTERNS = st.builds(
    lambda start, parts, end: f"{start}{'/'.join(parts)}{end}",
    st.sampled_from(["", "", "/", "!", "[attr]"]),
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4),
    st.sampled_from(["", "", "/", "/**"]),
) | st.sampled_from(_QUOTED)
_SAID = st.sampled_from(
    [
        *("linguist-generated", "linguist-generated=true", "-linguist-generated", "linguist-generated=false"),
        *("!linguist-generated", "linguist-generated=1", "linguist-generated-not", "text", "-diff linguist-generated"),
        *("linguist-generated -linguist-generated", "linguist-vendored", "eol=lf\tlinguist-generated\r", ""),
    ]
)
_LINES = st.builds("{}{} {}".format, st.sampled_from(["", " ", "#"]), _PATTERNS, _SAID)
_TEXTS = st.lists(_LINES, max_size=5).map("\n".join)


def git(root: Path, *words: str, told: str | None = None) -> bytes:
    command = ["git", "-c", "core.attributesFile=/dev/null", "-C", str(root), *words]
    told_bytes = None if told is None else told.encode()
    return subprocess.run(command, check=True, capture_output=True, input=told_bytes).stdout


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """Return a folder of git's with files of code."""
    with tempfile.TemporaryDirectory() as folder:
        git(Path(folder), "init")
        for path in FILES:
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("")
        yield Path(folder)


@given(outer=_TEXTS, inner=_TEXTS | st.just(""))
@example(outer="* linguist-generated", inner="k.py -linguist-generated\nb/** !linguist-generated")
@example(outer="\ufeffk.py linguist-generated", inner="")
@examples(60)
def test_what_is_said_is_what_git_says(root: Path, outer: str, inner: str) -> None:
    (root / NAME).write_bytes(outer.encode())
    (root / "a" / NAME).write_bytes(inner.encode())
    answer = git(root, "check-attr", "-z", "--stdin", "linguist-generated", told="\0".join([*FILES, ""]))
    fields = answer.decode().split("\0")
    values = dict(zip(fields[::3], fields[2::3], strict=False))
    said = {path for path, value in values.items() if value in {"set", "true"}}
    denied = {path for path, value in values.items() if value in {"unset", "false"}}

    marks = Attributes().now(str(root), {*FILES, NAME, f"a/{NAME}"})
    inside = Attributes().now(str(root / "a"), {NAME}, [str(root / NAME)])

    assert said == {path for path in FILES if marks.says_generated(path)}
    assert denied == {path for path in FILES if marks.says_written(path)}
    below = {path.removeprefix("a/") for path in FILES if path.startswith("a/")}
    assert {path for path in below if f"a/{path}" in said} == {path for path in below if inside.says_generated(path)}


def opened(folder: Path) -> FolderWorkspace:
    return replace(open_workspace(str(folder), language_of), clock_ns=lambda: time.time_ns() + HOUR_NS)


@pytest.fixture(params=["git", "folder"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    top = tmp_path / "top"
    for path in ("part/a.py", "part/made/x.py", "part/made/run", "b.py"):
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text("#!/bin/sh\n" if path.endswith("run") else "x = 1\n")
    if request.param == "git":
        git(top, "init")
    return top


def test_every_change_of_attributes_is_noticed_at_once_and_by_the_next_process(tree: Path) -> None:
    workspace = opened(tree)
    for place, text, expected in (
        (NAME, "made/** linguist-generated\n*.log -diff\n*.md linguist-generated\n", set[str]()),
        (NAME, "part/made/* linguist-generated\n", {"part/made/x.py", "part/made/run"}),
        (f"part/{NAME}", "run -linguist-generated\na.py linguist-generated\n", {"part/made/x.py", "part/a.py"}),
        (f"part/{NAME}", None, {"part/made/x.py", "part/made/run"}),
        ("part/made/y.py", "y = 1\n", {"part/made/x.py", "part/made/y.py", "part/made/run"}),
        ("part/made/x.py", None, {"part/made/y.py", "part/made/run"}),
        (NAME, "\n", set[str]()),
        (NAME, "*.py linguist-generated=true\n", {"b.py", "part/a.py", "part/made/y.py"}),
        (NAME, None, set[str]()),
    ):
        snapshot = workspace.scan().snapshot
        assert opened(tree).is_as_in(snapshot)
        let_the_clock_move(tree.parent)
        if text is None:
            (tree / place).unlink()
        else:
            (tree / place).write_text(text)
        assert not opened(tree).is_as_in(snapshot)
        scan = workspace.scan()
        generated = {file.path for file in scan.skipped if file.reason is SkipReason.GENERATED}
        assert expected == generated
        assert scan == opened(tree).scan()


def test_attributes_above_the_opened_folder_count_up_to_the_top_of_the_work_tree(tree: Path) -> None:
    part, is_git = tree / "part", (tree / ".git").exists()
    (tree.parent / NAME).write_text("* linguist-generated\n")
    (tree / NAME).write_text("/part/a.py linguist-generated\n")
    snapshot = opened(part).scan().snapshot
    assert opened(part).is_as_in(snapshot)
    assert ["a.py"] * is_git == [file.path for file in opened(part).scan().skipped]
    let_the_clock_move(tree.parent)
    (tree / NAME).write_text("")
    assert is_git != opened(part).is_as_in(snapshot)
    assert not opened(part).scan().skipped


def test_what_is_no_plain_file_or_says_too_much_says_nothing_or_its_last_lines(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("* linguist-generated\n")
    (tree / NAME).symlink_to(tmp_path / "elsewhere")
    assert not opened(tree).scan().skipped
    (tree / NAME).unlink()
    lines = [f"{'*a' * 50}{number} linguist-generated" for number in range(5_000)]
    lines.append(f"{'*a' * 100_000}*.py linguist-generated")
    (tree / NAME).write_text("\n".join([*lines, "b.py linguist-generated\n"]))
    assert ["b.py"] == [file.path for file in opened(tree).scan().skipped]
    with (tree / NAME).open("a") as more:
        more.write("\n" * 500_000)
    assert not opened(tree).scan().skipped
