"""The files of a publication: by number, path and row, and what they add up to. Most are those of the one before."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count
from operator import attrgetter

from ctxcode.model.symbol import LanguageCount
from ctxcode.store.index.graph import PublishedFile, published_files_after

_row, _path = attrgetter("row"), attrgetter("path")


class PublishedFiles:
    """The files of one publication; their places in the list are their numbers."""

    def __init__(self, blobs: Mapping[str, bytes], before: "PublishedFiles | None" = None) -> None:
        """Take the stored columns; of the publication ``before`` is taken over what has not changed.

        Raises ValueError or KeyError for damaged columns.
        """
        self.blobs = blobs
        self.list: list[PublishedFile]
        known = (before.list, before.blobs) if before is not None else ([], {})
        self.list, self.changed = published_files_after(blobs, *known)
        """Where others than before stand: before and behind that the very objects are the same, from the ends."""
        self.has_same_paths = before is not None and self._goes_by_paths_of(before)
        """Every file is where it was, whatever it says by now."""
        self.number_of_path: Mapping[str, int]
        self.number_of_row: Mapping[int, int]
        if before is None or not self.has_same_paths:
            self.number_of_path = dict(zip(map(_path, self.list), count(), strict=False))
            self.number_of_row = dict(zip(map(_row, self.list), count(), strict=False))
        else:
            self.number_of_path = before.number_of_path
            self.number_of_row = self._numbers_after(before)
            if "paths_by_name" in vars(before):
                self.paths_by_name = before.paths_by_name
        self._files, self._symbols = self._counts_after(before) if before is not None else _counts(self.list)

    @cached_property
    def paths_by_name(self) -> Mapping[str, Sequence[str]]:
        """The paths by their last part in small letters, with and without its ending: a trace asks for many."""
        found: dict[str, list[str]] = {}
        for path in self.number_of_path:
            name = path.rpartition("/")[2].lower()
            for key in {name, name.partition(".")[0]}:
                found.setdefault(key, []).append(path)
        return found

    @cached_property
    def languages(self) -> tuple[LanguageCount, ...]:
        """Files and symbols of each language, the one with most files first."""
        counts = [LanguageCount(name, files, self._symbols[name]) for name, files in self._files.items() if files]
        return tuple(sorted(counts, key=lambda count: (-count.files, count.language)))

    def has_modules_of(self, before: "PublishedFiles") -> bool:
        """Return whether all is as before that is told of files as modules; ``before`` is what they were made after."""
        now, then = self.list[self.changed], before.list[self.changed]
        return self.has_same_paths and [file[1:] for file in now] == [file[1:] for file in then]

    def _goes_by_paths_of(self, before: "PublishedFiles") -> bool:
        now, then = self.list[self.changed], before.list[self.changed]
        return len(self.list) == len(before.list) and list(map(_path, now)) == list(map(_path, then))

    def _numbers_after(self, before: "PublishedFiles") -> dict[int, int]:
        numbers = dict(before.number_of_row)
        for file in before.list[self.changed]:
            del numbers[file.row]
        first = self.changed.indices(len(self.list))[0]
        numbers.update(zip(map(_row, self.list[self.changed]), count(first), strict=False))
        return numbers

    def _counts_after(self, before: "PublishedFiles") -> tuple[Counter[str], Counter[str]]:
        behind = len(self.list) - self.changed.indices(len(self.list))[1]
        came, went = self.list[self.changed], before.list[self.changed.start : len(before.list) - behind]
        files, symbols = before._files.copy(), before._symbols.copy()  # noqa: SLF001 - of its own kind
        for counted, (gained, lost) in zip(
            (files, symbols), zip(_counts(came), _counts(went), strict=True), strict=True
        ):
            counted.update(gained)
            counted.subtract(lost)
        return files, symbols


def _counts(listed: Iterable[PublishedFile]) -> tuple[Counter[str], Counter[str]]:
    """Return how many files are of each language, and how many symbols they have."""
    files, symbols = Counter[str](), Counter[str]()
    for (language, each), times in Counter([(file.language, file.symbols) for file in listed]).items():
        files[language] += times
        symbols[language] += times * each
    return files, symbols
