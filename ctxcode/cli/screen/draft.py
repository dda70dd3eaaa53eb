"""Where a message that is written and not sent waits for the next start: a file for each repository and branch."""

import logging
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from ctxcode.model.source import RepositoryInfo
from ctxcode.settings.directory import repository_key

log = logging.getLogger(__name__)

_LARGEST_BYTES = 32_000_000


def kept_draft(repository: RepositoryInfo, folder: Path) -> str:
    """Return what was kept; empty when nothing was, or it can't be read."""
    try:
        path = _path(repository, folder)
        return path.read_text(encoding="utf-8") if path.stat().st_size <= _LARGEST_BYTES else ""
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        log.warning("the draft can't be read", exc_info=True)
        return ""


def keep_draft(repository: RepositoryInfo, text: str, folder: Path) -> None:
    """Keep a text, whole or not at all, readable by its writer only; forget the one before for an empty text."""
    path = _path(repository, folder)
    fresh = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        if not text:
            path.unlink(missing_ok=True)
            return
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.touch(0o600, exist_ok=False)
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError:
        log.warning("the draft can't be kept", exc_info=True)
        with suppress(OSError):
            fresh.unlink()


def _path(repository: RepositoryInfo, folder: Path) -> Path:
    # OpenSSL is slow to load.
    from hashlib import blake2b

    branch = blake2b(repository.branch.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return folder / f"{repository_key(Path(repository.root))}-{branch}.json"
