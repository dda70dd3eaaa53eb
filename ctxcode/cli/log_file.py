"""The log: what went wrong behind the screen, in a file of the user's own. While the app is up nothing is printed."""

import logging
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

from ctxcode.model.errors import StoreError
from ctxcode.store.disk import make_private

_MOST_BYTES = 1_000_000
"""From this size on the log is set aside when it is opened, in place of the one before."""


class LogFile(logging.FileHandler):
    """Opens its file with the first record; one that can't be written is no failure."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", errors="backslashreplace", delay=True)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        with suppress(OSError, StoreError):
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Leave out what can't be written: there is nowhere to say so."""

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        make_private(path)
        if path.stat().st_size > _MOST_BYTES:
            path.replace(path.with_suffix(".old.log"))
            make_private(path)
        return super()._open()


def log_to(path: Path) -> None:
    """Write warnings and worse of this process to a file from now on."""
    logging.getLogger().addHandler(LogFile(path))
