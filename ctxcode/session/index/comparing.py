"""Which files have to be compared with what the index knows of them: those that did not agree the last time."""

from collections.abc import Collection, Mapping, Sequence
from itertools import compress
from operator import attrgetter, is_not, or_

from ctxcode.codegraph.outline.known import OTHERWISE_READ
from ctxcode.model.source import SourceFile
from ctxcode.store.index.seen import KnownFile

_path = attrgetter("path")


class Agreement:
    """The files that were as the index knew them when they were last compared.

    What is found of a file, and what is known of it, is the same object for as long as nothing has changed: so the
    others are told apart without a look at what each of them says.
    """

    def __init__(self) -> None:
        self._files: dict[str, SourceFile] = {}
        self._known: dict[str, KnownFile] = {}
        self.rows: dict[str, int] = {}
        """Their rows in the index."""
        self.kept: dict[str, int] = {}
        """The same without the skipped ones."""
        self.otherwise: dict[str, str] = {}
        """The languages of those that are read in another one than they are named to."""

    def apart(
        self, files: Sequence[SourceFile], known: Mapping[str, KnownFile], suspected: Collection[str]
    ) -> list[SourceFile]:
        """Return the files that have to be compared now, the suspected ones among them; they agree no more."""
        for path in suspected:
            self._forget(path)
        paths = list(map(_path, files))
        are_others = map(is_not, files, map(self._files.get, paths))
        are_known_otherwise = map(is_not, map(known.get, paths), map(self._known.get, paths))
        found = list(compress(files, map(or_, are_others, are_known_otherwise)))
        for file in found:
            self._forget(file.path)
        if len(self._files) + len(found) > len(files):
            for path in self._files.keys() - set(paths):
                self._forget(path)
        return found

    def note(self, file: SourceFile, known: KnownFile) -> None:
        """Say that a file is as it is known."""
        self._files[file.path], self._known[file.path] = file, known
        self.rows[file.path] = known.row
        if not known.is_skipped:
            self.kept[file.path] = known.row
        if known.language != file.language:
            self.otherwise[file.path] = known.language

    def _forget(self, path: str) -> None:
        for each in (self._files, self._known, self.rows, self.kept, self.otherwise):
            each.pop(path, None)


def is_in_language(file: SourceFile, known: KnownFile) -> bool:
    """Return whether what is known of a file may be what it says in its language, or in the one it is read in then."""
    return known.language in {file.language, OTHERWISE_READ.get(file.language)}
