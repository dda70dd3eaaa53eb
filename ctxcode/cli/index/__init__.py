"""Building the index and saying what it holds. Entry point: ``command.index``."""
