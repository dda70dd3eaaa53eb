"""What a branch of a session remembers: turns, pins, activation. Folded from the journal, entry point ``branch.py``."""
