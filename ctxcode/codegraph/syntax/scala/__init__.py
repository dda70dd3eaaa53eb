"""What is special about Scala: what its collections and options hold.

Must not know how names are resolved. Entry points: ``held_type`` and ``narrow`` in ``elements``.
"""
