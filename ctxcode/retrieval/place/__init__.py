"""Places a question speaks of that are larger than a file: its prefix, a folder, the project as a whole."""
