"""A conversation as a file: Markdown, JSON, or one HTML page that needs nothing else. Pure but for ``gathered``."""
