"""Edits as values: what a model proposes to change in files, what the user said to it, what became of it."""
