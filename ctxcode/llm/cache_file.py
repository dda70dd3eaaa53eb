"""A file of a cache, written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path


def keep(path: Path, data: bytes, *, outdated: str) -> None:
    """Write a file at once or not at all; without it the next start is slower and that is all.

    Then those beside it are removed that an earlier version wrote: what ``outdated``, a pattern of names, matches.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.write_bytes(data)
        fresh.replace(path)
        for other in path.parent.glob(outdated):
            if other != path:
                other.unlink(missing_ok=True)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
