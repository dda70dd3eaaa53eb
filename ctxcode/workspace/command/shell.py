"""Commands on this machine: confined where a sandbox really works, ended whole, their output bounded."""

import os
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from ctxcode.model.command.approval import CommandResult, Sandbox
from ctxcode.model.command.shape import ParsedCommand
from ctxcode.workspace.command.environment import command_environment
from ctxcode.workspace.command.output import Output
from ctxcode.workspace.command.sandbox import Bubblewrap, find_bubblewrap, probe
from ctxcode.workspace.command.supervisor import sweep

MOST_OUTPUT_BYTES = 200_000_000
_SUPERVISOR = str(Path(__file__).with_name("supervisor.py"))
_POLL_SECONDS = 0.05
_ENDING_SECONDS = 5.0
_PIECE_BYTES = 65_536


@dataclass(slots=True)
class LocalShell:
    """Starts approved commands in a repository; neither the folder nor anything about the sandbox is up to them."""

    root: str
    """The repository's real path."""
    home: str
    environment: Mapping[str, str]
    """All a command's process starts with."""
    may_confine: bool = True
    clock: Callable[[], float] = time.monotonic
    _sandbox: Sandbox | None = None
    _lock: Lock = field(default_factory=Lock)

    def parse(self, text: str) -> ParsedCommand:
        """Return what a command line says."""
        # The grammar is not loaded before a command is looked at.
        from ctxcode.workspace.command.parse import parse_command  # noqa: PLC0415

        return parse_command(text)

    @property
    def sandbox(self) -> Sandbox:
        """What confines commands, found out by trying on the first question; blocks for a moment then."""
        with self._lock:
            if self._sandbox is None:
                self._sandbox = probe(self._bubblewrap()) if self.may_confine else Sandbox(problem="turned off")
            return self._sandbox

    def run(
        self,
        command: ParsedCommand,
        *,
        timeout_seconds: float,
        has_network: bool,
        is_cancelled: Callable[[], bool],
    ) -> CommandResult:
        """Run a command to its end and return what it left; blocks. All it started is gone afterwards."""
        is_program = command.is_simple and shutil.which(command.words[0], path=self._search_path) is not None
        words = list(command.words) if is_program else [*self._shell(), command.text]
        placeholders: list[str] = []
        if self.sandbox.is_there:
            bubblewrap = self._bubblewrap()
            if bubblewrap is None:
                return CommandResult(None, "It was not started: the sandbox is gone.\n", 0.0, ended_by="start")
            placeholders = bubblewrap.placeholders()
            words = bubblewrap.words(words, has_network=has_network)
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", _SUPERVISOR, str(len(placeholders)), *placeholders, *words],
                env=dict(self.environment),
                cwd=self.root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return CommandResult(None, f"It could not be started: {error}\n", 0.0, ended_by="start")
        try:
            return self._watched(process, timeout_seconds, is_cancelled)
        finally:
            _end(process)
            # The supervisor has done so, unless it had to be killed.
            sweep(placeholders)

    def _watched(
        self,
        process: "subprocess.Popen[bytes]",
        timeout_seconds: float,
        is_cancelled: Callable[[], bool],
    ) -> CommandResult:
        began, output, ended_by = self.clock(), Output(), ""
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        handle = process.stdout.fileno()
        with selectors.DefaultSelector() as waiting:
            waiting.register(handle, selectors.EVENT_READ)
            while True:
                if is_cancelled():
                    ended_by = "interrupted"
                elif self.clock() - began > timeout_seconds:
                    ended_by = "timeout"
                elif output.total_bytes > MOST_OUTPUT_BYTES:
                    ended_by = "output"
                if ended_by:
                    break
                if not waiting.select(_POLL_SECONDS):
                    continue
                data = os.read(handle, _PIECE_BYTES)
                if not data:
                    break
                output.add(data)
        _end(process)
        code = None if ended_by else process.returncode
        return CommandResult(code, output.text(), self.clock() - began, ended_by, output.total_bytes)

    def _bubblewrap(self) -> Bubblewrap | None:
        program = find_bubblewrap(self.root, self._search_path)
        return None if program is None else Bubblewrap(program, self.root, self.home, self.environment)

    def _shell(self) -> list[str]:
        bash = shutil.which("bash", path=self._search_path)
        return [bash, "--noprofile", "--norc", "-c"] if bash else ["/bin/sh", "-c"]

    @property
    def _search_path(self) -> str:
        return self.environment.get("PATH", os.defpath)


def local_shell(root: str, environment: Mapping[str, str], *, may_confine: bool) -> LocalShell:
    """Return a repository's shell; of the user's environment commands get a short list, and its search path."""
    home = os.path.realpath(environment.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - never raises
    given = command_environment(environment, environment.get("PATH", os.defpath))
    return LocalShell(root, home, given, may_confine=may_confine)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Let go of the supervisor's leash and wait until it has ended everything."""
    if process.stdin is not None and not process.stdin.closed:
        process.stdin.close()
    try:
        process.wait(_ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None and not process.stdout.closed:
        process.stdout.close()
