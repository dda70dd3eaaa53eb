"""Edges besides calls: which definitions are named (``uses``) and which are tested (``tested``).

Must not know how a call is resolved. Entry points: ``FileUses`` and ``Tests``.
"""
