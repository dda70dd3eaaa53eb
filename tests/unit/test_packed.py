"""What is stored compressed comes back as it was, or not at all."""

import io
import random
import struct
from concurrent.futures import ThreadPoolExecutor

import pytest
import zstandard

from ctxcode.store.index.packed import packed, packed_texts, unpacked

DATA = b"".join(b"def f%d(): return %d\n" % (number, number) for number in range(300))


@pytest.mark.parametrize("data", [b"", b"x", DATA, bytes(1_000_000)])
def test_what_is_unpacked_is_what_was_packed(data: bytes) -> None:
    assert data == unpacked(packed(data)) == unpacked(packed_texts(data))


def test_no_changed_byte_goes_unnoticed() -> None:
    source = random.Random(1)  # noqa: S311 - reproducible damage
    frame = packed(DATA)
    for place in range(len(frame)):
        damaged = bytearray(frame)
        damaged[place] ^= source.randrange(1, 256)
        try:
            assert DATA == unpacked(bytes(damaged))
        except ValueError:
            continue


@pytest.mark.parametrize("frame", [b"", b"\0", packed(DATA)[:-1], packed(DATA) + b"\0", packed(DATA) + packed(DATA)])
def test_anything_but_a_whole_frame_is_refused(frame: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpacked(frame)


def test_a_frame_that_claims_to_hold_gigabytes_is_refused() -> None:
    magic, one_segment_and_eight_bytes_of_size = b"\x28\xb5\x2f\xfd", b"\xe0"
    for size in (1 << 29, 1 << 40, 1 << 63):
        with pytest.raises(ValueError, match="size"):
            unpacked(magic + one_segment_and_eight_bytes_of_size + struct.pack("<Q", size) + packed(DATA)[10:])


def test_a_frame_that_does_not_say_how_much_it_holds_is_refused() -> None:
    with zstandard.ZstdCompressor().stream_writer(stream := io.BytesIO(), closefd=False) as writer:
        writer.write(DATA)
    with pytest.raises(ValueError, match="size"):
        unpacked(stream.getvalue())


def test_threads_do_not_get_into_each_others_frames() -> None:
    texts = [DATA + b"%d" % number for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert texts == list(pool.map(lambda data: unpacked(packed(data)), texts))
