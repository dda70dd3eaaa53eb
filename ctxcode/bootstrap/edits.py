"""Who edits files, and what an edit that was interrupted leaves; what edits is imported when it is needed."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.model.errors import CtxcodeError
from ctxcode.settings.directory import Directories, repository_key
from ctxcode.workspace.edits.pending import is_interrupted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcode.workspace.edits.editor import FolderEditor


def undo_folder(folders: Directories, root: Path) -> Path:
    """Return where the bytes are kept that a repository's files had before they were edited."""
    return folders.data / repository_key(root) / "undo"


def editor_of(root: Path, kept: Path) -> "Callable[[], FolderEditor]":
    """Return what edits files, made once; ``kept`` is where the bytes go that files had before."""

    @cache
    def made() -> "FolderEditor":
        from ctxcode.workspace.edits.editor import FolderEditor
        from ctxcode.workspace.edits.vault import Vault

        return FolderEditor(str(root), Vault(kept))

    return made


def taken_back(editor: "Callable[[], FolderEditor]", kept: Path) -> tuple[str, ...]:
    """Take back an edit that was being written when ctxcode ended; return what the user should know of it."""
    if not is_interrupted(kept):
        return ()
    try:
        restored = editor().recover()
    except CtxcodeError as error:
        return (f"{error}. {error.hint}",)
    if not restored:
        return ()
    return (f"An edit was interrupted while it was written; these are as they were before it: {', '.join(restored)}.",)
