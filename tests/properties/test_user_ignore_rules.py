"""What the user ignores in all repositories is left out where git leaves it out, and its changes are noticed."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from examples import examples
from file_clock import let_the_clock_move
from hypothesis import example, given
from hypothesis import strategies as st

from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.rules.configuration import named_in, names_in

FILES = ("a.py", "b.py", "sub/a.py", "sub/deep/c.py", "made/x.py", "made/deep/y.py", "lib/v.py")
VARIABLES = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")
RULES = st.sampled_from(
    ["", "a.py\n", "made/\n", "*.py\n!b.py\n", "/sub/\n", "deep\n", "\ufeffb.py\r\n", "lib\n!lib/\n"]
)
RULE_PLACES = (
    "home/.config/git/ignore",
    "xdg/git/ignore",
    "home/ignored",
    "home/ign ored",
    "home/.config/git/own",
    "work/rules",
    "work/.git/info/exclude",
)
LINES = (
    "[core]\n\texcludesFile = ~/ignored\n",
    '[core]\n\texcludesfile="~/ign ored" ; mine\n',
    '[core] EXCLUDESFILE = ~/ign\\\n\\"o\n\tx = 1\n',
    "[core]\nexcludesFile = {top}/home/ign\\\n ored   \n",
    "[core]\nexcludesFile = {top}/home/ignored # of mine\n",
    "[core]\nexcludesFile = rules\n",
    "[core]\nexcludesFile = own\n",
    "[core]\nexcludesFile =\n",
    "[core]\nexcludesFile = ~/missing\n",
    "[core]\nexcludesFile\n",
    "[core\n",
    "[include]\npath = more\n",
    '[include]\npath = "~/more"\n',
    '[includeIf "gitdir:{top}/"]\n\tpath = ~/more\n',
    '[includeIf "gitdir:/no]where/"] path = ~/more\n',
    '[includeIf "onbranch:trunk"]\npath = ~/more\n',
    '[user] [includeIf "onbranch:other"] path = more\n',
    "[user]\nname = Somebody\n",
    "[submodule]\nrecurse = true\n[color]\nui = always\n",
    "[core]\nignoreCase = true\n",
    "[core]\nworktree = {top}/home\nbare = true\n",
    "\ufeff[core] excludesFile = ~/ignored\n",
)
CONFIGURATIONS = st.lists(st.sampled_from(LINES), max_size=2).map("".join)
CONFIGURATION_PLACES = (
    "home/.gitconfig",
    "home/.config/git/config",
    "xdg/git/config",
    "home/told",
    "home/more",
    "home/.config/git/more",
)
"""The repository's own stands in ``work/.git/config``, after what git wrote there."""
PLACED = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(RULE_PLACES, RULES),
        **dict.fromkeys((*CONFIGURATION_PLACES, "work/.git/config"), CONFIGURATIONS),
    },
)
ENVIRONMENTS = st.fixed_dictionaries(
    {},
    optional={
        "XDG_CONFIG_HOME": st.sampled_from(["{top}/xdg", "{top}/nowhere", ""]),
        "GIT_CONFIG_GLOBAL": st.sampled_from(["{top}/home/told", "{top}/nowhere", "", os.devnull]),
    },
)


class Machine:
    """A folder with somebody's home and a repository."""

    def __init__(self, top: Path, variables: Mapping[str, str]) -> None:
        self.top = top
        self.variables = {name: value.format(top=top) for name, value in variables.items()}
        self.work = top / "work"
        for path in FILES:
            place = self.work / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("x = 1\n")
        self.environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "init", "-q", "-b", "trunk", self.work], check=True, env=self.environment)
        subprocess.run(["git", "add", "a.py", "made/x.py"], cwd=self.work, check=True, env=self.environment)
        self._configuration = (self.work / ".git/config").read_text()

    def write(self, placed: Mapping[str, str]) -> None:
        """Have these files, and no others of those that can decide."""
        for path in (*RULE_PLACES, *CONFIGURATION_PLACES, "work/.git/config"):
            place = self.top / path
            text = placed.get(path)
            if path.endswith("work/.git/config"):
                text = self._configuration + (text or "")
            text = None if text is None else text.replace("{top}", str(self.top))
            if text is None:
                place.unlink(missing_ok=True)
            elif not place.exists() or place.read_text() != text:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)

    def listed(self) -> list[str] | None:
        """Return what git lists for somebody who runs it by hand; None where it refuses to."""
        environment = {**self.environment, **self.variables, "GIT_WORK_TREE": str(self.work), "GIT_DIR": ".git"}
        command = ["git", "ls-files", "-z", "-co", "--exclude-standard", "*.py"]
        found = subprocess.run(command, cwd=self.work, check=False, capture_output=True, env=environment)
        return None if found.returncode else sorted(filter(None, found.stdout.decode().split("\0")))

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Have the variables of this machine's user in the environment."""
        before = {name: os.environ.pop(name) for name in VARIABLES if name in os.environ}
        os.environ.update(self.variables)
        try:
            yield
        finally:
            for name in VARIABLES:
                os.environ.pop(name, None)
            os.environ.update(before)


def opened(root: Path) -> FolderWorkspace:
    """Open a folder at a time when all that was written has settled."""
    return replace(open_workspace(str(root), language_of), clock_ns=lambda: time.time_ns() + 3_600_000_000_000)


def paths(workspace: FolderWorkspace) -> list[str]:
    """Return what a scan finds."""
    return [file.path for file in workspace.scan().files]


@given(variables=ENVIRONMENTS, has_home=st.booleans() | st.just(value=True), first=PLACED, then=PLACED)
@example(variables={}, has_home=True, first={}, then={"home/.config/git/ignore": "b.py\n"})
@example(
    variables={},
    has_home=True,
    first={"home/.gitconfig": LINES[11], "home/more": LINES[0]},
    then={"home/.gitconfig": LINES[11], "home/more": LINES[0], "home/ignored": "b.py\n"},
)
@example(
    variables={"GIT_CONFIG_GLOBAL": "{top}/home/told"},
    has_home=True,
    first={"home/told": LINES[3], "home/ign ored": "made/\n", "work/.git/config": ""},
    then={"home/told": LINES[3], "home/ign ored": "b.py\n", "work/.git/config": LINES[5], "work/rules": "sub/\n"},
)
@example(
    variables={},
    has_home=True,
    first={"home/.gitconfig": LINES[-1]},
    then={"home/.gitconfig": LINES[-1], "home/ignored": "b.py\n"},
)
@examples(60)
def test_what_is_indexed_is_what_git_lists_for_the_user(
    variables: Mapping[str, str], first: Mapping[str, str], then: Mapping[str, str], *, has_home: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder).resolve()
        machine = Machine(top, {**variables, **({"HOME": "{top}/home"} if has_home else {})})
        machine.write(first)
        before = machine.listed()
        with machine.entered():
            workspace = opened(machine.work)
            scan = workspace.scan()
            assert before is None or before == [file.path for file in scan.files]
            assert paths(opened(machine.work)) == [file.path for file in scan.files]
            assert not scan.snapshot or opened(machine.work).is_as_in(scan.snapshot)
            let_the_clock_move(top)
            machine.write(then)
            after = machine.listed()
            now = paths(opened(machine.work))
            assert after is None or after == now
            assert now == paths(workspace)
            is_same = now == [file.path for file in scan.files]
            assert is_same or not scan.snapshot or not opened(machine.work).is_as_in(scan.snapshot)


@pytest.mark.parametrize(
    "piece", ["[", '"', "\\", " ", "[a]", '["', "path=\\\n", "path=", "\r", "#", "path = a ", "\t["]
)
def test_no_configuration_takes_long(piece: str) -> None:
    for end in ("", "\n", "x", "\npath=b"):
        names = names_in(f"{piece * 100_000}{end}".encode())
        assert all(names)


def test_of_very_many_names_only_some_are_followed(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"c{number}").write_text("".join(f"path = c{name % 50}\n" for name in range(10_000)))
    found = list(named_in([tmp_path / "c0"], tmp_path, ""))
    assert tmp_path / "c1" in found
    assert len(found) <= 1_000
