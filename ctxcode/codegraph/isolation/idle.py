"""Workers that have nothing to do: one that waits costs memory, one that is started half a second."""

import threading

from ctxcode.codegraph.isolation.process import WorkerProcess


class IdleWorkers:
    """At most so many workers that wait for their next call, of any pool with the same limits; safe for threads."""

    def __init__(self, most: int) -> None:
        """Hold none yet."""
        self._most = most
        self._lock = threading.Lock()
        self._waiting: list[WorkerProcess] = []

    @property
    def ids(self) -> tuple[int, ...]:
        """Process ids of those that wait."""
        with self._lock:
            return tuple(process.id for process in self._waiting)

    def take(self) -> WorkerProcess | None:
        """Return one that waited, None where none does."""
        with self._lock:
            return self._waiting.pop() if self._waiting else None

    def keep(self, process: WorkerProcess) -> bool:
        """Let a worker wait; False when enough do already."""
        with self._lock:
            is_wanted = len(self._waiting) < self._most
            if is_wanted:
                self._waiting.append(process)
            return is_wanted

    def close(self) -> None:
        """End those that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for process in waiting:
            process.kill()
