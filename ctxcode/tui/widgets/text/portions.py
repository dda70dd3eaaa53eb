"""Where a Markdown text may be cut, so that a long answer is parsed and laid out in pieces that never change again.

A cut depends only on the whole lines before it: a text that grows is cut where the whole text is.
"""

import re
from dataclasses import dataclass

PORTION_CHARS = 1_000
"""From this size on a portion ends at the next blank line before unindented text."""
LARGEST_CHARS = 2_000
"""At this size it ends at any unindented line, and a longer line is cut."""
ROW_CHARS = 20_000
"""A line of a table is cut only when it is longer than that: no row is read as such without the one before it."""
INDENTED_CHARS = 4_000
"""At this size it ends at an indented line too: what stands below one item of a list can be long."""

# Fences inside of items are indented by more than three.
_FENCE = re.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})")
_CLOSING = re.compile(r"\s*(`{3,}|~{3,})\s*$")
_QUOTE = re.compile(r" {0,3}(?:>[ ]?)+")
_ITEM = re.compile(r" *(?:[-+*]|\d{1,9}[.)]) +")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)\]*_`]*(?:\s+|(?<=[。！？]))")
_TABLE_RULE = re.compile(r" {0,3}\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+$")


@dataclass(frozen=True, slots=True)
class Portion:
    """A piece of a text."""

    start: int
    """Characters of the text before it."""
    source: str
    head: str = ""
    """What is put before it so that it is read as what it goes on: the head of a table, the marks of a quote."""
    goes_on: bool = False
    """It was cut off from the portion before it, not set apart by the text."""
    indent: int = 0
    """Spaces all its lines begin with, where it was cut off inside of an item: it is parsed without them."""

    @property
    def markdown(self) -> str:
        """What is parsed."""
        if not self.indent:
            return self.head + self.source
        lines = self.source.split("\n")
        return self.head + "\n".join(line[min(self.indent, _spaces(line)) :] for line in lines)


def portions(text: str, start: int = 0, before: Portion | None = None) -> list[Portion]:
    """Return the portions of a text from one that begins at ``start`` on; ``before`` is that one as it was."""
    made: list[Portion] = []
    head, goes_on, indent = (before.head, before.goes_on, before.indent) if before is not None else ("", False, 0)
    while start < len(text) or not made:
        end, is_forced = _end(text, start, head, indent)
        portion = Portion(start, text[start:end], head, goes_on, indent)
        made.append(portion)
        if end >= len(text):
            break
        goes_on, start = is_forced, end
        if is_forced and text[end - 1] != "\n":
            head, indent = _line_head(portion, is_whole=not portion.start or text[portion.start - 1] == "\n")
            continue
        newline = text.find("\n", end)
        indent = _spaces(text[end:newline]) if is_forced and newline >= 0 else 0
        head = _table_head(portion) if is_forced else ""
    return made


def _spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _end(text: str, start: int, head: str, indent: int) -> tuple[int, bool]:
    """Return where a portion ends and whether it had to; the end of the text when nothing after it is settled."""
    at, fence, is_blank_before = start, "", True
    while at < len(text):
        newline = text.find("\n", at)
        line = text[at:newline] if newline >= 0 else text[at:]
        size = at - start
        # How a line begins that is this long already is settled before its end has come.
        if not fence and (newline >= 0 or len(line) > LARGEST_CHARS) and size:
            if line.strip() and _spaces(line) < indent:
                return at, not is_blank_before or line[0].isspace()
            if cut := _cut(line, size, is_blank_before=is_blank_before):
                return at, cut == "forced"
        if not fence and len(line) > LARGEST_CHARS and not _is_row(line, Portion(start, text[start:at], head)):
            return _within(text, at), True
        if newline < 0:
            break
        at = newline + 1
        is_blank_before = not line.strip()
        if fence:
            closing = _CLOSING.match(line)
            if closing is not None and closing[1].startswith(fence):
                fence = ""
                if _FENCE.match(text, start, text.find("\n", start)):
                    return at, False
        elif opening := _FENCE.match(line):
            fence = opening[1]
    return len(text), False


def _cut(line: str, size: int, *, is_blank_before: bool) -> str:
    """Return whether a portion of this size ends before a line: ``settled``, ``forced``, or empty for not."""
    if not line.strip():
        return ""
    if line[0].isspace():
        return "forced" if line[0] == " " and size >= INDENTED_CHARS else ""
    if len(line) <= LARGEST_CHARS and _FENCE.match(line) and is_blank_before:
        return "settled"
    if is_blank_before and size >= PORTION_CHARS:
        return "settled"
    return "forced" if size >= LARGEST_CHARS else ""


def _within(text: str, at: int) -> int:
    """Return where a very long line is cut: behind a sentence, else behind a space, when there is one.

    What follows is parsed as a line of its own, so a letter is to be its first; emphasis does not go on over the cut.
    """
    first, last = at + LARGEST_CHARS // 2, at + LARGEST_CHARS
    sentences = [found.end() for found in _SENTENCE_END.finditer(text, first, last)]
    spaces = [place for place in range(first + 1, last + 1) if text[place - 1] == " "]
    lettered = ([place for place in places if text[place].isalpha()] for places in (sentences, spaces))
    return next((places[-1] for places in (*lettered, sentences, spaces) if places), last)


def _is_row(line: str, above: Portion) -> bool:
    """Return whether a long line goes on with a table, and is not too long for that."""
    # Where the portion begins with the line, only what is put before it tells.
    goes_on = _table_head(above) if above.source else "\n" in above.head
    return len(line) <= ROW_CHARS and bool(goes_on)


def _line_head(portion: Portion, *, is_whole: bool) -> tuple[str, int]:
    """Return what the rest of a line that was cut is read with: the marks of its quote, and how far it is set in.

    ``is_whole`` when the portion begins with a line, not within one.
    """
    before, newline, line = portion.source.rpartition("\n")
    if not newline and not is_whole:
        return portion.head if _QUOTE.fullmatch(portion.head) else "", portion.indent
    if quote := _QUOTE.match(line):
        return quote[0], 0
    item = _ITEM.match(line)
    if item is not None:
        return "", len(item[0])
    return "", _spaces(line) if before and (portion.indent or _is_in_item(line, before)) else 0


def _is_in_item(line: str, before: str) -> bool:
    """Return whether a line stands below an item of a list, set in as far as what the item says."""
    spaces = _spaces(line)
    outer = (one for one in reversed(before.split("\n")) if one.strip() and _spaces(one) < spaces)
    item = _ITEM.match(next(outer, ""))
    return item is not None and len(item[0]) <= spaces


def _table_head(portion: Portion) -> str:
    """Return the head of the table a portion ends in; empty when it does not end in one."""
    if "\n" in portion.head:
        return portion.head if "|" in portion.source.rstrip("\n").rpartition("\n")[2] else ""
    lines = [line.lstrip(" ") for line in portion.source.split("\n")]
    for number in range(len(lines) - 2, 0, -1):
        if "|" not in lines[number] and not _TABLE_RULE.match(lines[number]):
            return ""
        if _TABLE_RULE.match(lines[number]) and "|" in lines[number - 1]:
            return f"{lines[number - 1]}\n{lines[number]}\n"
    return ""
