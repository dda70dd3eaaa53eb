"""Scores of the full-text index: how they come about, and what the index was when they did.

Owns bm25 as SQLite reckons it, and what changed in the index meanwhile. Knows no words and no graph. Entry point:
``query.best_rows``.
"""
