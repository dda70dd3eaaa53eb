"""The files of a publication: by number, path and row, and what they add up to. Most are those of the one before."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from ctxcode.model.naming.header import counted_languages
from ctxcode.model.symbol import LanguageCount
from ctxcode.store.index.graph import PublishedFile, published_files_after


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
            self.number_of_path = {file.path: number for number, file in enumerate(self.list)}
            self.number_of_row = {file.row: number for number, file in enumerate(self.list)}
        else:
            self.number_of_path = before.number_of_path
            self.number_of_row = self._numbers_after(before)
            if "paths_by_name" in vars(before):
                self.paths_by_name = before.paths_by_name

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
        files, symbols = Counter[str](), Counter[str]()
        counted = counted_languages([(file.path, file.language) for file in self.list])
        for (language, each), times in Counter(zip(counted, [file.symbols for file in self.list], strict=True)).items():
            files[language] += times
            symbols[language] += times * each
        counts = [LanguageCount(language, files[language], symbols[language]) for language in files]
        return tuple(sorted(counts, key=lambda count: (-count.files, count.language)))

    def has_modules_of(self, before: "PublishedFiles") -> bool:
        """Return whether all is as before that is told of files as modules; ``before`` is what they were made after."""
        now, then = self.list[self.changed], before.list[self.changed]
        return self.has_same_paths and [file[1:] for file in now] == [file[1:] for file in then]

    def _goes_by_paths_of(self, before: "PublishedFiles") -> bool:
        now, then = self.list[self.changed], before.list[self.changed]
        return len(self.list) == len(before.list) and [file.path for file in now] == [file.path for file in then]

    def _numbers_after(self, before: "PublishedFiles") -> dict[int, int]:
        numbers = dict(before.number_of_row)
        for file in before.list[self.changed]:
            del numbers[file.row]
        first = self.changed.indices(len(self.list))[0]
        numbers.update({file.row: number for number, file in enumerate(self.list[self.changed], first)})
        return numbers
