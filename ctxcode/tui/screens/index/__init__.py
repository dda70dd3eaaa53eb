"""The repository's index as the screen follows it; entry point ``IndexScreen``."""
