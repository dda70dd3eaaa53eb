"""Which paths may be written at all, and which always want a look."""

from ctxcode.model.errors import RefusedPathError

_RUN_BY_TOOLS = frozenset({".envrc", ".husky", ".vscode", ".idea", ".devcontainer", ".zed", ".ctxcode.toml"})
"""Editors, shells and hooks run what these say; somebody has to have seen a change of them."""
_LONGEST_PATH = 1_000


def writable_path(path: str) -> str:
    """Return a path in its plainest form. Raises RefusedPathError for one that is never written.

    Links are the file system's business and looked at where the file is opened.
    """
    if any(ord(char) < 32 or ord(char) == 127 for char in path) or len(path) > _LONGEST_PATH:
        raise RefusedPathError(f"{path[:80]!r} is no path", "Name a file of the repository.")
    if path.startswith(("/", "~")) or "\\" in path:
        raise RefusedPathError(f"{path!r} is not relative to the repository", "Use a path below it, with slashes.")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or path.endswith("/"):
        raise RefusedPathError(f"{path!r} names no file", "Name a file of the repository.")
    if ".." in parts:
        raise RefusedPathError(f"{path!r} may lead out of the repository", "Use a path below it, without '..'.")
    if any(_is_gits(part) for part in parts):
        raise RefusedPathError(f"{path!r} belongs to git and is never written", "Name a file of the work tree.")
    return "/".join(parts)


def _is_gits(name: str) -> bool:
    """Whether some file system takes a name for ``.git``: with other case, signs nobody sees, an ending or a stream."""
    visible = "".join(char for char in name if char.isprintable()).lower()
    return visible.partition(":")[0].rstrip(". ") == ".git" or visible.startswith("git~")


def wants_a_look(path: str) -> bool:
    """Return whether a change must be shown to somebody even where edits are allowed for good."""
    return any(part.lower() in _RUN_BY_TOOLS for part in path.split("/"))
