"""Events, plans and RetrievalSets as JSON bytes and back; any Python string survives, lone surrogates too."""

import json
import zlib
from typing import TypeVar

import msgspec

from ctxcode.model.errors import StoreError

_Value = TypeVar("_Value")

_LOSSLESS = "surrogatepass"
_FRAME = b"\x28\xb5\x2f\xfd"
"""What a Zstandard frame begins with; rows from before these are zlib's."""


class UnreadableError(StoreError):
    """A row was written by a newer version, or is broken."""

    def __init__(
        self, message: str, hint: str = "Upgrade ctxcode; `ctxcode doctor` says whether the file is sound."
    ) -> None:
        super().__init__(message, hint)


def to_json(value: object) -> bytes:
    """Return a dataclass as JSON in UTF-8, where lone surrogates stand as they are."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(value), separators=(",", ":"), ensure_ascii=False)
        return text.encode("utf-8", _LOSSLESS)


def from_json(data: bytes, value_type: type[_Value]) -> _Value:
    """Return the dataclass of a JSON text. Raises UnreadableError when it does not fit."""
    try:
        return msgspec.json.decode(data, type=value_type)
    except ValueError:
        # Strict UTF-8 refuses lone surrogates, the slower way does not.
        pass
    try:
        return msgspec.convert(json.loads(data.decode("utf-8", _LOSSLESS)), type=value_type)
    except ValueError as error:
        raise UnreadableError(f"a stored {value_type.__name__} can't be read: {error}") from error


def pack(value: object) -> bytes:
    """Return a dataclass as compressed JSON."""
    from ctxcode.store.frames import packed  # noqa: PLC0415 - a session without a plan does without

    return packed(to_json(value))


def unpack(data: bytes, value_type: type[_Value]) -> _Value:
    """Return the dataclass of compressed JSON. Raises UnreadableError."""
    try:
        return from_json(_unpacked(data), value_type)
    except (zlib.error, ValueError) as error:
        raise UnreadableError(f"a stored {value_type.__name__} can't be read: {error}") from error


def _unpacked(data: bytes) -> bytes:
    """Return what was packed. Raises ValueError or zlib.error when it is not as it was written."""
    if not data.startswith(_FRAME):
        return zlib.decompress(data)
    from ctxcode.store.frames import unpacked  # noqa: PLC0415 - as above

    return unpacked(data)


def text_bytes(text: str) -> bytes:
    """Return a text's bytes, lone surrogates kept."""
    return text.encode("utf-8", _LOSSLESS)


def bytes_text(data: bytes) -> str:
    """Return the text of bytes made by ``text_bytes``; what is broken becomes U+FFFD."""
    try:
        return data.decode("utf-8", _LOSSLESS)
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def column_text(text: str) -> str:
    """Return a text as a column can hold it: lone surrogates become ``?``, always the same way."""
    return text.encode("utf-8", "replace").decode("utf-8")
