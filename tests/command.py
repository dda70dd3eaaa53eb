"""Runs commands as a user would, with everything they keep below one folder: installed ones, or in this process."""

import io
import json
import os
import subprocess
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tmux_terminal import CTXCODE, private_home

from ctxcode.cli.main import run as run_command


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


def run_here(home: Path, *words: str, folder: Path | None = None, extra: Mapping[str, str] | None = None) -> Outcome:
    """Run a command in this process, which has imported all it needs: most of what a short one takes is that."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    with chdir(folder or home), redirect_stdout(out), redirect_stderr(err):
        code = run_command(words, {**private_home(home), **(extra or {})})
    return Outcome(code, *(_printed(stream) for stream in (out, err)))


def _printed(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
