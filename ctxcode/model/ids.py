"""Names of things: the id types shared by every package."""

from typing import NewType

SymbolId = NewType("SymbolId", str)
"""``path::qualname``, and ``path`` for a file's module symbol; ``~2`` is appended to a second namesake in one file."""

ItemId = NewType("ItemId", str)
"""A candidate of a plan: ``symbol:<SymbolId>``, ``file:<path>``, ``scaffold``, ``turn:<n>``, ``message``…"""

PlanId = NewType("PlanId", str)
RetrievalId = NewType("RetrievalId", str)
SessionId = NewType("SessionId", str)
TextHash = NewType("TextHash", str)
"""BLAKE2b digest (20 hex digits) of a text's UTF-8 bytes; the key under which a long text is stored once."""


def symbol_item(symbol_id: SymbolId) -> ItemId:
    """Return the item id of a symbol as a plan candidate."""
    return ItemId(f"symbol:{symbol_id}")


def file_item(path: str) -> ItemId:
    """Return the item id of a whole file as a plan candidate."""
    return ItemId(f"file:{path}")
