"""Whether an edit was interrupted: asked at every start, so it imports nothing of what edits files."""

from pathlib import Path


def pending_file(folder: Path) -> Path:
    """Return where the set that is being written is noted; while the file exists, the set counts as not written."""
    return folder / "pending.json"


def is_interrupted(folder: Path) -> bool:
    """Return whether a set was begun and not ended; ``folder`` is the vault's."""
    return pending_file(folder).exists()
