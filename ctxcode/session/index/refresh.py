"""One refresh of the index: how it began, what it has found and done so far."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.outline.known import OTHERWISE_READ
from ctxcode.model.naming.header import counted_languages
from ctxcode.model.source import MOST_BROKEN, FileStamp, IndexReport, Scan, SkippedFile, SkipReason, SourceFile
from ctxcode.session.index.ports import Writer
from ctxcode.session.index.turn import IndexTurn
from ctxcode.store.index.seen import KnownFile, LastSeen
from ctxcode.store.index.writer import NewFile, Published

if TYPE_CHECKING:
    from ctxcode.codegraph.facts import FileFacts
    from ctxcode.codegraph.pool import ParseOutcome


class Begun(NamedTuple):
    """How a refresh began."""

    at_seconds: float
    seen: LastSeen | None
    """The work tree the index was of, if it was looked up."""
    is_awaited: bool
    turn: IndexTurn
    """Indexes much at a time, and is told how far it is."""
    is_cancelled: Callable[[], bool]


@dataclass(slots=True)
class Refresh:
    """One refresh under way."""

    scan: Scan
    known: Mapping[str, KnownFile]
    is_awaited: bool
    is_early: bool = False
    """Edges out of what did not change may stay as they were until ``settle``."""
    is_guessed: bool = False
    """Of the scan only what had changed last has been looked at."""
    suspected: Collection[str] = ()
    """What may have changed without another stamp: it was read a moment ago."""
    is_retried: bool = False
    """What took too long is tried once more: nobody waits for an answer."""
    is_first: bool = False
    """Nothing is published yet, or no more than the beginning."""
    rows: dict[str, int] = field(default_factory=dict)
    """Every file seen, skipped ones too, to its row in the index."""
    otherwise: dict[str, str] = field(default_factory=dict)
    """Files that are read in other languages than they are named to those."""
    kept: dict[str, int] = field(default_factory=dict)
    """Those whose stored facts still hold."""
    facts: "dict[str, FileFacts]" = field(default_factory=dict)
    """What the others say now."""
    unwritten: Sequence[NewFile] = ()
    """A few files somebody waits for: they are written when they are published, for the price of one transaction."""
    parsed: int = 0
    removed: int = 0
    is_changed: bool = False
    pending: int = 0
    """Files that are left to be parsed when it was cancelled."""

    def compare(self, writer: Writer, hash_file: Callable[[str], str]) -> list[SourceFile]:
        """Return the files whose content is new; take over the rows of the others, and count those that are gone.

        ``hash_file`` returns the content hash of a path, empty when it can't be read.
        """
        changed = []
        touched: dict[str, tuple[int, FileStamp]] = {}
        known_at, rows, kept = self.known.get, self.rows, self.kept
        for file in self.scan.files:
            path, known = file.path, known_at(file.path)
            if known is None:
                changed.append(file)
                continue
            if self.is_retried and known.is_late:
                changed.append(file)
                continue
            if known.language != file.language:
                if known.language != OTHERWISE_READ.get(file.language):
                    changed.append(file)
                    continue
                self.otherwise[path] = known.language
            if known.stamp != file.stamp or path in self.suspected:
                # What was refused may be let in; what was let in by the user's word has a hash of its own.
                is_let_in = file.is_written and bool(known.skip_reason)
                if is_let_in or not known.content_hash or hash_file(path) != known.content_hash:
                    changed.append(file)
                    continue
                if known.stamp != file.stamp:
                    touched[path] = (known.row, file.stamp)
            rows[path] = known.row
            if not known.skip_reason:
                kept[path] = known.row
        if touched:
            writer.touch(touched)
        self.removed = len(self.known) - len(rows) - len({file.path for file in changed if file.path in self.known})
        return changed

    def new_file(self, file: SourceFile, outcome: "ParseOutcome") -> NewFile:
        """Return a file as it is to be stored, given what became of it, and note what it says."""
        if outcome.facts is not None:
            self.facts[file.path] = outcome.facts
        errors = outcome.facts.parse_errors if outcome.facts is not None else 0
        said = outcome.rows, outcome.encoded, self._skipped(outcome), (outcome.renamed, outcome.imported), errors
        self.otherwise.pop(file.path, None)
        language = file.language if outcome.facts is None else outcome.facts.language
        if language != file.language:
            self.otherwise[file.path] = language
        return NewFile(file.path, language, file.stamp, outcome.content_hash, *said)

    def _skipped(self, outcome: "ParseOutcome") -> SkippedFile | None:
        """Return why there is nothing of a file, given what became of it and whether the same took too long before."""
        skipped, known = outcome.skipped, self.known.get(outcome.path)
        if skipped is None or skipped.reason is not SkipReason.PARSER_TIMEOUT or known is None or not known.is_late:
            return skipped
        if known.content_hash != outcome.content_hash:
            return skipped
        return SkippedFile(skipped.path, SkipReason.PARSER_HANG, "the parser did not come to an end in two tries")

    def write(self, writer: Writer, batch: Sequence[NewFile]) -> None:
        """Store files that nobody sees until they are published."""
        if batch:
            rows = writer.add(batch)
            self.rows.update(zip((file.path for file in batch), rows, strict=True))

    def report(self, published: Published, writer: Writer, seconds: float) -> IndexReport:
        """Return what it has done when this is published."""
        skipped, broken = writer.skipped(self.rows.values()), writer.broken(self.rows.values())
        refused = {file.path for file in skipped if not file.is_indexed}
        rows = self.rows
        seen = [file for file in self.scan.files if file.path in rows and file.path not in refused]
        languages = Counter(
            counted_languages([(file.path, self.otherwise.get(file.path, file.language)) for file in seen])
        )
        every_skipped = sorted((*self.scan.skipped, *skipped), key=lambda file: (file.path, file.reason))
        return IndexReport(
            revision=published.revision,
            files=languages.total(),
            parsed=self.parsed,
            removed=self.removed,
            symbols=published.symbols,
            edges=published.edges,
            seconds=seconds,
            languages=tuple(sorted(languages.items(), key=lambda count: (-count[1], count[0]))),
            skipped=tuple(every_skipped),
            other_files=self.scan.other_files,
            is_complete=not self.pending,
            is_settled=published.is_settled,
            broken=tuple(broken[:MOST_BROKEN]),
            broken_files=len(broken),
        )
