"""Reading manifests: what does not make sense says nothing."""

import json
from functools import lru_cache

from ctxcode.model.errors import RepositoryError
from ctxcode.session.ports import FileTexts

_LONGEST = 200_000
"""A manifest in letters: some are read for every plan."""
_DEEPEST = 50
"""Dots in a key: the parser takes long for deep ones, time and again."""


def said(workspace: FileTexts, path: str) -> str:
    """Return the text of a file; empty when there is none, or one too long for a manifest."""
    try:
        text = workspace.read_text(path)
    except RepositoryError:
        return ""
    return text if len(text) <= _LONGEST else ""


def toml(workspace: FileTexts, path: str) -> object:
    """Return what a TOML file says; None when there is none that makes sense."""
    text = said(workspace, path)
    return _read_toml(text) if text else None


@lru_cache(maxsize=32)
def _read_toml(text: str) -> object:
    """Return what a text says, the same object for the same text: every plan asks."""
    # Few repositories have both kinds of manifest, and each parser takes as long to load as a file to read.
    import tomllib  # noqa: PLC0415

    if any(line.partition("=")[0].count(".") > _DEEPEST for line in text.splitlines()):
        return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def package(workspace: FileTexts, path: str) -> dict[str, object]:
    """Return what ``package.json``, or a file like it, says; empty when there is none that makes sense."""
    try:
        found: object = json.loads(said(workspace, path))
    except (ValueError, RecursionError):
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}
