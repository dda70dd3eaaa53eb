"""Ids of what can be pinned beside symbols: files, line ranges, turns of the conversation, tool results, notes."""

import re
from dataclasses import dataclass

from ctxcode.model.canonical import text_digest
from ctxcode.model.ids import ItemId, SymbolId

_LINES = re.compile(r"lines:(.+):(\d+)-(\d+)", re.DOTALL)
_TURN = re.compile(r"turn:(\d+)")
_TOOL = re.compile(r"tool:(\d+)\.(\d+)\.(\d+)")
PINNABLE = ("symbol:", "file:", "lines:", "turn:", "note:", "tool:")


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file, 1-based, inclusive."""

    path: str
    start: int
    end: int

    @property
    def item(self) -> ItemId:
        """The id of the range as an item."""
        return ItemId(f"lines:{self.path}:{self.start}-{self.end}")


def line_range(item: ItemId) -> LineRange | None:
    """Return the lines an item id stands for; None for any other item."""
    found = _LINES.fullmatch(item)
    return LineRange(found[1], int(found[2]), int(found[3])) if found else None


def turn_item(number: int) -> ItemId:
    """Return the item id of a turn of the conversation."""
    return ItemId(f"turn:{number}")


def turn_number(item: ItemId) -> int | None:
    """Return the turn an item id stands for; None for any other item."""
    found = _TURN.fullmatch(item)
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class ToolPlace:
    """Where a tool call stands: its turn, which of its requests it answers, its place in that reply; both 0-based."""

    turn: int
    iteration: int
    place: int

    @property
    def item(self) -> ItemId:
        """The id of the call with its result as an item."""
        return ItemId(f"tool:{self.turn}.{self.iteration}.{self.place}")


def tool_place(item: ItemId) -> ToolPlace | None:
    """Return the tool call an item id stands for; None for any other item."""
    found = _TOOL.fullmatch(item)
    return ToolPlace(int(found[1]), int(found[2]), int(found[3])) if found else None


def note_item(text: str) -> ItemId:
    """Return the item id of a note: the same text is the same note."""
    return ItemId(f"note:{text_digest(text, size_bytes=5)}")


def symbol_of(item: ItemId) -> SymbolId | None:
    """Return the symbol an item id stands for; None for any other item."""
    return SymbolId(item.removeprefix("symbol:")) if item.startswith("symbol:") else None


def file_of(item: ItemId) -> str:
    """Return the path of a whole file's item id; empty for any other item."""
    return item.removeprefix("file:") if item.startswith("file:") else ""


def path_of(item: ItemId) -> str:
    """Return the path of the file an item stands in; empty for turns and notes."""
    lines = line_range(item)
    if lines is not None:
        return lines.path
    symbol = symbol_of(item)
    return symbol.partition("::")[0] if symbol is not None else file_of(item)
