"""Answers about edges: who uses what, what inherits from what, how one thing reaches another."""
