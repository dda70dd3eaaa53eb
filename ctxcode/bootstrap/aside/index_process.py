"""The process that refreshes an index: joins and stores what parsers find, while the app it works for stays free.

It ends with the app, whose end closes the pipe it listens to.
"""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import BinaryIO

import msgspec

from ctxcode.bootstrap.aside.messages import (
    Ahead,
    Cancel,
    Failed,
    Finished,
    Message,
    Prepare,
    Progressed,
    Refresh,
    Rest,
    Setup,
    Wish,
)
from ctxcode.llm.aside.pipes import private_streams
from ctxcode.model.errors import CtxcodeError, IndexingError, RepositoryError, StoreError, UpdatedError
from ctxcode.session.index.indexing import Indexing
from ctxcode.session.ports import IndexProgress
from ctxcode.workspace.aside.folders import FoldersAside
from ctxcode.workspace.files import FolderWorkspace

_PROGRESS_SECONDS = 0.2
"""The screen draws no more often, and each line wakes the app."""
_LOOK_SECONDS = 0.2
_IDLE_SECONDS = 300.0
"""Without work it ends after that; the next refresh starts another."""

_Wish = Refresh | Prepare | Rest

_COLLECTED_AFTER = 100_000
"""New objects after which garbage is looked for even while somebody waits: a first index makes a million."""


def main(folders: FoldersAside | None = None) -> None:
    """Refresh the index as often as standard input says; ``folders`` looks at the work tree's beside this process."""
    app = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = private_streams()
    wishes, cancelled = SimpleQueue[_Wish | None](), set[int]()
    setup = msgspec.json.decode(source.readline(), type=Setup)
    threading.Thread(target=_listen, args=(source, wishes, cancelled, app), daemon=True).start()

    def is_wanted() -> bool:
        return not wishes.empty()

    try:
        workspace, indexing = _opened(setup, folders)
        gc.freeze()
        # What a refresh leaves is looked through when its answer is out: so quick ones end without.
        gc.set_threshold(_COLLECTED_AFTER)
        while (wish := _next(wishes)) is not None:
            if isinstance(wish, Rest):
                continue
            if isinstance(wish, Refresh):
                _send(sink, _refreshed(workspace, indexing, sink, (wish.number, cancelled)))
            # Whoever refreshes next meets again what is wrong with the index.
            with suppress(StoreError):
                indexing.tidy()
            workspace.settle()
            try:
                indexing.settle(is_wanted)
            except StoreError:
                # The next process does, and says what is wrong.
                return
            with suppress(IndexingError, RepositoryError, StoreError):
                indexing.prepare(is_wanted)
                indexing.read_ahead(is_wanted)
            if not is_wanted():
                gc.collect()
    except CtxcodeError as error:
        # Who asks hears it in place of the first answer.
        _send(sink, _failed(error))
    except BrokenPipeError:
        # The app is gone, and with it the only reader.
        os._exit(1)


def _listen(source: BinaryIO, wishes: SimpleQueue[_Wish | None], cancelled: set[int], app: int) -> None:
    """Take wishes; when the app itself is gone, end at once whatever is under way: what is stored is whole."""
    decoder = msgspec.json.Decoder(Wish)
    for line in source:
        wish = decoder.decode(line)
        if isinstance(wish, Cancel):
            cancelled.add(wish.number)
        else:
            wishes.put(wish)
    wishes.put(None)
    while os.getppid() == app:
        threading.Event().wait(_LOOK_SECONDS)
    os._exit(1)


def _next(wishes: SimpleQueue[_Wish | None]) -> _Wish | None:
    """Return what is to be done next; None when there is nothing to come."""
    with suppress(Empty):
        return wishes.get(timeout=_IDLE_SECONDS)
    return None


def _opened(setup: Setup, folders: FoldersAside | None) -> tuple[FolderWorkspace, Indexing]:
    from ctxcode.bootstrap.index.early import start_parser_for  # noqa: PLC0415 - listening comes first

    place = Path(setup.place)
    programs = start_parser_for(place)
    from ctxcode.bootstrap.index.opening import (  # noqa: PLC0415 - the parser comes first
        begin_index,
        index_place,
        indexing_for,
        open_index,
    )
    from ctxcode.codegraph.languages import language_of  # noqa: PLC0415 - as above
    from ctxcode.workspace.files import open_workspace  # noqa: PLC0415 - as above

    if index_place(place.parent) != place:
        raise UpdatedError
    workspace = replace(open_workspace(setup.root, language_of), aside=folders)
    begin_index(place.parent, Path(workspace.info.root))
    index = open_index(place.parent, keeps_writer=True)
    return workspace, indexing_for(workspace, index, setup.workers, programs, keeps_parser=True)


def _refreshed(
    workspace: FolderWorkspace, indexing: Indexing, sink: BinaryIO, wanted: tuple[int, set[int]]
) -> Finished | Failed:
    number, cancelled = wanted
    note = paced(lambda done, total, phase: _send(sink, Progressed(done, total, phase)))
    try:
        # The app has looked itself: something is not as it was.
        report = indexing.refresh(
            note, lambda: number in cancelled, is_awaited=True, note_ahead=lambda: _send(sink, Ahead())
        )
    except CtxcodeError as error:
        return _failed(error)
    return Finished(report, sorted(workspace.memory.folders))


def _failed(error: CtxcodeError) -> Failed:
    return Failed(isinstance(error, StoreError), str(error), error.hint)


def paced(tell: IndexProgress, clock: Callable[[], float] = time.monotonic) -> IndexProgress:
    """Return what tells the beginning of every phase, and within one only so often."""
    told, due = "", 0.0

    def note(done: int, total: int, phase: str) -> None:
        nonlocal told, due
        now = clock()
        if phase != told or now >= due:
            told, due = phase, now + _PROGRESS_SECONDS
            tell(done, total, phase)

    return note


def _send(sink: BinaryIO, message: Message) -> None:
    sink.write(msgspec.json.encode(message) + b"\n")
    sink.flush()
