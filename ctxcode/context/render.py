"""Symbols and files as text at each detail level. Source is as it is, with a number about every ten lines."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ctxcode.context.candidate import Level, Renderings
from ctxcode.context.mode import ModeLimits
from ctxcode.model.naming.shown import on_one_line
from ctxcode.model.plan import Detail
from ctxcode.model.symbol import Symbol, SymbolKind

_IMPL = re.compile(r"\s*(?:unsafe\s+)?impl\b")
_CONTINUED = re.compile(r"\s*(?:where\b|\{|//|#)")
"""Lines between ``impl`` and its methods that may be indented less than those."""

CountTokens = Callable[[str], int]

_MAX_LINE_CHARS = 400
_MAX_DOC_CHARS = 240
_MAX_SIGNATURE_CHARS = 42
"""A tail of signatures shows more definitions when each is one short line; the rest of a long one is parameters.

Lining the numbers up would cost two tokens a line, a sixth of it (o200k_base).
"""
_UNNAMED = frozenset({"cpp", "javascript", "typescript", "tsx"})
"""Languages in which something may be called otherwise than where it stands."""
_UP_TO_BRACKETS = re.compile(r"[({\[]")
_FIRST_WORDS = 3
"""Of a signature that does not say the name: ``module.exports = function``."""
_FEW_LINES = 3
_HARDLY_MORE = 1.15
_WITHOUT_MEMBERS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.MACRO, SymbolKind.CONSTANT, SymbolKind.VARIABLE}
)
"""What holds nothing that may be shown by itself: a card of it that would leave out only so many lines, and cost hardly
less than the whole, shows the whole."""
_NUMBER_EVERY = 10
"""In the place of blanks such a number costs 1.5 % more tokens than none (o200k_base), in a gutter of its own 6 % in
Python and 16 % in Go, where tabs and the gutter's blanks are tokens of their own; a number on each line costs 42 %."""


def numbered(lines: Sequence[str], start_line: int, end_line: int) -> str:
    """Return source lines, over-long ones cut with a mark; the first and each tenth with its number.

    A number stands in the place of blanks, so that columns stay; where there are too few it waits for the next line
    that has enough, or none at all.
    """
    rows = []
    is_due = True
    for number in range(start_line, min(end_line, len(lines)) + 1):
        row = _cut(lines[number - 1])
        is_due = is_due or number % _NUMBER_EVERY == 0
        with_number = _with_number(number, row) if is_due else None
        is_due = is_due and with_number is None
        rows.append(with_number or row)
    return "\n".join(rows) + "\n"


def numbered_line(number: int, line: str) -> str:
    """Return one source line beside its number."""
    return f"{number:>5} {_cut(line)}".rstrip() + "\n"


def _cut(line: str) -> str:
    line = line.rstrip()
    if len(line) <= _MAX_LINE_CHARS:
        return line
    return f"{line[:_MAX_LINE_CHARS]} ⋯ {len(line) - _MAX_LINE_CHARS} characters"


def _with_number(number: int, row: str) -> str | None:
    digits = str(number)
    if row.startswith("\t"):
        return f"{digits}{row}"
    if row.startswith(" " * (len(digits) + 1)):
        return f"{digits}{row[len(digits) :]}"
    return f"{digits} {row}" if row and row[0] != " " else None


def heading(symbol: Symbol) -> str:
    """Return the locator line of a card, an excerpt or a body."""
    name = symbol.qualname or symbol.module
    return on_one_line(f"### {symbol.path}:{symbol.start_line}-{symbol.end_line} {symbol.kind} {name}") + "\n"


def signature_level(symbol: Symbol, count: CountTokens, *, is_below_owner: bool = False) -> Level:
    """Return the one-line form; it stands below its file's name in the tail, and maybe below its owner's line."""
    text, lines = _one_line(symbol, is_below_owner=is_below_owner)
    return Level(Detail.SIGNATURE, text, count(text), lines)


def _one_line(symbol: Symbol, *, is_below_owner: bool) -> tuple[str, tuple[tuple[int, int], ...]]:
    name = symbol.qualname or symbol.module
    signature = symbol.signature
    if not signature:
        # A module has no line of its own: its first line is not what is shown.
        return f"{symbol.kind} {on_one_line(name)}\n", ()
    last_line = symbol.header_end_line
    if len(signature) > _MAX_SIGNATURE_CHARS:
        signature, last_line = f"{signature[:_MAX_SIGNATURE_CHARS].rstrip()} …", symbol.header_line
    text = f"{symbol.header_line} {'  ' if is_below_owner else ''}{signature}\n"
    has_receiver = signature.startswith("func (")
    if symbol.parent is not None and "." in name and not is_below_owner and not has_receiver:
        text = f"{symbol.header_line} {name.rpartition('.')[0]}: {signature}\n"
    lines = () if symbol.header_line == 0 else ((symbol.header_line, last_line),)
    return text, lines


def located(symbol: Symbol, level: Level, count: CountTokens) -> Level:
    """Return a one-line form with its locator line: outside of the tail no file's name stands above it."""
    if level.detail is not Detail.SIGNATURE:
        return level
    text = heading(symbol) + (level.text if symbol.signature else "")
    return Level(Detail.SIGNATURE, text, count(text), level.lines)


def impl_block(symbol: Symbol, lines: Sequence[str]) -> tuple[int, int] | None:
    """Return the first and last line of the ``impl`` block around a Rust method; None when there is none."""
    if symbol.header_line > len(lines):
        return None
    own = _indent(lines[symbol.header_line - 1])
    for number in range(symbol.start_line - 1, 0, -1):
        line = lines[number - 1]
        if line.strip() and _indent(line) < own and not _CONTINUED.match(line):
            return (number, _block_end(number, lines)) if _IMPL.match(line) else None
    return None


def _block_end(start: int, lines: Sequence[str]) -> int:
    """Return the line of the brace that closes a block, by its indentation."""
    closing = f"{lines[start - 1][: _indent(lines[start - 1])]}}}"
    return next((number for number in range(start, len(lines) + 1) if lines[number - 1].startswith(closing)), start)


def impl_level(start: int, lines: Sequence[str], count: CountTokens) -> Level:
    """Return the first line of an ``impl`` block."""
    text = f"{start} {lines[start - 1].strip()[:_MAX_LINE_CHARS]}\n"
    return Level(Detail.SIGNATURE, text, count(text), ((start, start),))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def card_level(
    symbol: Symbol, lines: Sequence[str], count: CountTokens, *, snippet_lines: int, at: Sequence[int] = ()
) -> Level:
    """Return locator, attributes and signature, the first paragraph of the docs, and the first lines of the body.

    ``at``: the lines that are pointed at; those are shown with what stands around them, instead of the first. Where the
    whole definition costs hardly more it is shown, unless that is a type.
    """
    header_start = min(symbol.start_line or symbol.header_line, symbol.header_line)
    header_end = min(symbol.header_end_line, header_start + 7)
    last = min(symbol.end_line, len(lines))
    parts = [heading(symbol), numbered(lines, header_start, header_end)]
    shown = [(header_start, min(header_end, len(lines)))]
    if symbol.doc:
        doc = symbol.doc if len(symbol.doc) <= _MAX_DOC_CHARS else symbol.doc[:_MAX_DOC_CHARS].rstrip() + " …"
        parts.append(f"      doc: {doc}\n")
    inside = [line for line in at if header_end < line <= last]
    body_start = min([_body_start(symbol, lines, header_end), *inside])
    snippets = _around(inside, body_start, last, snippet_lines)
    parts.append(_with_gaps(snippets, lines, body_start if snippets else header_end + 1, symbol.end_line))
    text = "".join(parts)
    card = Level(Detail.CARD, text, count(text), _joined([*shown, *snippets]))
    return _whole_if_near(card, symbol, lines, count)


def _whole_if_near(card: Level, symbol: Symbol, lines: Sequence[str], count: CountTokens) -> Level:
    """Return a card with the whole definition where that costs hardly more than the card."""
    hidden = symbol.end_line - symbol.start_line + 1 - sum(end - start + 1 for start, end in card.lines)
    if not 0 < hidden <= _FEW_LINES or not symbol.start_line or symbol.kind not in _WITHOUT_MEMBERS:
        return card
    whole = body_level(symbol, lines, count)
    return replace(whole, detail=Detail.CARD) if whole.tokens <= _HARDLY_MORE * card.tokens else card


def _around(pointed: Sequence[int], first: int, last: int, most: int) -> list[tuple[int, int]]:
    """Return so many lines between two as spans: those around the first places pointed at, else the first of all."""
    if not most or first > last:
        return []
    places = sorted(set(pointed[:most])) or [first]
    each = most // len(places)
    starts = [max(first, min(place - each // 2, last - each + 1)) for place in places]
    return list(_joined([(start, min(start + each - 1, last)) for start in starts]))


def _with_gaps(spans: Sequence[tuple[int, int]], lines: Sequence[str], first: int, last: int) -> str:
    """Return the lines of spans in order, with a mark for what is left out between two lines of a definition."""
    parts = []
    for start, end in spans:
        parts += [_gap(start - first, ""), numbered(lines, start, end)]
        first = end + 1
    return "".join([*parts, _gap(last + 1 - first)])


def _gap(left_out: int, more: str = "more ") -> str:
    return f"      ⋯ {left_out} {more}lines\n" if left_out > 0 else ""


def excerpt_level(
    symbol: Symbol, lines: Sequence[str], count: CountTokens, *, excerpt_lines: int, at: Sequence[int] = ()
) -> Level:
    """Return the definition's first lines; of one that is pointed at further below its header and the lines there."""
    last = min(symbol.end_line, len(lines))
    spans = [(symbol.start_line, min(last, symbol.start_line + excerpt_lines - 1))]
    if any(spans[0][1] < line <= last for line in at):
        header_end = min(symbol.header_end_line, symbol.start_line + 7)
        inside = [line for line in at if header_end < line <= last]
        room = excerpt_lines - (header_end + 1 - symbol.start_line)
        spans = list(_joined([(symbol.start_line, header_end), *_around(inside, header_end + 1, last, room)]))
    text = heading(symbol) + _with_gaps(spans, lines, symbol.start_line, symbol.end_line)
    return Level(Detail.EXCERPT, text, count(text), tuple(spans))


def body_level(symbol: Symbol, lines: Sequence[str], count: CountTokens) -> Level:
    """Return the whole definition."""
    end = min(symbol.end_line, len(lines))
    text = heading(symbol) + numbered(lines, symbol.start_line, end)
    return Level(Detail.BODY, text, count(text), ((symbol.start_line, end),))


def symbol_levels(
    symbol: Symbol,
    lines: Sequence[str] | None,
    count: CountTokens,
    *,
    limits: ModeLimits,
    with_body: bool,
    at: Sequence[int] = (),
) -> Sequence[Level]:
    """Return a symbol's levels, cheapest first; without source lines only the signature.

    ``at``: the lines of it that are pointed at; what shows it in part shows those.
    """
    signature = signature_level(symbol, count)
    if lines is None or not symbol.header_line:
        return (signature,)
    card = partial(card_level, symbol, lines, count, snippet_lines=limits.snippet_lines or 5, at=at)
    if not with_body:
        return Renderings(signature, card)
    body = partial(body_level, symbol, lines, count)
    if symbol.end_line - symbol.start_line < limits.excerpt_lines or limits.excerpt_lines <= 0:
        return Renderings(signature, card, body)
    excerpt = partial(excerpt_level, symbol, lines, count, excerpt_lines=limits.excerpt_lines, at=at)
    return Renderings(signature, card, excerpt, body)


def file_level(path: str, lines: Sequence[str], count: CountTokens) -> Level:
    """Return a whole file."""
    end = len(lines) - 1 if lines and lines[-1] == "" else len(lines)
    text = f"### {on_one_line(path)}:1-{end} file\n" + (numbered(lines, 1, end) if end else "")
    return Level(Detail.BODY, text, count(text), ((1, end),) if end else ())


def is_stale(symbol: Symbol, lines: Sequence[str]) -> bool:
    """Return whether the lines no longer hold the definition where the index saw it."""
    if symbol.end_line > len(lines):
        return True
    if not symbol.qualname:
        return False
    header = lines[symbol.header_line - 1 : symbol.header_end_line]
    if any(symbol.name in line for line in header):
        return False
    # Not all that has a name says it so: ``module.exports = function () {}``, ``package Shop::Cart``.
    signature = symbol.signature
    if symbol.name in (_UP_TO_BRACKETS.split(signature, 1)[0] if symbol.language in _UNNAMED else signature):
        return True
    said = symbol.signature.split()[:_FIRST_WORDS]
    return not said or not all(any(word in line for line in header) for word in said)


def _body_start(symbol: Symbol, lines: Sequence[str], header_end: int) -> int:
    """Return the first line after the header and, in Python, its docstring."""
    start = header_end + 1
    if symbol.language != "python" or not symbol.doc or start > len(lines):
        return start
    first = lines[start - 1].strip()
    for quote in ('"""', "'''"):
        if not first.lstrip("rRbBuU").startswith(quote):
            continue
        if first.lstrip("rRbBuU")[3:].endswith(quote) and len(first.lstrip("rRbBuU")) >= 6:
            return start + 1
        for number in range(start + 1, min(symbol.end_line, len(lines)) + 1):
            if lines[number - 1].rstrip().endswith(quote):
                return number + 1
    return start


def _joined(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return ranges with neighbours joined."""
    joined: list[tuple[int, int]] = []
    for start, end in ranges:
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
