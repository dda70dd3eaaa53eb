"""A prompt seen as passages: what the user says and what the user pasted."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from ctxcode.intent.diff import is_normal_line, normal_names

_MOST_CHARACTERS = 40_000
"""How much of a prompt is looked at: its beginning and its end, where questions stand."""

_FENCE = ("```", "~~~")
_ESCAPE = r"\x1b(?:\[[0-9;:?]{0,40}[ -/]?[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78M])"
"""What a terminal takes for colours and links: programs write it between a path and its line."""
_LOG_LINE = re.compile(
    r"(?:\s{4,}|\t|>{1,3}\s|\$\s|[\[(]?\d{2,4}[-/:.]\d{2}[-/:.]\d{2}|[\[(]?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b"
    r"|Traceback \(most recent|Caused by: |\s*File \"|\s*at\s+\S+\s*\(|E\s{3}"
    r"|\s{1,4}\d{1,4}:\s{1,9}(?:0x[0-9a-f]+ - )?(?:\w\S{0,300}?|<[^\n]{0,300}?)::\w"
    r"|@@ |diff --git |index [0-9a-f]{6,}|\+\+\+ |--- )"
)
_SENTENCE_END = re.compile(r"[.!?…](?:\s|$)|[。！？]")


@dataclass(frozen=True, slots=True)
class Passages:
    """The lines of a prompt by what they are."""

    focus: str
    """The first sentence the user wrote."""
    prose: str
    """Everything the user wrote, the focus too."""
    pasted: str
    """Code blocks, logs, tracebacks and diffs."""

    @property
    def whole(self) -> str:
        """Prose and pasted text."""
        return f"{self.prose}\n{self.pasted}"


def bounded(text: str) -> str:
    """Return at most 40,000 characters of a text: its beginning and its end, joined by a line end."""
    if len(text) <= _MOST_CHARACTERS:
        return text
    half = _MOST_CHARACTERS // 2
    return f"{text[:half]}\n{text[-half:]}"


def split_passages(text: str) -> Passages:
    """Return a prompt's prose and pasted lines, without a terminal's colours; linear in its length."""
    if "\x1b" in text:
        text = re.sub(_ESCAPE, "", text)
    prose: list[str] = []
    pasted: list[str] = []
    in_fence = in_diff = in_normal_diff = False
    if not text.isascii():
        text = _script_border().sub(" ", text)
    for line, following in pairwise([*text.splitlines(), ""]):
        if line.lstrip().startswith(_FENCE):
            in_fence = not in_fence
            continue
        in_diff = line.startswith(("diff --git ", "@@ ", "--- a/")) or (
            in_diff and line.startswith((" ", "+", "-", "@@", "index "))
        )
        in_normal_diff = normal_names(line, following) != "" or (in_normal_diff and is_normal_line(line))
        (pasted if in_fence or in_diff or in_normal_diff or _LOG_LINE.match(line) else prose).append(line)
    if not any(line.strip() for line in prose):
        prose, pasted = pasted, []
    return Passages(_first_sentence(prose), "\n".join(prose), "\n".join(pasted))


@cache
def _script_border() -> re.Pattern[str]:
    """Return what stands between letters of another script and a Latin name among them; slow to compile.

    Scripts that are written with spaces have paths and names of several words, which stay whole. Not so of Greek, whose
    letters names have.
    """
    unspaced, spaced = r"[\u2e80-\uffef]", r"[\u0400-\u06ff\u0900-\u0eff]"
    return re.compile(
        rf"(?<={unspaced})(?=[A-Za-z_$`@/])|(?<=[A-Za-z0-9_$`)])(?={unspaced})"
        rf"|(?<={spaced})(?=[A-Za-z`@])|(?<=[A-Za-z`)])(?={spaced})"
    )


def _first_sentence(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip()), "")[:600]
    end = _SENTENCE_END.search(first, 12)
    return first[: end.end()] if end else first
