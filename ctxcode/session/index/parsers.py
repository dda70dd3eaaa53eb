"""The parser of one refresh."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Self

from ctxcode.model.source import SourceFile
from ctxcode.session.index.ports import Parser

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ctxcode.codegraph.pool import ParseOutcome

MOST_WORKERS = 64
"""Whoever opens the parser knows what the machine has."""


class Parsers:
    """Opened when it is needed, at the latest closed with the refresh."""

    def __init__(self, open_parser: Callable[[int], AbstractContextManager[Parser]]) -> None:
        self._open = open_parser
        self._stack = ExitStack()
        self._parser: Parser | None = None
        self._begun: tuple[Sequence[SourceFile], Future[list[ParseOutcome]]] | None = None
        """Files that are parsed already, and what becomes of them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def expect(self) -> None:
        """Let a worker start while the work tree is scanned."""
        self.get(MOST_WORKERS).warm_up()

    def get(self, workers: int) -> Parser:
        """Return the parser, with this many workers if it is not open yet."""
        if self._parser is None:
            self._parser = self._stack.enter_context(self._open(workers))
        return self._parser

    def begin(self, files: Sequence[SourceFile]) -> None:
        """Begin to parse what will be asked for next, unless other things turn out to have changed."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - most processes do without

        parser = self.get(MOST_WORKERS)
        threads = self._stack.enter_context(ThreadPoolExecutor(1, "ctxcode-begun"))
        self._begun = files, threads.submit(lambda: list(_parsed(parser, files)))

    def outcomes(self, files: Sequence[SourceFile]) -> "Iterator[ParseOutcome]":
        """Yield what becomes of files; the parser is open."""
        begun, running = self._begun or ((), None)
        self._begun = None
        if running is not None and begun == files:
            return iter(running.result())
        return _parsed(self.get(1), files)

    def close(self) -> None:
        """End the workers."""
        self._parser = self._begun = None
        self._stack.close()


def _parsed(parser: Parser, files: Sequence[SourceFile]) -> "Iterator[ParseOutcome]":
    written = {file.path for file in files if file.is_written}
    return parser.parse([(file.path, file.language) for file in files], written=written)
