"""A file of a cache, written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path


def keep(path: Path, data: bytes) -> None:
    """Write a file at once or not at all; without it the next start is slower and that is all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
