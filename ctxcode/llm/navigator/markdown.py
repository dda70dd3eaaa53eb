"""Pieces of Markdown that stay well-formed whatever a repository's names and sources hold. Pure."""

import re
from collections.abc import Sequence

from ctxcode.model.symbol import Symbol, SymbolKind

MAX_REPLY_LINES = 120
MAX_LINE_CHARS = 300
_MAX_ROW_CHARS = 140

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
_FENCE = re.compile(r"`{3,}")


def shown(text: str, limit: int = MAX_LINE_CHARS) -> str:
    """Return a text on one line, bounded, with control characters made visible."""
    line = " ".join(_UNPRINTABLE.sub("�", text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def code(text: str, limit: int = MAX_LINE_CHARS) -> str:
    """Return inline code."""
    line = shown(text, limit)
    return f"`{line}`" if "`" not in line else f"`` {line} ``"


def place(symbol: Symbol) -> str:
    """Return where a definition stands, as ``path:line``."""
    return code(f"{symbol.path}:{symbol.header_line or symbol.start_line or 1}")


def title(symbol: Symbol) -> str:
    """Return the name people use for a definition in this file."""
    return symbol.qualname or symbol.path


def row(symbol: Symbol) -> str:
    """Return a list row: place and signature."""
    what = symbol.signature or title(symbol)
    if symbol.kind is SymbolKind.MODULE:
        what = symbol.module
    owner = symbol.qualname.rpartition(".")[0]
    return f"- {place(symbol)} {code(f'{owner}: {what}' if owner else what, _MAX_ROW_CHARS)}"


def block(lines: Sequence[str], language: str) -> list[str]:
    """Return a fenced block whose fence is longer than any inside it."""
    longest = max((len(run) for line in lines for run in _FENCE.findall(line)), default=2)
    fence = "`" * (longest + 1)
    body = [_UNPRINTABLE.sub("�", line.rstrip("\r\n"))[:MAX_LINE_CHARS] for line in lines]
    return [f"{fence}{language}", *body, fence]


def bounded(rows: Sequence[str], limit: int) -> list[str]:
    """Return at most ``limit`` rows and, when there are more, how many."""
    if len(rows) <= limit:
        return list(rows)
    return [*rows[:limit], f"- … and {len(rows) - limit} more"]
