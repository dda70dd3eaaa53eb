"""Facts and worker messages as bytes: MessagePack, typed and checked on the way in."""

import struct
from operator import attrgetter
from typing import BinaryIO, NamedTuple

import msgspec

from ctxcode.codegraph.extract.rows import DocumentRow, FileRows, SymbolRow
from ctxcode.codegraph.facts import FileFacts, callers_of, users_of
from ctxcode.codegraph.languages import FACTS_VERSION

_FACTS_MARK = b"ctxfacts" + struct.pack(">H", FACTS_VERSION)
OTHER_VERSION = "other version"
"""The reason in the first answer of a worker that makes other facts."""
_LENGTH = struct.Struct(">I")
_LARGEST_FRAME_BYTES = 1 << 28


class Setup(msgspec.Struct, array_like=True, frozen=True):
    """The first message to a worker."""

    timeout_seconds: float
    memory_bytes: int
    facts_version: int = FACTS_VERSION
    """Of the facts that the parent understands; a worker with others says so in its first answer."""


class Batch(msgspec.Struct, array_like=True, frozen=True):
    """Files of one repository for a worker, to be answered one by one in this order."""

    root: str
    files: list[tuple[str, str]]
    """(path, language)."""
    written: list[str] = []
    """Those that are no generated ones, whatever they say."""


class Answer(msgspec.Struct, array_like=True, frozen=True):
    """What became of one file; the first answer of a worker, with an empty path, says that it is ready."""

    path: str
    content_hash: str = ""
    size_bytes: int = 0
    facts: bytes = b""
    """The skeleton of its facts, encoded."""
    symbols: bytes = b""
    """The rows of its symbols, encoded."""
    documents: bytes = b""
    """The rows of its documents, encoded."""
    reason: str = ""
    detail: str = ""


class EncodedRows(NamedTuple):
    """A file's rows and the bytes they came as, which are stored as they are."""

    symbols: list[SymbolRow]
    documents: list[DocumentRow]
    encoded_symbols: bytes
    encoded_documents: bytes


_encoder = msgspec.msgpack.Encoder()
_facts_decoder = msgspec.msgpack.Decoder(FileFacts)
_symbols_decoder = msgspec.msgpack.Decoder(list[SymbolRow])
_documents_decoder = msgspec.msgpack.Decoder(list[DocumentRow])


def encode_facts(facts: FileFacts) -> bytes:
    """Return facts as bytes for the index cache."""
    return _FACTS_MARK + _encoder.encode(facts)


def decode_facts(data: bytes) -> FileFacts:
    """Return the facts encoded before.

    Raises ValueError for another version, for anything that is no facts, and for indexes that point nowhere.
    """
    if not data.startswith(_FACTS_MARK):
        raise ValueError("no facts of this version")
    facts = _facts_decoder.decode(memoryview(data)[len(_FACTS_MARK) :])
    count = len(facts.symbols)
    pointers = callers_of(facts) | users_of(facts)
    pointers.update(map(attrgetter("symbol"), facts.bases))
    pointers.update(map(attrgetter("scope"), facts.bindings))
    pointers.update(map(attrgetter("parent"), facts.symbols[1:]))
    is_within = not pointers or (min(pointers) >= 0 and max(pointers) < count)
    if not count or facts.symbols[0].parent != -1 or not is_within:
        raise ValueError("facts that point nowhere")
    return facts


def encode_rows(rows: FileRows) -> tuple[bytes, bytes]:
    """Return the rows of a file's symbols and those of its documents as bytes."""
    return _encoder.encode(rows.symbols), _encoder.encode(rows.documents)


def decode_rows(symbols: bytes, documents: bytes) -> EncodedRows:
    """Return the rows encoded before. Raises ValueError for anything that is no rows."""
    return EncodedRows(_symbols_decoder.decode(symbols), _documents_decoder.decode(documents), symbols, documents)


def write_message(stream: BinaryIO, message: Setup | Batch | Answer) -> None:
    """Write one length-prefixed message. Raises OSError when the other side is gone."""
    data = _encoder.encode(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the bytes of the next message, None at the end of the stream.

    Raises ValueError when the stream ends within a message or speaks of an impossible length.
    """
    head = stream.read(_LENGTH.size)
    if not head:
        return None
    length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else _LARGEST_FRAME_BYTES + 1
    if length > _LARGEST_FRAME_BYTES:
        raise ValueError("a message of an impossible length")
    data = stream.read(length)
    if len(data) != length:
        raise ValueError("a message cut short")
    return data
