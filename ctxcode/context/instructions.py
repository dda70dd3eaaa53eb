"""The files in which a repository's people tell assistants how they want work done, as candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcode.context.candidate import Candidate, Level
from ctxcode.context.candidates import Renderer
from ctxcode.model.ids import file_item
from ctxcode.model.plan import Detail, Reason, ReasonType, Section

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules")
"""Where they are looked for, relative to the repository; the first of several with the same text counts."""
KIND = "instructions"
SHARE = 0.25
"""Together they take at most this share of the active context."""
_HEADING = "### {path}: how the people of this repository want work done; follow it where the user does not differ\n"


@dataclass(frozen=True, slots=True)
class Instructions:
    """The files that were found."""

    told: tuple[Candidate, ...] = ()
    untold: tuple[tuple[Candidate, Reason], ...] = ()
    """Those of which not even the first line fits into their part."""


def instructions(renderer: Renderer, *, budget_tokens: int) -> Instructions:
    """Return the files that are there, in a fair share each: small ones whole, of the others the beginning.

    The smallest takes what it needs of an equal part, and what it leaves goes to the others (max-min fairness).
    """
    files: dict[tuple[str, ...], _File] = {}
    for path in INSTRUCTION_FILES:
        lines = tuple(line.rstrip("\r") for line in renderer.lines.get(path, ()))
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        if lines and lines not in files:
            files[lines] = _File(path, lines, _level(path, lines, len(lines), renderer))
    smallest_first = sorted(files.values(), key=lambda file: file.whole.tokens)
    levels = _shared(smallest_first, renderer, int(budget_tokens * SHARE))
    told, untold = [], []
    for file in files.values():
        level = levels.get(file.path)
        if level is not None:
            told.append(_candidate(file.path, file.lines, level))
        else:
            untold.append((_candidate(file.path, file.lines, file.whole), Reason(ReasonType.BUDGET)))
    return Instructions(tuple(told), tuple(untold))


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    lines: tuple[str, ...]
    whole: Level


def _shared(files: Sequence[_File], renderer: Renderer, room: int) -> dict[str, Level]:
    """Return what is shown of each file; of several whose first line is too long the largest leaves its part first."""
    levels: dict[str, Level] = {}
    left, unfit = room, None
    for number, file in enumerate(files):
        part = left // (len(files) - number)
        level = file.whole if file.whole.tokens <= part else _beginning(file, renderer, part)
        if level is None:
            unfit = file
            continue
        levels[file.path] = level
        left -= level.tokens
    return levels if unfit is None else _shared([file for file in files if file is not unfit], renderer, room)


def _candidate(path: str, lines: tuple[str, ...], level: Level) -> Candidate:
    return Candidate(
        file_item(path),
        Section.SCAFFOLD,
        KIND,
        path,
        (level,),
        reasons=(Reason(ReasonType.STRATEGY),),
        path=path,
        start_line=1,
        end_line=len(lines),
    )


def _beginning(file: _File, renderer: Renderer, room: int) -> Level | None:
    """Return as many of the first lines of a file as fit; None when not even one does."""
    low, high = 0, len(file.lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if _level(file.path, file.lines, middle, renderer).tokens <= room:
            low = middle
        else:
            high = middle - 1
    return _level(file.path, file.lines, low, renderer) if low else None


def _level(path: str, lines: tuple[str, ...], shown: int, renderer: Renderer) -> Level:
    text = _HEADING.format(path=path) + "".join(f"{line}\n" for line in lines[:shown])
    detail = Detail.BODY if shown == len(lines) else Detail.EXCERPT
    return Level(detail, text, renderer.count(text), ((1, shown),))
