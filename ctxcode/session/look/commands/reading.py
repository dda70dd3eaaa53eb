"""Reading manifests: what does not make sense says nothing."""

import json
from functools import lru_cache

from ctxcode.model.errors import RepositoryError
from ctxcode.session.ports import Workspace


def said(workspace: Workspace, path: str) -> str:
    """Return the text of a file; empty when there is none."""
    try:
        return workspace.read_text(path)
    except RepositoryError:
        return ""


def toml(workspace: Workspace, path: str) -> object:
    """Return what a TOML file says; None when there is none that makes sense."""
    try:
        text = workspace.read_text(path)
    except RepositoryError:
        return None
    return _read_toml(text)


@lru_cache(maxsize=32)
def _read_toml(text: str) -> object:
    """Return what a text says, the same object for the same text: every plan asks."""
    # Few repositories have both kinds of manifest, and each parser takes as long to load as a file to read.
    import tomllib  # noqa: PLC0415

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def package(workspace: Workspace, path: str) -> dict[str, object]:
    """Return what ``package.json``, or a file like it, says; empty when there is none that makes sense."""
    try:
        found: object = json.loads(workspace.read_text(path))
    except (RepositoryError, ValueError, RecursionError):
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}
