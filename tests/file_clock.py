"""Waits for the clock of a file system."""

import os
from pathlib import Path


def let_the_clock_move(folder: Path) -> None:
    """Return once a change made now gets another time than one made before: file systems count in ticks."""
    mark = folder / "mark"
    mark.write_text("")
    before = mark.stat().st_ctime_ns
    while mark.stat().st_ctime_ns == before:
        os.utime(mark)
    mark.unlink()
