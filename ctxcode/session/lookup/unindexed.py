"""Files that a prompt names and the index does not hold: data, unknown languages. They are shown as they are."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ctxcode.context.candidate import Candidate, Level
from ctxcode.context.candidates import Renderer
from ctxcode.context.render import numbered
from ctxcode.model.engine.item import LineRange
from ctxcode.model.errors import AbsentPathError, NoFileError, RefusedPathError, RepositoryError
from ctxcode.model.ids import file_item
from ctxcode.model.naming.shown import on_one_line
from ctxcode.model.plan import Detail, Reason, ReasonType, Section
from ctxcode.model.retrieval import Mention, MentionKind
from ctxcode.model.secret.path import is_secret
from ctxcode.session.ports import CodeGraph, Workspace
from ctxcode.session.strategy.past import parsed

_MOST = 8
"""Of one prompt: in a pasted log stand hundreds of paths."""
_SCORE = 4.2
"""What stands first among what is retrieved has as much."""
_LONGEST_LINE = 400
"""Characters: more of a line is not shown."""
_MOST_CHARS_A_TOKEN = 3
_AROUND = 12
"""Lines before and behind one that is pointed at."""
_ENDING = re.compile(r"\.\w{1,8}$")
_BARE_SHARE = 4
"""What is named in passing is shown when it takes no more than one of so many parts of the budget."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that is not in the index, and how it was named."""

    path: str
    mention: Mention
    refusal: Reason | None = None
    """Why it can't be shown."""

    @property
    def is_line(self) -> bool:
        """Whether one line is meant."""
        return self.mention.kind is MentionKind.LINE


def named_files(prompt: str, graph: CodeGraph, workspace: Workspace, known: Collection[str]) -> tuple[NamedFile, ...]:
    """Return the files that a prompt names by their whole paths and the index does not hold, first named first.

    ``known`` are paths that are shown anyway. What stands outside is not among them, and what is not there only where
    ``@`` says that it should be.
    """
    found: dict[str, NamedFile] = {}
    for mention in parsed(prompt).mentions:
        is_name = mention.kind is MentionKind.IDENTIFIER
        if len(found) >= _MOST or (is_name and (not mention.is_explicit or graph.symbols_named(mention.text))):
            continue
        path = _inside(mention.text, workspace)
        if not path or path in known or path in found or graph.symbols_in(path) or graph.paths_like(mention.text):
            continue
        try:
            workspace.read_text(path)
        except RepositoryError as error:
            refusal = _refusal(error, path, is_asked=f"@{mention.text}" in prompt)
            if refusal is not None:
                found[path] = NamedFile(path, mention, refusal)
        else:
            found[path] = NamedFile(path, mention)
    return tuple(found.values())


def _refusal(error: RepositoryError, path: str, *, is_asked: bool) -> Reason | None:
    """Return why a file is not shown; None where that is nothing to tell."""
    if isinstance(error, NoFileError | RefusedPathError):
        return Reason(ReasonType.SECRET) if is_asked and is_secret(path) else None
    if isinstance(error, AbsentPathError) and not (is_asked and _ENDING.search(path)):
        return None
    return Reason(ReasonType.UNREADABLE, subject=str(error).removeprefix(f"{path!r} "))


def refused_candidates(named: Sequence[NamedFile]) -> Iterator[tuple[Candidate, Reason]]:
    """Yield those of such files that can't be shown, with why."""
    for one in named:
        if one.refusal is not None:
            reasons = (Reason(ReasonType.MENTIONED, _SCORE, terms=(one.mention.text,)),)
            level, item = Level(Detail.NAME, "", 0), file_item(one.path)
            row = Candidate(item, Section.TOUCHPOINT, "missing", one.path, (level,), reasons=reasons, path=one.path)
            yield replace(row, score=_SCORE), one.refusal


def named_candidates(named: Sequence[NamedFile], renderer: Renderer, *, budget_tokens: int) -> Iterator[Candidate]:
    """Yield such files as candidates: whole, the lines around one that is pointed at, or the first of very many."""
    for one in named:
        lines = renderer.lines.get(one.path)
        if lines is None:
            continue
        reasons = (Reason(ReasonType.MENTIONED, _SCORE, terms=(one.mention.text,)),)
        part = _part(one, lines, budget_tokens)
        made = renderer.file(one.path, Section.TOUCHPOINT, reasons) if part is None else _lines(one, part, renderer)
        is_small = made.richest.tokens * _BARE_SHARE <= budget_tokens
        yield replace(made, reasons=reasons, score=_SCORE, is_chosen=one.mention.is_explicit or is_small)


def _part(one: NamedFile, lines: Sequence[str], budget_tokens: int) -> tuple[int, int] | None:
    """Return the first and last line of what is shown of a file; None for all of it."""
    last = len(lines) - (lines[-1] == "")
    if one.is_line and one.mention.line <= last:
        return max(1, one.mention.line - _AROUND), min(last, one.mention.line + _AROUND)
    if sum(map(len, lines)) <= _MOST_CHARS_A_TOKEN * budget_tokens:
        return None
    # Who names a long log is told how it begins, and can name a line of it.
    room, shown = budget_tokens, 0
    while shown < last and room > 0:
        room -= min(len(lines[shown]), _LONGEST_LINE) + 1
        shown += 1
    return 1, shown


def _lines(one: NamedFile, part: tuple[int, int], renderer: Renderer) -> Candidate:
    start, end = part
    lines = renderer.lines[one.path]
    heading = f"### {on_one_line(one.path)}:{start}-{end} lines, of {len(lines) - (lines[-1] == '')}"
    text = f"{heading}\n{numbered(lines, start, end)}"
    level = Level(Detail.BODY, text, renderer.count(text), (part,))
    item = LineRange(one.path, start, end).item
    made = Candidate(item, Section.TOUCHPOINT, "lines", f"{one.path}:{start}-{end}", (level,), path=one.path)
    return replace(made, start_line=start, end_line=end)


def _inside(text: str, workspace: Workspace) -> str:
    """Return a path as the repository has it; empty for one that leads out of it."""
    root = f"{workspace.info.root}/"
    path = text.removeprefix(root)
    return "" if path.startswith(("/", "~")) or ".." in path.split("/") else path


def is_readable(path: str, workspace: Workspace) -> bool:
    """Return whether a file is text that may be read."""
    try:
        workspace.read_text(path)
    except RepositoryError:
        return False
    return True
