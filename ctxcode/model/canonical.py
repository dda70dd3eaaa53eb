"""Canonical JSON and digests: equal values give equal ids on any machine."""

import dataclasses
import json
from collections.abc import Mapping
from enum import StrEnum
from hashlib import blake2b

from ctxcode.model.ids import TextHash


def plain(value: object) -> object:
    """Return ``value`` as nested lists, dicts and scalars; a dataclass becomes a dict of its fields.

    Raises TypeError for what has no canonical form (sets, bytes, objects).
    """
    match value:
        case None | bool() | int():
            return value
        case StrEnum():
            return value.value
        case str():
            return value
        case float():
            return round(value, 9)
        case list() | tuple():
            return [plain(member) for member in value]
        case Mapping():
            return {str(key): plain(member) for key, member in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__!r} cannot be part of a digest")


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys, no white space and floats rounded to nine places."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False)


def digest(value: object, *, size_bytes: int = 10) -> str:
    """Return the BLAKE2b digest of a value's canonical JSON, ``2 * size_bytes`` hex digits."""
    return text_digest(canonical_json(value), size_bytes=size_bytes)


def text_digest(text: str, *, size_bytes: int = 10) -> str:
    """Return the BLAKE2b digest of a text's UTF-8 bytes, ``2 * size_bytes`` hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size_bytes).hexdigest()


def text_hash(text: str) -> TextHash:
    """Return the key under which a text is stored."""
    return TextHash(text_digest(text))
