"""The index without the rest of the application. Entry points: ``early.start_parser``, ``opening.open_indexing``."""
