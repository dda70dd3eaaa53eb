"""A turn's tool calls: one calm line each, and what went wrong below those that failed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from ctxcode.model.conversation import LoopPattern, LoopStage, ToolCall, ToolResult, ToolRound, ToolStatus
from ctxcode.model.event import LoopNoticed, ReplyContinued
from ctxcode.model.naming.number import counted
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.edit.view import EditView
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import short_count
from ctxcode.tui.widgets.turn.edit_lines import diffs_by_call, proposals

_NOTES = {
    ToolStatus.ABSENT: "not there",
    ToolStatus.REPEATED: "asked before",
    ToolStatus.REFUSED: "refused",
    ToolStatus.REJECTED: "rejected",
    ToolStatus.FAILED: "failed",
    ToolStatus.INVALID: "invalid call",
    ToolStatus.SKIPPED: "not run",
    ToolStatus.INTERRUPTED: "interrupted",
}
_EDITS = frozenset({"propose_edit", "create_file", "delete_file", "rename_file"})
_NOT_SHOWN = frozenset({"start_line", "end_line", "old", "new", "content"})
"""Arguments that have a place of their own, or are in the diff."""
_VALUE_CHARS = 80
_FAILURE_CHARS = 300
_SAID_LINES = 10
"""What is shown of a thought."""
_TOUCHED = 6
_INDENT = "  "
_LEAST_CELLS = 8
WHOLE = 100_000
"""Cells of a line in which nothing is folded or left out."""
_RESULT_LINES = 24
"""What is shown of a result that was opened."""
Notice = LoopNoticed | ReplyContinued


def tool_lines(
    rounds: tuple[ToolRound, ...],
    notices: tuple[Notice, ...],
    glyphs: Glyphs,
    *,
    is_open: bool = False,
    edits: Sequence[EditView] = (),
    width: int = 80,
) -> Content:
    """Return what a model said and called on its way to the answer; empty when there is nothing to tell of it.

    Open, what it said is whole, each call shows what it was answered with, and below what was proposed to change stands
    its diff. ``width`` is what a line may take, in cells.
    """
    lines: list[Content] = []
    proposed = proposals(rounds, edits)
    for iteration, made in enumerate(rounds):
        lines += [_notice_line(notice, glyphs) for notice in notices if notice.iteration == iteration]
        if said := clean(made.said).strip():
            lines += _capped(said, len(said) if is_open else _SAID_LINES, glyphs)
        if not made.calls:
            lines.append(Content.styled(f"{glyphs.dot} thought, and said nothing", "$muted"))
        here = proposed[iteration]
        is_shown = is_open and bool(made.results)
        diffs = diffs_by_call(here.proposed, width, glyphs) if here is not None and is_shown else {}
        results = (*made.results, *[None] * (len(made.calls) - len(made.results)))
        for call, result in zip(made.calls, results, strict=True):
            called = _call_lines(call, result, glyphs, _edited(here, call), _Room(width, is_open=is_open))
            lines += [*called, *diffs.get(call.id, ())]
    lines += [_notice_line(notice, glyphs) for notice in notices if notice.iteration >= len(rounds)]
    return Content("\n").join(lines)


def _edited(view: EditView | None, call: ToolCall) -> str:
    """Return what came of an edit that was carried out."""
    if view is not None and view.is_undone(call.id):
        return "undone since"
    return "applied in part" if view is not None and view.is_partial(call.id) else "applied"


def _notice_line(notice: Notice, glyphs: Glyphs) -> Content:
    """Return what the loop guard saw and did, or that a cut reply went on, in one calm line."""
    if isinstance(notice, ReplyContinued):
        words = f"cut at the output limit, asked for the rest {glyphs.dot} {notice.times} of {notice.most}"
        return Content.styled(f"{glyphs.dot} {words}", "$muted")
    words = _CIRCLES[notice.pattern].format(times=notice.times)
    return Content.styled(f"{glyphs.stale} going in circles: {words} {glyphs.dot} {_STAGES[notice.stage]}", "$muted")


_CIRCLES = {
    LoopPattern.SAME_CALL: "the same call {times} times, with the same result",
    LoopPattern.IDLE: "{times} replies that ran nothing",
    LoopPattern.SAME_THEME: "the same thought {times} times",
    LoopPattern.NO_NEWS: "{times} replies without anything new",
}
_STAGES = {
    LoopStage.NUDGE: "told to do something else",
    LoopStage.ASK: "told to ask you",
    LoopStage.STOP: "made to answer",
}


def _capped(text: str, most: int, glyphs: Glyphs) -> list[Content]:
    """Return a text's first lines, muted, and how many more there are."""
    lines = text.split("\n")
    shown = lines[:most]
    if len(lines) > most:
        shown.append(f"{glyphs.ellipsis} {counted(len(lines) - most, 'more line')}")
    return [Content.styled(line, "$muted") for line in shown]


@dataclass(frozen=True, slots=True)
class _Room:
    """How much of a call is shown, and in how many cells a line."""

    width: int
    is_open: bool


def set_in(lines: Sequence[Content], width: int) -> list[Content]:
    """Return lines set in below what they belong to, folded so that what goes on stands below its beginning."""
    room = max(_LEAST_CELLS, width - len(_INDENT))
    parts = [part for line in lines for part in (line.wrap(room) if line.cell_length > room else [line])]
    return [Content(_INDENT) + part for part in parts]


def _call_lines(call: ToolCall, result: ToolResult | None, glyphs: Glyphs, edited: str, room: _Room) -> list[Content]:
    """Return a call, and, when it is open or failed, what it was answered with."""
    is_failure = result is not None and result.status.is_failure
    sign, colour = (
        (glyphs.failed, "$error") if is_failure else (glyphs.open if room.is_open else glyphs.closed, "$muted")
    )
    name = Content.styled(f"{sign} ", colour) + Content(clean_line(call.name, 64))
    came_to = Content.styled(f"  {_came_to(call, result, glyphs, edited)}", "$muted")
    summary = Content.styled(f" {call_summary(call, glyphs)}", "$muted")
    cells = room.width - name.cell_length - came_to.cell_length
    # One line a call: where there is too little room, of what it was given the beginning is shown.
    line = name + _beginning(summary, max(_LEAST_CELLS, cells), glyphs) + came_to
    if result is None:
        return [line]
    if room.is_open:
        return [line, *set_in(_capped(clean(result.text).rstrip("\n"), _RESULT_LINES, glyphs), room.width)]
    if not is_failure or result.status is ToolStatus.SKIPPED:
        return [line, *set_in(_touched_lines(result), room.width)]
    # Of a rejected edit the first line says it; the diff below was just looked at.
    text = result.text.partition("\n")[0] if result.status is ToolStatus.REJECTED else result.text
    return [line, *set_in([Content.styled(clean_line(text, _FAILURE_CHARS), "$muted")], room.width)]


def _beginning(content: Content, cells: int, glyphs: Glyphs) -> Content:
    if content.cell_length <= cells:
        return content
    return content.truncate(cells - len(glyphs.ellipsis)) + Content.styled(glyphs.ellipsis, "$muted")


def _came_to(call: ToolCall, result: ToolResult | None, glyphs: Glyphs, edited: str) -> str:
    if result is None:
        return f"pending {glyphs.ellipsis}" if call.name in _EDITS else glyphs.ellipsis
    done = edited if call.name in _EDITS else f"{short_count(result.tokens)} tok"
    code = "" if result.exit_code is None else f" {glyphs.dot} exit code {result.exit_code}"
    return f"{glyphs.dot} {_NOTES.get(result.status, done)}{code}"


def _touched_lines(result: ToolResult) -> list[Content]:
    """Return the files a command changed, in one line."""
    if not result.touched:
        return []
    names = ", ".join(f"{clean_line(one.path, 60)} ({one.fate.value})" for one in result.touched[:_TOUCHED])
    more = len(result.touched) - _TOUCHED
    rest = f" and {counted(more, 'more file')}" if more > 0 else ""
    return [Content.styled(f"files it changed: {names}{rest}", "$warning")]


def call_summary(call: ToolCall, glyphs: Glyphs) -> str:
    """Return a call's arguments in a few words: ``src/x.py 1–80``, ``Query.join body``."""
    try:
        given = json.loads(call.arguments)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return ""
    words = [_value(value) for key, value in given.items() if key not in _NOT_SHOWN and value is not None]
    span = [_value(given[key]) for key in _LINES if given.get(key) is not None]
    if span:
        words.append("–".join(span) if glyphs.dot == "·" else "-".join(span))
    return clean_line(" ".join(words), 2 * _VALUE_CHARS)


_LINES = ("start_line", "end_line")


def _value(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return clean_line(text, _VALUE_CHARS)
