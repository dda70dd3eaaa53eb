"""The opened folder: which files it holds, what they look like, and their text.

Owns scanning and reading. Nothing the repository contains is run, and nothing outside it is read.
"""

import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from ctxcode.model.errors import GoneFolderError, RepositoryError
from ctxcode.model.secret.path import is_secret
from ctxcode.model.source import FoundLine, Guess, RepositoryInfo, Scan, SkippedFile, SkipReason, SourceFile, SourceText
from ctxcode.workspace import git
from ctxcode.workspace.aside.folders import FoldersAside, altered
from ctxcode.workspace.git_times import ListingTimes, times_of, times_walked
from ctxcode.workspace.ignore import SETTLED_NS, Listings, Walk
from ctxcode.workspace.look import (
    NAMES_ARE_UTF_8,
    LanguageOf,
    LastLook,
    Look,
    as_told,
    is_unicode,
    seen_again,
    sources_now,
)
from ctxcode.workspace.reading import read_source, read_text
from ctxcode.workspace.rules.attributes import Attributes, Marks, attributes_above
from ctxcode.workspace.script import Scripts, may_be_script
from ctxcode.workspace.search import search
from ctxcode.workspace.snapshot import folders_in, is_as_in, place_times, snapshot_of
from ctxcode.workspace.submodule import Trees, list_again, list_trees
from ctxcode.workspace.watch import follow

_ROOT_ONLY = frozenset({""})
_DECIDING = frozenset({".gitignore", ".gitattributes"})
"""What decides what is indexed of other files."""
_FEW = 50
"""Files that are looked at before all others."""
_MOST_GUESSED = 5
"""Changed ones among them, at most, that may be all that has changed."""


@dataclass(slots=True)
class _Memory:
    """What a scan leaves for the next one. It saves time only: everything is compared with the file system."""

    listings: Listings = field(default_factory=dict)
    listed: tuple[Trees, ListingTimes] | None = None
    """What git listed, and what that depends on."""
    is_answered: bool = False
    """Whether git could tell when it was asked for all, or there was nothing to ask about."""
    altered_ns: int = 0
    """When the last folder of that listing changed that is no longer as it was then."""
    ask_times: Callable[[], object] | None = None
    """Finds out what the last listing depends on, where that is not known yet."""
    files: dict[str, SourceFile | None] = field(default_factory=dict)
    """What each path was, as far as its name says; None is a file of no language."""
    last_look: LastLook | None = None
    last_scan: Scan | None = None
    latest: tuple[SourceFile, ...] = ()
    """The files that had changed last when they were looked at."""
    scripts: Scripts = field(default_factory=lambda: Scripts(""))
    attributes: Attributes = field(default_factory=Attributes)
    marks: Marks | None = None
    """What they said at the last look."""
    found_folders: frozenset[str] = _ROOT_ONLY
    """The folders that hold indexed files, and the root."""
    snapshot: bytes = b""
    """Tells them where another process has scanned."""
    branch: str = ""
    """The branch that was checked out at the last look."""
    is_git: bool = False
    """Whether the folder was in a work tree then."""

    @property
    def folders(self) -> frozenset[str]:
        """What is to be followed."""
        if self.snapshot:
            self.found_folders = _ROOT_ONLY.union(folders_in(self.snapshot))
            self.snapshot = b""
        return self.found_folders


@dataclass(frozen=True, slots=True)
class FolderWorkspace:
    """A folder on this machine, with or without git."""

    opened: RepositoryInfo
    """What the folder was when it was opened."""
    language_of: LanguageOf
    git_program: str | None = None
    """Asked while the folder is in a work tree."""
    is_known_as_in: Callable[[bytes], bool] = lambda _: False
    """Tells of a snapshot whether somebody has just found that nothing has changed since."""
    aside: FoldersAside | None = None
    """Looks at folders while files are looked at here."""
    memory: _Memory = field(default_factory=_Memory, compare=False, repr=False)
    clock_ns: Callable[[], int] = field(default=time.time_ns, compare=False, repr=False)

    @property
    def info(self) -> RepositoryInfo:
        """What is open, on the branch of the last look at the work tree."""
        return replace(self.opened, branch=self.memory.branch, is_git=self.memory.is_git)

    def read_text(self, path: str) -> str:
        """Return a file's text, decoded; line ends as they are.

        Raises RepositoryError when it is outside the repository, secret, unreadable, binary or gone.
        """
        return read_text(self.opened.root, path)

    def read_source(self, path: str) -> SourceText:
        """Return the same with the bytes it was decoded from."""
        return read_source(self.opened.root, path)

    def file_paths(self) -> tuple[str, ...]:
        """Return the paths of all files that are not ignored, in any language, sorted; no secrets."""
        trees = self._trees()
        paths = git.without_own(set(Walk(self.opened.root).paths()), self.opened.root) if trees is None else trees.paths
        found = [path for path in paths if not path.endswith("/") and is_unicode(path) and not is_secret(path)]
        return tuple(sorted(path for path in found if os.path.lexists(f"{self.opened.root}/{path}")))

    def search(self, words: str, paths: Iterable[str], is_cancelled: Callable[[], bool]) -> tuple[FoundLine, ...]:
        """Return the lines of these files that hold a text, in the paths' order; at most 2,000."""
        return search(self.opened.root, words, paths, is_cancelled)

    def scan(self) -> Scan:
        """Look at the work tree: every file's stamp, in path order. Raises RepositoryError when it is gone."""
        if not Path(self.opened.root).is_dir():
            raise GoneFolderError(self.opened.root)
        settled_ns = self.clock_ns() - SETTLED_NS
        looked = self._looked_ahead()
        paths, skipped, times_of = self._paths(settled_ns)
        scripts = self.memory.scripts
        scripts.root = self.opened.root
        tree = git.find_work_tree(self.opened.root)
        above = [] if tree is None else attributes_above(self.opened.root, str(tree.top))
        marks = self.memory.attributes.now(self.opened.root, paths, above)
        last_look = self.memory.last_look if marks is self.memory.marks else None
        self.memory.marks = marks
        look = Look(self.opened.root, self.language_of, self.memory.files, scripts, marks, skipped=skipped)
        self.memory.last_look = look.take_all(paths, last_look, looked)
        self.memory.files = look.seen
        found = self.memory.last_scan = look.result()
        told = replace(found, files=as_told(found.files, marks))
        self.note_folders(_folders_of(tuple([file.path for file in found.files])))
        latest = self.memory.latest = tuple(sorted(found.files, key=_changed_ns)[-_FEW:])
        if latest and _changed_ns(latest[-1]) >= settled_ns:
            is_known = self.memory.listed is not None and self.memory.listed[0].paths is paths
            self.memory.ask_times = None if is_known else times_of
            return told
        plain = scripts.times(sorted(path for path, file in look.seen.items() if file is None and may_be_script(path)))
        plain += self.memory.attributes.times
        elsewhere = [(path, place_times(path)) for path in above]
        is_settled = all(max(times) < settled_ns for _, times in (*plain, *elsewhere))
        times = times_of() if is_settled else None
        if times is None:
            return told
        return replace(told, snapshot=snapshot_of(times.inside, [*times.outside, *elsewhere], found.files, plain))

    def guess(self) -> Guess | None:
        """Return what a scan finds if, since the last one, only files have changed that had changed last before it.

        What was changed lately is changed again. Where none of them has, it returns what a scan finds if nothing has
        happened but that a few files came or went. None when neither has, and when many have: then others have, too.
        """
        last = self.memory.last_scan
        if last is None:
            return None
        changed = seen_again(self.opened.root, self.memory.latest)
        if not changed:
            return self._guess_names(last)
        if len(changed) > _MOST_GUESSED:
            return None
        files = as_told([changed.get(file.path, file) for file in last.files], self.memory.marks or Marks())
        return Guess(replace(last, files=files, snapshot=b""), [file for file in files if file.path in changed])

    def _guess_names(self, last: Scan) -> Guess | None:
        """Return what a scan finds if no file that was there has changed; None when none came or went, or too many."""
        memory, before = self.memory, self.memory.last_look
        if memory.listed is not None and self.aside is not None:
            self.aside.begin(memory.listed[1].inside, is_shared=True)
        trees, look_again = self._known_trees(), self.memory.last_look
        if trees is None or look_again is None or look_again is before:
            return None
        marks = memory.attributes.marks
        look = Look(self.opened.root, self.language_of, memory.files, memory.scripts, marks, skipped=trees.skipped)
        known = {path: file for path in look_again.sources if (file := memory.files.get(path)) is not None}
        look.take_all(trees.paths, look_again, known)
        found, were = look.result(), {file.path for file in last.files}
        found = replace(found, files=as_told(found.files, marks))
        come = [file for file in found.files if file.path not in were]
        return Guess(found, come) if len(come) <= _MOST_GUESSED else None

    def settle(self) -> None:
        """Find out what the next scan needs, so that it need not ask git: what a file's edit had to be told without."""
        ask, self.memory.ask_times = self.memory.ask_times, None
        if ask is not None:
            ask()
        if self.aside is not None and self.memory.listed is not None:
            self.aside.learn(self.opened.root, self.memory.listed[1].inside)

    def is_as_in(self, snapshot: bytes) -> bool:
        """Return whether nothing has changed since the scan that gave this snapshot."""
        self._note_branch()
        if not snapshot or not (self.is_known_as_in(snapshot) or is_as_in(snapshot, self.opened.root)):
            return False
        if self.memory.found_folders == _ROOT_ONLY:
            self.memory.snapshot = snapshot
        return True

    def note_folders(self, folders: Iterable[str]) -> None:
        """Take over the folders of indexed files that another process's scan has found; they are followed."""
        self._note_branch()
        self.memory.found_folders, self.memory.snapshot = _ROOT_ONLY.union(folders), b""

    def _note_branch(self) -> None:
        self.memory.is_git, self.memory.branch = _branch(self.opened.root)

    def follow(self, stop: threading.Event) -> Iterator[None]:
        """Yield whenever something may have changed since the last scan, until ``stop`` is set; blocks meanwhile."""
        return follow(
            self.opened.root, lambda: self.memory.folders, self._is_relevant, lambda: _branch(self.opened.root), stop
        )

    def _is_relevant(self, path: str) -> bool:
        """Return whether a change there can change the index."""
        if self.language_of(path) is not None or path.rpartition("/")[2] in _DECIDING or may_be_script(path):
            return True
        return path in self.memory.folders or Path(self.opened.root, path).is_dir()

    def _looked_ahead(self) -> dict[str, SourceFile] | None:
        """Return the files of the last look as they are now; meanwhile the folders begin to be looked at.

        None when that is done nowhere else.
        """
        last, listed = self.memory.last_look, self.memory.listed
        if self.aside is None or listed is None or not self.aside.begin(listed[1].inside) or last is None:
            return None
        return sources_now(self.opened.root, last.sources, self.memory.files)

    def _paths(self, settled_ns: int) -> tuple[Iterable[str], list[SkippedFile], Callable[[], ListingTimes | None]]:
        """Return what there is to look at, what can't be, and how to get what this depends on.

        None of it when one of the times is not before ``settled_ns``.
        """
        root, program, memory = self.opened.root, self._program(), self.memory
        trees = self._known_trees() or self._trees()
        if program is not None and trees is not None:

            def listing_times() -> ListingTimes | None:
                if memory.altered_ns >= settled_ns:
                    return None
                times = times_of(program, root, trees, settled_ns)
                memory.listed = memory.listed if times is None else (trees, times)
                return times

            return trees.paths, trees.skipped, listing_times
        walk = Walk(root, memory.listings, self.clock_ns)
        paths = git.without_own(set(walk.paths()), root)
        memory.listings, memory.listed = walk.listings, None
        # Of a folder that could not be read there is nothing to tell a change by, nor of why git can't tell.
        is_told = memory.is_answered and not walk.skipped
        times = times_walked(root, walk.times, settled_ns) if is_told and walk.times is not None else None
        skipped = [*walk.skipped, *walk.left_out]
        if not memory.is_answered:
            why = "git can't list it, 'git status' may say why" if program is not None else "there is no git to ask"
            skipped.append(SkippedFile(".git", SkipReason.NO_ANSWER, f"{why}: only .gitignore files are followed"))
        return paths, skipped, lambda: times

    def _program(self) -> str | None:
        """Return the git to ask; None where there is none to ask, or nothing to ask about."""
        root, program = self.opened.root, self.git_program
        is_asked = program is not None and git.find_work_tree(root) is not None and git.may_run(program, root)
        return program if is_asked else None

    def _known_trees(self) -> Trees | None:
        """Return what git has listed, brought in step with files that came or went; None when it has to list all."""
        memory, root, program = self.memory, self.opened.root, self._program()
        trees, times = memory.listed or (None, None)
        memory.altered_ns = 0
        if program is None or trees is None or times is None:
            return None
        found = self.aside.altered() if self.aside is not None else None
        differing = times.come_and_gone(root, altered(times.inside, root) if found is None else found)
        if differing is None:
            return None
        again = list_again(program, root, trees, differing.files) if differing.files else None
        if differing.files and again is None:
            return None
        memory.altered_ns = differing.latest_ns
        if again is None:
            return trees
        memory.listed = again.trees, times.after(differing)
        # Git goes on listing what it tracks.
        missing = [path for path in differing.files if not os.path.lexists(f"{root}/{path}")]
        if memory.last_look is not None and memory.last_look.paths is trees.paths:
            memory.last_look = memory.last_look.after(again.trees.paths, again.come, again.gone, missing)
        for path in (*again.gone, *missing):
            memory.files.pop(path, None)
        return again.trees

    def _trees(self) -> Trees | None:
        """Return what git lists; None where there is no git, or where it knows nothing of the folder's files."""
        program = self._program()
        trees = list_trees(program, self.opened.root) if program is not None else None
        self.memory.is_answered = trees is not None or git.find_work_tree(self.opened.root) is None
        # Nothing listed: an ignored folder of a larger repository, opened on purpose, or one that ignores all it has.
        return trees if trees is not None and (trees.paths - {".gitignore"} or trees.closed) else None


def open_workspace(path: str, language_of: LanguageOf) -> FolderWorkspace:
    """Open a folder; the folder itself is the root, also inside a larger git repository.

    Raises RepositoryError when it does not exist, is no folder or can't be entered.
    """
    hint = "Give the path of a folder you can read."
    try:
        root = os.path.realpath(Path(path).expanduser(), strict=True)
        mode = Path(root).stat().st_mode
    except FileNotFoundError as error:
        raise _missing(path, hint) from error
    except PermissionError as error:
        raise RepositoryError(f"no permission to open {path!r}", hint) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise RepositoryError(f"{path!r} can't be opened: {error}", hint) from error
    if not stat.S_ISDIR(mode):
        raise RepositoryError(f"{path!r} is a file, not a folder", f"Open its folder: {str(Path(path).parent)!r}.")
    if not is_unicode(root):
        raise _unnamed(path)
    if not os.access(root, os.R_OK | os.X_OK):
        raise RepositoryError(f"no permission to read {path!r}", hint)
    if git.holds_no_work_tree(root):
        raise RepositoryError(
            f"{path!r} is a git repository without files", "Open a work tree: git worktree add makes one."
        )
    is_git, branch = _branch(root)
    info = RepositoryInfo(name=Path(root).name or root, root=root, branch=branch, is_git=is_git)
    program = git.find_git(root, os.environ.get("PATH", ""))
    return FolderWorkspace(info, language_of, program, memory=_Memory(branch=branch, is_git=is_git))


def _unnamed(path: str) -> RepositoryError:
    """Return what to say of a folder whose name is no text here."""
    if NAMES_ARE_UTF_8:
        return RepositoryError(f"the name of {path!r} is not valid UTF-8", "Rename the folder.")
    encoding = sys.getfilesystemencoding()
    return RepositoryError(
        f"the name of {path!r} can't be read in this locale: its encoding is {encoding}",
        "Use a locale of UTF-8, for example LC_ALL=C.UTF-8.",
    )


def _missing(path: str, hint: str) -> RepositoryError:
    """Return what to say of a folder that is not there: that it is gone where the one we are in is."""
    try:
        Path.cwd()
    except FileNotFoundError:
        if not Path(path).is_absolute():
            return GoneFolderError(os.environ.get("PWD") or path)
    return RepositoryError(f"{path!r} does not exist", hint)


def _branch(root: str) -> tuple[bool, str]:
    """Return whether a folder is in a work tree, and the branch that is checked out there."""
    tree = git.find_work_tree(root)
    return tree is not None, git.read_branch(tree.git_folder) if tree is not None else ""


@lru_cache(maxsize=1)
def _folders_of(paths: tuple[str, ...]) -> frozenset[str]:
    """Return the folders of files; mostly these are those of the scan before."""
    return frozenset([path.rpartition("/")[0] for path in paths])


def _changed_ns(file: SourceFile) -> int:
    stamp = file.stamp
    changed, status_changed = stamp.mtime_ns, stamp.ctime_ns
    return max(status_changed, changed)
