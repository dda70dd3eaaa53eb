"""The worker process: reads, screens and parses files one by one, and may be killed at any moment.

Grammars are native code that hangs and crashes on some inputs, so nothing else ever parses. A worker believes its
parent only, answers each file before it begins the next, and sets its own limits where the system has them.
"""

import contextlib
import gc
import os
import signal
import sys
from typing import BinaryIO

import msgspec

from ctxcode.codegraph.codec import (
    OTHER_VERSION,
    Answer,
    Batch,
    Setup,
    encode_facts,
    encode_rows,
    read_frame,
    write_message,
)
from ctxcode.codegraph.extract.rows import file_rows
from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.isolation.boundary import Failure, attempted
from ctxcode.codegraph.isolation.intake import Intake, parse_patience, take_in
from ctxcode.codegraph.languages import FACTS_VERSION
from ctxcode.codegraph.outline.known import OUTLINES, PROGRAMS
from ctxcode.codegraph.parse import parse_source
from ctxcode.model.source import SkipReason


def main() -> None:
    """Serve batches from standard input until it ends."""
    source, sink = _private_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        # Whoever started this may ignore it.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    frame = read_frame(source)
    if frame is None:
        return
    setup = msgspec.msgpack.decode(frame, type=Setup)
    _limit_resources(setup.memory_bytes)
    write_message(sink, Answer("", reason=OTHER_VERSION if setup.facts_version != FACTS_VERSION else ""))
    decoder = msgspec.msgpack.Decoder(Batch)
    # Facts hold no circles; looking for some took a twentieth of the time. What circles there are go batch by batch.
    gc.disable()
    gc.freeze()
    with contextlib.suppress(BrokenPipeError):
        while (frame := read_frame(source)) is not None:
            gc.collect()
            # What is left is kept for good: the next search need not go through it.
            gc.freeze()
            folders: dict[str, str] = {}
            batch = decoder.decode(frame)
            for path, language in batch.files:
                answer = _answer(batch.root, (path, language, path in batch.written), folders, setup.timeout_seconds)
                _set_alarm(0)
                write_message(sink, answer)


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes to the parent away from anything that prints."""
    source, sink = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb")


def _limit_resources(memory_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - does not exist on Windows

    for kind, limit in ((resource.RLIMIT_AS, memory_bytes), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        wanted = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (wanted, hard))


def _set_alarm(seconds: float) -> None:
    """Let the system end this process when it has had a processor for so long, in native code or not; 0 for never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _answer(root: str, file: tuple[str, str, bool], folders: dict[str, str], timeout_seconds: float) -> Answer:
    answer = attempted(lambda: _parsed(root, file, folders, timeout_seconds))
    if isinstance(answer, Failure):
        intake = take_in(root, file[0], is_written=file[2])
        return _refusal(file[0], intake, SkipReason.PARSER_CRASH, answer.detail)
    return answer


def _parsed(root: str, file: tuple[str, str, bool], folders: dict[str, str], timeout_seconds: float) -> Answer:
    path, language, is_written = file
    is_code = language not in OUTLINES or language in PROGRAMS
    _set_alarm(timeout_seconds)
    intake = take_in(root, path, folders, is_code=is_code, is_written=is_written)
    _set_alarm(parse_patience(timeout_seconds, intake.size_bytes))
    if intake.reason is not None:
        return _refusal(path, intake, intake.reason, intake.detail)
    facts = parse_source(intake.data, language, path)
    rows = encode_rows(file_rows(facts.symbols, path))
    return Answer(path, intake.content_hash, intake.size_bytes, encode_facts(skeleton(facts)), *rows)


def _refusal(path: str, intake: Intake, reason: SkipReason, detail: str) -> Answer:
    return Answer(path, intake.content_hash, intake.size_bytes, reason=reason.value, detail=detail)
