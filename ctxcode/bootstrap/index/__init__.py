"""The index without the rest of the application. Entry points: ``early.start_parsers``, ``opening.open_indexing``."""
