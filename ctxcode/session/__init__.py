"""The loop: calls the five stages in order through ports it owns, and records every event.

Owns turns, previews, pins and the index refresh. Must not know Textual, SQL, litellm or settings files. Entry point:
``session.Session``; its ports are in ``ports.py``.
"""
