"""Edits of a session: what a reply's calls come to, who decides, writing, undoing, and what is known of all that.

Owns no bytes and opens no file itself. Entry points: ``run.EditRun`` and ``door.EditDoor``.
"""
