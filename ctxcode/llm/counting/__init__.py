"""Tokens, counted offline. Entry point: ``tokens.open_counter``; ``quick_tokens`` starts sooner."""
