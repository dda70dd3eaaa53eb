"""Looking at a work tree with two processors at once. Entry point: ``folders.start``."""
