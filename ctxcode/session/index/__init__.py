"""Keeping the index in step with the work tree."""
