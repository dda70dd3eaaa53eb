"""Stage 1: the user's words become what is asked, about which code.

Owns mentions, identifiers, contentless prompts. Knows nothing of where code or conversations are kept. Entry point:
``prompt.parse_prompt``.
"""
