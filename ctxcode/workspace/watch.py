"""Noticing changes of the work tree as they happen.

Only folders that hold indexed files are watched, none below ignored ones: an index is kept in step, and what is built
or logged beside the sources wakes nobody. Whoever is told looks at the whole tree again, so a change that is missed
costs time, never truth.
"""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

_DEBOUNCE_MS = 800
"""A burst of changes is told as one; a longer one is told in parts."""
_STEP_MS = 100
"""Quiet time that ends a burst, and how late the end of watching is noticed."""
_LOOK_MS = 1_000
"""How often the list of folders is compared while nothing happens."""
_RETRY_SECONDS = 1.0


def follow(
    root: str,
    folders: Callable[[], frozenset[str]],
    is_relevant: Callable[[str], bool],
    branch: Callable[[], object],
    stop: threading.Event,
) -> Iterator[None]:
    """Yield whenever the work tree or its branch may have changed, until ``stop`` is set; blocks meanwhile.

    ``folders`` returns the folders to watch, relative to ``root``; ``is_relevant`` says of a path below ``root``
    whether the index could hold it; ``branch`` says what is checked out, if anything, and is asked about once a second.
    Ends when the system has no more watches to give.
    """
    from watchfiles import watch  # noqa: PLC0415 - after the first index only

    while not stop.is_set():
        watched = folders()
        places = [place for place in (Path(root, folder) for folder in sorted(watched)) if place.is_dir()]
        has_begun = False
        try:
            on_branch = branch()
            for found in watch(
                *places,
                watch_filter=lambda _, path: is_relevant(path[len(root.rstrip("/")) + 1 :]),
                debounce=_DEBOUNCE_MS,
                step=_STEP_MS,
                rust_timeout=_LOOK_MS,
                yield_on_timeout=True,
                stop_event=stop,
                raise_interrupt=False,
                debug=False,
                recursive=False,
                ignore_permission_denied=True,
            ):
                if found or not has_begun or branch() != on_branch:
                    # What changed before the watch began is told with its beginning.
                    has_begun, on_branch = True, branch()
                    yield
                if folders() != watched:
                    break
        except FileNotFoundError:
            stop.wait(_RETRY_SECONDS)
        except (OSError, RuntimeError):
            return
