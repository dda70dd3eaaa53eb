"""Where a message that is written and not sent waits for the next start.

There is a file for each repository, branch and window: two windows that are open at once would take each other's away.
"""

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from ctxcode.model.source import RepositoryInfo
from ctxcode.settings.directory import repository_key

if TYPE_CHECKING:
    from ctxcode.store.disk import Claims

log = logging.getLogger(__name__)

_LARGEST_BYTES = 32_000_000
_MOST_WINDOWS = 200
"""From then on windows share the last file: where locks fail in an unknown way, no file can be had."""


@dataclass(slots=True)
class DraftFolder:
    """The drafts of this process among those of others; its methods block and may be called from any thread."""

    folder: Path
    _own: dict[str, Path] = field(default_factory=dict)
    """By repository and branch: the file that no other window has."""
    _claims: "Claims | None" = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def kept(self, repository: RepositoryInfo) -> str:
        """Return what was kept and no other window has; empty when nothing was, or it can't be read."""
        try:
            path = self._path(repository)
            return path.read_text(encoding="utf-8") if path.stat().st_size <= _LARGEST_BYTES else ""
        except FileNotFoundError:
            return ""
        except (OSError, ValueError):
            log.warning("the draft can't be read", exc_info=True)
            return ""

    def keep(self, repository: RepositoryInfo, text: str) -> None:
        """Keep a text, whole or not at all, readable by its writer only; forget the one before for an empty text."""
        path = self._path(repository)
        fresh = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
        try:
            if not text:
                path.unlink(missing_ok=True)
                return
            self._make()
            fresh.touch(0o600, exist_ok=False)
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(path)
        except OSError:
            log.warning("the draft can't be kept", exc_info=True)
            with suppress(OSError):
                fresh.unlink()

    def _path(self, repository: RepositoryInfo) -> Path:
        # OpenSSL is slow to load.
        from hashlib import blake2b

        branch = blake2b(repository.branch.encode("utf-8", "replace"), digest_size=6).hexdigest()
        name = f"{repository_key(Path(repository.root))}-{branch}"
        with self._lock:
            if name not in self._own:
                self._own[name] = self._claimed(name)
            return self._own[name]

    def _claimed(self, name: str) -> Path:
        """Return a file that is this process's from now on: the one written last, or else the first one."""
        from ctxcode.store.disk import Claims

        with suppress(OSError):
            self._make()
        if self._claims is None:
            self._claims = Claims(self.folder.with_name(f"{self.folder.name}.open"))
        endings = ("", *(f"-{number}" for number in range(2, _MOST_WINDOWS + 1)))
        paths = [self.folder / f"{name}{ending}.json" for ending in endings]
        for path in sorted(paths, key=_written_at, reverse=True):
            if self._claims.take(path.name):
                self._sweep(path)
                return path
        return paths[-1]

    def _sweep(self, path: Path) -> None:
        """Remove what a window that was killed had begun to write in a file's place."""
        with suppress(OSError):
            for begun in self.folder.glob(f".{escape(path.name)}.*"):
                begun.unlink()

    def _make(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def _written_at(path: Path) -> float:
    """Return when a file was written; 0 where there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
