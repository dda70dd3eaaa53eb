"""Files of the user's repository as the index sees them."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

_HIGHEST = 63
"""The last bit of inode numbers."""


class FileStamp(NamedTuple):
    """What the file system says of a file; any difference means: look again."""

    mtime_ns: int
    ctime_ns: int
    size: int
    inode: int
    """With another highest bit where the user says that the file was written, not generated."""

    def as_written(self) -> "FileStamp":
        """Return the stamp of the same file where the user says so."""
        return self._replace(inode=self.inode ^ 1 << _HIGHEST)


class SourceText(NamedTuple):
    """What a file says."""

    text: str
    data: bytes
    """Before it was decoded."""

    def is_of(self, known_hash: str) -> bool:
        """Return whether an index calls this content so, also one that was let in by the user's word."""
        return any(content_hash(self.data, is_written=each) == known_hash for each in (False, True))


def content_hash(data: bytes, *, is_written: bool = False) -> str:
    """Return what an index calls a content, another one where the user says that it was not generated."""
    return blake2b(data, digest_size=10, person=b"written" if is_written else b"").hexdigest()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that can be indexed."""

    path: str
    """Repository-relative, with forward slashes, valid Unicode."""
    language: str
    stamp: FileStamp
    is_written: bool = False
    """The user says that it was not generated, whatever stands in it."""


class SkipReason(StrEnum):
    """Why a file is listed and not parsed."""

    BINARY = "binary"
    TOO_LARGE = "too-large"
    MINIFIED = "minified"
    GENERATED = "generated"
    LINE_ENDS = "line-ends"
    """Its lines end in carriage returns alone: to all that counts lines it is one."""
    UNREADABLE = "unreadable"
    NOT_REGULAR = "not-a-regular-file"
    UNDECODABLE_NAME = "undecodable-name"
    OUTSIDE = "outside-the-repository"
    OTHER_REPOSITORY = "another-repository"
    BUILT = "built"
    """A whole folder that seems to be made of the rest; its path ends with a slash."""
    IGNORED = "ignored"
    """The folder itself, where rules ignore all that is in it."""
    NO_ANSWER = "no-answer"
    """The ``.git`` of a repository git could not list."""
    SECRET = "secret"  # noqa: S105 - a reason, no password
    PARSER_TIMEOUT = "parser-timeout"
    """A busy machine may have been the cause: it is tried once more."""
    PARSER_HANG = "parser-hang"
    """The second try took too long as well: there is no third."""
    PARSER_CRASH = "parser-crash"
    NOT_JOINED = "not-joined"
    """Its symbols are known, what leads from them to others is not."""


_FAILURES = frozenset(
    {
        SkipReason.UNREADABLE,
        SkipReason.UNDECODABLE_NAME,
        SkipReason.PARSER_TIMEOUT,
        SkipReason.PARSER_HANG,
        SkipReason.PARSER_CRASH,
    }
)
_UNREAD = _FAILURES | {SkipReason.TOO_LARGE, SkipReason.LINE_ENDS}
MOST_BROKEN = 100
"""More files with syntax errors are counted, not listed."""
_IMAGES = frozenset({"png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "heic", "avif"})


def is_image(name: str) -> bool:
    """Return whether a file's name is that of a picture; SVG is text."""
    return name.rpartition(".")[2].casefold() in _IMAGES and "." in name


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that is not indexed, or not in full, and why."""

    path: str
    reason: SkipReason
    detail: str = ""

    @property
    def is_indexed(self) -> bool:
        """Whether its symbols are known all the same."""
        return self.reason is SkipReason.NOT_JOINED


@dataclass(frozen=True, slots=True)
class BrokenFile:
    """A file with syntax errors: around them less of it is known."""

    path: str
    errors: int
    """How many places can't be read."""


@dataclass(frozen=True, slots=True)
class Scan:
    """One look at the work tree: what can be indexed and what can't."""

    files: tuple[SourceFile, ...]
    """Sorted by path."""
    skipped: tuple[SkippedFile, ...]
    other_files: int = 0
    """Files in no language the index knows."""
    snapshot: bytes = b""
    """What ``is_as_in`` tells later changes by; empty when it could miss one."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What a scan will find if nothing has changed but what a quick look found."""

    scan: Scan
    changed: list[SourceFile]
    """The files it found new or changed, sorted by path."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one refresh of the index did."""

    revision: str
    files: int
    parsed: int
    """Files parsed in this refresh; the others were unchanged."""
    removed: int
    symbols: int
    edges: int
    seconds: float
    languages: tuple[tuple[str, int], ...]
    """(language, files), most files first."""
    skipped: tuple[SkippedFile, ...]
    other_files: int = 0
    is_complete: bool = True
    """False when the refresh was cancelled half-way; what was parsed until then is kept."""
    is_settled: bool = True
    """False while edges out of files that did not change are still as they were."""
    broken: tuple[BrokenFile, ...] = ()
    """Files with syntax errors, most errors first, ``MOST_BROKEN`` at most."""
    broken_files: int = 0
    """How many there are."""

    @property
    def has_late(self) -> bool:
        """Whether there are files that are to be tried once more."""
        return any(file.reason is SkipReason.PARSER_TIMEOUT for file in self.skipped)

    @property
    def unread(self) -> tuple[SkippedFile, ...]:
        """The files that may define something, and are not left out for what they are but could not be read."""
        return tuple([file for file in self.skipped if file.reason in _UNREAD and not is_image(file.path)])


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line that holds what was searched for."""

    path: str
    line: int
    """1-based."""
    text: str


@dataclass(frozen=True, slots=True)
class RepositoryInfo:
    """The repository the app is opened on."""

    name: str
    root: str
    """Absolute real path."""
    branch: str = ""
    """Git branch or short commit; empty outside git."""
    is_git: bool = False
