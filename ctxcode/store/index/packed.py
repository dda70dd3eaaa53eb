"""What an index stores of each file, compressed.

Most files are too small to hold much twice, but files of a repository are alike: what many of the first ones hold is
the dictionary that all of the index are packed with.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Self

import zstandard

from ctxcode.store.frames import content_of, told_as_damage

SCHEMA = ("CREATE TABLE dictionary (content TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT",)
_ADD = "INSERT INTO dictionary VALUES (?, ?)"
_READ = "SELECT content, data FROM dictionary"

_LEVEL = 3
"""With a dictionary the better levels take hardly longer than the quick ones do without."""
_LARGEST_DICTIONARY = 112_640
_DICTIONARY_SHARE = 32
"""A dictionary has at most one byte for so many of what it is made of: it takes room itself."""
_SMALLEST_DICTIONARY = 1_024
_SAMPLE_BYTES = 32_768
"""As much of one file counts: a long one would make the dictionary its own."""
_SEGMENT, _REPEATED = 512, 8
"""How long the pieces of a dictionary are, and how long what is looked for in several files, both in bytes."""


class Content(StrEnum):
    """What is stored of each file: each has a dictionary of its own."""

    FACTS = "facts"
    SYMBOLS = "symbols"
    TEXTS = "texts"


class Packing(threading.local):
    """Packs what is stored of each file, with an index's dictionaries; every thread has its own contexts of them."""

    def __init__(self, dictionaries: Mapping[Content, bytes]) -> None:
        """Take dictionaries as they are stored; what has none is packed by itself."""
        self._dictionaries = dictionaries
        self._compressors: dict[Content, zstandard.ZstdCompressor] = {}
        self._decompressors: dict[Content, zstandard.ZstdDecompressor] = {}

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Self | None:
        """Return an index's packing; None before the first file. Raises ValueError for what nobody stores."""
        stored = {Content(content): data for content, data in connection.execute(_READ).fetchall()}
        return cls(stored) if stored else None

    @classmethod
    def begun(cls, connection: sqlite3.Connection, samples: Mapping[Content, Sequence[bytes]]) -> Self:
        """Return an index's packing, made from its first files and stored; in a write transaction."""
        made = {content: _trained(samples[content]) for content in Content}
        connection.executemany(_ADD, list(made.items()))
        return cls(made)

    def packed(self, content: Content, data: bytes) -> bytes:
        """Return a file's data as they are stored. Raises ValueError when the dictionary is damaged."""
        if content not in self._compressors:
            with told_as_damage():
                known = self._dictionary(content)
                if known is not None:
                    known.precompute_compress(level=_LEVEL)
                made = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True, dict_data=known)
            self._compressors[content] = made
        return self._compressors[content].compress(data)

    def unpacked(self, content: Content, frame: bytes) -> bytes:
        """Return what was stored. Raises ValueError when the frame, or the dictionary, is not as it was written."""
        if content not in self._decompressors:
            with told_as_damage():
                self._decompressors[content] = zstandard.ZstdDecompressor(dict_data=self._dictionary(content))
        return content_of(self._decompressors[content], frame)

    def _dictionary(self, content: Content) -> zstandard.ZstdCompressionDict | None:
        """Return a dictionary for contexts of this thread: two threads that use one at once are the end of both."""
        data = self._dictionaries.get(content, b"")
        return zstandard.ZstdCompressionDict(data, dict_type=zstandard.DICT_TYPE_FULLDICT) if data else None


def _trained(samples: Sequence[bytes]) -> bytes:
    """Return a dictionary of what many samples hold; empty when there is too little of it."""
    size = min(sum(map(len, samples)) // _DICTIONARY_SHARE, _LARGEST_DICTIONARY)
    if size >= _SMALLEST_DICTIONARY:
        # Too few samples, or ones without anything in common.
        with contextlib.suppress(zstandard.ZstdError):
            parts: list[bytes | bytearray | memoryview[int]] = [sample[:_SAMPLE_BYTES] for sample in samples]
            return zstandard.train_dictionary(size, parts, k=_SEGMENT, d=_REPEATED).as_bytes()
    return b""
