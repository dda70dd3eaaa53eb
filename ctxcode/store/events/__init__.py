"""The journalled events: their rows, and what lists show of them. Needed by sessions, not by a single question."""
