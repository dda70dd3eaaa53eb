"""Nouns of the context engine beside plan and pin."""
