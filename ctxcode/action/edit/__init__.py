"""What a model's edit calls would do to files, computed: texts, hunks, changes. Reads and writes nothing.

Entry points: ``change.proposed`` and ``change.edited_bytes``.
"""
