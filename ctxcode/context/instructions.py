"""The files in which a repository's people tell assistants how they want work done, as candidates."""

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
    """Those that their share leaves no room for."""


def instructions(renderer: Renderer, *, budget_tokens: int) -> Instructions:
    """Return the files that are there: whole as far as their share reaches, then the beginning of one."""
    room = int(budget_tokens * SHARE)
    seen: set[tuple[str, ...]] = set()
    told: list[Candidate] = []
    untold: list[tuple[Candidate, Reason]] = []
    for path in INSTRUCTION_FILES:
        lines = tuple(line.rstrip("\r") for line in renderer.lines.get(path, ()))
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        if not lines or lines in seen:
            continue
        seen.add(lines)
        level = _fitting(path, lines, renderer, room)
        if level is None:
            untold.append(
                (_candidate(path, lines, _level(path, lines, len(lines), renderer)), Reason(ReasonType.BUDGET))
            )
            continue
        room -= level.tokens
        told.append(_candidate(path, lines, level))
    return Instructions(tuple(told), tuple(untold))


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


def _fitting(path: str, lines: tuple[str, ...], renderer: Renderer, room: int) -> Level | None:
    """Return the whole file when it fits, else as many of its first lines as do; None when not even one does."""
    low, high = 0, len(lines)
    while low < high:
        middle = high if low == 0 and high == len(lines) else (low + high + 1) // 2
        if _level(path, lines, middle, renderer).tokens <= room:
            low = middle
        else:
            high = middle - 1
    return _level(path, lines, low, renderer) if low else None


def _level(path: str, lines: tuple[str, ...], shown: int, renderer: Renderer) -> Level:
    text = _HEADING.format(path=path) + "".join(f"{line}\n" for line in lines[:shown])
    detail = Detail.BODY if shown == len(lines) else Detail.EXCERPT
    return Level(detail, text, renderer.count(text), ((1, shown),))
