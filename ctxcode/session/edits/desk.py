"""From a reply's edit calls to changes of files, and from accepted changes to a written set. Blocks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ctxcode.action.arguments import CreateFile, DeleteFile, ProposeEdit, RenameFile
from ctxcode.action.edit.change import EditArguments, EditCall, Worksheet, difference, edited_bytes, named_paths
from ctxcode.action.edit.merge import merged
from ctxcode.action.edit.replace import LineSpan
from ctxcode.action.edit.text import FileText, file_text
from ctxcode.context.render import is_stale
from ctxcode.model.edit.change import (
    ChangeKind,
    EditState,
    FileChange,
    FileImage,
    FileOutcome,
    FileVerdict,
    FileWrite,
    bytes_digest,
)
from ctxcode.model.errors import CtxcodeError, EditError, RefusedPathError, StaleFileError, UsageError
from ctxcode.session.ports import CodeGraph, FileEditor

Asked = tuple[str, EditArguments]
"""A tool call's id and what it asks for."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a reply's edit calls come to."""

    changes: tuple[FileChange, ...] = ()
    problems: Mapping[str, CtxcodeError] | None = None
    """By call id, when some can't be carried out: then nothing is proposed."""


@dataclass(frozen=True, slots=True)
class EditDesk:
    """The files of the repository as edits see them."""

    editor: FileEditor
    graph: CodeGraph
    bases: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)
    """What files held when the newest set was made from them, by digest."""

    def prepared(
        self, asked: Sequence[Asked], read_only: Collection[str] = (), edited: Sequence[FileChange] = ()
    ) -> Prepared:
        """Return the changes that all calls together come to, or what is wrong with some of them.

        ``read_only`` are paths that the user keeps as they are; ``edited`` are changes of an earlier diff that the user
        has edited: their text takes the place of what their calls ask for.
        """
        users: list[FileChange] = []
        problems: dict[str, CtxcodeError] = {}
        for change in edited:
            try:
                users += self._renewed(change)
            except (EditError, RefusedPathError) as error:
                problems.update(dict.fromkeys(change.calls, error))
        theirs = {call for change in edited for call in change.calls}
        made = self._made([one for one in asked if one[0] not in theirs], read_only)
        problems.update(made.problems or {})
        if problems:
            return Prepared(problems=problems)
        return Prepared(tuple(sorted((*made.changes, *users), key=lambda change: change.path)))

    def _made(self, asked: Sequence[Asked], read_only: Collection[str]) -> Prepared:
        images: dict[str, FileImage] = {}
        problems: dict[str, CtxcodeError] = {}
        for call_id, arguments in asked:
            for path in named_paths((arguments,)):
                try:
                    images[path] = images.get(path) or self.editor.image(path)
                except (EditError, RefusedPathError) as error:
                    problems[call_id] = error
                    continue
                if images[path].path in read_only:
                    problems[call_id] = RefusedPathError(
                        f"{path!r} is kept read-only by the user", "Leave it as it is."
                    )
        if problems:
            return Prepared(problems=problems)
        self._remember(images.values())
        sheet = Worksheet({image.path: image.data for image in images.values()})
        for call_id, arguments in asked:
            try:
                sheet.take(self._call(call_id, arguments, images))
            except EditError as error:
                problems[call_id] = error
        return Prepared(problems=problems) if problems else Prepared(sheet.changes())

    def _renewed(self, change: FileChange) -> tuple[FileChange, ...]:
        """Return what makes a file, as it is now, the user's text; nothing when it is that already.

        What changed meanwhile stays where the user's text leaves those lines as they were.
        """
        base, image = self._before(change), self.editor.image(change.path)
        self._remember([image])
        data = edited_bytes(change, base)
        if data is None:
            return (change,)
        if base is not None and image.data is not None:
            data = _with_both(change.path, base, data, image.data)
        made = difference(change.path, image.data, data)
        if made is None:
            return ()
        is_moved = bool(change.to) and image.data is not None
        kind, to = (ChangeKind.RENAMED, change.to) if is_moved else (made.kind, "")
        path = change.path if is_moved else change.to or change.path
        return (replace(made, path=path, kind=kind, to=to, calls=change.calls, is_users=True),)

    def _remember(self, images: Iterable[FileImage]) -> None:
        self.bases.update({bytes_digest(image.data): image.data for image in images if image.data is not None})

    def _call(self, call_id: str, arguments: EditArguments, images: Mapping[str, FileImage]) -> EditCall:
        image = images[arguments.path]
        if isinstance(arguments, DeleteFile | RenameFile | CreateFile) and image.is_link:
            raise EditError(f"{arguments.path!r} is a link", f"It leads to {image.path!r}.")
        to = images[arguments.new_path].path if isinstance(arguments, RenameFile) else ""
        return EditCall(call_id, arguments, image.path, to, self._span(arguments, image))

    def _span(self, arguments: EditArguments, image: FileImage) -> LineSpan | None:
        """Return where the definition is that a call names. Raises EditError unless there is exactly one."""
        name = arguments.symbol if isinstance(arguments, ProposeEdit) else None
        if name is None or image.data is None:
            return None
        known = [symbol for symbol in self.graph.symbols_in(image.path) if symbol.qualname]
        bare = name.rpartition("::")[2]
        found = [symbol for symbol in known if name in (symbol.id, symbol.qualname, symbol.dotted)]
        found = found or [symbol for symbol in known if bare in (symbol.qualname, symbol.name)]
        if len(found) != 1:
            there = ", ".join(symbol.qualname for symbol in (found or known)[:12])
            what = f"{len(found)} definitions named {name!r}" if found else f"no definition {name!r}"
            raise EditError(f"{image.path!r} has {what}", f"There are: {there}. Or quote the lines in old.")
        lines = file_text(image.data, image.path).lines
        if is_stale(found[0], lines):
            raise EditError(f"the index has not caught up with {image.path!r}", "Quote the lines in old.")
        return LineSpan(found[0].start_line, found[0].end_line)

    def write(
        self, changes: Sequence[FileChange], verdicts: Sequence[FileVerdict], note: str = ""
    ) -> tuple[tuple[FileOutcome, ...], tuple[str, ...]]:
        """Write what was accepted, all of it or nothing; return an outcome for each change, and the folders made.

        Raises StaleFileError when a file is not what its change was made from, else EditError.
        """
        writes: list[FileWrite] = []
        outcomes: list[FileOutcome] = []
        for change, verdict in zip(changes, verdicts, strict=True):
            if not verdict.is_accepted:
                outcomes.append(FileOutcome(change.path, EditState.REJECTED, change.before, change.before, detail=note))
                continue
            image = self.editor.image(change.path)
            made = _writes(change, verdict, image)
            writes += made
            data = made[-1].data
            after = bytes_digest(data) if data is not None else ""
            outcomes.append(
                FileOutcome(change.path, EditState.APPLIED, change.before, after, change.to, mode=image.mode)
            )
        return tuple(outcomes), self.editor.write(writes)

    def proposed_text(self, change: FileChange) -> str:
        """Return the text a file is to have. Raises UsageError or EditError when there is none to edit."""
        return self._proposed(change).text

    def revised(self, change: FileChange, text: str) -> FileChange:
        """Return a change whose proposed text the user has edited. Raises UsageError when nothing would change."""
        data = replace(self._proposed(change), text=text).encoded()
        made = difference(change.path, self._before(change), data)
        if made is None and not change.to:
            raise UsageError(f"With this text {change.path!r} stays as it is.", "n rejects the edit.")
        hunks = made.hunks if made is not None else ()
        return replace(change, hunks=hunks, is_users=True)

    def _proposed(self, change: FileChange) -> FileText:
        data = edited_bytes(change, self._before(change))
        if data is None:
            raise UsageError(f"{change.path!r} is to be deleted: there is no text to edit.", "n rejects it.")
        return file_text(data, change.path)

    def _before(self, change: FileChange) -> bytes | None:
        """Return what a change was made from. Raises StaleFileError when that is not known any more."""
        if change.before in self.bases:
            return self.bases[change.before]
        image = self.editor.image(change.path)
        if (bytes_digest(image.data) if image.data is not None else "") != change.before:
            raise StaleFileError(f"{change.path!r} changed after the edit was proposed", "y shows the new diff.")
        return image.data

    def undo(self, outcomes: Sequence[FileOutcome], folders: Sequence[str]) -> tuple[FileOutcome, ...]:
        """Give files the content they had before; return those that are left alone, with why.

        Raises EditError when the others can't be written; then none is.
        """
        writes: list[FileWrite] = []
        refused: list[FileOutcome] = []
        for outcome in outcomes:
            before = self.editor.kept(outcome.before) if outcome.before else None
            problem = self._problem(outcome)
            if not problem and outcome.before and before is None:
                problem = "what it held before is no longer kept"
            if problem:
                refused.append(FileOutcome(outcome.path, EditState.FAILED, to=outcome.to, detail=problem))
            elif outcome.to:
                writes += [
                    FileWrite(outcome.to, outcome.after, None),
                    FileWrite(outcome.path, "", before, like=outcome.to),
                ]
            else:
                writes.append(FileWrite(outcome.path, outcome.after, before, mode=outcome.mode))
        if writes:
            self.editor.write(writes)
            self.editor.remove_empty(folders)
        return tuple(refused)

    def _problem(self, outcome: FileOutcome) -> str:
        """Return why a file can't be restored; empty when it can."""
        try:
            image = self.editor.image(outcome.to or outcome.path)
            if (bytes_digest(image.data) if image.data is not None else "") != outcome.after:
                return "it changed since"
            if outcome.to and self.editor.image(outcome.path).data is not None:
                return "there is another file at its old path"
        except CtxcodeError as error:
            return str(error)
        return ""


def _with_both(path: str, base: bytes, mine: bytes, now: bytes) -> bytes:
    """Return the user's text with what changed meanwhile, or the user's alone where these meet."""
    try:
        before, text, there = (file_text(data, path) for data in (base, mine, now))
        lines = merged(before.lines, text.lines, there.lines)
        return mine if lines is None else replace(there, text="".join(lines)).encoded()
    except EditError:
        return mine


def _writes(change: FileChange, verdict: FileVerdict, image: FileImage) -> list[FileWrite]:
    """Return what makes a file what was accepted. Raises StaleFileError when it is not what it was made from."""
    if (bytes_digest(image.data) if image.data is not None else "") != change.before:
        raise StaleFileError(f"{change.path!r} changed after the edit was proposed", "Look at the new diff.")
    data = edited_bytes(change, image.data, verdict.hunks)
    if change.kind is ChangeKind.RENAMED:
        return [FileWrite(change.path, change.before, None), FileWrite(change.to, "", data, like=change.path)]
    return [FileWrite(change.path, change.before, data)]
