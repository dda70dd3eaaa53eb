"""Keeps the search path of this process out of the repository."""

import os
from pathlib import Path

from ctxcode.workspace.git import outermost_folder


def keep_programs_outside(root: Path) -> None:
    """Take relative entries, and entries in the work tree around ``root``, out of this process' PATH.

    Libraries start programs by name (``uname``, say); with ``.`` in the PATH the repository would supply them.
    """
    place = Path(outermost_folder(str(root)))
    entries = [entry for entry in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(entry).is_absolute()]
    outside = [entry for entry in entries if not Path(os.path.realpath(entry)).is_relative_to(place)]
    os.environ["PATH"] = os.pathsep.join(outside)
