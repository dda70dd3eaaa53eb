"""Which of a reply's calls changed which lines of a file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ctxcode.action.edit.hunk import changed_spans
from ctxcode.model.edit.change import Hunk


@dataclass(slots=True)
class Origins:
    """The lines each call changed, as the file had them before all calls; one pass over the file for each call."""

    _touched: list[tuple[str, int, int]] = field(default_factory=list)
    """A call, and from which to which line it changed; 0-based, the end left out."""
    _places: list[tuple[int, int]] | None = None
    """For each line the file has now the lines it stands for; None before the first call."""
    _end: int = 0
    """How many lines the file had before all calls."""

    def note(self, call: str, before: Sequence[str], after: Sequence[str]) -> None:
        """Take down what a call made of the lines that the calls before it had left."""
        places = self._places
        if places is None:
            places, self._end = [(number, number + 1) for number in range(len(before))], len(before)
        made: list[tuple[int, int]] = []
        done = 0
        for start, end, new_start, new_end in changed_spans(before, after):
            first = places[start][0] if start < end else places[start - 1][1] if start else 0
            last = places[end - 1][1] if start < end else places[start][0] if start < len(places) else self._end
            span = min(first, last), max(first, last)
            self._touched.append((call, *span))
            made += [*places[done:start], *[span] * (new_end - new_start)]
            done = end
        self._places = [*made, *places[done:]]

    def told(self, hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
        """Return the hunks of all calls together, each with the calls it comes from."""
        return tuple(replace(hunk, calls=self._calls(hunk)) for hunk in hunks)

    def _calls(self, hunk: Hunk) -> tuple[str, ...]:
        start = hunk.before_start - 1
        end = start + len(hunk.before)
        mine = (call for call, first, last in self._touched if first <= end and last >= start)
        return tuple(dict.fromkeys(mine))
