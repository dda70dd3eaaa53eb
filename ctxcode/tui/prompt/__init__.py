"""What is being typed, as values: what it may be completed to, pastes folded into a word, earlier prompts.

Pure but for ``editor``, which runs the user's own.
"""
