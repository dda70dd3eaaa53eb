"""The user's own editor: for a prompt, or on a line of a file."""

import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ctxcode.model.errors import UsageError

_KNOWN = ("nano", "vim", "vi", "notepad")
_COLON = frozenset({"hx", "helix", "subl", "zed", "micro"})
"""Take ``path:line``."""
_GOTO = frozenset({"code", "codium", "cursor", "windsurf"})
"""Take ``--goto path:line``."""
_PLUS = frozenset(
    {"vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "kak", "joe", "ne", "jed", "mg"}
)
"""Take ``+line path``."""


def editor_words(environment: Mapping[str, str]) -> list[str]:
    """Return the editor's command: VISUAL, EDITOR, or one that is installed. Raises UsageError for none."""
    for variable in ("VISUAL", "EDITOR"):
        if text := environment.get(variable, "").strip():
            try:
                return shlex.split(text)
            except ValueError as error:
                raise UsageError(f"{variable} is {text!r}, which is no command: {error}.", "Correct it.") from error
    known = next((found for name in _KNOWN if (found := shutil.which(name))), None)
    if known is None:
        raise UsageError("No editor was found.", "Set EDITOR, for example to 'vim' or 'code --wait'.")
    return [known]


def command_at(editor: list[str], path: Path, line: int) -> list[str]:
    """Return the command that opens a file on a line, for editors whose way of saying so is known."""
    name = Path(editor[0]).stem.lower()
    if line < 1:
        return [*editor, str(path)]
    if name in _GOTO:
        return [*editor, "--goto", f"{path}:{line}"]
    if name in _COLON:
        return [*editor, f"{path}:{line}"]
    return [*editor, f"+{line}", str(path)] if name in _PLUS else [*editor, str(path)]


def run_editor(command: list[str]) -> None:
    """Run an editor until it ends; blocks. Raises UsageError when it can't be run or fails."""
    try:
        status = subprocess.run(command, check=False).returncode
    except OSError as error:
        raise UsageError(
            f"The editor {command[0]!r} can't be run: {error.strerror or error}.", "Set EDITOR."
        ) from error
    if status:
        raise UsageError(f"The editor {command[0]!r} ended with code {status}.", "Nothing was changed.")


def file_edited(text: str, name: str, environment: Mapping[str, str]) -> str:
    """Return a file's text as the user leaves it in their editor, to the letter; blocks. Raises UsageError."""
    editor = editor_words(environment)
    with tempfile.TemporaryDirectory(prefix="ctxcode-") as folder:
        path = Path(folder) / (Path(name).name or "proposed")
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        run_editor(command_at(editor, path, 0))
        try:
            return path.read_bytes().decode("utf-8", "surrogatepass")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"The text could not be read back: {error}.", "Nothing was changed.") from error


def edited(text: str, environment: Mapping[str, str]) -> str:
    """Return a text as the user leaves it in their editor; blocks. Raises UsageError."""
    editor = editor_words(environment)
    with tempfile.TemporaryDirectory(prefix="ctxcode-") as folder:
        path = Path(folder) / "prompt.md"
        path.write_text(text, encoding="utf-8")
        run_editor(command_at(editor, path, 0))
        try:
            return path.read_text(encoding="utf-8", errors="replace").rstrip("\n")
        except OSError as error:
            raise UsageError(f"The prompt could not be read back: {error}.", "Nothing was changed.") from error
