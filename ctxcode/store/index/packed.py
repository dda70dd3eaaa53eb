"""What is stored compressed: Zstandard frames that say how long their content is and hold a checksum of it."""

import threading

import zstandard

_LEVEL = -1
_LEVEL_OF_TEXTS = 1
"""For a tenth less room it takes a quarter longer, both ways: only what is most of the index is worth that."""
_LARGEST_BYTES = 1 << 28
"""More than anything that is stored; a frame that claims to hold more is none of ours."""


class _Frames(threading.local):
    """A thread's own contexts: making one takes longer than a small frame does, and threads can't share one."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self.compressor_of_texts = zstandard.ZstdCompressor(level=_LEVEL_OF_TEXTS, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_frames = _Frames()


def packed(data: bytes) -> bytes:
    """Return data as it is stored."""
    return _frames.compressor.compress(data)


def packed_texts(data: bytes) -> bytes:
    """Return texts as they are stored."""
    return _frames.compressor_of_texts.compress(data)


def unpacked(frame: bytes) -> bytes:
    """Return what was stored. Raises ValueError when the frame is not as it was written."""
    try:
        if not 0 <= zstandard.frame_content_size(frame) <= _LARGEST_BYTES:
            raise ValueError("a frame of an impossible size")
        return _frames.decompressor.decompress(frame, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ValueError(f"a frame is damaged: {error}") from error
