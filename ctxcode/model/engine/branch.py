"""Branches as a list shows them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BranchSummary:
    """One branch of a session."""

    name: str
    parent: str
    """The branch it was forked from; empty for the first one."""
    forked_at: int
    """The last turn it shares with its parent."""
    turns: int
    last_prompt: str
    is_open: bool
