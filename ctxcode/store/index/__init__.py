"""The index cache: one SQLite file per repository that can be deleted at any time.

Owns its tables, the full-text index and the graph's columns. Entry points: ``reader.SqliteIndex`` and
``writer.IndexWriter``.
"""
