"""Replacing a passage of a file: found whatever ends its lines, all other bytes as they are."""

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate

from ctxcode.action.edit.hunk import changed_spans
from ctxcode.action.edit.text import GUESSED, FileText, split_end
from ctxcode.model.errors import EditError


@dataclass(frozen=True, slots=True)
class LineSpan:
    """Whole lines of a file, 1-based, inclusive."""

    start: int
    end: int


def replaced(file: FileText, old: str, new: str, within: LineSpan | None = None) -> FileText:
    """Return a file with the one place that reads ``old`` reading ``new``; line ends are not compared.

    Raises EditError when there is no such place, or more than one.
    """
    lines = file.lines
    span = within or LineSpan(1, len(lines))
    old, new = _plain(old), _plain(new)
    if not old and not file.text and within is None:
        return replace(file, text=new_file(new).text)
    if not old:
        raise EditError("old is empty", "Quote the lines that are to be replaced, or use create_file.")
    plain = [_plain(line) for line in lines[span.start - 1 : span.end]]
    text = "".join(plain)
    places = _places(text, old)
    if not places:
        raise EditError(_not_found(old, text), "Read the lines again and quote them to the letter.")
    starts = list(accumulate(map(len, plain), initial=0))
    if len(places) > 1:
        numbers = ", ".join(str(span.start + bisect_right(starts, at) - 1) for at in places[:5])
        hint = "Quote more lines around it, so that it is the only one."
        raise EditError(f"old is found {len(places)} times, at lines {numbers}", hint)
    at, end = places[0], places[0] + len(old)
    first = bisect_right(starts, at) - 1
    last = max(bisect_right(starts, end - 1), first + 1)
    wanted = text[starts[first] : at] + new + text[end : starts[last]]
    return _with_lines(file, lines, LineSpan(span.start + first, span.start + last - 1), wanted)


def replaced_lines(file: FileText, span: LineSpan, new: str) -> FileText:
    """Return a file with whole lines replaced; the last of them ends as before unless all is taken out."""
    new = _plain(new)
    lines = file.lines
    if new and not new.endswith("\n") and split_end(lines[span.end - 1])[1]:
        new += "\n"
    return _with_lines(file, lines, span, new)


def new_file(content: str) -> FileText:
    """Return a file that does not exist yet, its content to the letter. Raises EditError for what is no text."""
    _refuse_binary(content)
    return FileText(content)


def _with_lines(file: FileText, lines: tuple[str, ...], span: LineSpan, wanted: str) -> FileText:
    """Return a file with some lines reading otherwise. What they have in common keeps its line ends.

    Raises EditError when nothing changes.
    """
    old = lines[span.start - 1 : span.end]
    new = FileText(wanted).lines
    plain = tuple(_plain(line) for line in old)
    spans = changed_spans(plain, new)
    if not spans:
        raise EditError("old and new are the same", "Nothing would change.")
    made: list[str] = []
    place = 0
    for start, end, new_start, new_end in spans:
        made += old[place:start]
        for offset, line in enumerate(new[new_start:new_end]):
            body, line_end = split_end(line)
            like = old[start + offset] if start + offset < end else None
            made.append(body + (_end_like(file, lines, span.start - 1 + start, like) if line_end else ""))
        place = end
    made += old[place:]
    _refuse_strange(file, "".join(old), wanted)
    _refuse_binary(wanted)
    after = [*lines[: span.start - 1], *made, *lines[span.end :]]
    text = "".join(after)
    if len(FileText(text).lines) != len(after):
        # A carriage return that ends one line and a line feed that is the next one read as one line end.
        raise EditError("the file's line ends are mixed too much for this edit", "Edit it by hand.")
    return replace(file, text=text)


def _end_like(file: FileText, lines: tuple[str, ...], place: int, like: str | None) -> str:
    """Return the line end for a new line: that of the line it replaces, else of the one before, else the usual one."""
    for line in (like, lines[place - 1] if 0 < place <= len(lines) else None):
        end = split_end(line)[1] if line is not None else ""
        if end:
            return end
    return file.line_end


def _refuse_strange(file: FileText, old: str, new: str) -> None:
    """Raise EditError for characters whose bytes can't be known, as the file's encoding is not."""
    if file.encoding != GUESSED:
        return
    strange = sorted({char for char in new if not char.isascii()} - set(old))
    if strange:
        raise EditError(
            f"the file's encoding is not known, so {strange[0]!r} can't be written", "Use ASCII in what is new."
        )


def _refuse_binary(text: str) -> None:
    """Raise EditError for a NUL: a file that holds one is taken for binary and could not be edited again."""
    if "\0" in text:
        raise EditError("a NUL character would make the file a binary one", "Write it as an escape of the language.")


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _places(text: str, wanted: str) -> list[int]:
    """Return where a text occurs, overlapping occurrences too."""
    found: list[int] = []
    at = text.find(wanted)
    while at >= 0 and len(found) < 100:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def _not_found(old: str, text: str) -> str:
    """Return why a passage was not found: the first of its lines that is not there, or that they stand apart."""
    known = {line.strip() for line in text.split("\n")}
    missing = next((line for line in old.split("\n") if line.strip() and line.strip() not in known), None)
    if missing is None:
        return "the lines of old are there, but not one after another with this white space"
    return f"old is not in the file: no line reads {missing.strip()[:120]!r}"
