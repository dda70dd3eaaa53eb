"""When files were last changed, all of them at once."""

import os
from collections.abc import Iterable


def stamps_of(root: str, paths: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    """Return the times of the last change of content and status, in ns, and the size of each file that is there."""
    found: dict[str, tuple[int, int, int]] = {}
    for path in paths:
        try:
            status = os.lstat(f"{root}/{path}")
        except (OSError, ValueError):
            continue
        found[path] = (status.st_mtime_ns, status.st_ctime_ns, status.st_size)
    return found
