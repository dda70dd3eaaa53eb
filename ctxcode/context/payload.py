"""The messages of a request, stable parts first so that a provider's prompt cache can keep them."""

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import groupby

from ctxcode.context.candidate import SO_FAR, Candidate, Exchange, Level, PlanRequest, ToolAtom
from ctxcode.context.pack import tail_heading
from ctxcode.model.conversation import ToolResult, ToolRound, ToolStatus
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import Detail, Payload, PayloadMessage, Section

PINS_TITLE = "\n## Pinned\n"
ANCHOR_TITLE = "\n## State of this conversation, as you noted it\n"
SCAFFOLD_TITLE = "\n## The repository\n"
TOUCHPOINTS_TITLE = "## Code that may matter here\n"
QUESTION_TITLE = "\n## The question\n"


@dataclass(slots=True)
class Shown:
    """What goes into the payload, by section, each in payload order."""

    pins: list[tuple[Candidate, Level]] = field(default_factory=list)
    scaffold: list[tuple[Candidate, Level]] = field(default_factory=list)
    blocks: list[tuple[Candidate, Level]] = field(default_factory=list)
    anchor: list[tuple[Candidate, Level]] = field(default_factory=list)
    history: list[Exchange] = field(default_factory=list)
    touchpoints: list[tuple[Candidate, Level]] = field(default_factory=list)
    atoms: list[tuple[ToolAtom, Level]] = field(default_factory=list)
    holds_system: bool = True
    holds_message: bool = True
    endings: list[Candidate] = field(default_factory=list)
    """What stands after the tool calls: the reply to be continued, the note to the model."""

    def ordered(self, request: PlanRequest) -> list[tuple[Candidate, Level, Section]]:
        """Return everything that is shown with its section, in payload order."""
        rows = [(request.system, request.system.richest, Section.SYSTEM)] if self.holds_system else []
        if request.tools is not None and self.holds_system:
            rows.append((request.tools.candidate, request.tools.candidate.richest, Section.TOOLS))
        rows += [(candidate, level, Section.PIN) for candidate, level in self.pins]
        rows += [(candidate, level, Section.SCAFFOLD) for candidate, level in self.scaffold]
        rows += [(candidate, level, Section.SUMMARY) for candidate, level in self.blocks]
        rows += [(candidate, level, Section.ANCHOR) for candidate, level in self.anchor]
        rows += [(turn.candidate, turn.candidate.richest, Section.HISTORY) for turn in self.history]
        rows += [(candidate, level, Section.TOUCHPOINT) for candidate, level in self.touchpoints]
        if self.holds_message:
            rows.append((request.message, request.message.richest, Section.MESSAGE))
        rows += [(atom.candidate, level, Section.TOOL_ATOM) for atom, level in self.atoms]
        rows += [(candidate, candidate.richest, Section.TOOL_ATOM) for candidate in self.endings]
        return rows


def payload_of(request: PlanRequest, shown: Shown) -> Payload:
    """Return the messages, stable parts first; the current turn's tool calls follow the user's message."""
    system = [request.system.richest.text]
    if shown.pins:
        system += [PINS_TITLE, *(level.text for _, level in shown.pins)]
    if shown.scaffold:
        system += [SCAFFOLD_TITLE, *(level.text for _, level in shown.scaffold)]
    for _, level in shown.blocks:
        system += ["\n", level.text]
    if shown.anchor:
        system += [ANCHOR_TITLE, *(level.text for _, level in shown.anchor)]
    messages = [PayloadMessage("system", "".join(system))]
    for turn in shown.history:
        messages.append(PayloadMessage("user", turn.prompt))
        for made in turn.rounds:
            messages += _round(made)
        messages.append(PayloadMessage("assistant", turn.reply))
    question = request.message.richest.text
    if shown.touchpoints:
        question = "".join([TOUCHPOINTS_TITLE, *_touchpoint_texts(shown.touchpoints), QUESTION_TITLE, question])
    messages.append(PayloadMessage("user", question))
    for _, group in groupby(shown.atoms, key=lambda row: row[0].iteration):
        rows = list(group)
        said = next((atom.said for atom, _ in rows if atom.said), "")
        results = tuple(ToolResult(ToolStatus.OK, level.text) for _, level in rows)
        messages += _round(ToolRound(said, tuple(atom.call for atom, _ in rows), results))
    for candidate in shown.endings:
        role = "assistant" if candidate.id == SO_FAR else "user"
        messages.append(PayloadMessage(role, candidate.richest.text))
    return Payload(tuple(messages), request.tools.specs if request.tools is not None else ())


def _round(made: ToolRound) -> list[PayloadMessage]:
    """Return an assistant's message with its calls, and right after it the result of each."""
    answers = [
        PayloadMessage("tool", result.text, call_id=call.id)
        for call, result in zip(made.calls, made.results, strict=True)
    ]
    return [PayloadMessage("assistant", made.said, made.calls), *answers]


def grouped(touchpoints: list[tuple[Candidate, Level]]) -> list[tuple[Candidate, Level]]:
    """Return rich touchpoints in rank order, then the signatures file by file, each file where its best one ranks."""
    ordered: list[tuple[Candidate, Level]] = []
    files: dict[str, list[tuple[Candidate, Level]]] = {}
    shown: set[ItemId] = set()
    for row in touchpoints:
        if row[1].detail is Detail.SIGNATURE:
            files.setdefault(row[0].path, []).append(row)
            shown.add(row[0].id)
        else:
            ordered.append(row)
    for rows in files.values():
        ordered += rows if len(rows) == 1 else sorted(rows, key=lambda row: _place(row[0], row[0].owner, shown))
    return ordered


def _place(candidate: Candidate, owner: Candidate | None, shown: Collection[ItemId]) -> tuple[int, bool, int, str]:
    """Sort a file's signatures by line, what stands in a type or block behind the line of that."""
    is_below = owner is not None and owner.id in shown
    start = owner.start_line if owner is not None and is_below else candidate.start_line
    return (start, is_below, candidate.start_line, candidate.id)


def _touchpoint_texts(touchpoints: list[tuple[Candidate, Level]]) -> list[str]:
    texts: list[str] = []
    path = ""
    for candidate, level in touchpoints:
        if level.detail is Detail.SIGNATURE and candidate.path != path:
            path = candidate.path
            texts.append(tail_heading(path))
        texts.append(level.text)
    return texts
