"""Where an exported file goes."""

from pathlib import Path

from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.tui.export.conversation import save_new


def save(output: Path, text: str, own_name: str) -> Path:
    """Write a file, in a folder one of its ``own_name`` that is not there yet, and return its path.

    Raises CtxcodeError when it can't be written.
    """
    try:
        if output.is_dir():
            return save_new(str(output), text, own_name, output)
        output.write_text(text, encoding="utf-8", errors="backslashreplace")
    except UsageError as error:
        raise CtxcodeError(str(error), "Give another file.") from error
    except OSError as error:
        hint = f"There is no folder {str(output.parent)!r}." if not output.parent.exists() else "Give another file."
        raise CtxcodeError(f"{str(output)!r} can't be written: {error.strerror}.", hint) from error
    return output
