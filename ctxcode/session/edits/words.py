"""What the model is told of its edits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ctxcode.action.edit.change import EditArguments
from ctxcode.model.conversation import ToolStatus
from ctxcode.model.edit.change import ChangeKind, DecidedBy, EditState, FileChange, FileOutcome, FileVerdict, Hunk
from ctxcode.model.edit.event import EditsSettled
from ctxcode.session.edits.approval import Decision
from ctxcode.session.tools.desk import Answer

_SHOWN_LINES = 20
_DENIED = (
    "Not written: edits are not allowed in this run (`ctxcode ask --allow-edits` allows them). Show the change in your "
    "answer instead.\n"
)

_TO_BE_SEEN = (
    "Not written: editors, shells or hooks run what {} says, so somebody has to look at the change first, and nobody "
    "is there in this run. Show the change in your answer instead.\n"
)
_TAKEN_BACK = Answer(ToolStatus.OK, "Nothing changes: another call of the reply takes this one back.\n")


def problem_answers(
    calls: Sequence[str], problems: Mapping[str, str], refused: Collection[str]
) -> Mapping[str, Answer]:
    """Return the answers when a call can't be carried out: nothing of the reply is proposed."""
    if not problems:
        return {call: Answer(ToolStatus.FAILED, "Nothing would change.\n") for call in calls}
    skipped = Answer(
        ToolStatus.SKIPPED, "Not proposed: another edit of the same reply can't be made. Send all again.\n"
    )
    return {
        call: Answer(ToolStatus.REFUSED if call in refused else ToolStatus.FAILED, f"Not proposed: {problems[call]}\n")
        if call in problems
        else skipped
        for call in calls
    }


def answers(
    asked: Sequence[tuple[str, EditArguments]], changes: Sequence[FileChange], said: Decision, settled: EditsSettled
) -> Mapping[str, Answer]:
    """Return each call's answer after its set was settled."""
    by_call: dict[str, Answer] = {}
    for change, verdict, outcome in zip(changes, said.verdicts, settled.outcomes, strict=True):
        made = _answer(change, outcome, said)
        is_chosen = outcome.state is EditState.APPLIED and verdict.hunks is not None
        by_call |= {call: _chosen_answer(call, change, verdict, said) if is_chosen else made for call in change.calls}
    return {call_id: by_call.get(call_id, _TAKEN_BACK) for call_id, _ in asked}


def _answer(change: FileChange, outcome: FileOutcome, said: Decision) -> Answer:
    where = f"{change.path} → {change.to}" if change.to else change.path
    note = f" They said: {said.note}" if said.note else ""
    match outcome.state:
        case EditState.APPLIED if change.is_users:
            text = f"Applied as the user edited it: {where} {_kind_words(change)}.{note}\n"
            return Answer(ToolStatus.OK, text + _diff(change.hunks))
        case EditState.APPLIED:
            return Answer(ToolStatus.OK, f"Applied: {where} {_kind_words(change)}.{note}\n")
        case EditState.REJECTED if said.by is DecidedBy.POLICY:
            return Answer(ToolStatus.REFUSED, _DENIED if not said.delicate else _TO_BE_SEEN.format(said.delicate))
        case EditState.REJECTED:
            text = f"The user rejected the change of {where}; it is as it was.{note or ' Ask them, or do otherwise.'}\n"
            return Answer(ToolStatus.REJECTED, text)
        case _:
            return Answer(ToolStatus.FAILED, f"Not written: {outcome.detail or 'the set could not be written'}\n")


def _chosen_answer(call: str, change: FileChange, verdict: FileVerdict, said: Decision) -> Answer:
    """Return a call's answer where some hunks of its file were accepted and others were not."""
    where = f"{change.path} → {change.to}" if change.to else change.path
    note = f" They said: {said.note}" if said.note else ""
    mine = change.hunks_of(call)
    left = [change.hunks[place] for place in mine if place not in (verdict.hunks or ())]
    if not mine and not change.to:
        return _TAKEN_BACK
    if not left:
        done = replace(change, hunks=tuple(change.hunks[place] for place in mine))
        others = " The user rejected other changes of this file."
        return Answer(ToolStatus.OK, f"Applied: {where} {_kind_words(done)}.{others}{note}\n")
    if len(left) == len(mine):
        others = " Other changes of this file are applied."
        text = f"The user rejected this change of {where}; these lines are as they were.{others}{note}\n"
        return Answer(ToolStatus.REJECTED, text + _diff(left))
    text = f"Applied in part: {where}. The user rejected {len(left)} of {len(mine)} hunks.{note}\n"
    return Answer(ToolStatus.OK, text + _diff(left))


def _kind_words(change: FileChange) -> str:
    counts = f"+{change.added} -{change.removed} lines"
    match change.kind:
        case ChangeKind.CREATED:
            return f"is created, {counts}"
        case ChangeKind.DELETED:
            return "is deleted"
        case ChangeKind.RENAMED:
            return f"is renamed, {counts}"
        case ChangeKind.MODIFIED:
            starts = [str(hunk.after_start) for hunk in change.hunks[:8]]
            where = "line" if len(starts) == 1 else "lines"
            return f"is changed, {counts}, at {where} {', '.join(starts)}"


def _diff(hunks: Sequence[Hunk]) -> str:
    lines = [f"@@ line {hunk.before_start}\n{_rows('-', hunk.before)}{_rows('+', hunk.after)}" for hunk in hunks[:6]]
    return "".join(lines)


def _rows(sign: str, lines: Sequence[str]) -> str:
    rows = "".join(sign + line.rstrip("\r\n") + "\n" for line in lines[:_SHOWN_LINES])
    return rows + (f"{sign}⋯\n" if len(lines) > _SHOWN_LINES else "")
