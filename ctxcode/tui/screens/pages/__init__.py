"""What is asked for by a command and shown on a page of its own: usage, settings, messages."""
