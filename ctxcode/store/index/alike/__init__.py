"""Indexes of nearly the same files: what one holds the next need not find out. Entry point: ``beginning``."""
