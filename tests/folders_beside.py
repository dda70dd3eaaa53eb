"""What looks at folders beside a scan, in a thread in place of a process."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ctxcode.workspace.aside.folders import FoldersAside, answer


@contextmanager
def folders_beside() -> Iterator[FoldersAside]:
    """Run one; it ends when its pipes are closed."""
    asked, asking = os.pipe()
    answers, answering = os.pipe()
    with os.fdopen(asked, "rb") as source, os.fdopen(answering, "wb") as sink, os.fdopen(answers, "rb") as heard:
        thread = threading.Thread(target=answer, args=(source, sink))
        thread.start()
        told = os.fdopen(asking, "wb")
        try:
            yield FoldersAside(told, heard)
        finally:
            with suppress(OSError):
                told.close()
            thread.join()
