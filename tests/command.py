"""Runs commands as a user would, with everything they keep below one folder: installed ones, or in this process."""

import gc
import io
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

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


def run_here(
    home: Path,
    *words: str,
    folder: Path | None = None,
    extra: Mapping[str, str] | None = None,
    lines: Sequence[str] = (),
) -> Outcome:
    """Run a command in this process, which has imported all it needs: most of what a short one takes is that.

    It reads ``lines``. What waits for a model must be run from the main thread, which signals come to.
    """
    written = "\n".join(lines).encode("utf-8", "surrogateescape")
    given = io.TextIOWrapper(io.BytesIO(written), encoding="utf-8", errors="surrogateescape")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    with chdir(folder or home), redirect_stdout(out), redirect_stderr(err), _reading(given):
        code = run_command(words, {**private_home(home), **(extra or {})})
    if "--api-base" in words or "--send" in words:
        _forget_connections()
    return Outcome(code, *(_printed(stream) for stream in (out, err)))


def _forget_connections() -> None:
    """Drop what a command leaves open to a model's server: its process would end, here only its event loop has."""
    litellm = sys.modules.get("litellm")
    if litellm is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        vars(litellm).pop("module_level_aclient", None)
        litellm.in_memory_llm_clients_cache.flush_cache()
        gc.collect()


@contextmanager
def _reading(given: TextIO) -> Iterator[None]:
    before, sys.stdin = sys.stdin, given
    try:
        yield
    finally:
        sys.stdin = before


def _printed(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
