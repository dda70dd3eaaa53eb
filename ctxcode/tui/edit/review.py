"""What the user has said to the hunks of a set so far. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ctxcode.model.edit.change import FileChange, FileVerdict


@dataclass(frozen=True, slots=True)
class Place:
    """A hunk of a file; a change without hunks (an empty file, a rename) is one place, number 0."""

    file: int
    hunk: int


@dataclass(frozen=True, slots=True)
class Review:
    """A set that waits, and the answers so far."""

    number: int = 0
    """Of the set; 0 for none."""
    changes: tuple[FileChange, ...] = ()
    answers: Mapping[Place, bool] = field(default_factory=dict)
    is_renewed: bool = False
    """The files changed after an earlier diff."""

    @property
    def places(self) -> tuple[Place, ...]:
        """Everything that can be accepted or rejected, in order."""
        return tuple(
            Place(at, hunk) for at, change in enumerate(self.changes) for hunk in range(max(1, len(change.hunks)))
        )

    @property
    def undecided(self) -> int:
        """How many places have no answer yet."""
        return len(self.places) - len(self.answers)

    def answered(self, place: Place, *, is_yes: bool) -> "Review":
        """Return the review after an answer to one hunk."""
        return replace(self, answers={**self.answers, place: is_yes})

    def file_answered(self, file: int, *, is_yes: bool) -> "Review":
        """Return the review after an answer to all hunks of a file."""
        mine = {place: is_yes for place in self.places if place.file == file}
        return replace(self, answers={**self.answers, **mine})

    def all_answered(self, *, is_yes: bool) -> "Review":
        """Return the review after one answer to everything."""
        return replace(self, answers=dict.fromkeys(self.places, is_yes))

    def next_undecided(self, place: Place) -> Place:
        """Return the next place without an answer, beginning behind one; that one when there is none."""
        places = self.places
        start = places.index(place) + 1 if place in places else 0
        order = (*places[start:], *places[:start])
        return next((other for other in order if other not in self.answers), place)

    def verdicts(self) -> tuple[FileVerdict, ...]:
        """Return the answers file by file; what has none counts as rejected."""
        return tuple(self._verdict(at, change) for at, change in enumerate(self.changes))

    def _verdict(self, at: int, change: FileChange) -> FileVerdict:
        count = max(1, len(change.hunks))
        accepted = tuple(hunk for hunk in range(count) if self.answers.get(Place(at, hunk), False))
        if not accepted:
            return FileVerdict.no(change.path)
        return FileVerdict(change.path) if len(accepted) == count else FileVerdict(change.path, accepted)
