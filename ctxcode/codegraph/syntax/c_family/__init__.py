"""C and C++ as they are before the preprocessor: what no grammar can read is blanked out, byte for byte.

Entry point ``repair.repaired``. Knows tokens, no trees.
"""
