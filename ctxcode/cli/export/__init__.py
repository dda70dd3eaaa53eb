"""A session as a file. Entry point: ``command.export``."""
