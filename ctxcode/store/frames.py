"""What is stored compressed: Zstandard frames that say how long their content is and hold a checksum of it."""

import contextlib
import threading
from collections.abc import Iterator

import zstandard

_LEVEL = -1
_LARGEST_BYTES = 1 << 28
"""More than anything that is stored; a frame that claims to hold more is none of ours."""


class _Frames(threading.local):
    """A thread's own contexts: making one takes longer than a small frame does, and threads can't share one."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_frames = _Frames()


def packed(data: bytes) -> bytes:
    """Return data as they are stored, packed by themselves."""
    return _frames.compressor.compress(data)


def unpacked(frame: bytes) -> bytes:
    """Return what was stored. Raises ValueError when the frame is not as it was written."""
    return content_of(_frames.decompressor, frame)


def content_of(decompressor: zstandard.ZstdDecompressor, frame: bytes) -> bytes:
    """Return what a frame holds. Raises ValueError when it is not as it was written."""
    # No context manager: a question unpacks hundreds of frames, and making one takes as long as a small frame.
    try:
        if not 0 <= zstandard.frame_content_size(frame) <= _LARGEST_BYTES:
            raise ValueError("a frame of an impossible size")
        return decompressor.decompress(frame, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise _damaged(error) from error


@contextlib.contextmanager
def told_as_damage() -> Iterator[None]:
    """Raise ValueError for what Zstandard finds wrong."""
    try:
        yield
    except zstandard.ZstdError as error:
        raise _damaged(error) from error


def _damaged(error: zstandard.ZstdError) -> ValueError:
    return ValueError(f"a frame or its dictionary is damaged: {error}")
