"""Trusting what a repository's commands do. Entry point: ``command.trust``."""
