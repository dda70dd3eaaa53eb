"""The vocabulary: frozen nouns, ids, events, the error tree.

Owns what every other package speaks in. Knows the standard library only: no I/O, clock, randomness, settings or
formatting. Start reading at ``plan.py``.
"""
