"""Typed settings, read once and passed on as plain values; and the folders ctxcode keeps its own files in.

Later layers win: defaults, the user's file, the repository's file, the environment, the command line. The repository's
file is written by whoever wrote the repository: it may set a few harmless keys and nothing that redirects or runs.
Entry point: `ctxcode.settings.settings`. Knows nothing of what the values are used for.
"""
