"""The lines of the files that plans are made of."""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from ctxcode.model.canonical import text_hash
from ctxcode.model.errors import RepositoryError
from ctxcode.model.ids import TextHash
from ctxcode.session.ports import FileTexts, Workspace

_MOST_CHARACTERS = 4_000_000
"""A question looks into some 2 MB of files."""


class KeptLines:
    """The lines of texts that were split lately: of a file that says what it said they are the very same."""

    def __init__(self, most_characters: int = _MOST_CHARACTERS) -> None:
        """Keep texts of so many characters together, and their lines."""
        self._most_characters = most_characters
        self._kept: dict[str, tuple[str, Sequence[str]]] = {}
        """By path, those asked for last at the end."""
        self._characters = 0
        self._lock = threading.Lock()

    def of(self, path: str, text: str) -> Sequence[str]:
        """Return the lines of what a file says; of one that is too long to be kept the others make no room."""
        if len(text) > self._most_characters:
            return text.split("\n")
        with self._lock:
            known = self._kept.pop(path, None)
            if known is None or known[0] != text:
                self._characters += len(text) - (len(known[0]) if known is not None else 0)
                known = text, text.split("\n")
            self._kept[path] = known
            while self._characters > self._most_characters:
                self._characters -= len(self._kept.pop(next(iter(self._kept)))[0])
        return known[1]


class SourceLines(Mapping[str, Sequence[str]]):
    """The lines of the files that can be read, each read once, when it is asked for; one that is gone is not there.

    What is central in a repository stands in many files, and the first few are most often enough.
    """

    def __init__(
        self,
        workspace: Workspace,
        paths: Iterable[str],
        kept: KeptLines | None = None,
        hashes: Callable[[Collection[str]], Mapping[str, str]] = lambda _paths: {},
    ) -> None:
        """Name the files; all others are not there. ``hashes`` says what the index calls the content of some."""
        self._workspace = workspace
        self.changed: set[str] = set()
        """Of those read so far, the files that say something else than what was indexed."""
        self._lines: dict[str, Sequence[str] | None] = {}
        self._unread = dict.fromkeys(paths)
        self._hashes = hashes(self._unread.keys())
        self._kept = kept or KeptLines()

    def __getitem__(self, path: str) -> Sequence[str]:
        if path in self._unread:
            del self._unread[path]
            try:
                source = self._workspace.read_source(path)
            except RepositoryError:
                self._lines[path] = None
            else:
                self._lines[path] = self._kept.of(path, source.text)
                if (known := self._hashes.get(path)) and not source.is_of(known):
                    self.changed.add(path)
        lines = self._lines.get(path)
        if lines is None:
            raise KeyError(path)
        return lines

    def __iter__(self) -> Iterator[str]:
        return (path for path in [*self._lines, *self._unread] if path in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class ReadTexts(Mapping[str, TextHash]):
    """The digests of files' texts as they were first read; one that can't be read is looked for, but not there."""

    def __init__(self, texts: FileTexts) -> None:
        """Know no file yet."""
        self._texts = texts
        self._digests: dict[str, TextHash | None] = {}
        """None of what can't be read."""

    def read_text(self, path: str) -> str:
        """Return a file's text. Raises RepositoryError when it can't be read."""
        try:
            text = self._texts.read_text(path)
        except RepositoryError:
            self._digests.setdefault(path, None)
            raise
        if path not in self._digests:
            self._digests[path] = text_hash(text)
        return text

    def __getitem__(self, path: str) -> TextHash:
        if path not in self._digests:
            with suppress(RepositoryError):
                self.read_text(path)
        digest = self._digests[path]
        if digest is None:
            raise KeyError(path)
        return digest

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)


def digests(lines: Mapping[str, Sequence[str]], paths: Collection[str]) -> dict[str, TextHash]:
    """Return a digest of each of these files that is there; they are compared at less cost than their lines."""
    return {path: text_hash("\n".join(lines[path])) for path in sorted(paths) if path in lines}
