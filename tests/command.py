"""Runs the installed command as a user would, with everything it keeps below one folder."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tmux_terminal import CTXCODE, private_home


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished process left."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return standard output, which must be one JSON value and nothing else."""
        return json.loads(self.out)


def run(home: Path, *words: str, folder: Path | None = None, extra: Mapping[str, str] | None = None) -> Outcome:
    """Run ctxcode with some words; never with a terminal."""
    environment = {**private_home(home), **(extra or {})}
    made = subprocess.run(
        [str(CTXCODE), *words],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=120,
        cwd=folder or home,
        env={**environment, "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")},
    )
    return Outcome(made.returncode, made.stdout, made.stderr)
