"""What a reply's edit calls come to, file by file: all of them computed one after another, or an error."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ctxcode.action.arguments import CreateFile, DeleteFile, ProposeEdit, RenameFile
from ctxcode.action.edit.hunk import changed_spans, hunks_between, with_hunks
from ctxcode.action.edit.origin import Origins
from ctxcode.action.edit.replace import LineSpan, new_file, replaced, replaced_lines
from ctxcode.action.edit.text import FileText, file_text
from ctxcode.model.edit.change import ChangeKind, FileChange, bytes_digest
from ctxcode.model.errors import EditError

_MOST_DELETED = 2_000
"""A longer file that goes is not shown line by line."""
EditArguments = ProposeEdit | CreateFile | DeleteFile | RenameFile


@dataclass(frozen=True, slots=True)
class EditCall:
    """A checked call that would change files."""

    id: str
    """The tool call's."""
    arguments: EditArguments
    path: str
    """As the file system knows it: relative, links resolved."""
    to: str = ""
    span: LineSpan | None = None
    """Of the definition the call names, in the file as it was read."""


@dataclass(slots=True)
class _File:
    """A file while the calls work on it."""

    before: bytes | None
    now: bytes | None
    to: str = ""
    calls: list[str] = field(default_factory=list)
    texts: FileText | None = None
    origins: Origins = field(default_factory=Origins)


@dataclass(slots=True)
class Worksheet:
    """The files of one reply's edits; calls are taken in order, each on what the ones before it made."""

    images: Mapping[str, bytes | None]
    """The bytes of every file the calls name; None for one that is not there."""
    _files: dict[str, _File] = field(default_factory=dict)

    def take(self, call: EditCall) -> None:
        """Carry out a call. Raises EditError when it can't be."""
        match call.arguments:
            case ProposeEdit():
                self._edit(call, call.arguments)
            case CreateFile():
                file = self._file(call)
                if file.now is not None:
                    raise EditError(f"{call.path!r} exists already", "Use propose_edit, or another path.")
                file.texts = new_file(call.arguments.content)
                file.now = file.texts.encoded()
            case DeleteFile():
                self._existing(call).now = None
            case RenameFile():
                self._rename(call)

    def changes(self) -> tuple[FileChange, ...]:
        """Return what the calls came to, by path; a file that is as it was is not listed."""
        made = (_change(path, file) for path, file in sorted(self._files.items()))
        return tuple(change for change in made if change is not None)

    def _file(self, call: EditCall) -> _File:
        moved = next((path for path, file in self._files.items() if file.to == call.path), call.path)
        image = self.images.get(call.path)
        file = self._files.setdefault(moved, _File(image, image))
        file.calls.append(call.id)
        return file

    def _existing(self, call: EditCall) -> _File:
        file = self._file(call)
        if file.now is None or (file.to and file.to != call.path):
            raise EditError(f"There is no file {call.path!r}", "list_files shows what there is.")
        return file

    def _edit(self, call: EditCall, asked: ProposeEdit) -> None:
        file = self._existing(call)
        text = file_text(file.now or b"", call.path)
        span = call.span
        if span is not None and file.now != file.before:
            span = _moved(span, file_text(file.before or b"", call.path).lines, text.lines)
        if asked.old is not None:
            file.texts = replaced(text, asked.old, asked.new, span)
        elif span is not None:
            file.texts = replaced_lines(text, span, asked.new)
        else:
            raise EditError("neither old nor symbol is given", "Give one of them.")
        file.now = file.texts.encoded()
        file.origins.note(call.id, text.lines, file.texts.lines)

    def _rename(self, call: EditCall) -> None:
        file = self._existing(call)
        taken = self._files.get(call.to)
        if self.images.get(call.to) is not None or (taken is not None and taken.now is not None):
            raise EditError(f"{call.to!r} exists already", "Choose another new_path.")
        if any(other.to == call.to for other in self._files.values()):
            raise EditError(f"{call.to!r} is the new path of two files", "Choose another new_path.")
        file.to = call.to


def _moved(span: LineSpan, before: tuple[str, ...], now: tuple[str, ...]) -> LineSpan:
    """Return where lines are after other calls of the reply. Raises EditError when these changed them."""
    offset = 0
    for start, end, new_start, new_end in changed_spans(before, now):
        if start < span.end and end > span.start - 1:
            raise EditError("the definition is changed by another call of this reply", "Quote the lines in old.")
        if end <= span.start - 1:
            offset += (new_end - new_start) - (end - start)
    return LineSpan(span.start + offset, span.end + offset)


def _change(path: str, file: _File) -> FileChange | None:
    calls, digest = tuple(file.calls), bytes_digest(file.before) if file.before is not None else ""
    if file.now == file.before and not file.to:
        return None
    if file.now is None:
        return None if file.before is None else _deleted(path, file.before, digest, calls)
    before = FileText("") if file.before is None else _text_or_empty(file.before, path)
    after = file.texts if file.texts is not None else before
    hunks = file.origins.told(hunks_between(before.lines, after.lines))
    if file.before is None:
        return FileChange(file.to or path, ChangeKind.CREATED, hunks, "", "", after.encoding, calls)
    kind = ChangeKind.RENAMED if file.to else ChangeKind.MODIFIED
    return FileChange(path, kind, hunks, digest, file.to, after.encoding, calls)


def _deleted(path: str, before: bytes, digest: str, calls: tuple[str, ...]) -> FileChange:
    text = _text_or_empty(before, path)
    lines = text.lines
    hunks = hunks_between(lines, ()) if len(lines) <= _MOST_DELETED else ()
    return FileChange(path, ChangeKind.DELETED, hunks, digest, "", text.encoding, calls)


def _text_or_empty(data: bytes, path: str) -> FileText:
    """Return a file's text; an empty one for what is none, which can only be deleted or renamed."""
    try:
        return file_text(data, path)
    except EditError:
        return FileText("", "binary")


def difference(path: str, before: bytes | None, now: bytes | None) -> FileChange | None:
    """Return what makes one version of a file another; None when they are the same."""
    made = _File(before, now)
    if now is not None and now != before:
        made.texts = _text_or_empty(now, path)
    return _change(path, made)


def edited_bytes(change: FileChange, before: bytes | None, accepted: Collection[int] | None = None) -> bytes | None:
    """Return a file's bytes after the accepted hunks of a change; None when it is gone then.

    ``before`` must be what the change was made from. Raises EditError when the bytes can't be.
    """
    if change.kind is ChangeKind.DELETED:
        return None
    if not change.hunks:
        return before if before is not None else b""
    text = FileText("") if before is None else file_text(before, change.path)
    return replace(text, text="".join(with_hunks(text.lines, change.hunks, accepted))).encoded()


def named_paths(calls: Iterable[EditArguments]) -> tuple[str, ...]:
    """Return every path that calls name, as written."""
    found: dict[str, None] = {}
    for call in calls:
        found[call.path] = None
        if isinstance(call, RenameFile):
            found[call.new_path] = None
    return tuple(found)
